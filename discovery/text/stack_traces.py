"""Removes the stack frames from a failed program's output and keeps the message around them."""

import re

_FRAME = re.compile(r'\s+(?:File "[^"]*", line \d+|at \S.*:\d+\)?(?: \{)?$)')
"""Of Python, and of JavaScript and Java; behind `{` stand the fields of a JavaScript error."""

_GO_STACK = re.compile(r"^goroutine \d{1,9} \[", re.MULTILINE)
"""Begins the frames of Go, with which its output ends."""

_MESSAGE = re.compile(r"[\w.]{0,80}(?:Error|Exception|panic)(?: \[\w{1,60}\])?:")
"""Begins a message; what follows may have lines of its own (`Require stack:`)."""

_HEADING = "Traceback (most recent call last):"
_AROUND = ("During handling of the above exception", "The above exception was the direct cause", "Node.js v")
"""Lines of the interpreter beside the frames, which name no fault."""


def without_frames(text: str) -> str:
    """The lines of a text around its stack frames, as one line; a text without frames as it is."""
    lines = _around_frames(text)
    return text if lines is None else _as_one(lines)


def last_words(output: str, most_chars: int) -> str:
    """The end of what a program printed before it ended, in whole lines; of one with stack frames the last message."""
    lines = _around_frames(output)
    if lines is None:
        cut, end = output[:-most_chars], output[-most_chars:]
        return end if not cut or cut.endswith("\n") else end.partition("\n")[2] or end
    begins = [at for at, line in enumerate(lines) if _MESSAGE.match(line)]
    begins = begins or [at for at, line in enumerate(lines) if not line[0].isspace()]
    return _as_one(lines[begins[-1] :] if begins else lines)[:most_chars]


def _around_frames(text: str) -> list[str] | None:
    """The lines without frames and what stands below them; None for a text without frames."""
    whole = _GO_STACK.split(text, maxsplit=1)[0]
    lines = whole.splitlines()
    if whole == text and not any(_FRAME.match(line) for line in lines):
        return None
    kept, in_frames = list[str](), False
    for line in lines:
        in_frames = bool(_FRAME.match(line)) or (in_frames and line[:1].isspace())  # a frame's source stands indented below it
        words = line.replace(_HEADING, "").rstrip()
        if re.search(r"\w", words) and not in_frames and not words.startswith(_AROUND):
            kept.append(words)
    return kept


def _as_one(lines: list[str]) -> str:
    sentence = ""
    for words in map(str.strip, lines):
        sentence += words if not sentence else f" {words}" if sentence.endswith(":") else f" / {words}"
    return sentence
