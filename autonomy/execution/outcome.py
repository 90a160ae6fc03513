"""Did the tool do what it was asked? Most failing tools say so only in their words, so the words are read too.

`classify` is pure. It says `ok`, `suspicious` (the model is told what looks wrong and decides), `retryable` or `terminal`.
"""

import json
import re
from typing import Any, Literal

from discovery.catalog import Frozen, ToolOutput, ToolSpec

Problem = Literal["", "soft_failure", "tool_error", "transport"]


class Reading(Frozen):
    """What an answer turned out to be, and the sign by which it was known."""

    kind: Literal["ok", "suspicious", "retryable", "terminal", "unknown_outcome"]
    problem: Problem = ""
    reason: str = ""


OK = Reading(kind="ok")

_PASSING = re.compile(
    r"time[d\- ]?out|temporar|try again|rate.?limit|too many requests|unavailable|overload|\b(429|502|503|504)\b|一時的|混み合|時間をおいて",
    re.IGNORECASE,
)
_OPENING = re.compile(
    r"^\W{0,3}(error|failed|failure|exception|traceback|fatal|エラー|失敗)\b|^\W{0,3}(エラー|失敗)", re.IGNORECASE
)
_HTML = re.compile(r"^\s*<(!doctype html|html)\b", re.IGNORECASE)
_BAD_STATUS = frozenset({"error", "failed", "failure", "fail"})


def classify(output: ToolOutput, spec: ToolSpec) -> Reading:
    """Read one answer."""
    if output.is_error:
        return _failed("tool_error", "the tool says that it failed", output.text)
    sign = _sign_in(_data(output)) or _sign_in_text(output.text)
    if sign:
        return _failed("soft_failure", sign, output.text)
    if spec.read_only and not output.text.strip() and output.structured is None and not output.parts:
        return Reading(kind="suspicious", problem="soft_failure", reason="the answer is empty")
    return OK


def _failed(problem: Problem, reason: str, text: str) -> Reading:
    return Reading(kind="retryable" if _PASSING.search(text[:2000]) else "terminal", problem=problem, reason=reason)


def _data(output: ToolOutput) -> Any:
    if output.structured is not None:
        return output.structured
    text = output.text.lstrip()
    if not text.startswith(("{", "[")) or len(text) > 200_000:
        return None
    try:
        return json.loads(text)
    except ValueError:
        return None


def _sign_in(data: Any) -> str:
    if not isinstance(data, dict):
        return ""
    if set(data) == {"result"}:
        return _sign_in(data["result"]) or (_sign_in_text(data["result"]) if isinstance(data["result"], str) else "")
    if data.get("ok") is False or data.get("success") is False:
        return "its answer says that it did not succeed"
    if str(data.get("status", "")).lower() in _BAD_STATUS:
        return f"its answer has the status {data['status']!r}"
    error = data.get("error") or data.get("errors")
    return "its answer carries an error" if error and len(data) <= 4 else ""


def _sign_in_text(text: str) -> str:
    if _HTML.search(text):
        return "the answer is an HTML page"
    opening = _OPENING.search(text)
    return f"the answer begins with {opening.group(0).strip()!r}" if opening and len(text) < 2000 else ""
