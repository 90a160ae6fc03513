"""A clock that stands still until it is told to go on."""

import anyio.lowlevel


class SetClock:
    """Seconds since 2026-11-21; sleeping takes no time and moves the clock."""

    def __init__(self, now: float = 1_795_219_200.0) -> None:
        self._started = self._now = now

    def now(self) -> float:
        return self._now

    def monotonic(self) -> float:
        return self._now - self._started

    async def sleep(self, seconds: float) -> None:
        self._now += seconds
        await anyio.lowlevel.checkpoint()

    def advance(self, seconds: float) -> None:
        self._now += seconds
