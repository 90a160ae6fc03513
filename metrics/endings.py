"""The names of endings of runs and calls, without loading the events."""

from typing import Literal

Ending = Literal[
    "completed",
    "blocked",
    "exhausted",
    "cancelled",
    "failed",
    "simulated",
    "unanswered",
    "declined",
    "unfinished",
    "doubtful",
    "closed",
]
"""How a run ends. Only `completed` is a success, and only the judge grants it; a rehearsal that got there is `simulated`.

`unanswered`: the answer says that it could not be done. `declined`: the model would not. `unfinished`: a part was left, or
the last words announce the next step. `doubtful`: all was done, and what was said does not hold against what was read.
`closed`: a session of somebody else's agent is over, and only that agent knows whether its goal was met.
"""

Outcome = Literal["ok", "empty", "suspicious", "retryable", "terminal", "denied", "unknown_outcome", "not_run"]
"""How a tool call ends, for the model that made it. `empty`: it was answered, and there is nothing (a quiet channel)."""

WORKED: frozenset[Outcome] = frozenset({"ok", "empty"})
"""The outcomes of a call that did what it was asked to; only `ok` is evidence that something was collected."""

ANSWERED = WORKED | {"suspicious"}
"""Those, and that of a call whose answer only looks odd."""

Problem = Literal[
    "",
    "unknown_tool",
    "invalid_arguments",
    "unreadable",
    "soft_failure",
    "tool_error",
    "transport",
    "limit",
    "simulated",
    "held",
    "draft",
    "refused_plan",
]
"""What was wrong with a call."""
