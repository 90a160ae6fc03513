"""Reads message logs: OpenAI's and Anthropic's formats, Responses items, and Claude Code transcripts."""

import json
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

from metrics.trace_import.imported_run import ImportedCall, ImportedReply, ImportedRun

TOOL_ITEMS = {"function_call", "custom_tool_call", "mcp_call"}
LATEST_S = 253_402_000_000.0
"""Some days before the year 10000, which no calendar of Python has in any time zone."""
RESULT_ITEMS = {"function_call_output", "custom_tool_call_output"}


class Conversation:
    """Takes messages in order and builds the run that they belong to."""

    def __init__(self, run_id: str, source: str) -> None:
        self.run = ImportedRun(run_id, source)
        self._open: dict[str, ImportedCall] = {}
        self._turn = 0
        self._results_came = False

    def take(self, message: Mapping[str, Any], at: float = 0.0) -> None:
        """Add one message or item, and skip what is neither a message, a call nor a result. `at`: seconds since the epoch; 0 if
        unknown."""
        kind, role = str(message.get("type")), str(message.get("role"))
        if kind in TOOL_ITEMS:
            if not self._turn or self._results_came:  # an item without a message: the first call after results begins a reply
                self._assistant({}, at)
            self._call(
                message.get("call_id") or message.get("id"),
                message.get("name"),
                message.get("arguments", message.get("input")),
                at,
            )
            if kind == "mcp_call":
                self._result(message.get("id"), message.get("output") or message.get("error"), bool(message.get("error")), at)
        elif kind in RESULT_ITEMS:
            self._result(message.get("call_id"), message.get("output"), False, at)
        elif role == "assistant":
            self._assistant(message, at)
        elif role in ("tool", "function"):
            flagged = bool(message.get("is_error") or message.get("error"))
            content = message.get("content") or message.get("error")
            self._result(message.get("tool_call_id") or message.get("name"), content, flagged, at)
        elif role == "user":
            self._user(message.get("content"), at)

    def _assistant(self, message: Mapping[str, Any], at: float) -> None:
        self._turn += 1
        self._results_came = False
        before = len(self.run.calls) if self._turn > 1 else 0  # a result without its call may come before the first turn
        content = message.get("content")
        text = text_of(content)
        reply = ImportedReply(
            self._turn, str(message.get("model") or ""), text, at=at, stop_reason=str(message.get("stop_reason") or "")
        )
        _count_usage(reply, message.get("usage"))
        for tool_call in _listed(message.get("tool_calls")):
            function = tool_call.get("function") if isinstance(tool_call, dict) else None
            if isinstance(function, dict):
                self._call(tool_call.get("id"), function.get("name"), function.get("arguments"), at)
            elif isinstance(tool_call, dict):  # inspect's format: `function` is the name, beside `arguments`
                self._call(tool_call.get("id"), function or tool_call.get("name"), tool_call.get("arguments"), at)
        if isinstance(function := message.get("function_call"), dict):  # before there were ids, a result named its function
            self._call(function.get("name"), function.get("name"), function.get("arguments"), at)
        for block in content if isinstance(content, list) else ():
            if isinstance(block, dict) and str(block.get("type")) in ("tool_use", "server_tool_use", "mcp_tool_use"):
                self._call(block.get("id"), block.get("name"), block.get("input"), at)
        reply.calls = len(self.run.calls) - before
        self.run.replies.append(reply)
        self.run.model = self.run.model or reply.model
        self.run.final, self.run.error = text if not reply.calls else "", ""
        self._time(at)

    def break_off(self, why: str, at: float) -> None:
        """Note that the model's service failed where a reply should stand; a later reply shows that the run went on."""
        self.run.final, self.run.error = "", why or "the model's service failed"
        self._time(at)

    def _user(self, content: Any, at: float) -> None:
        for block in content if isinstance(content, list) else ():
            if isinstance(block, dict) and str(block.get("type", "")).endswith("tool_result"):
                self._result(block.get("tool_use_id"), block.get("content"), bool(block.get("is_error")), at)
        if text := text_of(content):
            self.run.goal = self.run.goal or text
        self._time(at)

    def _call(self, call_id: Any, name: Any, arguments: Any, at: float) -> None:
        turn = max(1, self._turn)
        key = str(call_id or f"call-{len(self.run.calls) + 1}")
        call = ImportedCall(key, str(name or "unknown"), arguments_of(arguments), turn=turn, started_at=at)
        self.run.calls.append(call)
        self._open[key] = call

    def _result(self, call_id: Any, content: Any, is_error: bool, at: float) -> None:
        call = self._open.get(str(call_id))
        if call is None:  # logs may be cut at the front; the result still proves that there was a call
            call = ImportedCall(str(call_id or f"call-{len(self.run.calls) + 1}"), "unknown", turn=max(1, self._turn))
            self.run.calls.append(call)
        self._results_came = True
        call.result, call.is_error, call.answered = text_of(content), is_error, True
        if at and call.started_at:
            call.duration_s = max(0.0, at - call.started_at)
        self._time(at)

    def _time(self, at: float) -> None:
        if at:
            last = max(self.run.started_at + self.run.duration_s, at)  # messages may stand in another order than that of time
            self.run.started_at = min(self.run.started_at or at, at)
            self.run.duration_s = last - self.run.started_at


