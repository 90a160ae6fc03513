"""The table of all cases: `python -m tests.gaming.strange_servers [name ...]`."""

import sys

import anyio

from tests.gaming.strange_servers.cases import CASES, known_gaps
from tests.gaming.strange_servers.world import run


async def table(names: list[str]) -> None:
    """Run them one after the other, a line each."""
    for case in CASES:
        if not names or case.name in names:
            result = await run(case)
            is_right, is_known = (result.ending == "completed") is case.good, case.name in known_gaps()
            mark = ("+" if is_known else " ") if is_right else ("~" if is_known else "!")
            sys.stdout.write(f"{mark} {case.kind:5}{case.name:27}{result.ending:12}{'; '.join(result.missing)}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    anyio.run(table, sys.argv[1:])
