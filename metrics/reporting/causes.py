"""Attributes lost autonomy points to their causes and suggests changes.

Of each run, 1 - overall is divided among the measures that are below 1, and within a measure among the trials that went wrong
(`metrics.autonomy.Trial`). So the points of all causes add up exactly to what the period lost. Approvals cost people's time
rather than points; `habits` finds those. A suggested change is written as lines for a job file, a policy or the servers file.
"""

import re
import shlex
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil
from typing import NamedTuple

from metrics.endings import WORKED
from metrics.figures import Measured
from metrics.intervals import wilson
from metrics.reporting.reasons import parts
from metrics.run_facts import RunFacts

EXAMPLES = 3
"""How many runs are named as evidence of a cause."""

HABIT = 5
"""How many equal answers, without another one, make a habit."""

LIMITS = {"step": "turns", "correction": "corrections", "second": "wall_s", "token": "tokens", "USD": "usd"}
"""The unit that the reason of a run names → the key of that limit in a job file."""

CHANGES = {
    "invalid_arguments": '# servers file, at the server of {subject}\n"system_instruction": "{subject}: {about}…"',
    "unknown_arguments": '# servers file, at the server of {subject}\n"system_instruction": "{subject} has no argument {about}…"',
    "unreadable": '# servers file, at the server of {subject}\n"system_instruction": "{subject} takes one JSON object"',
    "denied": '# job file: offer only what it may call\ntools: ["…"]  # without {subject}',
    "nobody_asked": "# a person approves: at a terminal, or where a worker runs in Slack, in the console or with\n"
    "jiritsu approvals list",
    "unknown_tool": '# job file: name the tools it may use\ntools: ["…"]',
    "beside_the_point": '# job file, where no need is met by it: offer only what is needed\ntools: ["…"]  # without {subject}',
    "not_recovered": '# servers file, at the server of {subject}\n"timeout_s": 60',
    "model_failed": '# jiritsu.toml: a model to fall back to\nmodel = ["{subject}", "…"]',
    "need_unmet": "# servers file, where no server has a tool for it: jiritsu servers add\n# job file, where one has: say what meets it\nneeds:\n  - id: {subject}\n    description: …",
    "rule_unheld": "# job file: ask for “{subject}” in the goal, in the rule's own words",
}
"""The kind of a cause → what to write, and into which file."""

ASK_THE_MODEL = "# asks the model once, and says what is to be mended\njiritsu --model {subject} doctor"
"""For a model that refuses, as it refuses every run: a fallback would only hide why."""


@dataclass(frozen=True)
class Cause:
    """Something that cost autonomy over a period."""

    measure: str
    kind: str
    subject: str
    detail: str
    points: float
    """How much higher the period's mean overall score (0 to 1) would be without it."""
    share: float
    """Its share (0 to 1) of all points that were lost."""
    times: int
    runs: int
    """In how many runs it happened."""
    examples: tuple[str, ...]
    """The latest runs it happened in."""
    change: str
    """Lines for a job file, policy or servers file; empty where no setting helps."""


class _Occasion(NamedTuple):
    """One occasion on which something cost points."""

    key: tuple[str, str, str, str]
    """Measure, kind, subject, and detail without its values."""
    points: float
    words: str
    """Its part of the detail, with the values."""
    run: RunFacts
    times: int
    """How many such occasions the run had."""


@dataclass(frozen=True)
class RoutineApproval:
    """Approvals that people always answered in the same way, so that a rule could answer them."""

    tool: str
    job: str
    rule: str
    """The policy's rule that asked."""
    answer: str
    times: int
    at_least: float
    """The lower end of the 95 % interval of the share that was answered so."""
    waited_s: float
    """How long people took to answer, in total."""
    examples: tuple[str, ...]
    change: str


def causes(runs: Sequence[Measured]) -> tuple[Cause, ...]:
    """Return the causes of lost points over these runs, the costliest first. Reasons that differ only in their values are one
    cause (`metrics.reporting.reasons`)."""
    scored = sum(run.autonomy.overall is not None for run in runs)
    found: dict[tuple[str, ...], list[_Occasion]] = {}
    for run in runs:
        for one in _occasions(run):
            found.setdefault(tuple(map(str.casefold, one.key)), []).append(one)
    lost = sum(case.points for cases in found.values() for case in cases)
    every = (_cause(cases, scored, lost) for cases in found.values())
    return tuple(sorted(every, key=lambda cause: (-cause.points, cause.kind, cause.subject, cause.detail)))


def _occasions(run: Measured) -> Iterator[_Occasion]:
    """Yield the lost points of a run by cause. A loss with several causes is divided evenly among them."""
    for loss in run.losses:
        details = parts(loss.kind, loss.detail)
        for detail in details:
            key = loss.measure, loss.kind, loss.subject, detail
            yield _Occasion(key, loss.points / len(details), details[detail], run.facts, loss.times)


