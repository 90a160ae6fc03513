"""How often the rules of doubt are right about strangers' runs with a verdict.

    python -m tests.bench.doubt_bench --mcpmark GIT_DIR --livemcpbench DIR

GIT_DIR: a git directory of eval-sys/mcpmark-community-experiments; only tasks whose name's SHA-256 begins with 0 to 7 are looked
at. DIR: the recordings of LiveMCPBench's development half. Nothing is stored.
"""

import argparse
import gzip
import hashlib
import json
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from metrics.trace_import import doubt
from metrics.trace_import.doubt import RULES, signs_of
from metrics.trace_import.evaluation_logs import livemcpbench_run, mcpmark_run
from metrics.trace_import.imported_run import ImportedRun


class Doubt(NamedTuple):
    """How much a run is worth a look, and why."""

    points: int
    reasons: tuple[str, ...]

    @property
    def doubtful(self) -> bool:
        """Whether it should not be taken for a success."""
        return self.points >= doubt.DOUBTFUL


def doubt_of(run: ImportedRun) -> Doubt:
    """The doubt of a run."""
    signs = signs_of(run)
    return Doubt(sum(sign.points for sign in signs), tuple(sign.told for sign in signs))


class Judged(NamedTuple):
    """One run of a stranger's agent with its verdict."""

    service: str
    good: bool
    run: ImportedRun
    doubt: Doubt


def is_open(task: str) -> bool:
    """Whether a task belongs to the share that may be looked at."""
    return hashlib.sha256(task.encode()).hexdigest()[0] in "01234567"


