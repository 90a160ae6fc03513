"""Answers questions about the days and places of weather forecasts: ranks, comparisons, when it rains."""

import re
from collections.abc import Callable, Sequence
from datetime import date, datetime

from autonomy.llm.offline.query.query_reading import NotRead, RowQuery, compared, meets_bound, placed
from autonomy.llm.offline.query.query_tables import ListedRows
from autonomy.llm.offline.questions.question_reading import read_question
from discovery.catalog import JsonObject

_FIELDS = {
    "high": re.compile(r"(?:temp.*max|max.*temp|temp.*high)"),
    "low": re.compile(r"(?:temp.*min|min.*temp|temp.*low)"),
    "rain": re.compile(r"(?:rain|precip|pop).*(?:percent|prob|chance)|^pop$"),
}
"""The names of the fields that hold a day's figures, in forecasts of many vendors."""
_ENDINGS = re.compile("[都道府県市区町村]$")
MOST_PLACES = 5


def answer_forecast(query: RowQuery) -> str:
    """The answer. Raises `NotRead` for a question of another kind."""
    return _Forecast(query).answer()


class _Forecast:
    """The days and places of forecasts that a question speaks of, and what it wants to know of them."""

    def __init__(self, query: RowQuery) -> None:
        self._query = query
        self._places = list(dict.fromkeys(str(one.value) for one in query.reading.take("open")))
        self._spans = [one.value for one in query.reading.take("time")]
        self._measures = query.reading.values("measure")
        query.any("future")
        self._wanted = query.wanted(several=len(self._places) > 1 or len(self._spans) > 1)
        wanted = self._wanted
        if "temperature" in self._measures:
            other_measures = [measure for measure in self._measures if measure != "temperature"]
            self._measures = other_measures or ["low" if wanted.order in ("least", "less") else "high"]
        if not self._measures and wanted.bound:
            self._measures = ["rain" if wanted.bound.unit == "percent" else "high"]
        self._both = sorted(self._measures) == ["high", "low"] and not wanted.order and not wanted.bound
        if (len(self._measures) != 1 and not self._both) or not 1 <= len(self._places) <= MOST_PLACES:
            raise NotRead
        self._measure = self._measures[0]
        question = read_question(query.goal, query.today)
        if not question.names_places(self._places, {f"#{one}" for one in ("weather", "temperature", "place")}):
            raise NotRead  # how hot the curry was that somebody had: no places
        if any(span.first < query.today for span in self._spans) or wanted.kinds - {"weather", "place"}:
            raise NotRead
        self._by_day = bool(wanted.units) or "when" in wanted.asks
        self._untold: list[str] = []

    def answer(self) -> str:
        query = self._query
        query.whole()
        tables = [self._forecast_for(place) for place in self._places]
        names = [str(table.rows[0].get("place", place)) for table, place in zip(tables, self._places, strict=True)]
        query.told += [*names, *(span.words for span in self._spans)]
        lines = self._told([(name, row) for name, table in zip(names, tables, strict=True) for row in self._days(table)])
        remarks = [
            query.say("query_sample", recorded=str(row.get("recorded_on")))
            for row in tables[0].rows[:1]
            if row.get("recorded_on")
        ]
        return query.answer(tables[0].tool, "query_forecast", [*lines, *remarks])

    def _forecast_for(self, place: str) -> ListedRows:
        """The forecast for a place that the tool knows by that very name. Raises `NotRead` for any other."""
        table = self._query.tables.forecast(place, self._query.language)
        if table is None or not table.rows:
            raise NotRead
        known_name = str(table.rows[0].get("place", "")).casefold()
        if _ENDINGS.sub("", place.casefold()) not in known_name:
            raise NotRead
        return table

    def _days(self, table: ListedRows) -> list[JsonObject]:
        """The days that are asked for. Raises `NotRead` where the forecast does not reach them."""
        rows = [row for row in table.rows if isinstance(row.get("date"), str)]
        if not self._spans:
            return rows if self._by_day else [row for row in rows if row["date"] == self._query.today.isoformat()]
        days = {row["date"] for row in rows}
        beyond = [span for span in self._spans if span.first.isoformat() not in days or (span.last - span.first).days > 6]
        if beyond:
            raise NotRead
        return [row for row in rows if any(span.holds(date.fromisoformat(row["date"])) for span in self._spans)]

    def _told(self, rows: Sequence[tuple[str, JsonObject]]) -> list[str]:
        """What the rows tell of the measure that is asked for, or of the day's low and high."""
        if self._both:
            self._both = False
            return [line for self._measure in ("low", "high") for line in self._told(rows)]
        wanted = self._wanted
        places, days = {place for place, _ in rows}, {row["date"] for _, row in rows}
        if (len(places) > 1 and len(days) > 1) or not rows:
            raise NotRead
        if self._measure == "rain" and not (wanted.order or wanted.bound) and (wanted.asks & {"time", "when"} or wanted.units):
            return self._likeliest([row for _, row in rows], len(places))
        if self._measure == "low" and wanted.order in ("more", "less") and any(self._figure(row) is None for _, row in rows):
            self._measure = "high"  # a day's low is told no more once it is past: "colder than today" is held by the highs
        figures = [(place if len(places) > 1 else self._day(row), self._figure(row)) for place, row in rows]
        self._untold = [name for name, figure in figures if figure is None]
        pairs = [(name, figure) for name, figure in figures if figure is not None]
        if self._untold and (len(pairs) < 2 or wanted.order not in ("most", "least")):
            raise NotRead
        if wanted.bound is not None:
            wanted.only("which when how_many", kinds="weather", also="bound day")
            if wanted.bound.unit != ("percent" if self._measure == "rain" else "degrees") or len(days) < 2:
                raise NotRead
            inside = [pair for pair in pairs if meets_bound(pair[1], wanted.bound, wanted.bound.number)]
            return [self._query.say("query_days", count=len(inside)), *self._lines(inside)]
        if wanted.order in ("", "each") and not self._untold:
            wanted.only("how_many how_long what", order="each", kinds="weather place", also="several")
            if not (wanted.asks or wanted.order) or self._measure == "rain":
                raise NotRead
            return [self._query.say(f"query_{self._measure}", what=name, figure=self._unit(figure)) for name, figure in pairs]
        if len(pairs) < 2:
            raise NotRead
        return self._compared(pairs, len(places))

    def _compared(self, pairs: list[tuple[str, float]], places: int) -> list[str]:
        wanted, query = self._wanted, self._query
        if wanted.order in ("most", "least"):
            wanted.only(
                "which where when what",
                order="most least",
                kinds="weather place",
                also="several" if places > 1 else "several day",
            )
            return self._best(pairs)
        wanted.only("which where how_many how_long what", order="more less difference", kinds="weather place", also="several")
        if not wanted.order or not wanted.several:
            raise NotRead
        if wanted.order != "difference":
            return [compared(query, pairs, wanted.order, self._unit, self._measure), *self._lines(pairs)]
        if len(pairs) != 2:
            raise NotRead
        return [query.say("query_difference", figure=self._unit(abs(pairs[0][1] - pairs[1][1]))), *self._lines(pairs)]

    def _best(self, pairs: Sequence[tuple[str, float]]) -> list[str]:
        best, query = placed(pairs, self._wanted), self._query
        lead = query.say(
            f"query_{self._measure}_{self._wanted.order or 'most'}",
            what=query.listed(name for name, _ in best),
            figure=self._unit(best[0][1]),
        )
        return [lead, *self._lines(pairs)]

    def _likeliest(self, rows: Sequence[JsonObject], places: int) -> list[str]:
        """On which of several days, or in which part of one day, rain is likeliest."""
        parts = rows[0].get("rain_chances") if len(rows) == 1 else None
        self._wanted.only("when which time" if parts else "when which", kinds="weather place", also="day")
        pairs = (
            [(self._part(part), float(part["percent"])) for part in parts if isinstance(part.get("percent"), int | float)]
            if isinstance(parts, list)
            else [(self._day(row), figure) for row in rows if (figure := self._figure(row)) is not None]
        )
        if places != 1 or len(pairs) < max(len(rows), 1 if parts else 2):
            raise NotRead
        if not any(chance for _, chance in pairs):
            return [self._query.say("query_no_rain"), *self._lines(pairs)]
        return self._best(pairs)

    def _part(self, part: JsonObject) -> str:
        begin, end = datetime.fromisoformat(part["start"]), datetime.fromisoformat(part["end"])
        return self._query.say("query_part", begin=begin.hour, end=end.hour or 24)

    def _figure(self, row: JsonObject) -> float | None:
        found = [row[name] for name in row if _FIELDS[self._measure].search(name) and isinstance(row[name], int | float)]
        return float(found[0]) if len(found) == 1 else None

    def _day(self, row: JsonObject) -> str:
        return self._query.day(date.fromisoformat(row["date"]))

    def _unit(self, figure: float) -> str:
        return f"{figure:.0f}{'%' if self._measure == 'rain' else '℃'}"

    def _lines(self, pairs: Sequence[tuple[str, float]]) -> list[str]:
        unit: Callable[[float], str] = self._unit
        return [f"- {name}: {unit(figure)}" for name, figure in pairs] + [f"- {name}: –" for name in self._untold]
