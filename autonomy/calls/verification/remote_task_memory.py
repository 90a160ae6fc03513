"""Remembers the task that a server made of a call, so that it is polled instead of called again.

MCP leaves it to clients to keep the ids of their tasks (2026-07-28, tasks extension, "Task Polling").
"""

from dataclasses import dataclass, field
from typing import Protocol

import anyio

LOOK_EVERY_S = 1.0
"""How often it is looked whether the run was cancelled, however often its task is asked after."""


class RemoteTaskMemory(Protocol):
    """Task ids by the key of their call; `durable.memory.sql_remote_tasks` keeps them in the database."""

    async def known(self, key: str) -> str:
        """The task of a call; empty where there is none."""
        ...

    async def keep(self, key: str, *, run_id: str, task_id: str) -> None:
        """The server made a task of it."""
        ...

    async def forget(self, key: str) -> None:
        """The call has its answer."""
        ...

    async def wanted(self, run_id: str) -> bool:
        """Whether the run goes on."""
        ...


@dataclass
class MemoryRemoteTasks:
    """A memory that lasts as long as its process."""

    _tasks: dict[str, str] = field(default_factory=dict)

    async def known(self, key: str) -> str:
        """See `RemoteTaskMemory`."""
        return self._tasks.get(key, "")

    async def keep(self, key: str, *, run_id: str, task_id: str) -> None:
        """See `RemoteTaskMemory`."""
        self._tasks[key] = task_id

    async def forget(self, key: str) -> None:
        """See `RemoteTaskMemory`."""
        self._tasks.pop(key, None)

    async def wanted(self, run_id: str) -> bool:
        """See `RemoteTaskMemory`."""
        return True


@dataclass(eq=False)
class CallTask:
    """A `TaskKeeper` for one call of a run."""

    memory: RemoteTaskMemory
    key: str
    run_id: str
    lasting: bool
    """Whether the run is taken up again if it is broken off here."""
    known: str = ""
    _kept: bool = False
    _wanted_at: float = float("-inf")

    @property
    def left_running(self) -> bool:
        """Whether the task goes on, and is asked after by whoever takes the run up, if the call is broken off now."""
        return self._kept and self.lasting

    async def load(self) -> bool:
        """Whether an earlier process left a task behind. Raises `StoreError`."""
        self.known = await self.memory.known(self.key)
        self._kept = bool(self.known)
        return self._kept

    async def began(self, task_id: str) -> None:
        """See `TaskKeeper`. Raises `StoreError`."""
        self._kept = True
        await self.memory.keep(self.key, run_id=self.run_id, task_id=task_id)

    async def wanted(self) -> bool:
        """See `TaskKeeper`. Raises `StoreError`."""
        if anyio.current_time() - self._wanted_at < LOOK_EVERY_S:
            return True
        self._wanted_at = anyio.current_time()
        return await self.memory.wanted(self.run_id)

    async def forget(self) -> None:
        """The call has its answer. Raises `StoreError`."""
        self.known = ""
        if self._kept:
            self._kept = False
            await self.memory.forget(self.key)
