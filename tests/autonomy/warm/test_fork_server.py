"""A server of ours that is forked is as one that is started: its environment, its folder, its streams, its end."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from autonomy.warm import fork_server
from discovery.transport.local import processes
from tests.requirements import requirement
from tests.support import waiting as waits
from tests.support.command import HANG_S

pytestmark = pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="the fork server needs Linux")

COMMAND = """
import json, sys
from autonomy.warm import fork_server, leases
from autonomy.warm.spare_pool import SparePool
from discovery.transport.local import processes

class Command:
    def begin(self):
        self.dismiss = processes.start_reaper()
        leases.lease_from(fork_server.begin())
        self.servers = {}

    def take(self, command, env, cwd):
        taken = leases.leases().take(command, env, cwd)
        if taken is None:
            return None
        process, mark = taken
        self.servers[process.pid] = process
        return {"pid": process.pid, "mark": mark}

    def spare(self, command, env, cwd):
        order = {"command": command, "env": env, "cwd": cwd}
        pool = SparePool(most=2, idle_s=60, ours=leases.leases())
        assert pool.take(order) is None
        pool.look_after(busy=False)
        spare = pool.take(order)
        self.servers[spare.process.pid] = spare.process
        spare.signal_group(15)
        return {"pid": spare.process.pid, "mark": spare.mark, "code": spare.process.wait(60)}

    def wire_models(self):
        import mcp_types._v2025_11_25 as models
        from mcp_types._wire_base import WireModel
        found = [one for one in vars(models).values() if isinstance(one, type) and issubclass(one, WireModel) and one is not WireModel]
        built = [sum(one.__pydantic_complete__ for one in found)]
        try:
            models.InitializeRequest.model_validate({})
        except ValueError as error:
            said = str(error)
        return [*built, int(models.InitializeRequest.__pydantic_complete__)], said

    def collected(self):
        import gc
        return {"left_alone": gc.get_freeze_count(), "looked_through": len(gc.get_objects())}

    def say(self, pid, line):
        self.servers[pid].stdin.write(line.encode() + b"\\n")
        return self.servers[pid].stdout.readline().decode()

    def end(self, pid):
        import select
        server = self.servers[pid]
        server.stdin.close()
        select.select([server._pidfd], [], [])
        return {"code": server.poll(), "stderr": server.stderr.read().decode()}

command = Command()
command.begin()
for line in sys.stdin:
    name, *given = json.loads(line)
    print(json.dumps(getattr(command, name)(*given)), flush=True)
