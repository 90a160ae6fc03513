"""The messages of one run of the Claude Agent SDK, as events of pydantic-ai. Opened by `claude_model`."""

import json
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from claude_agent_sdk import (
    AssistantMessage,
    ClaudeSDKError,
    Message,
    ResultMessage,
    StreamEvent,
    ToolResultBlock,
    ToolUseBlock,
    UserMessage,
)
from pydantic_ai import messages as pm
from pydantic_ai.models import StreamedResponse

from autonomy.bridge.claude_messages import PROVIDER_NAME, details_of, error_of, finish_of, output_schema, usage_of
from autonomy.bridge.mcp_integration import tool_prefix

STRUCTURED_OUTPUT_TOOL = "StructuredOutput"
"""The tool of Claude Code through which a structured answer is given; not one of ours."""


@dataclass(kw_only=True)
class ClaudeStream(StreamedResponse):
    """Text and thinking piece by piece, each tool call and its result, and at the end the answer's usage and details."""

    source: AsyncGenerator[Message, None]
    asked_model: str
    _timestamp: datetime = field(default_factory=lambda: datetime.now(UTC))
    _answering: str = ""
    _tool_names: dict[str, str] = field(default_factory=dict)

    async def _get_event_iterator(self) -> AsyncIterator[pm.ModelResponseStreamEvent]:
        try:
            async for message in self.source:
                for event in self._events(message):
                    yield event
        except ClaudeSDKError as error:
            raise error_of(error, self.model_name) from error

    def _events(self, message: Message) -> Iterator[pm.ModelResponseStreamEvent]:
        if getattr(message, "parent_tool_use_id", None) is not None:
            return  # a subagent talks to its agent, not to us
        match message:
            case StreamEvent():
                yield from self._delta(message.event)
            case AssistantMessage():
                self.provider_response_id = message.message_id or self.provider_response_id
                yield from self._calls(message)
            case UserMessage():
                yield from self._returns(message)
            case ResultMessage() if not message.is_error:  # an error is raised by the SDK at the end
                yield from self._finish(message)
            case _:
                pass

    def _delta(self, event: Mapping[str, Any]) -> Iterator[pm.ModelResponseStreamEvent]:
        if event["type"] == "message_start":
            self._answering = event["message"]["id"]
            self.asked_model = event["message"].get("model") or self.asked_model
        if event["type"] != "content_block_delta":
            return
        part_id, delta = (self._answering, event["index"]), event["delta"]
        match delta["type"]:
            case "text_delta" if output_schema(self.model_request_parameters) is None:
                yield from self._parts_manager.handle_text_delta(vendor_part_id=part_id, content=delta["text"])
            case "thinking_delta":
                yield from self._parts_manager.handle_thinking_delta(vendor_part_id=part_id, content=delta["thinking"])
            case "signature_delta":
                yield from self._parts_manager.handle_thinking_delta(
                    vendor_part_id=part_id, signature=delta["signature"], provider_name=PROVIDER_NAME
                )
            case _:
                pass

    def _calls(self, message: AssistantMessage) -> Iterator[pm.ModelResponseStreamEvent]:
        for block in message.content:
            if isinstance(block, ToolUseBlock) and block.name != STRUCTURED_OUTPUT_TOOL:
                name = self._tool_names[block.id] = block.name.removeprefix(tool_prefix())
                part = pm.NativeToolCallPart(name, block.input, tool_call_id=block.id, provider_name=PROVIDER_NAME)
                yield self._parts_manager.handle_part(vendor_part_id=("call", block.id), part=part)

    def _returns(self, message: UserMessage) -> Iterator[pm.ModelResponseStreamEvent]:
        blocks = message.content if isinstance(message.content, list) else []
        for block in blocks:
            if isinstance(block, ToolResultBlock) and block.tool_use_id in self._tool_names:
                part = pm.NativeToolReturnPart(
                    self._tool_names[block.tool_use_id],
                    _plain(block.content),
                    tool_call_id=block.tool_use_id,
                    outcome="failed" if block.is_error else "success",
                    provider_name=PROVIDER_NAME,
                )
                yield self._parts_manager.handle_part(vendor_part_id=("return", block.tool_use_id), part=part)

    def _finish(self, result: ResultMessage) -> Iterator[pm.ModelResponseStreamEvent]:
        self._usage = usage_of(result)
        self.provider_details = details_of(result)
        self.finish_reason = finish_of(result)
        if output_schema(self.model_request_parameters) is not None:
            answer: pm.ModelResponsePart = pm.TextPart(_structured(result))
            if output_tools := self.model_request_parameters.output_tools:
                answer = pm.ToolCallPart(output_tools[0].name, _structured(result))
            yield self._parts_manager.handle_part(vendor_part_id="answer", part=answer)

    async def close_stream(self) -> None:
        """End Claude Code."""
        await self.source.aclose()

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
        """Claude Code knows where it sends its requests; we do not."""
        return

    @property
    def timestamp(self) -> datetime:
        """When the request was made."""
        return self._timestamp


def _structured(result: ResultMessage) -> str:
    if result.structured_output is None:
        return result.result or ""
    return json.dumps(result.structured_output, ensure_ascii=False)


def _plain(content: str | list[dict[str, Any]] | None) -> Any:
    """The content of a tool result: its text where it is nothing but text."""
    if isinstance(content, list) and all(block.get("type") == "text" for block in content):
        return "\n".join(block["text"] for block in content)
    return content
