"""The OpenAI Chat Completions dialect.

What servers differ in stands in `Dialect`; requests go where OpenAI's SDK would send them (`openai_sdk`).
"""

import json
import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any, ClassVar, Literal

from autonomy.errors import ModelGarbled
from autonomy.llm.messages import (
    AssistantMessage,
    Message,
    StopReason,
    SystemMessage,
    ToolDefinition,
    ToolResult,
    Usage,
)
from autonomy.llm.model import ModelRequest, OnText
from autonomy.llm.prices import priced
from autonomy.llm.vendors.http_model import RemoteModel
from autonomy.llm.vendors.http_transport import Refused
from autonomy.llm.vendors.openai_sdk import OpenAITransport
from autonomy.llm.vendors.serialized_tools import Encoded, SerializedMessages, as_given, with_ids
from autonomy.llm.vendors.text_tool_calls import (
    TextStream,
    TextToolCallParser,
    call_of,
    in_words,
    without_thoughts,
    written_calls,
)
from discovery.catalog import JsonObject
from discovery.schemas.schema import Vendor, for_vendor
from discovery.schemas.strict import strict
from discovery.text.redaction import redact
from discovery.text.token_estimates import estimate_tokens
from metrics.text.phrases import patterns_of

STOP_REASONS: dict[str, StopReason] = {
    "stop": "end",
    "tool_calls": "tool_calls",
    "function_call": "tool_calls",
    "length": "length",
    "content_filter": "refusal",
}
HELD_SHARE = 0.5
"""Of the estimated tokens of the tools: a prompt that counts fewer, with the conversation, cannot hold them; the estimate is
within a third for JSON."""
NO_TOOLS = patterns_of("autonomy.llm")["refuses_tools"]
log = logging.getLogger(__name__)
OPTIONAL = (
    "temperature", "parallel_tool_calls", "stream_options", "tool_choice", "response_format", "reasoning_effort",
    "prompt_cache_key", "cache_control",
)  # fmt: skip
"""Fields a server may refuse; a request makes sense without them."""
SIGNATURE = "extra_content"
"""Where Gemini signs a call; Gemini 3 refuses a conversation whose calls come back without
(https://ai.google.dev/gemini-api/docs/thought-signatures)."""
CACHE_READ = ("cached_tokens", "prompt_cache_hit_tokens", "cache_read_input_tokens")
"""What servers call the tokens that came out of a cache: OpenAI in the details of the prompt, Moonshot beside them; DeepSeek; and
proxies before Anthropic."""
CACHE_WRITTEN = ("cache_write_tokens", "cache_creation_input_tokens")
"""What OpenRouter and LiteLLM call those that were written to one, which Anthropic bills for."""
LENGTH_FIELDS = ("max_completion_tokens", "max_tokens")


@dataclass(frozen=True)
class Dialect:
    """The differences between kinds of servers."""

    vendor: str
    base_url: str
    schemas: Vendor
    length_field: Literal["max_completion_tokens", "max_tokens"]
    lenient: bool = False
    """Whether it is a small model's server: thoughts and calls may stand in the text, and system messages only at the
    beginning."""


