"""The base class of all models over HTTP.

Subclassed by each vendor's file, which knows the shapes alone: how a request looks, how the pieces of a stream make a reply,
what a reply says.
"""

import hashlib
import logging
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import takewhile
from typing import ClassVar, Protocol

from autonomy.errors import ModelGarbled, ModelUnavailable
from autonomy.llm.messages import AssistantMessage, StopReason, SystemMessage, ToolCall, ToolDefinition, Usage
from autonomy.llm.model import ModelOptions, ModelRequest, OnText
from autonomy.llm.prices import context_window
from autonomy.llm.vendors.http_transport import HttpTransport, Refused
from autonomy.llm.vendors.serialized_tools import KEPT_LISTS, SerializedTools, assembled
from autonomy.llm.vendors.text_tool_calls import TextStream
from discovery.catalog import JsonObject

KEYED_BYTES = 1_000
"""The tools that join a run stand behind those it began with: with all of them in the key, the machine that has the others in its
cache would not be asked again."""
MOST_REPLY_CHARS = 2_000_000
"""Of a reply's words and arguments: 128,000 tokens, the most that a model writes at once, are a third of it."""
log = logging.getLogger(__name__)
REASONING = ("reasoning_effort", "reasoning", "output_config")
"""The fields that carry what the operator wrote as `reasoning`."""


class StreamAccumulator(Protocol):
    """A streamed reply on its way."""

    async def take(self, event: JsonObject) -> None:
        """Take one event, and pass on the text in it; a server that does not stream sends the whole reply as one."""
        ...

    def whole(self, *, announced: bool) -> JsonObject | None:
        """The reply as if it had not been streamed; None when it broke off. `announced`: whether `[DONE]` came."""
        ...


