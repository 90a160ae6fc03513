"""Tells whom or what a request means by its words, among those that the results of a run show."""

import re
from collections.abc import Collection
from functools import lru_cache
from typing import Any

from autonomy.policy.policy_words import any_stands, policy_words
from autonomy.policy.requests.left_out import leaves_out, left_out_as, without_left_out
from autonomy.policy.requests.orders import begins_no_order
from autonomy.policy.requests.request_mood import words_of_orders
from autonomy.policy.requests.said_names import in_singular, own_part, said_in_other_number, stands_as_name
from autonomy.policy.sinks import Sink
from autonomy.policy.texts.addresses import holds_unseen, readable
from autonomy.provenance import Sources
from autonomy.provenance.sources.identities import LONGEST_PART, telling_words
from autonomy.provenance.sources.sibling_records import Naming
from autonomy.provenance.text.normalize import fold
from discovery.text.near_names import name_words

_LONGEST_REQUEST = 1_000_000
"""Characters of a request that are looked through."""
_MOST_TITLES = 500
"""Titles of courtesy in a request that are looked at."""


def request_text(sources: Sources) -> str:
    """The request's own words, as far as they are looked through."""
    return " ".join(sources.asked_values())[:_LONGEST_REQUEST]


def name_meant(value: str, sources: Sources, among: Collection[str] | None) -> str:
    """The other name of this person, channel or place, or the title of this thing, that the request has, where results show it
    for nobody and nothing else."""
    identities = sources.identities
    shown = identities.shown_names_of(value, among)
    names = [name for name in shown if len(name) > 1 and len(identities.bearers_of_part(name)) == 1]
    titles_and_names = [
        *names,
        *(title for title in identities.captions.of(value, among) if len(identities.bearers_of_part(title)) <= 1),
    ]
    meant = (name for name in titles_and_names if not _is_anothers_with_its_kind(name, value, sources))
    return next((name for name in meant if _is_said(name, sources)), "") or _addressed_as(value, shown, sources)


def _is_anothers_with_its_kind(name: str, value: str, sources: Sources) -> bool:
    """Whether a name is what another one is called, with the word for what it is beside it: who calls his room "launch room" is
    not meant by "the launch room" where there is a room Launch."""
    words = name.casefold().split()
    bare = " ".join(word for word in words if word not in policy_words("said_names")["kinds_of_places"])
    return bare != " ".join(words) and bool(sources.identities.bearers(bare) - {value.casefold().strip()})


def may_mean_another(value: str, sources: Sources) -> bool:
    """Whether the request calls somebody or something so that it may as well be another one of what was read."""
    if any(
        bearers > 1 and len(name) > 1 and _is_said(name, sources) for name, bearers in sources.identities.names_at(value).items()
    ):
        return True
    request = request_text(sources)
    return not any_stands("choosing", request) and sources.identities.captions.may_be_another(_telling_words(request), value)


def is_only_one_called_by(identifier: str, sources: Sources, among: Collection[str] | None) -> bool:
    """Whether the request speaks of one thing in words of its title, in which no result calls another thing."""
    request = request_text(sources)
    words = _telling_words(request)
    return bool(words) and sources.identities.captions.is_only_one_called_by(words, identifier, request, among)


@lru_cache(maxsize=16)
def _telling_words(words: str) -> frozenset[str]:
    ordered = (word for order in words_of_orders(words) for word in telling_words(order))
    words = own_part(words)
    # "page" and "issue" say which of them as little as "with", or as what is to be done with it
    kinds = frozenset((*policy_words("said_names")["kinds_of_places"], *ordered))
    return frozenset(word for word in telling_words(words) if word not in kinds and not begins_no_order(word))


_OF_A_RECORD = frozenset({Sink.RECIPIENT, Sink.IDENTITY, Sink.AMOUNT})
"""What a record says of who or how much. Which record is meant may be told by another one: the newest after the one of WEB-3."""


def name_left_out(value: str, sources: Sources) -> str:
    """The name by which the request leaves out whom a value means; empty where it leaves nobody out, or somebody else."""
    request = request_text(sources)
    if not leaves_out(request):
        return ""
    words, identities = own_part(request, value), sources.identities
    names = (value, *identities.shown_names_of(value), *identities.captions.of(value))
    return left_out_as(names, sources.named_in_records(value), words)


def is_of_another_record(value: Any, sink: Sink, sources: Sources) -> bool:
    """Whether a field is of another record of the list than the one that the request names: it is no better than text then."""
    if sink not in _OF_A_RECORD:
        return False
    request = without_left_out(request_text(sources))
    return sources.stands_beside(str(value), Naming(request, _telling_words(request)))


def is_choice_of_named_record(
    argument: str, choice: str, sources: Sources, among: Collection[str] | None, taken: Collection[str]
) -> bool:
    """Whether a record that the request names, or that the call changes, has this choice in the field of the same name: the
    priority of "the invoice ticket". `taken`: the other values of the call."""
    request, own_key = request_text(sources), name_words(argument)[-1:]
    tokens = {*map(fold, _NUMBER_OR_CODE.findall(own_part(request))), *taken}
    return any(
        identifier in tokens or name_meant(identifier, sources, among) or is_only_one_called_by(identifier, sources, among)
        for key, identifier in sources.records_with(choice)
        if own_key and name_words(key)[-1:] == own_key
    )


