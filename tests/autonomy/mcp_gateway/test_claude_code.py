"""Claude Code's own program in front of the gateway, with a fake of its model on loopback: `pytest -m real_servers` with this file."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.requirements import requirement
from tests.support.anthropic_messages import KEY, AnthropicMessages, Reply, reply, text, tool_use
from tests.support.command import command_line

SHOP = Path(__file__).parents[2] / "support/servers/shop_server.py"
PACKAGE = "@anthropic-ai/claude-code"
TOOL = "mcp__jiritsu__shop_price"
pytestmark = [pytest.mark.real_servers, pytest.mark.timeout(600)]


@pytest.fixture(autouse=True)
def asked_for(request: pytest.FixtureRequest) -> None:
    """It installs a package of 200 MB: only who names it gets it."""
    if "real_servers" not in request.config.getoption("markexpr"):
        pytest.skip("run with `pytest -m real_servers`")


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Claude Code as npm has it, or where `CLAUDE_CODE` says."""
    if "CLAUDE_CODE" in os.environ:
        return Path(os.environ["CLAUDE_CODE"])
    folder = tmp_path_factory.mktemp("npm")
    command = ["npm", "install", "--prefix", str(folder), "--no-audit", "--no-fund", "--ignore-scripts", PACKAGE]
    subprocess.run(command, check=True, timeout=500)
    return next((folder / "node_modules/@anthropic-ai").glob("claude-code-*/claude"))


def answered(request: Any) -> Reply:
    """What the model would say: wait for the gateway, call the tool, and repeat what it said."""
    offered = [tool["name"] for tool in request.body.get("tools", [])]
    blocks = [block for said in request.body["messages"] if isinstance(said["content"], list) for block in said["content"]]
    results = [block["content"] for block in blocks if block.get("type") == "tool_result"]
    if TOOL not in offered and len(results) < 20:
        return reply(tool_use("WaitForMcpServers", {}))
    if not any("yen" in str(result) for result in results):
        return reply(tool_use(TOOL, {"item": "tea"}))
    return reply(text(f"It said: {results[-1]}"))


@requirement("N1")
def test_claude_code_lists_the_gateways_tools_and_gets_a_servers_answer(program: Path, tmp_path: Path) -> None:
    home = tmp_path / "jiritsu"
    home.mkdir()
    shop = {"command": sys.executable, "args": [str(SHOP), str(home / "sales")]}
    (home / "jiritsu.mcp.json").write_text(json.dumps({"mcpServers": {"shop": shop}}))
    command, *arguments = command_line("--home", str(home), "gateway")
    config = tmp_path / "mcp.json"
    config.write_text(json.dumps({"mcpServers": {"jiritsu": {"command": command, "args": arguments, "cwd": str(Path.cwd())}}}))
    with AnthropicMessages() as fake:
        fake.answer = answered
        env = {
            "PATH": os.environ["PATH"],
            "HOME": str(tmp_path),
            "ANTHROPIC_BASE_URL": fake.url,
            "ANTHROPIC_API_KEY": KEY,
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
            "MCP_TIMEOUT": "240000",
        }
        asked = ["--mcp-config", str(config), "--strict-mcp-config", "--allowedTools", TOOL, "--output-format", "json"]
        done = subprocess.run(
            [program, "-p", "What does tea cost?", *asked],
            env=env,
            cwd=tmp_path,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=400,
        )
    assert done.returncode == 0, done.stdout + done.stderr
    said = json.loads(done.stdout)
    assert not said["is_error"]
    assert "120" in said["result"]
    offered = {tool["name"] for request in fake.requests for tool in request.body.get("tools", [])}
    assert {TOOL, "mcp__jiritsu__read_result", "mcp__jiritsu__shop_sell"} <= offered
