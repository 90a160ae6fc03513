"""Keeps spare MCP servers that have received nothing yet, one for each kind that commands asked for."""

import json
import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from autonomy.warm.leases import LeasedProcess, Leases
from discovery.transport.local import processes

QUARTER_S = 900
"""A spare is used only within the same quarter of an hour of the clock, because a server may read the date at its start."""
QUIET_S = 5.0
"""No spares are started for this time after one was taken, while commands run, because starting takes processor time."""
GRACE_S = 1.0
"""How long to wait after closing a server's input, and again after SIGTERM."""


@dataclass
class Spare:
    """A server that waits for a command or was taken by one."""

    process: "subprocess.Popen[bytes] | LeasedProcess"
    mark: str
    key: str
    born: float
    """Seconds since the epoch."""

    def usable(self, now: float) -> bool:
        """Whether it is equivalent to a server that is started now."""
        same_quarter = int(self.born // QUARTER_S) == int(now // QUARTER_S)
        return self.process.poll() is None and same_quarter and not _changed_since(json.loads(self.key), self.born)

    @property
    def pipes(self) -> "list[IO[bytes]]":
        """Our ends of its standard streams, in order."""
        return [pipe for pipe in (self.process.stdin, self.process.stdout, self.process.stderr) if pipe is not None]

    def let_go(self) -> None:
        """Close our ends of its pipes."""
        for pipe in self.pipes:
            pipe.close()

    def signal_group(self, number: int) -> None:
        """Send a signal to it and everything in its process group."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, number)


@dataclass
class SparePool:
    """Waiting spares by what they were started with, and those that are being ended."""

    most: int
    idle_s: float
    ours: Leases | None = None
    """The fork server, for servers that ship with Jiritsu."""
    monotonic: Callable[[], float] = time.monotonic
    now: Callable[[], float] = time.time
    _waiting: dict[str, Spare] = field(default_factory=dict)
    _wanted: dict[str, float] = field(default_factory=dict)
    """Key → when it was last requested, the oldest first."""
    _ending: dict[int, tuple[Spare, float]] = field(default_factory=dict)
    """Process id → the spare, and when its input was closed."""
    _taken_at: float = float("-inf")

    def take(self, order: Mapping[str, object]) -> Spare | None:
        """Return a spare of exactly this command, environment and folder, or None. From now on one is kept ready."""
        key = json.dumps(order, sort_keys=True)
        self._wanted.pop(key, None)
        self._wanted[key] = self._taken_at = self.monotonic()
        spare = self._waiting.pop(key, None)
        if spare is not None and not spare.usable(self.now()):
            self.end(spare)
            return None
        return spare

    def end(self, spare: Spare) -> None:
        """Begin to end a spare: close its input. `look_after` sends SIGTERM and SIGKILL later."""
        spare.let_go()
        self._ending[spare.process.pid] = (spare, self.monotonic())

    def look_after(self, *, busy: bool) -> float:
        """Start wanted spares and end others. Returns after how many seconds to call this again. `busy`: commands are running."""
        now = self.monotonic()
        latest = list(self._wanted.items())[-self.most :] if self.most else []
        self._wanted = {key: at for key, at in latest if now - at <= self.idle_s}
        for key, spare in list(self._waiting.items()):
            if spare.process.poll() is not None:
                self._wanted.pop(key, None)  # it ended by itself, so it is not started again until it is requested
            if key not in self._wanted or not spare.usable(self.now()):
                self.end(self._waiting.pop(key))
        for pid, (spare, since) in list(self._ending.items()):
            if self._end_within_grace(spare, now - since):
                del self._ending[pid]
        if not busy or now - self._taken_at > QUIET_S:
            for key in self._wanted.keys() - self._waiting.keys():
                self._start(key)
        return 0.2 if self._ending else 1.0 if self._wanted else 60.0

    def close(self) -> None:
        """End all waiting spares."""
        self._wanted.clear()
        for key in list(self._waiting):
            self.end(self._waiting.pop(key))

    @property
    def closed(self) -> bool:
        """Whether all spares that were being ended have ended."""
        return not self._ending

    def let_go(self) -> None:
        """Close every pipe, in a fork that does not need them."""
        if self.ours is not None:
            self.ours.close()
        for spare in self._waiting.values():
            spare.let_go()

    def counts(self) -> dict[str, int]:
        """Return how many spares wait, and how many are wanted."""
        return {"spares": len(self._waiting), "wanted": len(self._wanted)}

    def _end_within_grace(self, spare: Spare, since_s: float) -> bool:
        if spare.process.poll() is None and since_s < 2 * GRACE_S:
            if since_s > GRACE_S:
                spare.signal_group(signal.SIGTERM)
            return False
        spare.signal_group(signal.SIGKILL)  # even after a clean exit, because children may be left in its group
        processes.kill_marked(spare.mark)
        with suppress(subprocess.TimeoutExpired):
            spare.process.wait(1)
        return True

    def _start(self, key: str) -> None:
        order = json.loads(key)
        started = self.ours.take(order["command"], order["env"], order["cwd"]) if self.ours is not None else None
        try:
            process, mark = started or _started(order)
        except (OSError, ValueError):
            self._wanted.pop(key)  # a command that needs it gets the error when it starts the server itself
            return
        self._waiting[key] = Spare(process, mark, key, self.now())


def _started(order: Mapping[str, Any]) -> "tuple[subprocess.Popen[bytes], str]":
    mark, pipe = processes.new_mark(), subprocess.PIPE
    env = {**order["env"], processes.VARIABLE: mark}
    command, folder = order["command"], order["cwd"]
    return subprocess.Popen(
        command, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0, env=env, cwd=folder, start_new_session=True
    ), mark


def _changed_since(order: Mapping[str, Any], born: float) -> bool:
    """Whether a file in its command line or environment was written since it was started."""
    variables = (text for text in order["env"].values() if text.startswith("/"))
    for text in (*order["command"], *variables):
        with suppress(OSError, ValueError):
            if (file := Path(order["cwd"] or "", text)).is_file() and file.stat().st_mtime > born:
                return True
    return False
