"""An event loop in which waiting takes no time: when nothing is ready, its clock jumps to the next timer.

Everything that waits by the loop (deadlines, back-off, health checks, people) then happens in order and at once, with the code of
production. A thread that is at work is waited for in earnest.
"""

import asyncio
import selectors
from collections.abc import Awaitable, Callable
from typing import TypeVar

import anyio
import anyio.to_thread

T = TypeVar("T")

EPOCH = 1_763_000_000.0
"""Where simulated time begins, in seconds since the epoch: November 2025."""


class VirtualTimeLoop(asyncio.SelectorEventLoop):
    """A loop whose time is its own."""

    def __init__(self) -> None:
        self.elapsed_s = 0.0
        self.threads: anyio.CapacityLimiter | None = None
        super().__init__(_Leaping(self))

    def time(self) -> float:
        return self.elapsed_s


class _Leaping(selectors.DefaultSelector):  # type: ignore[misc,valid-type]  # which class it is depends on the system
    """A selector that lets the loop's clock jump instead of waiting."""

    def __init__(self, loop: VirtualTimeLoop) -> None:
        super().__init__()
        self._loop = loop

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready: list[tuple[selectors.SelectorKey, int]] = super().select(0)
        if ready or timeout == 0:
            return ready
        if timeout is None or (self._loop.threads is not None and self._loop.threads.borrowed_tokens):
            waited: list[tuple[selectors.SelectorKey, int]] = super().select(None)
            return waited
        self._loop.elapsed_s += timeout
        return []


def now() -> float:
    """Simulated seconds since the epoch."""
    return EPOCH + asyncio.get_running_loop().time()


class LoopClock:
    """Discovery's clock, by the time of the loop it is made in; threads may read it, too."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()

    def now(self) -> float:
        return EPOCH + self.monotonic()

    def monotonic(self) -> float:
        return self._loop.time()

    async def sleep(self, seconds: float) -> None:
        await anyio.sleep(seconds)


def in_virtual_time(main: Callable[[], Awaitable[T]]) -> T:
    """Run to the end in a loop of its own."""

    async def watched() -> T:
        loop = asyncio.get_running_loop()
        assert isinstance(loop, VirtualTimeLoop)
        loop.threads = anyio.to_thread.current_default_thread_limiter()
        return await main()

    return anyio.run(watched, backend_options={"loop_factory": VirtualTimeLoop})
