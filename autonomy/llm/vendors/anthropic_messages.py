"""The Anthropic Messages dialect, also spoken by LM Studio and Ollama under `/v1/messages`.

Thinking is signed and must come back verbatim while the same model carries on: the reply's blocks are kept as `vendor_state`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from autonomy.llm.messages import (
    AssistantMessage,
    Message,
    ResultImage,
    StopReason,
    SystemMessage,
    ToolCall,
    ToolDefinition,
    ToolResult,
    Usage,
)
from autonomy.llm.model import Model, ModelOptions, ModelRequest, OnText
from autonomy.llm.prices import priced
from autonomy.llm.vendors.http_model import RemoteModel
from autonomy.llm.vendors.http_transport import DirectHttpTransport
from autonomy.llm.vendors.serialized_tools import with_ids
from autonomy.llm.vendors.text_tool_calls import call_of
from discovery.catalog import JsonObject
from discovery.schemas.schema import for_vendor

BASE_URL = "https://api.anthropic.com"
VERSION = "2026-10-21"
"""The API's version, as anthropic 2.12 sends it."""
STOP_REASONS: dict[str, StopReason] = {
    "end_turn": "end",
    "stop_sequence": "end",
    "tool_use": "tool_calls",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "pause_turn": "pause",
    "refusal": "refusal",
}
OPTIONAL = ("cache_control", "output_config", "temperature", "thinking")
"""Fields a compatible server may refuse; a request makes sense without them."""
CACHED: JsonObject = {"type": "ephemeral"}
"""Beside the whole request: cached up to its end. Beside a block: up to there, too."""
THOUGHTS = frozenset({"thinking", "redacted_thinking"})


def open_anthropic(model_id: str, options: ModelOptions) -> Model:
    """A model of Anthropic, or of the server at `options.base_url`, which is given without `/v1`."""
    return AnthropicModel(model_id, options)


