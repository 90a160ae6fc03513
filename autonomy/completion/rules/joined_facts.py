"""Checks what a job's text joins, such as an id and a figure, against what was read together."""

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from decimal import Decimal
from functools import lru_cache
from typing import Any, NamedTuple

from autonomy.completion.rules.case import Case
from autonomy.provenance.reckoning.derivations import follows, is_measure
from autonomy.provenance.records.directions import SPELT, in_figures
from autonomy.provenance.sources.evidence_units import EvidenceUnit
from autonomy.provenance.sources.leaves import ResultContent, leaves
from autonomy.provenance.sources.read_evidence import units_of_key
from autonomy.provenance.sources.tabular.tables import Table, label_of
from autonomy.provenance.support import Attribution, FactSupport, SentenceSupport
from autonomy.provenance.text.excerpts import excerpt
from autonomy.provenance.text.facts import COUNT_WORDS, Fact, FactKind, facts_in
from autonomy.provenance.text.normalize import fold, normalize
from autonomy.run_state.run_provenance import data_of
from autonomy.run_state.run_values import CallRecord
from metrics.text.phrases import patterns_of

_PHRASES = patterns_of("autonomy.completion")


def misjoined(found: Attribution, text: str, case: Case) -> Iterator[str]:
    """The facts that a text joins and the evidence joins otherwise, a sentence each."""
    for line in _lines(found, text):
        yield from _of_another_id(line, case)
    for sentence in found.sentences:
        if not sentence.neutral or sentence.units:
            yield from _spelt_figures(sentence, case)
    yield from (finding for _, finding in case.misplaced(text))
    yield from _of_another_call(found, case)
    yield from (finding for _, finding in of_another_read(text, case))
    yield from _open_in_another_row(text, case)
    yield from _nothing_of_something(found, text, case)
    yield from more_than_was_read(text, case)


def _lines(found: Attribution, text: str) -> list[list[SentenceSupport]]:
    """The sentences of each line: what stands in one item of a list is told of one thing."""
    lines: dict[int, list[SentenceSupport]] = {}
    for sentence in found.sentences:
        lines.setdefault(text.count("\n", 0, sentence.start), []).append(sentence)
    return list(lines.values())


def _form(key: str) -> str:
    """Ids of one form could stand for one another: #436 and #438, 2.9.0 and 2.9.1."""
    return re.sub(r"\d+", "0", key)


def _ids(facts: Sequence[Fact]) -> dict[str, set[str]]:
    """The ids of facts by their form."""
    found: dict[str, set[str]] = {}
    for fact in facts:
        if fact.kind is FactKind.ID:
            found.setdefault(_form(fact.keys[0]), set()).add(fact.keys[0])
    return found


def _ids_of(unit: EvidenceUnit) -> Mapping[str, set[str]]:
    return _ids_in(unit.text[:LONGEST_UNIT])


@lru_cache(maxsize=2_000)  # every sentence with an id looks at the lines of all results
def _ids_in(text: str) -> Mapping[str, set[str]]:
    return _ids(facts_in(text))


LONGEST_UNIT = 500
_TOLD_OF_IT = frozenset({FactKind.NUMBER, FactKind.TIME, FactKind.QUOTE})


def _of_another_id(line: Sequence[SentenceSupport], case: Case) -> Iterator[str]:
    """A figure, time or quotation beside one id, every source of which speaks of another id of that form alone."""
    supports = [found for sentence in line for found in sentence.facts]
    ids_by_form = _ids([found.fact for found in supports])
    single = {form: next(iter(keys)) for form, keys in ids_by_form.items() if len(keys) == 1}
    for found in supports if single else ():
        if found.fact.kind not in _TOLD_OF_IT or found.derived or not found.sources or _is_common(found.fact):
            continue
        units = units_of(found, case)
        for form, key in single.items():
            shown = [_ids_of(unit).get(form, set()) for unit in units]
            if shown and all(keys and key not in keys for keys in shown):
                yield f"『{found.fact.text}』 stands in what was read of {min(shown[0])}, and you tell it of {key}"
                return


def _is_common(fact: Fact) -> bool:
    """Whether a figure counts so few things that it stands anywhere."""
    return fact.kind is FactKind.NUMBER and fact.keys[0] in ("0", "1") and not is_measure(fact.unit)


