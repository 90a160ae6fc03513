"""The catalog: immutable values for providers, tools and their effects.

A `Catalog` is a frozen snapshot. A run records the snapshot it used, so that a resumed run sees the same tools.
"""

import hashlib
import json
from collections.abc import Collection, Mapping
from enum import StrEnum
from functools import cached_property
from inspect import cleandoc
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field

from discovery.names import may_offer

JsonObject = dict[str, Any]


class Frozen(BaseModel):
    """A value, compared by content and never changed."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)  # built at first use: a command uses few of them

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """Copy the value with other fields, without the `cached_property` values that were computed from the old ones."""
        copied = super().model_copy(update=update, deep=deep)
        if update and len(copied.__dict__) > len(type(copied).__pydantic_fields__):
            for name in copied.__dict__.keys() - type(copied).__pydantic_fields__.keys():
                del copied.__dict__[name]
        return copied


class Effect(StrEnum):
    """The effect of a tool. If nothing is known, it is `WRITE`, and not idempotent."""

    READ = "read"
    WRITE = "write"
    DESTRUCTIVE = "destructive"
    OUTWARD = "outward"
    """A write that people or systems outside the run's own store will see: a post, a message, a mail."""


class ProviderState(StrEnum):
    """The state of a provider's connection."""

    CONNECTING = "connecting"
    READY = "ready"
    DEGRADED = "degraded"
    """It was ready and is being reconnected; its last known tools are shown as unavailable."""
    PARKED = "parked"
    """It failed too often, or the operator must act (set a variable, trust it, sign in); not retried by itself."""
    CLOSED = "closed"


Missing = Literal["", "starting", "failed", "needs_sign_in", "needs_operator", "disabled"]
"""Why a provider cannot be used; empty if it can. Only one that is starting is worth waiting for."""


TaskSupport = Literal["", "optional", "required", "server"]
"""Whether a call may or must be sent as a task (MCP 2025-11-25), or may be made one by the server (2026-07-28)."""


class Freshness(StrEnum):
    """How much a catalog can be relied on."""

    FRESH = "fresh"
    STALE = "stale"
    """Older than its TTL, shown while a refresh is under way."""
    LAST_KNOWN_GOOD = "last_known_good"
    """Read from disk; no provider has answered in this process yet."""
    EMERGENCY = "emergency"
    """Nothing is known: the run may still answer in words."""


class Lookup(Frozen):
    """A read that shows whether a write happened whose answer was lost.

    In its texts `$name` stands for the write's argument of that name, and `$key` for its idempotency key.
    """

    tool: str
    """A read of the same provider, by the provider's own name."""
    arguments: JsonObject = Field(default_factory=dict)
    shows: str = "$key"
    """Text that the answer contains if, and only if, the write happened."""
    absent_after_s: float | None = Field(None, ge=0, le=600)
    """If the text is still absent after so many seconds, the write did not happen and may be sent again. None if that is never
    certain."""