@dataclass
class ChatCompletionsModel(RemoteModel):
    """A `Model` behind `/chat/completions`."""

    dialect: Dialect

    _in_prompt: bool = field(default=False, init=False)
    """Whether tools are written into the prompt, because the server drops them."""
    _shows_tools: bool = field(default=False, init=False)
    """Whether the model called a tool it was sent: its server shows them, however few tokens it counts."""

    _tools_refused: str = field(default="", init=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        self._serialized = SerializedMessages(lambda message: messages_of([message], lenient=False, model=self.id)[0])

    @property
    def _reads_text(self) -> bool:
        """Whether thoughts and calls may stand in a reply's text: also of a server that people call by the name of OpenAI, since
        it speaks its dialect."""
        return self.dialect.lenient or self.options.base_url.rstrip("/") not in ("", self.dialect.base_url)

    streaming: ClassVar[JsonObject] = {"stream": True, "stream_options": {"include_usage": True}}

    @property
    def vendor(self) -> str:
        """The dialect's."""
        return self.dialect.vendor

    @property
    def tools_refused(self) -> str:
        """The words in which the server refused tools, which are then written into the prompt; empty where it takes them."""
        return self._tools_refused

    async def complete(self, request: ModelRequest, on_text: OnText | None = None) -> AssistantMessage:
        """One reply. Where the server's template turns out to drop the tools they are written into the prompt, from then on."""
        try:
            reply = await super().complete(request, on_text)
            self._shows_tools |= bool(reply.calls)
            if not self._drops_tools(request, reply):
                return reply
        except Refused as error:
            if not self._may_write_tools(request) or not NO_TOOLS.search(error.problem):
                raise
            self._tools_refused = error.problem
        log.warning("%s does not show its model the tools: they are written into the prompt from now on", self.id)
        self._in_prompt = True
        return await super().complete(request, on_text)

    def _drops_tools(self, request: ModelRequest, reply: AssistantMessage) -> bool:
        """Whether the prompt, as the server counted it, is too short to hold the tools it was sent."""
        counted = reply.usage.input_tokens
        if not self._may_write_tools(request) or self._shows_tools or not counted:
            return False
        return counted < HELD_SHARE * estimate_tokens(self._tools.encode(request.tools).decode())

    def _may_write_tools(self, request: ModelRequest) -> bool:
        """Whether there are tools to be written into the prompt which are not there yet, and nobody forbade it."""
        undecided = self.options.tools_in_prompt is None and self.dialect.lenient and not self._in_prompt
        return undecided and bool(self._offered(request))

    def _opened(self) -> OpenAITransport:
        base_url = self.options.base_url or self.dialect.base_url
        return OpenAITransport(model=self.id, options=self.options, base_url=base_url, path="/chat/completions")

    def _optional(self) -> Sequence[str]:
        return (*OPTIONAL, self._length_field())

    def _tool(self, tool: ToolDefinition) -> JsonObject:
        narrowed = strict(tool.input_schema) if self.options.strict_tools else None
        function = {
            "name": tool.name,
            "description": tool.description,
            "parameters": narrowed or for_vendor(tool.input_schema, self.dialect.schemas),
        }
        return {"type": "function", "function": {**function, "strict": True} if narrowed else function}

    def _offered(self, request: ModelRequest) -> tuple[ToolDefinition, ...]:
        """None to a small model that must use words: it would call them all the same."""
        unwanted = self._writes_tools or (request.tool_choice == "none" and self.dialect.lenient)
        return () if unwanted else request.tools

    @property
    def _writes_tools(self) -> bool:
        return self._in_prompt or bool(self.options.tools_in_prompt)

    def _messages(self, request: ModelRequest) -> list[JsonObject] | Encoded:
        if not self._writes_tools:
            lenient, sees = self.dialect.lenient, bool(self.options.sees_images)
            if lenient or sees:  # then what is sent of a message depends on those beside it
                return messages_of(request.messages, lenient=lenient, model=self.id, sees=sees)
            return self._serialized.encode(request.messages)
        tools = () if request.tool_choice == "none" else request.tools
        return messages_of(in_words(request.messages, tools, self._tools.encode(tools)), lenient=True)

    def _body(self, request: ModelRequest, *, with_tools: bool) -> JsonObject:
        body: JsonObject = {
            "model": self.model_id,
            "messages": self._messages(request),
            self._length_field(): self.options.max_output_tokens or request.max_output_tokens,
        }
        if self.options.send_temperature and request.temperature is not None:
            body["temperature"] = request.temperature
        if request.json_schema is not None:
            narrowed = strict(request.json_schema)
            schema_field = {"name": "reply", "schema": narrowed or request.json_schema, "strict": narrowed is not None}
            body["response_format"] = {"type": "json_schema", "json_schema": schema_field}
        if with_tools and self.options.send_parallel_tool_calls:
            body["parallel_tool_calls"] = True
        if with_tools and request.tool_choice != "auto":
            body["tool_choice"] = request.tool_choice
        if self.options.reasoning:
            body["reasoning_effort"] = self.options.reasoning
        if self.vendor == "openai":
            body["prompt_cache_key"] = self._cache_key(request)
        if self.vendor == "openrouter" and self.model_id.startswith("anthropic/"):  # whose models cache nothing unasked
            body["cache_control"] = {"type": "ephemeral"}
        return body

    def _length_field(self) -> str:
        field = self.dialect.length_field
        if field not in self._refused:
            return field
        return next((name for name in LENGTH_FIELDS if name not in self._refused), field)

    def _speaker(self, on_text: OnText) -> TextStream:
        return TextToolCallParser(on_text) if self._reads_text else TextStream(on_text)

    def _pieces(self, on_text: OnText) -> "ChatAccumulator":
        return ChatAccumulator(on_text)

    def _read(self, request: ModelRequest, body: JsonObject) -> AssistantMessage:
        choices = body.get("choices")
        choice = choices[0] if isinstance(choices, list) and choices and isinstance(choices[0], dict) else None
        message = choice.get("message") if choice else None
        if choice is None or not isinstance(message, dict):
            shown = redact(json.dumps(body, ensure_ascii=False))[:80]
            what = "the reply has no message" if choices else "the reply is no chat completion"
            raise ModelGarbled(self.id, f"{what}: {shown}")
        text = _text(message.get("content"))
        calls = []
        for call in message.get("tool_calls") or ():
            function = call.get("function") if isinstance(call, dict) else None
            if isinstance(function, dict):
                calls.append(call_of(str(call.get("id") or ""), str(function.get("name") or ""), function.get("arguments")))
        if self._reads_text:
            text = without_thoughts(text)
            if not calls:
                text, calls = written_calls(text, [tool.name for tool in request.tools])
        stop = STOP_REASONS.get(str(choice.get("finish_reason")), "end")
        if refusal := message.get("refusal"):
            text, stop = text or str(refusal), "refusal"
        if request.tool_choice == "none":
            calls = []
        if self.options.strict_tools:
            calls = as_given(calls, request.tools)
        counted, written = _usage(body.get("usage"))
        usage = priced(counted, self.vendor, self.model_id, cache_write_tokens=written)
        return self._reply(text, with_ids(calls, request.messages), stop, usage, _signed(message) if calls else None)


@dataclass
class ChatAccumulator:
    """A streamed reply on its way: text is passed on, calls are put together."""

    on_text: OnText
    finish_reason: str = ""
    usage: Any = None
    calls: list[dict[str, Any]] = field(default_factory=list)
    _text: list[str] = field(default_factory=list)
    _refusal: list[str] = field(default_factory=list)
    _whole: JsonObject | None = None

    async def take(self, event: JsonObject) -> None:
        """Take one event of the stream; the last one may have no choices, and a server that does not stream sends all at once."""
        self.usage = event.get("usage") or self.usage
        for choice in event.get("choices") or ():
            if "message" in choice:
                self._whole = event
            self.finish_reason = choice.get("finish_reason") or self.finish_reason
            delta = choice.get("delta") or {}
            for call in delta.get("tool_calls") or ():
                self._add(call)
            self._refusal.append(delta.get("refusal") or "")
            if piece := _text(delta.get("content")):
                self._text.append(piece)
                await self.on_text(piece)

    def _add(self, piece: dict[str, Any]) -> None:
        """A piece of a call belongs to the call of its index, unless it brings another id; without an index it is a call of its
        own."""
        index, call_id = piece.get("index"), piece.get("id")
        slot = next((one for one in reversed(self.calls) if one["index"] == index and index is not None), None)
        if slot is None or (call_id and slot["id"] and call_id != slot["id"]):
            slot = {"index": index, "id": "", "function": {"name": "", "arguments": ""}}
            self.calls.append(slot)
        if SIGNATURE in piece:
            slot[SIGNATURE] = piece[SIGNATURE]
        function, own = piece.get("function") or {}, slot["function"]
        slot["id"] = slot["id"] or call_id or ""
        own["name"] = own["name"] or function.get("name") or ""
        arguments = function.get("arguments")
        own["arguments"] = own["arguments"] + arguments if isinstance(arguments, str) else arguments or own["arguments"]

    def whole(self, *, announced: bool) -> JsonObject | None:
        """The reply as if it had not been streamed; None when neither `[DONE]` nor a reason to finish came."""
        if self._whole is not None:
            return self._whole
        if not announced and not self.finish_reason:
            return None
        message = {"content": "".join(self._text), "tool_calls": self.calls, "refusal": "".join(self._refusal)}
        return {"choices": [{"message": message, "finish_reason": self.finish_reason}], "usage": self.usage}


def messages_of(messages: Sequence[Message], *, lenient: bool, model: str = "", sees: bool = False) -> list[JsonObject]:
    """The conversation in OpenAI's form; `model` gets back what it signed, and one that `sees` the pictures of results."""
    sent: list[JsonObject] = []
    for at, message in enumerate(messages):
        match message:
            case AssistantMessage():
                sent.append(_assistant(message, signed=message.vendor_state.get(SIGNATURE) if message.model == model else None))
            case ToolResult():
                sent.append({"role": "tool", "tool_call_id": message.call_id, "content": message.compact_text or "(empty)"})
                if sees and not isinstance(next(iter(messages[at + 1 : at + 2]), None), ToolResult):
                    sent += _pictures(messages[: at + 1])
            case SystemMessage() if lenient and sent:
                _add_user(sent, f"(from the operator) {message.text}", lenient)
            case SystemMessage():
                sent.append({"role": "system", "content": message.text})
            case _:
                _add_user(sent, message.text, lenient)
    return sent


def _pictures(messages: Sequence[Message]) -> list[JsonObject]:
    """Those of the results at the end, in a message of their own behind all results: a `tool` message may hold text alone."""
    results = [*takewhile(lambda one: isinstance(one, ToolResult), reversed(messages))][::-1]
    parts: list[JsonObject] = []
    for result in results:
        if isinstance(result, ToolResult) and result.images:
            parts.append({"type": "text", "text": f"(from the host) The pictures of the result of {result.name}:"})
            parts += [{"type": "image_url", "image_url": {"url": image.url}} for image in result.images]
    return [{"role": "user", "content": parts}] if parts else []


def _add_user(sent: list[JsonObject], text: str, lenient: bool) -> None:
    """Templates of small models want roles to take turns: neighbours become one message."""
    if lenient and sent and sent[-1]["role"] == "user" and isinstance(sent[-1]["content"], str):
        sent[-1]["content"] += f"\n\n{text}"
    else:
        sent.append({"role": "user", "content": text})


def _signed(message: JsonObject) -> JsonObject | None:
    """What the model wants back with each of its calls; None when that is nothing."""
    signed = [call.get(SIGNATURE) for call in message.get("tool_calls") or () if isinstance(call, dict)]
    return {SIGNATURE: signed} if any(signed) else None


def _assistant(message: AssistantMessage, signed: Sequence[JsonObject | None] | None = None) -> JsonObject:
    sent: JsonObject = {"role": "assistant", "content": message.text or ("" if not message.calls else None)}
    if message.calls:
        sent["tool_calls"] = [
            {
                "id": call.id,
                "type": "function",
                "function": {"name": call.name, "arguments": call.written},
            }
            for call in message.calls
        ]
        if signed is not None and len(signed) == len(message.calls):
            for call, signature in zip(sent["tool_calls"], signed, strict=True):
                call |= {SIGNATURE: signature} if signature else {}
    return sent


def _text(content: Any) -> str:
    """Text, or the text of parts."""
    if isinstance(content, list):
        return "".join(str(part.get("text") or "") for part in content if isinstance(part, dict))
    return content if isinstance(content, str) else ""


def _usage(usage: Any) -> tuple[Usage, int]:
    """Tokens as counted by the server, and those written to a cache; none given is none known."""
    if not isinstance(usage, dict):
        return Usage(), 0
    places = usage | (usage.get("prompt_tokens_details") or {})
    read, written = (next(filter(None, map(places.get, names)), 0) for names in (CACHE_READ, CACHE_WRITTEN))
    prompt = usage.get("prompt_tokens") or 0
    if read + written > prompt:  # a proxy that passes on what its vendor counts apart
        prompt += read + written
    return Usage(input_tokens=prompt, output_tokens=usage.get("completion_tokens") or 0, cached_tokens=read), written
