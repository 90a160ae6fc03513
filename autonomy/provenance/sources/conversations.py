"""Reads which messages of results stand in one conversation, who wrote them and what they name."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from autonomy.provenance.sources.evidence_units import announces_text, attribute_kind
from autonomy.provenance.sources.identities import Identities
from autonomy.provenance.sources.leaves import objects_in, parsed
from autonomy.provenance.text.facts import Fact, FactKind, facts_in
from autonomy.provenance.text.word_data import load_words

LONGEST_MESSAGE = 500
"""Characters; what comes behind them is no message any more."""


class ThreadMessage(NamedTuple):
    """A message that says in which conversation it stands."""

    text: str
    authors: frozenset[str]
    """All names of who wrote it."""
    persons: frozenset[str]
    """These, and those of whom it names."""
    ids: frozenset[str]


Conversation = list[ThreadMessage]


def conversations_in(results: Iterable[Any], identities: Identities) -> list[Conversation]:
    """The messages of results by conversation; where no thread is told there are none."""
    keys = frozenset(load_words("result_keys")["thread"])
    found: dict[str, dict[str, ThreadMessage]] = {}
    for result in results:
        for one in objects_in(parsed(result)):
            key = next((name for name in one if str(name).lower() in keys), None)
            text = next((item for name, item in one.items() if announces_text(str(name)) and isinstance(item, str)), "")
            if key and text:
                thread = str(one[key] or one.get("ts") or one.get("id"))  # who begins one names no other
                found.setdefault(thread, {})[text] = _message(one, text[:LONGEST_MESSAGE], identities)
    return [list(messages.values()) for messages in found.values()]


def _message(one: dict[str, Any], text: str, identities: Identities) -> ThreadMessage:
    facts = facts_in(text)
    fields = ((attribute_kind(str(name)), item) for name, item in one.items() if isinstance(item, str | int))
    authors = identities.names_of_all(str(item) for kind, item in fields if kind == "person")
    named = identities.names_of_all(key for fact in facts if fact.kind is FactKind.NAME for key in fact.keys)
    return ThreadMessage(text, authors, authors | named, ids_of(facts))


def ids_of(facts: Iterable[Fact]) -> frozenset[str]:
    """The keys of the ids among facts."""
    return frozenset(fact.keys[0] for fact in facts if fact.kind is FactKind.ID)
