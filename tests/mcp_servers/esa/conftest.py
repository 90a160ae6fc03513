"""A small team as a directory of posts, a clock that stands still, and a way to call one tool."""

import os
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp.server.mcpserver import MCPServer
from mcp_types import CallToolResult

from mcp_servers.esa.local import LocalTeam
from mcp_servers.esa.server import IDEMPOTENCY_KEY, build_server

JST = timezone(timedelta(hours=9))
NOW = datetime(2026, 11, 21, 18, 30, tzinfo=JST)

Call = Callable[..., Awaitable[CallToolResult]]

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


def caller(server: MCPServer[None]) -> Call:
    async def call(tool: str, key: str | None = None, **arguments: Any) -> CallToolResult:
        async with Client(server) as client:
            return await client.call_tool(tool, arguments, meta={IDEMPOTENCY_KEY: key} if key else None)

    return call


def content(result: CallToolResult) -> dict[str, Any]:
    """The structured answer of a call that went well."""
    assert not result.is_error, result.content
    assert isinstance(result.structured_content, dict)
    return result.structured_content


def refusal(result: CallToolResult) -> str:
    """The sentence of a call that did not go well."""
    assert result.is_error
    return "".join(getattr(block, "text", "") for block in result.content)
