"""Finds what a line gives to one person, and a sentence to another one of the same line."""

import re
from collections.abc import Iterator

from autonomy.provenance.sources.run_sources import Sources
from autonomy.provenance.support import SentenceSupport
from autonomy.provenance.text.facts import FactKind, facts_in
from autonomy.provenance.text.normalize import normalize
from autonomy.provenance.text.sentences import terms

LONGEST_LINE = 600
FEWEST_SHARED = 2
"""Terms that a sentence has of the clause which tells the same."""
_CLAUSE = re.compile(r"[、。,;；\n（）()]")
_IN_BRACKETS = re.compile(r"[（(][^）)]{0,80}[）)]")


def of_another_in_the_line(sentence: SentenceSupport, sources: Sources) -> Iterator[str]:
    """The line on which a sentence that begins with a person rests, where its clause that tells most of the same names another
    person alone, and that person has a clause of their own, which tells less of it."""
    names = [found.fact for found in sentence.facts if found.fact.kind is FactKind.NAME and found.fact.text[:1] not in "#@"]
    own_text = _IN_BRACKETS.sub(" ", sentence.text)
    begins = next((fact for fact in names if sentence.text.startswith(fact.text)), None)
    if begins is None or any(fact is not begins and fact.text in own_text for fact in names):
        return
    person = _called(begins.keys, sources)
    told = terms(own_text) - terms(begins.text)
    for line in dict.fromkeys(unit.text for unit in sentence.units):
        clauses = [clause for clause in _CLAUSE.split(normalize(line[:LONGEST_LINE])) if clause.strip()]
        named = [(_persons(clause, sources), len(told & terms(clause))) for clause in clauses]
        own = max((shared for persons, shared in named if any(person & one for one in persons)), default=None)
        most = max((shared for _, shared in named), default=0)
        nearest = [persons for persons, shared in named if shared == most]
        if own is None or most < FEWEST_SHARED or own >= most or len(nearest) > 1:
            continue
        if len(nearest[0]) == 1 and not person & nearest[0][0]:
            yield line


def _persons(clause: str, sources: Sources) -> list[frozenset[str]]:
    facts = (fact for fact in facts_in(clause) if fact.kind is FactKind.NAME and fact.text[:1] not in "#@")
    return [_called(fact.keys, sources) for fact in facts]


def _called(keys: tuple[str, ...], sources: Sources) -> frozenset[str]:
    return frozenset(keys) | sources.identities.names_of_all(keys)
