"""Limits the size and nesting of a server's messages, and mends what its language cut, for stdio and HTTP."""

import re
from itertools import accumulate

ORDINARY_BYTES = 4 << 20
"""A larger message is only accepted as the answer to a call, and its values are counted before it is parsed."""
READABLE_BYTES = 32 << 20
"""A larger answer makes its call fail."""
MOST_VALUES = 2_000_000
"""Values in a message larger than `ORDINARY_BYTES`: each takes some sixty bytes of our memory, however short it is."""
DEEPEST_READ = 150
"""In levels. pydantic's parser fails at 200; tools are refused at fewer levels (`firewall.DEEPEST`)."""
CUT = b'"(nested too deep)"'
_SIGN = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[][{}]', re.DOTALL)
"""A string without an end matches to the end of the message: looking for its end from each quotation mark would be quadratic."""
_HALF = re.compile(rb"(\\\\|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})|\\u[dD][89a-fA-F][0-9a-fA-F]{2}")
"""An escaped half of a surrogate pair; in the group, what is none: a backslash that stands for itself, and a whole pair."""
_STEP = {b"{": 1, b"[": 1, b"}": -1, b"]": -1}


def values_in(message: bytes | bytearray) -> int:
    """Return an upper bound of the number of values in a JSON message: it counts separators, also those inside strings."""
    return message.count(b",") + message.count(b"[") + message.count(b"{")


def too_large(message: bytes | bytearray) -> str:
    """Return why a message is too large to be parsed; empty if it is not."""
    if len(message) > READABLE_BYTES:
        return f"it sent a message of more than {READABLE_BYTES} bytes; ask for less of it"
    if len(message) > ORDINARY_BYTES and values_in(message) > MOST_VALUES:
        return f"it sent a message of more than {MOST_VALUES} values; ask for less of it"
    return ""


def cut_where_too_deep(message: bytes) -> bytes:
    """Replace every JSON value below `DEEPEST_READ` levels by a string, so that one schema does not spoil the whole listing."""
    signs = [found for found in _SIGN.finditer(message) if found[0] in _STEP]
    shallow, end, begun = bytearray(), 0, 0
    for found, depth in zip(signs, accumulate(_STEP[found[0]] for found in signs), strict=True):
        if _STEP[found[0]] > 0 and depth == DEEPEST_READ + 1:
            begun = found.start()
        elif _STEP[found[0]] < 0 and depth == DEEPEST_READ:
            shallow += message[end:begun] + CUT
            end = found.end()
    return bytes(shallow + message[end:])


def without_halves(message: bytes) -> bytes:
    """Replace escaped halves of surrogate pairs by U+FFFD. JavaScript writes one where it cuts a text within an emoji, and the
    parser would refuse the whole message for it."""
    if b"\\ud" not in message and b"\\uD" not in message:
        return message
    return _HALF.sub(lambda found: found[1] or b"\\ufffd", message)
