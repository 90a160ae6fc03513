"""Takes MCP servers that the warm process has started ahead, for the command in this process."""

import json
import os
import select
import socket
import threading
from collections.abc import Mapping, Sequence
from typing import IO, Any

ANSWER_WITHIN_S = 1.0
LARGEST_ANSWER = 65_536


class LeasedProcess:
    """A server that the warm process started, and that is ours alone."""

    def __init__(self, leases: "Leases", pid: int, pipes: Sequence[int]) -> None:
        self.pid = pid
        self.stdin: IO[bytes] | None = open(pipes[0], "wb", buffering=0)  # noqa: SIM115, PTH123 - handed to the transport
        self.stdout: IO[bytes] | None = open(pipes[1], "rb", buffering=0)  # noqa: SIM115, PTH123
        self.stderr: IO[bytes] | None = open(pipes[2], "rb", buffering=0)  # noqa: SIM115, PTH123
        self._leases = leases
        self._pidfd = os.pidfd_open(pid)
        self._code: int | None = None
        self._lock = threading.Lock()

    def poll(self) -> int | None:
        """The exit code once it has ended; the kernel tells it only to its parent, which we ask."""
        with self._lock:  # a second thread would look at a descriptor that the first has closed
            if self._code is None and select.select([self._pidfd], [], [], 0)[0]:
                self._code = self._leases.exit_code(self.pid)
                os.close(self._pidfd)
            return self._code

    def wait(self, timeout: float) -> int | None:
        """The exit code; None where it has not ended within so many seconds."""
        if self._code is None:
            select.select([self._pidfd], [], [], timeout)
        return self.poll()


class Leases:
    """The line to the warm process over which this command asks for spares; one question at a time."""

    def __init__(self, line: socket.socket) -> None:
        self._line: socket.socket | None = line
        self._lock = threading.Lock()
        line.settimeout(ANSWER_WITHIN_S)

    def take(self, command: Sequence[str], env: Mapping[str, str], cwd: str | None) -> tuple[LeasedProcess, str] | None:
        """A spare of exactly this command, environment and folder, and its mark; None where there is none. Blocks."""
        try:
            folder = os.path.abspath(cwd or "")  # noqa: PTH100 - Path.absolute keeps `..`
        except OSError:  # our working directory is gone
            return None
        answer, fds = self._ask({"command": list(command), "env": dict(env), "cwd": folder})
        if "pid" not in answer:
            return None
        return LeasedProcess(self, int(answer["pid"]), fds), str(answer["mark"])

    def exit_code(self, pid: int) -> int:
        """The exit code of a spare that was taken; -9 if unknown."""
        code = self._ask({"ended": pid})[0].get("code")
        return -9 if code is None else int(code)

    def close(self) -> None:
        """Close our end of the socket: a fork that kept it would keep the process at the other end alive."""
        with self._lock:
            if self._line is not None:
                self._line.close()
                self._line = None

    def _ask(self, question: Mapping[str, object]) -> tuple[dict[str, Any], list[int]]:
        with self._lock:
            if self._line is None:
                return {}, []
            try:
                self._line.send(json.dumps(question).encode())
                answer, fds, _, _ = socket.recv_fds(self._line, LARGEST_ANSWER, 3)
                return json.loads(answer), fds
            except (OSError, ValueError):  # it is gone or hangs; an answer that came later would be to another question
                self._line = None
                return {}, []


_ours: Leases | None = None


def lease_from(line: socket.socket | None) -> None:
    """Set, once, where this process may ask for spares; None: nowhere."""
    global _ours
    _ours = Leases(line) if line else None


def leases() -> Leases | None:
    """The source of spares for this process, only in a command that the warm process executes."""
    return _ours
