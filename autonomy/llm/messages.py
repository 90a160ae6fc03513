"""Vendor-neutral messages, tool definitions and tool calls.

An assistant message records the model that wrote it, its usage and why it stopped, so that a conversation can be replayed,
priced, or carried on by another model.
"""

import json
from decimal import Decimal
from functools import cached_property, lru_cache
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from discovery.catalog import Frozen, JsonObject
from metrics.endings import Outcome


class ToolDefinition(Frozen):
    """A tool as it is offered to a model."""

    name: str
    description: str
    input_schema: JsonObject

    @cached_property
    def tokens(self) -> int:
        """The estimated tokens of showing it; runs share definitions, so each is counted once."""
        from discovery.text.token_estimates import estimate_tokens  # who only reads messages need not load it

        return estimate_tokens(json.dumps(self.input_schema)) + estimate_tokens(self.description)


class ToolCall(Frozen):
    """A model's wish to use a tool."""

    id: str
    name: str
    arguments: JsonObject = Field(default_factory=dict)
    unreadable: str = ""
    """The arguments as the model wrote them, when they are not a JSON object even after a repair; then `arguments` is empty."""

    @cached_property
    def written(self) -> str:
        """The arguments as JSON: they are sent with every turn, and measured for it."""
        return _write(self.arguments)


_write = json.JSONEncoder(ensure_ascii=False).encode  # `json.dumps` would make an encoder for each call


def _as_counted(value: Any) -> Any:
    """A vendor's count: less than none would give a budget back what others have used."""
    return max(value, 0) if isinstance(value, int | float) else value


Count = Annotated[int, BeforeValidator(_as_counted)]


class Usage(Frozen):
    """The token counts of one reply. Tokens count everything sent and written; `cached_tokens` are part of `input_tokens`."""

    input_tokens: Count = 0
    output_tokens: Count = 0
    cached_tokens: Count = 0
    cost_usd: Decimal | None = None
    """None when the price is unknown, which is not the same as free."""

    @property
    def is_none(self) -> bool:
        """Whether nothing is known to have been used."""
        return not (self.input_tokens or self.output_tokens or self.cached_tokens) and self.cost_usd is None

    def costing(self, cost_usd: Decimal | None) -> "Usage":
        """The same tokens at this price."""
        return Usage.model_construct(  # of counts that are valid already, as each turn does thrice
            input_tokens=self.input_tokens, output_tokens=self.output_tokens, cached_tokens=self.cached_tokens, cost_usd=cost_usd
        )

    def __add__(self, other: "Usage") -> "Usage":
        return Usage.model_construct(
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            cached_tokens=self.cached_tokens + other.cached_tokens,
            cost_usd=None if self.cost_usd is None or other.cost_usd is None else self.cost_usd + other.cost_usd,
        )


UNUSED = Usage()
FREE = Usage(cost_usd=Decimal(0))
"""The usage of a model that costs nothing."""

StopReason = Literal["end", "tool_calls", "length", "refusal", "pause", "small_talk"]
"""`small_talk` is the offline planner's own: the words set no task, so that the run counts neither as done nor as not done."""


class SystemMessage(Frozen):
    """The operator's words. Nothing a tool returned or described ever lands here."""

    role: Literal["system"] = "system"
    text: str


class UserMessage(Frozen):
    """The requester's words, or the host's own remarks to the model (`host` is then true)."""

    role: Literal["user"] = "user"
    text: str
    host: bool = False


class AssistantMessage(Frozen):
    """One reply of a model."""

    role: Literal["assistant"] = "assistant"
    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    model: str = ""
    """`vendor:model-id` as configured."""
    usage: Usage = Usage()
    stop_reason: StopReason = "end"
    vendor_state: JsonObject = Field(default_factory=dict)
    """What the vendor wants back verbatim (e.g. signed thinking); dropped when another model carries on."""


class ResultImage(Frozen):
    """A picture that came with a result, for models that see."""

    mime_type: Literal["image/png", "image/jpeg", "image/gif", "image/webp"]
    """What OpenAI and Anthropic both take."""
    data: str
    """Base64."""

    @property
    def url(self) -> str:
        """The image as a URL, in OpenAI's form."""
        return f"data:{self.mime_type};base64,{self.data}"


class ToolResult(Frozen):
    """The answer to one tool call, as the model sees it."""

    role: Literal["tool"] = "tool"
    call_id: str
    name: str
    text: str
    is_error: bool = False
    kind: Outcome = "ok"
    structured: Any = None
    """The structured content, for the planner and for rules; vendors are sent `compact_text`."""
    answered_by: str = ""
    """The tool that answered in place of the one that was called; empty when it answered itself."""
    handle: str = ""
    """Under which the whole result can be read when `text` is only its beginning."""
    images: tuple[ResultImage, ...] = ()
    """Shown to a model that sees; `text` names them for the others."""

    @property
    def compact_text(self) -> str:
        """The text for a model, which pays for it with every turn: structured content that is only written out comes without
        white space. The text of a file stays as it is: whoever edits it has to repeat it to the letter."""
        if self.structured is None or self.text[:1] not in ("{", "["):
            return self.text
        written, compact = _read(self.text)
        wrapped = self.structured.get("result") if isinstance(self.structured, dict) and len(self.structured) == 1 else None
        return compact if written is not None and written in (self.structured, wrapped) else self.text


@lru_cache(maxsize=64)  # a conversation is sent with every turn; a text has 20,000 characters at most
def _read(text: str) -> tuple[Any, str]:
    """JSON as data and without white space; None for what is none."""
    try:
        data = json.loads(text)
        return data, json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    except (ValueError, RecursionError):
        return None, text


Message = Annotated[SystemMessage | UserMessage | AssistantMessage | ToolResult, Field(discriminator="role")]

LLMResponse = AssistantMessage
"""The seeds' name for a model's reply."""
