"""Hands a command to the warm process, and forwards its signals and exit code.

If anything is unusual, the command runs the ordinary way; nothing has run before `GO` is sent.
"""

import os
import signal
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

from autonomy.warm import SOCKET, warm_home

if TYPE_CHECKING:
    import socket

COMMANDS = frozenset(("approvals", "audit", "chat", "discover", "effects", "jobs", "replay", "report", "run", "runs", "tools"))
"""Commands that end by themselves and ask for no secret at the terminal. Those that stay (`worker`, `serve`) start once."""
WITH_VALUE = ("--servers", "--model", "--home", "--config")
ALIVE_WITHIN_S = 0.05
"""A process that does not answer a knock within this counts as none."""
READY_WITHIN_S = 2.0
PATIENT_S = 60.0
"""In place of both where `JIRITSU_WARM=1` says to wait for a busy one."""
PASSED_ON = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2", "SIGWINCH", "SIGCONT")
    if hasattr(signal, name)
)  # fmt: skip
"""Signals that the command gets when we do. SIGTSTP stops both: SIGSTOP cannot be passed on."""


def carried_out(arguments: list[str]) -> int | None:
    """The exit code of the command, negative for the signal that ended it; None when it has to run in this process."""
    if os.environ.get("JIRITSU_WARM") == "0" or "--no-warm" in arguments or _command(arguments) not in COMMANDS:
        return None
    home = _listening()
    if not home or "JIRITSU_MCP_SERVER" in os.environ or any("/fd/" in text for text in (*arguments, *os.environ.values())):
        return None  # a server's own child is ended with it by that mark; an open file of ours is nobody else's
    try:
        return _ask_warm_process(home, arguments)
    except (OSError, ValueError):
        return None


def _command(arguments: list[str]) -> str:
    """The name of the command, behind the options of the program itself."""
    words = iter(arguments)
    for word in words:
        if not word.startswith("-"):
            return word
        if word in WITH_VALUE:
            next(words, "")
    return ""


def _listening() -> str:
    """The folder in which a warm process listens; empty where there is none."""
    if not sys.platform.startswith("linux"):
        return ""
    home = warm_home()
    return home if os.path.exists(os.path.join(home, SOCKET)) else ""  # noqa: PTH110, PTH118 - pathlib costs as much as all the rest


def _ask_warm_process(home: str, arguments: list[str]) -> int | None:
    """Raises OSError and ValueError when the other end is not there, is not ours, or answers nonsense: nothing has been run."""
    import socket

    from autonomy.warm.warm_socket import GO, HERE, KNOCK, READY, connect

    patient = os.environ.get("JIRITSU_WARM") == "1"
    with connect(home, PATIENT_S if patient else ALIVE_WITHIN_S) as line:
        line.send(KNOCK)
        if line.recv(64) != HERE:
            return None
        line.settimeout(PATIENT_S if patient else READY_WITHIN_S)
        ignored = [number for number in PASSED_ON if signal.getsignal(number) is signal.SIG_IGN]
        here = os.open(".", os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            socket.send_fds(line, [_order(arguments, ignored)], [0, 1, 2, here])
        finally:
            os.close(here)
        if line.recv(64) != READY:
            return None
        line.send(GO)
        line.settimeout(None)
        before = {number: signal.getsignal(number) for number in (*PASSED_ON, signal.SIGTSTP)}
        _pass_signals_on(line, ignored)
        code = _exit_code(_last_message(line))
        if code is None:
            for number, action in before.items():
                signal.signal(number, action)
        return code


def _order(arguments: list[str], ignored: list[int]) -> bytes:
    """Everything that a process inherits from the one that starts it."""
    import json

    from autonomy.warm.installation import inherited, installation

    if any(stream is None for stream in (sys.stdin, sys.stdout, sys.stderr)):
        raise ValueError("a standard stream is closed")
    order = {
        "installation": installation(),
        "arguments": arguments,
        "program": sys.argv[0],
        "env": dict(os.environ),
        "path": sys.path,
        "streams": [[stream.encoding, stream.errors] for stream in (sys.stdin, sys.stdout, sys.stderr)],
        "inherited": inherited(),
        "ignored": ignored,
    }
    return json.dumps(order).encode()


def _pass_signals_on(line: "socket.socket", ignored: list[int]) -> None:
    """Forward signals to the command; a stop at the terminal (Ctrl-Z) stops it, and then us."""

    def tell(number: int, _: object) -> None:
        with suppress(OSError):
            line.send(bytes([number]))

    def pause(_: int, __: object) -> None:
        tell(signal.SIGSTOP, None)
        os.kill(os.getpid(), signal.SIGSTOP)

    for number in PASSED_ON:
        if number not in ignored:
            signal.signal(number, tell)
    if signal.getsignal(signal.SIGTSTP) is not signal.SIG_IGN:
        signal.signal(signal.SIGTSTP, pause)


def _last_message(line: "socket.socket") -> bytes:
    """The last message; empty when the connection broke. From `GO` on, no failure may make the command run twice."""
    try:
        return line.recv(64)
    except OSError:
        return b""


def _exit_code(message: bytes) -> int | None:
    """The exit code; None where the command could not be started after all."""
    if not message:
        sys.stderr.write("jiritsu: the warm process was ended, and the command with it\n")
        return 1
    from autonomy.warm.warm_socket import RETRY

    return None if message == RETRY else int(message)


def end_as(code: int) -> int:
    """End like the command: by the same signal, or with its exit code."""
    if code >= 0:
        return code
    signal.signal(-code, signal.SIG_DFL)
    os.kill(os.getpid(), -code)
    return 128 - code