@dataclass
class RemoteModel(ABC):
    """A `Model`. Fields of a request that the server refuses by name are left out from then on."""

    model_id: str
    options: ModelOptions

    streaming: ClassVar[JsonObject] = {"stream": True}
    """What asks for a stream."""

    @property
    def tools_refused(self) -> str:
        """The words in which the server refused tools, of a model that goes on without them; empty where it takes them."""
        return ""

    def __post_init__(self) -> None:
        self._wire = self._opened()
        self._tools = SerializedTools(self._tool)
        self._refused: set[str] = set()

    @property
    @abstractmethod
    def vendor(self) -> str:
        """The vendor, as in the model's id and in price lists."""

    @cached_property
    def id(self) -> str:
        """`vendor:model-id`."""
        return f"{self.vendor}:{self.model_id}"

    @property
    def context_tokens(self) -> int | None:
        """How much it can read at once, as configured, else as the price list has it."""
        return self.options.context_tokens or context_window(self.vendor, self.model_id)

    async def complete(self, request: ModelRequest, on_text: OnText | None = None) -> AssistantMessage:
        """One reply. A field the server refuses by name is dropped, and the request made once more without it."""
        while True:
            try:
                return await self._request_once(request, on_text)
            except Refused as error:
                unwanted = _refused_field(error, self._optional())
                if unwanted is None or unwanted in self._refused:
                    raise
                self._refused.add(unwanted)
                if unwanted in REASONING and self.options.reasoning:
                    log.warning("%s refuses %s: it is asked without your setting from now on", self.id, unwanted)

    async def aclose(self) -> None:
        """Give the HTTP client back."""
        await self._wire.aclose()

    async def _request_once(self, request: ModelRequest, on_text: OnText | None) -> AssistantMessage:
        timeout_s = self.options.timeout_s if "timeout_s" in self.options.model_fields_set else request.timeout_s
        if on_text is None or not self.options.stream:
            answer = await self._wire.send(self._encoded(request, {}), timeout_s)
            with self._garbled_if_misshapen():
                reply = self._read(request, answer)
            if on_text is not None and reply.text:
                await on_text(reply.text)
            return reply
        speaker = self._speaker(on_text)
        pieces = self._pieces(speaker.hear)
        with self._garbled_if_misshapen():
            announced = await self._wire.stream(self._encoded(request, self.streaming), timeout_s, pieces.take)
            whole = pieces.whole(announced=announced)
            if whole is None:
                raise ModelUnavailable(self.id, "the stream ended before the reply did")
            reply = self._read(request, whole)
        await speaker.end(reply.text)
        return reply

    @contextmanager
    def _garbled_if_misshapen(self) -> Iterator[None]:
        """Raise `ModelGarbled` for a reply with a value of another kind than its dialect has."""
        try:
            yield
        except (AttributeError, LookupError, TypeError, ValueError) as error:
            log.debug("%s: a reply cannot be read", self.id, exc_info=True)  # it may be a mistake of ours
            raise ModelGarbled(self.id, f"the reply is not of its dialect's form: {type(error).__name__}") from error

    def _encoded(self, request: ModelRequest, streaming: JsonObject) -> bytes:
        """The request as JSON; what was encoded before (tools, messages) is put in as it is."""
        offered = self._offered(request)
        body = self._body(request, with_tools=bool(offered)) | streaming | self.options.extra_body
        left_out = {*self.options.omit, *self._refused}
        fields = {name: value for name, value in body.items() if name not in left_out}
        return assembled(fields | ({"tools": self._tools.encode(offered)} if offered else {}))

    def _reply(
        self, text: str, calls: tuple[ToolCall, ...], stop: StopReason, usage: Usage, vendor_state: JsonObject | None = None
    ) -> AssistantMessage:
        """A reply as everyone understands it. Raises `ModelGarbled` when there is nothing in it."""
        if not text and not calls and stop not in ("refusal", "pause"):
            raise ModelGarbled(self.id, "all tokens went into thinking" if stop == "length" else "the reply is empty")
        if len(text) + sum(len(call.written) for call in calls) > MOST_REPLY_CHARS:
            raise ModelGarbled(self.id, f"the reply has more than {MOST_REPLY_CHARS:,} characters")
        return AssistantMessage(
            text=text,
            calls=calls,
            model=self.id,
            usage=usage,
            stop_reason="tool_calls" if calls and stop == "end" else stop,
            vendor_state=vendor_state or {},
        )

    def _cache_key(self, request: ModelRequest) -> str:
        """The same for requests that begin alike, which a vendor then sends to a machine that has their beginning in its cache
        (https://platform.openai.com/docs/guides/prompt-caching)."""
        beginning = takewhile(lambda message: isinstance(message, SystemMessage), request.messages)
        offered = self._offered(request)
        tools = self._tools.encode(offered)[:KEYED_BYTES] if offered else b""
        return _digest_of(tools, *(message.text for message in beginning))

    def _speaker(self, on_text: OnText) -> TextStream:
        return TextStream(on_text)

    def _offered(self, request: ModelRequest) -> tuple[ToolDefinition, ...]:
        """The tools that are sent along."""
        return request.tools

    @abstractmethod
    def _opened(self) -> HttpTransport:
        """The way to the model."""

    @abstractmethod
    def _optional(self) -> Sequence[str]:
        """The fields a server may refuse; a request makes sense without them."""

    @abstractmethod
    def _tool(self, tool: ToolDefinition) -> JsonObject:
        """A tool in the vendor's form."""

    @abstractmethod
    def _body(self, request: ModelRequest, *, with_tools: bool) -> JsonObject:
        """A request in the vendor's form, without its tools."""

    @abstractmethod
    def _pieces(self, on_text: OnText) -> StreamAccumulator:
        """What takes a stream in."""

    @abstractmethod
    def _read(self, request: ModelRequest, body: JsonObject) -> AssistantMessage:
        """What a reply says. Raises `ModelGarbled` when there is nothing in it, and what a failed one failed of."""


@lru_cache(maxsize=KEPT_LISTS)  # of the same tools and words at every turn
def _digest_of(tools: bytes, *texts: str) -> str:
    return hashlib.sha256(b"\0".join((tools, *(text.encode() for text in texts)))).hexdigest()[:32]


def _refused_field(error: Refused, fields: Iterable[str]) -> str | None:
    if error.status not in (400, 422):
        return None
    inner = error.body.get("error")
    named = str(inner.get("param") or "") if isinstance(inner, dict) else ""
    blamed = named.partition(".")[0] or error.problem
    return next((name for name in fields if re.search(rf"\b{name}\b", blamed)), None)
