"""Sends one tool call, or one poll of a task, over a connection.

Two rare cases are left to the SDK: questions in place of an answer (SEP-2322), and a server that refuses the request's headers.
"""

from functools import partial
from typing import Annotated, Any, cast

from mcp import Client, MCPError
from mcp.shared.dispatcher import CallOptions, ProgressFnT
from mcp.shared.inbound import MCP_NAME_HEADER, encode_header_value
from mcp_types import HEADER_MISMATCH, CallToolResult, ContentBlock, InputRequiredResult, InputResponses, Result
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import ConfigDict, Field

from discovery.catalog import JsonObject
from discovery.tool_calls.task_messages import BecameTask, RemoteTask, TaskHandle, read_task
from discovery.transport.asked_back import CallInFlight, pages_of
from discovery.transport.exchange import Exchange

MOST_TIMES = 3
"""How often a call is repeated after a person opened pages: they may say too early that they are done."""


async def call_tool(
    client: Client,
    exchange: Exchange | None,
    provider: str,
    tool: str,
    arguments: JsonObject,
    *,
    flight: CallInFlight,
    meta: JsonObject,
    keep_s: float | None = None,
) -> CallToolResult | RemoteTask:
    """Call a tool; if its server requires pages to be opened first, let a person open them and call again.

    A server in this process has no exchange. With `keep_s`, the call is sent as a task (2025-11-25) whose result should be kept
    for so many seconds. A call that is refused for its pages did nothing; if nobody opens them, the refusal is raised. Raises
    what `Client.call_tool` raises, and ValueError for a task without an id.
    """
    send = partial(_call_once, client, exchange, tool, arguments, meta, flight, keep_s)
    for _ in range(MOST_TIMES):
        try:
            return await send()
        except MCPError as error:
            pages, listener = pages_of(error), flight.listener
            if not pages or listener is None or not listener.asks_for_pages:
                raise
            for page in pages:
                answer = await flight.asked(partial(listener.elicit, provider, tool, page))
                if answer.action != "accept":
                    raise
    return await send()


async def _call_once(
    client: Client,
    exchange: Exchange | None,
    tool: str,
    arguments: JsonObject,
    meta: JsonObject,
    flight: CallInFlight,
    keep_s: float | None,
) -> CallToolResult | RemoteTask:
    on_progress = flight.progressed
    if exchange is None:
        return await _by_the_sdk(client, tool, arguments, meta, on_progress)
    modern = client.protocol_version in MODERN_PROTOCOL_VERSIONS
    data: dict[str, Any] = {"method": "tools/call", "params": {"name": tool, "arguments": arguments, "_meta": dict(meta)}}
    if keep_s is not None and not modern:
        data["params"]["task"] = {"ttl": round(keep_s * 1000)}
    options: CallOptions = {}
    client.session._stamp(data, options)
    headers = options.get("headers")
    flight.is_answered = False
    # behind a task's first answer the work begins, and from 2026-07-28 on any answer may be a task
    on_answer = _unended if modern or keep_s is not None else flight.answered
    try:
        raw = await exchange.request("tools/call", data["params"], headers=headers, on_progress=on_progress, on_answer=on_answer)
    except MCPError as error:
        if error.code != HEADER_MISMATCH or not modern:
            raise
        return await _by_the_sdk(client, tool, arguments, meta, on_progress)  # nothing was done: it refused the headers
    if not modern:
        raw.pop("resultType", None)  # has no meaning in this revision
        if keep_s is not None and "task" in raw and "content" not in raw:
            return read_task(raw["task"])
    elif raw.get("resultType") == "task":
        return read_task(raw)
    elif raw.get("resultType") == "input_required":
        return await _answering(
            client, InputRequiredResult.model_validate(raw, by_name=False), tool, arguments, meta, on_progress
        )
    return _ToolResult.model_validate(raw, by_name=False)


class _ToolResult(CallToolResult):
    """A result whose parts are told by their type: the SDK tries every kind of part on each of them."""

    model_config = ConfigDict(defer_build=True)

    content: list[Annotated[ContentBlock, Field(discriminator="type")]]


async def ask_of_task(client: Client, exchange: Exchange, method: str, params: JsonObject) -> JsonObject:
    """Send a request `tasks/…`, whose `params` name the task. Raises what `Exchange.request` raises."""
    data: dict[str, Any] = {"method": method, "params": {**params, "_meta": {}}}
    options: CallOptions = {}
    client.session._stamp(data, options)
    headers = dict(options.get("headers") or {})
    if client.protocol_version in MODERN_PROTOCOL_VERSIONS:
        headers[MCP_NAME_HEADER] = encode_header_value(params["taskId"])
    return await exchange.request(method, data["params"], headers=headers, on_progress=_unheard)


def _unended() -> None:
    """Ignore that a task began."""


async def _unheard(progress: float, total: float | None, message: str | None) -> None:
    """Ignore progress: that of a poll is not that of the task."""


async def _by_the_sdk(
    client: Client, tool: str, arguments: JsonObject, meta: JsonObject, on_progress: ProgressFnT
) -> CallToolResult | RemoteTask:
    try:
        return await client.call_tool(tool, arguments, progress_callback=on_progress, meta=cast("Any", meta or None))
    except BecameTask as became:
        return became.handle.task


async def _answering(
    client: Client, first: InputRequiredResult, tool: str, arguments: JsonObject, meta: JsonObject, on_progress: ProgressFnT
) -> CallToolResult | RemoteTask:
    async def again(responses: InputResponses | None, state: str | None) -> CallToolResult | InputRequiredResult | Result:
        return await client.session.call_tool(
            tool,
            arguments,
            progress_callback=on_progress,
            input_responses=responses,
            request_state=state,
            meta=cast("Any", meta or None),
            allow_input_required=True,
            allow_claimed=True,
        )

    result = await client._drive_input_required(first, again)
    return result.task if isinstance(result, TaskHandle) else cast("CallToolResult", result)
