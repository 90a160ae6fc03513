"""Checks a free goal's answer: that it was looked up, agrees with what was read, and is no apology."""

import re
from collections.abc import Iterator
from typing import Any

from autonomy.completion.evidence import view_of
from autonomy.completion.rules.case import Judgement
from autonomy.completion.rules.content import instead, matters, traps
from autonomy.completion.rules.form import language_of
from autonomy.provenance.anchors import Anchor, anchors_of
from autonomy.provenance.attribution import Attribution, SentenceSupport, is_measure
from autonomy.provenance.contradictions import contradictions
from autonomy.provenance.coverage import unread_calls
from autonomy.provenance.quoted_lines import lines_of, quoted_from
from autonomy.provenance.sources.evidence_units import attribute_kind
from autonomy.provenance.sources.leaves import leaves
from autonomy.provenance.sources.run_sources import Sources, widened_days
from autonomy.provenance.sources.table_rows import (
    flags_conflict,
    not_the_earliest,
    not_the_latest,
    not_the_most,
    other_days,
    other_figures,
    persons_conflict,
    places_conflict,
    row_conflicts,
    times_conflict,
)
from autonomy.provenance.text.durations import is_weekday
from autonomy.provenance.text.facts import Fact, FactKind, facts_in
from autonomy.provenance.text.normalize import fold
from autonomy.provenance.text.sentences import sentences_in, terms
from autonomy.provenance.text.word_data import load_words
from autonomy.run_state.run_provenance import data_of, words_beside
from metrics.phrases import patterns_of
from metrics.quotations import paired

_PHRASES = patterns_of("autonomy.completion")
MARKS = _PHRASES["own_knowledge"]
"""How an answer says that it was not collected."""
_UNABLE = _PHRASES["unable"]
_ADMITTED = _PHRASES["admits_failure"]
_ANNOUNCED = _PHRASES["announces_work"]
_ALL = _PHRASES["asks_for_all"]

LONGEST_APOLOGY = 400


def inability(case: Judgement) -> str:
    """Whether the answer mostly says that it could not be done; the ending it makes: `unanswered`, `unfinished`, or none."""
    said = [sentence for sentence in sentences_in(case.answer) if not sentence.heading]
    if not said or len(case.answer) > LONGEST_APOLOGY:
        return ""
    if _ANNOUNCED.search(said[-1].text) and not any(
        support.units for support in case.attribution(case.answer).sentences[:-1] if _holds_figures(support)
    ):
        return "unfinished"
    unable = [sentence for sentence in said if _UNABLE.search(sentence.text)]
    if unable and 2 * len(unable) >= len(said):
        return "unanswered"
    admitted = [sentence for sentence in said if _ADMITTED.search(sentence.text)]
    return "unfinished" if len(admitted) > 1 and 2 * len(admitted) >= len(said) else ""


def _holds_figures(support: SentenceSupport) -> bool:
    return any(found.fact.kind in (FactKind.NUMBER, FactKind.ID, FactKind.QUOTE) for found in support.facts)


def own_knowledge(case: Judgement) -> Iterator[tuple[str, str]]:
    """Figures and facts without any working read behind them have to be marked as not collected."""
    reads = case.evidence.reads
    if reads or case.evidence.writes or MARKS.search(case.answer) or case.ctx.beforehand:
        return
    stated = [
        fact
        for fact in facts_in(case.answer, case.evidence.day)
        if fact.kind in (FactKind.NUMBER, FactKind.URL) and not _was_said(fact, case)
    ]
    if stated and case.ctx.offered:
        yield (
            "a read",
            f"you say 『{stated[0].text}』 and have looked nothing up: look it up, or say that it is from your own knowledge",
        )


_ASKS_FIGURE = _PHRASES["asks_for_figure"]


