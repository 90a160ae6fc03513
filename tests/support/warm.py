"""A process that has the program's modules imported and forks itself for each command: a process of its own, without its start.

Started by `tests.support.command` as a script; nothing of the tests is imported here. A request is one message with four file
descriptors: the command's standard streams, and where its process id and exit code are told.
"""

import gc
import importlib
import io
import json
import os
import pkgutil
import runpy
import signal
import socket
import struct
import sys
import time

PACKAGES = (
    "autonomy.app", "autonomy.chat", "autonomy.cli", "autonomy.custom_tools", "autonomy.durable", "autonomy.agent", "autonomy.jobs",
    "autonomy.llm", "discovery", "metrics", "mcp.client.stdio", "mcp.server.mcpserver", "openai", "rich.console",
)  # fmt: skip
"""What commands import by and by; what an optional extra would bring is left out where it is missing."""

LARGEST = 1 << 20


def warm_up() -> None:
    """Import everything, and keep it out of the garbage collector's way, so that forks share its memory."""
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


def requests(control: socket.socket) -> dict[str, object] | None:
    """Fork for each request: gives it in the command's own process, and None in this one once nobody can ask any more."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while True:
        message, fds, _, _ = socket.recv_fds(control, LARGEST, 4)
        if not message:
            return None
        if os.fork() == 0:
            control.close()
            if attend(*fds):
                return dict(json.loads(message))
        for fd in fds:
            os.close(fd)


def attend(stdin: int, stdout: int, stderr: int, told: int) -> bool:
    """Fork the command (true there), wait for its end and tell of it."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    pid = os.fork()
    if pid:
        for fd in (stdin, stdout, stderr):
            os.close(fd)
        os.write(told, struct.pack("i", pid))
        _, status = os.waitpid(pid, 0)
        os.write(told, struct.pack("i", os.waitstatus_to_exitcode(status)))
        os._exit(0)
    os.close(told)
    for fd, place in ((stdin, 0), (stdout, 1), (stderr, 2)):
        os.dup2(fd, place)
        os.close(fd)
    return True


def become(cwd: str, env: dict[str, str], arguments: list[str]) -> None:
    """Be a process that was started so."""
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(env)
    time.tzset()
    sys.argv = ["jiritsu", *arguments]
    sys.stdin = sys.__stdin__ = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stdout = sys.__stdout__ = io.TextIOWrapper(io.BufferedWriter(io.FileIO(1, "w", closefd=False)), encoding="utf-8")
    sys.stderr = sys.__stderr__ = io.TextIOWrapper(
        io.BufferedWriter(io.FileIO(2, "w", closefd=False)), encoding="utf-8", errors="backslashreplace", line_buffering=True
    )
    signal.signal(signal.SIGINT, signal.default_int_handler)


if __name__ == "__main__":
    with socket.socket(fileno=int(sys.argv[1])) as channel:
        warm_up()
        asked = requests(channel)
    if asked is not None:
        become(**asked)  # type: ignore[arg-type]
        runpy.run_module("autonomy.cli", run_name="__main__", alter_sys=True)
