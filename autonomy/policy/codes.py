"""Finds what is long enough to be a key, a token, or the number of a card or account."""

import re
from collections.abc import Iterator

from autonomy.policy.addresses import readable

_RUN = re.compile(r"(?<![A-Za-z0-9_-])[A-Za-z0-9_-]{20,}")
_LONG_NUMBER = re.compile(r"(?<!\d)\d(?:[ -]?\d){11,18}(?!\d)")
_DAY = re.compile(r"(?<!\d)(?:19|20)\d\d([-/.])(?:0[1-9]|1[0-2])\1(?:0[1-9]|[12]\d|3[01])(?!\d)")
_SPELLED = re.compile(r"(?<![A-Za-z0-9])[A-Za-z0-9](?:[ ._-]{1,3}[A-Za-z0-9]){11,80}(?![A-Za-z0-9])")
"""A code spelled out sign by sign."""
_PIECE = r"(?=[A-Za-z_-]{0,12}\d)[A-Za-z0-9_-]{4,40}"
_PIECES = re.compile(rf"(?<![A-Za-z0-9_-]){_PIECE}(?:[ .]{_PIECE}){{1,9}}(?![A-Za-z0-9_-])")
"""A code in pieces, each with a figure in it."""
LEAST_DIGITS, LEAST_LETTERS = 10, 6
"""Of a code in pieces; names of products and versions have fewer."""


def holds_code(text: str) -> bool:
    """Whether a text holds anything long enough to be a key, a token or an account."""
    return next(codes_in(text), None) is not None


def codes_in(text: str) -> Iterator[str]:
    """Keys and tokens, and numbers as long as those of cards and accounts."""
    text = readable(text)
    yield from _LONG_NUMBER.findall(_DAY.sub("day", text))
    yield from (run for run in _RUN.findall(text) if any(map(str.isdigit, run)) and any(map(str.isalpha, run)))
    yield from (spaced for spaced in _SPELLED.findall(text) if sum(map(str.isdigit, spaced)) >= LEAST_DIGITS)
    yield from (
        run
        for run in _PIECES.findall(text)
        if sum(map(str.isdigit, run)) >= LEAST_DIGITS and sum(map(str.isalpha, run)) >= LEAST_LETTERS
    )
