"""The firewall on tools/list: what is kept out and why, what is mended, and that nothing a server sends makes the SDK refuse a page."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from contextvars import ContextVar
from typing import Any

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCNotification, ListToolsResult, methods

from discovery.catalog import Quarantined
from discovery.gateway import open_gateway
from discovery.transport import firewall
from discovery.transport.firewall import BEYOND, MOST_TOOLS, OUTPUT_SCHEMA, QUARANTINED, screen
from discovery.transport.sdk import create_context_streams
from tests.support.server_configs import stdio_server

SOUND = {"name": "sound", "inputSchema": {"type": "object"}}


def nested(depth: int) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(depth):
        schema = {"type": "array", "items": schema}
    return {"type": "object", "properties": {"a": schema}}


@pytest.mark.parametrize(
    ("tool", "reason"),
    [
        ("a string", "is not an object"),
        ({"inputSchema": {"type": "object"}}, "has no name"),
        ({"name": "", "inputSchema": {"type": "object"}}, "has no name"),
        ({"name": "x" * 200, "inputSchema": {"type": "object"}}, "longer than 128"),
        ({"name": "a\nb", "inputSchema": {"type": "object"}}, "control or invisible"),
        ({"name": "a\u200bb", "inputSchema": {"type": "object"}}, "control or invisible"),
        (SOUND, "same name"),
        ({"name": "a"}, "inputSchema is not an object"),
        ({"name": "a", "inputSchema": True}, "inputSchema is not an object"),
        ({"name": "a", "inputSchema": {"type": "string"}}, "and not 'object'"),
        ({"name": "a", "inputSchema": {"type": "object", "required": "all"}}, "required"),
        ({"name": "a", "inputSchema": nested(100)}, "nested deeper"),
        ({"name": "a", "inputSchema": {"type": "object", "x": "y" * 70_000}}, "larger than 64000 bytes"),
    ],
)
def test_one_bad_tool_is_kept_out_with_a_reason_and_the_others_stay(tool: Any, reason: str) -> None:
    screened = screen({"tools": [SOUND, tool]})
    assert [kept["name"] for kept in screened["tools"]] == ["sound"]
    (out,) = screened["_meta"][QUARANTINED]
    assert reason in out["reason"]


def test_what_is_merely_odd_is_mended() -> None:
    odd = {
        "name": "ファイル/読む",
        "description": 7,
        "inputSchema": {"properties": {}, "required": None},
        "annotations": {"readOnlyHint": "yes", "idempotentHint": True},
        "icons": "none",
    }
    (tool,) = screen({"tools": [odd], "nextCursor": 5, "ttlMs": -1})["tools"]
    assert tool["inputSchema"] == {"type": "object", "properties": {}}
    assert tool["annotations"] == {"idempotentHint": True}
    assert tool["description"] == ""


def test_the_output_schema_is_set_aside_and_cannot_be_forged() -> None:
    result = screen(
        {"tools": [{**SOUND, "outputSchema": {"type": "object"}, "_meta": {"a": 1}}], "_meta": {QUARANTINED: ["forged"]}}
    )
    assert result["_meta"] == {QUARANTINED: []}
    assert result["tools"][0]["_meta"] == {OUTPUT_SCHEMA: {"type": "object"}, BEYOND: {"_meta": {"a": 1}}}
    assert "outputSchema" not in result["tools"][0]


def test_a_flood_of_tools_is_cut() -> None:
    screened = screen({"tools": [{"name": f"t{number}", "inputSchema": {}} for number in range(20_000)]})
    assert len(screened["tools"]) == MOST_TOOLS
    (told,) = screened["_meta"][QUARANTINED]
    assert told == {"tool": "", "reason": "of 20000 tools on one page the last 18000 are left out"}


@pytest.mark.parametrize("listed", ["none", None, {"a": SOUND}])
def test_what_is_no_list_of_tools_is_told_and_not_taken_for_an_empty_one(listed: object) -> None:
    (told,) = screen({"tools": listed})["_meta"][QUARANTINED]
    assert Quarantined(**told).line == "its list of tools is not a list"
    assert Quarantined(tool="a", reason="b").line == "a: b"


def test_a_tool_may_say_that_it_honours_keys_and_how_a_write_is_looked_up() -> None:
    said = {firewall.KEYED: True, firewall.LOOKUP: {"tool": "look"}}
    (tool,) = screen({"tools": [{**SOUND, "_meta": {**said, BEYOND: {"forged": 1}, "other": "x" * 20_000}}]})["tools"]
    assert tool["_meta"] == said


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.text(max_size=5),
    lambda children: st.lists(children, max_size=3) | st.dictionaries(st.text(max_size=5), children, max_size=3),
    max_leaves=8,
)
SCHEMA = st.fixed_dictionaries(
    {}, optional=dict.fromkeys(("type", "$schema", "properties", "required", "additionalProperties", "$defs", "anyOf"), JSON)
)
KEYS = ("name", "title", "description", "outputSchema", "annotations", "icons", "execution", "_meta")
TOOL = st.fixed_dictionaries({}, optional=dict.fromkeys(KEYS, JSON) | {"name": st.text(), "inputSchema": SCHEMA | JSON})


@given(
    st.lists(TOOL | JSON, max_size=4) | JSON,
    st.fixed_dictionaries(
        {}, optional={"nextCursor": JSON, "ttlMs": JSON, "cacheScope": JSON, "resultType": JSON, "_meta": JSON}
    ),
)
def test_no_listing_whatever_makes_the_sdk_refuse_the_page(tools: Any, rest: dict[str, Any]) -> None:
    screened = screen({"tools": [SOUND, *tools] if isinstance(tools, list) else tools, **rest})
    for version in ("2025-06-18", "2025-11-25", "2026-07-28"):
        methods.validate_server_result("tools/list", version, screened)
    ListToolsResult.model_validate(screened, by_name=False)


async def test_a_message_keeps_its_senders_context_on_the_way_through() -> None:
    asked_by: ContextVar[str] = ContextVar("asked_by", default="nobody")
    seen = []

    @asynccontextmanager
    async def transport() -> AsyncIterator[Any]:
        to_session, from_server = anyio.create_memory_object_stream[Any](0)
        to_server, from_session = create_context_streams[SessionMessage](0)
        async with anyio.create_task_group() as tasks, to_session, from_server, to_server, from_session:
            tasks.start_soon(listen, from_session)
            yield from_server, to_server
            tasks.cancel_scope.cancel()

    async def listen(stream: Any) -> None:
        async for _ in stream:
            seen.append(stream.last_context[asked_by])

    with anyio.fail_after(240):
        async with firewall.buffered(transport()) as (_, write):
            for name in ("one", "two"):
                asked_by.set(name)
                await write.send(SessionMessage(JSONRPCNotification(jsonrpc="2.0", method="x")))
            await anyio.wait_all_tasks_blocked()
    assert seen == ["one", "two"]


async def test_a_bad_tool_of_a_real_server_is_reported_with_its_provider() -> None:
    recursive = {"type": "object", "properties": {"next": {"$ref": "#"}}}
    listed = [
        SOUND,
        {"name": "no_schema"},
        {"name": "recursive", "inputSchema": recursive},
        {"name": "dangling", "inputSchema": {"type": "object", "properties": {"a": {"$ref": "#/$defs/none"}}}},
    ]
    async with open_gateway([stdio_server("s", list=listed)]) as gateway:
        catalog = await gateway.catalog()
    assert [spec.name for spec in catalog.tools] == ["s_recursive", "s_sound"]
    reasons = {item.tool: item.reason for item in catalog.providers[0].quarantined}
    assert set(reasons) == {"no_schema", "dangling"}
    assert "not in it" in reasons["dangling"]
