"""The protocol of a language model: one request, one reply.

A model makes exactly one attempt: retries and fallbacks are `llm.model_chain`'s, so that they are seen and counted in one place.
"""

import re
from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Annotated, Any, Literal, Protocol, runtime_checkable

from pydantic import AfterValidator, ConfigDict, Field

from autonomy.llm.messages import AssistantMessage, Message, ToolDefinition
from discovery.catalog import Frozen, JsonObject

OnText = Callable[[str], Awaitable[None]]
"""Receives pieces of text as they are written."""

_ENGLISH_BESIDE = re.compile(r"(?<=[^\x00-\x7f])\s*\([\x20-\x7e]+\)$")
"""The English words behind a Japanese description."""


class Need(Frozen):
    """Something a job declares it needs done or known; models read it as text, the offline planner plans from it."""

    id: str
    description: str
    effect: str = "read"
    """The effect a tool must have to meet it: `read`, `write`, `outward`, …"""
    arguments: JsonObject = Field(default_factory=dict)
    """Values for the tool's arguments by name; `{{…}}` refers to inputs, to `result`, and to earlier needs."""
    tools: tuple[str, ...] = ()
    """Globs of tools that may meet it, when the job's author wants to say so; else they are found by its description."""
    required: bool = True
    after: tuple[str, ...] = ()
    """Needs whose results it builds on; a write is held until there is evidence for them."""
    enough: Literal["all"] | int | None = None
    """How many of what can be listed (channels, pages) a read must visit; unsaid, "every" in its description means all."""
    times: int = Field(1, ge=1)
    """How many calls of a run may meet it, when it is a write."""

    @property
    def shown(self) -> str:
        """The description for people, without the English words in brackets that a Japanese job adds to find tools by."""
        return _ENGLISH_BESIDE.sub("", self.description) or self.id


class Section(Frozen):
    """One part of a text that a job asks for, and the words by which its material is recognised."""

    title: str
    source: str = ""
    """The need whose results it is drawn from."""
    cues: tuple[str, ...] = ()
    """A line that holds one of these belongs here; none means every line."""
    rest: bool = False
    """Whether lines belong here, too, in which no cue of any section is found."""
    empty: str = ""
    """What stands there when nothing was found."""
    limit: int = 12
    """The most lines it may have."""


class Task(Frozen):
    """The declared parts of a job's goal, beside its words."""

    goal: str
    inputs: JsonObject = Field(default_factory=dict)
    needs: tuple[Need, ...] = ()
    sections: tuple[Section, ...] = ()
    language: str = "ja"
    jobs: tuple[str, ...] = ()
    """The names of the jobs that a person could ask for as well; only the offline planner reads it."""


class ModelRequest(Frozen):
    """All inputs of one reply."""

    messages: tuple[Message, ...]
    tools: tuple[ToolDefinition, ...] = ()
    task: Task | None = None
    """The declared form of the goal; only the offline planner reads it, for the others the messages say the same."""
    now: datetime | None = None
    """When the run began, by the clock of those who asked; only the offline planner reads it, the messages say the same."""
    max_output_tokens: int = 1500
    temperature: float | None = 0.3
    """Sent to models that accept it."""
    json_schema: JsonObject | None = None
    """When given, the reply's text must be JSON of this schema."""
    tool_choice: Literal["auto", "none", "required"] = "auto"
    """`none` forces words, `required` a call of some tool."""
    plans: bool = False
    """Whether nothing but a plan of writes is asked for; only models that are none read it, the messages say the same."""
    effects: dict[str, str] = Field(default_factory=dict)
    """The effect of each offered tool by name; only the offline planner reads it."""
    undeclared: dict[str, str] = Field(default_factory=dict)
    """The server of each offered tool that counts as a write only because nobody says what it does, and that does not seem to
    write; only the offline planner reads it."""
    absent: tuple[str, ...] = ()
    """The servers that the goal may have meant and that could not be reached; only the offline planner reads it."""
    timeout_s: float = 60.0


class Model(Protocol):
    """A language model."""

    @property
    def id(self) -> str:
        """`vendor:model-id`."""
        ...

    async def complete(self, request: ModelRequest, on_text: OnText | None = None) -> AssistantMessage:
        """Answer once.

        Raises `ModelUnavailable`, `ModelRejected` or `ModelGarbled`; nothing else crosses this line.
        """
        ...

    async def aclose(self) -> None:
        """Give back what it holds."""
        ...


@runtime_checkable
class Bounded(Protocol):
    """A model that knows how much it can read at once."""

    @property
    def context_tokens(self) -> int | None:
        """Tokens of request and reply together; None when nobody said."""
        ...


def _carried(text: str) -> str:
    """The text without the space around it. Raises `ValueError` for what no HTTP header can carry (RFC 9110, 5.5)."""
    if not re.fullmatch(r"[\t -~]*", text.strip()):
        raise ValueError("holds characters that an HTTP header cannot carry")
    return text.strip()


HeaderText = Annotated[str, AfterValidator(_carried)]


class ModelOptions(Frozen):
    """The configurable options of one model; every optional field can be switched off for servers that refuse it."""

    model_config = ConfigDict(hide_input_in_errors=True)

    api_key: HeaderText = Field(default="", repr=False)
    base_url: str = ""
    api: Literal["chat", "responses"] = "chat"
    """OpenAI only: which of its APIs. `responses` lets a model that reasons keep its thoughts from one turn to the next."""
    timeout_s: float = 60.0
    max_output_tokens: int | None = Field(None, ge=1)
    """The most tokens of one reply, thoughts included; none given leaves it to the task (`autonomy.agent.prompt`)."""
    reasoning: Literal["none", "minimal", "low", "medium", "high", "max"] | None = None
    """How much it thinks before it speaks, in each vendor's own form; None leaves it to the vendor."""
    tools_in_prompt: bool | None = None
    """Whether tools are written into the prompt, for a server whose template drops `tools`; None finds out."""
    strict_tools: bool = False
    """OpenAI only: whether tools whose schema allows it are sent in strict mode, in which the model cannot break it."""
    sees_images: bool | None = None
    """Whether it is shown the pictures that tools return; None: only a model of Anthropic at its own address, which all see."""
    context_tokens: int | None = Field(None, ge=1000)
    """How much the model can read at once, for one that the price list does not know, such as one on your own machine."""
    send_temperature: bool = True
    send_parallel_tool_calls: bool = True
    stream: bool = True
    """Whether text is asked for piece by piece when somebody listens."""
    omit: tuple[str, ...] = ()
    """Optional fields of the request, by the vendor's names, that are never sent."""
    extra_body: dict[str, Any] = Field(default_factory=dict)
    """Fields added to every request, by the vendor's names."""
    headers: dict[str, HeaderText] = Field(default_factory=dict, repr=False)
