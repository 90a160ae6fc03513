"""Finds quotations; the one place for quotation marks, Japanese and Western."""

import re

PAIRS = {"「": "」", "『": "』", "“": "”", '"': '"', "`": "`"}
"""Opening mark → closing mark."""

_CLOSING = '」』”"'


def paired(opening: str, *, most: int) -> re.Pattern[str]:
    """Quotations with their marks, to be masked: each between a mark and its own closing one, of `most` characters."""
    return re.compile("|".join(f"{mark}[^{_both(mark)}]{{0,{most}}}{PAIRS[mark]}" for mark in opening))


INSIDE = re.compile(rf"[「『“\"]([^「『“{_CLOSING}]{{2,200}})[{_CLOSING}]")
"""What a goal quotes: any mark closes any other, as people type them, and nothing is quoted within."""

SPOKEN = re.compile(rf"[「『“\"]([^{_CLOSING}]+)[{_CLOSING}]|(?<!\w)'([^']+)'(?!\w)")
"""What a question quotes: also between single quotes that are no apostrophes."""

LISTED = re.compile(r"'([^']+)'|\"([^\"]+)\"|「([^」]+)」|『([^』]+)』|`([^`]+)`|\(([^()]+)\)")
"""The choices that an error message lists, also in brackets."""


def _both(mark: str) -> str:
    """The marks that may not stand inside."""
    return mark if PAIRS[mark] == mark else mark + PAIRS[mark]