def tells_a_figure(case: Judgement) -> Iterator[tuple[str, str]]:
    """Who is asked for a number or a time and looks nothing up tells one that was said before, or that there is none."""
    evidence, request = case.evidence, case.ctx.request
    looked = evidence.reads or evidence.writes or case.ctx.beforehand or request.history or evidence.task.needs
    if looked or not case.ctx.offered or MARKS.search(case.answer) or not _ASKS_FIGURE.search(request.task.goal):
        return
    told = any(fact.kind in (FactKind.NUMBER, FactKind.DATE, FactKind.TIME) for fact in facts_in(case.answer, evidence.day))
    if not told and not _PHRASES["tells_of_nothing"].search(case.answer):
        yield "a figure", "you were asked for a number or a time, tell none, and have looked nothing up: do so, or say why not"


def _was_said(fact: Fact, case: Judgement) -> bool:
    return any((fact.kind, key) in case.said_before for key in fact.keys)


def anchored(case: Judgement) -> Iterator[tuple[str, str]]:
    """Places, days and persons that the question names were looked up, by argument or by what came back."""
    reads = [record for record in case.evidence.reads if _is_informative(record)]
    if not reads or case.evidence.task.needs or MARKS.search(case.answer):
        return
    seen = Sources(case.evidence.day, case.evidence.sources.zone)
    seen.add_settings({})
    for record in reads:
        seen.add_result(record.call_id, record.tool, data_of(record), arguments=record.arguments)
        seen.add_result(record.call_id + "?", record.tool, record.arguments)
    for record in case.evidence.writes:  # where something is to go is named by the write itself
        seen.add_result(record.call_id + "?", record.tool, record.arguments)
    yield from _other_prefecture(reads, case)
    days = _days_read(reads, case)
    for anchor in anchors_of(case.ctx.request.task.goal, case.evidence.day, case.evidence.sources.zone):
        if anchor.kind == "date":
            named = _WEEKDAY.search(anchor.text) and seen.contains(anchor.text) and not _has_hours(anchor, case)
            if days and not named and not _day_is_read(anchor, days):
                yield (
                    anchor.text,
                    f"the question is about {anchor.text}, and what was read is about {', '.join(sorted(days)[:3])}",
                )
        elif anchor.kind in ("place", "name") and not is_weekday(anchor.text) and not _is_seen(anchor, seen, case):
            yield anchor.text, f"the question names {anchor.text}, and nothing that was read is about it"


def _has_hours(anchor: Anchor, case: Judgement) -> bool:
    """Whether the answer gives figures for a day of the week; that it is a day of rest needs none."""
    figures = (FactKind.NUMBER, FactKind.TIME)
    found = (sentence for sentence in case.attribution(case.answer).sentences if anchor.text in sentence.text)
    return any(support.fact.kind in figures for sentence in found for support in sentence.facts)


_WEEKDAY = re.compile(r"[月火水木金土日]曜|(?:mon|tues|wednes|thurs|fri|satur|sun)day", re.IGNORECASE)


def _other_prefecture(reads: list[Any], case: Judgement) -> Iterator[tuple[str, str]]:
    """What came back says that it is about another prefecture than was asked for, and the answer does not say so."""
    for record in reads:
        asked, shown = _prefectures(record.arguments), _prefectures(data_of(record))
        if asked and shown and not asked & shown and not any(name in case.answer for name in shown):
            wanted, found = min(asked), min(shown)
            yield wanted, f"{record.tool} was asked about {wanted}, and what came back is about {found}"


def _prefectures(value: Any) -> set[str]:
    """The prefectures that stand under a key of a place; a town inside of one may well come back for another."""
    known = load_words("places")["prefectures"]
    places = [leaf.value for leaf in leaves(value) if isinstance(leaf.value, str) and attribute_kind(leaf.key) == "place"]
    return {name for name in known for place in places if place.removesuffix("県").removesuffix("府").removesuffix("都") == name}


def _is_informative(record: Any) -> bool:
    return bool(record.arguments) or isinstance(data_of(record), str)


