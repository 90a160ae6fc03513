"""Asking the agency as it should be asked, and what happens when it does not answer."""

import json
from collections.abc import Iterator
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import Any

import anyio
import pytest

from mcp_servers.weather.agency import DATA, Agency, NoForecast, Recorded
from tests.mcp_servers.weather.recordings import AREA, recorded
from tests.requirements import requirement
from tests.support.jma import FakeJma, running_jma

TOKYO = "forecast/data/forecast/130000.json"


class Clock:
    """Monotonic seconds that pass when told to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def jma() -> Iterator[FakeJma]:
    with running_jma() as fake:
        fake.serve("common/const/area.json", AREA)
        fake.serve(TOKYO, recorded("130000_20240710T1100"))
        yield fake


@requirement("W2")
async def test_a_forecast_is_read_from_the_agencys_file_with_a_name_to_ask_by(jma: FakeJma) -> None:
    found = await Agency(jma.base_url).forecast("130000")
    assert found == recorded("130000_20240710T1100")
    assert [request.path for request in jma.requests] == ["/bosai/" + TOKYO]
    assert "jiritsu" in jma.requests[0].headers["user-agent"]


async def test_within_ten_minutes_the_agency_is_asked_once(jma: FakeJma) -> None:
    clock = Clock()
    agency = Agency(jma.base_url, clock=clock)
    await agency.forecast("130000")
    clock.now += 599
    await agency.forecast("130000")
    assert len(jma.requests) == 1


async def test_later_it_is_asked_only_whether_there_is_something_new(jma: FakeJma) -> None:
    clock = Clock()
    agency = Agency(jma.base_url, clock=clock)
    first = await agency.forecast("130000")
    clock.now += 601
    assert await agency.forecast("130000") is first  # 304: nothing was sent again
    assert jma.requests[1].headers["if-none-match"]
    clock.now += 601
    jma.serve(TOKYO, recorded("130000_20250115T0500"))
    assert await agency.forecast("130000") == recorded("130000_20250115T0500")


async def test_many_questions_at_once_are_one_request(jma: FakeJma) -> None:
    agency = Agency(jma.base_url)
    with anyio.fail_after(240):
        async with anyio.create_task_group() as group:
            for _ in range(20):
                group.start_soon(agency.forecast, "130000")
    assert len(jma.requests) == 1


@pytest.mark.parametrize("has_older_copy", [True, False])
async def test_many_questions_at_once_are_one_request_also_where_none_is_answered(jma: FakeJma, has_older_copy: bool) -> None:
    clock = Clock()
    agency = Agency(jma.base_url, clock=clock)
    if has_older_copy:
        await agency.forecast("130000")
        clock.now += 601

    async def ask() -> None:
        with suppress(NoForecast):
            await agency.forecast("130000")

    jma.status = 503
    for times in (1, 2):  # a later one asks anew
        jma.requests.clear()
        async with anyio.create_task_group() as group:
            for _ in range(20):
                group.start_soon(ask)
        assert len(jma.requests) == 1, times


@pytest.mark.parametrize(("office", "served_by"), [("014030", "014100"), ("460040", "460100")])
async def test_offices_without_a_file_are_read_from_their_neighbours(jma: FakeJma, office: str, served_by: str) -> None:
    jma.serve(f"forecast/data/forecast/{served_by}.json", ["the neighbour's"])
    assert await Agency(jma.base_url).forecast(office) == ["the neighbour's"]


async def test_an_older_copy_serves_while_the_agency_is_down(jma: FakeJma) -> None:
    clock = Clock()
    agency = Agency(jma.base_url, clock=clock)
    first = await agency.forecast("130000")
    clock.now += 601
    jma.status = 503
    assert await agency.forecast("130000") == first
    jma.status = 200
    jma.serve(TOKYO, ["newer"])
    assert await agency.forecast("130000") == ["newer"]


@pytest.mark.parametrize("status", [404, 429, 500, 503])
async def test_an_error_of_the_agency_is_told_in_words(jma: FakeJma, status: int) -> None:
    jma.status = status
    with pytest.raises(NoForecast, match=f"HTTP {status}.*もう一度"):
        await Agency(jma.base_url).forecast("130000")


async def test_an_answer_that_is_no_json_is_told_in_words(jma: FakeJma) -> None:
    jma.serve(TOKYO, b"<html>maintenance</html>")
    with pytest.raises(NoForecast, match="読み取れない"):
        await Agency(jma.base_url).forecast("130000")


async def test_no_network_is_told_in_words() -> None:
    with running_jma() as gone:
        pass
    with pytest.raises(NoForecast, match="接続できません"):
        await Agency(gone.base_url).forecast("130000")


async def test_without_the_live_list_of_areas_the_shipped_one_serves_for_ten_minutes(jma: FakeJma) -> None:
    clock = Clock()
    agency = Agency(jma.base_url, clock=clock)
    jma.status = 500
    assert await agency.area() == AREA
    clock.now += 599
    assert await agency.area() == AREA
    assert len(jma.requests) == 1
    jma.status = 200
    jma.serve("common/const/area.json", {"newer": True})
    clock.now += 2
    assert await agency.area() == {"newer": True}


def test_an_address_that_is_no_web_address_is_refused() -> None:
    with pytest.raises(ValueError, match="JMA_BASE_URL"):
        Agency("file:///etc")


def test_every_shipped_forecast_says_where_it_comes_from() -> None:
    sources = (DATA / "SOURCES.md").read_text(encoding="utf-8")
    assert [file.name for file in (DATA / "forecast").iterdir() if file.stem not in sources] == []


async def test_a_recorded_forecast_moves_to_today_as_a_whole() -> None:
    source = Recorded(DATA, today=lambda: date(2030, 1, 1))
    moved, original = await source.forecast("130000"), json.loads((DATA / "forecast" / "130000.json").read_text())
    assert _times(moved)[0] == "2030-01-01T05:00:00+09:00"
    assert [at[10:] for at in _times(moved)] == [at[10:] for at in _times(original)]
    assert moved[0]["timeSeries"][0]["areas"] == original[0]["timeSeries"][0]["areas"]
    assert await source.sample_of("130000") == date(2026, 3, 12)


async def test_an_area_that_was_not_recorded_is_said_to_be_missing(tmp_path: Path) -> None:
    (tmp_path / "forecast").mkdir()
    with pytest.raises(NoForecast, match="サンプルデータはありません"):
        await Recorded(tmp_path, today=lambda: date(2030, 1, 1)).forecast("130000")


def _times(response: Any) -> list[str]:
    return [at for part in response for series in part["timeSeries"] for at in series["timeDefines"]]
