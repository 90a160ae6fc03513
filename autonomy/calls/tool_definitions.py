"""Builds the tool definitions offered to models, with hints.

A definition stays the same object in every run while nothing changes, so that each vendor serializes it once
(`llm.vendors.serialized_tools`).
"""

from dataclasses import dataclass, field

from autonomy.llm.messages import ToolDefinition
from discovery.catalog import ToolSpec
from discovery.hints.hints import Hint
from discovery.search.brief_tools import brief_form


@dataclass(frozen=True)
class Definitions:
    """The latest definition of each tool."""

    _latest: dict[str, tuple[ToolSpec, Hint, ToolDefinition]] = field(default_factory=dict)
    _brief: dict[str, tuple[ToolSpec, ToolDefinition]] = field(default_factory=dict)

    def in_brief(self, spec: ToolSpec) -> ToolDefinition:
        """The definition of a tool in few words, as one of many is shown."""
        cached = self._brief.get(spec.name)
        if cached is None or cached[0] is not spec:
            short = brief_form(spec)
            made = ToolDefinition(name=spec.name, description=short.description, input_schema=short.input_schema)
            cached = self._brief[spec.name] = spec, made
        return cached[1]

    def of(self, spec: ToolSpec, hint: Hint) -> ToolDefinition:
        """The definition of a tool that is best used as `hint` says."""
        cached = self._latest.get(spec.name)
        if cached is not None and cached[0] is spec and cached[1] is hint:
            return cached[2]
        description = f"{spec.description}\n{hint.beside_definition}".strip()
        if cached is not None and cached[0] is spec and cached[2].description == description:
            made = cached[2]
        else:
            made = ToolDefinition(name=spec.name, description=description, input_schema=spec.input_schema)
        self._latest[spec.name] = spec, hint, made
        return made