def _is_seen(anchor: Anchor, seen: Sources, case: Judgement) -> bool:
    if anchor.kind == "name" and not (anchor.text[:1].isupper() and anchor.text.isascii() and len(anchor.text.split()) == 1):
        bare = re.sub(r"(?:さん|様|氏|くん|ちゃん)$", "", anchor.text)
        called = case.evidence.sources  # a list of people tells whose id an argument is
        names = {
            name
            for one in (bare, bare.lstrip("#@"), *anchor.keys)
            for name in (*seen.names_of(one), *called.named_in_part(one), one)
        }
        return any(seen.contains(name) or _ends(name, seen) for name in names)
    places = load_words("places")["english"]
    local = [places[key] for key in (anchor.text.lower(), *anchor.keys) if key in places]
    names = {name for key in (anchor.text, *anchor.keys, *local) for name in seen.names_of(key)}
    if any(seen.contains(name) or _ends(name, seen) for name in names):
        return True
    known = {fact.kind for fact in facts_in(f"in {anchor.text}")}
    return anchor.kind == "name" and FactKind.PLACE not in known and not _was_needed(anchor, case)


def _ends(name: str, seen: Sources) -> bool:
    bare = name.lstrip("#@")
    return any(
        other == bare or (len(bare) > 2 and other.endswith(bare))
        for unit in seen.units
        for other in (*unit.persons, *unit.places)
    )


def _was_needed(anchor: Anchor, case: Judgement) -> bool:
    """Whether the answer speaks of a capitalised name as of a fact: it stands beside a figure."""
    return any(
        anchor.text in sentence.text and any(found.fact.kind is FactKind.NUMBER for found in sentence.facts)
        for sentence in case.attribution(case.answer).sentences
    )


def _days_read(reads: list[Any], case: Judgement) -> set[str]:
    """The days that reads asked for, and those of what came back."""
    days: set[str] = set()
    for record in reads:
        for leaf in leaves(record.arguments):
            if isinstance(leaf.value, str):
                found = [
                    fact
                    for fact in facts_in(leaf.value, case.evidence.day, case.evidence.sources.zone)
                    if fact.kind is FactKind.DATE
                ]
                days |= {key for fact in found for key in fact.keys}
    return days | {day for unit in case.evidence.units for day in unit.days}


def _day_is_read(anchor: Anchor, days: set[str]) -> bool:
    wide = set(widened_days(days))
    return bool(wide & set(anchor.keys)) or any(re.fullmatch(r"\d{4}(?:-\d{2}|-W\d{2})?", key) for key in anchor.keys)


def consistent(case: Judgement) -> Iterator[tuple[str, str]]:
    """What the answer states has a source, does not turn it round, and takes figures of one thing from one place."""
    if not case.evidence.reads or case.evidence.task.needs or MARKS.search(case.answer):
        return
    found = case.attribution(case.answer)
    lines = {line for record in case.evidence.reads for line in lines_of(words_beside(record))}
    quoted = [quoted_from(sentence.text, case.evidence.sources, lines) for sentence in found.sentences]
    for sentence, begins in zip(found.sentences, quoted, strict=True):
        for support in sentence.facts:
            if begins is not None and support.fact.start >= sentence.start + begins:
                continue
            if support.supported and _wrong_row(support.fact, sentence, case):
                yield support.fact.text, f"『{support.fact.text}』 stands in what was read, and not of what this sentence names"
            if not support.supported and _counts(support.fact, sentence, case):
                shown = instead(support.fact, sentence, case)
                yield (
                    support.fact.text,
                    f"『{support.fact.text}』 has no source" + (f"; what was read says {shown}" if shown else ""),
                )
    # what repeats a line with its own label says of it what it says itself
    told = Attribution(tuple(sentence for sentence, begins in zip(found.sentences, quoted, strict=True) if begins is None))
    yield from _of_other_rows(told, case)
    yield from _taken_back(found, case)
    for contradiction in contradictions(told, case.evidence.sources, case.ctx.request.task.goal):
        yield contradiction.kind, f"{contradiction.said[:80]!r} does not agree with what was read: {contradiction.shown[:160]!r}"
    yield from (("an order", order) for order in traps(found, case))
    yield from _filler(found, case)


_QUOTED = paired('「『“"', most=400)


