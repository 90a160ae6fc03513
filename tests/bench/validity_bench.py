"""What the measures can tell and what they cannot: against planted faults, and against people's labels. Prints the tables of docs/validity.md.

    python -m tests.bench.validity_bench [DIR]

DIR holds `trajectories.jsonl.gz` and `annotations.json` of LiveMCPBench; without it only the synthetic part is made.
"""

import argparse
import hashlib
import json
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from metrics.autonomy import MEASURES
from metrics.figures import BY_NAME, Measured
from metrics.intervals import Estimate, rate
from metrics.measures import measure
from tests.bench.livemcpbench import Recorded, RecordedRun, read_runs
from tests.bench.outcome_bench import as_flagged, claims_in, spec_of, troubled
from tests.metrics.auc import auc
from tests.metrics.story import Story
from tests.metrics.synthetic import CLEAN, FAULTS, faulty, labelled, mixed

SHOWN = (*MEASURES, "overall", "unattended_completion")

SEED = 11


def value(run: Measured, name: str) -> float | None:
    """A figure of one run."""
    found = BY_NAME[name].of(run)
    return None if found is None else float(found)


def told(estimate: Estimate) -> str:
    """An estimate as a cell."""
    if estimate.value is None:
        return "n/a"
    return f"{estimate.value:.2f} ({estimate.low:.2f}–{estimate.high:.2f})"


def table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print a Markdown table."""
    for row in [heads, ["---"] * len(heads), *rows]:
        sys.stdout.write("| " + " | ".join(str(cell) for cell in row) + " |\n")
    sys.stdout.write("\n")


def runs_by_fault(clean_runs: int, per_fault: int) -> dict[str, list[Measured]]:
    """Fault → its measured runs."""
    found: dict[str, list[Measured]] = {}
    for run in labelled(SEED, clean_runs=clean_runs, per_fault=per_fault):
        found.setdefault(run.fault, []).extend(measure(run.events).runs)
    return found


def separation(good: Sequence[Measured], bad: Sequence[Measured], name: str) -> Estimate:
    """How well a figure tells the two apart, where it is applicable."""
    sides = ([found for run in runs if (found := value(run, name)) is not None] for runs in (good, bad))
    return auc(*sides)


def planted(clean_runs: int = 800, per_fault: int = 100) -> None:
    """One fault in each run: which measure sees which."""
    runs = runs_by_fault(clean_runs, per_fault)
    sys.stdout.write(
        f"{clean_runs} clean runs, {per_fault} of each fault, {sum(map(len, runs.values()))} in all; seed {SEED}.\n\n"
    )
    table(["fault", *SHOWN], [[fault, *(told(separation(runs[CLEAN], runs[fault], name)) for name in SHOWN)] for fault in FAULTS])
    applicable = {name: sum(value(run, name) is not None for group in runs.values() for run in group) for name in SHOWN}
    table(["", *SHOWN], [["applicable runs", *applicable.values()]])


def graded(runs: int = 1200) -> None:
    """No to five faults in each run: does the score fall with each?"""
    found = [(count, measure(events).runs[0]) for count, events in faulty(SEED, runs=runs)]
    rows = []
    for count in range(6):
        scores = [run.autonomy.overall or 0.0 for faults, run in found if faults == count]
        levels = [run.autonomy.level for faults, run in found if faults == count]
        shares = [f"{levels.count(level) / len(levels):.0%}" for level in ("high", "medium", "low")]
        rows.append([count, len(scores), f"{sum(scores) / len(scores):.3f}", *shares])
    table(["faults planted", "runs", "mean overall", "high", "medium", "low"], rows)
    pairs = [(float(count), run.autonomy.overall or 0.0) for count, run in found]
    sys.stdout.write(f"Rank correlation (Spearman) of the number of faults with the overall score: {spearman(pairs):.2f}.\n\n")


def outcomes(runs: int = 2000) -> None:
    """Runs as they come, good or not by their result: what the measures say of that."""
    found = [(good, measure(events).runs[0]) for good, events in mixed(SEED, runs=runs)]
    sides = [[run for is_good, run in found if is_good is wanted] for wanted in (True, False)]
    sys.stdout.write(f"{runs} runs, {len(sides[0])} truly good; seed {SEED}.\n\n")
    table(["", *SHOWN], [["good against not", *(told(separation(*sides, name)) for name in SHOWN)]])
    rows = []
    for level in ("high", "medium", "low"):
        labels = [is_good for is_good, run in found if run.autonomy.level == level]
        rows.append([level, len(labels), told(rate(labels))])
    table(["level", "runs", "truly good"], rows)


def spearman(pairs: Sequence[tuple[float, float]]) -> float:
    """Rank correlation, ties by their mean rank."""
    columns = [_ranks(column) for column in zip(*pairs, strict=True)]
    means = [sum(column) / len(column) for column in columns]
    spread = [sum((rank - mean) ** 2 for rank in column) ** 0.5 for column, mean in zip(columns, means, strict=True)]
    return sum((a - means[0]) * (b - means[1]) for a, b in zip(*columns, strict=True)) / (spread[0] * spread[1])


def _ranks(values: Sequence[float]) -> list[float]:
    ordered = sorted(values)
    first = {value: ordered.index(value) for value in set(values)}
    count = {value: values.count(value) for value in set(values)}
    return [first[value] + (count[value] - 1) / 2 for value in values]


def as_story(run: RecordedRun, needs: Sequence[str], ending: str = "completed", *, ruled: bool = False) -> Story:
    """A recorded run in our events: one call a turn, outcomes as `outcome.classify` reads them."""
    story, seen = Story(run.task_id, job="").start(needs=needs), set[str]()
    for call in run.calls:
        reading, name = as_flagged(call), call.tool.rpartition("/")[2]
        content = hashlib.sha256(json.dumps([call.tool, call.arguments, call.output.text]).encode()).hexdigest()
        facts = {"problem": problem_of(call) if reading.kind != "ok" else "", "repeated": content in seen}
        seen.add(content)
        served = tuple(need for need in needs if same(need, name))
        story.turn().call(name, effect=spec_of(call).effect, outcome=reading.kind, arguments=content, needs=served, **facts)
    if ruled:
        story.judge(
            "complete" if ending == "completed" else "continue", rules=1, missing=() if ending == "completed" else ("trouble",)
        )
    return story.finish(ending)


def same(need: str, tool: str) -> bool:
    """Whether an annotated tool name means this tool; people wrote them with dashes, underscores and blanks."""
    return re.sub(r"[^a-z0-9]", "", need.lower()) == re.sub(r"[^a-z0-9]", "", tool.lower())


def problem_of(call: Recorded) -> str:
    """Whether a failure was the model's doing, by the words of the routers and validators of these recordings."""
    text = call.output.text.lower()
    if "unknown tool" in text or ("tool" in text[:80] and "not found" in text[:120]):
        return "unknown_tool"
    if "invalid arguments" in text or "validation error" in text or "input validation" in text:
        return "invalid_arguments"
    return "tool_error" if call.flagged else "soft_failure"


