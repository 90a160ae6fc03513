"""Checks a free goal's answer: that it is about what was asked, is whole, and is no apology."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from autonomy.completion.rules.case import Case
from autonomy.provenance.anchors import Anchor, anchors_of
from autonomy.provenance.coverage import coverage_of, filled_pages, totals_not_listed
from autonomy.provenance.records.told_rows import denies
from autonomy.provenance.sources.evidence_units import attribute_kind
from autonomy.provenance.sources.leaves import ResultContent, leaves
from autonomy.provenance.sources.run_sources import Sources
from autonomy.provenance.sources.stated_facts import widened_days
from autonomy.provenance.support import SentenceSupport
from autonomy.provenance.text.dates import is_iso_day, local_moment
from autonomy.provenance.text.durations import is_month, is_weekday
from autonomy.provenance.text.facts import COUNT_WORDS, EXACT, FactKind, facts_in
from autonomy.provenance.text.normalize import fold
from autonomy.provenance.text.sentences import Sentence, sentences_in
from autonomy.provenance.text.word_data import load_words
from autonomy.run_state.run_values import HOST, CallRecord
from metrics.text.phrases import patterns_of

_PHRASES = patterns_of("autonomy.completion")
_UNABLE = _PHRASES["unable"]
_ADMITTED = _PHRASES["admits_failure"]
_LOST = _PHRASES["tells_of_a_failed_read"]
_NO_LOOK = _PHRASES["could_not_look"]
_ANNOUNCED = _PHRASES["announces_work"]
_ALL = _PHRASES["asks_for_all"]
_TITLE_BEHIND = _PHRASES["ends_as_a_person"]

LONGEST_APOLOGY = 400


def inability(case: Case) -> str:
    """Whether the answer mostly says that it could not be done; the ending it makes: `unanswered`, `unfinished`, or none."""
    sentences = [sentence for sentence in sentences_in(case.answer) if not sentence.heading]
    if not sentences or len(case.answer) > LONGEST_APOLOGY:
        return ""
    if (
        _ANNOUNCED.search(sentences[-1].text)
        and not _PHRASES["offers_more"].search(sentences[-1].text)
        and not any(support.units for support in case.attribution(case.answer).sentences[:-1] if _holds_figures(support))
    ):
        return "unfinished"
    words = [_UNABLE]
    if not (case.evidence.reads or case.evidence.writes):
        words.append(_NO_LOOK)
        sentences = [one for one in sentences if not _PHRASES["advises"].search(one.text)] or sentences
    unable = [sentence for sentence in sentences if any(one.search(sentence.text) for one in words)]
    unable = [sentence for sentence in unable if not _goes_on_to_tell(sentence, case)]
    if unable and 2 * len(unable) >= len(sentences):
        return "" if _tells_the_rest(case, of_half=2 * len(unable) == len(sentences)) else "unanswered"
    if _only_gives_up(case) and _brought_something(case):
        return "unanswered"
    admitted = [sentence for sentence in sentences if _ADMITTED.search(sentence.text)]
    return "unfinished" if len(admitted) > 1 and 2 * len(admitted) >= len(sentences) and not _tells_the_rest(case) else ""


def declines_the_deed(case: Case) -> bool:
    """Whether the answer to a goal that asks for a deed begins with saying that it cannot be done, and no write was tried; what
    was found on the way may follow."""
    if any(record.is_write and record.provider != HOST for record in case.ctx.records):
        return False  # a tool that failed may work the next time, and the policy allow other arguments
    first = next((sentence.text for sentence in sentences_in(case.answer) if not sentence.heading), "")
    return bool(_UNABLE.search(first) or _PHRASES["says_it_cannot"].search(first))


def _goes_on_to_tell(sentence: Sentence, case: Case) -> bool:
    """Whether a sentence that says what is not known goes on, behind a `but`, to what was read: 分かりませんが、…とあります."""
    turns = _PHRASES["turns_to_what_is_known"].search(sentence.text)
    support = next((one for one in case.attribution(case.answer).sentences if one.start == sentence.start), None)
    if turns is None or support is None:
        return False
    behind = (one for one in support.facts if one.fact.start - support.start >= turns.end())
    return any(bool(one.sources) and not case.was_said(one.fact) for one in behind if one.fact.kind in (*EXACT, FactKind.QUOTE))


def _only_gives_up(case: Case) -> bool:
    """Whether the answer says that there is none, and nothing else; a failure that a line read tells of is an answer."""
    told = [support for support in case.attribution(case.answer).sentences if not _PHRASES["pleads"].search(support.text)]
    return bool(told) and all(
        _PHRASES["gives_up"].search(support.text) and not any(_LOST.search(unit.text) for unit in support.units)
        for support in told
    )


def _brought_something(case: Case) -> bool:
    """Whether what was read holds something: that nothing could be found in it may then be no answer."""
    return any(len(table) > 0 for table in case.evidence.sources.tables()) or bool(case.evidence.units)


def _tells_the_rest(case: Case, *, of_half: bool = False) -> bool:
    """Whether one half was read and is told beside the other, which could not be: who asks has an answer to that half.

    `of_half`: no more than half of the answer says what could not be, so that several facts of the rest answer it."""
    failed = any(record.effect == "read" and not record.ok for record in case.ctx.records)
    fewest = 1 if failed else 2 if of_half else len(case.answer)
    return any(
        not _UNABLE.search(sentence.text)
        and not _ADMITTED.search(sentence.text)
        and sum(bool(found.sources) and not case.was_said(found.fact) for found in sentence.facts if found.fact.kind in EXACT)
        >= fewest
        for sentence in case.attribution(case.answer).sentences
    )


def _holds_figures(support: SentenceSupport) -> bool:
    return any(found.fact.kind in (FactKind.NUMBER, FactKind.ID, FactKind.QUOTE) for found in support.facts)


def anchored(case: Case) -> Iterator[tuple[str, str]]:
    """Places and persons that the question names were looked up, by argument or by result."""
    if (reads := _reads_of_a_question(case)) and not any(map(is_located, reads)):
        yield from _not_looked_up(reads, case, _is_somebody_or_somewhere)


def named_things(case: Case) -> Iterator[tuple[str, str]]:
    """Other names in the question, of products and programs, were looked up."""
    if (reads := _reads_of_a_question(case)) and not any(map(is_located, reads)):
        yield from _not_looked_up(reads, case, lambda anchor: anchor.kind == "name" and not _is_somebody_or_somewhere(anchor))


def anchored_days(case: Case) -> Iterator[tuple[str, str]]:
    """Days that the question names are days of what was read."""
    reads, goal = _reads_of_a_question(case), case.goal
    named = anchors_of(goal, case.evidence.day, case.evidence.sources.zone) if reads else ()
    dated = [anchor for anchor in named if anchor.kind == "date"]
    days = _days_read(reads, case) if dated else set[str]()
    if days and days <= _days_of_keeping(reads, case):
        return  # when a document was written is no day that it is about
    for anchor in dated if days else ():
        if not _day_is_read(anchor, days):
            by_name = _WEEKDAY.search(anchor.text) and case.looked_up.contains(anchor.text) and not _has_hours(anchor, case)
            if not by_name and not _is_told_of(anchor, case) and not _is_a_deadline(anchor, case):
                shown = ", ".join(sorted(days)[:3])
                yield anchor.text, f"the question is about {anchor.text}, and what was read is about {shown}"


def _is_told_of(anchor: Anchor, case: Case) -> bool:
    """Whether a line that the answer rests on speaks of a day, counted from the one on which it was written: tomorrow's plans are
    told today."""
    day, zone = case.evidence.day, case.evidence.sources.zone
    asked = {key for fact in facts_in(anchor.text, day, zone) if fact.relative for key in fact.keys}
    sentences = case.attribution(case.answer).sentences if asked else ()
    lines = {unit.text for one in sentences for unit in one.units if day.isoformat() in unit.days}
    return any(not asked.isdisjoint(fact.keys) for line in lines for fact in facts_in(line[:LONGEST_LINE], day, zone))


def _is_a_deadline(anchor: Anchor, case: Case) -> bool:
    """Whether a day to come only ends the span that is asked about: what is to be done until then was told before."""
    goal, today = case.goal, case.evidence.day.isoformat()
    bounds = _PHRASES["bounds_before"].search(goal[: anchor.start]) or _PHRASES["bounds_behind"].search(goal[anchor.end :])
    days = {key for fact in case.asked if fact.start == anchor.start for key in fact.keys if is_iso_day(key)}
    return bool(bounds and days) and min(days) > today


LONGEST_LINE = 500
"""Characters of a line that are read for days."""


def _reads_of_a_question(case: Case) -> list[CallRecord]:
    """The reads that a free goal's answer rests on; none where it says that it rests on no read."""
    if case.declares_needs or case.is_own_knowledge:
        return []
    return case.informative_reads


