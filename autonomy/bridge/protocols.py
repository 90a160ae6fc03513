"""Defines protocols for tools and toolsets, independent of pydantic-ai's classes."""

from collections.abc import Callable, Mapping
from typing import Any, Protocol, runtime_checkable


@runtime_checkable
class PydanticAITool(Protocol):
    """A function with a name and a description.

    Its JSON Schema may be in three places, see `tool_converter._get_parameters_json_schema`. Optional attributes are `takes_ctx`
    (its first argument is a `RunContext`), `timeout` (seconds), `metadata`, `requires_approval` and `function_schema.validator`
    (which converts JSON arguments to the types that the function declares).
    """

    @property
    def name(self) -> str:
        """The name by which the model calls it."""

    @property
    def description(self) -> str | None:
        """The description that the model reads."""

    @property
    def function(self) -> Callable[..., Any]:
        """The function itself, sync or async."""


@runtime_checkable
class AgentToolset(Protocol):
    """A fixed set of tools: `agent._function_toolset`, or a `FunctionToolset` of pydantic-ai."""

    @property
    def tools(self) -> Mapping[str, Any]:
        """Tools by name, each a `PydanticAITool`."""
