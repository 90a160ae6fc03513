"""A small workspace as an export, a clock that stands still, and a way to call one tool."""

import copy
import json
from collections.abc import AsyncIterator
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from mcp.server.mcpserver import MCPServer
from mcp_types import CallToolResult

from mcp_servers.slack.export import ExportWorkspace
from mcp_servers.slack.server import build_server
from mcp_servers.slack.web_api import WebApiWorkspace
from mcp_servers.slack.web_client import WebClient
from tests.support.slack_web import SlackWeb
from tests.support.tool_calls import Call, caller, content

JST = timezone(timedelta(hours=9))
NOW = datetime(2026, 11, 20, 18, 30, tzinfo=JST)


def ts(day: int, clock: str, micro: int = 0) -> str:
    """A timestamp on a day of November 2026 in Japan."""
    hour, minute = map(int, clock.split(":"))
    return f"{int(datetime(2026, 11, day, hour, minute, tzinfo=JST).timestamp())}.{micro:06d}"


def said(user: str, at: str, text: str, **more: Any) -> dict[str, Any]:
    return {"type": "message", "user": user, "ts": at, "text": text, **more}


DAYS = {
    ("general", "2026-11-18"): [said("U1", ts(18, "10:00"), "水曜の話", thread_ts=ts(18, "10:00"))],
    ("general", "2026-11-19"): [said("U2", ts(19, "09:00"), "きのうの話 <@U1> &amp; <#C2|dev>", reactions=[{"name": "+1", "users": ["U1"], "count": 1}])],
    ("general", "2026-11-20"): [
        said("U1", ts(20, "09:00"), "おはよう"),
        said("U2", ts(20, "10:00"), "レビューお願いします", thread_ts=ts(20, "10:00")),
        said("U1", ts(20, "10:05"), "見ました", thread_ts=ts(20, "10:00")),
        said("U1", ts(20, "11:00"), "水曜の話の続き", thread_ts=ts(18, "10:00")),
    ],
    ("dev", "2026-11-20"): [said("U2", ts(20, "12:00"), "dev の話 https://example.test")],
}  # fmt: skip


PEOPLE = [
    {"id": "U1", "name": "haruka", "real_name": "佐藤 遥", "tz": None, "profile": {"display_name": "遥", "email": "haruka@example.test", "title": "開発"}},
    {"id": "U2", "name": "kenta", "real_name": "田中 健太", "tz": "America/New_York", "is_restricted": True, "profile": {}},
    {"id": "U3", "name": "kenta2", "real_name": "田中 健太", "profile": {}, "deleted": True},
]  # fmt: skip


@pytest.fixture
def export(tmp_path: Path) -> Path:
    directory = tmp_path / "export"
    directory.mkdir()
    channels = [
        {"id": "C1", "name": "general", "members": ["U1", "U2"], "topic": {"value": "みんな"}},
        {"id": "C2", "name": "dev"},
    ]
    (directory / "users.json").write_text(json.dumps(PEOPLE))
    (directory / "channels.json").write_text(json.dumps(channels))
    for (channel, day), messages in DAYS.items():
        (directory / channel).mkdir(exist_ok=True)
        (directory / channel / f"{day}.json").write_text(json.dumps(messages))
    return directory


@pytest.fixture
def outbox(tmp_path: Path) -> Path:
    return tmp_path / "sent" / "outbox.jsonl"


@pytest.fixture
def server(export: Path, outbox: Path) -> MCPServer[None]:
    return build_server(ExportWorkspace(export, outbox, JST, lambda: NOW), JST, lambda: NOW)


@pytest.fixture
def call(server: MCPServer[None]) -> Call:
    """Call one tool of the server, the way a host does."""
    return caller(server)


@pytest.fixture
async def slack() -> AsyncIterator[SlackWeb]:
    """The same workspace behind a fake of Slack's Web API."""
    async with SlackWeb(clock=NOW.timestamp) as fake:
        fake.users.clear()
        for person in copy.deepcopy(PEOPLE):
            fake.users[person["id"]] = {"is_bot": False, **person}
        for channel_id, name in (("C1", "general"), ("C2", "dev")):
            fake.add_channel(name, channel_id=channel_id)
            for message in (one for (channel, _), messages in DAYS.items() if channel == name for one in copy.deepcopy(messages)):
                fake.say(channel_id, message.pop("user"), message.pop("text"), **message)
        yield fake


def over_web(fake: SlackWeb, *, user_token: str | None = SlackWeb.USER_TOKEN, slept: list[float] | None = None) -> Call:
    """Call one tool of a server that speaks to the fake; waiting costs no time and is noted in `slept`."""

    async def sleep(seconds: float) -> None:
        (slept if slept is not None else []).append(seconds)

    async def call(tool: str, key: str | None = None, **arguments: Any) -> CallToolResult:
        bot = WebClient(SlackWeb.BOT_TOKEN, fake.url, sleep)
        user = WebClient(user_token, fake.url, sleep) if user_token else None
        return await caller(build_server(WebApiWorkspace(bot, user, JST, lambda: NOW), JST, lambda: NOW))(tool, key, **arguments)

    return call


@pytest.fixture(params=["export", "web"])
def both(request: pytest.FixtureRequest, call: Call, slack: SlackWeb) -> Call:
    """Call one tool, once over each backend."""
    return call if request.param == "export" else over_web(slack)


def texts(result: CallToolResult) -> list[str]:
    """The texts of a page of messages."""
    assert not result.is_error, result.content
    return [message["text"] for message in content(result)["messages"]]
