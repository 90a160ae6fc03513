"""Finds the evidence units that share the most terms with a sentence."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from heapq import nsmallest
from itertools import chain
from typing import NamedTuple

from autonomy.provenance.sources.evidence_units import EvidenceUnit
from autonomy.provenance.sources.leaf_text import BETWEEN, pieces_of
from autonomy.provenance.text.normalize import fold, normalize_all
from autonomy.provenance.text.sentences import WORD, stem, terms_of_lower

SHORTLIST = 64
"""Units a sentence is compared with by meaning: an encoding takes milliseconds."""
COMMONEST = 2_000
"""A term that stands in more units than this tells none of them from the others."""


class _Block(NamedTuple):
    """What units say that were added together, each text once: the objects of a list repeat the same few."""

    texts: list[str]
    """In lower case."""
    units: list[list[int]]
    """The units of each text."""
    joined: str
    """All texts, with `BETWEEN` before each."""
    words: dict[str, list[int]]
    """The texts of each Latin word, as written."""
    stems: dict[str, list[str]]
    """The words of each stem."""


class UnitIndex:
    """An index from terms to evidence units, made for the terms that are asked for.

    A megabyte of messages holds a hundred thousand terms, and a text asks for a few hundred: Latin words are indexed as units
    come, and pairs of kanji and katakana are searched for once, all that a text asks for in one pass.
    """

    def __init__(self, units: Sequence[EvidenceUnit] = ()) -> None:
        self.units: list[EvidenceUnit] = []
        self._normalized: dict[str, str] = {}
        """The texts of units as `normalize` gives them."""
        self._blocks: list[_Block] = []
        self._places: dict[str, list[int]] = {}
        """The units of each term that was asked for."""
        self._terms: dict[int, frozenset[str]] = {}
        """All terms of units that came near a sentence."""
        self._folded: dict[str, str] = {}
        self._shortlists: dict[frozenset[str], list[int]] = {}
        self.extend(units)

    def extend(self, units: Sequence[EvidenceUnit]) -> None:
        """Take in more units; what is known of those before stays."""
        if not units:
            return
        self._shortlists.clear()
        places: dict[str, list[int]] = defaultdict(list)
        for at, unit in enumerate(units, len(self.units)):
            places[unit.text].append(at)
        normalized = normalize_all(list(places))
        texts = [text.lower() for text in normalized]
        words, stems = pieces_of(texts, WORD), defaultdict(list)
        for word in words:
            stems[stem(word)].append(word)
        block = _Block(texts, list(places.values()), BETWEEN + BETWEEN.join(texts), words, stems)
        self.units += units
        self._normalized.update(zip(places, normalized, strict=True))
        self._blocks.append(block)
        self._search(block, self._places)

    def look_for(self, query_terms: Iterable[str]) -> None:
        """Search for these terms in one pass, ahead of `shortlist` and `containment`, which else do it for each sentence."""
        new: dict[str, list[int]] = {term: [] for term in query_terms if term not in self._places}
        if new:
            for block in self._blocks:
                self._search(block, new)
            self._places |= new

    def _search(self, block: _Block, places: dict[str, list[int]]) -> None:
        found: dict[str, set[int]] = {term: set() for term in places}
        pairs = frozenset(term for term in places if not term.isascii())
        for term in places.keys() - pairs:
            found[term].update(*(block.words[word] for word in block.stems.get(term, ())))
        if pairs:
            runs = re.compile(f"[{re.escape(''.join(sorted(set().union(*pairs))))}]{{2,}}")
            for run, texts in pieces_of(block.texts, runs).items():
                for pair in pairs.intersection(map(str.__add__, run, run[1:])):
                    found[pair].update(texts)
        for term, of_term in found.items():
            places[term] += sorted(chain.from_iterable([block.units[text] for text in of_term]))

    def terms_of(self, at: int) -> frozenset[str]:
        """All terms of a unit."""
        found = self._terms.get(at)
        if found is None:
            found = self._terms[at] = terms_of_lower(self.normalized(at).lower())
        return found

    def normalized(self, at: int) -> str:
        """The text of a unit as `normalize` gives it."""
        return self._normalized[self.units[at].text]

    def folded(self, at: int) -> str:
        """The text of a unit as texts are compared (`fold`); the sentences of an answer come near the same lines."""
        text = self.units[at].text
        found = self._folded.get(text)
        if found is None:
            found = self._folded[text] = fold(text)
        return found

    def with_any(self, forms: Iterable[str]) -> list[EvidenceUnit]:
        """The units in whose lower-case text one of these stands, in the order of arrival."""
        found: list[int] = []
        for block in self._blocks:
            there = [form for form in forms if form in block.joined]
            for text, units in zip(block.texts, block.units, strict=True) if there else ():
                if any(form in text for form in there):
                    found += units
        return [self.units[at] for at in sorted(found)]

    def shares(self, query_terms: frozenset[str], among: Sequence[int]) -> dict[int, float]:
        """The share of these terms that each of these units holds."""
        self.look_for(query_terms)
        common = {term for term in query_terms if len(self._places[term]) > COMMONEST}
        counts, many = Counter(chain.from_iterable([self._places[term] for term in query_terms - common])), len(query_terms) or 1
        for at in among if common else ():
            counts[at] += len(common & self.terms_of(at))
        return {at: counts[at] / many for at in among}

    def shortlist(self, query_terms: Iterable[str], size: int = SHORTLIST) -> list[int]:
        """The units that hold most of these terms, best first; four checks ask for those of one sentence."""
        key = frozenset(query_terms)
        found = self._shortlists.get(key)
        if found is None or size > SHORTLIST:
            self.look_for(key)
            telling = (places for term in key if len(places := self._places[term]) <= COMMONEST)
            counts = Counter(chain.from_iterable(telling))
            found = [at for _, at in nsmallest(max(size, SHORTLIST), [(-count, at) for at, count in counts.items()])]
            self._shortlists[key] = found
        return found[:size]

    def containment(self, query_terms: frozenset[str], places: Iterable[int]) -> float:
        """The share of these terms that the units hold together."""
        common_terms = query_terms.intersection(frozenset().union(*map(self.terms_of, places)))
        return len(common_terms) / len(query_terms) if query_terms else 0.0

    def holding(self, query_terms: frozenset[str], share: float = 1) -> list[EvidenceUnit]:
        """The units that hold any of these terms, and at least this share of them, in the order of arrival."""
        self.look_for(query_terms)
        counts, least = Counter(chain.from_iterable([self._places[term] for term in query_terms])), share * len(query_terms)
        return [self.units[at] for at in sorted([at for at, count in counts.items() if count >= least])]