class ToolSpec(Frozen):
    """One tool of a provider."""

    name: str
    """The full, provider-prefixed name: unique in the catalog and valid for every model vendor."""
    provider: str
    tool: str
    """The name the provider itself uses. Never derived from `name`: look it up."""
    title: str = ""
    annotated_title: bool = False
    """Whether only its annotations have its title."""
    description: str = ""
    """The description for a model: without the indentation of source code, and truncated."""
    whole_description: str = ""
    """The description as the server sent it; empty if `description` is the same."""
    input_schema: JsonObject = Field(default_factory=lambda: {"type": "object", "properties": {}})
    unshown_defaults: JsonObject = Field(default_factory=dict)
    """The defaults of arguments whose schema is not shown to the model as the server sent it; added to calls that omit them."""
    output_schema: JsonObject | None = None
    annotations: JsonObject = Field(default_factory=dict)
    """The server's MCP annotations, for clients of the gateway. Our own decisions depend on `effect` instead."""
    beyond: JsonObject = Field(default_factory=dict)
    """Data for the programs of clients that no model reads: `icons` and the tool's `_meta`."""
    effect: Effect = Effect.WRITE
    declared: bool = False
    """Whether the operator or the server's annotations declare the effect; otherwise `effect` is the careful default."""
    settled: bool = False
    """Whether the operator declares the effect; then nothing else can change it."""
    seen_to_change: bool = Field(False, exclude=True)
    """Whether calls of it showed a change although nobody declares its effect; no part of its definition."""
    idempotent: bool = False
    """Whether calling it twice with the same arguments equals calling it once. Reads always are."""
    keyed: bool = False
    """Whether it honours an idempotency key (`_meta["jiritsu/idempotency-key"]`): calls with the same key act once.
    Declared by the tool's own `_meta["jiritsu/keyed"]`."""
    task_support: TaskSupport = ""
    lookup: Lookup | None = None
    """How to find out whether a call happened; declared by the tool's own `_meta["jiritsu/lookup"]` or by the operator."""
    available: bool = True
    """False if the provider is down or the tool is held; it is shown, but cannot be called."""
    unavailable_because: str = ""
    starting: bool = False
    """Whether it cannot be called only because its provider is still starting; then it is as the provider listed it last."""
    timeout_s: float | None = None
    """The provider's or the operator's own deadline for one call, in seconds."""

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 over what a person approves: names, wording, schemas and effect."""
        approved = [
            self.provider, self.tool, self.title, self.description, self.input_schema, self.output_schema, self.effect,
            self.idempotent, *self.read_by_clients_alone,
        ]  # fmt: skip
        return hashlib.sha256(json.dumps(approved, sort_keys=True, ensure_ascii=False).encode()).hexdigest()

    @property
    def read_by_clients_alone(self) -> tuple[str, ...]:
        """The texts that a client of the gateway gets and our own model does not: the rest of a description, a second title."""
        cut_off = self.whole_description if len(cleandoc(self.whole_description)) > len(self.description) else ""
        return tuple(words for words in (cut_off, self.second_title) if words)

    @property
    def second_title(self) -> str:
        """The title in its annotations if it differs from `title`; else empty."""
        title = str(self.annotations.get("title") or "")
        return title if title != self.title else ""

    @cached_property
    def read_only(self) -> bool:
        """Whether a call changes nothing; each step asks two dozen times."""
        return self.effect is Effect.READ

    @property
    def repeatable(self) -> bool:
        """Whether a call may be sent again although the first one may have taken effect."""
        return self.read_only or self.idempotent or self.keyed

    @property
    def called_as_task(self) -> bool:
        """Whether a call is sent as a task: if it must be, and if the task can tell the outcome of a write."""
        return self.task_support == "required" or (self.task_support == "optional" and not self.repeatable)

    @cached_property
    def parameters(self) -> Mapping[str, JsonObject]:
        """The declared arguments: name → JSON Schema."""
        properties = self.input_schema.get("properties", {})
        return {name: schema if isinstance(schema, dict) else {} for name, schema in properties.items()}

    @property
    def required(self) -> tuple[str, ...]:
        """The names of the arguments that must be given."""
        return tuple(self.input_schema.get("required", ()))


class Quarantined(Frozen):
    """A tool that is kept out of the catalog or is shown truncated, with the reason."""

    tool: str
    """Empty if the reason concerns the whole list."""
    reason: str

    @property
    def line(self) -> str:
        """Tool and reason, for a person."""
        return f"{self.tool}: {self.reason}" if self.tool else self.reason


class Listing(Frozen):
    """The tools of one provider, named as if there were no other provider."""

    model_config = ConfigDict(frozen=True, extra="ignore")  # another version may have stored other fields

    tools: tuple[ToolSpec, ...] = ()
    quarantined: tuple[Quarantined, ...] = ()
    ttl_s: float | None = None
    """The TTL that the server declares; None if it declares none."""
    listed_at: float = 0.0
    """Seconds since the epoch."""
    took_s: float = 0.0
    """Seconds from the begin of the last start until the first listing."""
    missed: bool = False
    """Whether the provider has never listed anything although somebody waited for it."""


class Resource(Frozen):
    """A resource that a provider offers (MCP `resources/list`)."""

    uri: str
    name: str = ""
    description: str = ""
    mime_type: str = ""
    definition: JsonObject = Field(default_factory=dict, repr=False)
    """As the server sent it, for clients of the gateway."""


class ResourceTemplate(Frozen):
    """A family of resources, by a URI with placeholders (MCP `resources/templates/list`)."""

    uri_template: str
    name: str = ""
    definition: JsonObject = Field(default_factory=dict, repr=False)
    """As the server sent it."""


class Prompt(Frozen):
    """A prompt template a provider offers (MCP `prompts/list`)."""

    name: str
    description: str = ""
    arguments: tuple[JsonObject, ...] = ()
    """Of each: its name, its description and whether it is required."""
    definition: JsonObject = Field(default_factory=dict, repr=False)
    """As the server sent it."""


class Provider(Frozen):
    """One source of tools: an MCP server, or an in-process one."""

    name: str
    state: ProviderState
    reason: str = ""
    """Why it is not ready, in one sentence for the operator."""
    missing: Missing = ""
    since: float = 0.0
    """When its state last changed, in seconds since the epoch."""
    overdue: bool = False
    """Whether it has never listed its tools although somebody waited for it: it may hang."""
    transport: Literal["stdio", "http", "in_process"] = "stdio"
    protocol_version: str = ""
    server_name: str = ""
    server_version: str = ""
    instructions: str = ""
    """The server's own words. Data, never a system prompt."""
    system_instruction: str = ""
    """The operator's words for the model, always given."""
    response_instruction: str = ""
    """The operator's words for the model, given once after a tool of this provider ran."""
    auto_context_tool: str = ""
    """Full name of the tool that is called with the user's query before the first turn; empty for none."""
    in_backend: str = ""
    """Why its tools run inside the backend rather than in a server of their own; empty for a server."""
    resources: tuple[Resource, ...] = ()
    templates: tuple[ResourceTemplate, ...] = ()
    prompts: tuple[Prompt, ...] = ()
    quarantined: tuple[Quarantined, ...] = ()
    listed_at: float | None = None
    """When its tools were last listed, in seconds since the epoch."""

    @property
    def available(self) -> bool:
        """Whether its tools can be called now."""
        return self.state is ProviderState.READY

    @property
    def cause(self) -> str:
        """Why it cannot be used, in a few words for people."""
        starting = "it has not answered yet" if self.transport == "http" else "it is still starting"
        return self.reason or {"": "", "starting": starting}.get(self.missing, self.missing.replace("_", " "))


