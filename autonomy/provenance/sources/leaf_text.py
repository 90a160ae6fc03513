"""Holds leaves of one origin as one folded text, in which words and figures are found at once."""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import islice

from autonomy.provenance.sources.leaves import Scalar
from autonomy.provenance.sources.origins import Origin
from autonomy.provenance.text.facts import Fact
from autonomy.provenance.text.normalize import fold_all


class LeafText:
    """Leaves of one origin that came together, in columns: a result has tens of thousands of them.

    Adding is cheap. What is looked up is made at the first look-up, for all leaves in one pass; nothing is added after it.
    """

    def __init__(self, origin: Origin, call_id: str = "", tool: str = "", label: str = "") -> None:
        self.origin, self.call_id, self.tool, self.label = origin, call_id, tool, label
        self.paths: list[str] = []
        self.keys: list[str] = []
        self.values: list[Scalar] = []
        self.facts: dict[int, tuple[Fact, ...]] = {}
        """What was read out of leaves so far."""

    def add(self, path: str, key: str, value: Scalar) -> None:
        """Take in one leaf."""
        self.paths.append(path)
        self.keys.append(key)
        self.values.append(value)

    @cached_property
    def folded(self) -> list[str]:
        """The leaves as they are compared."""
        return [leaf.strip() for leaf in fold_all([value if isinstance(value, str) else str(value) for value in self.values])]

    @cached_property
    def text(self) -> str:
        """All leaves, each between characters that no folded text holds."""
        return BETWEEN + BETWEEN.join(self.folded) + BETWEEN

    @cached_property
    def _starts(self) -> list[int]:
        starts, at = [], 1
        for leaf in self.folded:
            starts.append(at)
            at += len(leaf) + 1
        return starts

    def leaf_at(self, place: int) -> int:
        """The leaf at a place of the text."""
        return bisect_right(self._starts, place) - 1

    def start_of(self, leaf: int) -> int:
        """Where a leaf begins in the text."""
        return self._starts[leaf]

    @cached_property
    def _figures(self) -> dict[str, list[int]]:
        """The leaves of each run of figures, without the zeros in front."""
        figures: dict[str, list[int]] = defaultdict(list)
        for run, places in pieces_of(self.text, _FIGURES).items():
            figures[run.replace(",", "").lstrip("0") or "0"] += places
        return figures

    @cached_property
    def _wordy(self) -> frozenset[int]:
        return frozenset(self.leaf_at(match.start()) for match in _WORDY_NUMBER.finditer(self.text))

    @cached_property
    def _scalars(self) -> dict[tuple[type, Scalar], list[int]]:
        found: dict[tuple[type, Scalar], list[int]] = defaultdict(list)
        for leaf, value in enumerate(self.values):
            if not isinstance(value, str):
                found[type(value), value].append(leaf)
        return found

    def same(self, value: float | bool) -> list[int]:
        """The leaves that are this very number or truth value."""
        return self._scalars.get((type(value), value), [])

    def stating(self, runs: Iterable[str], *, in_words: bool, most: int) -> list[int]:
        """The first leaves that hold one of these runs of figures, or (`in_words`) a number in words."""
        found = {leaf for run in runs for leaf in self._figures.get(run, ())}
        return sorted(found | self._wordy if in_words else found)[:most]

    def equal(self, key: str, most: int) -> Iterator[int]:
        """The first leaves that are a folded text as a whole."""
        whole = (leaf for leaf in self._holding(f"{BETWEEN}{key}{BETWEEN}", 1) if isinstance(self.values[leaf], str))
        return islice(whole, most)

    def holding(self, key: str, most: int) -> Iterator[int]:
        """The first leaves in which a folded text stands."""
        return islice(self._holding(key, 0), most)

    def _holding(self, key: str, behind: int) -> Iterator[int]:
        at = self.text.find(key)
        while at >= 0:
            leaf = self.leaf_at(at + behind)
            yield leaf
            if leaf + 1 == len(self._starts):
                return
            at = self.text.find(key, self._starts[leaf + 1] - behind)

    def places_of(self, key: str, most: int) -> Iterator[int]:
        """The first places at which a folded text stands."""
        at = self.text.find(key)
        for _ in range(most):
            if at < 0:
                return
            yield at
            at = self.text.find(key, at + len(key))


BETWEEN = "\x00"


def pieces_of(text: str, pattern: re.Pattern[str]) -> dict[str, list[int]]:
    """Each piece that a pattern finds, and the numbers of the members it stands in.

    `text` has `BETWEEN` before each member, and `pattern` finds it too.
    """
    found: dict[str, list[int]] = defaultdict(list)
    member = -1
    for piece in pattern.findall(text):
        if piece == BETWEEN:
            member += 1
        else:
            found[piece].append(member)
    return found


_FIGURES = re.compile(rf"\d+(?:,\d{{3}}(?!\d))*|{BETWEEN}")
"""A run of figures, thousands separators inside."""
_WORDY_NUMBER = re.compile(
    r"[〇一二三四五六七八九十百千万億兆]|\d\s?(?:k|thousand|million|billion)\b|今日|昨日|明日|本日|today|yesterday|tomorrow|week|曜|day\b"
)
