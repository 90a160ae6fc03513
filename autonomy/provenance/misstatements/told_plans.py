"""Finds what is told as done, and stands in what was read as a plan alone."""

import re
from collections.abc import Iterator

from autonomy.provenance.sources.evidence_units import EvidenceUnit
from autonomy.provenance.sources.run_sources import Sources
from autonomy.provenance.support import SentenceSupport
from autonomy.provenance.text.facts import FactKind, facts_in
from autonomy.provenance.text.sentences import terms
from metrics.text.phrases import patterns_of

_PHRASES = patterns_of("autonomy.provenance")
_FUTURE = _PHRASES["planned"]
_DONE = _PHRASES["told_as_done"]


def told_as_done(sentence: SentenceSupport, sources: Sources) -> Iterator[str]:
    """The evidence of what the sentence tells as done, where it tells that as a plan alone."""
    if not _DONE.search(sentence.text) or _FUTURE.search(sentence.text) or _PHRASES["done_by_telling"].search(sentence.text):
        return
    clauses = _CLAUSE_ENDS.split(sentence.text)
    clause = next((part for part in reversed(clauses) if _DONE.search(part)), clauses[-1])
    clause_terms = terms(clause)
    if len(clause_terms) < 2:
        return
    ids = (found.fact for found in sentence.facts if found.fact.kind is FactKind.ID)
    keys = {fact.keys[0] for fact in ids if fact.text in clause}
    near = sources.index.holding(clause_terms, share=0.6)
    if any(_tells_as_done(unit, keys, clause_terms) for unit in sources.units if keys):
        return
    planners = frozenset().union(*(unit.persons for unit in near))
    if _is_done_since(clause_terms, planners, sources):
        return
    if near and all(any(clause_terms & terms(part) and _FUTURE.search(part) for part in _parts(unit.text)) for unit in near):
        parts = [
            part for unit in near for part in _parts(unit.text) if len(clause_terms & terms(part)) >= 0.5 * len(clause_terms)
        ]
        if parts and all(_FUTURE.search(part) for part in parts):
            yield near[0].text


_CLAUSE_ENDS = re.compile(r"[、,]")


def _tells_as_done(unit: EvidenceUnit, keys: set[str], clause_terms: frozenset[str]) -> bool:
    """Whether a line with the id of a sentence tells something of it as done."""
    parts = [part for part in _parts(unit.text) if _DONE.search(part) and not _FUTURE.search(part)]
    return any(clause_terms & terms(part) for part in parts) and any(
        fact.kind is FactKind.ID and fact.keys[0] in keys for fact in facts_in(unit.text[:500])
    )


def _is_done_since(clause_terms: frozenset[str], planners: frozenset[str], sources: Sources) -> bool:
    """Whether a line of whoever planned it, that tells of no plan, tells much of a clause as done, in other words: 足します,
    入れて直しました."""
    lines = [unit for unit in sources.index.holding(clause_terms, share=MUCH) if unit.persons & planners]
    return any(not _FUTURE.search(unit.text) and any(map(_DONE.search, _parts(unit.text))) for unit in lines)


MUCH = 0.4


def _parts(text: str) -> list[str]:
    """A message in sentences; a heading such as 「明日:」 goes with what it heads."""
    if _PHRASES["heads_plans"].match(text):
        return [text]
    return [part for part in _ENDS_PART.split(text) if part.strip()]


_ENDS_PART = re.compile(r"[。\n]| (?=(?:#{1,6}|[-*]) )")
"""The lines of a post stand in one, each with its mark."""
