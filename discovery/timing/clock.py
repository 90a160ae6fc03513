"""Defines the clock, which tests replace."""

import time
from typing import Protocol

import anyio


class Clock(Protocol):
    """Tells the time, and waits."""

    def now(self) -> float:
        """Seconds since the epoch."""

    def monotonic(self) -> float:
        """Seconds that never go backwards."""

    async def sleep(self, seconds: float) -> None:
        """Wait that long."""


class SystemClock:
    """The machine's own clock."""

    def now(self) -> float:
        """Seconds since the epoch."""
        return time.time()

    def monotonic(self) -> float:
        """Seconds that never go backwards."""
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        """Wait that long."""
        await anyio.sleep(seconds)


SYSTEM_CLOCK = SystemClock()


async def sleep_unless(event: anyio.Event, seconds: float, clock: Clock) -> None:
    """Wait that long, or until the event is set."""

    async def sleep() -> None:
        await clock.sleep(seconds)
        tasks.cancel_scope.cancel()

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(sleep)
        await event.wait()
        tasks.cancel_scope.cancel()
