"""Translates a forecast into English: fixed words by a glossary, places by their official romaji."""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any, Literal

from mcp_servers.weather.answer import DayWeather, Span, Weather

AGENCY = "Japan Meteorological Agency"
SOURCE = f"Source: {AGENCY} website (forecast, edited and translated by fixed words)"
_UMBRELLA: dict[str | None, Literal["take one", "may be wise", "not needed"]] = {
    "必要": "take one", "あると安心": "may be wise", "不要": "not needed",
}  # fmt: skip
_DAYS = {0: ", today", 1: ", tomorrow"}
_SPANS: dict[Span, str] = {"today": "today's weather", "tomorrow": "tomorrow's weather", "week": "the weather of the week"}
_JAPANESE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff々]")


class English:
    """Translates the fixed words of the agency."""

    def __init__(self, area: Mapping[str, Any], telops: Mapping[str, str], glossary: Mapping[str, str]) -> None:
        """`area`: the agency's `area.json`. `telops`: weather code → Japanese words. `glossary`: Japanese words → English."""
        self._telops = telops
        self._places = {
            place["name"]: place["enName"] for level in area.values() for place in level.values() if "enName" in place
        }
        self._glossary = {**self._places, **glossary}
        longest_first = sorted(self._glossary, key=lambda word: (-len(word), word))
        self._word = re.compile("|".join(re.escape(word) for word in longest_first))

    def words(self, japanese: str) -> str | None:
        """Translate a phrase, or return None if a part of it is unknown, because half a translation would mislead."""
        parts: list[str] = []
        rest = re.sub(r"\s+(?=では)", "", unicodedata.normalize("NFKC", japanese))
        for part in re.split(rf"\s+|({self._word.pattern})", rest):
            english = str(self._glossary.get(part, part)) if part else ""
            if english.startswith("<"):  # it follows its noun in Japanese but precedes it in English
                parts.insert(max(len(parts) - 1, 0), english[1:])
            elif english:
                parts.append(english)
        phrase = re.sub(r"\s+", " ", " ".join(parts)).replace(" ,", ",").strip(" ,")
        return None if _JAPANESE.search(phrase) else phrase

    def translated(self, weather: Weather) -> Weather:
        """Translate the words of a forecast. What has no known translation stays as it is."""
        region = self._places.get(weather.region, weather.region)
        changes = {
            "place": self._place(weather),
            "region": region,
            "station": weather.station and self._station(weather.station),
            "publishing_office": AGENCY,
            "days": [self._day(day) for day in weather.days],
            "source": SOURCE,
        }
        return weather.model_copy(update=changes)

    def _day(self, day: DayWeather) -> DayWeather:
        translated = {name: text and (self.words(text) or text) for name, text in (("wind", day.wind), ("wave", day.wave))}
        return day.model_copy(update={"weather": self._sky(day), "umbrella": _UMBRELLA.get(day.umbrella), **translated})

    def _station(self, name: str) -> str:
        """Translate the name of a station, which is that of its municipality without the last character."""
        return next((self._places[one] for one in (name, *(name + kind for kind in "市町村区都県")) if one in self._places), name)

    def _place(self, weather: Weather) -> str:
        """Return the municipality with its forecast region. A name without known romaji stays as it is."""
        known = sorted((name for name in self._places if weather.place.endswith(name)), key=len)
        place = self._places[known[-1]] if known else weather.place
        region = self._places.get(weather.region, "")
        return f"{place} ({region})" if region and region != place else place

    def _sky(self, day: DayWeather) -> str:
        return self.words(day.weather) or self.words(self._telops.get(day.weather_code, "")) or f"weather code {day.weather_code}"


def text(weather: Weather, span: Span, today: date) -> str:
    """Return the answer in English. It ends with its source, and begins with a warning if the data is a sample.

    `weather`: as returned by `English.translated`.
    """
    lines = [f"{weather.place}: {_SPANS[span]}"]
    if weather.recorded_on:
        lines.insert(0, f"Sample data, recorded on {weather.recorded_on} and moved to today; not the real weather.")
    lines += [line for day in weather.days for line in (_week_line if span == "week" else _day_lines)(day, today)]
    published = "" if weather.sample else f"Published {weather.published_at:%Y-%m-%d %H:%M}. "
    return "\n".join([*lines, f"{published}{weather.source}"])


def _day_lines(day: DayWeather, today: date) -> Iterable[str]:
    yield f"{_name_of(day.date, today)}: {day.weather}"
    if temperatures := _temperatures(day):
        yield f"Temperature: {temperatures}"
    if chances := " / ".join(f"{one.start.hour}-{one.end.hour or 24}h {one.percent}%" for one in day.rain_chances):
        yield f"Chance of rain: {chances}"
    elif day.rain_percent is not None:
        yield f"Chance of rain: {day.rain_percent}%"
    if day.umbrella:
        yield f"Umbrella: {day.umbrella} (chance of rain up to {day.rain_percent}%)"
    for name, value in (("Wind", day.wind), ("Waves", day.wave)):
        if value and not _JAPANESE.search(value):
            yield f"{name}: {value}"


def _week_line(day: DayWeather, today: date) -> Iterable[str]:
    parts = [
        f"{_name_of(day.date, today)}: {day.weather}",
        _temperatures(day),
        "" if day.rain_percent is None else f"chance of rain {day.rain_percent}%",
        f"reliability {day.reliability}" if day.reliability else "",
    ]
    yield " / ".join(part for part in parts if part)


def _temperatures(day: DayWeather) -> str:
    both = (("low", day.temp_min_c), ("high", day.temp_max_c))
    return ", ".join(f"{name} {degrees}℃" for name, degrees in both if degrees is not None)


def _name_of(day: date, today: date) -> str:
    return f"{day} ({day:%a}{_DAYS.get((day - today).days, '')})"
