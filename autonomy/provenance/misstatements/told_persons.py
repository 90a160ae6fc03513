"""Finds persons who are told to have said or done what the evidence tells of others."""

from collections.abc import Iterator, Sequence, Set

from autonomy.provenance.sources.evidence_units import EvidenceUnit
from autonomy.provenance.sources.run_sources import LONGEST_PERSON, Sources
from autonomy.provenance.support import SentenceSupport
from autonomy.provenance.text.facts import Fact, FactKind, facts_in
from autonomy.provenance.text.normalize import fold
from autonomy.provenance.text.sentences import terms
from metrics.text.name_readings import kana_readings
from metrics.text.phrases import patterns_of

_PHRASES = patterns_of("autonomy.provenance")


def _is_by(unit: EvidenceUnit, names: Set[str]) -> bool:
    """Whether a line is by somebody with one of these names, in full or as a part of the whole (幹事 桑名, 佐藤春花), or in other
    letters: りょー is ryo."""
    return bool(unit.persons & names) or any(
        not names.isdisjoint(person.split()) or not names.isdisjoint(kana_readings(person)) or _is_part(names, person)
        for person in unit.persons
    )


def _is_part(names: Set[str], person: str) -> bool:
    """Whether one of the names begins or ends a full name that is written without a blank."""
    if person.isascii() or not SHORTEST_NAME < len(person) <= LONGEST_PERSON:
        return False
    parts = (name for name in names if SHORTEST_NAME <= len(name) < len(person))
    return any(person.startswith(part) or person.endswith(part) for part in parts)


SHORTEST_NAME = 2


def told_of_another(sentence: SentenceSupport, sources: Sources) -> Iterator[str]:
    """The evidence that tells of others what the sentence tells of a person, of whom nothing that was read says so."""
    named = [found.fact for found in sentence.facts if found.fact.kind is FactKind.NAME and _is_credited(found.fact, sentence)]
    for fact in named:
        names = set(fact.keys) | sources.identities.names_of_all(fact.keys)
        names |= sources.identities.names_of_all(names)  # りょー is U07RYO, who is ryo
        own = [unit for unit in sources.units if _is_by(unit, names) or any(_names(name, unit) for name in names)]
        clause = _clause(sentence, fact)
        clause_terms = terms(clause) - terms(fact.text)
        rivals = [unit for unit in sentence.units if unit not in own and _speaks_of_another(unit, names)]
        retold_by_another = clause_terms and rivals and not any(unit in own for unit in sentence.units)
        if not retold_by_another and not (clause_terms and own and sentence.units == () and sources.persons):
            continue
        if not any(clause_terms & terms(unit.text) for unit in own) and _by_another(clause_terms, own, sources):
            yield (rivals or list(sources.units))[0].text


_CREDIT = _PHRASES["done_by"]
OF_ANOTHER = 0.3
"""Share of a clause that a line of somebody else has to hold; a word that is common to a team tells of nobody."""


def _is_credited(fact: Fact, sentence: SentenceSupport) -> bool:
    """Whether the sentence says that this person did, said or gave something."""
    if fact.text[:1] == "#":
        return False
    at = max(0, fact.start - sentence.start)
    return bool(_CREDIT.match(sentence.text, at + len(fact.text))) or sentence.text[max(0, at - 3) : at] == "by "


def _by_another(clause_terms: frozenset[str], own: Sequence[EvidenceUnit], sources: Sources) -> bool:
    """Whether what is said of this person is said in evidence that is not theirs."""
    own_ids = {id(unit) for unit in own}
    return any(id(unit) not in own_ids for unit in sources.index.holding(clause_terms, share=OF_ANOTHER))


def _speaks_of_another(unit: EvidenceUnit, names: set[str]) -> bool:
    other = {fact.keys[0] for fact in facts_in(unit.text[:500]) if fact.kind is FactKind.NAME}
    return bool(other - names) or bool(unit.persons and not unit.persons & names)


def _names(name: str, unit: EvidenceUnit) -> bool:
    """Whether a line names somebody; a name of one letter stands in words, so it has to be written as one: @遥."""
    if name not in (text := fold(unit.text)) or len(name) > 1:
        return name in text
    return any(fact.kind is FactKind.NAME and name in fact.keys for fact in facts_in(unit.text[:500]))


def _clause(sentence: SentenceSupport, fact: Fact) -> str:
    """The clause in which a person is named; the next one too where it holds no more than the name."""
    text, at = sentence.text, max(0, fact.start - sentence.start)
    begin = max(text.rfind(mark, 0, at) for mark in ("、", "，", ", ", "。", "（")) + 1
    ends = [place for mark in ("、", ", ", "。") if (place := text.find(mark, at + len(fact.text))) >= 0]
    end = min(ends, default=len(text))
    if end - at <= len(fact.text) + 3 and end < len(text):
        later = [place for mark in ("、", ", ", "。") if (place := text.find(mark, end + 1)) >= 0]
        end = min(later, default=len(text))
    return text[begin:end]
