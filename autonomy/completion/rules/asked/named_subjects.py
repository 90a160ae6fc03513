"""Checks that what a question names was looked up: places, persons, days, products."""

import re
from collections.abc import Callable, Iterator, Sequence

from autonomy.completion.rules.asked.clocks_asked import zoned_times
from autonomy.completion.rules.case import Case
from autonomy.completion.rules.inability import does_nothing_on_its_condition
from autonomy.provenance.anchors import Anchor, anchors_of
from autonomy.provenance.records.told_rows import denies
from autonomy.provenance.sources.leaves import ResultContent, leaves
from autonomy.provenance.sources.run_sources import Sources
from autonomy.provenance.sources.stated_facts import widened_days
from autonomy.provenance.text.dates import is_iso_day, local_moment
from autonomy.provenance.text.durations import is_month, is_weekday
from autonomy.provenance.text.facts import FactKind, facts_in
from autonomy.provenance.text.normalize import fold
from autonomy.provenance.text.sentences import sentences_in
from autonomy.provenance.text.word_data import load_words
from autonomy.run_state.run_values import CallRecord
from metrics.text.phrases import patterns_of

_PHRASES = patterns_of("autonomy.completion")
_UNABLE = _PHRASES["unable"]
_ADMITTED = _PHRASES["admits_failure"]
_LOST = _PHRASES["tells_of_a_failed_read"]
_TITLE_BEHIND = _PHRASES["ends_as_a_person"]


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
    seen, keeps_out = case.looked_up, does_nothing_on_its_condition(case)
    for anchor in anchors:
        if keeps_out and anchor.text[:1] == "#":
            continue  # where it was to go if something were so
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
    """Whether the goal names a place only for the time that its clocks show: with a time of day, which says all, or where moments
    with their offset were read or written, from which it follows."""
    if any(name in one.place for one in case.made_once(zoned_times)):
        return True
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
    """Whether the question asks what a record or channel that it names holds of it, that was read by its id or name, and the
    answer says that it holds nothing; or whether there is something of somebody who was sought, and the answer says there is
    none."""
    ids = [fact.text for fact in case.asked if fact.kind is FactKind.ID]
    read = any(_names_in_arguments(one, record) for one in ids for record in reads) or _others_wrote_there(name, reads, case)
    if read and any(name in sentence.text and denies(sentence.text) for sentence in sentences_in(case.answer)):
        return True
    return (
        bool(_PHRASES["asks_whether_there_is"].search(case.goal)) and _was_sought(name, reads, case) and _is_nowhere(name, case)
    )


def _others_wrote_there(name: str, reads: Sequence[CallRecord], case: Case) -> bool:
    """Whether a channel that the question names was read, and others wrote there who are called in the letters of a person's
    name."""
    channels = [fact.text[1:] for fact in case.asked if fact.kind is FactKind.NAME and fact.text[:1] == "#"]
    called = {alias for channel in channels for alias in case.evidence.sources.identities.names_of(channel)}
    there = {record.call_id for record in reads if any(_names_in_arguments(one, record) for one in called)}
    authors = {person for unit in case.evidence.units if unit.call_id in there for person in unit.persons}
    return bool(_TITLE_BEHIND.search(name)) and any(one.isascii() is name.isascii() for one in authors)


def _was_sought(name: str, reads: Sequence[CallRecord], case: Case) -> bool:
    """Whether a read asked for it, or for the first or the last part of a name, or lists were read to their end."""
    parts = _parts_of(name)
    sought = any(part in fold(str(leaf.value)) for record in reads for leaf in leaves(record.arguments) for part in parts)
    return sought or (not case.unread and any(map(len, case.evidence.sources.tables())))


def _is_nowhere(name: str, case: Case) -> bool:
    """Whether the answer says so of a name or a part of it."""
    parts = _parts_of(name)
    return any(
        _PHRASES["tells_of_an_absence"].search(sentence.text) and any(part in fold(sentence.text) for part in parts)
        for sentence in sentences_in(case.answer)
    )


def _parts_of(name: str) -> list[str]:
    words = fold(_TITLE_BEHIND.sub("", name)).split()
    return [word for word in (" ".join(words), *words[:1], *words[-1:]) if len(word) > 2 or not word.isascii()]


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


def _is_named_by_calls(word: str, case: Case) -> bool:
    """Whether an argument or the name of a field has it: the README is what was opened, and `mrr_jpy` tells the MRR."""
    name = fold(word)
    if any(name in fold(str(leaf.value)) for record in case.ctx.records for leaf in leaves(record.arguments)):
        return True
    return any(name in fold(leaf.path) for record in case.evidence.reads for leaf in case.evidence.content(record).leaves)