def units_of(found: FactSupport, case: Case) -> list[EvidenceUnit]:
    """The lines in which a fact stands, where each of its sources is one."""
    sources = [source for source in found.sources if source.call_id]
    if len(sources) < len(found.sources):
        return []  # the request or the job names it too
    places = {(source.call_id, source.path.rpartition(".")[0]) for source in sources}
    places |= {(source.call_id, source.path) for source in sources}
    return [unit for unit in case.evidence.units if (unit.call_id, unit.path) in places and _holds(unit, found.fact)]


def _holds(unit: EvidenceUnit, fact: Fact) -> bool:
    if fact.kind is FactKind.QUOTE:
        return fact.keys[0] in fold(unit.text)
    shown = (other for other in facts_in(unit.text[:LONGEST_UNIT]) if other.kind is fact.kind)
    return any(set(other.keys) & set(fact.keys) for other in shown)


def _spelt_figures(sentence: SentenceSupport, case: Case) -> Iterator[str]:
    """Numbers in English words that are not those of the line which the sentence retells, figure by figure, nor of any other line
    of the same post or message: a sentence may join two of them."""
    if not SPELT.search(sentence.text) or not sentence.units:
        return
    spelt_numbers = [*_numbers_in(in_figures(sentence.text))]
    figures = [fact for unit in sentence.units for fact in _numbers_in(in_figures(unit.text[:LONGEST_UNIT]))]
    shown = {fact.keys[0] for fact in figures}
    right = [fact for fact in spelt_numbers if fact.keys[0] in shown]
    objects = {(unit.call_id, unit.path) for unit in sentence.units}
    beside = (unit.text for unit in case.evidence.units if (unit.call_id, unit.path) in objects)
    known = {fact.keys[0] for text in beside for fact in _numbers_in(in_figures(text[:LONGEST_UNIT]))} - shown | {"0", "1"}
    for fact in spelt_numbers:
        alike = {other.keys[0] for other in figures if other.unit == fact.unit and is_measure(fact.unit)}
        wrong = alike and fact.keys[0] not in alike
        altered = len(shown) > 1 and right and fact.keys[0] not in shown and shown - {other.keys[0] for other in spelt_numbers}
        if (wrong or altered) and fact.keys[0] not in known and not follows(fact, figures):
            read = excerpt(sentence.units[0].text, 120)
            yield f"『{fact.text}』 in {excerpt(sentence.text, 80)!r} has no source; what was read says {read!r}"
            return


def _numbers_in(text: str) -> Iterator[Fact]:
    return (fact for fact in facts_in(text) if fact.kind is FactKind.NUMBER)


_OPEN = _PHRASES["marks_open"]


def _open_in_another_row(text: str, case: Case) -> Iterator[str]:
    """A day that a list marks as open of one row, told of another one; figures tell which of two of one name is meant."""
    day, zone = case.evidence.day, case.evidence.sources.zone

    def days_in(words: str) -> set[str]:
        return {key for fact in facts_in(words, day, zone) if fact.kind is FactKind.DATE for key in fact.keys}

    for table in case.evidence.sources.tables():
        lists = [[word for name, words in row.lists.items() if _OPEN.search(name) for word in words] for row in table]
        open_days = [days_in("\n".join(words)) for words in lists]
        for line in _STATEMENT.findall(text) if any(open_days) else ():
            days, figures = days_in(line), {fact.keys[0] for fact in _numbers_in(line)}
            named = [
                (row, own)
                for row, own in zip(table, open_days, strict=True)
                if (label := label_of(row)) and fold(label) in fold(line)
            ]
            named = [(row, own) for row, own in named if figures & set(map(str, row.cells.values()))] or named
            of_another = days & set().union(*open_days)
            if named and of_another and not any(own & of_another for _, own in named):
                yield f"{excerpt(line, 80)!r} does not agree with what was read: that day is open of another row"
                return


_STATEMENT = re.compile(r"(?:[^。.\n]|\.(?! )){1,400}")


def open_rows(table: Table) -> dict[str, bool]:
    """Of each label of the rows whether one of its rows is marked as open; empty where no row is, or has no mark."""
    found: dict[str, bool] = {}
    for row in table:
        marks = [bool(cell) and cell != "0" for name, cell in row.cells.items() if _OPEN.search(name)]
        marks += [bool(members) for name, members in row.lists.items() if _OPEN.search(name)]
        if label := label_of(row):
            found[label] = found.get(label, False) or any(marks)
    return found if any(found.values()) else {}


