"""Hands a command over to the warm process, and forwards signals to it and its exit code back.

Nothing runs before `GO` is sent, so if anything is unusual until then, the command runs in this process.
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
"""Commands that end by themselves and ask for no secret at the terminal. (`worker` and `serve` do not end.)"""
WITH_VALUE = ("--servers", "--model", "--home", "--config")
ALIVE_WITHIN_S = 0.05
"""How long to wait for an answer to a knock."""
READY_WITHIN_S = 2.0
"""How long to wait for the warm process to prepare the command."""
PATIENT_S = 60.0
"""Replaces both if `JIRITSU_WARM=1`, which means to wait for a busy warm process."""
PASSED_ON = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2", "SIGWINCH", "SIGCONT")
    if hasattr(signal, name)
)  # fmt: skip
"""Signals that are forwarded to the command. SIGTSTP is handled apart."""


def carried_out(arguments: list[str]) -> int | None:
    """Run a command in the warm process. Returns its exit code, negative for a signal; None if it must run in this process."""
    if os.environ.get("JIRITSU_WARM") == "0" or "--no-warm" in arguments or _command(arguments) not in COMMANDS:
        return None
    home = _listening()
    if not home or "JIRITSU_MCP_SERVER" in os.environ or any("/fd/" in text for text in (*arguments, *os.environ.values())):
        return None  # a child of a server must bear the server's mark, and `/fd/` names a file that only this process has open
    try:
        return _ask_warm_process(home, arguments)
    except (OSError, ValueError):
        return None


def _command(arguments: list[str]) -> str:
    """Return the name of the command, which follows the options of the program itself."""
    words = iter(arguments)
    for word in words:
        if not word.startswith("-"):
            return word
        if word in WITH_VALUE:
            next(words, "")
    return ""


def _listening() -> str:
    """Return the folder in which a warm process may listen; empty if there is no socket."""
    if not sys.platform.startswith("linux"):
        return ""
    home = warm_home()
    return home if os.path.exists(os.path.join(home, SOCKET)) else ""  # noqa: PTH110, PTH118 - pathlib costs as much as all the rest


def _ask_warm_process(home: str, arguments: list[str]) -> int | None:
    """Run the command in the warm process. Raises OSError or ValueError if that fails before anything was run."""
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
    """Return the order: everything that the command would inherit from this process. Raises ValueError."""
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
    """Forward signals to the command. A stop at the terminal (Ctrl-Z) stops the command, and then this process."""

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
    """Return the last message; empty if the connection broke, because after `GO` the command must not be run again."""
    try:
        return line.recv(64)
    except OSError:
        return b""


def _exit_code(message: bytes) -> int | None:
    """Return the exit code of the command; None if it could not be started."""
    if not message:
        sys.stderr.write("jiritsu: the warm process was ended, and the command with it\n")
        return 1
    from autonomy.warm.warm_socket import RETRY

    return None if message == RETRY else int(message)


def end_as(code: int) -> int:
    """Return the exit code, or end this process by the signal that ended the command."""
    if code >= 0:
        return code
    signal.signal(-code, signal.SIG_DFL)
    os.kill(os.getpid(), -code)
    return 128 - code
