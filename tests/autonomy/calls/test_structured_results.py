"""Structured content reaches the model, and is held against what the tool promised."""

import json
from typing import Any

import pytest
from mcp.server.lowlevel import Server
from mcp_types import CallToolResult, ListToolsResult, TextContent, Tool

from autonomy.calls.results.result_truncation import TEXT_LIMIT, whole_text
from autonomy.llm.scripted import calling
from autonomy.run_state.run_values import RunResult
from discovery.catalog import ToolOutput
from tests.requirements import requirement
from tests.support.house import READ, WRITE, house

ROWS = {"rows": [{"city": "東京", "celsius": 21}, {"city": "大阪", "celsius": 23}]}
SCHEMA = {"type": "object", "properties": {"rows": {"type": "array"}}, "required": ["rows"]}


def answering(text: str, structured: Any, *, schema: Any = None, writes: bool = False) -> Server[Any]:
    """A server with one tool that answers exactly this."""
    tool = Tool(
        name="look",
        description="Look.",
        input_schema={"type": "object"},
        output_schema=schema,
        annotations=WRITE if writes else READ,
    )

    async def list_tools(context: Any, params: Any) -> ListToolsResult:
        return ListToolsResult(tools=[tool])

    async def call_tool(context: Any, params: Any) -> CallToolResult:
        content = [TextContent(text=text)] if text else []
        return CallToolResult(content=content, structured_content=structured)

    return Server("desk", on_list_tools=list_tools, on_call_tool=call_tool)


async def looked(server: Server[Any], *more: Any, **asked: Any) -> RunResult:
    async with house(server, script=[calling(("desk_look", {})), *(more or ["done"])]) as home:
        return await home.run(tools=("desk_*",), **asked)


@requirement("N6")
@pytest.mark.parametrize("text", ["", "Here are the rows:", "2 rows"])
async def test_the_model_reads_structured_content_that_the_text_does_not_hold(text: str) -> None:
    (call,) = (await looked(answering(text, ROWS))).calls
    assert json.loads(call.result.text.removeprefix(text)) == ROWS
    assert call.result.text.startswith(text)
    assert call.result.kind == "ok"


@pytest.mark.parametrize(
    "text",
    [json.dumps(ROWS), json.dumps(ROWS, indent=2, ensure_ascii=False), "東京 is at 21 °C, 大阪 at 23 °C"],
)
def test_what_the_text_already_says_is_not_said_twice(text: str) -> None:
    assert whole_text(ToolOutput(text=text, structured=ROWS)) == text


def test_a_wrapped_text_is_not_said_twice() -> None:
    assert whole_text(ToolOutput(text="", structured={"result": ""})) == ""
    assert whole_text(ToolOutput(text="sunny", structured={"result": "sunny"})) == "sunny"


@requirement("N6")
async def test_long_structured_content_is_cut_and_read_on_by_its_handle() -> None:
    rows = {"rows": [f"row {number}" for number in range(5_000)]}

    reads_on = calling(("read_result", {"handle": "1.1", "query": "4999"}))
    calls = (await looked(answering("", rows), reads_on, "done")).calls
    assert len(calls[0].result.text) < TEXT_LIMIT + 200
    assert '"row 4999"' in calls[1].result.text


@requirement("N6")
@pytest.mark.parametrize(
    ("structured", "words"),
    [({"rows": 3}, "does not fit the tool's own output schema: rows must be array"), (None, "the answer has none")],
)
async def test_an_answer_that_breaks_the_tools_own_schema_is_told_as_that(structured: Any, words: str) -> None:
    (call,) = (await looked(answering("three rows", structured, schema=SCHEMA))).calls
    assert call.result.kind == "suspicious"
    assert words in call.result.text


async def test_a_write_whose_answer_breaks_its_schema_has_happened() -> None:
    server = answering("stored", {"rows": 3}, schema=SCHEMA, writes=True)
    (call,) = (
        await looked(server, needs=({"id": "store", "description": "store it", "effect": "write", "tools": ("desk_look",)},))
    ).calls
    assert call.receipt is not None
    assert call.receipt.state == "done"
    assert call.attempts == 1


async def test_an_odd_output_schema_makes_no_answer_doubtful() -> None:
    (call,) = (await looked(answering("ok", ROWS, schema={"type": "object", "properties": {"rows": {"type": 7}}}))).calls
    assert call.result.kind == "ok"