"""
INITIALIZE = {
    "jsonrpc": "2.0", "id": 1, "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}},
}  # fmt: skip


class House:
    """A process as a command is at its beginning, that does as it is told."""

    def __init__(self, **env: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-c", COMMAND],
            env={"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "SECRET_OF_OURS": "x" * 4_000, **env},
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            preexec_fn=lambda: os.umask(0o077),
        )  # fmt: skip

    def ask(self, *words: object) -> Any:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(words) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def take(self, folder: Path, *, name: str = "weather", **env: str) -> Any:
        given = {"PATH": os.environ["PATH"], "JIRITSU_WEATHER_DATA": "sample", **env}
        return self.ask("take", [sys.executable, "-P", "-m", f"mcp_servers.{name}"], given, str(folder))

    def end(self) -> None:
        self.process.kill()
        self.process.communicate(timeout=HANG_S)


@pytest.fixture(scope="module")
def house() -> Iterator[House]:
    house = House()
    yield house
    house.end()


def proc(pid: int, name: str) -> list[str]:
    return Path(f"/proc/{pid}/{name}").read_text().split("\0")


def gone(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


@requirement("Y7")
def test_a_forked_server_has_the_environment_of_its_entry_and_nothing_of_the_command(house: House, tmp_path: Path) -> None:
    told = house.take(tmp_path, JIRITSU_WEATHER_LOCATION="東京")
    house.ask("say", told["pid"], json.dumps(INITIALIZE))  # it is under way
    shown = set(filter(None, proc(told["pid"], "environ")))
    assert shown == {
        f"{processes.VARIABLE}={told['mark']}", f"PATH={os.environ['PATH']}", "JIRITSU_WEATHER_DATA=sample",
        "JIRITSU_WEATHER_LOCATION=東京",
    }  # fmt: skip
    assert told["mark"].split(".")[1] == str(house.process.pid), "whoever ends the command's servers finds it"
    assert proc(told["pid"], "cmdline")[1:4] == ["-P", "-m", "mcp_servers.weather"]
    assert house.ask("end", told["pid"]) == {"code": 0, "stderr": ""}


@requirement("Y7")
def test_a_forked_server_serves_in_its_folder_and_in_a_session_and_group_of_its_own(house: House, tmp_path: Path) -> None:
    told = house.take(tmp_path)
    answer = json.loads(house.ask("say", told["pid"], json.dumps(INITIALIZE)))
    assert answer["result"]["serverInfo"]["name"] == "weather"
    pid = told["pid"]
    assert Path(f"/proc/{pid}/cwd").readlink() == tmp_path
    assert (os.getpgid(pid), os.getsid(pid)) == (pid, pid)
    assert "Umask:\t0077" in Path(f"/proc/{pid}/status").read_text()
    assert len(list(Path(f"/proc/{pid}/fd").iterdir())) < 10
    os.killpg(pid, signal.SIGTERM)
    assert waits.until(lambda: gone(pid), timeout_s=HANG_S)
    assert house.ask("end", pid)["code"] == -signal.SIGTERM


@requirement("Y7")
def test_what_a_forked_server_cannot_use_is_said_on_its_stderr_and_by_its_exit_code(house: House, tmp_path: Path) -> None:
    told = house.take(tmp_path, JIRITSU_WEATHER_DATA="nowhere")
    ended = house.ask("end", told["pid"])
    assert ended["code"] == 1
    assert ended["stderr"].startswith("weather: JIRITSU_WEATHER_DATA: 'nowhere'")


@requirement("Y7")
def test_a_spare_of_ours_is_forked_too(house: House, tmp_path: Path) -> None:
    spare = house.ask("spare", [sys.executable, "-P", "-m", "mcp_servers.weather"], {"TZ": "Asia/Tokyo"}, str(tmp_path))
    assert spare["mark"].split(".")[1] == str(house.process.pid)
    assert spare["code"] == -signal.SIGTERM, "only its parent, the fork server, can be told that by the kernel"


@requirement("Y7")
@pytest.mark.parametrize(
    ("command", "env", "folder"),
    [
        ([sys.executable, "-m", "mcp_servers.weather"], {}, "/"),
        ([sys.executable, "-P", "-m", "mcp_servers.weather.server"], {}, "/"),
        (["python", "-P", "-m", "mcp_servers.weather"], {}, "/"),
        (["bwrap", sys.executable, "-P", "-m", "mcp_servers.weather"], {}, "/"),
        ([sys.executable, "-P", "-m", "mcp_servers.weather"], {"PYTHONPATH": "/x"}, "/"),
        ([sys.executable, "-P", "-m", "mcp_servers.weather"], {"LANG": "ja_JP.eucJP"}, "/"),
        ([sys.executable, "-P", "-m", "mcp_servers.weather"], {}, "/nowhere"),
    ],
)
def test_whatever_is_not_exactly_ours_is_started(house: House, command: list[str], env: dict[str, str], folder: str) -> None:
    assert house.ask("take", command, env, folder) is None


@requirement("Y7")
def test_a_command_that_is_killed_takes_its_forked_servers_with_it(tmp_path: Path) -> None:
    house = House()
    pids = [house.take(tmp_path)["pid"] for _ in range(2)]
    parent = int(Path(f"/proc/{pids[0]}/stat").read_text().rpartition(")")[2].split()[1])
    os.kill(pids[0], signal.SIGSTOP)  # in the middle of its beginning, so that this one does not notice that its input has ended
    house.end()
    assert waits.until(lambda: all(map(gone, [*pids, parent])), timeout_s=HANG_S)


@requirement("Y7")
@pytest.mark.parametrize("variable", ["PYTHONPATH", "PYTHONWARNINGS", "LD_LIBRARY_PATH"])
def test_what_changes_what_is_imported_leaves_servers_to_be_started(variable: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "mcp", raising=False)
    monkeypatch.setenv(variable, "/nowhere")
    assert fork_server.begin() is None
    assert "mcp" not in sys.modules, "and cost nothing"


@requirement("Y7")
def test_a_process_that_has_more_in_it_than_a_server_should_forks_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mcp", sys)
    assert fork_server.begin() is None


def test_models_of_the_protocol_s_versions_are_built_when_they_are_used_and_check_as_before(house: House) -> None:
    """They rest on a name that is the SDK's own: without it a command's start costs more, and nothing else changes."""
    built, error = house.ask("wire_models")
    assert built == [0, 1]
    assert "jsonrpc" in error


@requirement("K7")
def test_the_server_half_of_the_sdk_is_loaded_when_a_server_runs_in_the_process() -> None:
    """Its import takes 0.12 s of a command, and few commands have such a server."""
    program = (
        "import sys, anyio\n"
        "from autonomy.warm.sdk_halves import import_client\n"
        "import_client()\n"
        "import discovery.gateway\n"
        "print(*(name for name in sys.modules if name.startswith(('mcp.server', 'starlette', 'uvicorn'))))\n"
        "from mcp import Client\n"
        "from mcp.server.mcpserver import MCPServer\n"
        "server = MCPServer('s')\n"
        "server.tool()(abs)\n"
        "async def main():\n"
        "    for mode in ('auto', 'legacy'):\n"
        "        async with Client(server, mode=mode) as client:\n"
        "            print([tool.name for tool in (await client.list_tools()).tools])\n"
        "anyio.run(main)\n"
    )
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=HANG_S, check=True)
    assert told.stdout.splitlines() == ["", "['abs']", "['abs']"]


@requirement("K7")
@pytest.mark.parametrize(("serves", "halves"), [(None, "False False"), ("stdio", "True False"), ("http", "True True")])
def test_a_gateway_shares_what_it_needs_of_the_sdks_server_half_with_its_servers(serves: str | None, halves: str) -> None:
    """Imported after the fork, it would stand in memory twice; and over HTTP nothing is a stand-in."""
    program = (
        "import sys; from autonomy.warm import fork_server\n"
        f"fork_server.begin(serves={serves!r})\n"
        "print('mcp.server' in sys.modules, 'starlette.applications' in sys.modules)"
    )
    told = subprocess.run([sys.executable, "-P", "-c", program], capture_output=True, text=True, timeout=HANG_S, check=True)
    assert told.stdout.strip() == halves


@requirement("K7")
def test_the_garbage_collector_looks_through_nothing_that_was_imported_for_the_servers(house: House) -> None:
    """Its first look at all of that took 0.1 s of every command that calls tools."""
    found = house.ask("collected")
    assert found["looked_through"] < found["left_alone"] / 4
