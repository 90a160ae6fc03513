"""Builds the tool definitions offered to models, with hints.

A definition stays the same object in every run while nothing changes, so that each vendor serializes it once
(`llm.vendors.serialized_tools`), and its hint stands for a while, so that vendors find the beginning of a prompt in their caches.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

from autonomy.llm.messages import ToolDefinition
from discovery.catalog import ToolSpec
from discovery.hints.hints import Hint
from discovery.search.brief_tools import brief_form

HINT_STANDS_S = 600.0
"""About as long as vendors keep what nobody asks for again. What calls teach changes hints with each run, and one change makes
all of the prompt behind it new."""


class _Made(NamedTuple):
    """The latest definition of a tool."""

    spec: ToolSpec
    hint: Hint
    definition: ToolDefinition
    stands_until: float


@dataclass(frozen=True)
class Definitions:
    """The latest definition of each tool."""

    _latest: dict[str, _Made] = field(default_factory=dict)
    _brief: dict[str, tuple[ToolSpec, ToolDefinition]] = field(default_factory=dict)

    def in_brief(self, spec: ToolSpec) -> ToolDefinition:
        """The definition of a tool in few words, as one of many is shown."""
        cached = self._brief.get(spec.name)
        if cached is None or cached[0] is not spec:
            short = brief_form(spec)
            made = ToolDefinition(name=spec.name, description=short.description, input_schema=short.input_schema)
            cached = self._brief[spec.name] = spec, made
        return cached[1]

    def of(self, spec: ToolSpec, hint: Hint, now: float) -> ToolDefinition:
        """The definition of a tool that is best used as `hint` says, or as an earlier hint said a short while ago.

        `now`: in seconds, by a clock that measures durations.
        """
        cached = self._latest.get(spec.name)
        if cached is not None and cached.spec is spec and (cached.hint is hint or now < cached.stands_until):
            return cached.definition
        description = f"{spec.description}\n{hint.beside_definition}".strip()
        if cached is not None and cached.spec is spec and cached.definition.description == description:
            made = cached.definition
        else:
            made = ToolDefinition(name=spec.name, description=description, input_schema=spec.input_schema)
        self._latest[spec.name] = _Made(spec, hint, made, now + HINT_STANDS_S)
        return made
