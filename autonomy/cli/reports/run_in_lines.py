"""Tells in lines how a run ended and who decided on each of its calls."""

from collections.abc import Iterable, Iterator
from typing import Literal
from urllib.parse import unquote

from metrics.events import ApprovalAnswered, CallDecided, Event, ReceiptRecorded, RunFinished
from metrics.reporting.reason_words import reason_in, rule_in
from metrics.reporting.report_words import ending_in, word


def run_in_lines(events: Iterable[Event], language: Literal["ja", "en"]) -> Iterator[str]:
    """The ending and its reason, then each call's tool, who decided and its receipt, in the order of the log."""
    events = tuple(events)
    for event in events:
        if isinstance(event, RunFinished):
            yield _line(ending_in(event.ending, language, event.remarked), reason_in(language, event.reason))
    for event in events:
        if isinstance(event, CallDecided):
            yield _line(f"  {event.tool}", word(f"decided_{event.decision}", language), rule_in(language, event.rule))
        elif isinstance(event, ApprovalAnswered):
            yield _line(f"  {event.tool}", word(event.answer, language), event.by)
        elif isinstance(event, ReceiptRecorded):
            yield _line(f"  {event.tool}", word(f"receipt_{event.state}", language), unquote(event.target))


def _line(first: str, *others: str) -> str:
    """The parts in one line, their line breaks taken out: somebody else's words cannot begin a line of ours."""
    return "  ".join([first, *(" ".join(part.split()) for part in others if part)])
