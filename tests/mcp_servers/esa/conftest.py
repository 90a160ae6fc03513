"""A small team as a directory of posts, a clock that stands still, and a way to call one tool."""

import os
from collections.abc import AsyncIterator, Callable
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from mcp.server.mcpserver import MCPServer
from mcp_types import CallToolResult

from mcp_servers.esa.api_client import ApiClient
from mcp_servers.esa.esa_api import ApiTeam
from mcp_servers.esa.local import LocalTeam
from mcp_servers.esa.server import build_server
from tests.support.esa import EsaApi
from tests.support.tool_calls import Call, caller, content

JST = timezone(timedelta(hours=9))
NOW = datetime(2026, 11, 21, 18, 30, tzinfo=JST)

POSTS = {
    "日報/2026/11/19/遥の日報.md": (
        "---\nnumber: 11\ntitle: 遥の日報\ntags: 日報, 開発\npublished: true\ncreated_at: 2026-11-19T18:00:00+09:00\n"
        "updated_at: 2026-11-20 09:00:00 +0900\ncreated_by: haruka\nreviewed: yes\n---\n\n索引を足しました。\n"
    ),
    "日報/2026/11/20/健太の日報.md": (
        "---\nnumber: 12\ntitle: 健太の日報\ntags: [日報]\npublished: false\ncreated_at: 2026-11-20T18:00:00+09:00\ncreated_by: kenta\n---\n\nReview をしました。\n"
    ),
    "日報のきまり.md": "# 日報のきまり\n\n短く書く。\n",
}

DIARY = {"name": "遥の日記", "category": "AI代筆日記/2026/11/21", "body_md": "## やったこと\n\n- 直した\n"}


@pytest.fixture
def posts(tmp_path: Path) -> Path:
    directory = tmp_path / "posts"
    for path, text in POSTS.items():
        (directory / path).parent.mkdir(parents=True, exist_ok=True)
        (directory / path).write_text(text)
        os.utime(directory / path, (1_790_000_000, 1_790_000_000))  # in September 2026: the day of a post whose head names none
    return directory


@pytest.fixture
def server(posts: Path) -> MCPServer[None]:
    return build_server(LocalTeam(posts, "jiritsu", JST, lambda: NOW))


@pytest.fixture
def call(server: MCPServer[None]) -> Call:
    """Call one tool of the server, the way a host does."""
    return caller(server)


@pytest.fixture
async def esa() -> AsyncIterator[EsaApi]:
    """The same team behind a fake of esa's API."""
    async with EsaApi(clock=NOW.timestamp) as fake:
        day = {"created_at": "2026-11-19T18:00:00+09:00", "updated_at": "2026-11-20T09:00:00+09:00"}
        fake.add_post(
            "遥の日報",
            number=11,
            category="日報/2026/11/19",
            body_md="索引を足しました。\n",
            tags=["日報", "開発"],
            wip=False,
            **day,
        )
        day = {"created_at": "2026-11-20T18:00:00+09:00", "updated_at": "2026-11-20T18:00:00+09:00"}
        fake.add_post(
            "健太の日報",
            number=12,
            category="日報/2026/11/20",
            body_md="Review をしました。\n",
            user="kenta",
            tags=["日報"],
            **day,
        )
        yield fake


def over_api(fake: EsaApi, *, now: Callable[[], datetime] = lambda: NOW, slept: list[float] | None = None) -> Call:
    """Call one tool of a server that speaks to the fake; waiting costs no time and is noted in `slept`."""

    async def sleep(seconds: float) -> None:
        (slept if slept is not None else []).append(seconds)

    async def call(tool: str, key: str | None = None, **arguments: Any) -> CallToolResult:
        return await caller(build_server(ApiTeam(ApiClient(fake.TOKEN, fake.TEAM, fake.url, now, sleep))))(tool, key, **arguments)

    return call


@pytest.fixture(params=["local", "api"])
def both(request: pytest.FixtureRequest, call: Call, esa: EsaApi) -> Call:
    """Call one tool, once over each backend."""
    return call if request.param == "local" else over_api(esa)


async def names(call: Call, q: str = "", **more: object) -> list[str]:
    """The names of the posts a search finds."""
    return [post["name"] for post in content(await call("esa_list_posts", q=q, **more))["posts"]]
