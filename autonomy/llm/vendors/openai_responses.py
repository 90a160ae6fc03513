"""The OpenAI Responses dialect, with encrypted reasoning carried between turns."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from autonomy.errors import ModelRejected, ModelUnavailable
from autonomy.llm.messages import (
    AssistantMessage,
    Message,
    StopReason,
    SystemMessage,
    ToolCall,
    ToolDefinition,
    ToolResult,
    Usage,
)
from autonomy.llm.model import ModelRequest, OnText
from autonomy.llm.prices import priced
from autonomy.llm.vendors.http_model import RemoteModel
from autonomy.llm.vendors.http_transport import TEMPORARY_KINDS
from autonomy.llm.vendors.openai_sdk import BASE_URL, OpenAITransport
from autonomy.llm.vendors.serialized_tools import as_given, with_ids
from autonomy.llm.vendors.text_tool_calls import call_of
from discovery.catalog import JsonObject
from discovery.schemas.schema import for_vendor
from discovery.schemas.strict import strict

OPTIONAL = ("temperature", "parallel_tool_calls", "include", "store", "text", "tool_choice", "reasoning", "prompt_cache_key")
"""Fields a server may refuse; a request makes sense without them."""
ENDINGS = frozenset({"response.completed", "response.incomplete", "response.failed"})


@dataclass
class ResponsesModel(RemoteModel):
    """A `Model` behind `/responses`."""

    @property
    def vendor(self) -> str:
        """OpenAI has this API alone."""
        return "openai"

    def _opened(self) -> OpenAITransport:
        base_url = self.options.base_url or BASE_URL
        return OpenAITransport(model=self.id, options=self.options, base_url=base_url, path="/responses")

    def _optional(self) -> Sequence[str]:
        return OPTIONAL

    def _tool(self, tool: ToolDefinition) -> JsonObject:
        narrowed = strict(tool.input_schema) if self.options.strict_tools else None
        parameters = narrowed or for_vendor(tool.input_schema, "openai")
        definition: JsonObject = {"name": tool.name, "description": tool.description, "parameters": parameters}
        return {"type": "function", **definition, "strict": narrowed is not None}

    def _body(self, request: ModelRequest, *, with_tools: bool) -> JsonObject:
        body: JsonObject = {
            "model": self.model_id,
            "input": self._input(request.messages),
            "max_output_tokens": self.options.max_output_tokens or request.max_output_tokens,
            "store": False,
            "include": ["reasoning.encrypted_content"],
            "prompt_cache_key": self._cache_key(request),
        }
        if self.options.reasoning:
            body["reasoning"] = {"effort": self.options.reasoning}
        if self.options.send_temperature and request.temperature is not None:
            body["temperature"] = request.temperature
        if request.json_schema is not None:
            narrowed = strict(request.json_schema)
            schema = {
                "type": "json_schema",
                "name": "reply",
                "schema": narrowed or request.json_schema,
                "strict": narrowed is not None,
            }
            body["text"] = {"format": schema}
        if with_tools and self.options.send_parallel_tool_calls:
            body["parallel_tool_calls"] = True
        if with_tools and request.tool_choice != "auto":
            body["tool_choice"] = request.tool_choice
        return body

    def _input(self, messages: Sequence[Message]) -> list[JsonObject]:
        """The conversation as items."""
        sent: list[JsonObject] = []
        for message in messages:
            match message:
                case AssistantMessage():
                    sent += self._message_items(message)
                case ToolResult():
                    output = _output(message) if self.options.sees_images else message.compact_text
                    sent.append({"type": "function_call_output", "call_id": message.call_id, "output": output})
                case SystemMessage():
                    sent.append({"role": "system", "content": message.text})
                case _:
                    sent.append({"role": "user", "content": message.text})
        return sent

    def _message_items(self, message: AssistantMessage) -> list[JsonObject]:
        output = message.vendor_state.get("output")
        if output and message.model == self.id:
            return list(output)
        words: list[JsonObject] = [{"role": "assistant", "content": message.text}] if message.text else []
        return words + [_function_call(call) for call in message.calls]

    def _pieces(self, on_text: OnText) -> "ResponsesAccumulator":
        return ResponsesAccumulator(on_text)

    def _read(self, request: ModelRequest, body: JsonObject) -> AssistantMessage:
        if body.get("status") == "failed":
            raise self._failed(body.get("error"))
        items = _items(body)
        text, refusal = _text(items), _text(items, "refusal")
        made = [_call(item) for item in items if item.get("type") == "function_call"]
        calls = with_ids(as_given(made, request.tools) if self.options.strict_tools else made, request.messages)
        reason = (body.get("incomplete_details") or {}).get("reason")
        stop: StopReason = "length" if reason == "max_output_tokens" else "refusal" if reason or refusal else "end"
        usage = priced(_usage(body.get("usage")), self.vendor, self.model_id)
        return self._reply(text or refusal, calls, stop, usage, _vendor_items(items, calls))

    def _failed(self, error: Any) -> ModelUnavailable | ModelRejected:
        details = error if isinstance(error, dict) else {}
        problem = f"the reply failed: {details.get('message') or 'no reason given'}"
        if details.get("code") in TEMPORARY_KINDS or not details.get("code"):
            return ModelUnavailable(self.id, problem)
        return ModelRejected(self.id, problem)


@dataclass
class ResponsesAccumulator:
    """A streamed reply on its way: text is passed on, and the last event holds all of it."""

    on_text: OnText
    last: JsonObject = field(default_factory=dict)

    async def take(self, event: JsonObject) -> None:
        """Take one event; a server that does not stream sends the reply itself."""
        kind = event.get("type")
        if kind == "response.output_text.delta" and event.get("delta"):
            await self.on_text(event["delta"])
        elif kind == "error":
            self.last = {"status": "failed", "error": event}
        elif kind in ENDINGS:
            self.last = event["response"]
        elif event.get("object") == "response":
            self.last = event

    def whole(self, *, announced: bool) -> JsonObject | None:
        """The reply, which announces its own end."""
        return self.last or None


def _items(body: JsonObject) -> list[JsonObject]:
    output = body.get("output")
    return [item for item in output if isinstance(item, dict)] if isinstance(output, list) else []


def _text(items: Sequence[JsonObject], kind: str = "text") -> str:
    """The words of all messages; `kind="refusal"` gives those that refuse."""
    parts = [part for item in items if item.get("type") == "message" for part in item.get("content") or ()]
    return "".join(str(part.get(kind) or "") for part in parts if isinstance(part, dict)).strip()


def _call(item: JsonObject) -> ToolCall:
    return call_of(str(item.get("call_id") or ""), str(item.get("name") or ""), item.get("arguments"))


def _output(message: ToolResult) -> str | list[JsonObject]:
    """A result's text, with its pictures behind it."""
    if not message.images:
        return message.compact_text
    images = [{"type": "input_image", "image_url": image.url} for image in message.images]
    return [{"type": "input_text", "text": message.compact_text}, *images]


def _function_call(call: ToolCall) -> JsonObject:
    return {"type": "function_call", "call_id": call.id, "name": call.name, "arguments": call.written}


def _vendor_items(items: Sequence[JsonObject], calls: Sequence[ToolCall]) -> JsonObject:
    """The items as they must come back when there are thoughts among them, their calls as we understood them."""
    if not any(item.get("type") == "reasoning" for item in items):
        return {}
    understood = iter(calls)
    return {"output": [_function_call(next(understood)) if item.get("type") == "function_call" else item for item in items]}


def _usage(usage: Any) -> Usage:
    if not isinstance(usage, dict):
        return Usage()
    details = usage.get("input_tokens_details") or {}
    return Usage(
        input_tokens=usage.get("input_tokens") or 0,
        output_tokens=usage.get("output_tokens") or 0,
        cached_tokens=details.get("cached_tokens") or 0,
    )