def _of_other_rows(found: Attribution, case: Judgement) -> Iterator[tuple[str, str]]:
    """What the answer says of one thing, and the tables that were read say of another."""
    rows = case.evidence.sources.rows()
    # a figure in a quotation is about what the quoted person speaks of
    own_words = _QUOTED.sub(lambda quoted: " " * len(quoted.group()), case.answer)
    for sentence in found.sentences:
        for value, own in row_conflicts(sentence.text, rows):
            yield value, f"『{value}』 stands in another row; the row that this sentence is about says {own}"
        for value, own in other_figures(sentence.text, rows):
            yield value, f"『{value}』 stands in another row; the row that this sentence is about says {own}"
        for _, first in not_the_earliest(sentence.text, rows):
            yield "the earliest", f"{sentence.text[:80]!r} is not the earliest or quickest; there is also {first}"
        for _, last in not_the_latest(sentence.text, case.ctx.request.task.goal, rows):
            yield "the latest", f"{sentence.text[:80]!r} is not the last in time; there is also {last}"
        written = {str(leaf.value)[:10] for record in case.evidence.writes for leaf in leaves(record.arguments)}
        days = [
            key
            for support in sentence.facts
            if support.fact.kind is FactKind.DATE
            for key in support.fact.keys
            if key not in written
        ]
        for day, own in other_days(sentence.text, days, rows):
            yield day, f"『{day}』 stands in another row; the row that this sentence is about says {own}"
        for value, name in places_conflict(sentence.text, rows):
            yield value, f"『{value}』 does not stand in what was read about {name}"
        names = [found.fact for found in sentence.facts if found.fact.kind is FactKind.NAME]
        persons = [
            frozenset(known for key in fact.keys for known in (key, *case.evidence.sources.names_of(key))) for fact in names
        ]
        of_a_person = all(fact.text[:1] != "#" for fact in names)  # a channel has messages of many days
        figures = [
            found.fact.keys[0]
            for found in sentence.facts
            if ((found.fact.kind is FactKind.DATE and of_a_person) or (found.fact.kind is FactKind.NUMBER and found.fact.unit))
            and found.fact.text in own_words[sentence.start : sentence.end]
        ]
        for value, other in persons_conflict(persons, figures, rows):
            yield value, f"『{value}』 stands in what was read about {other}"
        times = [found.fact.keys[-1] for found in sentence.facts if found.fact.kind is FactKind.TIME]
        for value, own in times_conflict(sentence.text, times, rows):
            yield value, f"『{value}』 stands in another row; the one that this sentence is about says {own}"
        for word, state in flags_conflict(sentence.text, rows):
            yield word, f"{sentence.text[:80]!r} does not agree with what was read: {state}"
        for value, most in not_the_most(sentence.text, rows):
            yield value, f"『{value}』 is not the outermost of its column, which is {most}"
        yield from _found_after_all(sentence, case)


_CORRECTS = _PHRASES["corrects"]


def _taken_back(found: Attribution, case: Judgement) -> Iterator[tuple[str, str]]:
    """Figures of a message that a later one of the same read takes back, where the answer does not give the new one."""
    told = {support.fact.keys[0] for support in found.facts if support.fact.kind is FactKind.NUMBER}
    corrections = [unit for unit in case.evidence.units if _CORRECTS.search(unit.text)]
    for support in found.facts if corrections else ():
        fact = support.fact
        if fact.kind is not FactKind.NUMBER or not fact.unit or not support.sources:
            continue
        places = {(source.call_id, source.path.rpartition(".")[0]) for source in support.sources}
        stating = [unit for unit in case.evidence.units if (unit.call_id, unit.path) in places]
        for unit in corrections:
            new = [other for other in facts_in(unit.text[:500]) if other.kind is FactKind.NUMBER and other.unit == fact.unit]
            same = any(one.call_id == unit.call_id and terms(one.text) & terms(unit.text) for one in stating)
            if new and same and (unit.call_id, unit.path) not in places and not any(other.keys[0] in told for other in new):
                yield fact.text, f"『{fact.text}』 was taken back: {unit.text[:120]!r}"
                return


_NOT_FOUND = _PHRASES["found_nothing_about"]


