"""Limits how large a server's message may be, and how deeply nested, on either transport."""

import re
from itertools import accumulate

ORDINARY_BYTES = 4 << 20
"""A larger message is only read when it answers a call, and looked at before it is parsed."""
READABLE_BYTES = 32 << 20
"""A larger answer fails its own call: half of what is read past, so that a server that never ends costs no more memory."""
MOST_VALUES = 2_000_000
"""Values of a message that is larger than ordinary: each costs some sixty bytes of ours, however few of the server's."""
DEEPEST_READ = 150
"""pydantic's parser stops at 200 levels, and a listing's tools are refused far above (`firewall.DEEPEST`)."""
CUT = b'"(nested too deep)"'
_SIGN = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[][{}]', re.DOTALL)
"""A text that never ends goes to the end of the message: to seek its end from each quotation mark would be quadratic."""
_STEP = {b"{": 1, b"[": 1, b"}": -1, b"]": -1}


def values_in(message: bytes | bytearray) -> int:
    """How many values it may hold, told from its separators; text with commas counts too much, never too little."""
    return message.count(b",") + message.count(b"[") + message.count(b"{")


def too_large(message: bytes | bytearray) -> str:
    """Why a message is not worth parsing; empty when it is."""
    if len(message) > READABLE_BYTES:
        return f"it sent a message of more than {READABLE_BYTES} bytes; ask for less of it"
    if len(message) > ORDINARY_BYTES and values_in(message) > MOST_VALUES:
        return f"it sent a message of more than {MOST_VALUES} values; ask for less of it"
    return ""


def cut_where_too_deep(message: bytes) -> bytes:
    """The same JSON with every value below `DEEPEST_READ` levels replaced by a text; one pass, whatever it holds.

    One schema does not lose the whole listing then.
    """
    signs = [found for found in _SIGN.finditer(message) if found[0] in _STEP]
    shallow, end, begun = bytearray(), 0, 0
    for found, depth in zip(signs, accumulate(_STEP[found[0]] for found in signs), strict=True):
        if _STEP[found[0]] > 0 and depth == DEEPEST_READ + 1:
            begun = found.start()
        elif _STEP[found[0]] < 0 and depth == DEEPEST_READ:
            shallow += message[end:begun] + CUT
            end = found.end()
    return bytes(shallow + message[end:])
