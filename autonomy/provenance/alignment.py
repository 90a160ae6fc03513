"""Aligns what each clause of a text tells with the one record of a list that the clause is about."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, tzinfo
from decimal import Decimal
from functools import cached_property
from itertools import islice
from math import log
from typing import Any, NamedTuple

from autonomy.provenance.reckoning.derivations import follows, is_measure
from autonomy.provenance.sources.evidence_units import announces_text, epoch
from autonomy.provenance.sources.leaves import MOST_LEAVES, Leaf, leaves, member, parsed
from autonomy.provenance.sources.run_sources import ValueSource
from autonomy.provenance.sources.tabular.columns import as_other_unit
from autonomy.provenance.sources.tabular.tables import mentions
from autonomy.provenance.sources.tabular.text_tables import with_named_cells, with_rows
from autonomy.provenance.support import SentenceSupport
from autonomy.provenance.text.dates import local_moment, time_keys
from autonomy.provenance.text.facts import Fact, FactKind, exact_facts_in, number_key
from autonomy.provenance.text.normalize import fold, normalize
from autonomy.provenance.text.sentences import terms
from metrics.text.phrases import patterns_of

MOST_RECORDS = 200
"""Of a longer list: its words are too common to name one of them, and its facts take seconds to read."""
MOST_LEAVES_OF_A_RECORD = 60
LONGEST_LEAF = 400
LONGEST_NAME = 40
"""Characters of a field that names its record."""
CLEARLY = 0.6
"""A second record with more than this share of the weight of the first may be meant as well."""
HARDLY = 0.34
"""The same of the record that holds the fact."""
RETOLD = 0.5
SURELY = 0.9
"""Of the weight of a word that one record alone has: a record is named by such a word, or by several that few have."""


class Value(NamedTuple):
    """One value of a record: the key under which it stands (empty in prose), and what it is."""

    key: str
    fact: Fact


class EvidenceRecord(NamedTuple):
    """One member of a list, or one line of a text: the words that may name it, and the values that may be told of it."""

    text: str
    names: frozenset[str]
    """Its terms, short fields, days and ids."""
    values: tuple[Value, ...]

    def holds(self, fact: Fact) -> bool:
        """Whether the fact is one of its values."""
        return any(value.fact.kind is fact.kind and not set(value.fact.keys).isdisjoint(fact.keys) for value in self.values)

    def yields(self, fact: Fact) -> bool:
        """Whether a figure follows from its figures, or tells one of them in another unit."""
        if fact.kind is not FactKind.NUMBER:
            return False
        figures = [value.fact for value in self.values if value.fact.kind is FactKind.NUMBER]
        return bool(follows(fact, figures)) or as_other_unit(
            Decimal(fact.keys[0]), fact.unit, [Decimal(one.keys[0]) for one in figures]
        )


class RecordList:
    """The records of one list of a result. Read when it is first asked for: most lists of a run are told of by nobody."""

    def __init__(self, call_id: str, path: str, members: Sequence[Any], day: date | None, zone: tzinfo | None) -> None:
        self.call_id, self.path = call_id, path
        self._members, self._day, self._zone = members, day, zone

    def has(self, source: ValueSource) -> bool:
        """Whether a source stands in this list."""
        return source.call_id == self.call_id and source.path.startswith(self.path)

    @cached_property
    def records(self) -> tuple[EvidenceRecord, ...]:
        """Its members in their order."""
        if isinstance(self._members[0], str):
            return tuple(self._of_lines())
        return tuple(map(self._of_object, self._members))

    @cached_property
    def _weight(self) -> dict[str, float]:
        """How much a word tells: nothing where all records have it, most where one has."""
        many = len(self.records)
        counts = Counter(name for record in self.records for name in record.names)
        return {name: log((many + 1) / count) for name, count in counts.items() if count < many}

    @cached_property
    def _fields(self) -> list[str]:
        """The names with blanks or in kana alone, which are no term of a text."""
        return [name for name in self._weight if " " in name or not terms(name)]

    def named_in(self, text: str, facts: Iterable[Fact]) -> frozenset[str]:
        """The names of records that stand in a text; of a day that may be one of two the commoner."""
        said = fold(text)
        found = (self._weight.keys() & _words(text)) | {name for name in self._fields if mentions(said, name)}
        for fact in facts:
            if fact.kind in (FactKind.DATE, FactKind.ID):
                found |= set(sorted(self._weight.keys() & set(fact.keys), key=self._weight.__getitem__)[:1])
        return frozenset(found)

    def retells(self, text: str, record: EvidenceRecord) -> bool:
        """Whether a text is about a record as a whole: of messages it has to tell half of what can be told apart by words, as one
        sentence may be made of several."""
        said = _words(text)
        return not self._is_prose or len(said & record.names) >= RETOLD * len(said)

    @cached_property
    def _is_prose(self) -> bool:
        return any(
            announces_text(leaf.key) and len(str(leaf.value)) > LONGEST_NAME
            for one in self._members
            if isinstance(one, dict)
            for leaf in islice(leaves(one), MOST_LEAVES_OF_A_RECORD)
        )

    def weight(self, names: frozenset[str], record: EvidenceRecord) -> float:
        """How much of a record some names tell."""
        return sum(self._weight[name] for name in names & record.names)

    def meant(self, names: frozenset[str], among: Sequence[EvidenceRecord]) -> EvidenceRecord | None:
        """The one of some records that is named, clearly before the others; None where it may be another one as well."""
        if not names or len(among) < 2:
            return None
        scored = [self.weight(names, record) for record in among]
        second, first = sorted(scored)[-2:]
        return among[scored.index(first)] if first >= SURELY * log(len(among) + 1) and second <= CLEARLY * first else None

    def _of_lines(self) -> Iterator[EvidenceRecord]:
        heading: frozenset[str] = frozenset()
        for line in self._members:
            if _HEADING.fullmatch(line) and not _TIME.search(line):
                heading = _words(line)
                continue
            facts = self._facts_of(line[:LONGEST_LEAF])
            yield EvidenceRecord(line, heading | _words(line) | _keys(facts), tuple(Value("", fact) for fact in facts))

    def _of_object(self, value: Mapping[str, Any]) -> EvidenceRecord:
        names: set[str] = set()
        values: list[Value] = []
        found = [leaf for leaf in islice(leaves(value), MOST_LEAVES_OF_A_RECORD) if not isinstance(leaf.value, bool)]
        for leaf in found:
            facts = list(self._facts_in(leaf))
            values += [Value(leaf.key, fact) for fact in facts]
            names |= _keys(facts)
            if isinstance(leaf.value, str):
                names |= _words(leaf.value[:LONGEST_LEAF])
                if 1 < len(leaf.value) <= LONGEST_NAME and any(map(str.isalpha, leaf.value)):
                    names.add(fold(leaf.value))
        shown = ", ".join(f"{leaf.key}: {leaf.value}" for leaf in found)
        return EvidenceRecord(shown[:LONGEST_LEAF], frozenset(names), tuple(values))

    def _facts_in(self, leaf: Leaf) -> Iterator[Fact]:
        """The facts of one leaf; a number without a unit in a text of its own is a name (`Order 7512`)."""
        if at := local_moment(leaf.value, self._zone) or epoch(leaf.value, self._zone):
            raw = local_moment(leaf.value, None) or at
            days, times = (raw.date().isoformat(), at.date().isoformat()), (*time_keys(at), *time_keys(raw))
            yield Fact(FactKind.DATE, str(leaf.value), 0, 0, tuple(dict.fromkeys(days)))
            yield Fact(FactKind.TIME, str(leaf.value), 0, 0, tuple(dict.fromkeys(times)))
        elif not isinstance(leaf.value, str):
            yield Fact(FactKind.NUMBER, str(leaf.value), 0, 0, (number_key(leaf.value),))
        else:
            facts = self._facts_of(leaf.value[:LONGEST_LEAF])
            yield from (fact for fact in facts if fact.kind is not FactKind.NUMBER or fact.unit)
            if span := _SPAN.fullmatch(leaf.value):
                yield Fact(FactKind.NUMBER, leaf.value, 0, 0, (str(60 * int(span[1]) + int(span[2])),), "分")

    def _facts_of(self, text: str) -> tuple[Fact, ...]:
        return tuple(exact_facts_in(normalize(text), self._day, self._zone))


_HEADING = re.compile(r"(?:[■●◆▼【#=*]{1,4}\s?.{1,60}|.{1,60}[:：])")
"""A line that is about those below it."""
_TIME = re.compile(r"\d:\d\d")
_SPAN = re.compile(r"(\d{1,3}):([0-5]\d)")
"""Hours and minutes of a sheet, or a time of day."""


def _words(text: str) -> frozenset[str]:
    return frozenset(word for word in terms(text) if not word[0].isdigit())


def _keys(facts: Iterable[Fact]) -> set[str]:
    return {key for fact in facts if fact.kind in (FactKind.DATE, FactKind.ID) for key in fact.keys}


def record_lists(call_id: str, result: Any, day: date | None, zone: tzinfo | None) -> Iterator[RecordList]:
    """The lists of a result: arrays of objects, objects by name that are alike, lines of a text, rows of a text's table."""
    stack: list[tuple[Any, str]] = [(with_named_cells(parsed(result)), "$")]
    for _ in range(MOST_LEAVES):
        if not stack:
            return
        value, path = stack.pop()
        members: list[Any] = []
        if isinstance(value, str):
            if rows := with_rows(value) if "\n" in value else None:
                stack.append((rows, path))
            else:
                members = [line.strip() for line in value[: MOST_RECORDS * LONGEST_LEAF].split("\n") if line.strip()]
        elif isinstance(value, list):
            members = [item for item in value if isinstance(item, dict)]
            stack += [(item, path) for item in value if isinstance(item, dict | list) or (isinstance(item, str) and "\n" in item)]
        elif isinstance(value, dict):
            objects = [{"": name, **item} for name, item in value.items() if isinstance(item, dict)]
            members = objects if len({frozenset(item) for item in objects}) == 1 else []
            stack += [(item, member(path, name)) for name, item in value.items() if isinstance(item, dict | list | str)]
        if 1 < len(members) <= MOST_RECORDS:
            yield RecordList(call_id, path, members, day, zone)


