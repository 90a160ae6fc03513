"""Finds figures stated in another currency or scale than their record's."""

from collections.abc import Iterator

from autonomy.provenance.sources.origins import ValueSource
from autonomy.provenance.sources.run_sources import Sources
from autonomy.provenance.support import SentenceSupport
from autonomy.provenance.text.facts import CURRENCIES, Fact, facts_in
from autonomy.provenance.text.normalize import normalize
from metrics.text.phrases import patterns_of

_PHRASES = patterns_of("autonomy.provenance")


def other_units(sentence: SentenceSupport, sources: Sources) -> Iterator[str]:
    """The stated unit, where a figure that stands bare in one record is told in another currency or degree."""
    told = {found.fact.unit for found in sentence.facts}
    for found in sentence.facts:
        if (
            found.fact.unit not in _COMPARED
            or not found.sources
            or any(_stands_with_unit(found.fact, one) for one in found.sources)
        ):
            continue
        stated = {name for source in found.sources for name in _stated_beside(source, sources)}
        units = {
            unit
            for name in stated
            for mark in ("", "°")
            for fact in facts_in(f"1 {mark}{name}")
            if (unit := fact.unit) in _COMPARED
        }
        if len(stated) == len(units) == 1 and told.isdisjoint(units):
            yield min(stated)
            return


_COMPARED = CURRENCIES | {"度", "°f"}
"""Units that one record has of one kind; a length may stand in cm beside one in m."""


def _stands_with_unit(fact: Fact, source: ValueSource) -> bool:
    return any(other.unit == fact.unit and not set(other.keys).isdisjoint(fact.keys) for other in facts_in(source.text[:400]))


def _stated_beside(source: ValueSource, sources: Sources) -> Iterator[str]:
    """What the object or the text in which a source stands gives as its unit."""
    around = source.path.rpartition(".")[0] or source.path
    for unit in sources.units:
        if unit.call_id == source.call_id and unit.path == around:
            yield from (match["unit"] for match in _PHRASES["states_a_unit"].finditer(normalize(unit.text)))