def needs_of(annotation: dict[str, dict[str, str]]) -> tuple[str, ...]:
    """The tools a person chose for the task."""
    lines = annotation["Annotator Metadata"]["Tools"].splitlines()
    return tuple(dict.fromkeys(name for line in lines if (name := re.sub(r"^\s*\d+\.\s*", "", line).strip())))


Telling = Callable[[RecordedRun], Story]


def people(folder: Path) -> None:
    """Recorded runs with a person's label: agreement, separation, calibration."""
    runs = list(read_runs(folder))
    annotations = json.loads((folder / "annotations.json").read_text(encoding="utf-8"))
    needs = {one["task_id"]: needs_of(one) for one in annotations}
    ways: dict[str, Telling] = {
        "calls alone": lambda run: as_story(run, ()),
        "calls and the tools a person would use": lambda run: as_story(run, needs[run.task_id]),
        "calls, such tools, and an ending by our rules": lambda run: as_story(
            run, needs[run.task_id], "failed" if troubled(run) else "completed", ruled=True
        ),
    }
    good = sum(run.good for run in runs)
    sys.stdout.write(
        f"{len(runs)} runs, {good} good by the person's label: always saying good is right in {good / len(runs):.0%}.\n\n"
    )
    rows, calibrated = [], []
    for name, tell in ways.items():
        found = [(run.good, measure(tell(run).events).runs[0]) for run in runs]
        sides = [[run for is_good, run in found if is_good is wanted] for wanted in (True, False)]
        agreed = rate([((run.autonomy.overall or 0.0) >= 0.7) is is_good for is_good, run in found])
        rows.append([name, *(told(separation(*sides, name)) for name in (*MEASURES, "overall")), told(agreed)])
        calibrated = found
    table(["what the measures are given", *MEASURES, "overall", "overall ≥ 0.7 agrees"], rows)
    calibration(calibrated)
    claims = sum(bool(claims_in(run.final)) for run in runs if not run.good)
    sys.stdout.write(
        f"Of the {len(runs) - good} bad runs {claims} claim in their last words to have written or sent something.\n"
    )


def calibration(found: Sequence[tuple[bool, Measured]]) -> None:
    """Of the runs of each level, how many a person called good."""
    rows = []
    for low, high in ((0.0, 0.5), (0.5, 0.7), (0.7, 0.9), (0.9, 1.01)):
        labels = [is_good for is_good, run in found if low <= (run.autonomy.overall or 0.0) < high]
        rows.append([f"{low:.1f}–{min(high, 1.0):.1f}", len(labels), told(rate(labels))])
    table(["overall", "runs", "good by the person's label"], rows)
    scores = [((run.autonomy.overall or 0.0) - is_good) ** 2 for is_good, run in found]
    base = sum(is_good for is_good, _ in found) / len(found)
    sys.stdout.write(
        f"Brier score {sum(scores) / len(scores):.3f}; saying {base:.2f} for every run scores {base * (1 - base):.3f}.\n\n"
    )


def main() -> None:
    """Print all tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?")
    asked = parser.parse_args()
    planted()
    graded()
    outcomes()
    if asked.folder is not None:
        people(asked.folder)


if __name__ == "__main__":
    main()
