"""Parses the agency's `forecast/{office}.json` for one region.

A response is `[short, weekly]`. Four habits of it shape this module:
- What is meant follows from `timeDefines`, never from the hour of `reportDatetime`: a correction comes at any hour. After
  midnight the evening's report is still served, so its first day is yesterday.
- Temperatures are those of stations, out of order: `[base day 09:00, base day 00:00, next day 00:00, next day 09:00]`, or
  the last two alone in the evening. Both of the base day are maxima (by day, of the whole day); its minimum is never published.
- Weekly areas and stations change with the season and the year: the constants list candidates, and the one present is used.
- Everything is a string, and "" is "not published".
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

SLOT = timedelta(hours=6)
"""How long one probability of precipitation holds."""


@dataclass(frozen=True)
class Constants:
    """The agency's tables that no response carries, by class10 code; `telops` by weather code."""

    telops: Mapping[str, str]
    stations: Mapping[str, Sequence[str]]
    weekly_areas: Mapping[str, Sequence[str]]


@dataclass(frozen=True)
class Rain:
    """The probability of precipitation, in percent, from `start` for six hours."""

    start: datetime
    percent: int

    @property
    def end(self) -> datetime:
        """The end of the six hours."""
        return self.start + SLOT


@dataclass(frozen=True)
class Day:
    """One day's forecast; None or empty where nothing was published. Temperatures in °C."""

    day: date
    weather: str
    code: str
    wind: str | None = None
    wave: str | None = None
    rain: tuple[Rain, ...] = ()
    rain_percent: int | None = None
    temp_min: int | None = None
    temp_max: int | None = None
    reliability: str | None = None


@dataclass(frozen=True)
class Outlook:
    """The forecast of one region, from `today` on."""

    publishing_office: str
    published_at: datetime
    region: str
    station: str | None
    days: tuple[Day, ...]


class Unreadable(Exception):
    """The response does not have the known shape, or does not carry the region."""


def read(response: Any, constants: Constants, regions: frozenset[str], region: str | None, today: date) -> Outlook:
    """The outlook for `region`, or for the first of `regions` that the response names.

    Raises Unreadable; the agency changed its format, and the program must follow.
    """
    try:
        short, weekly = response
        region = region or _first_region(short, regions)
        station = _station(short, constants, region)
        days = _merge(_read_weekly(weekly, constants, region), _read_short(short, region, station))
        return Outlook(
            short["publishingOffice"],
            datetime.fromisoformat(short["reportDatetime"]),
            region,
            station["area"]["name"] if station else None,
            tuple(day for day in days if day.day >= today),
        )
    except (KeyError, IndexError, TypeError, ValueError, StopIteration) as problem:
        raise Unreadable(repr(problem)) from problem


def _first_region(short: Any, regions: frozenset[str]) -> str:
    codes = (area["area"]["code"] for area in short["timeSeries"][0]["areas"])
    return str(next(code for code in codes if code in regions))


def _merge(weekly: Mapping[date, dict[str, Any]], short: Mapping[date, dict[str, Any]]) -> Iterator[Day]:
    for day in sorted(weekly.keys() | short.keys()):
        fields = {**weekly.get(day, {}), **short.get(day, {})}
        if "weather" in fields:
            yield Day(day=day, **fields)


def _read_short(short: Any, region: str, station: Any | None) -> dict[date, dict[str, Any]]:
    weather, rain, temps = short["timeSeries"][:3]
    days: dict[date, dict[str, Any]] = defaultdict(dict)
    for at, entry in _entries(weather, _area(weather, region)):
        days[at.date()] |= _pick(entry, {"weathers": "weather", "winds": "wind", "waves": "wave"}, _tidy)
        days[at.date()] |= _pick(entry, {"weatherCodes": "code"}, str)
    for at, entry in _entries(rain, _area(rain, region)):
        slots = (*days[at.date()].get("rain", ()), Rain(at, int(entry["pops"])))
        days[at.date()] |= {"rain": slots, "rain_percent": max(slot.percent for slot in slots)}
    base_day = datetime.fromisoformat(weather["timeDefines"][0]).date()
    for at, entry in _entries(temps, station) if station else ():
        if at.hour == 9:
            days[at.date()]["temp_max"] = int(entry["temps"])
        elif at.date() > base_day:
            days[at.date()]["temp_min"] = int(entry["temps"])
    return days


def _read_weekly(weekly: Any, constants: Constants, region: str) -> dict[date, dict[str, Any]]:
    weather, temps = weekly["timeSeries"][:2]
    codes = [area["area"]["code"] for area in weather["areas"]]
    code_of_region = next((code for code in (*constants.weekly_areas.get(region, ()), region) if code in codes), None)
    index = 0 if code_of_region is None and len(codes) == 1 else codes.index(code_of_region) if code_of_region else None
    days: dict[date, dict[str, Any]] = defaultdict(dict)
    if index is None:
        return days
    for at, entry in _entries(weather, weather["areas"][index]):
        code = entry["weatherCodes"]
        days[at.date()] |= {"code": code, "weather": constants.telops.get(code, f"天気コード{code}")}
        days[at.date()] |= _pick(entry, {"pops": "rain_percent"}, int) | _pick(entry, {"reliabilities": "reliability"}, str)
    # The weekly stations stand in the order of the weekly areas, one for each.
    for at, entry in _entries(temps, temps["areas"][index]):
        days[at.date()] |= _pick(entry, {"tempsMin": "temp_min", "tempsMax": "temp_max"}, int)
    return days


def _station(short: Any, constants: Constants, region: str) -> Any | None:
    """The region's first station that the response has; else the one that no known region claims (stations are renumbered)."""
    present = {area["area"]["code"]: area for area in short["timeSeries"][2]["areas"]}
    for code in constants.stations.get(region, ()):
        if code in present:
            return present[code]
    claimed = {code for codes in constants.stations.values() for code in codes}
    unclaimed = [area for code, area in present.items() if code not in claimed]
    return unclaimed[0] if len(unclaimed) == 1 else None


def _area(series: Any, code: str) -> Any:
    return next(area for area in series["areas"] if area["area"]["code"] == code)


def _entries(series: Any, area: Any) -> Iterator[tuple[datetime, dict[str, str]]]:
    """The area's columns as rows, one for each time, without what is not published."""
    columns = {name: values for name, values in area.items() if isinstance(values, list)}
    for index, at in enumerate(series["timeDefines"]):
        row = {name: values[index] for name, values in columns.items() if index < len(values)}
        yield datetime.fromisoformat(at), {name: value for name, value in row.items() if value}


def _pick(entry: Mapping[str, str], names: Mapping[str, str], convert: Callable[[str], Any]) -> dict[str, Any]:
    """What is published of `names` (theirs → ours), converted."""
    return {ours: convert(entry[theirs]) for theirs, ours in names.items() if theirs in entry}


def _tidy(text: str) -> str:
    """The text in the digits and spaces of everyday writing; all of the agency's are full-width."""
    return text.translate(str.maketrans("０１２３４５６７８９．　", "0123456789. "))