class Catalog(Frozen):
    """All tools of all providers at one moment, sorted by name so that prompts stay cacheable."""

    tools: tuple[ToolSpec, ...] = ()
    providers: tuple[Provider, ...] = ()
    freshness: Freshness = Freshness.FRESH
    taken_at: float = 0.0
    """Seconds since the epoch."""
    message: str = ""
    """A note for the operator, e.g. why this is an emergency catalog."""

    @cached_property
    def _by_name(self) -> dict[str, ToolSpec]:
        return {spec.name: spec for spec in self.tools}

    @property
    def names(self) -> Collection[str]:
        """The full names of the tools, in their order."""
        return self._by_name.keys()

    @cached_property
    def snapshot_id(self) -> str:
        """Sixteen hex digits that change if, and only if, a tool appears, disappears or changes."""
        return hashlib.sha256(
            "".join(f"{spec.name}{spec.fingerprint}{spec.available}" for spec in self.tools).encode()
        ).hexdigest()[:16]

    def get(self, name: str) -> ToolSpec | None:
        """The tool of that full name, or None."""
        return self._by_name.get(name)

    def provider(self, name: str) -> Provider | None:
        """The provider of that name, or None."""
        return next((provider for provider in self.providers if provider.name == name), None)

    def missing(self, globs: Collection[str]) -> tuple[Provider, ...]:
        """Return the providers that cannot be used and may offer a tool whose full name matches a glob, or are named by one."""
        return tuple(one for one in self.providers if one.missing and any(may_offer(one.name, glob) for glob in globs))

    def of(self, provider: str) -> tuple[ToolSpec, ...]:
        """The tools of one provider."""
        return tuple(spec for spec in self.tools if spec.provider == provider)

    def only(self, names: Collection[str]) -> "Catalog":
        """Return a catalog with only these tools. It has a snapshot id of its own, because search indexes are cached by it."""
        if len(names) == len(self.tools):
            return self
        return Catalog(tools=tuple(spec for spec in self.tools if spec.name in names), providers=self.providers)

    @cached_property
    def callable_tools(self) -> tuple[ToolSpec, ...]:
        """The tools that can be called now."""
        return tuple(spec for spec in self.tools if spec.available)


class ContentPart(Frozen):
    """A part of a tool's answer that is not text for the model: an image, a sound, a resource, a text for the person."""

    kind: Literal["text", "image", "audio", "resource", "resource_link"]
    mime_type: str = ""
    uri: str = ""
    name: str = ""
    """Of a link: its title, else its name, and its description."""
    data: str = ""
    """Base64, or the text of a text or of a text resource."""
    user_only: bool = False
    """Whether it is for the person alone (`audience`), and not given to a model."""


class ToolOutput(Frozen):
    """A provider's answer to one call. With `is_error`, the tool reports a failure; the call itself succeeded."""

    text: str
    structured: Any = None
    parts: tuple[ContentPart, ...] = ()
    is_error: bool = False
    duration_s: float = 0.0
    waited_s: float = 0.0
    """How long the call waited for its provider's rate limit, in seconds."""
    meta: JsonObject = Field(default_factory=dict)
    """The answer's `_meta`: data from the server, e.g. whether an idempotency key was honoured."""
    whole: str = Field("", exclude=True, repr=False)
    """The whole text if `text` is truncated; only in the process that made the call."""
    blocks: tuple[JsonObject, ...] = Field((), exclude=True, repr=False)
    """The content blocks as the server sent them, for clients of the gateway; only in the process that made the call."""
