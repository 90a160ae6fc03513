"""Normalises text so that one value, however it is written, compares equal.

`normalize` is Unicode NFKC without invisible characters and keeps the way back to the original by offsets; `fold` is the key that
comparisons use: normalised, in lower case, katakana as hiragana. Both are idempotent and linear in the length of the text.
"""

import re
import unicodedata
from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import islice
from typing import NamedTuple

from discovery.text.characters import is_plain_ascii

MOST_MARKS = 30
"""Combining marks that one character may carry (UAX #15, Stream-Safe Text Format): NFKC sorts them in quadratic time."""

_HIRAGANA = {at: at - 0x60 for at in (*range(0x30A1, 0x30F7), 0x30FD, 0x30FE)}
_ALIKE = str.maketrans(
    {"‐": "-", "‑": "-", "‒": "-", "–": "-", "—": "-", "−": "-", "〜": "~", "“": '"', "”": '"', "‘": "'", "’": "'"}
)
"""Dashes and quotation marks that keyboards and word processors exchange for one another; each stays one character long."""

_ASCII_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_KATAKANA = re.compile("([ァ-ヶヽヾ]+)")


class Normalized(NamedTuple):
    """A normalised text and the way back: `span` turns positions in `text` into positions in the original."""

    text: str
    starts: "array[int]"
    """Where a changed piece begins in `text`; empty when all positions are the original's own."""
    origins: "array[int]"
    """The original's position of the same places."""

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The original's half-open range that a half-open range of `text` stands for."""
        first = self._back(start)
        return first, max(self._back(end), first + 1 if end > start else first)

    def _back(self, at: int) -> int:
        piece = bisect_right(self.starts, at) - 1
        return at if piece < 0 else self.origins[piece] + at - self.starts[piece]


def normalize(text: str) -> str:
    """NFKC (UAX #15) without control, format and private-use characters, dashes and quotation marks made one kind."""
    return text if _is_plain(text) else normalize_with_offsets(text).text


def normalize_with_offsets(text: str) -> Normalized:
    """`normalize`, with the positions of the original. A piece that changed its length maps to its own beginning and end."""
    return _rewritten(text, _cluster)


def fold(text: str) -> str:
    """The key under which texts compare equal: `normalize`, lower case, katakana as hiragana."""
    return _fold_short(text) if len(text) <= SHORT else _folded(text)


def fold_all(texts: Sequence[str]) -> list[str]:
    """`fold` of each text, in one pass over all: a result has tens of thousands of short ones."""
    return _in_one_pass(texts, _folded)


def normalize_all(texts: Sequence[str]) -> list[str]:
    """`normalize` of each text, in one pass over all."""
    return _in_one_pass(texts, normalize)


def _in_one_pass(texts: Sequence[str], rewrite: Callable[[str], str]) -> list[str]:
    found = rewrite("\n".join(texts)).split("\n")  # line feeds are what no rewriting adds, drops or joins to anything
    if len(found) == len(texts):
        return found
    lines = iter(found)
    return ["\n".join(islice(lines, text.count("\n") + 1)) if "\n" in text else next(lines) for text in texts]


SHORT = 40
"""Characters; names and ids come again and again."""


@lru_cache(maxsize=20_000)
def _fold_short(text: str) -> str:
    return _folded(text)


def _is_plain(text: str) -> bool:
    """Whether nothing in a text is to be rewritten."""
    return is_plain_ascii(text) or (text.isascii() and not _ASCII_CONTROL.search(text))


def _folded(text: str) -> str:
    if _is_plain(text):
        return text.lower()
    lowered = text.replace("İ", "i").lower()
    pieces = _KATAKANA.split(_rewritten(lowered, _lower_cluster).text)
    pieces[1::2] = map(_hiragana, pieces[1::2])
    return "".join(pieces)