def _found_after_all(sentence: SentenceSupport, case: Judgement) -> Iterator[tuple[str, str]]:
    """What is said not to have been found, and stands in what was read."""
    match = _NOT_FOUND.search(sentence.text)
    asked = _SUBJECT_EN.sub("", match["en"] or "") or (match["ja"] or "") if match else ""
    wanted = terms(asked)
    if wanted:
        index = case.evidence.sources.index
        held = [index.units[at] for at in index.shortlist(wanted, 3) if index.containment(wanted, [at]) == 1]
        if held:
            yield "an absence", f"you say that it was not found, and what was read says {held[0].text[:120]!r}"


_SUBJECT_EN = _PHRASES["names_its_subject"]


def _counts(fact: Fact, sentence: SentenceSupport, case: Judgement) -> bool:
    if fact.kind in (FactKind.PLACE, FactKind.NAME):
        return fact.kind is FactKind.NAME and not _was_said(fact, case) and bool(sentence.units) and not _transcribed(fact, case)
    if fact.kind is FactKind.URL and any(
        fact.text in str(value) for record in case.evidence.reads for value in record.arguments.values()
    ):
        return False  # the page that was opened and answered
    if fact.kind in (FactKind.TIME, FactKind.DATE) and _was_written(fact, case):
        return False
    return matters(fact, sentence, case) and not _was_said(fact, case) and not _counts_lines(fact, case)


def _counts_lines(fact: Fact, case: Judgement) -> bool:
    """Whether a number of things is that of the lines which the answer itself lists."""
    return fact.kind is FactKind.NUMBER and not is_measure(fact.unit) and fact.keys[0] == str(len(_ITEMS.findall(case.answer)))


_ITEMS = re.compile(r"^\s*[-*•・] ", re.MULTILINE)


def _was_written(fact: Fact, case: Judgement) -> bool:
    """Whether a write was for this day or time, which the run had to reckon: the goal names none."""
    day, zone = case.evidence.day, case.evidence.sources.zone
    if any(other.kind is fact.kind for other in facts_in(case.ctx.request.task.goal, day, zone)):
        return False
    texts = (str(leaf.value)[:200] for record in case.evidence.writes for leaf in leaves(record.arguments))
    stated = (other for text in texts for other in facts_in(text, day, zone))
    return any(other.kind is fact.kind and set(other.keys) & set(fact.keys) for other in stated)


_KATAKANA = re.compile(r"[ァ-ヶー・]+")


def _transcribed(fact: Fact, case: Judgement) -> bool:
    """Whether a name is in kana because the sources are in another script, where it cannot be looked for."""
    units = " ".join(unit.text for unit in case.evidence.units[:100])
    return bool(_KATAKANA.fullmatch(re.sub(r"(?:さん|様|氏)$", "", fact.text))) and language_of(units) == "en"


def _filler(found: Any, case: Judgement) -> Iterator[tuple[str, str]]:
    """Whole answers of which nothing stands in what was read."""
    wanting = [sentence for sentence in found.sentences if not sentence.neutral]
    units = " ".join(unit.text for unit in case.evidence.units[:100])
    open_ones = [
        sentence
        for sentence in wanting
        if not sentence.units and not any(support.sources for support in sentence.facts if support.fact.kind is FactKind.NUMBER)
    ]
    if len(open_ones) > 2 and 2 * len(open_ones) > len(wanting) and language_of(units) == language_of(case.answer):
        yield (
            "sources",
            f"{len(open_ones)} of {len(wanting)} sentences have no source, among them {open_ones[0].text[:80]!r}",
        )


def _wrong_row(fact: Fact, sentence: SentenceSupport, case: Judgement) -> bool:
    """A measured figure beside a day or a place that no row of the results has together with it."""
    if fact.kind is not FactKind.NUMBER or not fact.unit or fact.text in case.ctx.request.task.goal:
        return False
    keyed = [found.fact for found in sentence.facts if found.fact.kind in (FactKind.DATE, FactKind.PLACE)]
    if len(keyed) != 1:
        return False
    return not _row_holds(fact, keyed[0], case) and _is_plain(fact, case)


