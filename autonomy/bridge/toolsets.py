"""Serves any pydantic-ai toolset as an MCP server through its public interface.

Unlike in `mcp_integration`, which reads a fixed set of tools, the toolset itself lists, prepares, validates and calls its tools,
so that all its wrappers are effective. It needs the extra `pydantic-ai`.
"""

import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from mcp.server import Server
from mcp.types import CallToolRequestParams, CallToolResult, ListToolsResult
from pydantic_ai import Agent, RunContext
from pydantic_ai.models import AbstractModel
from pydantic_ai.toolsets import AbstractToolset, CombinedToolset, ToolsetTool
from pydantic_ai.usage import RunUsage

from autonomy.bridge.bridged_tool import BridgedTool, JsonObject, answer, mcp_tool
from autonomy.bridge.mcp_integration import MCP_SERVER_NAME
from autonomy.bridge.tool_converter import annotations, guarded, validated
from autonomy.bridge.tool_threads import TOOL_THREADS

logger = logging.getLogger(__name__)

AnyToolset = AbstractToolset[Any] | Sequence[AbstractToolset[Any]]


def toolset_server(toolset: AnyToolset, *, deps: Any = None, name: str = MCP_SERVER_NAME, version: str = "1.0.0") -> Server[Any]:
    """Return a server of a toolset, or of several (`agent.toolsets`), which are asked for their tools at each request.

    `deps`: what tools get as `ctx.deps`. It stays in this process and may be anything.
    """

    @asynccontextmanager
    async def lifespan(_server: Server[Any]) -> AsyncIterator[OpenToolset]:
        async with open_toolset(toolset, deps) as opened:
            yield opened

    async def list_tools(ctx: Any, _params: Any) -> ListToolsResult:
        return ListToolsResult(tools=[mcp_tool(tool) for tool in await ctx.lifespan_context.tools()])

    async def call_tool(ctx: Any, request: CallToolRequestParams) -> CallToolResult:
        return await answer(await ctx.lifespan_context.tools(), request)

    return Server(name, version=version, lifespan=lifespan, on_list_tools=list_tools, on_call_tool=call_tool)


@asynccontextmanager
async def open_toolset(toolset: AnyToolset, deps: Any = None) -> AsyncIterator["OpenToolset"]:
    """Enter a toolset, which opens its connections, and yield it."""
    whole = toolset if isinstance(toolset, AbstractToolset) else CombinedToolset(list(toolset))
    context = RunContext(deps=deps, model=_NoModel(), usage=RunUsage(), max_retries=1)
    async with await whole.for_run(context) as entered:
        opened = OpenToolset(entered, context)
        await opened.warn_of_deferred()
        yield opened


@dataclass(frozen=True)
class OpenToolset:
    """A toolset that has been entered, with the context for its methods."""

    toolset: AbstractToolset[Any]
    context: RunContext[Any]

    async def tools(self) -> list[BridgedTool]:
        """Return the present tools, except those whose calls need a person or another system."""
        toolset, listed = await self._listed()
        return [self._bridged(toolset, name, tool) for name, tool in listed.items() if not tool.tool_def.defer]

    async def warn_of_deferred(self) -> None:
        """Log which tools are left out."""
        _, listed = await self._listed()
        if deferred := [name for name, tool in listed.items() if tool.tool_def.defer]:
            logger.warning("left out, because their calls need an approval or an answer from outside: %s", ", ".join(deferred))

    async def _listed(self) -> tuple[AbstractToolset[Any], dict[str, ToolsetTool[Any]]]:
        current = await self.toolset.for_run_step(self.context)
        return current, await current.get_tools(self.context)

    def _bridged(self, toolset: AbstractToolset[Any], name: str, tool: ToolsetTool[Any]) -> BridgedTool:
        definition = tool.tool_def
        handler = guarded(name, partial(self._call, toolset, name, tool))  # toolsets handle timeouts themselves
        hints = annotations(definition.metadata)
        return BridgedTool(name, definition.description or "", definition.parameters_json_schema, handler, hints)

    async def _call(self, toolset: AbstractToolset[Any], name: str, tool: ToolsetTool[Any], arguments: JsonObject) -> object:
        context = replace(self.context, tool_name=name, max_retries=tool.max_retries)
        checked = dict(validated(partial(tool.args_validator.validate_python, context=context.validation_context), arguments))
        if tool.args_validator_func is not None:
            refusal = tool.args_validator_func(context, **checked)
            if refusal is not None:
                await refusal
        with Agent.using_thread_executor(TOOL_THREADS):  # so that a function that hangs can be abandoned
            return await toolset.call_tool(name, checked, context, tool)


class _NoModel(AbstractModel):
    """Takes the place of a run's model, because bridged tools are called by another program, whose model is not available."""

    @property
    def model_name(self) -> str:
        return "none"

    @property
    def system(self) -> str:
        return "bridge"
