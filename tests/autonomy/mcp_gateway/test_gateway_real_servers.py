"""Servers and clients that nobody here wrote, on both sides of the gateway: `pytest -m real_servers` (installs them first)."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters

from tests.discovery.test_real_servers import CACHE, installed
from tests.requirements import requirement
from tests.support.command import command_line, environment

pytestmark = [pytest.mark.real_servers, pytest.mark.timeout(900)]

NPM = {
    "github": "@modelcontextprotocol/server-github",
    "gitlab": "@modelcontextprotocol/server-gitlab",
    "puppeteer": "@modelcontextprotocol/server-puppeteer",
    "chart": "@antv/mcp-server-chart",
    "notion": "@notionhq/notion-mcp-server",
    "playwright": "@playwright/mcp",
    "context7": "@upstash/context7-mcp",
    "inspector": "@modelcontextprotocol/inspector@0.15",
}
"""Beside those of `tests.discovery.test_real_servers`; none needs more than a made-up token to list its tools."""
PROGRAMS = {
    "chart": "mcp-server-chart",
    "notion": "notion-mcp-server",
    "playwright": "playwright-mcp",
    "context7": "context7-mcp",
}
FASTMCP = """
import asyncio, json, sys
from fastmcp import Client
from fastmcp.client.transports import StdioTransport

async def main(command, arguments, env, folder):
    async with Client(StdioTransport(command, arguments, env=env, cwd=folder), timeout=120) as client:
        tools = [tool.name for tool in await client.list_tools()]
        said = (await client.call_tool("everything_echo", {"message": "こんにちは"})).content[0].text
        print(json.dumps({"tools": tools, "said": said}))

asyncio.run(main(*json.loads(sys.argv[1])))
"""
PYDANTIC_AI = """
import asyncio, json, sys
from pydantic_ai import Agent
from pydantic_ai.mcp import MCPToolset
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import FunctionModel
from fastmcp.client.transports import StdioTransport

async def main(command, arguments, env, folder):
    seen = []
    def model(messages, info):
        seen[:] = [tool.name for tool in info.function_tools]
        if len(messages) == 1:
            return ModelResponse(parts=[ToolCallPart("everything_echo", {"message": "こんにちは"})])
        return ModelResponse(parts=[TextPart(str(messages[-1].parts[0].content))])
    toolset = MCPToolset(StdioTransport(command, arguments, env=env, cwd=folder), init_timeout=120, read_timeout=120)
    done = await Agent(FunctionModel(model), toolsets=[toolset]).run("say it")
    print(json.dumps({"tools": seen, "said": done.output}))

asyncio.run(main(*json.loads(sys.argv[1])))
"""
OPENAI_AGENTS = """
import asyncio, json, sys
from agents import Agent, Runner, set_tracing_disabled
from agents.items import ModelResponse
from agents.mcp import MCPServerStdio
from agents.models.interface import Model
from agents.usage import Usage
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

set_tracing_disabled(True)
seen = []

class Scripted(Model):
    async def get_response(self, system_instructions, input, model_settings, tools, *more, **named):
        seen[:] = [tool.name for tool in tools]
        said = [item for item in input if isinstance(item, dict) and item.get("type") == "function_call_output"]
        words = json.dumps({"message": "こんにちは"})
        call = ResponseFunctionToolCall(type="function_call", call_id="c1", name="everything_echo", arguments=words)
        text = ResponseOutputText(type="output_text", text=str(said[-1]["output"]) if said else "", annotations=[])
        done = ResponseOutputMessage(id="m1", type="message", role="assistant", status="completed", content=[text])
        return ModelResponse(output=[done if said else call], usage=Usage(), response_id=None)

    def stream_response(self, *more, **named):
        raise NotImplementedError

async def main(command, arguments, env, folder):
    server = {"command": command, "args": arguments, "env": env, "cwd": folder}
    async with MCPServerStdio(server, client_session_timeout_seconds=120) as gateway:
        done = await Runner.run(Agent(name="a", model=Scripted(), mcp_servers=[gateway]), "say it")
        print(json.dumps({"tools": seen, "said": str(done.final_output)}))

