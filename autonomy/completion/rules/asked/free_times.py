"""Checks what an answer tells as free, and what a write books, against the times that were read."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, time, tzinfo
from itertools import pairwise, product
from typing import Any, NamedTuple

from autonomy.completion.rules.case import Case
from autonomy.provenance.sources.leaves import MOST_LEAVES, member, parsed
from autonomy.provenance.text.dates import is_iso_day, local_moment
from autonomy.provenance.text.excerpts import excerpt
from autonomy.provenance.text.facts import Fact, FactKind, facts_in
from autonomy.provenance.text.normalize import fold, normalize
from autonomy.provenance.text.sentences import sentences_in
from autonomy.run_state.run_values import CallRecord
from metrics.text.phrases import patterns_of

_PHRASES = patterns_of("autonomy.completion")


def times_told_as_free(case: Case) -> Iterator[tuple[str, str]]:
    """What is told or booked as free is not taken, and is open, by the calendars that were read."""
    goal, zone = case.goal, case.evidence.sources.zone
    asks = bool(_PHRASES["speaks_of_free"].search(goal))
    of_all = bool(_PHRASES["of_all_together"].search(f"{goal}\n{case.answer}"))
    told = [*_spans_told(case), *_spans_booked(case, zone)] if asks else []
    told = told or list(_moments_told(case))
    calendars = list(_calendars_read(case, zone)) if told else []
    for span in told:
        if event := _conflict(span, calendars, of_all=of_all or not span.is_span):
            yield "the time", f"{excerpt(span.text, 80)!r} does not agree with {event}"
            return


def _calendars_read(case: Case, zone: tzinfo | None) -> Iterator["Calendar"]:
    """The calendars of all reads, without what the run had booked itself before it read them."""
    order = {id(record): place for place, record in enumerate(case.ctx.records)}
    booked = [(order.get(id(record), 0), event) for record, event in _booked(case, zone)]
    for record in case.evidence.reads:
        own = {(event.start, event.end) for place, event in booked if place < order.get(id(record), 0)}
        for calendar in calendars_in(case.evidence.content(record).data, zone, record.arguments):
            others = (event for event in calendar.events if calendar.is_open or (event.start, event.end) not in own)
            yield calendar._replace(events=tuple(others))


class CalendarEvent(NamedTuple):
    """Something that takes time, or a time that can be had, in the run's time zone."""

    title: str
    start: datetime
    end: datetime
    whose: frozenset[tuple[str, str]] = frozenset()
    """The room, the calendar or the person whose time it is, each by the name of its field."""

    def __str__(self) -> str:
        return f"{self.title}, {self.start:%H:%M} to {self.end:%H:%M}"


class Calendar(NamedTuple):
    """The times of one list."""

    is_open: bool
    """Whether they can be had, and are not taken."""
    events: tuple[CalendarEvent, ...]


_BEGINS = ("start", "starts_at", "start_time", "begin", "begins_at", "from", "start_at")
_ENDS = ("end", "ends_at", "end_time", "finish", "until", "to", "end_at")
_DAYS = ("date", "day", "日付")
_NOT_TAKEN = frozenset({"cancelled", "canceled", "tentative", "transparent", "declined"})


def calendars_in(result: Any, zone: tzinfo | None, arguments: Any = None) -> list[Calendar]:
    """The lists of events and open times of a result, however deep they stand. `arguments`: of the read, which may name the day
    of what has only hours."""
    found: dict[tuple[str, bool], list[CalendarEvent]] = {}
    stack = [(parsed(result), "", "$", _day_of(arguments), _whose(arguments))]
    for _ in range(MOST_LEAVES):
        if not stack:
            break
        value, key, path, day, whose = stack.pop()
        if isinstance(value, list):
            if not value and _PHRASES["lists_what_is_taken"].search(key):
                found[path, False] = []
            stack += [(item, key, path, day, whose) for item in reversed(value)]
        elif isinstance(value, dict):
            day, whose = _day_of(value) or day, whose | _whose(value)
            if event := _event_of(value, zone, day, whose):
                found.setdefault((path, bool(_PHRASES["lists_what_is_open"].search(key))), []).append(event)
            inner = [(name, item) for name, item in value.items() if isinstance(item, list | dict)]
            stack += [(item, str(name), member(path, name), day, whose) for name, item in reversed(inner)]
    return [Calendar(is_open, tuple(events)) for (_, is_open), events in found.items()]