class Misplaced(NamedTuple):
    """A fact of another record than the one that its clause is about."""

    fact: Fact
    record: EvidenceRecord
    """The one that the clause is about."""


def misplaced(
    text: str, sentences: Sequence[SentenceSupport], lists: Sequence[RecordList], written: frozenset[str] = frozenset()
) -> Iterator[Misplaced]:
    """Facts that stand only in records which a clause does not name, where the one it names has another value in their place.

    `written`: keys of what writes took; that may be told beside what was there before.
    """
    lead: list[SentenceSupport] = []
    row = False
    for sentence in sentences:
        listed = _LISTED.match(text, text.rfind("\n", 0, sentence.start) + 1)
        heads, row = bool(listed and "|" in listed.group() and not row), bool(listed and "|" in listed.group())
        lead = [*lead, sentence] if heads else lead if listed else [sentence]
        for found in sentence.facts:
            if found.sources and written.isdisjoint(found.fact.keys) and _may_be_exchanged(found.fact, sentence):
                own = [one for one in lists if all(one.has(source) for source in found.sources)]
                records = (_record_instead(found.fact, sentence, lead, one) for one in own)
                if record := next(filter(None, records), None):
                    yield Misplaced(found.fact, record)


_LISTED = re.compile(r"\s*(?:[-*+•・|]|\d{1,2}[.)])\s?")
"""An item of a list, which is about what the sentence in front of the list names."""
_CLAUSE = patterns_of("autonomy.provenance")["parts_facts"]
_RECKONED = re.compile(r"[×+=÷]|(?<!\*)\*(?!\*)|(?<=\s)[-−](?=\s)")


