"""A process that has the program's modules imported and forks itself for each command: a process of its own, without its start.

Started by `tests.support.command` as a script; nothing of the tests is imported here. Who connects sends one message with its
standard streams, and is told a process id and an exit code. The MCP servers that ship with us are forked too, when a command starts
them: its `sys.executable` is `warm_python.py`, which asks here.
"""

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
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from autonomy.warm.fresh_process import carry_out

PACKAGES = (
    "autonomy", "discovery", "mcp_servers", "metrics", "anyio._backends._asyncio", "anyio.streams.stapled", "dbos._sys_db_sqlite",
    "encodings.ascii", "encodings.utf_8_sig", "jwt", "mcp.client.stdio", "mcp.server.mcpserver", "openai", "rich.console",
)  # fmt: skip
"""What commands import by and by; what an optional extra would bring is left out where it is missing."""

LARGEST = 1 << 20


def warm_up() -> None:
    """Import everything and build what commands need, and keep it out of the garbage collector's way, so that forks share its memory."""
    from autonomy.warm import warm_process  # not for who imports other things here

    warm_process.warm_up()
    for name in PACKAGES:
        package = importlib.import_module(name)
        for found in pkgutil.walk_packages(getattr(package, "__path__", ()), f"{name}."):
            if not found.name.endswith("__main__"):
                try:
                    importlib.import_module(found.name)
                except ImportError:
                    continue
    gc.collect()
    gc.freeze()


def serve(alive: socket.socket, door: socket.socket, prepare: Callable[[], object]) -> dict[str, Any] | None:
    """Fork for each request, once prepared: gives what is asked for in the new process, and None here once nobody can ask any more."""
    warm = False
    while True:
        ready, _, _ = select.select([alive, door], [], [])
        if alive in ready:
            return None
        if not warm:  # not before somebody asks: most single tests start no command
            prepare()
            signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # not earlier: what is run while preparing would inherit it
            warm = True
        asked, _ = door.accept()
        with asked:
            message, fds, _, _ = socket.recv_fds(asked, LARGEST, 3)
            if message and os.fork() == 0:
                alive.close()
                door.close()
                if attend(asked, *fds):
                    return json.loads(message)
            for fd in fds:
                os.close(fd)


def attend(told: socket.socket, *streams: int) -> bool:
    """Fork the program (true there), pass on the signals that are asked for, tell of its end, and end it when nobody waits."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    pid = os.fork()
    if pid == 0:
        told.close()
        for place, fd in enumerate(streams):
            os.dup2(fd, place)
            os.close(fd)
        return True
    for fd in streams:
        os.close(fd)
    os.setsid()
    told.send(struct.pack("i", pid))
    ended = os.pidfd_open(pid)
    while ended not in select.select([told, ended], [], [])[0]:
        wanted = told.recv(1)
        with suppress(ProcessLookupError):
            os.kill(pid, wanted[0] if wanted else signal.SIGKILL)
        if not wanted:
            break
    _, status = os.waitpid(pid, 0)
    with suppress(OSError):
        told.send(struct.pack("i", os.waitstatus_to_exitcode(status)))
    os._exit(0)


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


def asked_for(prepare: Callable[[], object]) -> dict[str, Any] | None:
    """Serve whoever knocks; what is asked for, in the process that was forked for it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who interrupts the suite means its workers
    with socket.socket(fileno=int(sys.argv[1])) as channel, socket.socket(fileno=int(sys.argv[2])) as listening:
        return serve(channel, listening, prepare)


if __name__ == "__main__":
    request = asked_for(warm_up)
    if request is not None:
        carry_out(lambda: become(**request))
