"""Finds lines of an answer that repeat a line that was read unchanged."""

import re
from collections.abc import Collection, Iterator

from autonomy.provenance.sources.evidence_units import EvidenceUnit
from autonomy.provenance.sources.run_sources import Sources
from autonomy.provenance.text.normalize import fold, normalize
from autonomy.provenance.text.sentences import terms

SHORTEST_QUOTED = 8
"""Characters; a shorter piece stands in many lines by chance."""
_MARK = re.compile(r"\s*(?:[-*•・]\s+)?")
_TIME = re.compile(r"\d{1,2}:\d{2}(?::\d{2})?")
_NEAR = 16


def lines_of(text: str) -> Iterator[str]:
    """The lines of a text, in the form in which `quoted_from` compares them."""
    return (normalize(line).strip() for line in text.splitlines())


def quoted_from(text: str, sources: Sources, read_lines: Collection[str] = ()) -> int | None:
    """From which character on a line repeats one line that was read; in front of it stands nothing but when, where and by whom
    that was. None for words of one's own. `read_lines`: lines of texts that came beside structured data."""
    start = _MARK.match(text).end()  # type: ignore[union-attr]  # it matches the empty string, too
    line = normalize(text[start:]).strip()
    if len(line) >= SHORTEST_QUOTED and line in read_lines:
        return start
    label, colon, _ = text[start:].partition(": ")
    body = normalize(text[start + len(label) + len(colon) :]).strip() if colon else ""
    index = sources.index
    for at in index.shortlist(terms(text), _NEAR):
        read, unit = index.normalized(at), index.units[at]
        if len(line) >= SHORTEST_QUOTED and line in read:
            return start
        if body and (body == read.strip() or (len(body) >= SHORTEST_QUOTED and body in read)) and _is_label(label, unit, sources):
            return start + len(label) + len(colon)
    return None


def _is_label(label: str, unit: EvidenceUnit, sources: Sources) -> bool:
    """Whether a label says the day, the time, the channel and the author of a line, and nothing else."""
    words = label.split()
    days = [word for word in words if re.fullmatch(r"\d{4}-\d\d-\d\d", word)]
    rooms = [word for word in words if word.startswith("#")]
    name = " ".join(word for word in words if word not in days and word not in rooms and not _TIME.fullmatch(word))
    return (
        set(days) <= unit.days
        and all(sources.identities.names_of(fold(room.removeprefix("#"))) & unit.places for room in rooms)
        and (not name or bool(sources.identities.names_of(fold(name)) & unit.persons))
    )
