"""Knows on other clocks the times of day that a goal names, with its zones and durations."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import NamedTuple

from autonomy.completion.rules.case import Case
from autonomy.provenance.sources.leaves import leaves
from autonomy.provenance.text.dates import is_iso_day, local_moment, zone_called, zones_named
from autonomy.provenance.text.facts import Fact, FactKind
from metrics.text.phrases import patterns_of

_PHRASES = patterns_of("autonomy.completion")


class ZonedTime(NamedTuple):
    """A time of day that the goal names by the clocks of a place."""

    at: datetime
    place: str


def zoned_times(case: Case) -> tuple[ZonedTime, ...]:
    """The times that the goal names with a zone, on the day that it names, or else today."""
    dates = [fact for fact in case.asked if fact.kind is FactKind.DATE]
    dates = [fact for fact in dates if not fact.relative] or dates
    one_day = {key for fact in dates for key in fact.keys if is_iso_day(key)}
    day = date.fromisoformat(next(iter(one_day))) if len(one_day) == 1 else None if one_day else case.evidence.day
    times = [fact for fact in case.asked if fact.kind is FactKind.TIME]
    return tuple(found for fact in times if day for found in _zoned(fact, day, case.goal))


def _zoned(fact: Fact, day: date, goal: str) -> Iterator[ZonedTime]:
    match = _PHRASES["zone_behind"].match(goal[fact.end :]) or _PHRASES["zone_before"].search(goal[: fact.start])
    zones = zones_named(match.group()) if match else frozenset[str]()
    zone = zone_called(next(iter(zones))) if len(zones) == 1 else None
    clock = fact.keys[0]
    if match and zone and len(clock) == len("00:00") and clock < "24:00":
        yield ZonedTime(datetime.combine(day, time.fromisoformat(clock), zone), match.group())


def times_that_follow(case: Case) -> frozenset[str]:
    """The times of day that follow from those of the goal: on the clocks of the run's people, in UTC and in the zones that goal
    or answer name, and where something that long ends."""
    zones = [zone_called(name) for name in sorted(zones_named(f"{case.goal}\n{case.answer}"))[:MOST_ZONES]]
    clocks: list[tzinfo] = [UTC, *(zone for zone in (case.evidence.sources.zone, *zones) if zone)]
    lasting = [timedelta(), *_durations(case)]
    found = {
        f"{(one.at + long).astimezone(clock):%H:%M}"
        for one in case.made_once(zoned_times)
        for long in lasting
        for clock in clocks
    }
    plain = [fact.keys[0] for fact in case.asked if fact.kind is FactKind.TIME and fact.keys[0] < "24:00"]
    begins = [datetime.combine(case.evidence.day, time.fromisoformat(clock)) for clock in plain if len(clock) == len("00:00")]
    return frozenset(found | {f"{begin + long:%H:%M}" for begin in begins for long in lasting})


MOST_ZONES = 4


def _durations(case: Case) -> Iterator[timedelta]:
    for fact in case.asked:
        if fact.kind is FactKind.NUMBER and fact.unit in _UNITS and (many := float(fact.keys[0])) < MOST_UNITS:
            yield many * _UNITS[fact.unit]


_UNITS = {"分": timedelta(minutes=1), "時間": timedelta(hours=1)}
MOST_UNITS = 1_000


def at_the_time_ordered(case: Case) -> Iterator[tuple[str, str]]:
    """Where the goal names a time with its zone, no write took that time of day by another zone's clocks in its place."""
    zone = case.evidence.sources.zone
    if case.declares_needs or not case.evidence.writes:
        return
    written = [str(leaf.value) for record in case.evidence.writes for leaf in leaves(record.arguments)]
    moments = {text: at for text in written if (at := local_moment(text, zone))}
    for one in case.made_once(zoned_times):
        own = one.at.astimezone(zone).replace(tzinfo=None)
        strange = [
            text
            for text, at in moments.items()
            if text[11:16] == f"{one.at:%H:%M}" and text[:10] == f"{one.at:%Y-%m-%d}" and at != own and _has_offset(text)
        ]
        if strange and own not in moments.values():
            said = f"{one.at:%H:%M}{one.place}"
            yield said, f"the goal says {said}, and what was written is at {strange[0]}, another time"
            return


def _has_offset(moment: str) -> bool:
    return moment.endswith("Z") or moment[-6:-5] in ("+", "-")
