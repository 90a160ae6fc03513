"""Where posts of the host's own are tried: a database, and the real Slack server over files."""

import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import anyio
import anyio.to_thread
import sqlalchemy as sa

from autonomy.durable.memory.sql_ledger import SqlLedger
from autonomy.durable.records.run_records import RunRecords
from autonomy.durable.scheduling.schedules import Schedules
from autonomy.durable.store import Store
from autonomy.errors import StoreError
from autonomy.notifications.posting import Poster
from autonomy.run_state.run_values import RunRequest
from autonomy.settings_files import SAMPLE
from discovery.catalog import JsonObject, ToolOutput
from discovery.gateway import Gateway
from mcp_servers.slack.server import server_from_environment
from metrics.journal import Journal
from tests.support.durable import prepared
from tests.support.house import house


class RequestQueue:
    """A queue that keeps what it is asked for; with `records`, it notes there that the run waits, as the durable one does."""

    def __init__(self, records: RunRecords | None = None) -> None:
        self.requests: list[RunRequest] = []
        self._records = records

    async def enqueue(self, request: RunRequest, *, priority: int = 100) -> str:
        self.requests.append(request)
        if self._records is not None:
            await self._records.begin(request, 0.0, "queued")
        return request.run_id


def away_journal() -> Journal:
    """A journal whose database has gone away."""
    return Journal(sa.create_engine("sqlite:////nowhere/jiritsu.db"), refusal=StoreError)


@dataclass
class Desk:
    """What a `Poster` works with, and what it posted."""

    engine: sa.Engine
    gateway: Gateway
    folder: Path
    now: float = 0.0

    @classmethod
    @asynccontextmanager
    async def open(cls, folder: Path, *, now: float) -> AsyncIterator[Self]:
        """In a folder, at a time in epoch seconds that the test moves on."""
        outbox = str(folder / "outbox.jsonl")
        slack = server_from_environment({"SLACK_EXPORT_DIR": str(SAMPLE / "sample" / "slack"), "SLACK_OUTBOX": outbox})
        engine = await anyio.to_thread.run_sync(prepared, f"sqlite:///{folder / 'jiritsu.db'}")
        async with house(slack) as made:
            yield cls(engine, made.gateway, folder, now)
        await anyio.to_thread.run_sync(engine.dispose)

    @property
    def schedules(self) -> Schedules:
        """By the desk's clock."""
        return Schedules(Store(self.engine), clock=lambda: self.now)

    @property
    def ledger(self) -> SqlLedger:
        """The effect ledger."""
        return SqlLedger(Store(self.engine))

    def posted(self) -> list[JsonObject]:
        """What stands in Slack."""
        outbox = self.folder / "outbox.jsonl"
        return [json.loads(line) for line in outbox.read_text().splitlines()] if outbox.exists() else []


class Dying:
    """A gateway under which the process dies, or the line breaks, right after the post."""

    def __init__(self, gateway: Gateway, error: BaseException) -> None:
        self._gateway, self._error = gateway, error
        self.catalog = gateway.catalog

    async def call(self, name: str, arguments: JsonObject, *, idempotency_key: str = "") -> ToolOutput:
        """The post is made, and nobody hears of it."""
        await self._gateway.call(name, arguments, idempotency_key=idempotency_key)
        raise self._error


async def look_together(workers: Sequence[Poster]) -> None:
    """All at once, and then once more each; nothing waits after that."""
    with anyio.fail_after(240):
        async with anyio.create_task_group() as group:
            for worker in workers:
                group.start_soon(worker.look)
        for worker in workers:
            assert await worker.look()
