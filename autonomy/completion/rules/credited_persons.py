"""Checks of whom a text tells a deed against who took part in the conversation about it."""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from autonomy.completion.rules.case import Judgement
from autonomy.provenance.sources.conversations import Conversation, ids_of
from autonomy.provenance.support import SentenceSupport
from autonomy.provenance.text.excerpts import excerpt
from autonomy.provenance.text.facts import FactKind
from metrics.text.phrases import patterns_of

_PHRASES = patterns_of("autonomy.completion")


def _about(ids: frozenset[str], talks: Iterable[Conversation]) -> Conversation:
    """The messages of all conversations about one of these ids."""
    return [message for talk in talks if any(message.ids & ids for message in talk) for message in talk]


def credited_to_others(text: str, case: Judgement) -> Iterator[str]:
    """A deed told of somebody behind an id, who had no part in any conversation about it, or where others alone tell of it."""
    sentences = case.attribution(text).sentences
    talks = case.conversations if any(ids_of(one.fact for one in sentence.facts) for sentence in sentences) else []
    authors = frozenset(name for talk in talks for message in talk for name in message.authors)
    for sentence in sentences if talks else ():
        for person in _credited(sentence, case):
            about = _about(person.ids, talks)
            of_the_deed = [message for deed in person.deeds for message in about if f"{deed}し" in message.text] or about
            # of whom nothing was read, it is not known what they took part in
            if person.names & authors and about and not any(message.persons & person.names for message in of_the_deed):
                told, shown = excerpt(sentence.text, 80), excerpt(of_the_deed[0].text, 120)
                yield f"{person.called!r} in {told!r} had no part in that; what was read says {shown!r}"


class _Credited(NamedTuple):
    """Whom a sentence tells a deed of."""

    called: str
    names: frozenset[str]
    ids: frozenset[str]
    """Those that the sentence names up to the end of their clause."""
    deeds: list[str]
    """The nouns that name what they did."""


def _credited(sentence: SentenceSupport, case: Judgement) -> Iterator[_Credited]:
    facts = [one.fact for one in sentence.facts]
    ends = [(fact.text, fact.keys, fact.end - sentence.start) for fact in facts if fact.kind is FactKind.NAME]
    found = [(called, keys, does.end()) for called, keys, end in ends if (does := _DOES.match(sentence.text, end))]
    found += [(match.group(), (match.group(),), match.end()) for match in _DOES_IN_ENGLISH.finditer(sentence.text)]
    for called, keys, end in found:
        behind = _CLAUSE.match(sentence.text, end)
        until = behind.end() if behind else end
        before = (fact for fact in facts if fact.start - sentence.start < until)
        yield _Credited(
            called, case.evidence.sources.identities.names_of_all(keys), ids_of(before), _DEED.findall(sentence.text[end:until])
        )


_DOES, _DOES_IN_ENGLISH = _PHRASES["does_something"], _PHRASES["does_something_in_english"]
_DEED = _PHRASES["deed_by_a_noun"]
_CLAUSE = re.compile("[、,]?[^、。,;]{0,200}")


def is_of_a_conversation_of_others(sentence: SentenceSupport, case: Judgement) -> bool:
    """Whether a sentence gives an id of conversations alone in which the job's person had no part, and names none who had."""
    subject_names, ids = case.evidence.subject_names, ids_of(one.fact for one in sentence.facts)
    about = _about(ids, case.conversations) if ids and len(subject_names) > 1 else []
    words = [*re.findall("[A-Z][a-z]+", sentence.text), *(key for one in sentence.facts for key in one.fact.keys)]
    named = subject_names | case.evidence.sources.identities.names_of_all(words)
    return bool(about) and not any(message.persons & subject_names or message.authors & named for message in about)
