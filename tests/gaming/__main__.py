"""The table of all cases: `python -m tests.gaming [part of a name]`."""

import sys
import tempfile
from pathlib import Path

import anyio

from tests.gaming.cases import CASES
from tests.gaming.summary import in_lines
from tests.gaming.world import CaseRunner, Ran


async def ran(wanted: str) -> list[Ran]:
    """The cases whose name has this in it, run one after the other."""
    with tempfile.TemporaryDirectory() as folder:
        stage = CaseRunner(Path(folder))
        try:
            return [await stage.run(case) for case in CASES if wanted in case.name]
        finally:
            await stage.close()


if __name__ == "__main__":
    sys.stdout.write("\n".join(in_lines(anyio.run(ran, " ".join(sys.argv[1:])))) + "\n")
