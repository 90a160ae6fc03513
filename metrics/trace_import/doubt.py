"""Finds signs in an imported run's goal, calls and final answer that it did not do what was asked."""

import json
import re
from collections.abc import Callable
from typing import NamedTuple

from metrics.text.phrases import patterns_of
from metrics.trace_import.imported_run import ImportedRun

_PHRASES = patterns_of("metrics")

DOUBTFUL = 2
"""From so many points on a run is doubtful: one strong sign is enough, one weak sign is not."""
LONG_ORDER = 300
"""Characters. A goal at least this long asks for several steps."""
FEW_CALLS = 5
"""No more calls than this are few for a long goal."""
SHORT_WORDS = 500
"""Characters. A shorter final answer says too little about a long goal."""

FEW_NAMED = 0.3
"""The share (0 to 1) of the names in a goal (quoted, code or bold) that must occur in the arguments of calls."""
FEWEST_NAMED = 4
"""With fewer names in the goal that share is not computed."""
ERROR_CHARS = 400
"""Only the beginning of a result is searched for an error, because further on it may be what was looked for."""

_NAMED = re.compile(
    r'"([^"\n]{2,80})"|`([^`\n]{2,120})`|\*\*([^*\n]{2,80})\*\*|「([^」\n]{1,80})」|『([^』\n]{1,80})』|“([^”\n]{2,80})”'
)
_ERROR = _PHRASES["tells_an_error"]
_TROUBLE = _PHRASES["trouble"]
_ANNOUNCES = _PHRASES["announces"]
_ADMITS = _PHRASES["admits"]
_HANDS_OVER = _PHRASES["hands_over"]
_LEAVES = _PHRASES["leaves"]
_FINISHED = _PHRASES["finished"]


class DoubtRule(NamedTuple):
    """A sign that a run did not do what was asked."""

    name: str
    points: int
    told: str
    """What it means, in words."""
    holds: Callable[[ImportedRun], bool]


def _last_sentence(run: ImportedRun) -> str:
    return re.split(r"(?<=[.!?:。])\s|\n", run.final.strip())[-1]


def _flat(text: str) -> str:
    """Return text in lower case with single spaces and without the backslashes of nested JSON, for comparison."""
    return " ".join(text.lower().replace("\\n", " ").replace("\\", "").split())


def _leaves_names_out(run: ImportedRun) -> bool:
    """Whether hardly anything that the goal names occurs in the arguments of the calls."""
    names = {_flat(next(filter(None, match.groups())).strip(" :：")) for match in _NAMED.finditer(run.goal)}
    if len(names) < FEWEST_NAMED:
        return False
    sent = _flat(" ".join(json.dumps(call.arguments, ensure_ascii=False, default=str) for call in run.calls))
    return sum(name in sent for name in names) < FEW_NAMED * len(names)


def _ends_in_error(run: ImportedRun) -> bool:
    return bool(run.calls) and (run.calls[-1].is_error or bool(_ERROR.search(run.calls[-1].result[:ERROR_CHARS])))


RULES: tuple[DoubtRule, ...] = (
    DoubtRule("names left out", 2, "hardly anything that the goal names stands in any call", _leaves_names_out),
    DoubtRule("no last words", 2, "it ends without a word", lambda run: not (run.final.strip() or run.answered)),
    DoubtRule("announces", 2, "its last words announce a next step", lambda run: bool(_ANNOUNCES.search(_last_sentence(run)))),
    DoubtRule("asks back", 2, "it ends with a question", lambda run: run.final.rstrip().endswith(("?", "？"))),
    DoubtRule("admits", 2, "it admits more than one failure", lambda run: len(_ADMITS.findall(run.final)) > 1),
    DoubtRule(
        "few calls",
        2,
        "so few calls for so long an order",
        lambda run: len(run.goal) >= LONG_ORDER and len(run.calls) <= FEW_CALLS,
    ),
    DoubtRule(
        "few words",
        2,
        "so few words after so long an order",
        lambda run: len(run.goal) >= LONG_ORDER and len(run.final) < SHORT_WORDS and not run.answered,
    ),
    DoubtRule("hands over", 2, "it leaves something to be done by hand", lambda run: bool(_HANDS_OVER.search(run.final))),
    DoubtRule(
        "not finished",
        2,
        "it nowhere says that it finished",
        lambda run: len(run.goal) >= LONG_ORDER and not _FINISHED.search(run.final) and not run.answered,
    ),
    DoubtRule("ends in error", 1, "its last call failed", _ends_in_error),
    DoubtRule("trouble", 1, "it speaks of trouble with its tools", lambda run: bool(_TROUBLE.search(run.final))),
    DoubtRule("leaves", 1, "it speaks of what is left, or of a reason", lambda run: bool(_LEAVES.search(run.final))),
    DoubtRule(
        "again",
        1,
        "it made the same call again",
        lambda run: len(run.calls) > len({(c.tool, str(c.arguments)) for c in run.calls}),
    ),
)
"""The strongest first. docs/validity.md states the precision of each on other agents' runs."""


def signs_of(run: ImportedRun) -> list[DoubtRule]:
    """Return the rules that hold for a run, strongest first."""
    return sorted((rule for rule in RULES if rule.holds(run)), key=lambda rule: -rule.points)