def _is_plain(fact: Fact, case: Judgement) -> bool:
    """Whether the figure stands as it is in rows of the results, so that one of them should be the right one."""
    return any(
        _cell_is(leaf.value, fact)
        for record in case.evidence.reads
        for leaf in leaves(data_of(record))
        if isinstance(leaf.value, int | float)
    )


def _row_holds(fact: Fact, key: Fact, case: Judgement) -> bool:
    for record in case.evidence.reads:
        for row in _rows(data_of(record), " ".join(map(str, record.arguments.values()))):
            text, cells = row
            if any(_cell_is(cell, fact) for cell in cells) and _names(key, text, case):
                return True
    return False


def _rows(value: Any, above: str) -> Iterator[tuple[str, list[Any]]]:
    if isinstance(value, dict):
        own = " ".join(str(item) for item in value.values() if isinstance(item, str))
        cells = [item for item in value.values() if isinstance(item, int | float | str)]
        yield f"{above} {own}", cells
        for item in value.values():
            yield from _rows(item, f"{above} {own}"[-2000:])
    elif isinstance(value, list):
        for item in value:
            yield from _rows(item, above)


def _cell_is(cell: Any, fact: Fact) -> bool:
    if isinstance(cell, bool):
        return False
    if isinstance(cell, int | float):
        return f"{cell:g}" in fact.keys
    return any(
        other.kind is fact.kind and set(other.keys) & set(fact.keys) and (not other.unit or other.unit == fact.unit)
        for other in facts_in(str(cell)[:400])
    )


def _names(key: Fact, text: str, case: Judgement) -> bool:
    if key.kind is FactKind.PLACE:
        return any(name in fold(text) for name in key.keys)
    days = [
        day
        for fact in facts_in(text, case.evidence.day, case.evidence.sources.zone)
        if fact.kind is FactKind.DATE
        for day in fact.keys
    ]
    days += _MONTH.findall(text)
    return bool(set(widened_days(days)) & set(key.keys))


_MONTH = re.compile(r"(?<!\d)\d{4}-\d{2}(?![\d-])")


def whole(case: Judgement) -> Iterator[tuple[str, str]]:
    """Where all of something is asked for, every page was read and every day of the list that came back is told."""
    yield from _unread_pages(case)
    if not _ALL.search(case.ctx.request.task.goal) or case.evidence.task.needs:
        return
    told = {
        key
        for fact in facts_in(case.answer, case.evidence.day, case.evidence.sources.zone)
        if fact.kind is FactKind.DATE
        for key in fact.keys
    }
    numbers = {fact.keys[0] for fact in facts_in(case.answer) if fact.kind is FactKind.NUMBER and fact.unit == "日"}
    for record in case.evidence.reads:
        for rows in _lists(data_of(record)):
            days = [
                str(row.get("date", ""))[:10]
                for row in rows
                if isinstance(row, dict) and re.match(r"\d{4}-\d{2}-\d{2}", str(row.get("date", "")))
            ]
            missing = [day for day in days if not set(widened_days([day])) & told and day[-2:].lstrip("0") not in numbers]
            if len(days) > 2 and len(missing) > 0:
                yield (
                    "all of it",
                    f"all was asked for, and {len(missing)} of {len(days)} days are not told, among them {missing[0]}",
                )
                return


_IN_ALL = _PHRASES["counts_all"]
_HOW_MANY = _PHRASES["asks_how_many"]


def _unread_pages(case: Judgement) -> Iterator[tuple[str, str]]:
    """A count of all, made of the first pages."""
    counts = _IN_ALL.search(case.answer) or _HOW_MANY.search(case.ctx.request.task.goal)
    absent = _PHRASES["never_anywhere"].search(case.answer)
    if case.evidence.task.needs or not (counts or absent):
        return
    views = [view_of(record, case.ctx) for record in case.evidence.reads]
    for at in unread_calls(views):
        if not _PHRASES["counts_so_far"].search(case.answer):
            claim = "counts all" if counts else "says that it is nowhere"
            yield "all of it", f"{views[at].tool} has further pages that were not read, and your answer {claim}"
            return


