"""Detects padding: repetition, compressibility, emptiness, and length beyond its evidence."""

import re
import zlib
from itertools import pairwise
from typing import NamedTuple

from autonomy.provenance.text.normalize import fold
from autonomy.provenance.text.sentences import sentences_in

FEWEST_DISTINCT = 0.35
"""Share of distinct pairs of characters in a line; ordinary prose of this length has 0.7 and more."""
SHORTEST_LINE = 20
MOST_CHARS = 200_000
SHORTEST_COMPRESSED = 200
COMPRESSIBLE = 0.22
"""Compressed size through size. Ordinary notes of a few hundred characters stay above 0.35, tables of a few rows above 0.25."""
OVERSIZED = 3.0
"""Times the evidence: a summary is shorter, and even a translation into English stays below."""
SMALL_TEXT = 400
"""Characters a text may have whatever its evidence: headings, a greeting, a date."""
MOST_REPEATED = 0.3
"""Share of its sentences that a text may have said before."""


class Padding(NamedTuple):
    """The padding of a text."""

    repeated_lines: tuple[tuple[int, int], ...]
    """Spans of lines that repeat themselves: under 0.35 distinct pairs of characters."""
    repeated_sentences: tuple[tuple[int, int], ...]
    """Spans of sentences that stood there before."""
    sentences: int
    """Sentences in all, headings left out."""
    compression: float
    """Compressed size through size, 0 to 1; 1 for texts under 200 characters."""
    empty: bool
    """Whether nothing but headings, bullets and punctuation is left."""
    oversized: float
    """Length of the text through the length of its evidence; 0 without evidence to compare with."""

    @property
    def reasons(self) -> tuple[str, ...]:
        """The measures that are beyond their thresholds: `empty`, `repetition`, `compressible`, `oversized`."""
        repeated = len(self.repeated_sentences) > MOST_REPEATED * self.sentences and len(self.repeated_sentences) > 1
        found = {
            "empty": self.empty,
            "repetition": bool(self.repeated_lines) or repeated,
            "compressible": self.compression < COMPRESSIBLE,
            "oversized": self.oversized > OVERSIZED,
        }
        return tuple(name for name, holds in found.items() if holds)


def padding_of(text: str, evidence_chars: int | None = None) -> Padding:
    """Measure the padding of `text`. `evidence_chars`: the characters of the evidence it rests on, None when unknown."""
    text = text[:MOST_CHARS]
    seen_keys: set[str] = set()
    repeated: list[tuple[int, int]] = []
    layout = layout_lines(text)
    sentences = [one for one in sentences_in(text) if not one.heading and line_at(text, one.start) not in layout]
    for sentence in sentences:
        key = _CONTENT.sub("", fold(sentence.text))
        if len(key) >= 8 and key in seen_keys:  # a short word may well stand in two lists
            repeated.append((sentence.start, sentence.end))
        seen_keys.add(key)
    lines = tuple(match.span() for match in re.finditer(r"[^\n]+", text) if _repeats_itself(match.group()))
    oversized = len(text) / max(evidence_chars, 1) if evidence_chars is not None and len(text) > SMALL_TEXT else 0.0
    empty = not any(seen_keys)
    return Padding(lines, tuple(repeated), len(sentences), _compression(text), empty, oversized)


def layout_lines(text: str) -> frozenset[str]:
    """The lines of a text that only lay it out, and may stand there again: rulings, fences, headings, and heads of tables."""
    lines = [line.strip() for line in text.splitlines()]
    heads = (line for line, below in pairwise(lines) if "|" in line and _TABLE_RULING.fullmatch(below))
    return frozenset((*heads, *(line for line in lines if _LAYOUT.fullmatch(line))))


def line_at(text: str, at: int) -> str:
    """The line in which a place of a text lies, stripped."""
    end = text.find("\n", at)
    return text[text.rfind("\n", 0, at) + 1 : end if end >= 0 else None].strip()


_TABLE_RULING = re.compile(r"(?=.*\|)[\s|:-]*-[\s|:-]*")
_LAYOUT = re.compile(r"[\W_]*|#{1,6}\s.*|(?:```|~~~).*|(?:\*\*|__)[^*_\n]{1,40}(?:\*\*|__)[:：]?")
_CONTENT = re.compile(r"[\W_]+")
_RULE = re.compile(r"[\s|:=*_.-]*")


def _repeats_itself(line: str) -> bool:
    key = fold(line).strip()
    if len(key) < SHORTEST_LINE or _RULE.fullmatch(key):
        return False
    pairs = len(key) - 1
    # a long line of prose uses its pairs again: an alphabet has only so many
    return len(set(pairwise(key))) < FEWEST_DISTINCT * min(pairs, 400)


def _compression(text: str) -> float:
    data = fold(text).encode()
    return min(1.0, len(zlib.compress(data, 6)) / len(data)) if len(text) >= SHORTEST_COMPRESSED and data else 1.0
