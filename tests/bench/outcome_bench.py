"""How well the outcome of tool calls is read: precision and recall against labels made by reading every call.

    python -m tests.bench.outcome_bench DIR [--wrong]

Answers of other servers are measured by `outcome_elsewhere_bench`. DIR holds `trajectories.jsonl.gz` of LiveMCPBench (see `livemcpbench`); the labels are `data/livemcpbench_labels.jsonl`. Each half is
reported alone: the rules were written from the first, the second was labelled and measured after they stood. `--wrong` lists each miss.
"""

import argparse
import json
import math
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from autonomy.outcomes.classifier import Classification, classify
from autonomy.provenance.action_claims import claims_in
from discovery.catalog import ToolOutput, ToolSpec
from tests.bench.livemcpbench import LABELS, Recorded, RecordedRun, read_runs

Label = tuple[str, str]
"""`ok`, `suspicious` or `failed`, and why."""

FAILURES = ("retryable", "terminal", "unknown_outcome")

_WRITING = ("write", "create", "add", "edit", "save", "start", "generate", "delete", "move", "set", "insert", "update", "append")


@dataclass(frozen=True)
class Score:
    """Counts of one half, read one way."""

    failed: int
    found: int
    false_alarms: int
    good: int
    suspicious: int
    suspected: int
    suspected_wrongly: int

    def __str__(self) -> str:
        return (
            f"recall {share(self.found, self.failed)}, precision {share(self.found, self.found + self.false_alarms)}, "
            f"false alarms {share(self.false_alarms, self.good)}, "
            f"suspicious found {self.suspected}/{self.suspicious}, suspected for nothing {self.suspected_wrongly}"
        )


def share(part: int, whole: int) -> str:
    """A share with its 95 % interval (Wilson's, which holds near 0 and 1 and for few)."""
    if not whole:
        return "0/0"
    p, z = part / whole, 1.96
    middle, spread = p + z * z / (2 * whole), z * math.sqrt(p * (1 - p) / whole + z * z / (4 * whole * whole))
    low, high = ((middle + sign * spread) / (1 + z * z / whole) for sign in (-1, 1))
    return f"{part}/{whole} = {p:.1%} ({max(0, low):.0%} to {min(1, high):.0%})"


def read_labels() -> dict[tuple[str, int], Label]:
    """All labels by task and call."""
    rows = [json.loads(line) for line in LABELS.read_text(encoding="utf-8").splitlines()]
    return {(row["task_id"], row["call"]): (row["label"], row["reason"]) for row in rows}


def spec_of(call: Recorded) -> ToolSpec:
    """The recordings hold no annotations: a tool counts as a read unless its name says that it changes something."""
    name = call.tool.rpartition("/")[2].lower()
    effect = "write" if any(word in name for word in _WRITING) else "read"
    arguments = call.arguments if isinstance(call.arguments, dict) else {}
    schema = {"type": "object", "properties": {argument: {} for argument in arguments}}
    return ToolSpec.model_validate(
        {"name": "a_tool", "provider": "a", "tool": "tool", "description": "", "input_schema": schema, "effect": effect}
    )


def as_flagged(call: Recorded) -> Classification:
    """With the tool's own `isError`."""
    return classify(call.output, spec_of(call))


def by_words(call: Recorded) -> Classification:
    """With the flag withheld: what the words alone tell."""
    return classify(call.output.model_copy(update={"is_error": False}), spec_of(call))


def by_flag(call: Recorded) -> Classification:
    """Nothing but the tool's own flag."""
    return classify(ToolOutput(text="text", is_error=call.flagged), spec_of(call))


def by_outer_flag(call: Recorded) -> Classification:
    """The floor: nothing but the flag that reached the host."""
    return classify(ToolOutput(text="text", is_error=call.flagged_outside), spec_of(call))


