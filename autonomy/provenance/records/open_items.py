"""Finds checklist items that are stated as done but not ticked off."""

import re
from collections.abc import Iterator

from autonomy.provenance.sources.run_sources import Sources
from autonomy.provenance.support import SentenceSupport
from autonomy.provenance.text.normalize import normalize
from autonomy.provenance.text.sentences import terms
from metrics.text.phrases import patterns_of

_PHRASES = patterns_of("autonomy.provenance")
_ITEM = re.compile(r"\s{0,40}(?:[-*+•・]\s{1,4})?(?:\[(?P<tick>[ xX])\]|(?P<box>[☐☑✅✓]))\s?(?P<text>.{1,200})")
_TICKS = frozenset("xX☑✅✓")


def open_items(sentence: SentenceSupport, sources: Sources) -> Iterator[str]:
    """The open item that a clause names by all the words of its own, and tells as done."""
    said = normalize(sentence.text)
    if not _PHRASES["tells_of_done"].search(said):
        return
    items = [
        (match["text"], (match["tick"] or match["box"]) in _TICKS)
        for unit in sources.units
        if (match := _ITEM.fullmatch(unit.text))
    ]
    ticked_off = frozenset[str]().union(*(terms(text) for text, ticked in items if ticked))
    for clause in _PHRASES["parts_clauses"].split(said) if items else ():
        if not _PHRASES["tells_of_done"].search(clause) or _PHRASES["keeps_a_denial"].search(
            _PHRASES["tells_of_done"].sub(" ", clause)
        ):
            continue
        told = terms(clause)
        for text, ticked in items:
            own = terms(text) - ticked_off
            if not ticked and own and own <= told:
                yield f"[ ] {text}"
                return
