"""Seven servers nobody here wrote, from npm and PyPI, all at once: `pytest -m real_servers` (installs them into a cache directory first)."""

import subprocess
import sys
from pathlib import Path
from uuid import uuid4

import anyio
import pytest

from discovery.gateway import open_gateway
from discovery.gateway_settings import GatewaySettings
from discovery.servers.server_config import ServerConfig
from tests.support.watching import processes_with

NPM = ("everything", "filesystem", "memory", "sequential-thinking")
PYPI = ("mcp-server-git", "mcp-server-time", "mcp-server-fetch")
CACHE = Path.home() / ".cache/jiritsu-real-servers"

pytestmark = [pytest.mark.real_servers, pytest.mark.timeout(600)]


@pytest.fixture(autouse=True)
def asked_for(request: pytest.FixtureRequest) -> None:
    """These install packages: only who names them gets them."""
    if "real_servers" not in request.config.getoption("markexpr"):
        pytest.skip("run with `pytest -m real_servers`")


def installed() -> Path:
    """The directory with all seven, installed once."""
    if not (CACHE / "node_modules").is_dir():
        packages = [f"@modelcontextprotocol/server-{name}" for name in NPM]
        subprocess.run(["npm", "install", "--prefix", CACHE, "--no-audit", "--no-fund", *packages], check=True)
    if not (CACHE / "venv/bin/mcp-server-fetch").is_file():
        subprocess.run([sys.executable, "-m", "venv", CACHE / "venv"], check=True)
        subprocess.run([CACHE / "venv/bin/pip", "install", "--quiet", *PYPI], check=True)
    return CACHE


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A git repository with one commit."""
    (tmp_path / "note.txt").write_text("こんにちは\n")
    author = ["-c", "user.name=t", "-c", "user.email=t@example.com"]
    for command in (["init", "-q"], ["add", "."], [*author, "commit", "-q", "-m", "first"]):
        subprocess.run(["git", *command], cwd=tmp_path, check=True)
    return tmp_path


async def test_all_are_there_answer_under_their_own_prefix_and_are_gone_afterwards(repository: Path) -> None:
    sign = f"sign-{uuid4().hex}"
    home = await anyio.to_thread.run_sync(installed)
    memory = str(repository / "memory.json")
    commands = {
        "everything": (f"{home}/node_modules/.bin/mcp-server-everything", ()),
        "filesystem": (f"{home}/node_modules/.bin/mcp-server-filesystem", (str(repository),)),
        "memory": (f"{home}/node_modules/.bin/mcp-server-memory", ()),
        "thinking": (f"{home}/node_modules/.bin/mcp-server-sequential-thinking", ()),
        "git": (f"{home}/venv/bin/mcp-server-git", ("--repository", str(repository))),
        "time": (f"{home}/venv/bin/mcp-server-time", ()),
        "fetch": (f"{home}/venv/bin/mcp-server-fetch", ()),
    }
    servers = [
        ServerConfig(name=name, command=command, args=args, env={"SIGN": sign, "MEMORY_FILE_PATH": memory})
        for name, (command, args) in commands.items()
    ]
    calls = {
        "everything_echo": ({"message": "hello"}, "hello"),
        "filesystem_read_text_file": ({"path": str(repository / "note.txt")}, "こんにちは"),
        "memory_read_graph": ({}, "entities"),
        "thinking_sequentialthinking": (
            {"thought": "one", "thoughtNumber": 1, "totalThoughts": 1, "nextThoughtNeeded": False},
            "thoughtNumber",
        ),
        "git_log": ({"repo_path": str(repository)}, "first"),
        "time_get_current_time": ({"timezone": "Asia/Tokyo"}, "Asia/Tokyo"),
    }
    with anyio.fail_after(240):
        async with open_gateway(servers, settings=GatewaySettings(grace_s=30, startup_s=30)) as gateway:
            catalog = await gateway.catalog()
            assert {spec.provider for spec in catalog.callable_tools} == set(commands)
            assert not [provider.reason for provider in catalog.providers if not provider.available]
            assert all(spec.name.startswith(spec.provider) for spec in catalog.tools)
            for name, (arguments, expected) in calls.items():
                output = await gateway.call(name, arguments)
                assert expected in output.text, (name, output.text)
                assert not output.is_error
            refused = await gateway.call("fetch", {"url": "http://127.0.0.1:9/"})
            assert refused.is_error  # nothing listens there: an answer, not a failure of the call
    with anyio.fail_after(240):
        while await anyio.to_thread.run_sync(processes_with, sign):
            await anyio.sleep(0.05)
