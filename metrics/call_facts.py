"""Facts of one tool call, folded from its events in any order."""

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

NOTHING: Mapping[str, Any] = MappingProxyType({})
"""What most runs and calls have of most things; shared, for there may be a million of them."""

Stamped = TypeVar("Stamped", bound=tuple[Any, ...])


def later(one: Stamped | None, other: Stamped | None) -> Stamped | None:
    """The one that replaces the other: the later by time."""
    if one is None or other is None:
        return other if one is None else one
    return max(one, other)


def earlier(one: float | None, other: float | None) -> float | None:
    """The earlier of two times, where known."""
    return min((at for at in (one, other) if at is not None), default=None)


class DecisionFacts(NamedTuple):
    """The policy's decision on a call."""

    at: float
    decision: str
    rule: str


class FinishFacts(NamedTuple):
    """The end of a call."""

    at: float
    arguments: int
    """Equal for equal arguments; 0 when they are not known."""
    outcome: str
    problem: str
    attempts: int
    cured_by: str
    needs: tuple[str, ...]
    repeated: bool
    asked_for: bool
    at_fault: tuple[str, ...]
    waited_s: float = 0.0


class ReceiptFacts(NamedTuple):
    """The known state of a write's effect."""

    at: float
    state: str
    read_back: str


class AnswerFacts(NamedTuple):
    """A person's answer to an approval."""

    at: float
    answer: str
    waited_s: float
    by: str = ""
    """Empty where nobody was there to be asked."""

    @property
    def given(self) -> bool:
        """Whether a person answered at all."""
        return self.answer == "granted" or (self.answer == "denied" and bool(self.by))


class AlternativeFacts(NamedTuple):
    """Another tool tried in a failed one's place."""

    tool: str
    ok: bool


@lru_cache(4096)
def shared(facts: Stamped) -> Stamped:
    """The same tuple for equal ones: a period has a few sets of needs and ways to end, and many calls."""
    return facts


class CallFacts:
    """One call of a tool, as far as it is known."""

    __slots__ = (
        "alternatives",
        "answer",
        "asked",
        "decided",
        "duration_s",
        "effect",
        "errors",
        "finished",
        "provider",
        "receipt",
        "tool",
        "turn",
    )

    def __init__(self, turn: int, tool: str) -> None:
        self.turn, self.tool = turn, tool
        self.provider = self.effect = ""
        self.decided: DecisionFacts | None = None
        self.finished: FinishFacts | None = None
        self.duration_s = 0.0
        self.receipt: ReceiptFacts | None = None
        self.asked: float | None = None
        self.answer: AnswerFacts | None = None
        self.errors: Mapping[str, str] = NOTHING
        self.alternatives: Mapping[str, AlternativeFacts] = NOTHING

    def finish(self, finished: FinishFacts, duration_s: float) -> None:
        """Record the end of the call; the later event wins."""
        if self.finished is None or (finished, duration_s) > (self.finished, self.duration_s):
            self.finished, self.duration_s = finished, duration_s

    def settle(self) -> None:
        """Let go of what makes its end differ from others of the same kind: when it was, and with which arguments."""
        if self.finished is not None:
            self.finished = shared(FinishFacts(0.0, 0, *self.finished[2:]))

    def join(self, other: "CallFacts") -> None:
        """Take over what another part of the log knows of the same call."""
        self.provider, self.effect = max(self.provider, other.provider), max(self.effect, other.effect)
        if other.finished is not None:
            self.finish(other.finished, other.duration_s)
        self.decided, self.receipt = later(self.decided, other.decided), later(self.receipt, other.receipt)
        self.answer = later(self.answer, other.answer)
        self.asked = earlier(self.asked, other.asked)
        self.errors = {**self.errors, **other.errors}
        self.alternatives = {**self.alternatives, **other.alternatives}

    @property
    def outcome(self) -> str:
        """The call's outcome; empty while it is under way."""
        return self.finished.outcome if self.finished else ""

    @property
    def chosen(self) -> bool:
        """Whether the model itself asked for it and it has ended."""
        return self.finished is not None and self.finished.asked_for

    @property
    def writes(self) -> bool:
        """Whether it was meant to change something; an unknown effect is taken for a write."""
        return self.effect != "read"