_NUMBERED = re.compile(r"(?:^|[\s「])(\d{1,2})[.)] (?=\S)")
_RETELL = _PHRASES["asks_to_retell"]


def numbered(case: Judgement) -> Iterator[tuple[str, str]]:
    """What is translated or listed has no more items than was read."""
    items = [int(found) for found in _NUMBERED.findall(case.answer)]
    units = case.evidence.sources.records()
    if (
        _RETELL.search(case.ctx.request.task.goal)
        and items
        and units
        and items == list(range(1, len(items) + 1))
        and len(items) > len(units)
    ):
        yield "items", f"there are {len(items)} items in your answer, and {len(units)} in what was read"


def of_nothing(case: Judgement) -> Iterator[tuple[str, str]]:
    """Where every read came back empty, the answer says so."""
    if case.evidence.task.needs or case.evidence.writes or case.ctx.beforehand or MARKS.search(case.answer):
        return
    reads = case.evidence.reads
    if reads and all(_is_empty(data_of(record)) for record in reads) and not _PHRASES["tells_of_nothing"].search(case.answer):
        yield "a source", f"{reads[-1].tool} found nothing, and your answer does not say so"


def _is_empty(data: Any) -> bool:
    """Whether a result is made of nothing but empty lists and what stands beside them."""
    if not isinstance(data, dict):
        return data in ([], "")
    lists = [value for value in data.values() if isinstance(value, list)]
    told = [value for name, value in data.items() if not isinstance(value, list) and value and "cursor" not in str(name)]
    return bool(lists) and not any(lists) and not any(isinstance(value, str | dict) for value in told)


_ACRONYM = re.compile(r"\b[A-Z]{3,6}\b")
_COMMON = frozenset(
    [
        "API",
        "URL",
        "PDF",
        "JSON",
        "HTML",
        "HTTP",
        "HTTPS",
        "CSV",
        "SQL",
        "TIL",
        "JST",
        "UTC",
        "FAQ",
        "TODO",
        "MCP",
        "LLM",
        "SDK",
        "CLI",
        "GPU",
        "CPU",
        "RAM",
        "ASAP",
        "FYI",
        "ETA",
        "USD",
        "JPY",
        "EUR",
        "DONE",
        "NOTE",
    ]
)


def strangers(case: Judgement) -> Iterator[tuple[str, str]]:
    """Abbreviations of offices and bodies that nothing that was read speaks of."""
    if case.evidence.reads and not MARKS.search(case.answer):
        for found in dict.fromkeys(_ACRONYM.findall(case.answer)):
            if found not in _COMMON and not case.evidence.sources.contains(found) and not _was_asked_of_a_tool(found, case):
                yield found, f"『{found}』 stands in nothing that was read"


def _was_asked_of_a_tool(word: str, case: Judgement) -> bool:
    """Whether a call that answered named it: the README is what was opened, and does not speak of itself."""
    return any(word in str(leaf.value) for record in case.evidence.reads for leaf in leaves(record.arguments))


def names_beside(case: Judgement) -> Iterator[tuple[str, str]]:
    """A name in a list of names of which what was read has the others."""
    sources = case.evidence.sources
    for listed in _LISTED.finditer(case.answer) if case.evidence.reads and not MARKS.search(case.answer) else ():
        names = _BETWEEN.split(listed.group())
        strange = [name for name in names if not sources.contains(name)]
        if strange and len(names) - len(strange) > 1:
            yield strange[0], f"『{strange[0]}』 stands in nothing that was read"
            return


_LISTED = _PHRASES["listed_names"]
_BETWEEN = _PHRASES["between_names"]


def _lists(value: Any) -> Iterator[list[Any]]:
    if isinstance(value, list):
        yield value
        for item in value:
            yield from _lists(item)
    elif isinstance(value, dict):
        for item in value.values():
            yield from _lists(item)


__all__ = [
    "anchored",
    "consistent",
    "inability",
    "names_beside",
    "numbered",
    "of_nothing",
    "own_knowledge",
    "strangers",
    "tells_a_figure",
    "whole",
]