def _is_somebody_or_somewhere(anchor: Anchor) -> bool:
    known = {fact.kind for fact in facts_in(f"in {anchor.text}")}
    return (
        anchor.kind == "place"
        or (anchor.kind == "name" and anchor.text[:1] == "#")
        or FactKind.PLACE in known
        or (anchor.kind == "name" and bool(_TITLE_BEHIND.search(anchor.text)))
    )


def _not_looked_up(reads: Sequence[CallRecord], case: Case, fits: Callable[[Anchor], bool]) -> Iterator[tuple[str, str]]:
    """Names of the question of which nothing stands in any call or result."""
    anchors = [
        anchor
        for anchor in anchors_of(case.goal, case.evidence.day, case.evidence.sources.zone)
        if anchor.kind in ("place", "name") and fits(anchor) and not is_weekday(anchor.text) and not is_month(anchor.text)
    ]
    if not anchors:
        return
    seen = case.looked_up
    for anchor in anchors:
        elsewhere = _is_a_service(anchor.text, reads) or _is_reached_by_mail(anchor.text, case.goal, seen)
        by_name = anchor.kind == "name" and (
            _is_spelt_out(anchor.text, reads)
            or _is_named_by_calls(anchor.text, case)
            or _in_another_script(anchor.text, case)
            or (len(anchors) == 1 and _may_be_the_only_author(anchor.text, case))
        )
        elsewhere = elsewhere or _is_a_clock(anchor.text, case)
        told = _is_told_as_lost(anchor.text, case) or _is_told_as_absent(anchor.text, reads, case)
        if not elsewhere and not by_name and not told and not _is_seen(anchor, seen, case):
            yield anchor.text, f"the question names {anchor.text}, and nothing that was read is about it"


