"""Aligns what each clause states with the one record of a list that it is about."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, tzinfo
from decimal import Decimal
from functools import cached_property, partial
from itertools import islice
from math import fsum, log
from typing import Any, NamedTuple

from autonomy.provenance.reckoning.derivations import follows, is_measure, is_rough
from autonomy.provenance.sources.evidence_units import announces_text, attribute_kind, epoch
from autonomy.provenance.sources.leaves import MOST_LEAVES, Leaf, is_figure, leaves, member, parsed
from autonomy.provenance.sources.origins import ValueSource
from autonomy.provenance.sources.tabular.columns import MeasuredFigures, as_other_unit
from autonomy.provenance.sources.tabular.tables import is_dated, mentions, without_blanks
from autonomy.provenance.sources.tabular.text_tables import FOLDED_RULE, with_named_cells, with_rows
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
    persons: frozenset[str] = frozenset()
    """Whose it is, by the names in its fields."""

    @property
    def days(self) -> frozenset[str]:
        """The days that stand in fields of their own."""
        return frozenset(
            key
            for value in self.values
            if value.key and value.fact.kind is FactKind.DATE and is_dated(value.fact.text)
            for key in value.fact.keys
        )

    def holds(self, fact: Fact) -> bool:
        """Whether the fact is one of its values."""
        return any(value.fact.kind is fact.kind and not set(value.fact.keys).isdisjoint(fact.keys) for value in self.values)

    def yields(self, fact: Fact) -> bool:
        """Whether a figure follows from its figures, or tells one in another unit; a bare one may be of hours, or an hour."""
        if fact.kind is not FactKind.NUMBER:
            return False
        figures = [value.fact for value in self.values if value.fact.kind is FactKind.NUMBER]
        if not fact.unit and any(f"{fact.keys[0]}:00" in value.fact.keys for value in self.values):
            return True
        measured = partial(MeasuredFigures.of, (Decimal(one.keys[0]) for one in figures))
        return bool(follows(fact, figures)) or as_other_unit(Decimal(fact.keys[0]), fact.unit or "時間", measured)


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
    def newest_version(self) -> EvidenceRecord | None:
        """The record with the highest number of a version; None where the records are no versions of one thing, as posts are none
        of which each was written once."""
        numbered = [
            (float(value.fact.keys[0]), at)
            for at, record in enumerate(self.records)
            for value in record.values
            if value.key.lower() in _VERSIONS and value.fact.kind is FactKind.NUMBER
        ]
        versions = len({number for number, _ in numbered}) == len(numbered) == len(self.records)
        return self.records[max(numbered)[1]] if versions else None

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

    @cached_property
    def _days(self) -> frozenset[str]:
        """The days that a record is of: no moment of it, which is of two days where clocks differ."""
        return frozenset(value.fact.text for record in self.records for value in record.values if value.key)

    def named_in(self, text: str, facts: Iterable[Fact]) -> frozenset[str]:
        """The names of records that stand in a text; of two days that one may be, the commoner, or the one a record is of."""
        folded_text = fold(text)
        found = (self._weight.keys() & _words(text)) | {name for name in self._fields if mentions(folded_text, name)}
        for fact in facts:
            if fact.kind in (FactKind.DATE, FactKind.ID):
                known = [key for key in fact.keys if key in self._weight]
                found |= set(sorted(known, key=lambda key: (self._weight[key], key not in self._days))[:1])
        return frozenset(found)

    def named_outright(self, facts: Sequence[Fact], among: Sequence[EvidenceRecord]) -> EvidenceRecord | None:
        """The one record of a person, or else of a day, that facts name; None where they name none or several."""
        days = {key for fact in facts if fact.kind is FactKind.DATE for key in fact.keys}
        found = self._of_persons(facts, among) or [record for record in among if not days.isdisjoint(record.days)]
        return found[0] if len(found) == 1 and len(among) > 1 else None

    @staticmethod
    def _of_persons(facts: Sequence[Fact], among: Sequence[EvidenceRecord]) -> list[EvidenceRecord]:
        """The records of which a field begins with the name of a person, in full or without the given name."""
        names = {key for fact in facts if fact.kind is FactKind.NAME for key in fact.keys if len(key) > 1}
        return [
            record for record in among if any(name == key or name.split(" ")[0] == key for name in record.names for key in names)
        ]

    def retells(self, text: str, record: EvidenceRecord) -> bool:
        """Whether a text is about a record as a whole: of messages it has to tell half of what can be told apart by words, as one
        sentence may be made of several."""
        text_words = _words(text)
        return not self._is_prose or len(text_words & record.names) >= RETOLD * len(text_words)

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
        return fsum(self._weight[name] for name in names & record.names)  # the order of a set is another one in each process

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
        persons: set[str] = set()
        values: list[Value] = []
        found = [leaf for leaf in islice(leaves(value), MOST_LEAVES_OF_A_RECORD) if not isinstance(leaf.value, bool)]
        for leaf in found:
            facts = list(self._facts_in(leaf))
            values += [Value(leaf.key, fact) for fact in facts]
            names |= _keys(facts)
            if isinstance(leaf.value, str):
                if attribute_kind(leaf.key) == "person":
                    persons.add(fold(leaf.value).lstrip("@"))
                names |= _words(leaf.value[:LONGEST_LEAF])
                if 1 < len(leaf.value) <= LONGEST_NAME and any(map(str.isalpha, leaf.value)):
                    names.add(fold(leaf.value))
        shown = ", ".join(f"{leaf.key}: {leaf.value}" for leaf in found)
        return EvidenceRecord(shown[:LONGEST_LEAF], frozenset(names), tuple(values), frozenset(persons))

    def _facts_in(self, leaf: Leaf) -> Iterator[Fact]:
        """The facts of one leaf; a number without a unit in a text of its own is a name (`Order 7512`)."""
        if at := local_moment(leaf.value, self._zone) or epoch(leaf.value, self._zone):
            raw = local_moment(leaf.value, None) or at
            days, times = (raw.date().isoformat(), at.date().isoformat()), (*time_keys(at), *time_keys(raw))
            yield Fact(FactKind.DATE, str(leaf.value), 0, 0, tuple(dict.fromkeys(days)))
            yield Fact(FactKind.TIME, str(leaf.value), 0, 0, tuple(dict.fromkeys(times)))
        elif is_figure(leaf.value):
            yield Fact(FactKind.NUMBER, str(leaf.value), 0, 0, (number_key(leaf.value),))
        elif isinstance(leaf.value, str):
            facts = self._facts_of(leaf.value[:LONGEST_LEAF])
            yield from (fact for fact in facts if fact.kind is not FactKind.NUMBER or fact.unit)
            if span := _SPAN.fullmatch(leaf.value):
                yield Fact(FactKind.NUMBER, leaf.value, 0, 0, (str(60 * int(span[1]) + int(span[2])),), "分")

    def _facts_of(self, text: str) -> tuple[Fact, ...]:
        return tuple(exact_facts_in(normalize(text), self._day, self._zone))


_VERSIONS = frozenset({"version", "revision", "rev", "revision_number", "版"})
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
            if rows := with_rows(value) if "\n" in value or FOLDED_RULE in value else None:
                stack.append((rows, path))
            else:
                members = [line.strip() for line in value[: MOST_RECORDS * LONGEST_LEAF].split("\n") if line.strip()]
        elif isinstance(value, list):
            members = [item for item in value if isinstance(item, dict)]
            stack += [(item, path) for item in value if _may_list(item)]
        elif isinstance(value, dict):
            objects = [{"": name, **item} for name, item in value.items() if isinstance(item, dict)]
            members = objects if len({frozenset(item) for item in objects}) == 1 else []
            stack += [(item, member(path, name)) for name, item in value.items() if _may_list(item)]
        if 1 < len(members) <= MOST_RECORDS:
            yield RecordList(call_id, path, members, day, zone)


def _may_list(item: Any) -> bool:
    """Whether a list may stand in a member: in a text of one line there is none."""
    return isinstance(item, dict | list) or (isinstance(item, str) and ("\n" in item or FOLDED_RULE in item))


class Misplaced(NamedTuple):
    """A fact of another record than the one that its clause is about."""

    fact: Fact
    record: EvidenceRecord
    """The one that the clause is about."""
    holding: tuple[EvidenceRecord, ...]
    """Those that have the fact."""
    sure: bool
    """Whether the sentence neither names one of these nor tells what its own record has in the place of the fact."""


class _Told(NamedTuple):
    """A fact as a sentence tells it."""

    fact: Fact
    sentence: SentenceSupport
    lead: Sequence[SentenceSupport]
    """What stands in front of the list in which the sentence is an item."""
    fields: frozenset[str] = frozenset()
    """The words of the keys under which the fact stands: they name what it is (rain, of `rain_percent`), and no record."""

    @property
    def other_facts(self) -> list[Fact]:
        """The other facts of the sentence."""
        return [found.fact for found in self.sentence.facts if found.fact is not self.fact]


def misplaced(
    text: str, sentences: Sequence[SentenceSupport], lists: Sequence[RecordList], written: frozenset[str] = frozenset()
) -> Iterator[Misplaced]:
    """Facts that stand only in records which a clause does not name, where the one it names has another value in their place.

    Two facts of one sentence may change places as well. `written`: keys of what writes took; that may be told beside what was
    there before.
    """
    for sentence, lead in _with_leads(text, sentences):
        found: list[Misplaced] = []
        for support in sentence.facts:
            if support.sources and written.isdisjoint(support.fact.keys) and _may_be_exchanged(support.fact, sentence):
                own = (one for one in lists if all(one.has(source) for source in support.sources))
                statement = _Told(support.fact, sentence, lead)
                found += islice(filter(None, (_held_against(statement, one) for one in own)), 1)
        yield from (one for one in found if one.sure or any(_are_exchanged(one, other) for other in found))


def _are_exchanged(one: Misplaced, other: Misplaced) -> bool:
    return one.record in other.holding and other.record in one.holding


def _with_leads(text: str, sentences: Sequence[SentenceSupport]) -> Iterator[tuple[SentenceSupport, list[SentenceSupport]]]:
    """Each sentence, with the one in front of the list in which it is an item, and the heads of its table."""
    lead: list[SentenceSupport] = []
    in_table = False
    for sentence in sentences:
        mark = _LISTED.match(text, text.rfind("\n", 0, sentence.start) + 1)
        is_row = bool(mark and "|" in mark.group())
        lead = [*lead, sentence] if is_row and not in_table else lead if mark else [sentence]  # no item leads the next one
        in_table = is_row
        yield sentence, lead


_LISTED = re.compile(r"\s*(?:[-*+•・|]|\d{1,2}[.)])\s?")
"""An item of a list, which is about what the sentence in front of the list names."""
_PHRASES = patterns_of("autonomy.provenance")
_CLAUSE = _PHRASES["parts_facts"]
_RECKONED = re.compile(r"[×+=÷]|(?<!\*)\*(?!\*)|(?<=\s)[-−](?=\s)")


def _may_be_exchanged(fact: Fact, sentence: SentenceSupport) -> bool:
    """Whether a fact is told as it stands in a record: a mean, a sum or a rounded figure meets another one by chance."""
    at = fact.start - sentence.start
    if fact.kind is FactKind.TIME:  # days name records as often as they are told of them
        return True
    if fact.kind is not FactKind.NUMBER or is_rough(sentence.text, at) or _PHRASES["tells_a_mean"].search(sentence.text):
        return False
    beside = sentence.text[max(0, at - 3) : at + len(fact.text) + 3]
    return not _RECKONED.search(beside) and (len(fact.keys[0].lstrip("-")) > 1 or is_measure(fact.unit))


def _held_against(statement: _Told, one: RecordList) -> Misplaced | None:
    """What a list says of a fact: the record that the clause is about, where only others have it."""
    fact = statement.fact
    holding = tuple(record for record in one.records if record.holds(fact))
    columns = {
        (value.key, value.fact.unit)
        for record in holding
        for value in record.values
        if value.fact.kind is fact.kind and not set(value.fact.keys).isdisjoint(fact.keys)
    }

    statement = statement._replace(fields=frozenset().union(*(_words(key.replace("_", " ")) for key, _ in columns)))

    def in_place(record: EvidenceRecord) -> list[Fact]:
        return [value.fact for value in record.values if value.fact.kind is fact.kind and (value.key, value.fact.unit) in columns]

    alike = [record for record in one.records if in_place(record)]
    if not holding or len(holding) == len(alike) or _is_of_a_name(statement, holding):
        return None
    keys = {(other.kind, key) for other in statement.other_facts for key in other.keys}
    newest = one.newest_version
    if newest in alike and newest not in holding and not _PHRASES["tells_of_before"].search(statement.sentence.text):
        return Misplaced(fact, newest, holding, all(keys.isdisjoint(_keyed(own)) for own in in_place(newest)))
    names, expected, outright = _named_by(statement, one, alike)
    if expected is None or expected in holding or expected.yields(fact) or not one.retells(statement.sentence.text, expected):
        return None
    if any(_person_beside(statement) & (record.persons - expected.persons) for record in holding):
        return None  # the time at which she did it, beside what he had asked for
    mentioned = names | one.named_in(statement.sentence.text.replace(fact.text, " "), statement.other_facts) - statement.fields
    slightly = HARDLY * one.weight(mentioned, expected)
    if any(names & record.names - expected.names for record in holding):
        return None  # the clause names the other one as well
    named = any(mentioned & record.names - expected.names or one.weight(mentioned, record) > slightly for record in holding)
    replaced = any(keys.isdisjoint(_keyed(own)) for own in in_place(expected))
    return Misplaced(fact, expected, holding, replaced and (outright or not named))


def _person_beside(statement: _Told) -> frozenset[str]:
    """The names of the person right in front of a time, in the same cell and clause: 遥さん（11/30 10:51）."""
    fact, text = statement.fact, statement.sentence.text
    before = [one for one in statement.other_facts if one.kind is FactKind.NAME and one.end <= fact.start]
    last = max(before, key=lambda one: one.end, default=None)
    if last is None or fact.kind is not FactKind.TIME:
        return frozenset()
    start = statement.sentence.start
    between = text[last.end - start : fact.start - start]
    return frozenset() if _ANOTHER_CELL.search(between) else frozenset(last.keys)


_ANOTHER_CELL = re.compile(r"[|、。,;；\n]")


def _is_of_a_name(statement: _Told, holding: Sequence[EvidenceRecord]) -> bool:
    """Whether a figure is told as a part of what a record is called: ひかり 637号."""
    sentence_text, figure = without_blanks(statement.sentence.text), without_blanks(statement.fact.text)
    return any(figure in bare and bare in sentence_text for record in holding for bare in map(without_blanks, record.names))


def _keyed(fact: Fact) -> Iterator[tuple[FactKind, str]]:
    return ((fact.kind, key) for key in fact.keys)


def _named_by(
    statement: _Told, one: RecordList, alike: Sequence[EvidenceRecord]
) -> tuple[frozenset[str], EvidenceRecord | None, bool]:
    """The names in the fact's clause, or else in front of it in the sentence, or else of the list's lead; whom they name, and
    whether outright."""
    fact, sentence, others = statement.fact, statement.sentence, statement.other_facts
    at = fact.start - sentence.start
    ends = [0, *(match.end() for match in _CLAUSE.finditer(sentence.text)), len(sentence.text)]
    start = max(end for end in ends if end <= at)
    end = min((end for end in ends if end > at), default=len(sentence.text))
    clause = f"{sentence.text[start:at]} {sentence.text[at + len(fact.text) : end]}"
    names = one.named_in(clause, [other for other in others if start <= other.start - sentence.start < end]) - statement.fields
    before = [other for other in others if other.start < fact.start]
    outright = one.named_outright(before, alike)
    if record := one.meant(names, alike):
        return names, record, record is outright
    if outright:
        return frozenset(), outright, True
    names |= one.named_in(sentence.text[:start], before) - statement.fields
    record = one.meant(names, alike)
    if record is None and not names and sentence not in statement.lead:
        names = (
            frozenset().union(*(one.named_in(head.text, [found.fact for found in head.facts]) for head in statement.lead))
            - statement.fields
        )
        record = one.meant(names, alike)
    return names, record, False
