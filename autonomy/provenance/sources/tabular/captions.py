"""Reads the text beside structured data: what it adds, and about whom."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from autonomy.provenance.sources.evidence_units import EvidenceUnit
from autonomy.provenance.sources.leaves import leaves, parsed
from autonomy.provenance.sources.unit_index import UnitIndex
from autonomy.provenance.text.normalize import fold
from autonomy.provenance.text.sentences import terms

REPEATED = 0.5
"""Share of a line's terms that an object of the data holds when the line speaks of that object."""
MOST_LINES = 2_000
_DATA = re.compile(r'[{}\[\],]*|"(?:[^"\\]|\\.)*"\s*[:,]?.*|[\w.]+:\s*\S+')
"""A line of JSON or of `key: value`: the data again, in its own notation."""
_FIGURES = re.compile(r"\d+")


def new_lines(text: str, result: Any) -> tuple[str, ...]:
    """The lines of a text that say something which the data does not."""
    if parsed(text) == result:
        return ()
    lines = [line for line in dict.fromkeys(map(str.strip, text.split("\n", MOST_LINES)[:MOST_LINES])) if line]
    lines = [line for line in lines if not _DATA.fullmatch(line)]
    if not lines:
        return ()
    result_text = fold("\n".join(str(leaf.value) for leaf in leaves(result)))
    figures, words = set(_FIGURES.findall(result_text)), terms(result_text)
    return tuple(line for line in lines if _is_new(fold(line), figures, words, result_text))


def _is_new(line: str, figures: set[str], words: frozenset[str], result_text: str) -> bool:
    if line in result_text:
        return False
    own = terms(line)
    return not figures.issuperset(_FIGURES.findall(line)) or len(own - words) > (1 - REPEATED) * len(own)


def caption_units(call_id: str, tool: str, lines: Sequence[str], result_units: Sequence[EvidenceUnit]) -> Iterator[EvidenceUnit]:
    """A line that speaks of an object of the data has that object's author, day and place; another is silent about them."""
    if not lines:
        return
    index = UnitIndex(result_units)
    silent = EvidenceUnit(call_id, tool, "$", "", frozenset(), frozenset(), frozenset())
    for line in lines:
        line_terms = terms(line)
        near = max(index.shortlist(line_terms, 8), key=lambda at: index.containment(line_terms, [at]), default=None)
        whose = result_units[near] if near is not None and index.containment(line_terms, [near]) >= REPEATED else silent
        yield whose._replace(text=line)