def _is_a_clock(name: str, case: Case) -> bool:
    """Whether the goal names a place only for the time that its clocks show then, where moments with their offset were read or
    written: which time that is follows from them."""
    if not any(name in match.group() for match in _PHRASES["asks_for_a_clock"].finditer(case.goal)):
        return False
    parts = (part for record in case.ctx.records for part in (record.arguments, record.result.structured) if record.ok)
    return any(
        local_moment(leaf.value, case.evidence.sources.zone)
        for part in parts
        for leaf in leaves(part)
        if isinstance(leaf.value, str)
    )


def _is_told_as_lost(name: str, case: Case) -> bool:
    """Whether a call about it failed, and the answer says so; that of a write which was asked for is another finding."""
    lost = [record for record in case.ctx.records if not record.ok]
    bare = _TITLE_BEHIND.sub("", name)
    tried = any(_is_a_service(name, [record]) or _names_in_arguments(bare, record) for record in lost)
    if any(record.effect != "read" and _names_in_arguments(bare, record) for record in lost):
        return True
    return tried and any(
        bare in sentence.text
        and (_ADMITTED.search(sentence.text) or _UNABLE.search(sentence.text) or _LOST.search(sentence.text))
        for sentence in sentences_in(case.answer)
    )


def _is_told_as_absent(name: str, reads: Sequence[CallRecord], case: Case) -> bool:
    """Whether the question asks what a record that it names by its id holds of it, the record was read by that id, and the answer
    says that it holds nothing."""
    ids = [fact.text for fact in case.asked if fact.kind is FactKind.ID]
    read = any(_names_in_arguments(one, record) for one in ids for record in reads)
    return read and any(name in sentence.text and denies(sentence.text) for sentence in sentences_in(case.answer))


