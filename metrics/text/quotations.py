"""Defines quotation marks, Japanese and Western, and the patterns that find quotations."""

import re

PAIRS = {"「": "」", "『": "』", "“": "”", '"': '"', "`": "`"}
"""Opening mark → closing mark."""

_CLOSING = '」』”"'


def paired(opening: str, *, most: int) -> re.Pattern[str]:
    """Return a pattern for quotations of at most `most` characters, including their marks, which must be a pair."""
    return re.compile("|".join(f"{mark}[^{_both(mark)}]{{0,{most}}}{PAIRS[mark]}" for mark in opening))


INSIDE = re.compile(rf"[「『“\"]([^「『“{_CLOSING}]{{2,200}})[{_CLOSING}]")
"""A quotation in a goal: any closing mark ends it, because people mix them, and there are no quotations inside."""


EMPTIED = "「」"
"""Stands for a quotation that was emptied."""


def unquoted(text: str) -> str:
    """Return a text with its quotations emptied: what they say is somebody else's, or not asked."""
    return INSIDE.sub(EMPTIED, text)


SPOKEN = re.compile(rf"[「『“\"]([^{_CLOSING}]+)[{_CLOSING}]|(?<!\w)'([^']+)'(?!\w)")
"""A quotation in a question: also between single quotes that are no apostrophes."""

LISTED = re.compile(r"'([^']+)'|\"([^\"]+)\"|「([^」]+)」|『([^』]+)』|`([^`]+)`|\(([^()]+)\)")
"""A choice that an error message lists, also in brackets."""


def _both(mark: str) -> str:
    """Return the marks that may not occur inside the quotation."""
    return mark if PAIRS[mark] == mark else mark + PAIRS[mark]
