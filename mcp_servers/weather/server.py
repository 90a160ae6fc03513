"""The MCP server `weather` and its tool; `python server.py` runs it alone, from anywhere."""

import json
import logging
import os
import re
import sys
from collections.abc import Callable, Mapping
from datetime import date, datetime, timedelta, timezone
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any, Literal

from mcp.server import MCPServer
from mcp.types import CallToolResult, TextContent, ToolAnnotations
from pydantic import Field

if __spec__ is None:  # run as a file: make the package importable by its name, wherever the folder is
    here = Path(__file__).resolve().parent
    for name, folder in (("mcp_servers", here.parent), ("mcp_servers.weather", here)):
        sys.modules[name] = ModuleType(name)
        sys.modules[name].__path__ = [str(folder)]

from mcp_servers.weather import agency, answer, english, forecast
from mcp_servers.weather.places import AmbiguousPlace, Gazetteer, Names, Place, UnknownPlace, WideRegion

JAPAN = timezone(timedelta(hours=9))
VERSION = "0.1.0"

INSTRUCTIONS = (
    "日本国内の天気予報です。今日・明日・週間の天気、気温、降水確率、傘の要否がわかります。"
    "場所がわからないときは利用者に尋ねてください。答えには出典(気象庁)を添えてください。"
)
DESCRIPTION = (
    "日本国内の場所の天気予報を、気象庁のデータから日本語で返します。天気、気温、降水確率、傘の目安、風、波を含みます。"
    "今日・明日・週間の天気の質問や「傘が必要？」という質問に使います。海外には対応しません。"
    " (Weather forecast for places in Japan, from the Japan Meteorological Agency.)"
)

Location = Annotated[
    str,
    Field(
        max_length=200,
        description="場所の名前(例: 東京、大阪、札幌、神奈川県横浜市)。日本国内のみ。場所を含む文でもよい(例: 大阪の天気は？)",
    ),
]
Span = Annotated[answer.Span, Field(description="いつの天気か: today=今日、tomorrow=明日、week=週間")]
Language = Annotated[
    Literal["ja", "en"] | None, Field(description="回答の言語: ja=日本語、en=English (the language of the question)")
]
_ENGLISH = re.compile(r"(?=.*[A-Za-z])[^\u3040-\u30ff\u3400-\u9fff]+")
"""A text in Latin letters alone, as an English question names a place."""


class BadQuestion(Exception):
    """The question cannot be answered. The message, in Japanese and as `english`, says what to ask instead."""

    def __init__(self, japanese: str, english: str) -> None:
        self.english = english
        super().__init__(japanese)


class Forecaster:
    """Answers questions about the weather from one source of data. `home`: the place that is meant if none is named."""

    def __init__(self, source: agency.Source, now: Callable[[], datetime], home: str = "") -> None:
        self._source, self._now, self._home = source, now, home
        self._cities, self._names = _table("cities"), Names(**_table("names"))
        self._constants, self._glossary = forecast.Constants(**_table("constants")), _table("english")
        self._gazetteer: tuple[Any, Gazetteer] | None = None
        self._english: tuple[Any, english.English] | None = None

    async def answer(self, location: str, span: answer.Span, language: str = "ja") -> tuple[str, answer.Weather]:
        """Return the answer as text and as data, in that language (`ja` or `en`).

        Raises BadQuestion or NoForecast with a message for the asker, or Unreadable.
        """
        gazetteer = await self._places()
        place = _find(gazetteer, self._home if gazetteer.names_no_place(location) else location)
        response = await self._source.forecast(place.office)
        today = self._now().astimezone(JAPAN).date()
        outlook = forecast.read(response, self._constants, gazetteer.regions(place.office), place.region, today)
        days = _choose(outlook, span, today)
        recorded_on = await self._source.sample_of(place.office)
        weather = answer.compose(place, gazetteer.region_name(outlook.region), outlook, days, recorded_on)
        if language == "en":
            weather = (await self._translator()).translated(weather)
            return english.text(weather, span, today), weather
        return answer.text(weather, span, today), weather

    async def _places(self) -> Gazetteer:
        area = await self._source.area()
        if self._gazetteer is None or self._gazetteer[0] is not area:
            self._gazetteer = area, Gazetteer(area, self._cities, self._names)
        return self._gazetteer[1]

    async def _translator(self) -> english.English:
        area = await self._source.area()
        if self._english is None or self._english[0] is not area:
            self._english = area, english.English(area, self._constants.telops, self._glossary)
        return self._english[1]


def _table(name: str) -> dict[str, Any]:
    return dict(json.loads((agency.DATA / f"{name}.json").read_text(encoding="utf-8")))