def _of_another_call(found: Attribution, case: Case) -> Iterator[str]:
    """Facts that only a read about another day or place than declared brought, and whose subject the sentence does not name."""
    states = [case.evidence.need(need) for need in case.evidence.read_needs()]
    about = {record.call_id for state in states for record in state.reads}
    reads = {record.call_id: record for record in case.evidence.reads}
    tools = {record.tool for call, record in reads.items() if call in about}
    asked_words = {value for call in about for value in _words(reads[call])}
    strange = {call for call, record in reads.items() if call not in about and record.tool in tools}
    for sentence in found.sentences if strange and about else ():
        for support in sentence.facts:
            calls = {source.call_id for source in support.sources}
            if calls and calls <= strange and support.fact.kind in _TOLD_OF_IT:
                record = reads[min(calls)]
                named = [value for value in _words(record) if value not in asked_words]
                if not any(fold(value) in fold(sentence.text) for value in named):
                    asked_for = ", ".join(named[:2])
                    yield f"『{support.fact.text}』 stands in what {record.tool} brought for {asked_for}, another subject"
                    return


def of_another_read(text: str, case: Case) -> Iterator[tuple[str, str]]:
    """A figure told of one day, month or place, that only a read of the same for another one brought or adds up to."""
    groups = [*_parallel_reads(case)]
    facts = facts_in(text, case.evidence.day, case.evidence.sources.zone) if groups else ()
    named = [fact for fact in facts if fact.kind in _SUBJECTS]
    measures = [fact for fact in facts if fact.kind is FactKind.NUMBER and is_measure(fact.unit)]
    for reads in groups:
        told_of = [(fact.start, at) for fact in named for at, keys in enumerate(reads.keys) if keys & _months(fact)]
        for fact in measures if told_of else ():
            begin = max(text.rfind(mark, 0, fact.start) for mark in _ENDS_OF_CLAUSES)
            near = {at for start, at in told_of if _AT.fullmatch(text[fact.end : start])}  # 20 hours (1,200 minutes) in October
            near = near or {at for start, at in told_of if begin < start < fact.start} or {at for _, at in told_of}
            brought = [at for at, figures in enumerate(reads.figures) if _brings(fact, figures)]
            compared = _COMPARED.match(text, fact.end) or _AGAINST.search(text[begin + 1 : fact.start])
            if len(near) == 1 and brought and not near & set(brought) and not compared:
                asked = reads.asked[brought[0]]
                yield fact.text, f"『{fact.text}』 stands in what {reads.tool} brought for {asked}, another subject"
                return


def _brings(fact: Fact, figures: Mapping[Decimal, Set[str]]) -> bool:
    """Whether a figure is among others, in its unit or in none, or as minutes where it is told in hours."""
    value = Decimal(fact.keys[0])
    return bool({fact.unit, ""} & figures.get(value, set())) or (fact.unit == "時間" and "分" in figures.get(60 * value, ()))


_AT = re.compile(r"(?: ?[(（][^()（）\n]{0,30})?[)）]? (?:in|for|on) ")
_ENDS_OF_CLAUSES = ("、", "。", "\n", ", ", "; ", ". ")


_COMPARED = _PHRASES["compared_behind"]
_AGAINST = _PHRASES["compared_in_front"]


class _ParallelReads(NamedTuple):
    """Reads by one tool that ask for the same of different days, months or places."""

    tool: str
    asked: list[str]
    """What each was asked about."""
    keys: list[set[str]]
    """Its normal forms."""
    figures: list[dict[Decimal, set[str]]]
    """What each brought, with the totals of its columns."""


def _parallel_reads(case: Case) -> Iterator[_ParallelReads]:
    groups: dict[str, list[tuple[str, set[str], CallRecord]]] = {}
    for record in case.evidence.reads:
        for name, value in record.arguments.items():
            if isinstance(value, str) and len(value) <= LONGEST_SUBJECT and (keys := _keys_of_subject(value, case)):
                others = sorted((other, str(given)) for other, given in record.arguments.items() if other != name)
                groups.setdefault(f"{record.tool} {name} {others}", []).append((value, keys, record))
    for found in groups.values():
        if len({value for value, _, _ in found}) == len(found) > 1:
            figures = [_figures_of(case.evidence.content(record)) for _, _, record in found]
            yield _ParallelReads(found[0][2].tool, [value for value, _, _ in found], [keys for _, keys, _ in found], figures)


