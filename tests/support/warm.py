"""A process that has the program's modules imported and forks itself for each command: a process of its own, without its start.

Started by `tests.support.command` as a script; of the tests only what keeps known things, and what a run is rehearsed with, is imported
here. Who connects sends one message with its standard streams, and is told a process id and an exit code. The MCP servers that ship with
us are forked too, when a command starts them: its `sys.executable` is `warm_python.py`, which asks here.
"""

import asyncio
import ctypes
import gc
import importlib
import io
import json
import os
import pkgutil
import runpy
import select
import signal
import socket
import struct
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from autonomy.warm.fresh_process import carry_out
from tests.support.warm_python import FORKS_WORKERS

PACKAGES = (
    "autonomy", "discovery", "mcp_servers", "metrics", "anyio._backends._asyncio", "anyio.streams.stapled", "dbos._sys_db_sqlite",
    "encodings.ascii", "encodings.utf_8_sig", "jwt", "mcp.client.stdio", "mcp.server.mcpserver", "openai.lib.streaming",
    "openai.resources.chat", "rich.console",
)  # fmt: skip
"""What commands import by and by; what an optional extra would bring is left out where it is missing. Of `openai` only what its client
needs: all of it are 1,500 modules more, which cost 1.2 s to import and make each fork larger."""

LARGEST = 1 << 20
PR_SET_PDEATHSIG = 1
HUGE = 2 << 20
"""Bytes of a huge page."""
MADV_COLLAPSE = 25
MANY = 20
"""After so many forks it pays to move our memory into huge pages, which takes half a second."""


def warm_up() -> None:
    """Import everything and build what commands need, and keep it out of the garbage collector's way, so that forks share its memory."""
    from autonomy.warm import warm_process  # not for who imports other things here
    from tests.support.known_sql import keep_compiled_sql
    from tests.support.known_tools import keep_known_tools

    warm_process.warm_up()
    for name in PACKAGES:
        package = importlib.import_module(name)
        for found in pkgutil.walk_packages(getattr(package, "__path__", ()), f"{name}."):
            if not found.name.endswith("__main__"):
                try:
                    importlib.import_module(found.name)
                except ImportError:
                    continue
    keep_known_tools()
    keep_compiled_sql()
    with tempfile.TemporaryDirectory() as folder, suppress(Exception):  # what does not work is told by the tests
        asyncio.run(rehearse(Path(folder)))
    gc.collect()  # the threads of a store end with it
    for thread in set(threading.enumerate()) - {threading.main_thread()}:
        thread.join()  # forks would lack it
    gc.freeze()
    gc.set_threshold(10_000, 20, 50)  # as in the tests' own process; a command sets its own


