"""Finds the evidence units that share the most terms with a sentence."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from autonomy.provenance.sources.evidence_units import EvidenceUnit
from autonomy.provenance.text.sentences import terms

SHORTLIST = 64
"""Units a sentence is compared with by meaning: an encoding takes milliseconds."""
COMMONEST = 2_000
"""A term that stands in more units than this tells none of them from the others."""


class UnitIndex:
    """An inverted index from terms to evidence units."""

    def __init__(self, units: Sequence[EvidenceUnit]) -> None:
        self.units = units
        self.postings: dict[str, list[int]] = defaultdict(list)
        self._terms: list[frozenset[str]] = []
        known: dict[str, frozenset[str]] = {}
        for at, unit in enumerate(units):
            found = known.get(unit.text)
            if found is None:
                found = known[unit.text] = terms(unit.text)
            self._terms.append(found)
            for term in found:
                self.postings[term].append(at)

    def shortlist(self, wanted: Iterable[str], size: int = SHORTLIST) -> list[int]:
        """The units that hold most of these terms, best first."""
        counts: Counter[int] = Counter()
        for term in wanted:
            places = self.postings.get(term, ())
            if len(places) <= COMMONEST:
                counts.update(places)
        return [at for at, _ in counts.most_common(size)]

    def containment(self, wanted: frozenset[str], places: Iterable[int]) -> float:
        """The share of these terms that the units hold together."""
        held = wanted.intersection(*[frozenset().union(*(self._terms[at] for at in places))])
        return len(held) / len(wanted) if wanted else 0.0