LONGEST_SUBJECT = 20
"""Characters of an argument that is a day, a month or a place."""


def _keys_of_subject(value: str, case: Case) -> set[str]:
    """The normal forms of the day, month or place that an argument is."""
    facts = facts_in(value, case.evidence.day, case.evidence.sources.zone)
    return {key for fact in facts if fact.kind in _SUBJECTS for key in _months(fact)}


_SUBJECTS = (FactKind.DATE, FactKind.PLACE)


def _months(fact: Fact) -> set[str]:
    """The keys of a fact, of a month also without its year: 2026-09, 9月."""
    return {*fact.keys, *(f"--{key[5:]}" for key in fact.keys if _MONTH.fullmatch(key))}


_MONTH = re.compile(r"\d{4}-\d\d")


def _figures_of(content: ResultContent) -> dict[Decimal, set[str]]:
    """The figures that a result states, and the totals of its columns, each with its units; an empty one may be any."""
    columns: dict[str, list[Decimal]] = {}
    found: dict[Decimal, set[str]] = {}
    for leaf in content.leaves:
        if isinstance(leaf.value, str):
            for fact in _numbers_in(leaf.value[:LONGEST_UNIT]):
                found.setdefault(Decimal(fact.keys[0]), set()).add(fact.unit)
        elif not isinstance(leaf.value, bool):
            columns.setdefault(leaf.key, []).append(Decimal(str(leaf.value)))
    for key, values in columns.items():
        for value in (*values, sum(values, Decimal())):
            found.setdefault(value, set()).update({unit for unit in units_of_key(key) if is_measure(unit)} or {""})
    return found


def _words(record: CallRecord) -> list[str]:
    return [leaf.value for leaf in leaves(record.arguments) if isinstance(leaf.value, str)]


def _nothing_of_something(found: Attribution, text: str, case: Case) -> Iterator[str]:
    """A text that only says that there was nothing, where a search brought lines with the very words that were sought."""
    if not _PHRASES["says_nothing_was_found"].search(text) or any(one.units and not one.neutral for one in found.sentences):
        return
    for record in case.evidence.reads if case.declares_needs else ():
        sought = [
            value for name, value in record.arguments.items() if name in _SOUGHT and isinstance(value, str) and len(value) > 1
        ]
        held = [
            unit
            for unit in case.evidence.units
            if unit.call_id == record.call_id and any(fold(one) in fold(unit.text) for one in sought)
        ]
        if held:
            yield f"you say that there was nothing, and {record.tool} found {excerpt(held[0].text, 120)!r}"
            return


_SOUGHT = ("query", "q", "keyword", "keywords", "search", "text", "words")
_CHANNELS, _MESSAGES = _PHRASES["counts_channels"], _PHRASES["counts_messages"]


def more_than_was_read(text: str, case: Case) -> Iterator[str]:
    """A number of channels or messages that were read, greater than what was."""
    reads = [record for record in case.evidence.reads if record.needs]
    for pattern, most in ((_CHANNELS, _channels(case)), (_MESSAGES, len(case.evidence.sources.records()))):
        for match in pattern.finditer(normalize(text)) if reads else ():
            count_word = next((value for value in match.groups() if value), "")
            count = int(count_word) if count_word.isdecimal() else COUNT_WORDS.get(count_word.lower(), 0)
            if most and count > most:
                yield f"you say {match.group()!r}, and {most} were read"
                return


def _channels(case: Case) -> int:
    """How many places the reads visited; 0 where they name none."""
    visited = {
        str(value)
        for record in case.evidence.reads
        for name, value in record.arguments.items()
        if name in ("channel", "channel_id")
    }
    listed = [len(value) for record in case.evidence.reads for value in _listed_channels(data_of(record))]
    return max([len(visited), *listed], default=0)


def _listed_channels(found: Any) -> Iterator[list[Any]]:
    if isinstance(found, dict) and isinstance(found.get("channels"), list):
        yield found["channels"]