def move_to_huge_pages() -> None:
    """Each fork copies and drops one entry of the page table for 2 MiB then, not 512: a third of what `jiritsu --version` takes. A kernel
    that cannot leaves the memory as it is."""
    madvise = ctypes.CDLL(None).madvise
    madvise.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
    for line in Path("/proc/self/maps").read_text(encoding="utf-8").splitlines():
        span, rights, _, _, _, *name = line.split()
        if rights.startswith("rw") and name in ([], ["[heap]"]):
            begin, end = (int(place, 16) for place in span.split("-"))
            begin, end = -(-begin // HUGE) * HUGE, end // HUGE * HUGE
            for place in range(begin, end, HUGE):  # each by itself: what is empty fails
                madvise(place, HUGE, MADV_COLLAPSE)


async def rehearse(folder: Path) -> None:
    """Carry out two goals of the sample in this process, and a run that is remembered: what a process finds out and keeps (patterns,
    validators, names of places, statements, what a review says of our own tools) is then there in each fork, which would take half of its
    time for it."""
    from autonomy.agent.loop import Executor
    from autonomy.calls.services import Services
    from autonomy.jobs.job_folders import BUILT_IN
    from autonomy.jobs.job_loading import load
    from autonomy.llm.model import Task
    from autonomy.llm.model_chain import Chain
    from autonomy.llm.offline.planner import OfflinePlanner
    from autonomy.run_state.run_values import RunRequest
    from discovery.gateway import open_gateway
    from discovery.transport.in_process import InProcess
    from mcp_servers.esa.server import server_from_environment as esa_server
    from mcp_servers.slack.server import server_from_environment as slack_server
    from mcp_servers.weather.server import create_server, source_from
    from tests.support.durable import asked, box, workshop

    def now() -> datetime:
        return datetime.now(ZoneInfo("Asia/Tokyo"))

    sample = BUILT_IN / "diary" / "sample"
    servers = [
        create_server(source_from({"JIRITSU_WEATHER_DATA": "sample"}, now), now=now),
        slack_server(
            {"SLACK_EXPORT_DIR": str(sample / "slack"), "SLACK_EXPORT_SHIFT": "today", "SLACK_OUTBOX": str(folder / "outbox")}
        ),
        esa_server({"ESA_LOCAL_DIR": str(folder / "esa"), "ESA_SEED_DIR": str(sample / "esa")}),
    ]
    weather = RunRequest(run_id="weather", task=Task(goal="東京の天気を教えて", language="ja"), trigger="cli")
    diary = load(BUILT_IN / "diary" / "job.md").request("diary", {}, now=now())
    async with open_gateway(
        [], in_process={server.name: InProcess(server, in_backend="the sample") for server in servers}
    ) as gateway:
        await gateway.settle(timeout_s=240)
        executor = Executor(Chain([OfflinePlanner(today=lambda: now().date())]), Services(gateway))
        for request in (weather, diary):
            await executor.execute(request)
    async with workshop(f"sqlite:///{folder / 'jiritsu.db'}", box(folder)) as remembering:
        await remembering.runs.run(asked("run"))


class _Fork(NamedTuple):
    """A program that runs, and who asked for it."""

    pid: int
    ended: int
    """A descriptor that is readable once it has ended."""
    asked: socket.socket

    def attend(self, ready: Collection[object]) -> bool:
        """Pass on a signal that is asked for, end it when nobody waits any more, tell of its end: True then."""
        if self.asked in ready and self.ended not in ready:
            try:
                wanted = self.asked.recv(1)
            except ConnectionError:  # who asked was killed
                wanted = b""
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(self.ended, wanted[0] if wanted else signal.SIGKILL)
            if wanted:
                return False
        elif self.ended not in ready:
            return False
        _, status = os.waitpid(self.pid, 0)
        with suppress(OSError):
            self.asked.send(struct.pack("i", os.waitstatus_to_exitcode(status)))
        self.close()
        return True

    def close(self) -> None:
        """Forget it."""
        os.close(self.ended)
        self.asked.close()


def serve(alive: socket.socket, door: socket.socket, prepare: Callable[[], object]) -> dict[str, Any] | None:
    """Fork for each request, once prepared: gives what is asked for in the new process, and None here once nobody can ask any more."""
    warm = False
    forks: list[_Fork] = []
    begun = 0
    while True:
        ready, _, _ = select.select([alive, door, *(end for fork in forks for end in (fork.ended, fork.asked))], [], [])
        if alive in ready:
            return None
        forks = [fork for fork in forks if not fork.attend(ready)]
        if door not in ready:
            continue
        if not warm:  # not before somebody asks: most single tests start no command
            prepare()
            warm = True
        asked, _ = door.accept()
        try:
            message, fds, _, _ = socket.recv_fds(asked, LARGEST, 3)
        except ConnectionError:
            message, fds = b"", []
        if not message:
            asked.close()
            continue
        begun += 1
        if begun == MANY:
            move_to_huge_pages()
        pid = os.fork()
        if pid == 0:
            for end in (alive, door, asked, *forks):
                end.close()
            be_its_child(fds)
            return json.loads(message)
        for fd in fds:
            os.close(fd)
        with suppress(ConnectionError):  # whoever asked may have been killed since: the fork is ended by the next look
            asked.send(struct.pack("i", pid))
        forks.append(_Fork(pid, os.pidfd_open(pid), asked))


def be_its_child(streams: Sequence[int]) -> None:
    """In a fork: take these standard streams, and end with the process that forked us."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    for place, fd in enumerate(streams):
        os.dup2(fd, place)
        os.close(fd)


def move(cwd: str, env: dict[str, str]) -> None:
    """Be where a process stands that is started there, with that environment."""
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(env)
    time.tzset()
    signal.signal(signal.SIGINT, signal.default_int_handler)


def become(cwd: str, env: dict[str, str], arguments: list[str], python: str = "") -> None:
    """Be a process that was started so: a module, or a script, with these arguments."""
    move(cwd, env)
    if python:
        sys.executable = python
    encoding, _, errors = env.get("PYTHONIOENCODING", "utf-8").partition(":")
    sys.stdin = sys.__stdin__ = open(0, encoding=encoding, closefd=False)  # noqa: SIM115
    sys.stdout = sys.__stdout__ = io.TextIOWrapper(
        io.BufferedWriter(io.FileIO(1, "w", closefd=False)), encoding=encoding, errors=errors or "strict"
    )
    sys.stderr = sys.__stderr__ = io.TextIOWrapper(
        io.BufferedWriter(io.FileIO(2, "w", closefd=False)), encoding=encoding, errors="backslashreplace", line_buffering=True
    )
    module = arguments.pop(0)
    sys.argv = ["jiritsu" if module == "autonomy.cli" else module, *arguments]
    if module.endswith(".py"):
        runpy.run_path(module, run_name="__main__")
    else:
        runpy.run_module(module, run_name="__main__", alter_sys=True)


def asked_for(prepare: Callable[[], object], alive: str | int, door: str | int) -> dict[str, Any] | None:
    """Serve whoever knocks at that door, a descriptor, as long as the other is open; what is asked for, in the process that was forked
    for it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who interrupts the suite means its workers
    with socket.socket(fileno=int(alive)) as channel, socket.socket(fileno=int(door)) as listening:
        return serve(channel, listening, prepare)


if __name__ == "__main__":
    request = asked_for(warm_up, *sys.argv[1:3])
    if request is not None and request["arguments"][0] == FORKS_WORKERS:
        become(**request)  # it ends by itself, and nothing of our packages may stand below the tests
    elif request is not None:
        carry_out(lambda: become(**request))
