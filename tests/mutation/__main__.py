"""Run the mutants: `python -m tests.mutation [--room R] [--sample N] [--like WORDS] [--jobs N]`; fails when too many survive.

Our own rather than mutmut or cosmic-ray: those mutate every operator there is, run for hours, and write the faults into the files. Here
a mutant is a fault somebody could make, and lives in the memory of one process: a fork that has the libraries imported already.
"""

import argparse
import importlib
import os
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType

from tests.mutation.mutants import ROOMS, ROOT, Mutant, load, spread

ENOUGH = 0.95
"""The share that must be killed; a few mutants turn out to change nothing that anybody could see."""

HANG_S = 300.0
TIMES_AS_LONG = 5
"""A mutant that makes its tests wait for ever is known by that: it takes longer than this, and than so many times what the tests take
without any fault. On a busy machine those alone may take minutes."""

LIBRARIES = (
    "_pytest.assertion.rewrite", "anyio", "dbos", "genai_prices", "httpx2", "hypothesis", "inline_snapshot", "jinja2", "jpholiday",
    "jsonschema", "mcp.server.mcpserver", "openai", "opentelemetry.trace", "psycopg", "pydantic.v1", "pytest", "pytest_timeout", "sqlalchemy",
    "starlette.applications", "uvicorn",
)  # fmt: skip
"""Imported once, before the forks; nothing of our own, for that may be mutated."""


class _Mutated(SourceFileLoader):
    """Loads one file with the fault in it, past every cache."""

    source = ""

    def get_code(self, fullname: str) -> CodeType | None:
        """Compile the faulty text."""
        code: CodeType = self.source_to_code(self.source.encode(), self.path)
        return code


class _Finder(MetaPathFinder):
    """Finds the mutated file before anybody else does."""

    def __init__(self, mutant: Mutant) -> None:
        self._origin, self._source = str(ROOT / mutant.file), mutant.source

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        """The module's spec when it is the one, else nothing."""
        found = PathFinder.find_spec(name, path, target)
        if found is None or found.origin != self._origin:
            return None
        found.loader = _Mutated(name, self._origin)
        found.loader.source = self._source
        return found


def run_tests(tests: Sequence[str], mutant: Mutant | None, log: Path) -> int:
    """The body of the fork: pytest over the tests, with the fault in place; its exit code."""
    out = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(out, 1)
    os.dup2(out, 2)
    os.setpgid(0, 0)
    if mutant is not None:
        sys.meta_path.insert(0, _Finder(mutant))
    import pytest

    options = [
        "-x",
        "-q",
        "-n0",
        "-p",
        "no:cacheprovider",
        "-Wignore::pytest.PytestAssertRewriteWarning",
        f"--rootdir={ROOT}",
        "--timeout=0",
    ]
    return int(pytest.main([*options, *tests]))


def start(tests: Sequence[str], mutant: Mutant | None, log: Path) -> int:
    """Fork; the process id."""
    pid = os.fork()
    if pid == 0:
        code = 3
        try:
            code = run_tests(tests, mutant, log)
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)
    return pid


WORDS = {0: "survived", 1: "killed", -signal.SIGKILL: "hung"}
NOTICED = ("killed", "hung")


def verdicts(mutants: Sequence[Mutant], jobs: int, folder: Path, patience_s: float) -> dict[Mutant, str]:
    """What becomes of each: `killed`, `hung` where its tests did not end within `patience_s`, `survived`, or `broken` where it cannot
    even be imported."""
    waiting, going, found = list(reversed(mutants)), dict[int, tuple[Mutant, float, Path]](), dict[Mutant, str]()
    while waiting or going:
        while waiting and len(going) < jobs:
            mutant, log = waiting.pop(), folder / f"{len(waiting)}.log"
            going[start(mutant.tests, mutant, log)] = mutant, time.monotonic(), log
        pid, status = os.waitpid(-1, os.WNOHANG)
        if pid == 0:
            for late in [one for one, (_, began, _) in going.items() if time.monotonic() - began > patience_s]:
                os.killpg(late, signal.SIGKILL)
            time.sleep(0.05)
            continue
        mutant, began, log = going.pop(pid)
        code = os.waitstatus_to_exitcode(status)
        found[mutant] = WORDS.get(code, "broken")
        print(f"{found[mutant]:9}{time.monotonic() - began:5.1f} s  {mutant.room:11}{mutant.file}: {mutant.breaks}", flush=True)
        if found[mutant] == "broken":
            print(log.read_text(encoding="utf-8", errors="replace")[-2000:])
    return found


def sound(mutants: Sequence[Mutant], folder: Path) -> float | None:
    """How many seconds the tests take without any fault; None where they fail, for then every mutant would count as killed."""
    log, began = folder / "sound.log", time.monotonic()
    tests = sorted({test for mutant in mutants for test in mutant.tests})
    _, status = os.waitpid(start(tests, None, log), 0)
    if status:
        print(log.read_text(encoding="utf-8", errors="replace")[-4000:])
        return None
    return time.monotonic() - began


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description="Do the tests notice a fault?")
    parser.add_argument("--room", action="append", choices=ROOMS, help="only this room; may be repeated")
    parser.add_argument("--sample", type=int, help="only so many, evenly out of all")
    parser.add_argument("--like", default="", help="only those whose file or words hold this")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    asked = parser.parse_args()
    mutants = [one for one in load(asked.room or ROOMS) if asked.like in f"{one.file} {one.breaks}"]
    if asked.sample:
        mutants = list(spread(mutants, asked.sample))
    os.chdir(ROOT)
    sys.dont_write_bytecode = False
    for name in LIBRARIES:
        importlib.import_module(name)
    with tempfile.TemporaryDirectory(prefix="jiritsu-mutation-") as folder:
        if (took_s := sound(mutants, Path(folder))) is None:
            print("the tests fail without any fault")
            return 2
        found = verdicts(mutants, asked.jobs, Path(folder), max(HANG_S, TIMES_AS_LONG * took_s))
    survived = [mutant for mutant, verdict in found.items() if verdict not in NOTICED]
    print(f"\n{len(found) - len(survived)} of {len(found)} mutants were killed")
    for mutant in survived:
        print(f"  {found[mutant]}  {mutant.room}: {mutant.file}: {mutant.breaks}")
    return 0 if len(survived) <= len(found) * (1 - ENOUGH) else 1


if __name__ == "__main__":
    sys.exit(main())