def conversation_of(messages: Iterable[Any], run_id: str, source: str) -> ImportedRun:
    """Read the run that a list of messages belongs to."""
    conversation = Conversation(run_id, source)
    for message in messages:
        if isinstance(message, dict):
            conversation.take(message, seconds_of(message.get("timestamp") or message.get("created_at")))
    return conversation.run


def text_of(content: Any) -> str:
    """Return the text of a message's content: a string, the text blocks of a list, or other data as JSON."""
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n".join(part for block in content if (part := _block_text(block)))
    return json.dumps(content, ensure_ascii=False)


def _block_text(block: Any) -> str:
    if isinstance(block, str):
        return block
    if isinstance(block, dict) and isinstance(block.get("text"), str):
        return str(block["text"])
    return ""


def arguments_of(arguments: Any) -> Any:
    """Parse arguments; text that is not JSON is returned as it is."""
    if not isinstance(arguments, str):
        return arguments
    try:
        return json.loads(arguments)
    except (ValueError, RecursionError):
        return arguments


def seconds_of(moment: Any) -> float:
    """Return a time of a trace as seconds since the epoch; 0 if it is missing or cannot be read."""
    try:
        if isinstance(moment, str):
            read = datetime.fromisoformat(moment)
            value = (read if read.tzinfo else read.replace(tzinfo=UTC)).timestamp()  # the same on any machine
        elif isinstance(moment, int | float) and not isinstance(moment, bool):
            value = float(moment)
            # as nanoseconds, microseconds or milliseconds, if it would be after the year 33658
            value /= next((unit for unit in (1e9, 1e6, 1e3) if value > 1e12 * unit / 1e3), 1.0)
        else:
            return 0.0
    except (ValueError, OverflowError):
        return 0.0
    return value if 0.0 <= value < LATEST_S else 0.0


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _count_usage(reply: ImportedReply, usage: Any) -> None:
    if not isinstance(usage, dict):
        return
    details = usage.get("prompt_tokens_details") or usage.get("input_tokens_details") or {}
    reply.input_tokens = count_of(usage.get("input_tokens", usage.get("prompt_tokens")))
    reply.output_tokens = count_of(usage.get("output_tokens", usage.get("completion_tokens")))
    cached = usage.get("cache_read_input_tokens", details.get("cached_tokens") if isinstance(details, dict) else None)
    reply.cached_tokens = count_of(cached)


def count_of(value: Any) -> int:
    """Return a count of a trace; 0 if it is not a number that can be one."""
    return int(value) if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < 1e15 else 0
