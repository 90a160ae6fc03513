"""Cuts JSON that is nested too deeply to parse, so that one schema does not lose the whole listing."""

import re
from itertools import accumulate

DEEPEST_READ = 150
"""pydantic's parser stops at 200 levels, and a listing's tools are refused far above (`firewall.DEEPEST`)."""
CUT = b'"(nested too deep)"'
_SIGN = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[][{}]', re.DOTALL)
"""A text that never ends goes to the end of the message: to seek its end from each quotation mark would be quadratic."""
_STEP = {b"{": 1, b"[": 1, b"}": -1, b"]": -1}


def cut_where_too_deep(message: bytes) -> bytes:
    """The same JSON with every value below `DEEPEST_READ` levels replaced by a text; one pass, whatever it holds."""
    signs = [found for found in _SIGN.finditer(message) if found[0] in _STEP]
    shallow, end, begun = bytearray(), 0, 0
    for found, depth in zip(signs, accumulate(_STEP[found[0]] for found in signs), strict=True):
        if _STEP[found[0]] > 0 and depth == DEEPEST_READ + 1:
            begun = found.start()
        elif _STEP[found[0]] < 0 and depth == DEEPEST_READ:
            shallow += message[end:begun] + CUT
            end = found.end()
    return bytes(shallow + message[end:])
