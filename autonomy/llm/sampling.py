"""Answers a server's request for a model reply (MCP sampling).

The server's words and tools are its own: they go to the model alone, without the run's conversation and the run's tools, and what
the model calls is done by the server.
"""

import json
import re
from collections.abc import Iterator

from mcp_types import (
    INTERNAL_ERROR,
    CreateMessageRequestParams,
    CreateMessageResult,
    CreateMessageResultWithTools,
    ErrorData,
    SamplingMessage,
    SamplingMessageContentBlock,
    TextContent,
    Tool,
    ToolResultContent,
    ToolUseContent,
)

from autonomy.llm.messages import AssistantMessage, Message, SystemMessage, ToolCall, ToolDefinition, ToolResult, UserMessage
from autonomy.llm.model import ModelRequest
from discovery.schemas.schema import problems
from discovery.transport.answers import visible

MOST_SAMPLED_TOKENS = 4_000
"""Tokens of one reply that a server asks for; as many as an answer of the run itself may have."""
MOST_CHARS = 200_000
"""Characters that a server may have the model read for one reply."""
MOST_TOOLS = 32
LONGEST_DESCRIPTION = 2_000
_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
"""What every vendor takes as the name of a tool."""
_NOT_THE_RUN = "A tool's server asks for this reply; you are not in a conversation with the user now."
IN_WORDS = f"{_NOT_THE_RUN} Do what is asked in words alone. What follows is the server's text."
WITH_TOOLS = f"{_NOT_THE_RUN} Do what is asked, with the tools offered here where they help. What follows is the server's text."


class SamplingRefused(ValueError):
    """The server gets no reply to this; the words say why."""


def wants_tools(params: CreateMessageRequestParams) -> bool:
    """Whether the server offers the model tools of its own (MCP 2025-11-25), or goes on after a call of one."""
    blocks = [block for message in params.messages for block in message.content_as_list]
    calls = any(isinstance(block, ToolUseContent | ToolResultContent) for block in blocks)
    return params.tools is not None or params.tool_choice is not None or calls


def request_text(params: CreateMessageRequestParams) -> str:
    """The server's request as text, for a person to decide. Raises `SamplingRefused` for anything but text."""
    return "\n".join("\n".join(_block_text(block) for block in message.content_as_list) for message in params.messages)


def model_request_of(params: CreateMessageRequestParams) -> ModelRequest:
    """The server's request as a model request that tells the model whose words these are. Raises `SamplingRefused`."""
    text = request_text(params)
    tools = _tools(params.tools or [])
    if len(text) + len(params.system_prompt or "") + sum(len(json.dumps(tool.input_schema)) for tool in tools) > MOST_CHARS:
        raise SamplingRefused(f"one reply is about {MOST_CHARS} characters at most")
    mode = (params.tool_choice and params.tool_choice.mode) or "auto"
    return ModelRequest(
        messages=tuple(_conversation(params) if wants_tools(params) else _as_material(params)),
        tools=tools,
        max_output_tokens=max(1, min(params.max_tokens, MOST_SAMPLED_TOKENS)),
        temperature=params.temperature,
        tool_choice=mode if tools else "none",
    )


def sampling_result(
    reply: AssistantMessage, request: ModelRequest
) -> CreateMessageResult | CreateMessageResultWithTools | ErrorData:
    """The reply as the server gets it; an error where it is not what was asked for."""
    if any(call.unreadable for call in reply.calls):
        return ErrorData(code=INTERNAL_ERROR, message="the model's call of a tool could not be read")
    if request.tool_choice == "required" and not reply.calls:
        return ErrorData(code=INTERNAL_ERROR, message="the model had to call a tool, and called none")
    if not reply.calls or request.tool_choice == "none":
        stop = "maxTokens" if reply.stop_reason == "length" else "endTurn"
        return CreateMessageResult(role="assistant", content=TextContent(text=reply.text), model=reply.model, stop_reason=stop)
    texts = [TextContent(text=reply.text)] if reply.text else []
    calls = [ToolUseContent(id=call.id, name=call.name, input=call.arguments) for call in reply.calls]
    return CreateMessageResultWithTools(role="assistant", content=[*texts, *calls], model=reply.model, stop_reason="toolUse")