@dataclass
class AnthropicModel(RemoteModel):
    """A `Model` behind `/v1/messages`. The temperature is not sent: the current models take none."""

    @property
    def vendor(self) -> str:
        """Anthropic's, whoever serves it."""
        return "anthropic"

    def _opened(self) -> DirectHttpTransport:
        url = (self.options.base_url or BASE_URL).rstrip("/").removesuffix("/v1") + "/v1/messages"
        headers = {"content-type": "application/json", "anthropic-version": VERSION, **self.options.headers}
        if self.options.api_key:
            headers["authorization"] = f"Bearer {self.options.api_key}"
        return DirectHttpTransport(model=self.id, options=self.options, url=url, headers=headers)

    def _optional(self) -> Sequence[str]:
        return OPTIONAL

    def _tool(self, tool: ToolDefinition) -> JsonObject:
        return {"name": tool.name, "description": tool.description, "input_schema": for_vendor(tool.input_schema, "anthropic")}

    def _body(self, request: ModelRequest, *, with_tools: bool) -> JsonObject:
        first = next((at for at, one in enumerate(request.messages) if not isinstance(one, SystemMessage)), len(request.messages))
        caches = "cache_control" not in {*self.options.omit, *self._refused}
        messages = self._messages(request.messages[first:])
        if caches:
            _mark_request_before(messages)
        body: JsonObject = {
            "model": self.model_id,
            "max_tokens": self.options.max_output_tokens or request.max_output_tokens,
            "messages": messages,
            "cache_control": CACHED,
        }
        if first:
            system = "\n\n".join(message.text for message in request.messages[:first])
            # of two runs only tools and these words are the same
            body["system"] = [{"type": "text", "text": system, "cache_control": CACHED}] if caches else system
        output: JsonObject = {}
        if self.options.reasoning == "none":
            body["thinking"] = {"type": "disabled"}
        elif self.options.reasoning:  # there is nothing below `low`
            output["effort"] = self.options.reasoning.replace("minimal", "low")
        if request.json_schema is not None:
            output["format"] = {"type": "json_schema", "schema": request.json_schema}
        if output:
            body["output_config"] = output
        if with_tools and request.tool_choice != "auto":
            body["tool_choice"] = {"type": "any" if request.tool_choice == "required" else "none"}
        return body

    def _messages(self, messages: Sequence[Message]) -> list[JsonObject]:
        """The conversation in Anthropic's form: all results of one turn in one message, before any words."""
        sent: list[JsonObject] = []
        for message in messages:
            match message:
                case AssistantMessage():
                    if content := self._content(message):
                        sent.append({"role": "assistant", "content": content})
                case SystemMessage():
                    sent.append({"role": "system", "content": message.text})
                case ToolResult():
                    _add(sent, _result(message, sees=self._sees))
                case _:
                    _add(sent, {"type": "text", "text": message.text})
        return sent

    @property
    def _sees(self) -> bool:
        setting = self.options.sees_images
        return not self.options.base_url if setting is None else setting

    def _content(self, message: AssistantMessage) -> list[JsonObject]:
        content = message.vendor_state.get("content")
        if content and message.model == self.id:
            return list(content)
        words = [{"type": "text", "text": message.text}] if message.text.strip() else []
        return words + [{"type": "tool_use", "id": call.id, "name": call.name, "input": call.arguments} for call in message.calls]

    def _pieces(self, on_text: OnText) -> "Blocks":
        return Blocks(on_text)

    def _read(self, request: ModelRequest, body: JsonObject) -> AssistantMessage:
        content = body.get("content")
        blocks = [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []
        text = "".join(str(block.get("text") or "") for block in blocks if block.get("type") == "text").strip()
        calls = with_ids((_call(block) for block in blocks if block.get("type") == "tool_use"), request.messages)
        stop = STOP_REASONS.get(str(body.get("stop_reason")), "end")
        counted, written = _usage(body.get("usage"))
        usage = priced(counted, self.vendor, self.model_id, cache_write_tokens=written)
        return self._reply(text, calls, stop, usage, _vendor_blocks(blocks, calls))


@dataclass
class Blocks:
    """A streamed reply on its way: text is passed on, blocks are put together."""

    on_text: OnText
    message: JsonObject = field(default_factory=dict)
    done: bool = False
    _open: dict[int, JsonObject] = field(default_factory=dict)
    _written: dict[int, str] = field(default_factory=dict)

    async def take(self, event: JsonObject) -> None:
        """Take one event; a server that does not stream sends the whole message as one."""
        index = event.get("index", 0)
        match event.get("type"):
            case "message":
                self.message, self.done = event, True
            case "message_start":
                self.message = {**event["message"], "content": []}
            case "content_block_start":
                self._open[index] = dict(event["content_block"])
                self.message.setdefault("content", []).append(self._open[index])
            case "content_block_delta" if index in self._open:
                await self._add(index, event["delta"])
            case "content_block_stop" if index in self._written:
                self._open[index]["input"] = self._written[index]
            case "message_delta":
                self.message["stop_reason"] = event.get("delta", {}).get("stop_reason") or self.message.get("stop_reason")
                self.message["usage"] = {**(self.message.get("usage") or {}), **(event.get("usage") or {})}
            case "message_stop":
                self.done = True

    async def _add(self, index: int, delta: JsonObject) -> None:
        block = self._open[index]
        match delta.get("type"):
            case "text_delta":
                block["text"] = block.get("text", "") + delta["text"]
                await self.on_text(delta["text"])
            case "input_json_delta":
                self._written[index] = self._written.get(index, "") + delta["partial_json"]
            case "thinking_delta":
                block["thinking"] = block.get("thinking", "") + delta["thinking"]
            case "signature_delta":
                block["signature"] = block.get("signature", "") + delta["signature"]

    def whole(self, *, announced: bool) -> JsonObject | None:
        """The message, when its end has come."""
        return self.message if self.done else None


def _mark_request_before(sent: list[JsonObject]) -> None:
    """Mark where the request before this one ended: what was cached is looked for at most twenty blocks before a mark, and a turn
    of ten calls has as many."""
    reply = next((at for at in range(len(sent) - 1, 0, -1) if sent[at]["role"] == "assistant"), 0)
    before = sent[reply - 1] if reply else {}
    if before.get("role") == "user":
        *others, last = before["content"]
        before["content"] = [*others, {**last, "cache_control": CACHED}]


def _add(sent: list[JsonObject], block: JsonObject) -> None:
    """One more block of the user's message; results of tools come before words, as the API demands."""
    if not sent or sent[-1]["role"] != "user":
        sent.append({"role": "user", "content": []})
    content = sent[-1]["content"]
    results = sum(one["type"] == "tool_result" for one in content)
    content.insert(results if block["type"] == "tool_result" else len(content), block)


def _result(message: ToolResult, *, sees: bool) -> JsonObject:
    text = message.compact_text or "(empty)"
    images = [_image(one) for one in message.images] if sees else []
    content = [{"type": "text", "text": text}, *images] if images else text
    result: JsonObject = {"type": "tool_result", "tool_use_id": message.call_id, "content": content}
    return {**result, "is_error": True} if message.is_error else result


def _image(image: ResultImage) -> JsonObject:
    return {"type": "image", "source": {"type": "base64", "media_type": image.mime_type, "data": image.data}}


def _call(block: JsonObject) -> ToolCall:
    return call_of(str(block.get("id") or ""), str(block.get("name") or ""), block.get("input"))


def _vendor_blocks(blocks: list[JsonObject], calls: Sequence[ToolCall]) -> JsonObject:
    """The blocks as they must come back when there are thoughts among them, their calls as we understood them."""
    if not any(block.get("type") in THOUGHTS for block in blocks):
        return {}
    understood = iter(calls)
    content = []
    for block in blocks:
        call = next(understood) if block.get("type") == "tool_use" else None
        content.append(block if call is None else {**block, "id": call.id, "name": call.name, "input": call.arguments})
    return {"content": content}


def _usage(usage: Any) -> tuple[Usage, int]:
    """Tokens with those read from and written to the cache counted in, which Anthropic counts apart; and those written."""
    if not isinstance(usage, dict):
        return Usage(), 0
    read, written = usage.get("cache_read_input_tokens") or 0, usage.get("cache_creation_input_tokens") or 0
    total = (usage.get("input_tokens") or 0) + read + written
    return Usage(input_tokens=total, output_tokens=usage.get("output_tokens") or 0, cached_tokens=read), written
