"""Derives figures of a text from others in it: shares, spans, a scaled list, expressions."""

import re
from collections.abc import Callable, Iterator, Sequence, Set
from decimal import Decimal
from functools import partial

from autonomy.provenance.reckoning.derivations import (
    is_bounded,
    is_exact_rate,
    is_rough,
    is_share_of_a_change,
    numbers,
)
from autonomy.provenance.reckoning.expressions import KnownFigure, columns_of, is_expression, is_scaled, known_figures, scale_of
from autonomy.provenance.reckoning.told_columns import with_reckoned_columns
from autonomy.provenance.sources.result_rows import Row
from autonomy.provenance.sources.run_sources import Sources
from autonomy.provenance.support import SentenceSupport
from autonomy.provenance.text.durations import durations
from autonomy.provenance.text.facts import COUNT_WORDS, Fact, FactKind
from autonomy.provenance.text.normalize import fold
from autonomy.provenance.text.sentences import terms
from metrics.text.phrases import patterns_of

_PHRASES = patterns_of("autonomy.provenance")
SENTENCES_BEFORE = 3
"""Sentences with facts from which a total, a share or a difference may follow: the lines of a short list."""


def with_derived_figures(text: str, found: list[SentenceSupport], sources: Sources) -> list[SentenceSupport]:
    """The sentences of a text, with those figures derived that follow from others of it, wherever they stand."""
    figures = _told_numbers(found)
    found = [_where_they_follow(sentence, "percentage", lambda fact: is_exact_rate(fact, figures, sources)) for sentence in found]
    found = [
        _where_they_follow(line, "percentage", partial(is_share_of_a_change, _told_numbers([line]), sources)) for line in found
    ]
    found = with_reckoned_columns(text, _scaled(_between_times(text, found), sources))
    return with_reckoned_columns(text, _as_expressions(text, found, sources))  # a total of what only now follows


def _told_numbers(found: Sequence[SentenceSupport]) -> list[Fact]:
    """The numbers of sentences that have a source or follow from some."""
    return [one.fact for line in found for one in line.facts if one.supported and one.fact.kind is FactKind.NUMBER]


def _as_expressions(text: str, found: list[SentenceSupport], sources: Sources) -> list[SentenceSupport]:
    """The sentences, with those figures derived that are expressions of figures with a source: of their own sentence and its
    evidence, of one column of a table of the text, or of all that it tells."""
    if not any(map(_open_figures, found)):
        return found
    request_figures = list(_asked_figures(sources))
    read = dict.fromkeys(map(float, sources.figures()))
    fields = [*known_figures(request_figures), *(KnownFigure(figure, "") for figure in read)] if len(read) <= FEW_FIELDS else []
    tables = [table for table in sources.tables() if len(table) <= MOST_NAMED]
    for _ in range(2):  # a share of a total that follows itself
        if not 0 < sum(len(_open_figures(line)) for line in found) <= MOST_OPEN:
            break
        answer_figures = _told_numbers(found)
        columns = columns_of(text, answer_figures)[:MOST_COLUMNS]
        wide = [*map(known_figures, columns), known_figures([*request_figures, *answer_figures]), fields]
        again = {(one.fact.keys, one.fact.unit) for line in found for one in line.facts if one.derived == "expression"}
        for at, line in enumerate(found):
            if not _open_figures(line):
                continue
            near_facts = [fact for unit in line.units for fact in numbers(unit.text)] or _figures_near(line, sources)
            near = known_figures([*_told_numbers([line]), *_in_words(line.text), *near_facts, *request_figures])
            before = found[max(0, at - SENTENCES_BEFORE) : at]
            led = known_figures(_told_numbers([line, *found[:SENTENCES_LEADING], *before]))
            words = [fact for one in (line, *before) for fact in _in_words(one.text)]
            alike = [one for one in found if one is not line and terms(one.text) & terms(line.text)][:MOST_ALIKE]
            named = known_figures(_told_numbers([line, *alike, *found[:SENTENCES_LEADING]]) + words)
            own = [_cells_of(row) for table in tables for row in table.rows_named(fold(line.text))][:MOST_COLUMNS]
            found[at] = _where_they_follow(line, "expression", partial(_is_one, text, again, (near, led, named, *wide, *own)))
    return found


def _cells_of(row: Row) -> list[KnownFigure]:
    """The figures of a row that a sentence names: a rent and an area, of which a price for each square metre follows."""
    return [KnownFigure(float(cell), "") for cell in row.cells.values() if isinstance(cell, int | float)]


MOST_NAMED = 200
"""Rows of a table of which one may be named."""


def _open_figures(line: SentenceSupport) -> list[Fact]:
    """The figures of a sentence that have no source and follow from none."""
    return [one.fact for one in line.facts if one.fact.kind is FactKind.NUMBER and not one.supported]


def _is_one(text: str, again: Set[tuple[tuple[str, ...], str]], pools: Sequence[Sequence[KnownFigure]], fact: Fact) -> bool:
    """Whether a figure is told again, or is an expression of the figures of one pool."""
    roughly, beyond = is_rough(text, fact.start, fact.end), is_bounded(text, fact.start, fact.end)
    return (fact.keys, fact.unit) in again or any(
        is_expression(fact, known, roughly=roughly) or (beyond and is_expression(fact, known, beyond=beyond)) for known in pools
    )