asyncio.run(main(*json.loads(sys.argv[1])))
"""


@pytest.fixture(autouse=True)
def asked_for(request: pytest.FixtureRequest) -> None:
    """These install packages: only who names them gets them."""
    if "real_servers" not in request.config.getoption("markexpr"):
        pytest.skip("run with `pytest -m real_servers`")


@pytest.fixture(scope="module")
def home(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data directory whose servers file names fifteen servers of others."""
    folder = tmp_path_factory.mktemp("home")
    (folder / "jiritsu.mcp.json").write_text(json.dumps({"mcpServers": servers(folder)}))
    (folder / "jiritsu.toml").write_text('[gateway.clients.default]\nwrites = "allow"\nlist_wait_s = 60\n')
    return folder


def servers(folder: Path) -> dict[str, Any]:
    """All of them, installed once."""
    cache = installed()
    missing = [one for one in NPM.values() if not (cache / "node_modules" / one.removesuffix("@0.15")).is_dir()]
    if missing:
        without_browsers = os.environ | {"PUPPETEER_SKIP_DOWNLOAD": "1", "PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD": "1"}
        command = ["npm", "install", "--prefix", cache, "--no-audit", "--no-fund", *missing]
        subprocess.run(command, check=True, env=without_browsers)
    if not (cache / "old/bin/mcp-server-sqlite").is_file():  # written for the SDK before 2, without saying so
        subprocess.run([sys.executable, "-m", "venv", cache / "old"], check=True)
        subprocess.run([cache / "old/bin/pip", "install", "--quiet", "mcp-server-sqlite", "mcp<2"], check=True)
    node, python = cache / "node_modules/.bin", cache / "venv/bin"
    subprocess.run(["git", "init", "-q", folder], check=True)
    token = dict.fromkeys(("GITHUB_PERSONAL_ACCESS_TOKEN", "GITLAB_PERSONAL_ACCESS_TOKEN", "NOTION_TOKEN"), "made-up")
    ours = ("everything", "memory", "sequential-thinking", "github", "gitlab", "puppeteer")
    commands: dict[str, tuple[Path, tuple[str, ...]]] = {name: (node / f"mcp-server-{name}", ()) for name in ours}
    commands |= {name: (node / program, ()) for name, program in PROGRAMS.items()}
    commands |= {
        "filesystem": (node / "mcp-server-filesystem", (str(folder),)),
        "git": (python / "mcp-server-git", ("--repository", str(folder))),
        "time": (python / "mcp-server-time", ()),
        "fetch": (python / "mcp-server-fetch", ()),
        "sqlite": (cache / "old/bin/mcp-server-sqlite", ("--db-path", str(folder / "a.db"))),
    }
    return {name: {"command": str(command), "args": list(args), "env": token} for name, (command, args) in commands.items()}


CLIENTS = {
    "fastmcp": ("import fastmcp.client, pydantic_ai.mcp", ("fastmcp", "pydantic-ai-slim[mcp]")),
    "agents": ("import agents.mcp", ("openai-agents",)),
}
"""Folders with clients of others: what tells that they are installed, and their packages."""


def others(folder: str) -> Path:
    """A Python with clients of others."""
    python = CACHE / folder / "bin/python"
    import_them, packages = CLIENTS[folder]
    if not python.is_file():
        subprocess.run([sys.executable, "-m", "venv", CACHE / folder], check=True)
    known = subprocess.run([python, "-c", import_them], capture_output=True, check=False)
    if known.returncode:
        subprocess.run([python, "-m", "pip", "install", "--quiet", *packages], check=True)
    return python


