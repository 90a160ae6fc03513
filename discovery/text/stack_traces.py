"""Removes the stack frames from a failed program's output and keeps the message around them."""

import re

_FRAME = re.compile(r'\s+(?:File "[^"]*", line \d+|at \S.*:\d+\)?(?: \{)?$)')
"""Of Python, and of JavaScript and Java; behind `{` stand the fields of a JavaScript error."""

_GO_STACK = re.compile(r"^goroutine \d{1,9} \[", re.MULTILINE)
"""Begins the frames of Go, with which its output ends."""

_HEADING = "Traceback (most recent call last):"
_AROUND = ("During handling of the above exception", "The above exception was the direct cause", "Node.js v")
"""Lines of the interpreter beside the frames, which name no fault."""


def without_frames(text: str) -> str:
    """The lines of a text around its stack frames, as one line; a text without frames as it is."""
    whole = _GO_STACK.split(text, maxsplit=1)[0]
    lines = whole.splitlines()
    if whole == text and not any(_FRAME.match(line) for line in lines):
        return text
    kept, in_frames = list[str](), False
    for line in lines:
        in_frames = bool(_FRAME.match(line)) or (in_frames and line[:1].isspace())  # a frame's source stands indented below it
        words = line.replace(_HEADING, "").strip()
        if re.search(r"\w", words) and not in_frames and not words.startswith(_AROUND):
            kept.append(words)
    told = ""
    for words in kept:
        told += words if not told else f" {words}" if told.endswith(":") else f" / {words}"
    return told


def last_words(output: str, most_chars: int) -> str:
    """The end of what a program printed before it ended, in whole lines; of one with stack frames its last line about what went
    wrong."""
    told = without_frames(output)
    if told != output:
        return told.rpartition(" / ")[2][-most_chars:]
    cut, end = output[:-most_chars], output[-most_chars:]
    return end if not cut or cut.endswith("\n") else end.partition("\n")[2] or end
