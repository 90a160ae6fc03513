"""Toolsets that a servers file could name; used by `test_provider` and by a server in a process of its own."""

import sys
from dataclasses import dataclass

from mcp.server import MCPServer
from pydantic_ai import Agent, RunContext
from pydantic_ai.toolsets import FunctionToolset

from autonomy.bridge import toolset_server


@dataclass
class Settings:
    unit: str


toolset: FunctionToolset[None] = FunctionToolset()


@toolset.tool_plain(metadata={"annotations": {"readOnlyHint": True}})
def weather(city: str) -> str:
    """The weather of a city."""
    return f"{city}は晴れ"


agent = Agent(deps_type=Settings)


@agent.tool
async def temperature(ctx: RunContext[Settings], degrees: int) -> str:
    """A temperature with its unit."""
    return f"{degrees}{ctx.deps.unit}"


def with_deps():
    return toolset_server(agent.toolsets, deps=Settings("度"))


tools = list(toolset.tools.values())
ready = MCPServer("ready")
not_tools = 42
broken = [object()]


def needs_more(argument):
    return argument


def raises():
    raise RuntimeError("no database")


def ends():
    sys.exit("RATES_KEY is not set")
