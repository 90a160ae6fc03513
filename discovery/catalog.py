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
    """A value: it is compared by content and never changed."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)  # built when first used: a command uses few of them

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """The value with other fields. What was computed from the former ones and kept (`cached_property`) is not taken along."""
        copied = super().model_copy(update=update, deep=deep)
        if update and len(copied.__dict__) > len(type(copied).__pydantic_fields__):
            for name in copied.__dict__.keys() - type(copied).__pydantic_fields__.keys():
                del copied.__dict__[name]
        return copied


class Effect(StrEnum):
    """The effect of a tool. Nothing known means `WRITE`, and not idempotent."""

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
    """It was ready, is being reconnected, and its last-known tools are shown as unavailable."""
    PARKED = "parked"
    """It failed too often, or waits for the operator (a variable, trust, a sign-in); not retried by itself."""
    CLOSED = "closed"


Missing = Literal["", "starting", "failed", "needs_sign_in", "needs_operator", "disabled"]
"""Why a provider is not there; empty when it is. Only one that is starting is worth waiting for."""


TaskSupport = Literal["", "optional", "required", "server"]
"""Whether a server takes a call as a task, or takes nothing else (MCP 2025-11-25), or makes one of it where it likes
(2026-07-28)."""


class Freshness(StrEnum):
    """How much a catalog can be relied on."""

    FRESH = "fresh"
    STALE = "stale"
    """Older than its time to live, shown while a refresh is under way."""
    LAST_KNOWN_GOOD = "last_known_good"
    """Read from disk; no provider has answered in this process yet."""
    EMERGENCY = "emergency"
    """Nothing is known: the run may still answer in words."""


class Lookup(Frozen):
    """The read that shows whether a write happened which nobody heard back of.

    In its texts `$name` stands for the write's argument of that name, and `$key` for its idempotency key.
    """

    tool: str
    """A read of the same provider, by the provider's own name."""
    arguments: JsonObject = Field(default_factory=dict)
    shows: str = "$key"
    """What stands in its answer when the write happened. It must not stand there for any other reason."""
    absent_after_s: float | None = Field(None, ge=0, le=600)
    """What is not shown this many seconds after a look will not come any more, and may be sent again. None: nobody can be
    sure."""


class ToolSpec(Frozen):
    """One tool as the world outside its provider knows it."""

    name: str
    """The full, provider-prefixed name: unique in the catalog and valid for every model vendor."""
    provider: str
    tool: str
    """The name the provider itself uses. Never derived from `name`: look it up."""
    title: str = ""
    annotated_title: bool = False
    """Whether its title stands in its annotations alone."""
    description: str = ""
    """What a model is shown: without the indents of source code, and only so long."""
    whole_description: str = ""
    """The same as the server sent it, where it is not that."""
    input_schema: JsonObject = Field(default_factory=lambda: {"type": "object", "properties": {}})
    unshown_defaults: JsonObject = Field(default_factory=dict)
    """The defaults of arguments whose schema is not shown as the server sent it: a call that leaves them out takes them."""
    output_schema: JsonObject | None = None
    annotations: JsonObject = Field(default_factory=dict)
    """What the server says of it in MCP's words, for clients that stand behind us; nothing here is believed unless `effect`
    says so."""
    beyond: JsonObject = Field(default_factory=dict)
    """What else it sends for clients' programs and no model: `icons` and its `_meta`."""
    effect: Effect = Effect.WRITE
    declared: bool = False
    """Whether the operator or the server's annotations say what it does; else `effect` is the careful default."""
    settled: bool = False
    """Whether the operator says it: then no name and no hint makes it less."""
    idempotent: bool = False
    """Whether doing it twice with the same arguments equals doing it once. Reads always are."""
    keyed: bool = False
    """Whether it honours an idempotency key (`_meta["jiritsu/idempotency-key"]`): sent again under its key, it acts once.
    Declared by the tool's own `_meta["jiritsu/keyed"]`."""
    task_support: TaskSupport = ""
    """How it stands to tasks of MCP."""
    lookup: Lookup | None = None
    """How to find out whether a call happened; declared by the tool's own `_meta["jiritsu/lookup"]` or by the operator."""
    available: bool = True
    """False when the provider is down or the tool is held; the tool is shown, and cannot be called."""
    unavailable_because: str = ""
    starting: bool = False
    """Whether it cannot be called only because its provider has not come up yet: it is as the provider listed it last."""
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
        """The words that a client behind us gets and our own model does not: what is cut off, and a second title."""
        cut_off = self.whole_description if len(cleandoc(self.whole_description)) > len(self.description) else ""
        title = str(self.annotations.get("title") or "")
        return tuple(words for words in (cut_off, title if title != self.title else "") if words)

    @property
    def read_only(self) -> bool:
        """Whether a call changes nothing."""
        return self.effect is Effect.READ

    @property
    def repeatable(self) -> bool:
        """Whether a call may be sent again when nobody knows if the first one took effect."""
        return self.read_only or self.idempotent or self.keyed

    @property
    def called_as_task(self) -> bool:
        """Whether a call is sent as a task: where nothing else is taken, and where it tells what became of a write."""
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
    """A tool a provider offered that is kept out of the catalog, or is shown cut, and why."""

    tool: str
    """Empty where it is the whole list."""
    reason: str

    @property
    def line(self) -> str:
        """Both, for a person."""
        return f"{self.tool}: {self.reason}" if self.tool else self.reason