def _names_in_arguments(name: str, record: CallRecord) -> bool:
    return any(fold(name) in fold(str(leaf.value)) for leaf in leaves(record.arguments))


def is_located(record: CallRecord) -> bool:
    """Whether a call asked by coordinates or by the code of an airport, in which no name stands."""
    names = record.arguments.keys()
    if names >= {"latitude", "longitude"} or names >= {"lat", "lon"}:
        return True
    return any(_AIRPORT.fullmatch(str(value)) and _ENDS_OF_A_WAY.search(name) for name, value in record.arguments.items())


_AIRPORT = re.compile(r"[A-Z]{3}")
"""An airport or a city by its code (IATA)."""
_ENDS_OF_A_WAY = re.compile(r"origin|destination|depart|arriv|airport|from|to\b", re.IGNORECASE)


def _is_a_service(name: str, reads: Sequence[CallRecord]) -> bool:
    """Whether the question names the service that was asked, as its tool does: Drive for `gdrive_search`."""
    word = fold(name)
    return len(word) > 3 and any(
        re.search(rf"(?:^|[_.\-]|\bg){re.escape(word)}(?:$|[_.\-])", record.tool.lower()) for record in reads
    )


def _is_spelt_out(name: str, reads: Sequence[CallRecord]) -> bool:
    """Whether a name of several words stands in an argument with others between them: Haneda Terminal for Haneda Airport
    Terminal 2."""
    words = [re.escape(fold(word)) for word in name.split()]
    spelt = re.compile(r"\b" + r"\b(?: [\w.-]{1,30}){0,2} \b".join(words) + r"\b")
    return len(words) > 1 and any(
        spelt.search(fold(str(leaf.value))[:200]) for record in reads for leaf in leaves(record.arguments)
    )


def _is_reached_by_mail(name: str, goal: str, seen: Sources) -> bool:
    """Whether the request gives the person's address right behind the name, and a call took it: 林さん(hayashi@example.co.jp)."""
    behind = goal[goal.find(name) + len(name) :][:MOST_TO_AN_ADDRESS]
    found = _BRACKETED_MAIL.match(behind)
    return found is not None and seen.contains(found[1])


MOST_TO_AN_ADDRESS = 120
_BRACKETED_MAIL = re.compile(r"\s?[(（<＜]\s?([\w.+%-]{1,64}@[\w.-]{1,60})")


def _in_another_script(name: str, case: Case) -> bool:
    """Whether a Japanese name is looked for in results that are in Latin letters alone: 美咲 is misaki@acme.test there."""
    read = (leaf for record in case.informative_reads for leaf in case.evidence.content(record).leaves)
    return not name.isascii() and all(str(leaf.value).isascii() for leaf in read)


def _may_be_the_only_author(name: str, case: Case) -> bool:
    """Whether all messages that were read are of one person, none of whose names is in the script of this: りょー may be 涼."""
    authors = {unit.persons for unit in case.evidence.units if unit.persons}
    names = case.evidence.sources.identities.names_of_all(authors.pop()) if len(authors) == 1 else frozenset[str]()
    called = {_script_of(one) for one in names if not any(map(str.isdigit, one))}
    return bool(called) and _script_of(_TITLE_BEHIND.sub("", name)) not in called


def _script_of(name: str) -> str:
    return "latin" if name.isascii() else "kana" if _KANA.fullmatch(name) else "kanji"


_KANA = re.compile("[\u3041-\u30ff]+")


