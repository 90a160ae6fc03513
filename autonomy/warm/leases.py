"""Takes spare MCP servers from the warm process or the fork server, for the command in this process."""

import json
import os
import select
import socket
import threading
from collections.abc import Mapping, Sequence
from typing import IO, Any

FIRST_ANSWER_WITHIN_S = 5.0
"""The fork server may still be importing what only servers need, on a machine that is busy."""
ANSWER_WITHIN_S = 1.0
LARGEST_ANSWER = 65_536


class LeasedProcess:
    """A server that another process started for us, with the interface of `subprocess.Popen`."""

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
        """Return the exit code; None while it runs. Only the parent gets the code from the kernel, so that one is asked."""
        with self._lock:  # so that no thread uses the descriptor after another one has closed it
            if self._code is None and select.select([self._pidfd], [], [], 0)[0]:
                self._code = self._leases.exit_code(self.pid)
                os.close(self._pidfd)
            return self._code

    def wait(self, timeout: float) -> int | None:
        """Return the exit code; None if it has not ended within so many seconds."""
        if self._code is None:
            select.select([self._pidfd], [], [], timeout)
        return self.poll()


class Leases:
    """The connection over which this command asks for spares, with one request at a time."""

    def __init__(self, line: socket.socket) -> None:
        self._line = line
        self._lock = threading.Lock()
        self._is_lost = False
        line.settimeout(FIRST_ANSWER_WITHIN_S)

    def take(self, command: Sequence[str], env: Mapping[str, str], cwd: str | None) -> tuple[LeasedProcess, str] | None:
        """Return a spare of exactly this command, environment and folder, and its mark; None if there is none. Blocks."""
        try:
            folder = os.path.abspath(cwd or "")  # noqa: PTH100 - Path.absolute keeps `..`
        except OSError:  # our working directory is gone
            return None
        answer, fds = self._ask({"command": list(command), "env": dict(env), "cwd": folder})
        if "pid" not in answer:
            return None
        return LeasedProcess(self, int(answer["pid"]), fds), str(answer["mark"])

    def exit_code(self, pid: int) -> int:
        """Return the exit code of a spare that was taken; -9 if it is unknown."""
        code = self._ask({"ended": pid})[0].get("code")
        return -9 if code is None else int(code)

    def close(self) -> None:
        """Close the connection, because a fork that kept it open would keep the other process alive."""
        with self._lock:
            self._is_lost = True
            self._line.close()

    def _ask(self, question: Mapping[str, object]) -> tuple[dict[str, Any], list[int]]:
        with self._lock:
            if self._is_lost:
                return {}, []
            try:
                self._line.send(json.dumps(question).encode())
                answer, fds, _, _ = socket.recv_fds(self._line, LARGEST_ANSWER, 3)
                self._line.settimeout(ANSWER_WITHIN_S)
                return json.loads(answer), fds
            except (OSError, ValueError):  # it has gone or hangs, and a late answer could be mistaken for a later request's
                self._is_lost = True  # the connection stays open: when it is closed, the servers that were taken are ended
                return {}, []


_ours: Leases | None = None


def lease_from(line: socket.socket | None) -> None:
    """Set the connection over which this process asks for spares; None for none."""
    global _ours
    _ours = Leases(line) if line else None


def leases() -> Leases | None:
    """Return the source of spares for this process; None if it has none."""
    return _ours