def _as_material(params: CreateMessageRequestParams) -> Iterator[Message]:
    """All of it as one text: the roles in it are the server's say."""
    yield SystemMessage(text=IN_WORDS)
    text = "\n\n".join(f"{message.role}: {_text_of(message)}" for message in params.messages)
    yield UserMessage(text=f"{params.system_prompt}\n\n{text}" if params.system_prompt else text)


def _conversation(params: CreateMessageRequestParams) -> Iterator[Message]:
    """Message by message, with each call before its result. Raises `SamplingRefused` where they do not belong together."""
    yield SystemMessage(text=WITH_TOOLS)
    if params.system_prompt:
        yield UserMessage(text=params.system_prompt)
    called: dict[str, str] = {}
    for message in params.messages:
        blocks = message.content_as_list
        results = [block for block in blocks if isinstance(block, ToolResultContent)]
        calls = [block for block in blocks if isinstance(block, ToolUseContent)]
        if sorted(called) != sorted(result.tool_use_id for result in results) or (results and len(results) != len(blocks)):
            raise SamplingRefused(
                "each call of a tool is followed by a message of the results of these calls and of nothing else"
            )
        if (results and message.role != "user") or (calls and message.role != "assistant"):
            raise SamplingRefused("calls are the assistant's, results are the user's")
        yield from (_result(result, called[result.tool_use_id]) for result in results)
        called = {call.id: call.name for call in calls}
        if len(called) != len(calls):
            raise SamplingRefused("two calls of one message have the same id")
        if message.role == "assistant":
            made = tuple(ToolCall(id=call.id, name=call.name, arguments=call.input) for call in calls)
            yield AssistantMessage(text=_text_of(message), calls=made)
        elif not results:
            yield UserMessage(text=_text_of(message))
    if called:
        raise SamplingRefused("the last calls have no results yet")


def _result(block: ToolResultContent, name: str) -> ToolResult:
    return ToolResult(call_id=block.tool_use_id, name=name, text=_block_text(block), is_error=bool(block.is_error))


def _text_of(message: SamplingMessage) -> str:
    return visible("\n".join(block.text for block in message.content_as_list if isinstance(block, TextContent)))


def _block_text(block: SamplingMessageContentBlock) -> str:
    """One part of a message. Raises `SamplingRefused` for anything but text."""
    match block:
        case TextContent():
            return visible(block.text)
        case ToolUseContent():
            return visible(f"{block.name}({json.dumps(block.input, ensure_ascii=False)})")
        case ToolResultContent(content=[], structured_content=structured):
            return visible(json.dumps(structured, ensure_ascii=False)) if structured is not None else ""
        case ToolResultContent() if all(isinstance(part, TextContent) for part in block.content):
            return visible("\n".join(part.text for part in block.content if isinstance(part, TextContent)))
        case _:
            raise SamplingRefused("only text is sampled here")


def _tools(offered: list[Tool]) -> tuple[ToolDefinition, ...]:
    """The server's tools, as a model of any vendor takes them. Raises `SamplingRefused` for one that it would not."""
    if len(offered) > MOST_TOOLS or len({tool.name for tool in offered}) < len(offered):
        raise SamplingRefused(f"a reply has at most {MOST_TOOLS} tools, each with a name of its own")
    for tool in offered:
        if not _NAME.fullmatch(tool.name):
            raise SamplingRefused(f"no model takes a tool of the name {tool.name[:80]!r}: 64 letters, digits, _ and - at most")
        if found := problems(tool.input_schema):
            raise SamplingRefused(f"the input schema of {tool.name} cannot be used: {found[0]}")
    return tuple(
        ToolDefinition(
            name=tool.name,
            description=visible(tool.description or tool.title or "")[:LONGEST_DESCRIPTION],
            input_schema=tool.input_schema,
        )
        for tool in offered
    )
