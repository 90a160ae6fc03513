"""What tests measure of a process: how long the event loop was busy at a stretch, and which processes are left."""

import gc
import os
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import anyio


class Busy:
    """The longest the event loop's thread computed between two turns of the loop; waiting for a busy machine does not count."""

    longest_s = 0.0


@asynccontextmanager
async def watched_loop() -> AsyncIterator[Busy]:
    """Measure the loop while inside. What earlier tests left on the heap is frozen, since collecting it is no work of this loop, and stays
    so: `gc.unfreeze` would also thaw the million objects that `pytest_collection_finish` froze, and each full collection of the tests to
    come would look through them."""
    busy = Busy()
    gc.collect()
    gc.freeze()

    async def watch() -> None:
        while True:
            before = time.thread_time()
            await anyio.sleep(0.005)
            busy.longest_s = max(busy.longest_s, time.thread_time() - before)

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(watch)
        yield busy
        tasks.cancel_scope.cancel()


def processes_with(words: str) -> list[int]:
    """The processes whose command line or environment holds these words; zombies do not count."""
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            if words.encode() in (entry / "cmdline").read_bytes() + (entry / "environ").read_bytes():
                found.append(int(entry.name))
        except OSError:
            continue
    return found


def children_of(pid: int) -> set[int]:
    """The processes that a process started itself and that still run or were not waited for."""
    found = set()
    for thread in Path(f"/proc/{pid}/task").iterdir():
        with suppress(FileNotFoundError, ProcessLookupError):  # a thread that has just ended
            found |= {int(child) for child in (thread / "children").read_text().split()}
    return found


def now_in_ticks() -> int:
    """The time as `started_in_ticks` tells it."""
    return int(time.clock_gettime(time.CLOCK_BOOTTIME) * os.sysconf("SC_CLK_TCK"))


def started_in_ticks(pid: int) -> int:
    """When a process began, in the kernel's hundredths of a second. Raises `FileNotFoundError` where it is gone."""
    return int(Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[19])
