"""Converts messages between pydantic-ai and Claude Code.

Claude Code takes one user message, so the conversation before it is put into that message as JSON, one object per line. Thus a
newline in somebody's words cannot start a line of somebody else. (Claude Code's session files keep turns apart, but their format
is internal.)
"""

import base64
import json
from collections.abc import Iterable, Sequence
from decimal import Decimal
from itertools import chain
from typing import Any

from claude_agent_sdk import ClaudeSDKError, ResultError, ResultMessage
from pydantic_ai import messages as pm
from pydantic_ai.exceptions import (
    ModelAPIError,
    ModelAuthenticationError,
    ModelConnectionError,
    ModelHTTPError,
    ModelNotFoundError,
    ModelOverloadedError,
    ModelRateLimitError,
    ModelRequestRejectedError,
    ModelServerError,
    UserError,
)
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.usage import RequestUsage

from autonomy.bridge.bridge_errors import ClaudeCodeStopped

Block = dict[str, Any]
PROVIDER_NAME = "claude-code"

_HISTORY = "The conversation so far, one JSON object a line, oldest first. What follows it is the newest message.\n"
_FINISH: dict[str, pm.FinishReason] = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "tool_use": "stop",  # the tool through which structured output is returned
    "max_tokens": "length",
    "refusal": "content_filter",
}
_CATEGORIES: dict[int, type[ModelRateLimitError | ModelOverloadedError | ModelRequestRejectedError]] = {
    400: ModelRequestRejectedError,
    401: ModelAuthenticationError,
    403: ModelAuthenticationError,
    404: ModelNotFoundError,
    413: ModelRequestRejectedError,
    429: ModelRateLimitError,
    529: ModelOverloadedError,
}


def system_prompt(messages: Sequence[pm.ModelMessage], parameters: ModelRequestParameters) -> str:
    """Return the system prompts at the beginning of the history, followed by the current instructions."""
    requests = [message for message in messages if isinstance(message, pm.ModelRequest)]
    prompts = [part.content for request in requests[:1] for part in request.parts if isinstance(part, pm.SystemPromptPart)]
    if parameters.instruction_parts is not None:
        instructions = pm.InstructionPart.join(parameters.instruction_parts)
    else:
        instructions = requests[-1].instructions if requests else None
    return "\n\n".join([*prompts, *([instructions] if instructions else [])])


def prompt_blocks(messages: Sequence[pm.ModelMessage]) -> list[Block]:
    """Return the content of the user message: earlier turns as lines of JSON, followed by the newest one as it is.

    Raises pydantic-ai's `UserError` for content that Claude Code does not accept, such as sound or video.
    """
    answered = max((index for index, message in enumerate(messages) if isinstance(message, pm.ModelResponse)), default=-1)
    entries = [_entries(message, opening=index == 0) for index, message in enumerate(messages)]
    earlier, newest = list(chain(*entries[: answered + 1])), list(chain(*entries[answered + 1 :]))
    blocks = [block for entry in newest for block in entry.as_prompt()]
    if not earlier:
        return blocks
    history = _HISTORY + "\n".join(entry.as_line() for entry in earlier)
    return [_text(history), *(block for entry in earlier for block in entry.media), *blocks]


class _Entry:
    """One utterance: the role of the speaker, and text, images and documents."""

    def __init__(self, role: str, content: Iterable[Block], **more: Any) -> None:
        self.role, self.content, self.more = role, list(content), more
        self.media = [block for block in self.content if block["type"] != "text"]

    def as_line(self) -> str:
        words = [block["text"] if block["type"] == "text" else "[attached below]" for block in self.content]
        return json.dumps({"role": self.role, **self.more, "content": "\n".join(words)}, ensure_ascii=False)

    def as_prompt(self) -> list[Block]:
        return self.content if self.role == "user" else [_text(self.as_line()), *self.media]


def _entries(message: pm.ModelMessage, *, opening: bool) -> list[_Entry]:
    """Return the entries of a message. `opening`: leave out system prompts, which `system_prompt` returns."""
    if isinstance(message, pm.ModelResponse):
        return [entry for part in message.parts if (entry := _response_entry(part)) is not None]
    return [_request_entry(part) for part in message.parts if not (opening and isinstance(part, pm.SystemPromptPart))]


