"""The Slack app against a fake Slack, over real HTTP and websockets."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp.server.mcpserver import MCPServer

from autonomy.llm.scripted import calling
from tests.requirements import requirement
from tests.support.house import READ
from tests.support.slack import Slack
from tests.support.slack_house import slack_house


@pytest.fixture
async def slack() -> AsyncIterator[Slack]:
    async with Slack() as fake:
        yield fake


def weather() -> MCPServer[Any]:
    server: MCPServer[Any] = MCPServer("weather")

    @server.tool(annotations=READ)
    def get_weather(location: str) -> str:
        """The weather of a place."""
        return f"{location}: 晴れ"

    return server


@requirement("C4", "C6")
async def test_a_mention_is_answered_once_in_its_thread_although_it_comes_as_two_events(slack: Slack, tmp_path: Path) -> None:
    haruka, general = slack.add_user("haruka"), slack.add_channel("general")
    script = [calling(("weather_get_weather", {"location": "東京"})), "東京は晴れです。"]
    with anyio.fail_after(10):
        async with slack_house(tmp_path, slack, weather(), script=script) as here:
            ts = await slack.mention(general, haruka, "東京の天気を教えて", twice=True)
            answer = await slack.answer_in(general, ts)
            await slack.until(lambda: all(one.acknowledged_at for one in slack.envelopes))
    assert slack.words(answer) == "東京は晴れです。"
    assert len(slack.thread(general, ts)) == 1
    assert len(here.house.model.requests) == 2
    assert [status[1:] for status in slack.statuses] == [(general, ts, "考えています…")]
