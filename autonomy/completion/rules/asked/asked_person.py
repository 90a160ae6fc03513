"""Checks that what a question asks of one person is told from that person's own lines."""

from collections.abc import Iterator

from autonomy.completion.rules.case import Case
from autonomy.provenance.sources.evidence_units import EvidenceUnit
from autonomy.provenance.sources.tabular.table_rows import stands
from autonomy.provenance.support import SentenceSupport
from autonomy.provenance.text.excerpts import excerpt
from autonomy.provenance.text.facts import FactKind, facts_in
from autonomy.provenance.text.normalize import fold
from metrics.text.phrases import patterns_of

_PHRASES = patterns_of("autonomy.completion")
SURELY = 0.5
"""Likeness of a sentence to its lines from which on it surely retells them."""


def in_own_words(case: Case) -> Iterator[tuple[str, str]]:
    """Where the question asks what one person said, promised or took on, no sentence retells what another wrote without naming
    that one."""
    names = _asked_person(case)
    if not names or not any(unit.persons & names for unit in case.evidence.units):
        return
    for sentence in (one for text in case.free_texts for one in text.unrepeated.sentences):
        if _is_of_another(sentence, names, case):
            unit = sentence.units[0]
            yield (
                sentence.text[:80],
                f"{excerpt(sentence.text, 80)!r} is what {min(unit.persons)} wrote: {excerpt(unit.text, 80)!r}",
            )
            return


def _asked_person(case: Case) -> frozenset[str]:
    """The names of the one person whose words the question asks for; none where it asks for no such thing."""
    asked = _PHRASES["asks_for_own_words"].search(case.goal) if case.free_texts else None
    name = next((one for one in asked.groupdict().values() if one), "") if asked else ""
    return case.evidence.sources.identities.named_in_part(name) if name else frozenset()


def _is_of_another(sentence: SentenceSupport, names: frozenset[str], case: Case) -> bool:
    """Whether a sentence rests on lines of others alone, none of whom it names and who asked or addressed nobody with them."""
    lines = [unit for unit in sentence.units if unit.persons]
    if sentence.neutral or sentence.score < SURELY or len(lines) < len(sentence.units) or not lines:
        return False
    told, identities = fold(sentence.text), case.evidence.sources.identities
    authors = identities.names_of_all(frozenset().union(*(unit.persons for unit in lines)))
    return not (
        authors & names or any(stands(told, name) for name in authors) or any(_is_for_them(unit, names, case) for unit in lines)
    )


def _is_for_them(unit: EvidenceUnit, names: frozenset[str], case: Case) -> bool:
    """Whether a line asks for something, names the person, or stands in a conversation in which the person wrote, too: they may
    have agreed to it."""
    named = {key for fact in facts_in(unit.text[:500]) if fact.kind is FactKind.NAME for key in fact.keys}
    talks = (talk for talk in case.conversations if any(message.text.partition("\n")[0] == unit.text for message in talk))
    return bool(
        _PHRASES["asks_of_somebody"].search(unit.text)
        or named & names
        or any(stands(fold(unit.text), name) for name in names)
        or any(names & message.authors for talk in talks for message in talk)
    )