def _has_hours(anchor: Anchor, case: Case) -> bool:
    """Whether the answer gives figures for a day of the week; that it is a day of rest needs none."""
    figures = (FactKind.NUMBER, FactKind.TIME)
    found = (sentence for sentence in case.attribution(case.answer).sentences if anchor.text in sentence.text)
    return any(support.fact.kind in figures for sentence in found for support in sentence.facts)


_WEEKDAY = re.compile(r"[月火水木金土日]曜|(?:mon|tues|wednes|thurs|fri|satur|sun)day", re.IGNORECASE)


def _is_seen(anchor: Anchor, seen: Sources, case: Case) -> bool:
    if anchor.kind == "name" and not (anchor.text[:1].isupper() and anchor.text.isascii() and len(anchor.text.split()) == 1):
        bare = _TITLE_BEHIND.sub("", anchor.text)
        called = case.evidence.sources  # a list of people tells whose id an argument is
        names = {
            name
            for one in (bare, bare.lstrip("#@"), *anchor.keys)
            for name in (*seen.identities.names_of(one), *called.identities.named_in_part(one), one)
        }
        return any(seen.contains(name) or _ends(name, seen) for name in names)
    places = load_words("places")["english"]
    local = [places[key] for key in (anchor.text.lower(), *anchor.keys) if key in places]
    names = {name for key in (anchor.text, *anchor.keys, *local) for name in seen.identities.names_of(key)}
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


def _was_needed(anchor: Anchor, case: Case) -> bool:
    """Whether the answer speaks of a capitalised name as of a fact: it stands beside a figure."""
    return any(
        anchor.text in sentence.text and any(found.fact.kind is FactKind.NUMBER for found in sentence.facts)
        for sentence in case.attribution(case.answer).sentences
    )


def _days_read(reads: Sequence[CallRecord], case: Case) -> set[str]:
    """The days that reads asked for, and those of what came back."""
    days: set[str] = set()
    for record in reads:
        for leaf in leaves(record.arguments):
            if isinstance(leaf.value, str):
                dated = facts_in(leaf.value, case.evidence.day, case.evidence.sources.zone)
                days |= {key for fact in dated if fact.kind is FactKind.DATE for key in fact.keys}
        days |= _listed_days(case.evidence.content(record))
    for record in case.evidence.writes:  # the row of yesterday's taxi that was added
        facts = (fact for leaf in leaves(record.arguments) for fact in facts_in(str(leaf.value)[:200], case.evidence.day))
        days |= {key for fact in facts if fact.kind is FactKind.DATE for key in fact.keys}
    days |= {day for unit in case.evidence.units for day in unit.days}
    contents = [case.evidence.content(record) for record in reads] if days else []
    return days.union(*map(_days_of_rows, contents), *(_days_in_titles(content, case) for content in contents))


def _days_of_keeping(reads: Sequence[CallRecord], case: Case) -> set[str]:
    """The days on which records were made or changed."""
    zone = case.evidence.sources.zone
    stamps = [str(leaf.value) for one in reads for leaf in case.evidence.content(one).under(_KEEPING.__contains__)]
    local = {at.date().isoformat() for stamp in stamps if (at := local_moment(stamp, zone))}
    return local | {stamp[:10] for stamp in stamps if is_iso_day(stamp[:10])}


_KEEPING = frozenset(
    {
        "created",
        "created_at",
        "created_time",
        "last_edited_time",
        "last_modified",
        "modified",
        "modified_at",
        "updated",
        "updated_at",
    }
)


def _listed_days(content: ResultContent) -> set[str]:
    """The days of a list of days, as forecasts give them beside the lists of their figures."""
    return {
        leaf.value[:10]
        for leaf in content.leaves
        if isinstance(leaf.value, str) and leaf.path.endswith("]") and is_iso_day(leaf.value[:10])
    }


def _days_in_titles(content: ResultContent, case: Case) -> set[str]:
    """The days that are part of what records are called: the minutes of the meeting of 11 November."""
    titles = (str(leaf.value)[:LONGEST_LINE] for leaf in content.titles)
    dated = (fact for title in titles for fact in facts_in(title, case.evidence.day, case.evidence.sources.zone))
    return {key for fact in dated if fact.kind is FactKind.DATE and not fact.relative for key in fact.keys}


