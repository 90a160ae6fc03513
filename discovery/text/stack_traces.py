"""Removes stack frames, and JSON around a message, from a failed program's output and keeps the message."""

import json
import re

_FRAME = re.compile(r'\s+(?:File "[^"]*", line \d+|at \S.*:\d+\)?(?: \{)?$)')
"""A frame of Python, JavaScript or Java; after `{` follow the fields of a JavaScript error."""

_GO_STACK = re.compile(r"^goroutine \d{1,9} \[", re.MULTILINE)
"""The beginning of Go's frames, which end the output."""

_MESSAGE = re.compile(r"[\w.]{0,80}(?:Error|Exception|panic)(?: \[\w{1,60}\])?:")
"""The beginning of a message, which may have further lines (`Require stack:`)."""

_HEADING = "Traceback (most recent call last):"
_AROUND = ("During handling of the above exception", "The above exception was the direct cause", "Node.js v")
"""Lines of the interpreter that are no message."""


def without_frames(text: str) -> str:
    """Return the lines of a text around its stack frames, as one line; a text without frames stays unchanged."""
    lines = _around_frames(text)
    return text if lines is None else _as_one(lines)


def error_words(text: str) -> str:
    """Return what a tool's error says to people: the sentence in `{"error": "…"}` or `{"message": "…"}`, else the text, both
    without stack frames."""
    return without_frames(_in_json(text) or text)


def _in_json(text: str) -> str:
    if not text.lstrip().startswith("{"):
        return ""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return ""
    told = data.get("error") or data.get("message")
    said = told.get("message") if isinstance(told, dict) else told
    return said if isinstance(said, str) else ""


def last_words(output: str, most_chars: int) -> str:
    """Return the last lines of a program's output, or its last message if the output has stack frames."""
    lines = _around_frames(output)
    if lines is None:
        cut, end = output[:-most_chars], output[-most_chars:]
        return end if not cut or cut.endswith("\n") else end.partition("\n")[2] or end
    begins = [at for at, line in enumerate(lines) if _MESSAGE.match(line)]
    begins = begins or [at for at, line in enumerate(lines) if not line[0].isspace()]
    return _as_one(lines[begins[-1] :] if begins else lines)[:most_chars]


def _around_frames(text: str) -> list[str] | None:
    """Return the lines of a text without frames and their source lines; None for a text without frames."""
    whole = _GO_STACK.split(text, maxsplit=1)[0]
    lines = whole.splitlines()
    if whole == text and not any(_FRAME.match(line) for line in lines):
        return None
    kept, in_frames = list[str](), False
    for line in lines:
        in_frames = bool(_FRAME.match(line)) or (in_frames and line[:1].isspace())  # the source line follows, indented
        words = line.replace(_HEADING, "").rstrip()
        if re.search(r"\w", words) and not in_frames and not words.startswith(_AROUND):
            kept.append(words)
    return kept


def _as_one(lines: list[str]) -> str:
    sentence = ""
    for words in map(str.strip, lines):
        sentence += words if not sentence else f" {words}" if sentence.endswith(":") else f" / {words}"
    return sentence