def _find(gazetteer: Gazetteer, location: str) -> Place:
    if not location:
        raise BadQuestion(
            "場所が指定されていません。どこの天気を知りたいかを利用者に尋ね、location に地名を指定してください。",
            "No place is given. Ask the user where, and pass the name of the place as location.",
        )
    try:
        return gazetteer.find(location)
    except AmbiguousPlace as problem:
        english_names = ", ".join(f'"{gazetteer.english_name(name)}"' for name in problem.candidates)
        raise BadQuestion(
            f"「{location}」にあたる地域は複数あります。次のどれかを location に指定してください: {'、'.join(problem.candidates)}",
            f'"{location}" can mean several places; pass one of these as location: {english_names}',
        ) from problem
    except WideRegion as problem:
        raise BadQuestion(
            f"「{location}」は広い地方の名前で、ひとつの予報がありません。都道府県名か市区町村名(例: 横浜市、神奈川県)を location に指定してください。",
            f'"{location}" is a wide region without a forecast of its own; pass a prefecture or a municipality (such as Yokohama).',
        ) from problem
    except UnknownPlace as problem:
        raise BadQuestion(
            f"「{location}」に日本国内の地名が見つかりません。対応しているのは日本国内の天気だけです。"
            "国内の場所なら、市区町村名か都道府県名(例: 横浜市、神奈川県)を location に指定してください。",
            f'"{location}" is no place in Japan that is known here, and only Japan is covered. Pass a municipality or a prefecture.',
        ) from problem


def _choose(outlook: forecast.Outlook, span: answer.Span, today: date) -> list[forecast.Day]:
    spans = {"today": [today], "tomorrow": [today + timedelta(days=1)], "week": [day.day for day in outlook.days]}[span]
    days = [day for day in outlook.days if day.day in spans]
    if not days:
        raise agency.NoForecast(
            f"気象庁の予報({outlook.published_at:%Y-%m-%d %H:%M}発表)に{answer.SPANS[span]}の分がありません。"
            "しばらくしてからもう一度お試しください。",
            f"The agency's forecast of {outlook.published_at:%Y-%m-%d %H:%M} says nothing of that time ({span}). Try again in a while.",
        )
    return days


def create_server(source: agency.Source, *, now: Callable[[], datetime], home: str = "", language: str = "ja") -> MCPServer:
    """Build the server `weather` for one source of data. `now` determines which day is today.

    `language`: the one of its answers where a call names none and the place is not in Latin letters, as an English question has it.
    """
    server: MCPServer = MCPServer(
        "weather", title="天気予報", description=DESCRIPTION, instructions=INSTRUCTIONS, version=VERSION, log_level="WARNING"
    )
    forecaster, default_language = Forecaster(source, now, home), language

    @server.tool(
        title="天気予報",
        description=DESCRIPTION,
        annotations=ToolAnnotations(
            title="天気予報", read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=True
        ),
    )
    async def get_weather(
        location: Location, date: Span = "today", language: Language = None
    ) -> Annotated[CallToolResult, answer.Weather]:
        spoken = language or ("en" if _ENGLISH.fullmatch(location) else default_language)
        try:
            text, weather = await forecaster.answer(location, date, spoken)
        except (BadQuestion, agency.NoForecast) as problem:
            return _error(problem.english if spoken == "en" else str(problem))
        except forecast.Unreadable as problem:
            logging.getLogger(__name__).warning("the forecast for %r cannot be read: %s", location, problem)
            if spoken == "en":
                return _error("The agency's forecast cannot be read; its form may have changed. Tell the administrator.")
            return _error("気象庁の予報を読み取れません。形式が変わった可能性があるため、管理者に知らせてください。")
        return CallToolResult(content=[TextContent(type="text", text=text)], structured_content=weather.model_dump(mode="json"))

    return server


def _error(message: str) -> CallToolResult:
    return CallToolResult(content=[TextContent(type="text", text=message)], is_error=True)


def source_from(env: Mapping[str, str], now: Callable[[], datetime]) -> agency.Source:
    """Return the source that the environment names: recorded data in JIRITSU_WEATHER_DATA (`sample` or a directory), or the
    agency at JMA_BASE_URL. Raises ValueError for a directory without forecasts."""
    recorded = env.get("JIRITSU_WEATHER_DATA", "")
    if not recorded:
        return agency.Agency(env.get("JMA_BASE_URL") or agency.BASE_URL)
    directory = agency.DATA if recorded == "sample" else Path(recorded)
    if not (directory / "forecast").is_dir():
        raise ValueError(f"JIRITSU_WEATHER_DATA: {recorded!r} is neither `sample` nor a directory with a folder `forecast`")
    return agency.Recorded(directory, today=lambda: now().astimezone(JAPAN).date())


def _now() -> datetime:
    return datetime.now(JAPAN)


def main() -> None:
    """Serve over stdio. Problems are printed on stderr, one line each."""
    # before the server is made, because its constructor would set up the root logger to print framed tracebacks
    logging.basicConfig(level=logging.WARNING, format="weather: %(levelname)s %(name)s: %(message)s")
    try:
        source = source_from(os.environ, _now)
    except ValueError as problem:
        raise SystemExit(f"weather: {problem}") from None
    home, language = os.environ.get("JIRITSU_WEATHER_LOCATION", ""), os.environ.get("JIRITSU_LANGUAGE", "ja")
    create_server(source, now=_now, home=home, language=language).run("stdio")


if __name__ == "__main__":
    main()
