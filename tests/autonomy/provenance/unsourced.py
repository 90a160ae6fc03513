"""Attributes a text to one read, as most tests of this room need it."""

from datetime import date
from zoneinfo import ZoneInfo

from autonomy.provenance.attribution import attribute
from autonomy.provenance.sources.run_sources import Sources
from autonomy.provenance.support import Attribution
from autonomy.provenance.text.facts import Fact


def unsupported_facts(found: Attribution) -> tuple[Fact, ...]:
    """The facts of a text that have no source, in order."""
    return tuple(support.fact for support in found.facts if not support.supported)


def without_source(text: str, result: object, goal: str = "", **arguments: object) -> list[str]:
    """The facts of a text that neither the result of one read, by its arguments, nor the goal is a source of."""
    sources = Sources(date(2027, 3, 5), ZoneInfo("Asia/Tokyo"))
    sources.add_words(goal)
    sources.add_result("c1", "any_read", result, arguments=arguments)
    return [fact.text.rstrip(".") for fact in unsupported_facts(attribute(text, sources))]
