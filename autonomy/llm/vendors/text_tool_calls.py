"""Parses `<think>` blocks and tool calls written as text by local models."""

import ast
import json
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from autonomy.llm.messages import (
    AssistantMessage,
    Message,
    SystemMessage,
    ToolCall,
    ToolDefinition,
    ToolResult,
    UserMessage,
)
from autonomy.llm.model import OnText
from autonomy.llm.model_json import read_json
from discovery.catalog import JsonObject

_THOUGHT = re.compile(r"<(think|thinking|reasoning)>.*?(?:</\1>|\Z)", re.DOTALL)
_UNOPENED = re.compile(r"\A.*?</(?:think|thinking|reasoning)>", re.DOTALL)
_WRITTEN_CALL = re.compile(
    r"<tool_call>\s*(?P<hermes>.*?)\s*(?:</tool_call>|\Z)"
    r"|\[TOOL_REQUEST\]\s*(?P<lmstudio>.*?)\s*(?:\[END_TOOL_REQUEST\]|\Z)"
    r"|<\|python_tag\|>\s*(?P<llama>\{.*\})"
    r"|\[TOOL_CALLS\]\s*(?P<mistral>\[.*\])"
    r"|\[TOOL_CALLS\]\s*(?P<named>[\w.-]+\s*(?:\[ARGS\])?\s*\{.*?)\s*(?=\[TOOL_CALLS\]|\Z)"
    r"|(?P<tagged><function=[\w.-]+>.*?</function>)",
    re.DOTALL,
)
_NAMED = re.compile(r"\A([\w.-]+)\s*(?:\[ARGS\])?\s*(\{.*)\Z", re.DOTALL)
_TAGGED = re.compile(r"<function=([\w.-]+)>(.*?)(?:</function>|\Z)", re.DOTALL)
_PARAMETER = re.compile(r"<parameter=([\w.-]+)>\n?(.*?)\n?</parameter>", re.DOTALL)
_FENCE = re.compile(r"\A\s*```(?:json|python)?\s*(.*?)\s*```\s*\Z", re.DOTALL)
_HOW_TO_CALL = """You can call tools. To call one, write exactly this, and nothing after it; call several by writing several:
<tool_call>
{"name": "the tool's name", "arguments": {"its": "arguments"}}
</tool_call>
The results come in <tool_response>. Call no tool that is not in this list:
TOOLS"""
_THOUGHT_DONE = re.compile(r"<(think|thinking|reasoning)>.*?</\1>\s*", re.DOTALL)
_MARKS = ("<think", "<reasoning", "<tool_call", "[TOOL_REQUEST", "[TOOL_CALLS", "<|python_tag", "<function=")


def in_words(messages: Sequence[Message], tools: Sequence[ToolDefinition], encoded: bytes) -> list[Message]:
    """A conversation for a model that is shown nothing but text: tools, calls and results as Hermes writes them.

    `encoded`: the same tools as a JSON array.
    """
    first = next((at for at, one in enumerate(messages) if not isinstance(one, SystemMessage)), len(messages))
    instructions = [UserMessage(text=_HOW_TO_CALL.replace("TOOLS", encoded.decode()), host=True)] if tools else []
    return [
        *messages[:first],
        *instructions,
        *map(_in_words, messages[first:]),
    ]  # never a system message: servers wrote the descriptions


def _in_words(message: Message) -> Message:
    match message:
        case AssistantMessage() if message.calls:
            calls = [{"name": call.name, "arguments": call.arguments} for call in message.calls]
            written = [f"<tool_call>\n{json.dumps(call, ensure_ascii=False)}\n</tool_call>" for call in calls]
            return AssistantMessage(text="\n".join([message.text, *written]).strip(), model=message.model)
        case ToolResult():
            return UserMessage(
                text=f"<tool_response>\n{message.name}: {message.compact_text or '(empty)'}\n</tool_response>", host=True
            )
        case _:
            return message


def without_thoughts(text: str) -> str:
    """The words meant for the reader: no `<think>…</think>`, not even one whose beginning the template swallowed."""
    return _UNOPENED.sub("", _THOUGHT.sub("", text), count=1).strip()


def written_calls(text: str, known: Collection[str]) -> tuple[str, list[ToolCall]]:
    """Tool calls that stand in the text, and the text without them. Without one of the marks, only a known tool is believed."""
    calls: list[ToolCall] = []
    for found in _WRITTEN_CALL.finditer(text):
        written = next(part for part in found.groups() if part is not None)
        calls += (
            _named_calls(written)
            or _tagged(written)
            or _calls_in(written, None)
            or [ToolCall(id="", name="", unreadable=written)]
        )
    if calls:
        return _WRITTEN_CALL.sub("", text).strip(), calls
    calls = list(_calls_in(text, known))
    return ("", calls) if calls else (text, [])