class Listing(Frozen):
    """The tools of one provider, named as if there were no other provider."""

    model_config = ConfigDict(frozen=True, extra="ignore")  # one that another version stored is still worth showing

    tools: tuple[ToolSpec, ...] = ()
    quarantined: tuple[Quarantined, ...] = ()
    ttl_s: float | None = None
    """How long the server says this stays true; None when it says nothing."""
    listed_at: float = 0.0
    """Seconds since the epoch."""
    took_s: float = 0.0
    """From starting to connect until the first listing, the last time."""
    missed: bool = False
    """Whether the provider was waited for in vain and has never listed anything."""


class Resource(Frozen):
    """Something a provider lets one read (MCP `resources/list`)."""

    uri: str
    name: str = ""
    description: str = ""
    mime_type: str = ""
    definition: JsonObject = Field(default_factory=dict, repr=False)
    """As the server gave it, for whoever passes it on."""


class ResourceTemplate(Frozen):
    """A family of resources, by a URI with placeholders (MCP `resources/templates/list`)."""

    uri_template: str
    name: str = ""
    definition: JsonObject = Field(default_factory=dict, repr=False)
    """As the server gave it."""


class Prompt(Frozen):
    """A prompt template a provider offers (MCP `prompts/list`)."""

    name: str
    description: str = ""
    arguments: tuple[JsonObject, ...] = ()
    """Name, description and whether it is required, of each."""
    definition: JsonObject = Field(default_factory=dict, repr=False)
    """As the server gave it."""


class Provider(Frozen):
    """One source of tools: an MCP server, or an in-process one."""

    name: str
    state: ProviderState
    reason: str = ""
    """Why it is not ready, in one sentence for the operator."""
    missing: Missing = ""
    since: float = 0.0
    """When it came into this state, in seconds since the epoch."""
    overdue: bool = False
    """Whether it was waited for in vain and has never listed its tools: it may well hang."""
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
        """Why it is not there, in a few words for people."""
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
    """What the operator should know about this snapshot, e.g. why it is an emergency one."""

    @cached_property
    def _by_name(self) -> dict[str, ToolSpec]:
        return {spec.name: spec for spec in self.tools}

    @cached_property
    def snapshot_id(self) -> str:
        """Sixteen hex digits that change when, and only when, a tool appears, disappears or changes."""
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
        """The providers that are not there and whose tools' full names may fit one of these globs; a provider's name stands for
        all."""
        return tuple(one for one in self.providers if one.missing and any(may_offer(one.name, glob) for glob in globs))

    def of(self, provider: str) -> tuple[ToolSpec, ...]:
        """The tools of one provider."""
        return tuple(spec for spec in self.tools if spec.provider == provider)

    def only(self, names: Collection[str]) -> "Catalog":
        """The catalog with only these tools, and a snapshot id of its own: advice on a part is not advice on the whole."""
        if len(names) == len(self.tools):
            return self
        return Catalog(tools=tuple(spec for spec in self.tools if spec.name in names), providers=self.providers)

    @cached_property
    def callable_tools(self) -> tuple[ToolSpec, ...]:
        """The tools that can be called now."""
        return tuple(spec for spec in self.tools if spec.available)


class ContentPart(Frozen):
    """One part of what a tool returned, other than text for the model: an image, a sound, a resource, a text for the person."""

    kind: Literal["text", "image", "audio", "resource", "resource_link"]
    mime_type: str = ""
    uri: str = ""
    name: str = ""
    """Of a link: its title, else its name, with what it says of itself."""
    data: str = ""
    """Base64, or the text of a text or of a text resource."""
    user_only: bool = False
    """Whether its server meant it for the person alone (`audience`): no model is given it."""


class ToolOutput(Frozen):
    """A provider's answer to one call. `is_error` is the tool's own word: an answer, not a failed call."""

    text: str
    structured: Any = None
    parts: tuple[ContentPart, ...] = ()
    is_error: bool = False
    duration_s: float = 0.0
    waited_s: float = 0.0
    """How long it was held back before it was sent, for its provider's rate limit."""
    meta: JsonObject = Field(default_factory=dict)
    """The answer's `_meta`: data from the server, e.g. whether an idempotency key was honoured."""
    whole: str = Field("", exclude=True, repr=False)
    """All it says, where `text` is only the beginning of it; only in the process that made the call."""
    blocks: tuple[JsonObject, ...] = Field((), exclude=True, repr=False)
    """The content block by block as it came, for whoever passes it on; only in the process that made the call."""
