"""Finds sentences that contradict their own evidence: negations, other persons, figures of another row."""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from autonomy.provenance.misstatements.negations import negations
from autonomy.provenance.misstatements.reversals import reversals, unheard_outcomes
from autonomy.provenance.misstatements.standing import dropped_standing, told_as_decided, told_of_every_case
from autonomy.provenance.misstatements.told_days import moved_days, names_a_day_by_number
from autonomy.provenance.misstatements.told_persons import told_of_another
from autonomy.provenance.misstatements.told_plans import told_as_done
from autonomy.provenance.records.directions import (
    all_told_of_some,
    in_another_unit_of_time,
    of_another_table_row,
    under_another_heading,
    wrong_directions,
    wrong_shares,
)
from autonomy.provenance.records.outdated import outdated, parted_tables, superseded
from autonomy.provenance.records.parts_of_day import of_another_part
from autonomy.provenance.records.shared_tasks import of_another_in_the_line
from autonomy.provenance.sources.run_sources import Sources
from autonomy.provenance.support import Attribution, SentenceSupport
from autonomy.provenance.text.facts import CURRENCIES, Fact, FactKind, facts_in
from autonomy.provenance.text.sentences import terms

RETOLD = 0.6
"""Share of the shorter one's terms from which on two clauses tell the same: below it, they may only be about the same things."""


class Contradiction(NamedTuple):
    """One place where a text says other than its evidence."""

    kind: str
    """`negation`, `standing`, `decided`, `reversal`, `direction`, `outdated`, `outcome`, `day`, `number`, `scope`,
    `person`, `exchanged` or `plan`."""
    said: str
    shown: str

    @property
    def is_of_one_statement(self) -> bool:
        """Whether both tell the same but for the difference: most of the shorter one's terms are the other one's, too."""
        said, shown = terms(self.said), terms(self.shown)
        shorter = min(len(said), len(shown))
        return shorter > 1 and len(said & shown) >= RETOLD * shorter


def contradictions(found: Attribution, sources: Sources, question: str = "") -> Iterator[Contradiction]:
    """The contradictions of an attributed text, sentence by sentence. `question`: the question that it answers."""
    columns = _figures_by_column(found)
    parted = parted_tables(sources, question)
    asked = [fact for fact in facts_in(question, sources.day, sources.zone) if fact.kind is FactKind.DATE]
    asked = [] if names_a_day_by_number(question) else asked
    told = {key for found_fact in found.facts if found_fact.fact.kind is FactKind.NUMBER for key in found_fact.fact.keys}
    for sentence in found.sentences:
        if not sentence.neutral or sentence.units:
            yield from _each("negation", sentence, negations(sentence, sources))
            yield from _each("standing", sentence, dropped_standing(sentence, sources))
            yield from _each("decided", sentence, told_as_decided(sentence, sources))
            yield from (Contradiction("number", told, scale) for told, scale in _unscaled(sentence, sources))
            yield from _each("direction", sentence, wrong_directions(sentence, sources.tables()))
            yield from _each("outdated", sentence, outdated(sentence, parted))
            yield from _each("outdated", sentence, superseded(sentence, sources, told, asked))
            yield from (Contradiction("outcome", word, shown) for word, shown in unheard_outcomes(sentence, sources))
            yield from _each("day", sentence, moved_days(sentence, sources, asked))
            yield from _each("exchanged", sentence, of_another_in_the_line(sentence, sources))
            yield from _each("scope", sentence, told_of_every_case(sentence, sources))
            yield from _each("day", sentence, of_another_part(sentence, sources))
            figures = (
                wrong_shares(sentence, columns),
                in_another_unit_of_time(sentence, sources),
                of_another_table_row(sentence, sources),
                under_another_heading(sentence, sources),
                all_told_of_some(sentence, sources),
            )
            yield from (Contradiction("number", told, shown) for found in figures for told, shown in found)
        # an answer to a yes or no question may only repeat its words
        yield from _each("reversal", sentence, reversals(sentence, sources))
        yield from _each("person", sentence, told_of_another(sentence, sources))
        yield from _each("plan", sentence, told_as_done(sentence, sources))


def _each(kind: str, sentence: SentenceSupport, shown: Iterable[str]) -> Iterator[Contradiction]:
    return (Contradiction(kind, sentence.text, evidence) for evidence in shown)


def _figures_by_column(found: Attribution) -> list[list[Fact]]:
    """The first figure of each cell of the rows of a text's tables, by column."""
    columns: dict[int, list[Fact]] = {}
    for sentence in found.sentences:
        cells = [match.span() for match in _CELL.finditer(sentence.text)] if "|" in sentence.text else []
        for at, (begin, end) in enumerate(cells):
            inside = (one.fact for one in sentence.facts if begin <= one.fact.start - sentence.start < end)
            columns.setdefault(at, []).extend([fact for fact in inside if fact.kind is FactKind.NUMBER][:1])
    return [column for column in columns.values() if len(column) > 1]


_CELL = re.compile(r"[^|]+")


def _unscaled(sentence: SentenceSupport, sources: Sources) -> Iterator[tuple[str, str]]:
    """A sum of money told as it stands in a table that counts in thousands or millions, and how that counts."""
    money = [found for found in sentence.facts if found.fact.unit in CURRENCIES and found.sources]
    for found in money:
        scales = [sources.scales().get(source.call_id) for source in found.sources]
        if all(scales):
            yield found.fact.text, str(scales[0])
            return