def score(calls: Iterable[tuple[Recorded, str]], read: Callable[[Recorded], Classification]) -> Score:
    """Count one way of reading against the labels."""
    return count((label, read(call).kind) for call, label in calls)


def count(readings: Iterable[tuple[str, str]]) -> Score:
    """Count kinds of reading, each beside its label."""
    pairs = list(readings)
    alarms = [label for label, kind in pairs if kind in FAILURES]
    suspects = [label for label, kind in pairs if kind in ("empty", "suspicious")]
    labels = [label for label, _ in pairs]
    return Score(
        failed=labels.count("failed"),
        found=alarms.count("failed"),
        false_alarms=len(alarms) - alarms.count("failed"),
        good=len(labels) - labels.count("failed"),
        suspicious=labels.count("suspicious"),
        suspected=suspects.count("suspicious"),
        suspected_wrongly=suspects.count("ok"),
    )


def troubled(run: RecordedRun) -> bool:
    """Our verdict on a whole run from its calls: nothing worked, the last call failed, or a write is claimed that no call made."""
    kinds = [by_words(call).kind for call in run.calls]
    if not kinds or all(kind in FAILURES for kind in kinds) or kinds[-1] in FAILURES or not run.final.strip():
        return True
    wrote = any(kind == "ok" and spec_of(call).effect == "write" for call, kind in zip(run.calls, kinds, strict=True))
    return bool(claims_in(run.final)) and not wrote


def report(runs: Sequence[RecordedRun], labels: dict[tuple[str, int], Label], *, wrong: bool) -> None:
    """The figures of some runs."""
    calls = [(call, labels[(call.task_id, call.index)][0]) for run in runs for call in run.calls]
    ways = {"flag as received": by_outer_flag, "tool's own flag": by_flag, "words alone": by_words, "flag and words": as_flagged}
    for name, read in ways.items():
        say(f"  {name:16} {score(calls, read)}")
    verdicts = Counter((run.good, not troubled(run)) for run in runs)
    say(
        f"  whole runs       agree {verdicts[True, True] + verdicts[False, False]}/{len(runs)}; "
        f"bad ones found {verdicts[False, False]}/{verdicts[False, False] + verdicts[False, True]}, "
        f"good ones doubted {verdicts[True, False]}/{verdicts[True, True] + verdicts[True, False]}"
    )
    if wrong:
        list_misses(calls)
        list_doubts(runs)


def list_misses(calls: Iterable[tuple[Recorded, str]]) -> None:
    """Every call that was read otherwise than a person did."""
    for call, label in calls:
        reading = by_words(call)
        if label != ("failed" if reading.kind in FAILURES else "suspicious" if reading.kind == "empty" else reading.kind):
            say(f"    {call.task_id[:8]} {call.index} {call.tool}: {label}, read as {reading.kind} ({reading.reason})")
            say(f"      {call.output.text[:200]!r}")


def list_doubts(runs: Iterable[RecordedRun]) -> None:
    """Every run that was judged otherwise than a person did."""
    for run in runs:
        if run.good == troubled(run):
            say(f"    run {run.task_id[:8]}: {'good' if run.good else 'bad'} by its label: {run.final[-200:]!r}")


def say(line: str) -> None:
    """A line of the report."""
    sys.stdout.write(line + "\n")


def main() -> None:
    """Read both halves and print their figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--wrong", action="store_true")
    asked = parser.parse_args()
    runs, labels = list(read_runs(asked.folder)), read_labels()
    halves = {"the half the rules were written from": (False,), "the half kept back": (True,), "both": (False, True)}
    for name, held_out in halves.items():
        chosen = [run for run in runs if run.held_out in held_out]
        if all((call.task_id, call.index) in labels for run in chosen for call in run.calls):
            say(f"{name}: {len(chosen)} runs, {sum(len(run.calls) for run in chosen)} calls")
            report(chosen, labels, wrong=asked.wrong and len(held_out) == 1)


if __name__ == "__main__":
    main()