def _whose(value: Any) -> frozenset[tuple[str, str]]:
    """Whose time an object says that it is about."""
    cells = value.items() if isinstance(value, dict) else ()
    return frozenset(
        (str(name), fold(cell))
        for name, cell in cells
        if isinstance(cell, str) and _PHRASES["names_whose_time"].search(str(name))
    )


def _event_of(
    value: dict[str, Any], zone: tzinfo | None, day: str, whose: frozenset[tuple[str, str]] = frozenset()
) -> CalendarEvent | None:
    begin, end = (next((at for name in names if (at := _moment(value.get(name), zone, day))), None) for names in (_BEGINS, _ENDS))
    if (
        begin is None
        or end is None
        or begin >= end
        or _NOT_TAKEN & {str(value.get(name)).lower() for name in ("status", "transparency")}
    ):
        return None
    return CalendarEvent(str(value.get("title") or value.get("summary") or value.get("name") or "an event"), begin, end, whose)


def _moment(value: Any, zone: tzinfo | None, day: str) -> datetime | None:
    """The moment of a field, as calendars write it too: `{"dateTime": "2027-03-08T13:00:00+01:00"}`, or hours of a day."""
    value = value.get("dateTime") if isinstance(value, dict) else value
    if day and isinstance(value, str) and (hours := _HOURS.fullmatch(value)) and int(hours[1]) < HOURS_OF_A_DAY:
        return datetime.combine(date.fromisoformat(day), time(int(hours[1]), int(hours[2])))
    return local_moment(value, zone)


_HOURS = re.compile(r"(\d{1,2}):([0-5]\d)")
HOURS_OF_A_DAY = 24


def _day_of(value: Any) -> str:
    """The day that an object says it is about; empty where none."""
    days = [value.get(name) for name in _DAYS] if isinstance(value, dict) else []
    return next((day for day in days if isinstance(day, str) and is_iso_day(day)), "")


class ToldSpan(NamedTuple):
    """A span or a moment of some day that is told as free, in each way in which its hours can be read."""

    text: str
    days: frozenset[str]
    readings: tuple[tuple[time, time], ...]
    is_span: bool = True
    is_exact: bool = True
    """Whether it is told in hours, and not as a part of the day."""
    whose: frozenset[tuple[str, str]] = frozenset()


def _spans_told(case: Case) -> Iterator[ToldSpan]:
    """The spans of the sentences that tell of what is free, and of the list behind such a sentence."""
    day, zone = case.evidence.day, case.evidence.sources.zone
    leads, lead_days = False, frozenset[str]()
    of_goal = _days_of(case.asked)
    for sentence in sentences_in(case.answer):
        facts = facts_in(sentence.text, day, zone)
        is_listed = bool(_LISTED.match(case.answer, case.answer.rfind("\n", 0, sentence.start) + 1))
        frames = sentence.text.endswith((":", "："))  # what is free stands in the lines behind it
        tells = bool(_PHRASES["speaks_of_free"].search(sentence.text)) and not _PHRASES["tells_taken"].search(sentence.text)
        if not is_listed:
            leads, lead_days = tells, _days_of(facts)
        days = _days_of(facts) or lead_days or of_goal
        for start, end in (
            pairwise(fact for fact in facts if fact.kind is FactKind.TIME)
            if (tells and not frames) or (is_listed and leads)
            else ()
        ):
            if _PHRASES["joins_two_times"].fullmatch(normalize(sentence.text[start.end : end.start])):
                readings = [(one, other) for one, other in product(_times_of(start), _times_of(end)) if one < other]
                yield ToldSpan(sentence.text, days, tuple(readings))


_LISTED = re.compile(r"\s*(?:[-*+•・|]|\d{1,2}[.)])\s")