def _calls_in(written: str, known: Collection[str] | None) -> list[ToolCall]:
    value = _value(written)
    found = [_call(one) for one in (value if isinstance(value, list) else [value])]
    sure = [call for call in found if call is not None and (known is None or call.name in known)]
    return sure if len(sure) == len(found) else []


def _named_calls(written: str) -> list[ToolCall]:
    """`name[ARGS]{…}`, as Mistral's newer models write."""
    found = _NAMED.match(written)
    return [call_of("", found[1], found[2])] if found else []


def _tagged(written: str) -> list[ToolCall]:
    """`<function=name><parameter=place>Kyoto</parameter></function>`, as Qwen's coders write; what is no JSON there is words."""
    calls = []
    for found in _TAGGED.finditer(written):
        arguments = {name: value if (read := _value(value)) is None else read for name, value in _PARAMETER.findall(found[2])}
        calls.append(ToolCall(id="", name=found[1], arguments=arguments))
    return calls


def _call(value: Any) -> ToolCall | None:
    if not isinstance(value, dict):
        return None
    inner = value.get("function")
    if isinstance(inner, dict):
        return _call(inner)
    name = value.get("name") or value.get("tool") or value.get("tool_name") or inner
    arguments: Any = next((value[key] for key in ("arguments", "parameters", "args", "input") if key in value), {})
    return call_of("", name, arguments) if isinstance(name, str) and name else None


def call_of(call_id: str, name: str, arguments: Any) -> ToolCall:
    """A call from what a model wrote as its arguments: an object, its JSON, its JSON twice, or with small faults.

    One repair, in which nothing is invented: text that breaks off inside a value stays unreadable.
    """
    value = {} if arguments in (None, "", "null") else arguments
    for _ in range(2):
        if isinstance(value, str):
            value = _value(value)
    if isinstance(value, dict):
        return ToolCall(id=call_id, name=name, arguments=value)
    written = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
    return ToolCall(id=call_id, name=name, unreadable=written)


def _value(text: str) -> Any:
    """The JSON value of a text, with the usual faults of small models put right; None when there is none."""
    for candidate in _readings(text):
        try:
            return read_json(candidate, strict=False)
        except ValueError:
            continue
    try:
        return _plain(ast.literal_eval(text.strip()))
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None


def _plain(value: Any) -> JsonObject | None:
    """A Python literal that is also a JSON object."""
    try:
        found = read_json(json.dumps(value))
    except (TypeError, ValueError):
        return None
    return found if isinstance(found, dict) else None


def _readings(text: str) -> Iterator[str]:
    yield text
    fenced = _FENCE.match(text)
    bare = (fenced.group(1) if fenced else text).strip()
    yield bare
    tidy = re.sub(r",(\s*[}\]])", r"\1", bare)
    yield tidy
    closed = _closed(tidy)
    if closed is not None:
        yield closed


def _closed(text: str) -> str | None:
    """The text with its missing closing brackets, unless it breaks off inside a string or before a value."""
    open_brackets, inside, escaped = [], False, False
    for char in text:
        if inside:
            escaped, inside = (char == "\\" and not escaped), char != '"' or escaped
        elif char == '"':
            inside = True
        elif char in "{[":
            open_brackets.append("}" if char == "{" else "]")
        elif char in "}]" and (not open_brackets or open_brackets.pop() != char):
            return None
    if inside or not open_brackets or text.rstrip()[-1:] not in ('"', "}", "]"):
        return None
    return text + "".join(reversed(open_brackets))


@dataclass
class TextStream:
    """Passes text on to `on_text` as it comes, and knows what was said."""

    on_text: OnText
    said: list[str] = field(default_factory=list)

    async def hear(self, piece: str) -> None:
        """Take the next piece."""
        await self._say(piece)

    async def end(self, text: str) -> None:
        """The reply is complete: say what is left of its words."""
        said = "".join(self.said)
        if text.startswith(said):
            await self._say(text[len(said) :])

    async def _say(self, text: str) -> None:
        if text:
            self.said.append(text)
            await self.on_text(text)


@dataclass
class TextToolCallParser(TextStream):
    """Holds back what is, or may turn out to be, a thought or a written call."""

    _held: str = ""

    async def hear(self, piece: str) -> None:
        """Take the next piece."""
        self._held = _THOUGHT_DONE.sub("", self._held + piece)
        at = self._mark()
        ready, self._held = self._held[:at], self._held[at:]
        await self._say(ready if self.said else ready.lstrip())

    def _mark(self) -> int:
        """Where a mark begins, or may begin with what is still to come; the length of the text when none does."""
        marks = _MARKS if self.said else (*_MARKS, "```", "{")
        for at, char in enumerate(self._held):
            rest = self._held[at:]
            if char in "<[`{" and any(mark.startswith(rest) or rest.startswith(mark) for mark in marks):
                return at
        return len(self._held)
