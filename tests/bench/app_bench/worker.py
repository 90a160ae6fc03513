"""One contender in a process of its own: reads what to do line by line, says what it took: `python -m … worker NAME URL HOME`."""

import json
import resource
import sys
import time
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread

from tests.bench.app_bench.contenders import CONTENDERS, Run


def cpu_s() -> float:
    """Of this process alone: the servers are its children, and still running."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


async def measured(run: Run, goal: str, calls: int, runs: int, together: int) -> dict[str, float]:
    """Runs of a goal, so many at once."""
    began, used = time.perf_counter(), cpu_s()

    async def one() -> None:
        assert await run(goal) == calls

    for _ in range(runs // together):
        async with anyio.create_task_group() as group:
            for _ in range(together):
                group.start_soon(one)
    return {"wall_s": time.perf_counter() - began, "cpu_s": cpu_s() - used}


async def main(name: str, url: str, home: str) -> None:
    """Serve until stdin is closed."""
    async with CONTENDERS[name](url, Path(home)) as run:
        tell({"ready": True})
        while line := await anyio.to_thread.run_sync(sys.stdin.readline):
            tell(await measured(run, **json.loads(line)))


def tell(what: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(what) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    anyio.run(main, *sys.argv[1:])
