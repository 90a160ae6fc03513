"""Holds leaves of one origin as one folded text for fast search of words and figures."""

import re
from bisect import bisect_right
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import accumulate, chain, count, islice, repeat

from autonomy.provenance.sources.leaves import Scalar
from autonomy.provenance.sources.origins import Origin
from autonomy.provenance.text.facts import Fact
from autonomy.provenance.text.normalize import fold_all


class LeafText:
    """Leaves of one origin that came together, in columns: a result has tens of thousands of them.

    Adding is cheap. What is looked up is made at the first look-up, for all leaves in one pass; nothing is added after it.
    """

    def __init__(self, origin: Origin, call_id: str = "", tool: str = "", label: str = "", *, moments: bool = False) -> None:
        """`moments`: whether every leaf is a timestamp."""
        self.origin, self.call_id, self.tool, self.label = origin, call_id, tool, label
        self.strength, self.moments = origin.strength, moments
        self.paths: list[str] = []
        self.keys: list[str] = []
        self.values: list[Scalar] = []
        self.facts: dict[int, tuple[Fact, ...]] = {}
        """What was read out of leaves so far."""
        self._sought: dict[tuple[str, int], list[int]] = {}
        """The first leaves of each run of figures that was looked for."""

    def add(self, path: str, key: str, value: Scalar) -> None:
        """Take in one leaf."""
        self.paths.append(path)
        self.keys.append(key)
        self.values.append(value)

    def extend(self, paths: Iterable[str], keys: Iterable[str], values: Iterable[Scalar]) -> None:
        """Take in many leaves, in columns."""
        self.paths += paths
        self.keys += keys
        self.values += values

    @cached_property
    def folded(self) -> list[str]:
        """The leaves as they are compared; the objects of a list repeat the same few."""
        written = list(map(str, self.values))
        distinct = list(dict.fromkeys(written))
        return list(map(dict(zip(distinct, map(str.strip, fold_all(distinct)), strict=True)).__getitem__, written))

    @cached_property
    def text(self) -> str:
        """All leaves, each between characters that no folded text holds."""
        return BETWEEN + BETWEEN.join(self.folded) + BETWEEN

    @cached_property
    def _starts(self) -> list[int]:
        return list(accumulate(map((1).__add__, map(len, self.folded)), initial=1))

    def leaf_at(self, place: int) -> int:
        """The leaf at a place of the text."""
        return bisect_right(self._starts, place) - 1

    def start_of(self, leaf: int) -> int:
        """Where a leaf begins in the text."""
        return self._starts[leaf]

    @cached_property
    def _figures(self) -> dict[str, list[int]]:
        """The leaves of each run of figures; made once so many were looked for that one pass for all is quicker."""
        figures: dict[str, list[int]] = defaultdict(list)
        for run, places in pieces_of(self.folded, _FIGURES).items():
            figures[_plain(run)] += places
        return figures

    def _holding_run(self, run: str, most: int) -> Sequence[int]:
        """The first leaves that hold a run of figures, without the zeros in front."""
        if "_figures" in self.__dict__ or len(self._sought) >= MOST_SOUGHT:
            return self._figures.get(run, ())[:most]
        if (run, most) not in self._sought:
            self._sought[run, most] = list(islice(self._seek(run), most)) if run else []
        return self._sought[run, most]

    def _seek(self, run: str) -> Iterator[int]:
        last = -1
        for match in _notations(run).finditer(self.text):
            if (match.lastgroup is None or self._is_run(match, run)) and (leaf := self.leaf_at(match.start())) != last:
                yield (last := leaf)

    def _is_run(self, match: re.Match[str], run: str) -> bool:
        """Whether it is a whole run, where zeros or a thousands separator stand in front of it."""
        begin = match.start()
        ahead = self.text[max(0, begin - LONGEST_RUN) : begin].rstrip("0")[-1:]
        if ahead != ",":
            return not ahead.isdecimal()
        before = _BEFORE.search(self.text, max(0, begin - LONGEST_RUN), begin)
        written = self.text[before.start() if before else begin : match.end()]
        return _plain(_FIGURES.findall(written)[-1]) == run

    @cached_property
    def _wordy(self) -> Sequence[int]:
        """The leaves that hold a number or a day in words, in order."""
        text, foreign = self.text, not self.text.isascii()
        patterns = [pattern for part, pattern in _WORDY_NUMBERS if (part in text if part else foreign)]
        return sorted({self.leaf_at(match.start()) for pattern in patterns for match in pattern.finditer(text)})

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
        found: set[int] = set()
        for run in runs:
            if run[-GROUP:] in self.text:  # as in few texts; however it is written, it ends so
                found.update(self._holding_run(run, most))
        if in_words and self._wordy:
            found.update(self._wordy[:most])
        return sorted(found)[:most] if found else []

    def equal(self, key: str, most: int) -> Iterator[int]:
        """The first leaves that are a folded text as a whole."""
        between = f"{BETWEEN}{key}{BETWEEN}"
        if between not in self.text:
            return iter(())
        whole = (leaf for leaf in self._holding(between, 1) if isinstance(self.values[leaf], str))
        return islice(whole, most)

    def holding(self, key: str, most: int) -> Iterator[int]:
        """The first leaves in which a folded text stands."""
        return islice(self._holding(key, 0), most) if key in self.text else iter(())

    def _holding(self, key: str, behind: int) -> Iterator[int]:
        at = self.text.find(key)
        while at >= 0:
            leaf = self.leaf_at(at + behind)
            yield leaf
            if leaf + 1 == len(self.values):
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


