"""Runs one command in a fork that takes over the caller's folder, environment and streams."""

import ctypes
import json
import locale
import os
import resource
import select
import signal
import socket
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from autonomy.warm.fresh_process import leave_streams, open_streams
from autonomy.warm.installation import confinement, inherited, installation
from autonomy.warm.leases import lease_from
from autonomy.warm.warm_socket import GO, READY, RETRY, peer

PATIENCE_S = 5.0
"""How long to wait for the client's confirmation."""
OTHER_CODE = 3
"""The exit code of an attendant whose client runs other code or is in a sandbox."""
_PR_SET_PDEATHSIG = 1
_FOLDER = 3
"""The index of the working directory among the descriptors of an order."""


def run_attendant(line: socket.socket, spares: socket.socket, order: bytes, fds: list[int]) -> None:
    """Fork the process of the ordered command, set it up, and return in it. The attendant itself never returns.

    `line`: the connection to the client. `spares`: the connection over which the command may ask for spare servers. `fds`: the
    client's standard streams and working directory.
    """
    parsed = _parsed_order(order)
    if parsed is None or len(fds) != _FOLDER + 1 or not _is_one_of_ours(line, parsed):
        os._exit(OTHER_CODE)  # the client notices that the line is closed, and runs the command itself
    try:
        usual = inherited() == parsed["inherited"]
        _become(parsed, fds)
        line.settimeout(PATIENCE_S)
        line.send(READY)
        if line.recv(64) != GO:
            os._exit(0)
        pid = os.fork()
    except (OSError, ValueError, KeyError, TypeError):
        with suppress(OSError):
            line.send(RETRY)
        os._exit(0)
    if pid == 0:
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)  # the command ends with the attendant
        line.close()
        _begin(parsed)
        lease_from(spares if usual else None)
        return
    spares.close()
    _stand_by(line, pid)
    os._exit(0)


def _parsed_order(order: bytes) -> dict[str, Any] | None:
    try:
        parsed = json.loads(order)
    except ValueError:
        return None
    return parsed if isinstance(parsed, dict) else None


def _is_one_of_ours(line: socket.socket, order: Mapping[str, Any]) -> bool:
    """Whether the client runs the same code and has the same confinement as we do."""
    try:
        return order.get("installation") == _INSTALLATION and confinement(peer(line)[0]) == confinement(os.getpid())
    except OSError:
        return False


_INSTALLATION = json.loads(json.dumps(installation()))
"""The code that this process runs."""


def outdated() -> bool:
    """Whether the code on disk has changed since this process imported it."""
    return bool(json.loads(json.dumps(installation())) != _INSTALLATION)


def _become(order: Mapping[str, Any], fds: list[int]) -> None:
    """Take over what the command would inherit from its client. Raises OSError and ValueError if that is not permitted."""
    os.setsid()
    for place, fd in enumerate(fds[:_FOLDER]):
        os.dup2(fd, place)
        os.close(fd)
    os.fchdir(fds[_FOLDER])
    os.close(fds[_FOLDER])
    theirs = order["inherited"]
    os.umask(theirs["umask"])
    os.setpriority(os.PRIO_PROCESS, 0, theirs["nice"])
    os.sched_setaffinity(0, theirs["cpus"])
    for number, soft, hard in theirs["limits"]:
        if resource.getrlimit(number) != (soft, hard):
            resource.setrlimit(number, (soft, hard))
    os.environ.clear()
    os.environ.update(order["env"])


def _begin(order: Mapping[str, Any]) -> None:
    """Set up the interpreter as at the start of the command."""
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD):
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for number in order["ignored"]:
        signal.signal(number, signal.SIG_IGN)
    time.tzset()
    with suppress(locale.Error):
        locale.setlocale(locale.LC_CTYPE, "")
    sys.path[:] = order["path"]
    sys.argv = [order["program"], *order["arguments"]]
    open_streams(order["streams"])


def _stand_by(line: socket.socket, pid: int) -> None:
    """Forward the client's signals, report the command's end, and kill it when the client has gone."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)  # signals for the command come over the line
    leave_streams()
    line.settimeout(None)
    ended = os.pidfd_open(pid)
    watched: list[socket.socket | int] = [line, ended]
    while ended not in select.select(watched, [], [])[0]:
        signal_byte = _asked_for(line)
        os.kill(pid, signal_byte or signal.SIGKILL)  # the number cannot be reused before `waitpid`
        if not signal_byte:
            break
    _, status = os.waitpid(pid, 0)
    with suppress(OSError):
        line.send(str(os.waitstatus_to_exitcode(status)).encode())


def _asked_for(line: socket.socket) -> int:
    """Return the signal that the client sends; 0 if it has gone."""
    try:
        signal_byte = line.recv(1)
    except OSError:
        return 0
    return signal_byte[0] if signal_byte else 0
