"""Stores each worker's heartbeat, so that other processes list idle workers, too."""

import os
import socket
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import sqlalchemy as sa

from autonomy.database import for_reads
from autonomy.durable.durable_tables import workers as table
from autonomy.durable.liveness.process_locks import held
from autonomy.durable.store import put_row, time_of
from discovery.catalog import Frozen

HEARTBEAT_S = 10.0
"""How often a worker sends a heartbeat: one small write, which costs an idle machine nothing."""

SILENT_S = 3 * HEARTBEAT_S
"""After so long without a heartbeat, a worker that holds its lock is stopped or has no database: the page says so."""

REMEMBERED_S = 3600.0
"""How long a worker that died is listed as gone."""


class WorkerHeartbeat(Frozen):
    """The last heartbeat of a worker."""

    name: str
    kind: str
    """The command: `worker` or `serve`."""
    host: str
    pid: int
    here: int
    """Runs it takes at once."""
    tenant: int
    """Runs at once of one tenant, in all processes together."""
    started_at: float
    seen_at: float


@dataclass
class WorkerHeartbeats:
    """The heartbeats of this process. All of it blocks, and raises what the database raises."""

    engine: sa.Engine
    name: str
    kind: str
    here: int
    tenant: int
    clock: Callable[[], float] | None = None
    _began_at: float = field(init=False)

    def __post_init__(self) -> None:
        self._began_at = time.monotonic()

    def send(self) -> None:
        """Write the heartbeat of this process, and delete those of workers that have long been gone."""
        row = {
            "name": self.name, "kind": self.kind, "host": socket.gethostname(), "pid": os.getpid(), "here": self.here,
            "tenant": self.tenant,
        }  # fmt: skip
        with self.engine.begin() as connection:
            now = time_of(connection, self.clock)
            put_row(connection, table, row | {"started_at": now - (time.monotonic() - self._began_at), "seen_at": now})
            connection.execute(table.delete().where(table.c.seen_at < now - REMEMBERED_S))

    def leave(self) -> None:
        """Remove our heartbeat, so that the worker is not listed as gone."""
        with self.engine.begin() as connection:
            connection.execute(table.delete().where(table.c.name == self.name))


def read_heartbeats(engine: sa.Engine) -> Sequence[WorkerHeartbeat]:
    """The heartbeats of all workers, oldest first, with times by the clock of this machine. Blocks."""
    with for_reads(engine).connect() as connection:
        rows = connection.execute(sa.select(table).order_by(table.c.started_at, table.c.name)).mappings().all()
        ahead_s = time.time() - time_of(connection) if connection.dialect.name == "postgresql" else 0.0
    at = ("started_at", "seen_at")
    return [WorkerHeartbeat.model_validate({**row, **{name: row[name] + ahead_s for name in at}}) for row in rows]


def any_worker(engine: sa.Engine) -> bool:
    """Whether a worker is alive, or stopped. Blocks."""
    names = [sign.name for sign in read_heartbeats(engine)]
    return bool(names and held(engine, names))


def silent_workers(engine: sa.Engine, now: float) -> list[WorkerHeartbeat]:
    """The live workers without a heartbeat: their runs stand still, and nobody takes them over. Blocks."""
    quiet = [sign for sign in read_heartbeats(engine) if now - sign.seen_at > SILENT_S]
    alive = held(engine, [sign.name for sign in quiet]) if quiet else frozenset()
    return [sign for sign in quiet if sign.name in alive]


def silence_of(sign: WorkerHeartbeat, now: float) -> str:
    """What is wrong with a silent worker, for whoever can mend it."""
    return (
        f"worker {sign.name} (process {sign.pid} on {sign.host}) has said nothing for {now - sign.seen_at:.0f} s: "
        "it was stopped (Ctrl-Z, SIGSTOP), or does not reach the database"
    )


def wake(sign: WorkerHeartbeat) -> str:
    """How to have its runs go on."""
    return f"on {sign.host}, `kill -CONT {sign.pid}` lets it go on; `kill -9 {sign.pid}` loses nothing, another takes its runs"