def by_python(program: str, folder: str = "fastmcp") -> Callable[[Path], tuple[list[str], str]]:
    """What a client in Python lists, and what a call answered."""

    def drive(home: Path) -> tuple[list[str], str]:
        command, *arguments = command_line("--home", str(home), "gateway")
        asked = json.dumps([command, arguments, environment(home), str(home)])
        done = subprocess.run([others(folder), "-c", program, asked], capture_output=True, text=True, check=False, timeout=400)
        assert done.returncode == 0, done.stderr
        seen = json.loads(done.stdout)
        return seen["tools"], seen["said"]

    return drive


def by_inspector(home: Path) -> tuple[list[str], str]:
    """The same by the inspector's command line, a process each."""
    program = [str(CACHE / "node_modules/.bin/mcp-inspector"), "--cli", *command_line("--home", str(home), "gateway")]

    def run(*asked: str) -> Any:
        done = subprocess.run(
            [*program, *asked], capture_output=True, text=True, check=False, timeout=400, env=os.environ | environment(home)
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    tools = [tool["name"] for tool in run("--method", "tools/list")["tools"]]
    call = run("--method", "tools/call", "--tool-name", "everything_echo", "--tool-arg", "message=こんにちは")
    return tools, call["content"][0]["text"]


@requirement("N1")
@pytest.mark.parametrize(
    "drive",
    [by_python(FASTMCP), by_python(PYDANTIC_AI), by_inspector, by_python(OPENAI_AGENTS, "agents")],
    ids=["fastmcp", "pydantic-ai", "inspector", "openai-agents"],
)
def test_a_client_of_others_reaches_fifteen_servers_of_others(home: Path, drive: Callable[[Path], tuple[list[str], str]]) -> None:
    tools, said = drive(home)
    behind = json.loads((home / "jiritsu.mcp.json").read_text())["mcpServers"]
    counted = {name: sum(tool.startswith(f"{name}_") or tool == name for tool in tools) for name in behind}
    print(json.dumps(counted))  # noqa: T201 - for docs/gateway.md
    assert len(counted) >= 15
    assert [name for name, count in counted.items() if not count] == []
    assert "こんにちは" in said


async def definitions(command: str, args: list[str], env: dict[str, str], folder: Path) -> dict[str, Any]:
    """Every tool that a server lists to the SDK's client, as it came."""
    server = StdioServerParameters(command=command, args=args, env=os.environ | env, cwd=str(folder))
    tools, cursor = list[Any](), None
    with anyio.fail_after(300):
        async with Client(server, mode="legacy") as met:
            while True:
                page = await met.list_tools(cursor=cursor)
                tools += page.tools
                if (cursor := page.next_cursor) is None:
                    break
    kept = {"description", "input_schema", "output_schema", "annotations", "title", "icons", "meta"}
    return {tool.name: tool.model_dump(mode="json", by_alias=True, exclude_none=True, include=kept) for tool in tools}


HELD = "Its provider's own description waits for a person."


@requirement("N1")
async def test_every_definition_of_fifteen_servers_arrives_as_its_server_gave_it(home: Path) -> None:
    command, *arguments = command_line("--home", str(home), "gateway")
    behind = json.loads((home / "jiritsu.mcp.json").read_text())["mcpServers"]
    arrived = await definitions(command, arguments, environment(home), home)
    same, other = list[str](), dict[str, Any]()
    for name, entry in behind.items():
        for tool, given in (await definitions(entry["command"], entry["args"], entry["env"], home)).items():
            got = arrived.get(f"{name}_{tool}") or arrived.get(tool) or {}
            changed = {key for key in given.keys() | got.keys() if given.get(key) != got.get(key)}
            (same.append(tool) if not changed else other.update({f"{name}_{tool}": sorted(changed)}))
    held = {name for name, tool in arrived.items() if tool["description"].endswith(HELD)}  # shown without its server's words
    print(len(same), "of", len(same) + len(other), "unchanged; held", sorted(held), json.dumps(other))  # noqa: T201 - for docs/gateway.md
    assert len(same) + len(other) > 150
    assert len(held) < 5
    assert {tool: changed for tool, changed in other.items() if tool not in held} == {}
