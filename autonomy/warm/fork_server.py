"""Forks the servers that ship with Jiritsu from a process that has imported their common modules."""

import gc
import json
import os
import runpy
import signal
import socket
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, Literal, NoReturn

from autonomy.warm.fresh_process import leave_streams
from autonomy.warm.installation import READ_AT_IMPORT
from autonomy.warm.sdk_halves import build_models_of_requests, import_client, import_server_half
from autonomy.warm.warm_socket import LARGEST, supported
from discovery.transport.local import processes

Transport = Literal["stdio", "http"]
SERVERS = frozenset(f"mcp_servers.{name}" for name in ("common", "esa", "slack", "weather"))
HARMLESS = frozenset(("MALLOC_ARENA_MAX", "PYTHONDONTWRITEBYTECODE", "PYTHONIOENCODING", "PYTHONUNBUFFERED"))
"""Variables that container images and service files often set, and that do not affect imported modules."""
UTF_8 = ("", "C", "POSIX")
"""Locales in which Python uses UTF-8 although they do not name it (PEP 538, PEP 540)."""
STREAMS = (("utf-8", "strict"), ("utf-8", "strict"), ("utf-8", "backslashreplace"))
IGNORED = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def begin(*, serves: Transport | None = None) -> socket.socket | None:
    """Fork the fork server and return the connection to it, which ends it when closed. Returns None if that is not possible.

    `serves`: over what this process is an MCP server itself; it then shares the memory of the SDK's server half with its servers.

    It must be called before anything else is imported or read, so that no setting of a command is in the memory of a server. In
    a process that has imported the SDK already, it does nothing.
    """
    if not supported() or "mcp" in sys.modules or not _plain_interpreter():
        return None
    import_client()
    if serves is not None:
        import_server_half(http=serves == "http")
    if len(os.listdir("/proc/self/task")) > 1 or not processes.can_show_process_as(processes.new_mark()):  # noqa: PTH208
        return None
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    ours, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with its:
        if os.fork() == 0:
            _be_fork_server(its)
    return ours


def _plain_interpreter() -> bool:
    """Whether a new server process would import the same modules in the same way."""
    flags = sys.flags
    options = (flags.isolated, flags.optimize, flags.dev_mode, flags.no_site, flags.no_user_site, flags.ignore_environment)
    variables = (name for name in os.environ if name.startswith(READ_AT_IMPORT) and name not in HARMLESS)
    is_utf_8 = sys.getfilesystemencoding() == "utf-8"
    return not any(options) and not sys._xoptions and not sys.warnoptions and not any(variables) and is_utf_8


def _be_fork_server(line: socket.socket) -> NoReturn:
    """Run the fork server: release everything of the command, answer its requests until it has gone, and exit."""
    try:
        os.setsid()  # so that Ctrl-C reaches only the command
        leave_streams()
        _close_all_but(line.fileno())
        os.environ.clear()
        before = {number: signal.signal(number, signal.SIG_IGN) for number in IGNORED}  # a service manager signals all processes
        _show_own_name()
        import_server_half()
        build_models_of_requests()
        gc.freeze()
        while message := line.recv(LARGEST):
            _answer(line, json.loads(message), before)
    finally:
        os._exit(0)


def _show_own_name() -> None:
    processes.show_process_as(processes.new_mark(os.getppid()), ["jiritsu: fork server"], {})


def _close_all_but(*kept: int) -> None:
    """Close all descriptors except the standard streams and those in `kept`."""
    for fd in map(int, os.listdir("/proc/self/fd")):  # noqa: PTH208
        if fd > 2 and fd not in kept:
            with suppress(OSError):  # the one that listed them is closed already
                os.close(fd)


def _answer(line: socket.socket, question: Mapping[str, Any], handlers: Mapping[signal.Signals, Any]) -> None:
    """Answer a request with a server of exactly this command, environment and folder, or with an exit code. The answer is empty
    for a server that is not ours."""
    if "ended" in question:
        code: dict[str, int] = {}
        with suppress(ChildProcessError):
            code["code"] = os.waitstatus_to_exitcode(os.waitpid(question["ended"], 0)[1])
        line.send(json.dumps(code).encode())
        return
    if not _is_ours(question):
        line.send(b"{}")
        return
    mark = processes.new_mark(os.getppid())
    # before the fork, so that the server has its mark from the beginning
    processes.show_process_as(mark, question["command"], question["env"])
    (in_, to_it), (from_it, out), (errors, err), (begun, begins) = os.pipe(), os.pipe(), os.pipe(), os.pipe()
    signal.pthread_sigmask(signal.SIG_BLOCK, IGNORED)  # so that a server ignores no signal from its beginning on
    for number, handler in handlers.items():
        signal.signal(number, handler)
    pid = os.fork()
    if pid == 0:
        _be_server(question, mark, (in_, out, err))
    os.close(begins)
    os.read(begun, 1)  # wait until it has closed the pipe, and so leads its own process group, by which it can be ended
    _show_own_name()
    for number in IGNORED:
        signal.signal(number, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, IGNORED)
    message = json.dumps({"pid": pid, "mark": mark}).encode()
    with suppress(OSError):  # the command may have closed the line
        socket.send_fds(line, [message], [to_it, from_it, errors])
    for fd in (in_, to_it, from_it, out, errors, err, begun):
        os.close(fd)


def _is_ours(question: Mapping[str, Any]) -> bool:
    """Whether the request is for one of our servers, in an environment that a fork can reproduce."""
    *begin, name = question["command"]
    env: Mapping[str, str] = question["env"]
    locales = [value for variable, value in env.items() if variable == "LANG" or variable.startswith("LC_")]
    return (
        begin == [sys.executable, "-P", "-m"]
        and name in SERVERS
        and not any(variable.startswith(READ_AT_IMPORT) for variable in env)
        and all(name in UTF_8 or name.upper().replace("-", "").partition(".")[2].startswith("UTF8") for name in locales)
        and os.path.isdir(question["cwd"])  # noqa: PTH112
        and os.access(question["cwd"], os.X_OK)
    )


def _be_server(question: Mapping[str, Any], mark: str, streams: Sequence[int]) -> NoReturn:
    """Run a server in this fork of the fork server, like `python -P -m NAME` with these streams."""
    try:
        os.setsid()
        for place, fd in enumerate(streams):
            os.dup2(fd, place)
        _close_all_but()
        os.chdir(question["cwd"])
        os.environ.update({**question["env"], processes.VARIABLE: mark})
        signal.pthread_sigmask(signal.SIG_UNBLOCK, IGNORED)
        time.tzset()
        _be_python(question["command"])
    finally:
        os._exit(1)


def _be_python(command: Sequence[str]) -> NoReturn:
    import locale

    from autonomy.warm.fresh_process import carry_out, open_streams

    with suppress(locale.Error):
        locale.setlocale(locale.LC_CTYPE, "")
    open_streams(STREAMS)
    sys.dont_write_bytecode = bool(os.environ.get("PYTHONDONTWRITEBYTECODE"))
    if not sys.flags.safe_path:
        del sys.path[0]  # the folder of our own script
    sys.argv = [""]
    sys.orig_argv[:] = command
    carry_out(lambda: runpy.run_module(command[-1], run_name="__main__", alter_sys=True))
