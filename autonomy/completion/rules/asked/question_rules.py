"""Checks an answer against what its question asks: how many, free or taken, in which state."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib.resources import files
from itertools import islice

from pydantic import TypeAdapter

from autonomy.completion.rules.asked.asked_actions import ASKED
from autonomy.completion.rules.asked.free_times import times_told_as_free
from autonomy.completion.rules.case import Case
from autonomy.completion.rules.joined_facts import units_of
from autonomy.provenance.anchors import anchors_of
from autonomy.provenance.sources.evidence_units import EvidenceUnit
from autonomy.provenance.sources.leaves import Leaf, last_key, leaves
from autonomy.provenance.sources.result_rows import Row
from autonomy.provenance.sources.tabular.table_rows import STATE_COLUMNS, stands
from autonomy.provenance.text.excerpts import excerpt
from autonomy.provenance.text.facts import FactKind, facts_in
from autonomy.provenance.text.normalize import fold
from autonomy.provenance.text.sentences import sentences_in, terms
from autonomy.run_state.run_provenance import data_of
from autonomy.run_state.run_values import HOST
from metrics.text.phrases import lazy_pattern, patterns_of

_PHRASES = patterns_of("autonomy.completion")


def as_asked(case: Case) -> Iterator[tuple[str, str]]:
    """The answer agrees with the rows that the question is about: what is free, how many there are, what the state is."""
    if case.declares_needs or not case.ctx.records or case.is_own_knowledge:
        return
    yield from times_told_as_free(case)
    yield from _counted(case)
    yield from _standing(case)
    yield from _file_not_read(case)
    yield from _last_read_failed(case)
    yield from _of_another_line(case)


def _counted(case: Case) -> Iterator[tuple[str, str]]:
    """A number of things that fits some of what the question asks of them, and not all of it."""
    goal = fold(case.goal)
    counts = [number for sentence in islice(sentences_in(case.answer), 1) for number in numbers_in(sentence.text)]
    if len(counts) != 1 or not _PHRASES["asks_how_many"].search(goal):
        return
    if counts[0] in case.list_lengths:  # who lists what he counts can be checked by anybody
        return
    if case.unread:
        return
    for rows in case.evidence.sources.tables():
        conditions = list(conditions_in(goal, rows))
        rows_meeting = [{at for at, row in enumerate(rows) if meets(row)} for meets in conditions]
        if rows_meeting and len(rows) > 1:
            matches = set.intersection(*rows_meeting)
            if counts[0] != len(matches) and counts[0] in {len(rows), *map(len, rows_meeting)}:
                yield str(counts[0]), f"you count {counts[0]}, and of the {len(rows)} rows {len(matches)} are what was asked for"
                return


def conditions_in(goal: str, rows: Sequence[Row]) -> Iterator[Callable[[Row], bool]]:
    """The conditions that a question sets for rows: a value in any column, one of a column's values, or a word that is true or
    false of a row."""
    conditions: dict[frozenset[str], None] = {}
    for column in {name: None for row in rows for name in row.cells}:
        values = {row.word(column) for row in rows if isinstance(row.cells.get(column), str)}
        if len(values) > 1 and (names := frozenset(value for value in values if len(value) > 1 and stands(goal, value))):
            conditions[names] = None  # who wrote it and who changed it are one condition
    for names in conditions:
        yield lambda row, names=names: any(isinstance(cell, str) and fold(cell) in names for cell in row.cells.values())  # type: ignore[misc]
    for word in {word: None for row in rows for word in row.flags}:
        if re.search(rf"(?<![\w-]){word}(?!\w)", goal) and not re.search(rf"\b(?:not|no longer) (?:yet )?{word}", goal):
            yield lambda row, word=word: row.flags.get(word) is True  # type: ignore[misc]


NUMBER_WORDS = {"zero": 0, "one": 1, **ASKED.numbers}
_NUMBER = re.compile(
    rf"(?<![A-Za-z0-9_#.,:/-])(\d{{1,4}}|(?:{'|'.join(NUMBER_WORDS)})(?![A-Za-z]))(?![\d.,:/%-]*\d)(?! ?%)", re.IGNORECASE
)


def numbers_in(text: str) -> Iterator[int]:
    """The whole numbers of a text, in figures or English words."""
    for found in _NUMBER.findall(text):
        yield int(found) if found.isdecimal() else NUMBER_WORDS[found.lower()]


STATES = TypeAdapter(tuple[tuple[str, ...], ...]).validate_json(
    files("autonomy.completion").joinpath("data/states.json").read_bytes()
)
"""Groups of words that tell one state."""
_ANY_STATE = lazy_pattern("|".join(word for group in STATES for word in group))


def _standing(case: Case) -> Iterator[tuple[str, str]]:
    """A state that is told of the one thing that was read, and is not the state it has."""
    sentence_texts = [one.text for one in sentences_in(case.answer) if not _PHRASES["not_yet_so"].search(one.text)]
    made = {
        found
        for record in case.evidence.writes
        for found in _ID_MADE.findall(f"{record.text_answered} {record.result.structured}")
    }
    sentence_texts = [one for one in sentence_texts if made.isdisjoint(_ID_MADE.findall(one))]  # of what the run made itself
    if not any(_ANY_STATE.search(fold(one)) for one in sentence_texts):
        return  # as most answers, for which no result is gone through
    found = [
        leaf for record in case.evidence.reads for leaf in case.evidence.content(record).under(_may_be_state) if _is_state(leaf)
    ]
    shown = {fold(str(leaf.value)) for leaf in found}
    if len(shown) != 1 or len(found) != 1:
        return
    own = next((group for group in STATES if tells(group, next(iter(shown)))), None)
    for group in STATES if own else ():
        words = [one for one in sentence_texts if group is not own and tells(group, fold(one))]
        if words and not any(tells(group, fold(unit.text)) for unit in case.evidence.units):
            yield "a state", f"{excerpt(words[0], 80)!r} does not agree with {found[0].key}: {found[0].value}"
            return


_ID_MADE = re.compile(r"(?<![A-Za-z0-9_-])[A-Za-z]{1,10}-[0-9]{1,8}(?![A-Za-z0-9_-])")


def _may_be_state(key: str) -> bool:
    return key.lower() == "name" or key.lower() in STATE_COLUMNS


def _is_state(leaf: Leaf) -> bool:
    """Whether a leaf says how a thing stands: `status`, or the name of an object under it."""
    return leaf.key.lower() in STATE_COLUMNS or last_key(leaf.path.rpartition(".")[0]).lower() in STATE_COLUMNS


def tells(group: Iterable[str], text: str) -> bool:
    """Whether one of the words stands in a folded text."""
    return any(re.search(rf"\b{word}\b" if word.isascii() else word, text) for word in group)


def _file_not_read(case: Case) -> Iterator[tuple[str, str]]:
    """The statements about a file that the question names and that no call and no result names."""
    paths = [anchor for anchor in anchors_of(case.goal) if anchor.kind == "path"]
    seen = [value for record in case.ctx.records for value in (record.arguments, data_of(record))] if paths else []
    shown = fold("\n".join(str(leaf.value) for value in seen for leaf in leaves(value)))
    for anchor in paths:
        name = fold(anchor.text.rpartition("/")[2])
        sentence_texts = [one.text for one in sentences_in(case.answer) if name in fold(one.text)]
        if "." in name and name not in shown and sentence_texts and not _PHRASES["no_such_thing"].search(sentence_texts[0]):
            yield anchor.text, f"the question names {anchor.text}, and it was not read"


def _last_read_failed(case: Case) -> Iterator[tuple[str, str]]:
    """An answer of which nothing stands in what was read, after a read that failed and was not made good."""
    calls = [record for record in case.ctx.records if record.provider != HOST]
    if not calls or calls[-1].result.kind not in ("terminal", "retryable") or calls[-1].effect != "read":
        return
    sentences = [one for one in case.attribution(case.answer).sentences if not one.neutral]
    admissions = (_PHRASES["admits_failure"], _PHRASES["unable"], _PHRASES["tells_of_nothing"])
    admits = any(words.search(case.answer) for words in admissions)
    if sentences and not admits and not any(one.units for one in sentences):
        yield (
            "a source",
            f"{calls[-1].tool} failed ({excerpt(calls[-1].reason, 80)}), and nothing that you say stands in what was read",
        )


def _of_another_line(case: Case) -> Iterator[tuple[str, str]]:
    """A figure, day or time that stands beside hardly a word of the question, where a line of the same list or text has most of
    its words, and another one of that kind: 40 a second, asked for the peak. Nothing is said against what stands beside an answer
    from such a line, as the day in the title of a text that is shown, too."""
    day, zone = case.evidence.day, case.evidence.sources.zone
    asked_terms = terms(case.goal)
    if len(asked_terms) < FEWEST_ASKED or not case.free_texts:
        return
    told = [sentence for sentence in case.free_texts[0].unrepeated.sentences if not sentence.neutral]
    stated = {key for sentence in told for found in sentence.facts for key in found.fact.keys} | {
        key for _, key in case.said_before
    }
    lines: list[tuple[EvidenceUnit, float]] = []
    answered: dict[tuple[FactKind, str], float] = {}
    for found in (found for sentence in told[:FIRST] for found in sentence.facts if case.is_news(found.fact)):
        if not lines:  # most answers tell no such figure
            index = case.evidence.sources.index
            shares = index.shares(asked_terms, range(len(index.units)))
            lines = [(unit, shares[at]) for at, unit in enumerate(index.units)]
        holding = units_of(found, case)
        lists = {(unit.call_id, _INDEX.sub("", unit.path)) for unit in holding}
        most = max((share for unit, share in lines if unit in holding), default=1.0)
        sort = (found.fact.kind, found.fact.unit)
        most = answered[sort] = max(most, answered.get(sort, 0.0))
        for unit, share in lines if most + MORE <= 1 else ():
            if share < max(MOST_OF_IT, most + MORE) or (unit.call_id, _INDEX.sub("", unit.path)) not in lists:
                continue
            alike = [
                other
                for other in facts_in(unit.text[:LONGEST_LINE], day, zone)
                if other.kind is found.fact.kind and other.unit == found.fact.unit and stated.isdisjoint(other.keys)
            ]
            if alike:
                shown = excerpt(unit.text, 160)
                yield (
                    found.fact.text,
                    f"『{found.fact.text}』 stands in another line than the one that the question is about: {shown!r}",
                )
                return


_INDEX = re.compile(r"\[\d+\]|\d+")
FIRST = 2
"""Sentences of an answer that answer the question."""
FEWEST_ASKED = 3
MOST_OF_IT, MORE = 0.5, 0.2
"""Share of the question's terms from which on a line is the one that it asks for, and by how much no other one may come near. Of
all free goals as they are 6 bad ones, of six sets, and no good one."""
LONGEST_LINE = 300
