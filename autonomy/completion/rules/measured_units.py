"""Checks that a figure is told in the unit in which its field was read."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from autonomy.completion.rules.case import Case
from autonomy.provenance.sources.leaves import ResultContent
from autonomy.provenance.sources.origins import ValueSource
from autonomy.provenance.sources.read_evidence import units_in_words
from autonomy.provenance.support import FactSupport
from autonomy.provenance.text.facts import FactKind, unit_key
from autonomy.provenance.text.units import measure_alike

UNIT_KEYS = frozenset({"unit", "units", "uom"})
"""Fields that say in what the figures beside and below them are."""


def in_the_unit_read(case: Case) -> Iterator[tuple[str, str]]:
    """A figure is not told in another unit of the same measure than the field says that has it: 3,900 seconds of `3900` beside
    `unit: ms`."""
    content = {record.call_id: case.evidence.content(record) for record in case.evidence.reads}
    found = [case.attribution(case.text)] if case.declares_needs else [text.unrepeated for text in case.free_texts]
    for support in (one for attribution in found for sentence in attribution.sentences for one in sentence.facts):
        units = _units_read(support, content)
        if (
            units
            and not _BARE_DEGREES.search(support.fact.text)
            and all(unit.key != support.fact.unit and measure_alike(unit.key, support.fact.unit) for unit in units)
        ):
            shown = f"{support.sources[0].text} ({units[0].text})"
            yield support.fact.text, f"『{support.fact.text}』 is told in another unit than it was read in: {shown}"


_BARE_DEGREES = re.compile(r"(?:degrees?|°)$", re.IGNORECASE)
"""Of either scale."""


class _Unit(NamedTuple):
    text: str
    key: str
    """As `Fact.unit`."""


def _units_read(support: FactSupport, content: dict[str, ResultContent]) -> list[_Unit]:
    """The unit of each place where a measure stands; none where one of them tells none."""
    fact = support.fact
    if fact.kind is not FactKind.NUMBER or not fact.unit or support.derived or len(fact.keys[0].lstrip("-")) < 2:
        return []
    read = [source for source in support.sources if source.call_id in content]
    units = [unit for source in read if (unit := _unit_of(source, content[source.call_id]))]
    return units if len(units) == len(support.sources) else []


def _unit_of(source: ValueSource, content: ResultContent) -> _Unit | None:
    """The unit that the field of a bare figure tells by its name, or the nearest object around it by a field of its own."""
    if not _BARE_FIGURE.fullmatch(source.text.strip()):
        return None
    words = units_in_words(source.path.rpartition(".")[2])
    if own := [_Unit(word, unit) for word, unit in words.items() if measure_alike(unit, unit)]:
        return own[0] if len(own) == 1 else None
    beside = {leaf.path.rpartition(".")[0]: str(leaf.value).strip() for leaf in content.leaves if leaf.key.lower() in UNIT_KEYS}
    around = next((path for path in _paths_around(source.path) if path in beside), None)
    return _Unit(beside[around], unit_key(beside[around].lower())) if around is not None else None


def _paths_around(path: str) -> Iterator[str]:
    """The paths of the objects and lists that a leaf stands in, the nearest first."""
    while (end := max(path.rfind("."), path.rfind("["))) > 0:
        path = path[:end]
        yield path


_BARE_FIGURE = re.compile(r"-?\d[\d,]*(?:\.\d+)?")