_NUMBER_OR_CODE = re.compile(r"(?=[A-Za-z-]{0,40}\d)[A-Za-z0-9][\w-]{0,80}", re.ASCII)


def _is_said(name: str, sources: Sources) -> bool:
    trace = sources.trace(name)
    is_by_deciders = trace.weakest is not None and trace.weakest.trusted
    return is_by_deciders and not any(holds_unseen(found.text) for found in trace.sources) and is_used_as_name(name, sources)


def _addressed_as(value: str, shown: Collection[str], sources: Sources) -> str:
    """The part of one of these names by which the request speaks of a person, with a title of courtesy (健太さん of 森健太) or
    where only somebody's name can stand ("to Priya" of Priya Nair)."""
    words = own_part(" ".join(sources.trusted_text()))
    given = {part.casefold() for text in sources.trusted_values() for part in _spoken_to(own_part(text))}
    pairs = (pair for name in shown if len(pair := name.split()) == _GIVEN_AND_FAMILY and name.isascii())
    said = [part for pair in pairs for part in pair if part.casefold() in given]
    alone = (part for part in said if len(sources.identities.bearers_of_part(part)) == 1)
    if given_name := next((part for part in alone if not _stands_elsewhere(part, value, sources)), ""):
        return given_name
    courtesy_names = _called_by_courtesy(words)
    names = [name for name in shown if not name.isascii()] if courtesy_names else []
    parts = {part for name in names for part in courtesy_names if name != part and (name.startswith(part) or name.endswith(part))}
    return next((part for part in sorted(parts) if len(sources.identities.bearers_of_part(part)) == 1), "")


def _stands_elsewhere(part: str, value: str, sources: Sources) -> bool:
    """Whether a part of a name stands in a record of somebody else, also as a handle or in a mailbox (`priya.nair@…`): the person
    who is meant may be that one."""
    own = {value, *sources.named_in_records(value)}
    word = re.compile(rf"(?<![^\W\d_]){re.escape(part)}(?![^\W\d_])", re.IGNORECASE)
    return any(word.search(text) and text not in own for text in sources.short_fields())


_GIVEN_AND_FAMILY = 2


@lru_cache(maxsize=16)
def _spoken_to(words: str) -> tuple[str, ...]:
    """The capital words to which an order of the request tells or gives something, and not what it says of others to them."""
    found = (part for order in _telling_somebody().finditer(words[:_LONGEST_REQUEST]) for part in _CAPITAL.findall(order["whom"]))
    return tuple(part for part in found if part.casefold() not in policy_words("no_given_names"))


_CAPITAL = re.compile(r"[A-Z][a-z]{2,30}")


@lru_cache(maxsize=1)
def _telling_somebody() -> re.Pattern[str]:
    """An order that tells or gives something (`Send a short note to Priya and Kenta`), up to whom."""
    directly, given, clause = ("|".join(policy_words(kind)) for kind in ("spoken_to", "given_to", "subordinating"))
    begins = r"(?:^|[.!?;,:\n]\s{0,9}|\b(?i:and|then|please|also|(?:can|could|would|will)\s{1,9}you)\s{1,9})"
    whom = r"(?P<whom>[A-Z][a-z]{2,30}(?:(?:,|\s{1,9}(?:and|&))\s{1,9}[A-Z][a-z]{2,30}){0,9})(?![\w@-]|\s{1,9}[A-Z])"
    what = rf"(?:(?!(?i:{clause})\b)[^\s.!?;:]{{1,40}}\s{{1,9}}){{0,8}}?(?i:to)\s{{1,9}}"
    return re.compile(rf"{begins}(?:(?i:{directly})\s{{1,9}}|(?i:{given})\s{{1,9}}{what}){whom}")


@lru_cache(maxsize=16)
def _called_by_courtesy(words: str) -> frozenset[str]:
    """What stands before a title of courtesy, as long as a given or family name can be."""
    ends = [found.start() for title in policy_words("courtesy") for found in re.finditer(re.escape(title), words)]
    return frozenset(
        words[end - length : end] for end in ends[:_MOST_TITLES] for length in range(2, LONGEST_PART + 1) if length <= end
    )


def is_said_in_other_number_alone(value: str, sources: Sources) -> bool:
    """Whether the request means a thing by its name in singular or plural, and nothing else that was read is called so in either,
    in whatever spelling."""
    said = said_in_other_number(value, sources.trusted_values())
    if not said or not all(found.origin.trusted for found in sources.trace(said).sources):
        return False
    alike, others = in_singular(value), (text for text in sources.short_fields() if text.strip() != value.strip())
    return not any(in_singular(text) == alike for text in others)


def is_used_as_name(value: str, sources: Sources) -> bool:
    """Whether any text of those who may decide uses this value as a name."""
    texts = [text for text in sources.trusted_values() if value.casefold() in text.casefold()]
    name = readable(value)
    own = [part for text in texts if name.casefold() in (part := own_part(text, value)).casefold()]
    return not texts or any(stands_as_name(name, part) for part in own)