def _request_entry(part: pm.ModelRequestPart) -> _Entry:
    match part:
        case pm.SystemPromptPart():
            return _Entry("system", [_text(part.content)])
        case pm.UserPromptPart():
            items = [part.content] if isinstance(part.content, str) else part.content
            return _Entry("user", [block for item in items for block in _user_content(item)])
        case pm.ToolReturnPart():
            return _Entry("tool", [_text(part.model_response_str())], tool=part.tool_name)
        case pm.RetryPromptPart() | pm.RetryFeedbackPart():
            return _Entry("user", [_text(part.model_response())])
        case _:
            raise UserError(f"Claude Code takes no {part.part_kind!r} in a request")


def _response_entry(part: pm.ModelResponsePart) -> _Entry | None:
    match part:
        case pm.TextPart():
            return _Entry("assistant", [_text(part.content)])
        case pm.ToolCallPart() | pm.NativeToolCallPart():
            return _Entry("assistant", [_text(part.args_as_json_str())], calls=part.tool_name)
        case pm.NativeToolReturnPart():
            return _Entry("tool", [_text(part.model_response_str())], tool=part.tool_name)
        case _:
            return None  # thinking and files of an earlier answer are not repeated


def _user_content(item: pm.UserContent) -> list[Block]:
    match item:
        case str():
            return [_text(item)]
        case pm.TextContent():
            return [_text(item.content)]
        case pm.BinaryContent() if item.is_image or item.media_type == "application/pdf":
            source = {"type": "base64", "media_type": item.media_type, "data": base64.b64encode(item.data).decode()}
            return [{"type": "image" if item.is_image else "document", "source": source}]
        case pm.ImageUrl():
            return [{"type": "image", "source": {"type": "url", "url": item.url}}]
        case pm.DocumentUrl():
            return [{"type": "document", "source": {"type": "url", "url": item.url}}]
        case pm.CachePoint():
            return []
        case _:
            raise UserError(f"Claude Code takes text, images and PDF documents, no {type(item).__name__}")


def _text(words: str) -> Block:
    return {"type": "text", "text": words}


def output_schema(parameters: ModelRequestParameters) -> dict[str, Any] | None:
    """Return the JSON Schema that the answer must fit; None for text. Raises `UserError` if there are several."""
    if parameters.output_object is not None and parameters.output_mode == "native":
        return parameters.output_object.json_schema
    if len(parameters.output_tools) > 1:
        raise UserError("Claude Code takes one structured output: use NativeOutput([...]) instead of several output tools")
    return parameters.output_tools[0].parameters_json_schema if parameters.output_tools else None


def usage_of(result: ResultMessage) -> RequestUsage:
    """Return tokens and cost (USD) of all requests that Claude Code made for an answer. Input includes cached tokens."""
    usage = result.usage or {}
    read, written = usage.get("cache_read_input_tokens") or 0, usage.get("cache_creation_input_tokens") or 0
    return RequestUsage(
        input_tokens=(usage.get("input_tokens") or 0) + read + written,
        cache_read_tokens=read,
        cache_write_tokens=written,
        output_tokens=usage.get("output_tokens") or 0,
        cost=None if result.total_cost_usd is None else round(Decimal(result.total_cost_usd), 9),  # it is a float
    )


def details_of(result: ResultMessage) -> dict[str, Any]:
    """Return the other details that Claude Code reports with an answer."""
    return {
        "session_id": result.session_id,
        "num_turns": result.num_turns,
        "duration_ms": result.duration_ms,
        "total_cost_usd": result.total_cost_usd,
        "model_usage": result.model_usage,
        "stop_reason": result.stop_reason,
    }


def finish_of(result: ResultMessage) -> pm.FinishReason | None:
    """Return why the answer ended, as pydantic-ai names it."""
    return _FINISH.get(result.stop_reason or "")


def error_of(failed: ClaudeSDKError | ResultMessage, model_name: str) -> ModelAPIError | ClaudeCodeStopped:
    """Convert a failure to an error that pydantic-ai and its callers handle."""
    if not isinstance(failed, ResultError | ResultMessage):
        return ModelConnectionError(model_name, f"Claude Code did not answer: {failed}")
    status, detail = failed.api_error_status, "; ".join(failed.errors or []) or failed.result or ""
    if status is not None:
        category = _CATEGORIES.get(status, ModelServerError if status >= 500 else ModelRequestRejectedError)
        return ModelHTTPError.for_category(category, status_code=status, model_name=model_name, body=detail)
    if failed.terminal_reason == "api_error":  # a refused, truncated or unreadable reply
        return ModelAPIError(model_name, detail)
    return ClaudeCodeStopped(failed.terminal_reason or failed.subtype or "error", detail)
