"""One run of another agent in neutral form: the output of every trace reader."""

from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Literal

Verdict = Literal["success", "failure", ""]
"""The trace's own verdict on the whole run; empty if it has none."""


class BadTrace(Exception):
    """A file, or a line of it (from 1; 0 for the whole file), cannot be read as a trace."""

    def __init__(self, file: str, line: int, why: str) -> None:
        self.file, self.line, self.why = file, line, why
        super().__init__(f"{file}:{line}: {why}" if line else f"{file}: {why}")


@dataclass
class ImportedCall:
    """One call of a tool, with its result if the trace holds one."""

    call_id: str
    tool: str
    arguments: Any = None
    result: str = ""
    is_error: bool = False
    """Whether the trace marks the result as an error."""
    answered: bool = False
    """Whether the trace holds a result at all."""
    turn: int = 1
    started_at: float = 0.0
    """Seconds since the epoch; 0 where the trace has no times."""
    duration_s: float = 0.0


@dataclass
class ImportedReply:
    """One reply of a model."""

    turn: int
    model: str = ""
    text: str = ""
    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    cost_usd: Decimal | None = None
    at: float = 0.0
    duration_s: float = 0.0
    stop_reason: str = ""


@dataclass
class ImportedRun:
    """One run: its goal, the model's replies, the calls, and how it ended as far as the trace tells. Times are seconds."""

    run_id: str
    source: str
    """The trace format."""
    goal: str = ""
    model: str = ""
    task: str = ""
    """The trace's name of the task, which becomes the job's name in the report."""
    calls: list[ImportedCall] = field(default_factory=list)
    replies: list[ImportedReply] = field(default_factory=list)
    final: str = ""
    """The final answer of the model."""
    answered: bool = False
    """Whether the trace says that the model ended with an answer, of which it holds no word."""
    verdict: Verdict = ""
    error: str = ""
    """The trace's reason why the run broke off."""
    started_at: float = 0.0
    duration_s: float = 0.0
