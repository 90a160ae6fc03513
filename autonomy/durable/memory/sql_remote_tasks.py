"""Stores the tasks that servers made of calls, so that a resumed run can poll them."""

import time
from collections.abc import Callable

import sqlalchemy as sa

from autonomy.durable.durable_tables import remote_tasks, runs
from autonomy.durable.store import Store, put_row


class SqlRemoteTasks:
    """A `RemoteTaskMemory` that every process of the database shares."""

    def __init__(self, store: Store, *, clock: Callable[[], float] = time.time) -> None:
        self._store, self._clock = store, clock

    async def known(self, key: str) -> str:
        """The task of a call; empty where there is none. Raises `StoreError`."""
        query = sa.select(remote_tasks.c.task_id).where(remote_tasks.c.key == key)
        return await self._store(lambda connection: connection.scalar(query)) or ""

    async def keep(self, key: str, *, run_id: str, task_id: str) -> None:
        """The server made a task of it; an earlier one of this call is forgotten. Raises `StoreError`."""
        row = {"key": key, "run_id": run_id, "task_id": task_id, "began_at": self._clock()}
        await self._store(lambda connection: put_row(connection, remote_tasks, row))

    async def forget(self, key: str) -> None:
        """The call has its answer. Raises `StoreError`."""
        await self._store(lambda connection: connection.execute(remote_tasks.delete().where(remote_tasks.c.key == key)))

    async def wanted(self, run_id: str) -> bool:
        """Whether the run has not ended, e.g. by being cancelled; what is no run is wanted. Raises `StoreError`."""
        ended = sa.select(runs.c.ended_at).where(runs.c.run_id == run_id)
        return await self._store(lambda connection: connection.scalar(ended)) is None
