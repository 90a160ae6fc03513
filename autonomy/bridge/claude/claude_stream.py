"""Translates the Claude Agent SDK's message stream into pydantic-ai events."""

import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from typing import Any

import anyio
from claude_agent_sdk import (
    AssistantMessage,
    ClaudeSDKError,
    Message,
    ResultMessage,
    StreamEvent,
    TextBlock,
    ThinkingBlock,
    ToolResultBlock,
    ToolUseBlock,
    UserMessage,
)
from pydantic_ai import messages as pm
from pydantic_ai.models import StreamedResponse

from autonomy.bridge.bridge_errors import ClaudeCodeStopped
from autonomy.bridge.claude.claude_drafts import Drafts
from autonomy.bridge.claude.claude_messages import PROVIDER_NAME, details_of, error_of, finish_of, output_schema, usage_of
from autonomy.bridge.mcp_integration import TOOL_PREFIX

STRUCTURED_OUTPUT_TOOL = "StructuredOutput"
"""Claude Code's own tool, through which it returns a structured answer."""


@dataclass(kw_only=True)
class ClaudeStream(StreamedResponse):
    """Yields text and thinking in pieces, each tool call and its result, and has the answer's usage and details at the end."""

    source: AsyncIterator[Message]
    end: Callable[[], Awaitable[None]]
    """Ends Claude Code, even while it works."""
    asked_model: str
    _timestamp: datetime = field(default_factory=lambda: datetime.now(UTC))
    _tool_names: dict[str, str] = field(default_factory=dict)
    _result: ResultMessage | None = None

    @cached_property
    def _drafts(self) -> Drafts:
        return Drafts(self._parts_manager)

    async def _get_event_iterator(self) -> AsyncIterator[pm.ModelResponseStreamEvent]:
        async for message in self.source:
            for event in self._events(message):
                yield event
        if self._result is None:
            raise ClaudeCodeStopped("it ended without a result")
        if self._result.is_error:
            raise error_of(self._result, self.model_name)

    def _events(self, message: Message) -> Iterator[pm.ModelResponseStreamEvent]:
        if getattr(message, "parent_tool_use_id", None) is not None:
            return  # a message between a subagent and its agent
        match message:
            case StreamEvent():
                yield from self._delta(message.event)
            case AssistantMessage() if message.error is None:  # an error is raised at the end
                yield from self._message_events(message)
            case UserMessage():
                yield from self._returns(message)
            case ResultMessage():
                self._result = message
                yield from () if message.is_error else self._finish(message)
            case _:
                pass

    @property
    def _speaks(self) -> bool:
        """Whether text is the answer, because no structured output is required."""
        return output_schema(self.model_request_parameters) is None

    def _delta(self, event: Mapping[str, Any]) -> Iterator[pm.ModelResponseStreamEvent]:
        if event["type"] == "message_start":
            yield from self._drafts.drop()
        if event["type"] != "content_block_delta":
            return
        match event["delta"]:
            case {"type": "text_delta", "text": words} if self._speaks:
                yield from self._drafts.add(event["index"], pm.TextPart(words))
            case {"type": "thinking_delta", "thinking": words}:
                yield from self._drafts.add(event["index"], pm.ThinkingPart(words))
            case _:
                pass

    def _message_events(self, message: AssistantMessage) -> Iterator[pm.ModelResponseStreamEvent]:
        self.provider_response_id = message.message_id or self.provider_response_id
        self.asked_model = message.model or self.asked_model
        for block in message.content:
            match block:
                case TextBlock() if self._speaks:
                    yield from self._drafts.settle(pm.TextPart(block.text))
                case ThinkingBlock():
                    thought = pm.ThinkingPart(block.thinking, signature=block.signature, provider_name=PROVIDER_NAME)
                    yield from self._drafts.settle(thought)
                case ToolUseBlock() if block.name != STRUCTURED_OUTPUT_TOOL:
                    name = self._tool_names[block.id] = block.name.removeprefix(TOOL_PREFIX)
                    part = pm.NativeToolCallPart(name, block.input, tool_call_id=block.id, provider_name=PROVIDER_NAME)
                    yield self._parts_manager.handle_part(vendor_part_id=("call", block.id), part=part)
                case _:
                    pass

    def _returns(self, message: UserMessage) -> Iterator[pm.ModelResponseStreamEvent]:
        blocks = message.content if isinstance(message.content, list) else []
        for block in blocks:
            if isinstance(block, ToolResultBlock) and block.tool_use_id in self._tool_names:
                part = pm.NativeToolReturnPart(
                    self._tool_names[block.tool_use_id],
                    _result_content(block.content),
                    tool_call_id=block.tool_use_id,
                    outcome="failed" if block.is_error else "success",
                    provider_name=PROVIDER_NAME,
                )
                yield self._parts_manager.handle_part(vendor_part_id=("return", block.tool_use_id), part=part)

    def _finish(self, result: ResultMessage) -> Iterator[pm.ModelResponseStreamEvent]:
        self._usage = usage_of(result)
        self.provider_details = details_of(result)
        self.finish_reason = finish_of(result)
        yield from self._drafts.drop()
        if not self._speaks:
            answer: pm.ModelResponsePart = pm.TextPart(_structured(result))
            if output_tools := self.model_request_parameters.output_tools:
                answer = pm.ToolCallPart(output_tools[0].name, _structured(result))
            yield self._parts_manager.handle_part(vendor_part_id="answer", part=answer)

    async def close_stream(self) -> None:
        """End Claude Code."""
        await self.end()

    def get_stream_cancel_errors(self) -> tuple[type[BaseException], ...]:
        """Return the errors that may be raised when Claude Code is ended on purpose."""
        return (ClaudeCodeStopped, ClaudeSDKError, anyio.ClosedResourceError)

    @property
    def model_name(self) -> str:
        """The model that answered, once it is known."""
        return self.asked_model

    @property
    def provider_name(self) -> str:
        """The name of the provider."""
        return PROVIDER_NAME

    @property
    def provider_url(self) -> None:
        """None, because only Claude Code knows the address."""
        return

    @property
    def timestamp(self) -> datetime:
        """The time of the request."""
        return self._timestamp


def _structured(result: ResultMessage) -> str:
    if result.structured_output is None:
        return result.result or ""
    return json.dumps(result.structured_output, ensure_ascii=False)


def _result_content(content: str | list[dict[str, Any]] | None) -> Any:
    if isinstance(content, list) and all(block.get("type") == "text" for block in content):
        return "\n".join(block["text"] for block in content)
    return content
