"""Servers and a client that nobody here wrote, on both sides of the gateway: `pytest -m real_servers` (installs them first)."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.discovery.test_real_servers import CACHE, installed
from tests.requirements import requirement
from tests.support.command import command_line, environment

pytestmark = [pytest.mark.real_servers, pytest.mark.timeout(900)]

CLIENT = """
import asyncio, json, sys
from fastmcp import Client
from fastmcp.client.transports import StdioTransport

async def main(command, arguments, env, folder):
    async with Client(StdioTransport(command, arguments, env=env, cwd=folder), timeout=120) as client:
        tools = await client.list_tools()
        listed = await client.call_tool("filesystem_list_directory", {"path": folder})
        echoed = await client.call_tool("everything_echo", {"message": "こんにちは"})
        print(json.dumps({"tools": [tool.name for tool in tools], "said": [listed.content[0].text, echoed.content[0].text]}))

asyncio.run(main(*json.loads(sys.argv[1])))
"""


@pytest.fixture(autouse=True)
def asked_for(request: pytest.FixtureRequest) -> None:
    """These install packages: only who names them gets them."""
    if "real_servers" not in request.config.getoption("markexpr"):
        pytest.skip("run with `pytest -m real_servers`")


@requirement("N1")
def test_fastmcp_s_client_reaches_four_npm_servers_through_the_gateway(tmp_path: Path) -> None:
    home = installed()
    python = CACHE / "fastmcp/bin/python"
    if not python.is_file():
        subprocess.run([sys.executable, "-m", "venv", CACHE / "fastmcp"], check=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "fastmcp"], check=True)
    programs = {
        name: {"command": f"{home}/node_modules/.bin/mcp-server-{name}"}
        for name in ("everything", "memory", "sequential-thinking")
    }
    files = {"command": f"{home}/node_modules/.bin/mcp-server-filesystem", "args": [str(tmp_path)]}
    (tmp_path / "jiritsu.mcp.json").write_text(json.dumps({"mcpServers": {**programs, "filesystem": files}}))
    command, *arguments = command_line("--home", str(tmp_path), "gateway")
    asked = json.dumps([command, arguments, environment(tmp_path), str(tmp_path)])
    done = subprocess.run([python, "-c", CLIENT, asked], capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0, done.stderr
    seen = json.loads(done.stdout)
    prefixes = ("everything_", "memory_", "sequential-thinking_", "filesystem_")
    assert all(any(name.startswith(prefix) for name in seen["tools"]) for prefix in prefixes)
    assert "jiritsu.mcp.json" in seen["said"][0]
    assert "こんにちは" in seen["said"][1]
