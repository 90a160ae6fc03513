"""What the measures can tell and what they cannot: against planted faults, and against people's labels. Prints the tables of docs/validity.md.

    python -m tests.bench.validity_bench [DIR] [--simulated RUNS]

DIR holds `trajectories.jsonl.gz` and `annotations.json` of LiveMCPBench; without it that part is left out. `--simulated`: how many runs of
the simulator (13,000 as in the docs take several minutes; 0 leaves them out).
"""

import argparse
import hashlib
import json
import logging
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from metrics.autonomy import MEASURES
from metrics.events import FeedbackGiven
from metrics.figures import BY_NAME, Measured
from metrics.intervals import Estimate, rate
from metrics.measures import measure
from tests.bench.livemcpbench import Recorded, RecordedRun, read_runs
from tests.bench.outcome_bench import as_flagged, claims_in, spec_of, troubled
from tests.metrics.auc import auc
from tests.metrics.story import Story
from tests.metrics.synthetic import CLEAN, FAULTS, faulty, labelled, mixed
from tests.simulation.mind import TEMPERS
from tests.simulation.truth import Labelled as Simulated
from tests.simulation.truth import labelled as simulated_runs
from tests.simulation.world import FAULTS as PLANTED

SHOWN = (*MEASURES, "overall", "unattended_completion")

SEED = 11

CALLS_TO_MEET_A_FAULT = 3
"""A run that hardly calls meets no fault of the world, and scores low for that."""


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


def feedback(runs: int = 2000) -> None:
    """Where people spoke: does result quality, made without their word, say the same?"""
    sides: dict[bool, list[Measured]] = {True: [], False: []}
    for good, events in mixed(SEED, runs=runs):
        unsaid = [event for event in events if not isinstance(event, FeedbackGiven)]
        if len(unsaid) < len(events):
            sides[good] += measure(unsaid).runs
    counts = {good: len(found) for good, found in sides.items()}
    sys.stdout.write(f"{sum(counts.values())} of {runs} runs have a vote, {counts[True]} of them a 👍.\n\n")
    table(["", *SHOWN], [["👍 against 👎", *(told(separation(sides[True], sides[False], name)) for name in SHOWN)]])
    agreed = rate([((value(run, "result_quality") or 0.0) >= 0.7) is good for good, found in sides.items() for run in found])
    always = rate([good for good, found in sides.items() for _ in found])
    table(["", "agrees with the vote"], [["result quality ≥ 0.7", told(agreed)], ["always 👍", told(always)]])


@dataclass(frozen=True)
class Played:
    """A run of the simulator as it was measured, and its truth."""

    run: Measured
    truth: Simulated

    @property
    def good(self) -> bool:
        """Whether the post that was wanted is there, and nothing went where an injected order wanted it."""
        return self.truth.met and not self.truth.misled


def played(seeds: Iterable[int]) -> list[Played]:
    """Runs of the simulator; rehearsals are measured nowhere."""
    return [Played(run, truth) for truth in simulated_runs(seeds) for run in measure(truth.events).runs]


def simulated(runs: int = 13_000) -> None:
    """The executor itself, in a world of faults with models of bad manners: what the measures say of what was true."""
    found = played(range(runs))
    faulty_runs, faults = [one for one in found if one.truth.faults], sum(len(one.truth.faults) for one in found)
    sys.stdout.write(
        f"{len(found)} runs, {len(faulty_runs)} of them with {faults} planted faults in all; seeds 0 to {runs - 1}.\n\n"
    )
    _by_result([one for one in found if one.truth.wanted])
    _by_fault(found)
    _by_temper(found)
    misled = [one.run for one in found if one.truth.misled]
    obedient = [one.run for one in found if not one.truth.misled]
    sys.stdout.write("Runs in which something went where an injected order wanted it, against the others:\n\n")
    table(["misled runs", *SHOWN], [[len(misled), *(told(separation(obedient, misled, name)) for name in SHOWN)]])


def _by_result(jobs: Sequence[Played]) -> None:
    """Jobs that had to post: was it there in the end?"""
    sides = [[one.run for one in jobs if one.good is wanted] for wanted in (True, False)]
    sys.stdout.write(f"{len(jobs)} runs had to post; the post is there in {len(sides[0])}.\n\n")
    table(["", *SHOWN], [["posted against not", *(told(separation(*sides, name)) for name in SHOWN)]])
    rows = []
    for level in ("high", "medium", "low"):
        labels = [one.good for one in jobs if one.run.autonomy.level == level]
        rows.append([level, len(labels), told(rate(labels))])
    ended = [one.good for one in jobs if one.run.facts.completed]
    rows.append(["ended completed", len(ended), told(rate(ended))])
    table(["level", "runs", "posted"], rows)


def _by_fault(found: Sequence[Played]) -> None:
    """Runs with a fault of a kind, against runs in which nothing was planted; among runs that called often enough to meet one."""
    busy = [one for one in found if one.run.counts.made >= CALLS_TO_MEET_A_FAULT]
    calm = [one.run for one in busy if not one.truth.faults]
    rows = []
    for fault in PLANTED:
        hit = [one.run for one in busy if fault in {kind for _, kind in one.truth.faults}]
        rows.append([fault, len(hit), *(told(separation(calm, hit, name)) for name in SHOWN)])
    table(["fault of the world", "runs", *SHOWN], rows)


def _by_temper(found: Sequence[Played]) -> None:
    """Models of bad manners, against a diligent one."""
    diligent = [one.run for one in found if one.truth.temper == "diligent"]
    rows = []
    for temper in sorted(set(TEMPERS) - {"diligent"}):
        runs = [one.run for one in found if one.truth.temper == temper]
        rows.append([temper, len(runs), *(told(separation(diligent, runs, name)) for name in SHOWN)])
    table(["temper of the model", "runs", *SHOWN], rows)


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
    parser.add_argument("--simulated", type=int, default=0, metavar="RUNS")
    asked = parser.parse_args()
    planted()
    graded()
    outcomes()
    feedback()
    if asked.simulated:
        logging.disable(logging.CRITICAL)  # a world of faults complains all the time
        simulated(asked.simulated)
    if asked.folder is not None:
        people(asked.folder)


if __name__ == "__main__":
    main()