def _days_of_rows(content: ResultContent) -> set[str]:
    """The days that fill a field of a row, which may have several: created, updated."""
    in_rows = (leaf.value for leaf in content.leaves if "[" in leaf.path)
    return {value for value in in_rows if isinstance(value, str) and is_iso_day(value)}


def _day_is_read(anchor: Anchor, days: set[str]) -> bool:
    wide = set(widened_days(days))
    return bool(wide & set(anchor.keys)) or any(re.fullmatch(r"\d{4}(?:-\d{2}|-W\d{2})?", key) for key in anchor.keys)


def whole(case: Case) -> Iterator[tuple[str, str]]:
    """If the question asks for all of something, every page was read and every day of the returned list is in the answer."""
    yield from _of_a_part(case)
    if not _ALL.search(case.goal) or case.declares_needs:
        return
    answer_days = {
        key
        for fact in facts_in(case.answer, case.evidence.day, case.evidence.sources.zone)
        if fact.kind is FactKind.DATE
        for key in fact.keys
    }
    numbers = {fact.keys[0] for fact in facts_in(case.answer) if fact.kind is FactKind.NUMBER and fact.unit == "日"}
    for record in case.evidence.reads:
        for rows in _lists(case.evidence.content(record).result):
            days = [
                str(row.get("date", ""))[:10]
                for row in rows
                if isinstance(row, dict) and re.match(r"\d{4}-\d{2}-\d{2}", str(row.get("date", "")))
            ]
            missing = [day for day in days if not set(widened_days([day])) & answer_days and day[-2:].lstrip("0") not in numbers]
            if len(days) > 2 and len(missing) > 0:
                yield (
                    "all of it",
                    f"all was asked for, and {len(missing)} of {len(days)} days are not told, among them {missing[0]}",
                )
                return


def _of_a_part(case: Case) -> Iterator[tuple[str, str]]:
    """A part was read, and the question asks for all, or the answer speaks of all or gives their number."""
    if part := _part_read(case):
        yield "all of it", f"{part}, and your answer speaks of all: read on, or say which part it is about"


def _part_read(case: Case) -> str:
    """Pages, rows or lines that were left unread though all is asked or told; empty where the answer speaks of them."""
    goal, answer = case.goal, case.answer
    if case.declares_needs or _PHRASES["tells_of_a_part"].search(answer):
        return ""
    asked = _HOW_MANY.search(goal) or _ALL.search(goal)
    of_none = any(map(_PHRASES["tells_of_none"].search, answer.splitlines()))
    of_all = asked or _PHRASES["claims_the_whole"].search(answer) or of_none
    if not of_all and not _DIGIT.search(answer):
        return ""  # it speaks neither of all nor of their number
    for total, listed in totals_not_listed(case.views):
        told = of_all or re.search(rf"(?<![\d.,]){total}(?![\d.,]*\d)", answer)
        return f"{listed} of {total} were read" if told and not _says_how_many_of(listed, total, answer) else ""
    if of_all and case.unread:
        return f"{case.views[case.unread[0]].tool} has more that was not read"
    if not (asked or of_none) or _PHRASES["asks_for_the_present"].search(goal):
        return ""  # *all five* of the newest may be all that was asked for
    for at, listed in filled_pages(case.views):
        if str(listed) not in (fact.keys[0] for fact in case.asked):
            return f"{case.views[at].tool} was asked for at most {listed} and brought {listed}"
    return ""