def _moments_told(case: Case) -> tuple[ToldSpan, ...]:
    """The hours that an answer tells as free: those of the question, or else its own; the part of the day where there are
    none."""
    goal, zone = case.goal, case.evidence.sources.zone
    free = [one.text for one in sentences_in(case.answer) if _PHRASES["told_as_free"].search(one.text)]
    if not free or _PHRASES["within_a_time"].search(free[0]):
        return ()
    free_facts = facts_in(free[0], case.evidence.day, zone)
    days = _days_of((*case.asked, *free_facts))
    times = _last_readings(case.asked) or _last_readings(free_facts)
    readings = [(at, at) for at in times] or _parts_of_day(goal)
    return tuple(ToldSpan(free[0], days, (one,), is_span=False, is_exact=bool(times)) for one in readings)


def _last_readings(facts: Iterable[Fact]) -> set[time]:
    return {_times_of(fact)[-1] for fact in facts if fact.kind is FactKind.TIME and _times_of(fact)}


def _times_of(fact: Fact) -> list[time]:
    return [
        time(int(found[1]), int(found[2])) for key in fact.keys if (found := _HOURS.match(key)) and int(found[1]) < HOURS_OF_A_DAY
    ]


def _days_of(facts: Iterable[Fact]) -> frozenset[str]:
    return frozenset(key for fact in facts if fact.kind is FactKind.DATE for key in fact.keys)


def _parts_of_day(goal: str) -> list[tuple[time, time]]:
    """The parts of the day that a question names; the day, where it names none."""
    parts = (
        (_PHRASES["in_the_morning"], time.min, NOON),
        (_PHRASES["in_the_afternoon"], NOON, EVENING),
        (_PHRASES["in_the_evening"], EVENING, time.max),
    )
    return [(begin, end) for words, begin, end in parts if words.search(goal)] or [(time.min, time.max)]


NOON, EVENING = time(12), time(18)


def _booked(case: Case, zone: tzinfo | None) -> Iterator[tuple[CallRecord, CalendarEvent]]:
    """The writes that book a time, each with that time."""
    for record in case.evidence.writes:
        if event := _event_of(record.arguments, zone, _day_of(record.arguments), _whose(record.arguments)):
            yield record, event


def _spans_booked(case: Case, zone: tzinfo | None) -> Iterator[ToldSpan]:
    for _, event in _booked(case, zone):
        hours = (event.start.time(), event.end.time())
        yield ToldSpan(f"{event}", frozenset({f"{event.start:%Y-%m-%d}"}), (hours,), whose=event.whose)


def _conflict(told: ToldSpan, calendars: Sequence[Calendar], *, of_all: bool) -> CalendarEvent | None:
    """What is taken then, however the hours are read, or what is open instead where nothing that is open holds them.

    `of_all`: whether all have to be free; else who is meant may be any of several calendars.
    """
    found: CalendarEvent | None = None
    of_the_days = [
        one._replace(events=tuple(event for event in one.events if f"{event.start:%Y-%m-%d}" in told.days))
        for one in (calendars if of_all else _without_others(told, calendars))
    ]
    taken = [one.events for one in of_the_days if not one.is_open]
    open_events = [event for one in of_the_days if one.is_open and told.is_exact for event in one.events]
    for start, end in told.readings:
        meeting = [next((event for event in events if _meets(start, end, event)), None) for events in taken]
        events = [event for event in meeting if event]
        if events and (of_all or len(events) == len(taken)):
            found = events[0]
        elif open_events and not any(_hours_of(event)[0] <= start and end <= _hours_of(event)[1] for event in open_events):
            found = open_events[0]._replace(title="what is open")
        else:
            return None
    return found


def _without_others(told: ToldSpan, calendars: Iterable[Calendar]) -> Iterator[Calendar]:
    """The calendars without what is in another room or of another calendar or person than a booking."""
    for one in calendars:
        yield one._replace(events=tuple(event for event in one.events if not _is_elsewhere(dict(told.whose), event)))


def _is_elsewhere(whose: Mapping[str, str], event: CalendarEvent) -> bool:
    return any(whose.get(name, value) != value for name, value in event.whose)


def _meets(start: time, end: time, event: CalendarEvent) -> bool:
    """Whether an event takes some of a span, or is on at a moment."""
    begins, ends = _hours_of(event)
    return begins <= start < ends if start == end else begins < end and start < ends


def _hours_of(event: CalendarEvent) -> tuple[time, time]:
    """From when until when an event is on, on the day on which it begins."""
    return event.start.time(), event.end.time() if event.end.date() == event.start.date() else time.max
