"""Parses the agency's `forecast/{office}.json` for one region.

A response is `[short, weekly]`. It has four peculiarities:
- Days follow from `timeDefines` and not from the hour of `reportDatetime`, because corrections come at any hour. After midnight
  the report of the evening is still served, so its first day is yesterday.
- Temperatures belong to stations and are out of order: `[base day 09:00, base day 00:00, next day 00:00, next day 09:00]`, or
  only the last two in the evening. Both of the base day are maxima (of the daytime, of the day); its minimum is never published.
- Weekly areas and stations change with the season and the year. The constants list candidates, of which one is present.
- All values are strings, and "" means "not published".
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

SLOT = timedelta(hours=6)
"""The length of time that one probability of precipitation is for."""


@dataclass(frozen=True)
class Constants:
    """Tables of the agency that responses do not contain, by class10 code (`telops`: by weather code)."""

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
    """The forecast of one day. What was not published is None or empty. Temperatures are in °C."""

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
    """The response does not have the known format, or does not contain the region."""


def read(response: Any, constants: Constants, regions: frozenset[str], region: str | None, today: date) -> Outlook:
    """Parse the outlook for `region`, or for the first of `regions` in the response. Raises Unreadable."""
    try:
        short, weekly = response
        listed = (area["area"]["code"] for area in short["timeSeries"][0]["areas"])
        region = region or str(next(code for code in listed if code in regions))
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
    # the weekly stations are in the order of the weekly areas, one for each
    for at, entry in _entries(temps, temps["areas"][index]):
        days[at.date()] |= _pick(entry, {"tempsMin": "temp_min", "tempsMax": "temp_max"}, int)
    return days


def _station(short: Any, constants: Constants, region: str) -> Any | None:
    """Return the region's first station in the response, or, since stations get new numbers, the only one of no known region."""
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
    """Yield the area's columns as rows, one for each time, without what is not published."""
    columns = {name: values for name, values in area.items() if isinstance(values, list)}
    for index, at in enumerate(series["timeDefines"]):
        row = {name: values[index] for name, values in columns.items() if index < len(values)}
        yield datetime.fromisoformat(at), {name: value for name, value in row.items() if value}


def _pick(entry: Mapping[str, str], names: Mapping[str, str], convert: Callable[[str], Any]) -> dict[str, Any]:
    """Return the published values of `names` (theirs → ours), converted."""
    return {ours: convert(entry[theirs]) for theirs, ours in names.items() if theirs in entry}


def _tidy(text: str) -> str:
    """Replace the agency's full-width digits and spaces by ordinary ones."""
    return text.translate(str.maketrans("０１２３４５６７８９．　", "0123456789. "))
