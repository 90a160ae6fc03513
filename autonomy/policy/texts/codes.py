"""Finds strings long enough to be a key, a token, or the number of a card or account."""

import re
from base64 import b64decode
from collections.abc import Iterator, Sequence
from urllib.parse import unquote

from autonomy.policy.texts.addresses import readable

_RUN = re.compile(r"(?<![A-Za-z0-9_-])[A-Za-z0-9_-]{20,}")
_LONG_NUMBER = re.compile(r"(?<!\d)\d(?:[ -]?\d){11,400}")
_GROUPS = re.compile(
    r"(?<!\d)\d{4}(?:[^\dA-Za-z]{1,4}\d{4}){3}(?!\d)|(?<!\d)\d{4}[^\dA-Za-z]{1,4}\d{6}[^\dA-Za-z]{1,4}\d{5}(?!\d)"
)
"""Groups of figures as long as those of a card, whatever stands between them."""
_KANJI = re.compile(r"[〇零一二三四五六七八九]{4,400}")
_FIGURES = str.maketrans("〇零一二三四五六七八九", "00123456789")
_KEYCAP = "\u20e3"
"""The frame that an emoji draws around a figure."""
_ESCAPED = re.compile(r"(?:%[0-9A-Fa-f]{2}){6}")
_DAY = re.compile(r"(?<!\d)(?:19|20)\d\d([-/.])(?:0[1-9]|1[0-2])\1(?:0[1-9]|[12]\d|3[01])(?!\d)")
_SPELLED = re.compile(r"(?<![A-Za-z0-9])[A-Za-z0-9](?:[ ._-]{1,3}[A-Za-z0-9]){11,80}(?![A-Za-z0-9])")
"""A code spelled out sign by sign."""
_PIECE = r"(?=[A-Za-z_-]{0,12}\d)[A-Za-z0-9_-]{4,40}"
_PIECES = re.compile(rf"(?<![A-Za-z0-9_-]){_PIECE}(?:[ .]{_PIECE}){{1,9}}(?![A-Za-z0-9_-])")
"""A code in pieces, each with a figure in it."""
_LETTERS = re.compile(r"(?<![A-Za-z0-9+/=])[A-Za-z0-9+/]{16,400}={0,2}(?![A-Za-z0-9+/=])")
LEAST_DIGITS, LEAST_LETTERS = 10, 6
"""Of a code in pieces; names of products and versions have fewer."""


def holds_code(text: str) -> bool:
    """Whether a text holds anything long enough to be a key, a token or an account."""
    return next(codes_in(text), None) is not None


def codes_in(text: str) -> Iterator[str]:
    """Keys and tokens, and numbers as long as those of cards and accounts."""
    text = readable(text)
    yield from _in_plain(text)
    if (plain := _in_figures(text)) != text:
        yield from _in_plain(plain)


def _in_figures(text: str) -> str:
    """The text with figures in place of what stands for them, and without the escapes of an address."""
    unescaped = readable(unquote(text)) if _ESCAPED.search(text) else text
    return _KANJI.sub(lambda found: found[0].translate(_FIGURES), unescaped).replace(_KEYCAP, "")


def _in_plain(text: str) -> Iterator[str]:
    yield from _LONG_NUMBER.findall(_DAY.sub("day", text))
    yield from (card for card in _GROUPS.findall(text) if is_card([int(group) for group in re.findall(r"\d+", card)]))
    yield from (run for run in _RUN.findall(text) if any(map(str.isdigit, run)) and any(map(str.isalpha, run)))
    yield from (run for run in _LETTERS.findall(text) if _says_something(run))
    yield from (spaced for spaced in _SPELLED.findall(text) if sum(map(str.isdigit, spaced)) >= LEAST_DIGITS)
    yield from (
        run
        for run in _PIECES.findall(text)
        if sum(map(str.isdigit, run)) >= LEAST_DIGITS and sum(map(str.isalpha, run)) >= LEAST_LETTERS
    )


def _says_something(run: str) -> bool:
    """Whether base64 is what a run of letters is: it stands for printable text, as no name in capitals and smalls does."""
    if run.islower() or run.isupper() or len(run) % 4:
        return False
    try:
        return b64decode(run).decode("ascii").isprintable()
    except ValueError:
        return False


def is_card(numbers: Sequence[int]) -> bool:
    """Whether numbers one after the other are a card's: 4-4-4-4 or 4-6-5 figures whose check digit is right (ISO/IEC 7812)."""
    return any(_is_card_of(shape, numbers) for shape in _SHAPES)


_SHAPES = ((4, 4, 4, 4), (4, 6, 5))


def _is_card_of(shape: Sequence[int], numbers: Sequence[int]) -> bool:
    groups = [str(number).zfill(width) for number, width in zip(numbers, shape, strict=False)]
    if len(numbers) != len(shape) or tuple(map(len, groups)) != shape or groups[0][0] not in "3456":
        return False
    figures = [int(figure) for figure in reversed("".join(groups))]
    return sum(figure if at % 2 == 0 else sum(divmod(2 * figure, 10)) for at, figure in enumerate(figures)) % 10 == 0
