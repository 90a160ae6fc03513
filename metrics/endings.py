"""Names the endings of runs and calls, for importers that need no events."""

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
"""How a run ends. Only `completed` is a success, and only the judge grants it; a rehearsal that got so far is `simulated`.

`unanswered`: the answer says that the task could not be done. `declined`: the model refused. `unfinished`: a part is missing, or
the last words announce a next step. `doubtful`: everything was done, but the answer contradicts what was read. `closed`: the
session of a client's agent is over, and only that agent knows whether its goal was met.
"""

Outcome = Literal["ok", "empty", "suspicious", "retryable", "terminal", "denied", "unknown_outcome", "not_run"]
"""How a tool call ends. `empty`: it succeeded, but found nothing (e.g. a quiet channel)."""

WORKED: frozenset[Outcome] = frozenset({"ok", "empty"})
"""The outcomes of a successful call; only `ok` is evidence that something was collected."""

ANSWERED = WORKED | {"suspicious"}
"""The outcomes of a call with an answer, including one that looks odd."""

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
