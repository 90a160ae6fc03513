"""The tool as a client meets it: the answers, the refusals, the promises it makes about itself."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import anyio
import pytest
from mcp import Client, StdioServerParameters, stdio_client
from mcp.types import CallToolResult

from mcp_servers.weather.agency import Agency
from mcp_servers.weather.server import create_server, source_from
from tests.mcp_servers.weather.recordings import AREA, JAPAN, recorded
from tests.requirements import requirement
from tests.support.command import warm_interpreter
from tests.support.jma import FakeJma, running_jma
from tests.support.sampling import in_part
from tests.support.tool_calls import words


@pytest.fixture
def jma() -> Iterator[FakeJma]:
    with running_jma() as fake:
        fake.serve("common/const/area.json", AREA)
        fake.serve("forecast/data/forecast/130000.json", recorded("130000_20240710T1100"))
        yield fake


NOON = datetime(2024, 7, 10, 12, tzinfo=JAPAN)


async def ask(jma: FakeJma, location: str, date: str | None = None, *, now: datetime = NOON, home: str = "") -> CallToolResult:
    arguments = {"location": location} | ({"date": date} if date else {})
    async with Client(create_server(Agency(jma.base_url), now=lambda: now, home=home)) as client:
        return await client.call_tool("get_weather", arguments)


@requirement("W1", "W2")
async def test_the_weather_of_today_is_told_in_japanese_with_its_source(jma: FakeJma) -> None:
    result = await ask(jma, "東京")
    assert not result.is_error
    assert words(result) == (
        "東京都(東京地方)の今日の天気\n"
        "今日 7月10日(水): くもり 所により 昼過ぎ から 雨 で 雷を伴う\n"
        "気温: 最高34℃(東京)\n"
        "降水確率: 12-18時 30% / 18-24時 20%\n"
        "傘の目安: あると安心(降水確率は最大30%)\n"
        "風: 南の風 23区西部 では 南西の風 やや強く\n"
        "波: 1メートル 後 1.5メートル\n"
        "気象庁 2024年7月10日11時発表 出典:気象庁ホームページ(天気予報を加工して作成)"
    )


@requirement("W1")
async def test_the_weather_of_tomorrow_has_both_temperatures(jma: FakeJma) -> None:
    result = await ask(jma, "東京", "tomorrow")
    assert "明日 7月11日(木)" in words(result)
    assert "気温: 最低27℃ 最高31℃(東京)" in words(result)
    assert "傘の目安: 必要" in words(result)


@requirement("W1")
async def test_the_week_is_a_line_for_each_day(jma: FakeJma) -> None:
    lines = words(await ask(jma, "東京", "week")).splitlines()
    assert lines[0] == "東京都(東京地方)の週間天気予報"
    assert lines[4] == "7月13日(土): 曇一時雨 / 最低24℃ 最高30℃ / 降水確率 50% / 信頼度 C"
    assert len(lines) == 1 + 8 + 1


@requirement("C4")
async def test_whether_an_umbrella_is_needed_is_in_the_data(jma: FakeJma) -> None:
    result = await ask(jma, "東京")
    assert result.structured_content
    (today,) = result.structured_content["days"]
    assert (today["rain_percent"], today["umbrella"], today["temp_min_c"]) == (30, "あると安心", None)
    assert [chance["percent"] for chance in today["rain_chances"]] == [30, 20]
    assert result.structured_content["source"].startswith("出典:気象庁")
    assert result.structured_content["sample"] is False


async def test_today_is_japans_day_wherever_the_server_runs(jma: FakeJma) -> None:
    jma.serve("forecast/data/forecast/130000.json", recorded("130000_fetched20220222T0010_report20220221T2000"))
    result = await ask(jma, "東京", now=datetime(2022, 2, 21, 15, 10, tzinfo=UTC))  # 00:10 in Japan
    assert "今日 2月22日(火): 晴れ 昼前 から 時々 くもり" in words(result)
    assert "最低-1℃ 最高9℃" in words(result)


@requirement("W4")
async def test_a_place_abroad_is_refused_with_what_to_do_next(jma: FakeJma) -> None:
    result = await ask(jma, "ロンドン")
    assert result.is_error
    assert "日本国内の天気だけ" in words(result)
    assert "市区町村名" in words(result)
    assert jma.asked("forecast/data") == []


async def test_a_name_of_several_places_is_answered_with_the_choice(jma: FakeJma) -> None:
    result = await ask(jma, "府中市")
    assert result.is_error
    assert "広島県府中市、東京都府中市" in words(result)


@requirement("C4")
@pytest.mark.parametrize(
    "question", ["", " ", "今日は傘が必要？", "明日の天気を教えてください", "週間天気予報", "傘を持って行ったほうがいいですか？"]
)
async def test_without_a_place_the_home_is_meant_and_without_a_home_the_user_is_to_be_asked(jma: FakeJma, question: str) -> None:
    assert words(await ask(jma, question, home="東京")).startswith("東京都")
    result = await ask(jma, question)
    assert result.is_error
    assert "利用者に尋ね" in words(result)


async def test_the_home_never_stands_in_for_a_place_that_is_not_known(jma: FakeJma) -> None:
    result = await ask(jma, "ロンドンは今日雨？", home="東京")
    assert result.is_error
    assert "日本国内の天気だけ" in words(result)


async def test_a_forecast_too_old_for_the_day_asked_is_no_answer(jma: FakeJma) -> None:
    result = await ask(jma, "東京", now=datetime(2024, 8, 1, tzinfo=JAPAN))
    assert result.is_error
    assert "2024-07-10 11:00発表" in words(result)


async def test_a_new_format_is_admitted(jma: FakeJma) -> None:
    jma.serve("forecast/data/forecast/130000.json", {"version": 2})
    result = await ask(jma, "東京")
    assert result.is_error
    assert "形式が変わった" in words(result)


async def test_the_agencys_failure_is_an_answer_not_an_exception(jma: FakeJma) -> None:
    jma.status = 503
    result = await ask(jma, "東京")
    assert result.is_error
    assert "HTTP 503" in words(result)


async def test_another_day_than_the_three_is_refused_by_the_schema(jma: FakeJma) -> None:
    result = await ask(jma, "東京", "yesterday")
    assert result.is_error
    assert "'today', 'tomorrow' or 'week'" in words(result)


@requirement("W1")
async def test_the_tool_says_what_it_takes_gives_and_does(jma: FakeJma) -> None:
    async with Client(create_server(Agency(jma.base_url), now=lambda: NOON)) as client:
        (tool,) = (await client.list_tools()).tools
    assert (tool.name, tool.input_schema["required"]) == ("get_weather", ["location"])
    assert tool.input_schema["properties"]["date"]["enum"] == ["today", "tomorrow", "week"]
    assert tool.input_schema["properties"]["date"]["default"] == "today"
    assert tool.output_schema
    assert tool.output_schema["properties"].keys() >= {"place", "days", "source", "sample"}
    hints = tool.annotations
    assert hints
    assert (hints.title, hints.read_only_hint, hints.idempotent_hint, hints.open_world_hint) == ("天気予報", True, True, True)


@requirement("L6", "C4")
@pytest.mark.parametrize(
    "location",
    in_part(["東京", "大阪の明日の天気は？", "札幌", "京都", "広島", "那覇", "長崎", "青森", "長野", "鹿児島"], every=3),
)
async def test_the_samples_answer_for_today_without_a_network_and_say_what_they_are(location: str) -> None:
    def now() -> datetime:
        return datetime(2026, 11, 21, 9, tzinfo=JAPAN)

    async with Client(create_server(source_from({"JIRITSU_WEATHER_DATA": "sample"}, now), now=now)) as client:
        for span in ("today", "tomorrow", "week"):
            result = await client.call_tool("get_weather", {"location": location, "date": span})
            assert not result.is_error
            assert words(result).startswith("【サンプルデータ】")
            assert result.structured_content
            assert result.structured_content["sample"] is True
    assert "今日 11月21日(土)" in words(result)


def test_a_directory_of_samples_that_is_none_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="JIRITSU_WEATHER_DATA"):
        source_from({"JIRITSU_WEATHER_DATA": str(tmp_path / "missing")}, lambda: NOON)


@requirement("W2")
async def test_the_module_asks_the_agency_at_the_address_of_the_environment(tmp_path: Path) -> None:
    with running_jma() as jma:
        jma.serve("common/const/area.json", AREA)
        jma.serve("forecast/data/forecast/130000.json", recorded("130000_20240710T1100"))
        server = StdioServerParameters(
            command=warm_interpreter(), args=["-P", "-m", "mcp_servers.weather"], cwd=tmp_path, env={"JMA_BASE_URL": jma.base_url}
        )
        with anyio.fail_after(240), (tmp_path / "log").open("w") as log:
            async with Client(stdio_client(server, errlog=log)) as client:
                result = await client.call_tool("get_weather", {"location": "東京"})
    assert result.is_error  # the recording is of 2024: nothing is made up for today
    assert jma.asked("130000.json")