def each_place(case: Case) -> Iterator[tuple[str, str]]:
    """Where the question asks for all, and names no place, what was read place by place was read of each that there is."""
    if case.declares_needs or not _ALL.search(case.goal) or _PHRASES["tells_of_a_part"].search(case.answer):
        return
    goal, asked = fold(case.goal), dict[tuple[str, str], set[str]]()
    wide = {record.call_id for record in case.evidence.reads}
    for record in case.evidence.reads:
        for leaf in leaves(record.arguments):
            if attribute_kind(leaf.key) == "place" and leaf.key.lower() not in _SORTS:
                asked.setdefault((record.tool, leaf.key), set()).add(str(leaf.value))
                wide.discard(record.call_id)
    if "#" in goal or not asked or any(unit.places for unit in case.evidence.units if unit.call_id in wide):
        return
    sentences = case.attribution(case.answer).sentences
    if any(_ALL.search(one.text) and any(_ALL.search(unit.text) for unit in one.units) for one in sentences):
        return  # a line says how many there are in all, and the answer retells it
    (tool, key), visited = max(asked.items(), key=lambda one: len(one[1]))
    names = {name for value in visited for name in case.evidence.sources.identities.names_of(value)}
    if any(len(name) > 1 and name in goal for name in names):
        return
    listing = next((one for one in coverage_of(case.views) if one.kind == key), None)
    if listing is None and not _are_lines_of_a_text(visited, tool, case):
        yield "all of it", f"{tool} was asked by {key}, and nothing that was read lists which there are"
    elif listing and (left := [dict(listing.names).get(one) or one for one in listing.missing]):
        yield "all of it", f"{tool} has not read {', '.join(left[:3])}, and all was asked for"


_SORTS = frozenset({"category"})
"""Keys by which one sort is asked for: who asks of helmets asks of no other sort."""


def _are_lines_of_a_text(visited: set[str], tool: str, case: Case) -> bool:
    """Whether another tool's text lists each of what was read, so that the run saw which there are."""
    texts = (str(case.evidence.content(record).result) for record in case.evidence.reads if record.tool != tool)
    return any(all(any(value in line for line in text.splitlines()) for value in visited) for text in texts)


def _says_how_many_of(listed: int, total: int, answer: str) -> bool:
    """Whether the answer says how many of how many were read: three of 118."""
    many = rf"(?:{listed}|{_SPELT.get(listed, listed)})"
    return bool(re.search(rf"\b{many}\b(?: \w+){{0,4}} of (?:\w+ )?{total}\b", answer))


_DIGIT = re.compile("[0-9]")
_HOW_MANY = _PHRASES["asks_how_many"]
_SPELT = {many: word for word, many in COUNT_WORDS.items()}


def of_nothing(case: Case) -> Iterator[tuple[str, str]]:
    """If every read came back empty, the answer says so."""
    if case.declares_needs or case.evidence.writes or case.ctx.beforehand or case.is_own_knowledge:
        return
    reads, content = case.evidence.reads, case.evidence.content
    if reads and all(_is_empty(content(one).result) for one in reads) and not _PHRASES["tells_of_nothing"].search(case.answer):
        yield "a source", f"{reads[-1].tool} found nothing, and your answer does not say so"


def _is_empty(data: Any) -> bool:
    """Whether a result is made of nothing but empty lists and what stands beside them."""
    if not isinstance(data, dict):
        return data in ([], "")
    lists = [value for value in data.values() if isinstance(value, list)]
    other_values = [value for name, value in data.items() if not isinstance(value, list) and value and "cursor" not in str(name)]
    return bool(lists) and not any(lists) and not any(isinstance(value, str | dict) for value in other_values)


def _is_named_by_calls(word: str, case: Case) -> bool:
    """Whether an argument or the name of a field has it: the README is what was opened, and `mrr_jpy` tells the MRR."""
    name = fold(word)
    if any(name in fold(str(leaf.value)) for record in case.ctx.records for leaf in leaves(record.arguments)):
        return True
    return any(name in fold(leaf.path) for record in case.evidence.reads for leaf in case.evidence.content(record).leaves)


def names_beside(case: Case) -> Iterator[tuple[str, str]]:
    """Every name in a list of names was read, if the others were."""
    sources = case.evidence.sources
    for listed in _LISTED.finditer(case.answer) if case.evidence.reads and not case.is_own_knowledge else ():
        names = [name for name in _BETWEEN.split(listed.group()) if not _PHRASES["names_nobody"].fullmatch(name.strip())]
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