def mcpmark(git_dir: Path) -> Iterator[Judged]:
    """The usable runs of the open share, by service and client."""
    names = subprocess.run(
        ["git", "-C", git_dir, "ls-tree", "-r", "--name-only", "HEAD"], capture_output=True, text=True, check=True
    )
    places = [Path(name).parent for name in names.stdout.splitlines() if name.endswith("/messages.json")]
    with subprocess.Popen(["git", "-C", git_dir, "cat-file", "--batch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as reader:
        for place in places:
            if not is_open(place.name):
                continue
            meta, messages = (_blob(reader, f"HEAD:{place}/{name}") for name in ("meta.json", "messages.json"))
            if isinstance(meta, dict) and isinstance(messages, list):
                run = mcpmark_run(meta, messages, str(place))
                if run.verdict:
                    yield Judged("/".join(place.parts[1:3]), run.verdict == "success", run, doubt_of(run))


def _blob(reader: Any, name: str) -> Any:
    reader.stdin.write(f"{name}\n".encode())
    reader.stdin.flush()
    head = reader.stdout.readline().split()
    if head[-1] == b"missing":
        return None
    content = reader.stdout.read(int(head[2]))
    reader.stdout.read(1)
    return json.loads(content)


def livemcpbench(folder: Path) -> Iterator[Judged]:
    """The recorded runs, labelled by people."""
    told = json.loads((folder / "annotations.json").read_text(encoding="utf-8"))
    goals = {str(task["task_id"]): str(task.get("Question", "")) for task in told}
    with gzip.open(folder / "trajectories.jsonl.gz", "rt", encoding="utf-8") as file:
        for line in file:
            record = json.loads(line)
            if record.get("label"):
                run = livemcpbench_run(record)
                run.goal = goals.get(str(record["task_id"]), "")
                yield Judged("livemcpbench", run.verdict == "success", run, doubt_of(run))


def rows(name: str, runs: Sequence[Judged]) -> Iterator[str]:
    """The figures of one collection, unflattering first."""
    bad, good = [run for run in runs if not run.good], [run for run in runs if run.good]
    doubted = [run for run in runs if run.doubt.doubtful]
    right = sum(not run.good for run in doubted)
    yield f"## {name}: {len(runs)} runs, {len(good)} good"
    yield f"AUC within a service: {within(runs):.2f}"
    yield f"bad runs found: {right} of {len(bad)} ({share(right, len(bad))})"
    yield f"good runs doubted: {len(doubted) - right} of {len(good)} ({share(len(doubted) - right, len(good))})"
    yield f"precision of doubtful: {share(right, len(doubted))} of {len(doubted)}"
    yield f"agreement with the verdict: {share(sum(run.doubt.doubtful != run.good for run in runs), len(runs))}"
    for rule in RULES:
        held = [run for run in runs if rule.holds(run.run)]
        yield f"- {rule.name} ({rule.points}): {len(held)} runs, {share(sum(not run.good for run in held), len(held))} bad"
    for service in sorted({run.service for run in runs}) if len({run.service for run in runs}) > 1 else ():
        own = [run for run in doubted if run.service == service]
        yield f"- at {service}: {share(sum(not run.good for run in own), len(own))} of {len(own)} doubted were bad"


THRESHOLDS = {
    "DOUBTFUL": (1, 2, 3),
    "LONG_ORDER": (200, 300, 500, 1000),
    "FEW_CALLS": (3, 5, 8),
    "SHORT_WORDS": (300, 500, 800, 1200),
    "FEW_NAMED": (0.2, 0.25, 0.3, 0.34, 0.4),
    "FEWEST_NAMED": (3, 4, 5, 6),
}
"""What each threshold of the rules might have been."""


def leave_one_out(runs: Sequence[Judged]) -> Iterator[str]:
    """Each threshold chosen on all services but one, by bad runs found at a precision of 0.92 and 5 % of good ones doubted, and held against
    that one."""
    services = sorted({run.service for run in runs})
    for name, choices in THRESHOLDS.items():
        stood = getattr(doubt, name)
        doubted = {choice: _doubted(runs, name, choice) for choice in choices}
        setattr(doubt, name, stood)
        caught = wrong = 0
        chosen = []
        for service in services:
            best = max(choices, key=lambda choice: _worth(runs, doubted[choice], lambda run: run.service != service))  # noqa: B023 - used at once
            chosen.append(best)
            own = [run for at, run in enumerate(runs) if at in doubted[best] and run.service == service]
            caught += sum(not run.good for run in own)
            wrong += sum(run.good for run in own)
        bad, good = sum(not run.good for run in runs), sum(run.good for run in runs)
        yield (
            f"- {name} = {stood:g}: left-out services choose {', '.join(f'{choice:g}' for choice in dict.fromkeys(chosen))}; "
            f"found {share(caught, bad)}, good doubted {share(wrong, good)}, precision {share(caught, caught + wrong)}"
        )


def _doubted(runs: Sequence[Judged], name: str, choice: float) -> frozenset[int]:
    setattr(doubt, name, choice)
    return frozenset(at for at, run in enumerate(runs) if doubt_of(run.run).doubtful)


def _worth(runs: Sequence[Judged], doubted: frozenset[int], among: Callable[[Judged], bool]) -> tuple[bool, float]:
    """Whether a choice keeps to the goals among some runs, and the share of the bad that it finds there."""
    some = [(at in doubted, run.good) for at, run in enumerate(runs) if among(run)]
    caught, wrong = sum(one and not good for one, good in some), sum(one and good for one, good in some)
    kept = caught >= 0.92 * (caught + wrong) and wrong <= 0.05 * sum(good for _, good in some)
    return kept, caught if kept else -wrong


def share(part: int, whole: int) -> str:
    """A share in per cent, or n/a."""
    return f"{part / whole:.1%}" if whole else "n/a"


def within(runs: Iterable[Judged]) -> float:
    """The chance that a good run has less doubt than a bad one of the same service, over all such pairs; ties count half."""
    wins = pairs = 0.0
    groups: dict[str, tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
    for run in runs:
        groups[run.service][run.good].append(run.doubt.points)
    for bad, good in groups.values():
        wins += sum((one > other) + (one == other) / 2 for one in bad for other in good)
        pairs += len(bad) * len(good)
    return wins / pairs if pairs else float("nan")


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mcpmark", type=Path)
    parser.add_argument("--livemcpbench", type=Path)
    given = parser.parse_args()
    for name, place, read in (("MCPMark", given.mcpmark, mcpmark), ("LiveMCPBench", given.livemcpbench, livemcpbench)):
        if place is not None:
            runs = list(read(place))
            sys.stdout.write("\n".join([*rows(name, runs), *(leave_one_out(runs) if name == "MCPMark" else ())]) + "\n")


if __name__ == "__main__":
    main()
