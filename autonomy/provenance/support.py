"""The result of an attribution: each sentence and fact of a text with its sources, or without."""

from typing import NamedTuple

from autonomy.provenance.sources.evidence_units import EvidenceUnit
from autonomy.provenance.sources.origins import Origin, ValueSource
from autonomy.provenance.text.facts import Fact


class About(NamedTuple):
    """The person, day and place that a text must be about; empty means anything."""

    persons: tuple[str, ...] = ()
    days: tuple[str, ...] = ()
    """ISO days."""
    places: tuple[str, ...] = ()
    delivered_to: tuple[str, ...] = ()
    """Where the text itself goes: what others wrote there about it is an earlier delivery, and nothing it could rest on."""
    own_posts: frozenset[tuple[str, str]] = frozenset()
    """What the account that writes it wrote before, by call and path: no evidence of what happened."""


class FactSupport(NamedTuple):
    """A fact of the text with its sources."""

    fact: Fact
    sources: tuple[ValueSource, ...]
    derived: str = ""
    """How it follows from sources without standing in one, as `derivation` says; `relative` for days, `quotation` for quotes."""

    @property
    def supported(self) -> bool:
        """Whether it has a source or is derived from some."""
        return bool(self.sources or self.derived)

    def stands_beside(self, table: str) -> bool:
        """Whether it was read in the text of another call than this list as well, which may tell more of a row."""
        return any(source.origin is Origin.TEXT and not table.startswith(source.call_id) for source in self.sources)


class SentenceSupport(NamedTuple):
    """A sentence of the text with the evidence it rests on."""

    text: str
    start: int
    end: int
    units: tuple[EvidenceUnit, ...]
    """Best first; empty when it has no source."""
    score: float
    """0 to 1: containment of its terms in the evidence, or its likeness by meaning."""
    facts: tuple[FactSupport, ...]
    neutral: bool = False
    """A heading, a greeting, an admission, a repetition of the request: it needs no source."""
    elsewhere: bool = False
    """Whether its evidence is only about other persons, days or places than asked for."""

    @property
    def supported(self) -> bool:
        """Whether it needs no source, or has one."""
        return self.neutral or bool(self.units)


class Attribution(NamedTuple):
    """A delivered text, sentence by sentence."""

    sentences: tuple[SentenceSupport, ...]

    @property
    def facts(self) -> tuple[FactSupport, ...]:
        """All facts of the text, in order."""
        return tuple(fact for sentence in self.sentences for fact in sentence.facts)
