"""Corrects an answer that quotes the model's proposal where a person changed the text before it was sent."""

import json
import re
from collections.abc import Iterator

from autonomy.run_state.context import ToolExecutionContext
from autonomy.run_state.run_values import CallRecord
from discovery.catalog import JsonObject
from metrics.reporting.reason_words import reason_in

CHANGED = "a person changed this before it was sent"
_WORDING = re.compile(r"[^\W\d_]{2}\W+[^\W\d_]{2}|[^\W\d_a-zA-Z]{8}")
"""Two words, or as much Japanese. A date, an id or one word may stand for something in an answer: those are told below it."""


def quoted_as_sent(text: str, ctx: ToolExecutionContext) -> str:
    """The answer, with each proposed text that a person changed replaced by what was sent."""
    for record in _changed(ctx):
        for proposed, sent in _changes(record).values():
            if not (isinstance(proposed, str) and isinstance(sent, str) and _WORDING.search(proposed)):
                continue
            if not _shows(text, sent, unlike=proposed):
                text = _whole(proposed).sub(sent.strip().replace("\\", r"\\"), text)
    return text


def with_what_was_sent(text: str, ctx: ToolExecutionContext) -> str:
    """The answer, and below it each argument that a person changed and that the answer does not show as sent."""
    untold = [
        f"{name}: {shown}"
        for record in _changed(ctx)
        for name, (proposed, sent) in _changes(record).items()
        if not _shows(text, shown := _as_text(sent), unlike=_as_text(proposed))
    ]
    if not untold:
        return text
    return "\n".join([text, "", f"({reason_in(ctx.request.task.language, CHANGED)})", "", *untold]).lstrip()


def _changed(ctx: ToolExecutionContext) -> Iterator[CallRecord]:
    return (record for record in ctx.records if record.proposed and record.effect != "read" and record.ok)


def _changes(record: CallRecord) -> dict[str, tuple[object, object]]:
    """Argument → (as the model proposed it, as it was sent), of those that a person changed."""
    sent: JsonObject = record.arguments
    return {name: (record.proposed.get(name), sent[name]) for name in sent if sent[name] != record.proposed.get(name)}


def _as_text(value: object) -> str:
    return value.strip() if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _shows(text: str, sent: str, *, unlike: str) -> bool:
    """Whether a text shows what was sent, not merely as a part of the proposal `unlike`."""
    remainder = text if unlike.strip() in sent else _whole(unlike).sub("", text)
    return bool(sent.strip() and _whole(sent).search(remainder))


def _whole(value: str) -> re.Pattern[str]:
    """A value as it stands in a text: no word or number begins before it or goes on behind it."""
    value = value.strip()
    before, after = (r"(?<![A-Za-z0-9_])" if value[:1].isascii() else ""), (r"(?![A-Za-z0-9_])" if value[-1:].isascii() else "")
    return re.compile(before + re.escape(value) + after)
