"""Lays out a run as timeline rows that link into its transcript."""

from dataclasses import dataclass

from autonomy.durable.records.transcripts import CallTranscript, Transcript, TurnTranscript
from metrics.events import WORKED

WIDTH = 1000.0
"""Of the drawing, in its own units; the browser stretches it."""

LEAST = 4.0
"""A bar is never thinner, or a quick call could not be seen."""


@dataclass(frozen=True)
class TimelineRow:
    """One bar."""

    anchor: str
    """The id of what it stands for in the transcript."""
    label: str
    kind: str
    """`model`, `call`, `wait`, `judge`: how it is drawn."""
    state: str
    x: float
    width: float
    seconds: float | None
    """How long it took; None for a moment."""
    turn: int


def timeline_rows(transcript: Transcript, now: float) -> tuple[TimelineRow, ...]:
    """The rows in order; `now` (epoch seconds) is where what still runs ends."""
    begun = [turn.asked_at for turn in transcript.turns if turn.asked_at is not None]
    if not begun:
        return ()
    first = min([*begun, *(call.started_at for call in transcript.calls if call.started_at is not None)])
    ends = [
        at for turn in transcript.turns for at in (turn.answered_at, *(call.ended_at for call in turn.calls)) if at is not None
    ]
    last = max([first + 0.001, *ends, *([now] if transcript.record.ended_at is None else [])])
    scale = WIDTH / (last - first)

    def row(anchor: str, label: str, kind: str, state: str, span: tuple[float, float], turn: int) -> TimelineRow:
        start, end = max(0.0, span[0] - first), max(0.0, min(span[1], last) - first)
        width = max(LEAST, (end - start) * scale)
        return TimelineRow(anchor, label, kind, state, min(start * scale, WIDTH - width), width, end - start, turn)

    rows: list[TimelineRow] = []
    for turn in transcript.turns:
        if turn.asked_at is not None:
            rows.append(
                row(anchor_of(turn), _model_of(turn, transcript), "model", _state_of(turn), _span(turn, last), turn.number)
            )
        for call in turn.calls:
            if call.asked_at is not None:
                waited = call.asked_at + call.approval.waited_s if call.approval else call.started_at or last
                rows.append(row(anchor_of(call), call.tool, "wait", "waiting", (call.asked_at, waited), turn.number))
            if call.started_at is not None:
                span = (call.started_at, call.ended_at if call.ended_at is not None else last)
                rows.append(row(anchor_of(call), call.tool, "call", tone_of(call), span, turn.number))
    return tuple(rows)


def anchor_of(part: TurnTranscript | CallTranscript) -> str:
    """The id of a part of the transcript in the page."""
    return part.key.replace("/", "-")


def tone_of(call: CallTranscript) -> str:
    """The colour of a call; the words beside it say the same."""
    if call.state != "ended":
        return "waiting" if call.state == "waiting" else "running" if call.state == "running" else "neutral"
    if call.outcome in WORKED:
        return "cured" if call.record and call.record.cured_by else "ok"
    return {"suspicious": "suspicious", "denied": "refused", "not_run": "refused"}.get(call.outcome, "failed")


def _span(turn: TurnTranscript, last: float) -> tuple[float, float]:
    start = turn.asked_at or last
    return start, turn.answered_at if turn.answered_at is not None else last if turn.running else start


def _state_of(turn: TurnTranscript) -> str:
    return "running" if turn.running else "failed" if turn.problem else "neutral"


def _model_of(turn: TurnTranscript, transcript: Transcript) -> str:
    return turn.message.model if turn.message and turn.message.model else transcript.model
