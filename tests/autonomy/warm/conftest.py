"""One warm process for all tests of this folder: it takes seconds to start, and what it carries out takes none."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from autonomy.warm.warm_socket import STATUS, connect
from tests.support.command import HANG_S, environment

SERVER = """
import json, os, sys, time
from pathlib import Path

if len(sys.argv) > 1:
    Path(sys.argv[1], f"{os.getpid()}").touch()
tools = [
    {"name": name, "description": "Reads what the server is.", "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": True}}
    for name in ("read_self", "read_for_ever", "read_end")
]
for line in sys.stdin:
    asked = json.loads(line)
    if "id" not in asked:
        continue
    method, answer = asked["method"], {}
    if method == "initialize":
        answer = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "box", "version": "1"}}
    elif method == "tools/list":
        answer = {"tools": tools}
    elif method == "tools/call":
        if asked["params"]["name"] == "read_for_ever":
            Path(sys.argv[1], "waits").write_text(f"{os.getpid()} {os.environ['JIRITSU_MCP_SERVER']}")
            time.sleep(600)
        if asked["params"]["name"] == "read_end":
            os._exit(7)
        told = {"pid": os.getpid(), "who": os.environ.get("WHO"), "cwd": os.getcwd(), "mark": os.environ["JIRITSU_MCP_SERVER"],
                "names": sorted(os.environ)}
        answer = {"content": [{"type": "text", "text": json.dumps(told)}]}
    elif method != "ping":
        print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "error": {"code": -32601, "message": "no such method"}}), flush=True)
        continue
    print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": answer}), flush=True)
"""


@dataclass
class WarmHouse:
    """A data directory with a server, and perhaps a warm process."""

    home: Path
    process: "subprocess.Popen[str] | None" = None

    def command(self, *arguments: str) -> list[str]:
        """How `jiritsu` is started by a shell."""
        return [sys.executable, "-P", "-m", "autonomy", *arguments]

    def run(self, *arguments: str, cwd: Path | None = None, **env: str) -> "subprocess.CompletedProcess[str]":
        """Run it to its end."""
        return subprocess.run(
            self.command(*arguments),
            cwd=cwd or self.home,
            env=environment(self.home, **{"JIRITSU_WARM": "1", **env}),
            capture_output=True,
            text=True,
            timeout=HANG_S,
            stdin=subprocess.DEVNULL,
        )

    def call(self, tool: str = "read_self", **env: str) -> dict[str, object]:
        """What the server says of itself."""
        done = self.run("tools", "call", f"box_{tool}", **env)
        assert done.returncode == 0, done.stderr
        answer: dict[str, object] = json.loads(done.stdout)
        return answer

    def status(self) -> dict[str, int]:
        """What the warm process says of itself."""
        with connect(str(self.home), HANG_S) as line:
            line.send(STATUS)
            told: dict[str, int] = json.loads(line.recv(4096))
            return told


def furnish(home: Path) -> WarmHouse:
    """A data directory with one small server."""
    (home / "started").mkdir()
    (home / "server.py").write_text(SERVER, encoding="utf-8")
    box = {
        "command": sys.executable,
        "args": ["-I", str(home / "server.py"), str(home / "started")],
        "env": {"WHO": "${WHO:-nobody}"},
    }
    (home / "jiritsu.mcp.json").write_text(json.dumps({"mcpServers": {"box": box}}), encoding="utf-8")
    return WarmHouse(home)


@pytest.fixture(scope="module")
def furnished(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WarmHouse]:
    """A data directory; a warm process that a test has begun in it ends as it does at Ctrl-C."""
    found = furnish(tmp_path_factory.mktemp("warm"))
    yield found
    if found.process is not None:
        if found.process.poll() is None:
            os.kill(found.process.pid, signal.SIGINT)
        assert found.process.wait(HANG_S) == 0
        assert found.process.stderr is not None
        found.process.stderr.close()


@pytest.fixture
def house(furnished: WarmHouse) -> WarmHouse:
    """With a warm process: the one of the test before, if it has not ended it."""
    if furnished.process is None or furnished.process.poll() is not None:
        if furnished.process is not None and furnished.process.stderr is not None:
            furnished.process.stderr.close()
        furnished.process = subprocess.Popen(
            furnished.command("warm"), env=environment(furnished.home), cwd=furnished.home, stderr=subprocess.PIPE, text=True
        )
        assert furnished.process.stderr is not None
        assert "warm in" in furnished.process.stderr.readline()
    return furnished