def _cause(cases: Sequence[_Occasion], scored: int, lost: float) -> Cause:
    """Sum up the cases of one cause. `scored`: how many runs have an overall score. `lost`: the points that all causes cost."""
    measure, kind, subject, form = min(case.key for case in cases)
    points = sum(case.points for case in cases)
    runs = {case.run.run_id: case.run for case in cases}
    words = {case.words for case in cases}
    detail = next(iter(words)) if len(words) == 1 else form
    return Cause(
        measure, kind, subject, detail, points / scored, points / lost, sum(case.times for case in cases), len(runs),
        _latest(runs.values()),
        _change(kind, subject, detail, words, tuple(runs.values())),
    )  # fmt: skip


def _latest(runs: Iterable[RunFacts]) -> tuple[str, ...]:
    return tuple(run.run_id for run in sorted(runs, key=lambda run: -run.started_at)[:EXAMPLES])


def _change(kind: str, subject: str, detail: str, words: Iterable[str], runs: Sequence[RunFacts]) -> str:
    """Return the suggested change and where to write it; an empty text if no setting would help. `words`: the reasons with their
    values."""
    if kind == "not_completed":
        return _higher_limit(words)
    if kind == "need_unmet" and (any(_was_tried(subject, run) for run in runs) or all(map(_went_wrong, runs))):
        return ""  # what kept it from being met is a cause of its own
    if kind == "not_recovered" and detail != "CallTimedOut":
        return ""
    if kind == "model_failed" and detail == "ModelRejected":
        return ASK_THE_MODEL.format(subject=shlex.quote(subject))
    template = CHANGES.get(kind, "")
    return template.format(subject=subject, about=f"{detail}: " if detail else "")


def _was_tried(need: str, run: RunFacts) -> bool:
    """Whether a call served the need, or was refused and might have: a refused call does not tell which need it would serve."""
    calls = run.calls.values()
    refused = any(call.answer is not None and call.answer.answer != "granted" for call in calls)
    return refused or any(call.finished and need in call.finished.needs for call in calls)


def _went_wrong(run: RunFacts) -> bool:
    """Whether no model was asked, or a call failed or was refused: it may have been for the need, or for one before it."""
    return not run.replies or any(
        call.finished is not None and call.finished.outcome not in WORKED for call in run.calls.values()
    )


def _higher_limit(reasons: Iterable[str]) -> str:
    """Suggest one and a half times the highest limit that these runs ended at."""
    reached = [
        found for reason in reasons if (found := re.search(r"limit of (\d+(?:\.\d+)?) (\w+?)s?\b", reason)) and found[2] in LIMITS
    ]
    if not reached:
        return ""
    highest = max(reached, key=lambda found: float(found[1]))
    higher = float(highest[1]) * 1.5
    is_whole = highest[2] not in ("second", "USD")  # a job file takes no half step
    return f"# job file\nlimits:\n  {LIMITS[highest[2]]}: {ceil(higher) if is_whole else f'{higher:g}'}"


def habits(runs: Sequence[Measured]) -> tuple[RoutineApproval, ...]:
    """Return the approvals that a rule could answer: at least `HABIT` of the same tool, job and rule, all answered alike; the
    most frequent first."""
    questions: dict[tuple[str, str, str], list[tuple[RunFacts, str, float]]] = {}
    for run in runs:
        for call in run.facts.calls.values():
            if call.answer is not None and (call.answer.given or call.answer.answer == "expired"):
                key = (call.tool, run.facts.job, call.decided.rule if call.decided else "")
                questions.setdefault(key, []).append((run.facts, call.answer.answer, call.answer.waited_s))
    found = [
        _habit(key, cases)
        for key, cases in questions.items()
        if len(cases) >= HABIT and len({answer for _, answer, _ in cases}) == 1
    ]
    return tuple(sorted(found, key=lambda habit: (-habit.times, habit.tool)))


def _habit(key: tuple[str, str, str], cases: Sequence[tuple[RunFacts, str, float]]) -> RoutineApproval:
    tool, job, rule = key
    answer, times = cases[0][1], len(cases)
    decision = {"granted": "allow", "denied": "deny"}.get(answer)
    change = (
        f'# jiritsu.toml\n[[policy]]\nname = "{tool}: always {answer}"\ndecision = "{decision}"\njob = "{job or "*"}"\ntool = "{tool}"'
        if decision
        else ""
    )
    waited_s = sum(waited for _, _, waited in cases)
    examples = _latest({run.run_id: run for run, _, _ in cases}.values())
    return RoutineApproval(tool, job, rule, answer, times, wilson(1.0, times)[0], waited_s, examples, change)
