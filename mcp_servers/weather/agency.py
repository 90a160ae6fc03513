"""Fetches forecasts of the Japan Meteorological Agency over HTTP or from recorded files.

The HTTP source is polite to the agency's unofficial interface: it sends its name and ETags, and requests a file at most once in
ten minutes. Reading blocks, so it happens in a worker thread.
"""

import http.client
import json
import re
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any, Protocol

import anyio
import anyio.to_thread

DATA = Path(__file__).resolve().parent / "data"
"""The server's data files: tables of constants, a list of areas, and a few recorded forecasts."""

BASE_URL = "https://www.jma.go.jp/bosai"
USER_AGENT = "jiritsu-weather/0.1 (MCP server)"
AREA = "common/const/area.json"
FORECAST_FRESH_S = 600.0
AREA_FRESH_S = 86_400.0
TIMEOUT_S = 10.0

SERVED_BY = {"014030": "014100", "460040": "460100"}
"""Office → the office whose file contains its forecast: 十勝 is in that of 釧路, and 奄美 in that of 鹿児島."""


class NoForecast(Exception):
    """The data is not available now. The message, in Japanese and as `english`, tells the reader what to do."""

    def __init__(self, japanese: str, english: str) -> None:
        self.english = english
        super().__init__(japanese)


class Source(Protocol):
    """A source of the two files that an answer is made of."""

    async def area(self) -> Any:
        """Return `area.json`, with every area of Japan."""

    async def forecast(self, office: str) -> Any:
        """Return `forecast/{office}.json`. Raises NoForecast."""

    async def sample_of(self, office: str) -> date | None:
        """Return the day on which a recorded forecast was made; None if the forecast is real."""


@dataclass(frozen=True)
class Copy:
    """A cached answer of the agency, its validator, and when it was last confirmed (monotonic seconds)."""

    content: Any
    etag: str | None
    confirmed_at: float


class Agency:
    """Reads the agency's files over HTTP."""

    def __init__(self, base_url: str = BASE_URL, *, clock: Callable[[], float] = time.monotonic) -> None:
        if not base_url.startswith(("http://", "https://")):
            raise ValueError(f"JMA_BASE_URL: {base_url!r} is not an http(s) address")
        self._base_url, self._clock = base_url.rstrip("/"), clock
        self._copies: dict[str, Copy] = {}
        self._failures: dict[str, NoForecast] = {}
        self._locks: dict[str, anyio.Lock] = {}

    async def area(self) -> Any:
        """Return the current list of areas. If that fails, return the included one for ten minutes, because areas rarely
        change."""
        try:
            return await self._get(AREA, AREA_FRESH_S)
        except NoForecast:
            shipped = await anyio.to_thread.run_sync(_load, DATA / "area.json")
            self._copies[AREA] = Copy(shipped, None, self._clock() - AREA_FRESH_S + FORECAST_FRESH_S)
            return shipped

    async def forecast(self, office: str) -> Any:
        """Return the newest forecast, at most ten minutes old, or an older copy if the agency does not answer."""
        return await self._get(f"forecast/data/forecast/{SERVED_BY.get(office, office)}.json", FORECAST_FRESH_S)

    async def sample_of(self, office: str) -> date | None:
        """Return None, because forecasts of the agency are real."""
        return None

    async def _get(self, path: str, fresh_s: float) -> Any:
        earlier = self._failures.get(path)
        async with self._locks.setdefault(path, anyio.Lock()):  # so that many questions at once cause one request
            known = self._copies.get(path)
            if known and self._clock() - known.confirmed_at < fresh_s:
                return known.content
            if self._failures.get(path) is earlier:  # else the request that was waited for has failed
                try:
                    self._copies[path] = await anyio.to_thread.run_sync(self._request, path, known, abandon_on_cancel=True)
                    return self._copies[path].content
                except (OSError, ValueError, http.client.HTTPException) as problem:
                    self._failures[path] = NoForecast(*_explain(problem))
            if known is None:
                raise self._failures[path].with_traceback(None)
            return known.content

    def _request(self, path: str, known: Copy | None) -> Copy:
        headers = {"User-Agent": USER_AGENT} | ({"If-None-Match": known.etag} if known and known.etag else {})
        request = urllib.request.Request(f"{self._base_url}/{path}", headers=headers)  # noqa: S310 - http(s) only, see __init__
        try:
            with urllib.request.urlopen(request, timeout=TIMEOUT_S) as answer:  # noqa: S310
                return Copy(json.load(answer), answer.headers.get("ETag"), self._clock())
        except urllib.error.HTTPError as problem:
            with problem:
                if problem.code == 304 and known:
                    return Copy(known.content, known.etag, self._clock())
                raise


class Recorded:
    """Reads recorded forecasts from `directory/forecast/{office}.json`, with dates moved so that their first day is today."""

    def __init__(self, directory: Path, *, today: Callable[[], date]) -> None:
        self._directory, self._today = directory, today
        self._area: Any = None

    async def area(self) -> Any:
        """Return the directory's own `area.json`, or the included one."""
        own = self._directory / "area.json"
        if self._area is None:
            self._area = await anyio.to_thread.run_sync(lambda: _load(own if own.exists() else DATA / "area.json"))
        return self._area

    async def forecast(self, office: str) -> Any:
        """Return the recorded forecast with every date moved by the same number of days."""
        text = await self._text(office)
        moved_by = self._today() - _first_day(json.loads(text))
        moved = re.sub(r"\d{4}-\d\d-\d\d(?=T)", lambda day: (date.fromisoformat(day[0]) + moved_by).isoformat(), text)
        return json.loads(moved)

    async def sample_of(self, office: str) -> date | None:
        """Return the day on which it was recorded."""
        return _first_day(json.loads(await self._text(office)))

    async def _text(self, office: str) -> str:
        file = self._directory / "forecast" / f"{SERVED_BY.get(office, office)}.json"
        try:
            return await anyio.to_thread.run_sync(lambda: file.read_text(encoding="utf-8"))
        except OSError as problem:
            raise NoForecast(
                "この地域のサンプルデータはありません。東京・大阪・札幌など、別の地域を指定してください。",
                "The sample has no data for this region; name another one, such as Tokyo, Osaka or Sapporo.",
            ) from problem


def _load(file: Path) -> Any:
    return json.loads(file.read_text(encoding="utf-8"))


def _first_day(response: Any) -> date:
    return date.fromisoformat(response[0]["timeSeries"][0]["timeDefines"][0][:10])


def _explain(problem: Exception) -> tuple[str, str]:
    """Return what is wrong and what to do, in Japanese and in English."""
    if isinstance(problem, urllib.error.HTTPError):
        return (
            f"気象庁のサーバーがエラー（HTTP {problem.code}）を返しました。しばらくしてからもう一度お試しください。",
            f"The agency's server answered with an error (HTTP {problem.code}). Try again in a while.",
        )
    if isinstance(problem, ValueError):
        return (
            "気象庁から読み取れないデータが返りました。しばらくしてからもう一度お試しください。",
            "The agency sent data that cannot be read. Try again in a while.",
        )
    return (
        "気象庁のサーバーに接続できません。ネットワークを確かめ、しばらくしてからもう一度お試しください。",
        "The agency's server cannot be reached. Check the network, and try again in a while.",
    )
