"""Lays out one run as rows of timed bars.

An event is written when what it reports is over, so a bar ends at the event's time and begins earlier by the duration.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from metrics.events import (
    ANSWERED,
    AlternativeTried,
    ApprovalAnswered,
    ApprovalRequested,
    AttemptFailed,
    CallEvent,
    CallFinished,
    FeedbackGiven,
    Intervention,
    Judged,
    LimitReached,
    ModelAnswered,
    ModelFailed,
    RunEvent,
    RunFinished,
    RunStarted,
)
from metrics.reporting.report_words import Language, failure_in, problem_in, word

Kind = Literal["model", "call", "attempt", "alternative", "approval", "judge", "person", "limit"]
State = Literal["ok", "failed", "cured", "refused", "waiting", "neutral"]


@dataclass(frozen=True)
class TimelineBar:
    """Something that took time, or an instant (`start == end`)."""

    kind: Kind
    turn: int
    start: float
    """Seconds since the run began."""
    end: float
    label: str
    """The tool, model or verdict."""
    state: State
    detail: str = ""
    row: str = ""
    """The line it is drawn in: that of the call it belongs to, or of the turn's model."""
    parts: tuple[str, ...] = ()
    """What the detail consists of, where that can be translated."""


@dataclass(frozen=True)
class RunTimeline:
    """A run's bars in the order in which they began."""

    run_id: str
    job: str
    began_at: float
    length_s: float
    ending: str
    bars: tuple[TimelineBar, ...]

    @property
    def rows(self) -> tuple["TimelineLine", ...]:
        """The bars by row; rows in the order in which they begin."""
        rows: dict[str, list[TimelineBar]] = {}
        for bar in self.bars:
            rows.setdefault(bar.row, []).append(bar)
        return tuple(TimelineLine(*_label(name, bars), tuple(bars)) for name, bars in rows.items())


class TimelineLine(NamedTuple):
    """One line of a timeline."""

    label: str
    """The tool or model; or, if `ours`, a key of `metrics.reporting.report_words`."""
    ours: bool
    bars: tuple[TimelineBar, ...]


def _label(name: str, bars: Iterable[TimelineBar]) -> tuple[str, bool]:
    labels = [bar.label for bar in bars if bar.kind in {"call", "model", "approval"}]
    return (labels[0], False) if labels else (name, True)


def timeline(events: Iterable[RunEvent]) -> RunTimeline:
    """Return the timeline of one run's events, given in any order; an empty timeline for none.

    An event after the end (such as a vote) is drawn at the end, and one before the beginning (such as an order about a run whose
    process was killed at once) at the beginning.
    """
    ordered = sorted({event.key: event for event in events}.values(), key=lambda event: (event.at, event.key))
    if not ordered:
        return RunTimeline("", "", 0.0, 0.0, "", ())
    began_at = next((event.at for event in ordered if isinstance(event, RunStarted)), ordered[0].at)
    ended_at = max((event.at for event in ordered if isinstance(event, RunFinished)), default=ordered[-1].at)
    drawn = ((event, max(0.0, min(event.at, ended_at) - began_at)) for event in ordered)
    bars = [bar for event, at in drawn if (bar := _bar(event, at)) is not None]
    bars.sort(key=lambda bar: (bar.start, bar.end))
    ending = next((event.ending for event in reversed(ordered) if isinstance(event, RunFinished)), "")
    length_s = max((bar.end for bar in bars), default=0.0)
    return RunTimeline(ordered[0].run_id, ordered[0].job, began_at, max(length_s, ended_at - began_at), ending, tuple(bars))


def in_words(drawn: RunTimeline, language: Language) -> RunTimeline:
    """Translate our own labels and details."""
    comma = "、" if language == "ja" else ", "

    def worded(bar: TimelineBar) -> TimelineBar:
        label = word(f"verdict_{bar.label}", language) if bar.kind == "judge" else bar.label
        if bar.kind == "model" and bar.parts:
            error, then = bar.parts
            return replace(bar, detail=f"{failure_in(error, language)} → {word(f'then_{then}', language)}")
        detail = word(bar.detail, language) if bar.kind == "approval" else bar.detail
        detail = comma.join(problem_in(part, language) for part in bar.parts) or detail
        return replace(bar, label=label, detail=detail)

    return replace(drawn, bars=tuple(map(worded, drawn.bars)))


def _bar(event: RunEvent, at: float) -> TimelineBar | None:
    if isinstance(event, CallEvent):
        return _call_bar(event, at)
    match event:
        case ModelAnswered():
            detail = f"{event.input_tokens}+{event.output_tokens} tokens" if event.input_tokens else ""
            state: State = "cured" if event.fallback else "ok"
            return TimelineBar(
                "model", event.turn, max(at - event.duration_s, 0.0), at, event.model, state, detail, f"turn {event.turn}"
            )
        case ModelFailed():
            return TimelineBar(
                "model", event.turn, at, at, event.model, "failed", f"{event.error} → {event.then}", f"turn {event.turn}",
                (event.error, event.then),
            )  # fmt: skip
        case Judged():
            state = {"complete": "ok", "continue": "neutral", "blocked": "failed"}[event.verdict]  # type: ignore[assignment]  # a literal of literals
            rules = f"{event.held}/{event.rules}" if event.rules else ""
            detail = ": ".join(part for part in (rules, ", ".join(event.missing)) if part)
            parts = tuple(part for part in (rules, *(event.findings or event.missing)) if part)
            return TimelineBar("judge", event.turn, at, at, event.verdict, state, detail, "judge", parts)
        case LimitReached():
            return TimelineBar("limit", 0, at, at, event.limit, "neutral" if event.warning else "failed", "", "limits")
        case Intervention():
            return TimelineBar("person", 0, at, at, event.kind, "neutral", event.by, "people")
        case FeedbackGiven():
            return TimelineBar(
                "person", 0, at, at, "good" if event.good else "not good", "ok" if event.good else "failed", event.by, "people"
            )
    return None


def _call_bar(event: CallEvent, at: float) -> TimelineBar | None:
    row = f"{event.turn}/{event.call_id}"
    match event:
        case CallFinished():
            parts = tuple(
                part for part in (event.outcome, event.problem, event.cured_by and f"cured by {event.cured_by}") if part
            )
            began = max(at - event.duration_s, 0.0)
            return TimelineBar("call", event.turn, began, at, event.tool, _state(event), ", ".join(parts), row, parts)
        case AttemptFailed():
            parts = (f"attempt {event.attempt}", event.error)
            return TimelineBar("attempt", event.turn, at, at + event.wait_s, event.tool, "failed", ", ".join(parts), row, parts)
        case AlternativeTried():
            return TimelineBar(
                "alternative", event.turn, at, at, event.alternative, "ok" if event.ok else "failed", event.source, row
            )
        case ApprovalAnswered():
            state: State = "ok" if event.answer == "granted" else "refused"
            return TimelineBar("approval", event.turn, max(at - event.waited_s, 0.0), at, event.tool, state, event.answer, row)
        case ApprovalRequested():
            return TimelineBar("approval", event.turn, at, at, event.tool, "waiting", "asked", row)
    return None


def _state(event: CallFinished) -> State:
    if event.outcome in ANSWERED:
        return "cured" if event.cured_by else "ok"
    return "refused" if event.outcome in {"denied", "not_run"} else "failed"