def _rewritten(text: str, rewrite: Callable[[str], str]) -> Normalized:
    starts, origins = array("q"), array("q")
    if _is_plain(text):
        return Normalized(text, starts, origins)
    pieces: list[str] = []
    length = at = 0
    for match in _unstable_in(text):
        begin = match.start()
        if match["mark"] and begin > at:
            begin -= 1  # a mark belongs to the character before it
        piece = rewrite(text[begin : match.end()])
        pieces += (text[at:begin], piece)
        length += begin - at
        at = match.end()
        if len(piece) != at - begin:
            _note_offsets(starts, origins, length, piece, begin, at)
        length += len(piece)
    return Normalized("".join(pieces) + text[at:], starts, origins)


def _unstable_in(text: str) -> Iterator[re.Match[str]]:
    unstable = _unstable()
    for run in _UNCOMMON.finditer(text):
        yield from unstable.finditer(text, run.start(), run.end())


_UNCOMMON = re.compile(r"[^\t\n -~、。々「」ぁ-ゖァ-ヺ・ー一-鿿]+")
"""Where something may be to normalise: none of these does, and few ranges are gone through eight times as fast as many."""


def _note_offsets(starts: "array[int]", origins: "array[int]", length: int, piece: str, begin: int, end: int) -> None:
    for offset in range(1, len(piece)):
        starts.append(length + offset)
        origins.append(min(begin + offset, end - 1))
    starts.append(length + len(piece))
    origins.append(end)


@lru_cache(maxsize=20_000)
def _cluster(piece: str) -> str:
    """One character with its marks, normalised; what exceeds the bound is dropped before anything sorts it."""
    visible = "".join(character for character in piece[: 4 * MOST_MARKS] if not _is_invisible(character))
    return unicodedata.normalize("NFKC", visible[: MOST_MARKS + 1]).translate(_ALIKE)


@lru_cache(maxsize=20_000)
def _lower_cluster(piece: str) -> str:
    # Lower case can bring a letter and its mark together (T̈ → ẗ): hence the second pass.
    return _cluster(_cluster(piece).replace("İ", "i").lower())


@lru_cache(maxsize=20_000)
def _hiragana(run: str) -> str:
    return run.translate(_HIRAGANA)


def _is_invisible(character: str) -> bool:
    return unicodedata.category(character) in _INVISIBLE and character not in "\n\t"


_INVISIBLE = frozenset(("Cc", "Cf", "Co", "Cs"))


@cache
def _unstable() -> re.Pattern[str]:
    """What normalisation may touch: a character that changes by itself, and combining marks, which change the one before them."""
    # Nothing in the CJK and Hangul syllable blocks changes by itself; leaving them out makes the first use quick.
    marks, changed = list[int](), list[int]()
    for at in (*range(0x3400), *range(0xA000, 0xAC00), *range(0xD7A4, 0x10000)):
        character = chr(at)
        normal = unicodedata.normalize("NFKC", character)
        if _is_mark(character, normal):
            marks.append(at)
        elif normal != character or at in _ALIKE:
            changed.append(at)
    beyond = "\U0001d400-\U0001d7ff\U0001ee00-\U0001eeff\U0001f100-\U0001f2ff\U0002f800-\U0002fa1f\U000e0000-\U0010ffff"
    joining = _ranges(marks)
    return re.compile(f"[{_ranges(changed)}{beyond}][{joining}]*|(?P<mark>[{joining}]+)")


def _is_mark(character: str, normal: str) -> bool:
    """Whether it may join the character before it: a combining mark, a conjoining jamo, or something invisible between the
    two. `normal`: its NFKC."""
    joins = unicodedata.combining(normal[:1] or "a") != 0 or "\u1161" <= character <= "\u11ff"
    return joins or _is_invisible(character)


def _ranges(points: list[int]) -> str:
    """The body of a character class that holds exactly these code points."""
    spans: list[list[int]] = []
    for at in points:
        if spans and at == spans[-1][1] + 1:
            spans[-1][1] = at
        else:
            spans.append([at, at])
    return "".join(f"\\U{first:08x}-\\U{last:08x}" for first, last in spans)
