"""Measures every contender in turn, round by round, so that all meet the same machine.

`python -m tests.bench.app_bench [--peers PYTHON] [--rounds N] [NAME …]`: `--peers` names a Python with agno and pydantic-ai in it.
Each contender is a process of its own with four servers; the model is another. CPU is that of the contender's process alone; for
PostgreSQL the server's is told beside it. Ratios are made within a round; minima and medians are over all rounds.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO, cast

from tests.support.postgres import BINARIES, Server, postgres

ROOT = Path(__file__).parents[3]
PEERS = ("agno", "pydantic-ai")
GOAL = "Find out what there is to know about tea, and tell of it. ({kind} {steps})"
RUNS = 12
"""Of eight steps, in one measurement: with two, the contender before it decides what is in the caches."""
TOGETHER = 50


@dataclass
class Contender:
    """One process that is measured again and again."""

    name: str
    process: subprocess.Popen[str]
    database: Server | None = None
    cpu_ms: dict[str, list[float]] = field(default_factory=dict)
    """By workload, a step's milliseconds in each round."""
    server_ms: dict[str, list[float]] = field(default_factory=dict)
    per_s: list[float] = field(default_factory=list)

    def do(self, kind: str, *, steps: int, runs: int, together: int) -> Mapping[str, float]:
        """Carry out some runs; what they took."""
        stdin, stdout = cast("TextIO", self.process.stdin), cast("TextIO", self.process.stdout)
        goal = GOAL.format(kind=kind, steps=steps)
        before = cpu_of(self.database)
        stdin.write(json.dumps({"goal": goal, "calls": steps, "runs": runs, "together": together}) + "\n")
        stdin.flush()
        took = json.loads(stdout.readline())
        return {**took, "server_s": cpu_of(self.database) - before}

    def measure(self, kind: str) -> None:
        """One measurement of a workload, a run at a time."""
        took = self.do(kind, steps=8, runs=RUNS, together=1)
        self.cpu_ms.setdefault(kind, []).append(1000 * took["cpu_s"] / RUNS / 8)
        self.server_ms.setdefault(kind, []).append(1000 * took["server_s"] / RUNS / 8)

    def measure_together(self) -> None:
        """Fifty runs of four reads at once."""
        self.per_s.append(TOGETHER / self.do("reads", steps=4, runs=TOGETHER, together=TOGETHER)["wall_s"])


def cpu_of(server: Server | None) -> float:
    """Seconds of CPU that a PostgreSQL server and all its processes have used."""
    if server is None:
        return 0.0
    main = int((server.folder / "postmaster.pid").read_text().split()[0])
    used = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            pid, rest = int(stat.parent.name), fields_of(stat)
        except OSError:
            continue
        if pid == main:
            used += sum(map(int, rest[11:15]))  # its own, and that of children that ended
        elif int(rest[1]) == main:
            used += sum(map(int, rest[11:13]))
    return used / os.sysconf("SC_CLK_TCK")


def fields_of(stat: Path) -> list[str]:
    """The fields of `/proc/PID/stat` behind the name."""
    return stat.read_text().rpartition(")")[2].split()


@contextmanager
def model_at() -> Iterator[str]:
    """The address of the model, in a process of its own."""
    with subprocess.Popen(
        [sys.executable, "-m", "tests.bench.app_bench.model"], cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as model:
        try:
            yield f"http://127.0.0.1:{int(cast('TextIO', model.stdout).readline())}"
        finally:
            model.terminate()


@contextmanager
def opened(name: str, url: str, home: Path, peers: str, server: Server | None = None) -> Iterator[Contender]:
    """A contender, ready; one that does not start ends the bench."""
    kind = "durable" if name.startswith("durable") else name
    program = peers if name in PEERS else sys.executable
    env = {**os.environ, "BENCH_DATABASE": server.create("bench") if server else ""}
    process = subprocess.Popen(
        [program, "-m", "tests.bench.app_bench.worker", kind, url, str(home)],
        cwd=ROOT, env=env, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip
    try:
        if not cast("TextIO", process.stdout).readline():
            raise SystemExit(f"{name} does not start")
        yield Contender(name, process, server)
    finally:
        cast("TextIO", process.stdin).close()
        process.wait(60)


def say(line: str) -> None:
    """One line, at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def show(contenders: Sequence[Contender], floor: Contender | None) -> None:
    """A table for each workload."""
    for kind in contenders[0].cpu_ms:
        say(f"\nCPU a step, {kind}: least, median; of sdk: least, median, most")
        for one in contenders:
            took = one.cpu_ms[kind]
            of_sdk = [mine / bare for mine, bare in zip(took, floor.cpu_ms[kind], strict=True)] if floor else []
            ratios = f"{min(of_sdk):.2f}  {statistics.median(of_sdk):.2f}  {max(of_sdk):.2f}" if of_sdk else ""
            server = f"   + {min(one.server_ms[kind]):.1f} ms in the server" if one.database else ""
            say(f"  {one.name:<20} {min(took):6.2f} {statistics.median(took):6.2f} ms   {ratios}{server}")
    say(f"\n{TOGETHER} runs of 4 reads at once, runs a second: most, median")
    for one in contenders:
        say(f"  {one.name:<20} {max(one.per_s):6.1f} {statistics.median(one.per_s):6.1f}")


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*")
    parser.add_argument("--peers", default="")
    parser.add_argument("--rounds", type=int, default=10)
    options: Any = parser.parse_args()
    has_postgres = (BINARIES / "postgres").exists()
    everything = ["raw", "lean", "sdk", *(PEERS if options.peers else ()), "inline", "durable"]
    names = options.names or [*everything, *(["durable-postgres"] if has_postgres else [])]
    say(f"load of the machine when it began: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    with ExitStack() as stack:
        place = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        url = stack.enter_context(model_at())
        server = stack.enter_context(postgres()) if "durable-postgres" in names else None
        contenders = [
            stack.enter_context(opened(name, url, place / name, options.peers, server if "postgres" in name else None))
            for name in names
        ]
        for one in contenders:  # caches, connections and statements
            one.do("reads", steps=8, runs=2, together=1)
            one.do("writes", steps=8, runs=2, together=1)
        for number in range(1, options.rounds + 1):
            for kind in ("reads", "writes", "fan"):
                for one in contenders:
                    one.measure(kind)
                say(
                    f"round {number}, {kind}: "
                    + ", ".join(f"{one.name} {one.cpu_ms[kind][-1]:.2f}" for one in contenders)
                    + " ms"
                )
        for _ in range(max(2, options.rounds // 3)):
            for one in contenders:
                one.measure_together()
        show(contenders, next((one for one in contenders if one.name == "sdk"), None))
        say(f"\nload when it ended: {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