def pieces_of(members: Iterable[str], pattern: re.Pattern[str]) -> dict[str, list[int]]:
    """Each piece that a pattern finds, and the numbers of the members it stands in, in order."""
    found: dict[str, list[int]] = defaultdict(list)
    pieces = list(map(pattern.findall, members))
    places = chain.from_iterable(map(repeat, count(), map(len, pieces)))
    # a megabyte has a hundred thousand words: each is put in its place without a line of Python
    deque(map(list.append, map(found.__getitem__, chain.from_iterable(pieces)), places), maxlen=0)
    return found


_FIGURES = re.compile(r"\d+(?:,\d{3}(?!\d))*")
"""A run of figures, thousands separators inside."""
_BEFORE = re.compile(r"[\d,]+\Z")
GROUP = 3
"""Figures between two separators."""
LONGEST_RUN = 60
"""Characters in front of a figure that are looked at for the rest of its number."""
MOST_SOUGHT = 60
"""Runs of figures that are looked for one by one: a short text has a dozen, and a megabyte tens of thousands."""


def _plain(run: str) -> str:
    return run.replace(",", "").lstrip("0") or "0"


@lru_cache(maxsize=2_000)
def _notations(run: str) -> re.Pattern[str]:
    """Where a number may stand that has these figures, with or without thousands separators, and zeros in front of it.

    Its group matches where a zero or a separator does stand there, as at few places.
    """
    forms, rest = [run[1:]], run
    groups = ""
    while len(rest) > 3:
        rest, groups = rest[:-3], f",{rest[-3:]}{groups}"
        forms.append(rest[1:] + groups)
    # it begins with the one character that a text is gone through fastest by
    return re.compile(rf"{run[:1]}(?<![^\D0]{run[:1]})(?P<behind>(?<=[0,]{run[:1]}))?(?:{'|'.join(forms)})(?!\d|,\d{{3}}(?!\d))")


_LARGE_WORDS = ("k", "thousand", "million", "billion")
_WORDY_NUMBERS = (
    ("", re.compile("[〇一二三四五六七八九十百千万億兆曜]")),
    ("日", re.compile("[今昨明本]日")),
    *((word, re.compile(word)) for word in ("week", "today", "yesterday", "tomorrow")),
    ("day", re.compile(r"day\b")),
    *((word, re.compile(rf"{word}\b(?:(?<=\d{word})|(?<=\d\s{word}))")) for word in _LARGE_WORDS),
)
"""Numbers and days in words, each with what stands in it (empty: a sign outside of ASCII): most texts hold none, which is seen
fastest so. Each begins with few characters: a text is gone through fastest by them."""