MOST_OPEN = 60
"""Figures without a source that are tried: a text with more is not reckoned but invented, and would take its time."""
MOST_COLUMNS = 12
FEW_FIELDS = 6
"""Numbers in fields, as of a table of rates, that may be meant though no word of a sentence leads to them."""
MOST_ALIKE = 2
"""Other lines of a text that speak of the same thing: its row in a table above."""
SENTENCES_LEADING = 2
"""Sentences at the beginning, where the totals are told."""


def _between_times(text: str, found: list[SentenceSupport]) -> list[SentenceSupport]:
    """The sentences, with spans derived that lie between two times of the text: from the release at 13:30 to 14:27; told as
    about so many half hours they are near one."""
    times = [one.fact for line in found for one in line.facts if one.fact.kind is FactKind.TIME and one.supported]
    spans = durations(times[:MOST_TIMES])

    def is_one(fact: Fact) -> bool:
        if fact.unit == "分" and fact.keys[0].isdecimal():
            return int(fact.keys[0]) in spans
        near = fact.unit == "時間" and is_rough(text, fact.start, fact.end)
        return near and any(abs(60 * float(fact.keys[0]) - span) <= NEAR_A_HALF_HOUR for span in spans)

    return [_where_they_follow(line, "difference", is_one) for line in found]


NEAR_A_HALF_HOUR = 12
"""Minutes from a half hour within which a rough span lies."""
MOST_TIMES = 10
"""Times of a text; between more lies almost any span."""


def _scaled(found: list[SentenceSupport], sources: Sources) -> list[SentenceSupport]:
    """The sentences, with those figures derived that are a list's own times what the request makes of it: a recipe for six."""
    lines = [(line, figures) for line in found if (figures := _open_figures(line))]
    request_figures = list(_asked_figures(sources)) if sum(len(figures) for _, figures in lines) > 1 else []
    read = [fact for unit in sources.units[:MOST_READ] for fact in _served(unit.text)] if request_figures else []
    if not read:
        return found
    near = {fact: beside for line, figures in lines for beside in [_figures_near(line, sources)] for fact in figures}
    if not (factor := scale_of([*near.items()], request_figures, read)):
        return found
    return [
        _where_they_follow(line, "product", lambda fact: float(fact.keys[0]) == factor or is_scaled(fact, near[fact], factor))
        for line in found
    ]


def _served(text: str) -> Iterator[Fact]:
    """The figures that say for how many a list is: any other number of a request and one that was read make a factor as well."""
    for fact in numbers(text):
        behind = fact.text.lstrip("0123456789") + text[fact.end :]  # the figure itself may end with whom it counts: 4 people
        if _PHRASES["before_portions"].search(text[: fact.start]) or _PHRASES["behind_portions"].search(behind):
            yield fact


NEAREST = 5
"""Lines that may hold the figures of which a sentence makes others."""
MOST_READ = 200
"""Lines in which names in kana are looked for, and the figure that the request scales."""


def _asked_figures(sources: Sources) -> Iterator[Fact]:
    """The figures of the request, in words as well: for six."""
    for text in sources.trusted_values():
        yield from numbers(text)
        yield from _in_words(text[:LONGEST_REQUEST])


def _in_words(text: str) -> Iterator[Fact]:
    """Numbers of things that stand in English words."""
    for word in _WORD.findall(text.lower()):
        if word in COUNT_WORDS:
            yield Fact(FactKind.NUMBER, word, 0, 0, (str(COUNT_WORDS[word]),))


_KANA = re.compile(r"[ぁ-んー]{3,}")
LONGEST_REQUEST = 2_000
_WORD = re.compile(r"[a-z]{3,6}")


def _figures_near(line: SentenceSupport, sources: Sources) -> list[Fact]:
    """The figures of the lines that share most words with a sentence."""
    near = [sources.index.units[at].text for at in sources.index.shortlist(terms(line.text), NEAREST)]
    names = [] if near else _KANA.findall(line.text)  # れんこん: names in kana are no terms
    near += [unit.text for unit in sources.units[:MOST_READ] if any(name in unit.text for name in names)]
    return [fact for text in near[:NEAREST] for fact in numbers(text)]


def _where_they_follow(sentence: SentenceSupport, how: str, follows: Callable[[Fact], bool]) -> SentenceSupport:
    """A sentence with its figures without a source derived, where they follow."""
    following = {fact for fact in _open_figures(sentence) if follows(fact)}
    if not following:
        return sentence
    return sentence._replace(
        facts=tuple(found._replace(derived=how) if found.fact in following else found for found in sentence.facts)
    )


_OF_ONE_KIND = frozenset({"社", "人", "台", "店", "店舗", "回"})
"""Counters of things that no list of results counts by itself."""


def without_free_counts(sentence: SentenceSupport, sources: Sources) -> SentenceSupport:
    """A small count is the run's own counting only where the sentence rests on something to count."""
    if sentence.supported or not sources.units:
        return sentence
    return sentence._replace(
        facts=tuple(
            found._replace(derived="") if found.derived == "count" and _is_free(found.fact, sources) else found
            for found in sentence.facts
        )
    )


def _is_free(fact: Fact, sources: Sources) -> bool:
    """Whether a count is that of nothing that was read."""
    if not fact.unit:
        return False
    counted, of_one_kind = Decimal(fact.keys[0]), fact.unit in _OF_ONE_KIND
    return (
        (of_one_kind or counted not in sources.counts())
        and counted not in sources.members_of_lists(fact.unit)
        and (of_one_kind or counted not in sources.members_of_groups())
    )