def _may_be_exchanged(fact: Fact, sentence: SentenceSupport) -> bool:
    at = fact.start - sentence.start
    if _RECKONED.search(sentence.text[max(0, at - 3) : at + len(fact.text) + 3]):
        return False
    if fact.kind is FactKind.NUMBER:
        return len(fact.keys[0].lstrip("-")) > 1 or is_measure(fact.unit)
    return fact.kind is FactKind.TIME  # days name records as often as they are told of them


def _record_instead(
    fact: Fact, sentence: SentenceSupport, lead: Sequence[SentenceSupport], one: RecordList
) -> EvidenceRecord | None:
    holding = [record for record in one.records if record.holds(fact)]
    columns = {
        (value.key, value.fact.unit)
        for record in holding
        for value in record.values
        if value.fact.kind is fact.kind and not set(value.fact.keys).isdisjoint(fact.keys)
    }
    alike = [record for record in one.records if any(_in_columns(value, fact, columns) for value in record.values)]
    if not holding or len(holding) == len(alike):
        return None
    others = [found.fact for found in sentence.facts if found.fact is not fact]
    told = {(other.kind, key) for other in others for key in other.keys}
    names, meant = _named_by(fact, others, sentence, lead, one, alike)
    if meant is None or meant in holding or meant.yields(fact) or not one.retells(sentence.text, meant):
        return None
    names |= one.named_in(sentence.text.replace(fact.text, " "), others)
    slightly = HARDLY * one.weight(names, meant)
    if any(names & record.names - meant.names or one.weight(names, record) > slightly for record in holding):
        return None  # the other one is named as well
    in_place = (value.fact for value in meant.values if _in_columns(value, fact, columns))
    return meant if any(told.isdisjoint((value.kind, key) for key in value.keys) for value in in_place) else None


def _in_columns(value: Value, fact: Fact, columns: set[tuple[str, str]]) -> bool:
    return value.fact.kind is fact.kind and (value.key, value.fact.unit) in columns


def _named_by(
    fact: Fact,
    others: Sequence[Fact],
    sentence: SentenceSupport,
    lead: Sequence[SentenceSupport],
    one: RecordList,
    alike: Sequence[EvidenceRecord],
) -> tuple[frozenset[str], EvidenceRecord | None]:
    """The names in the fact's clause, or else in front of it in the sentence, or else of the list's lead, and whom they name."""
    at = fact.start - sentence.start
    ends = [0, *(match.end() for match in _CLAUSE.finditer(sentence.text)), len(sentence.text)]
    start = max(end for end in ends if end <= at)
    end = min((end for end in ends if end > at), default=len(sentence.text))
    clause = f"{sentence.text[start:at]} {sentence.text[at + len(fact.text) : end]}"
    inside = [other for other in others if start <= other.start - sentence.start < end]
    names = one.named_in(clause, inside)
    if meant := one.meant(names, alike):
        return names, meant
    names |= one.named_in(sentence.text[:start], [other for other in others if other.start < fact.start])
    meant = one.meant(names, alike)
    if meant is None and not names and sentence not in lead:
        names = frozenset().union(*(one.named_in(head.text, [found.fact for found in head.facts]) for head in lead))
        meant = one.meant(names, alike)
    return names, meant
