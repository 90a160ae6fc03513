"""Tells whether a request wants a draft or something published."""

import re
from functools import cache

from autonomy.policy.requests.forbidden_deeds import PUBLISHING, forbidden_verb, forbidding_pattern
from autonomy.policy.requests.japanese_orders import LONG_DEED, orders_in_japanese
from autonomy.policy.requests.orders import ordering_clauses
from autonomy.policy.requests.request_words import MOST_CHARS, any_of
from autonomy.provenance.action_claims import kinds_of_tool
from discovery.text.near_names import name_words
from metrics.text.phrases import patterns_of

_PHRASES = patterns_of("autonomy.policy")


def orders_only_a_draft(words: str, tool: str) -> bool:
    """Whether all that the request orders is a draft, and a tool of this name would send something."""
    if "draft" in name_words(tool) or kinds_of_tool(tool).isdisjoint(_SENDING):
        return False
    orders = [*ordering_clauses(words[:MOST_CHARS]), *orders_in_japanese(words[:MOST_CHARS], LONG_DEED)]
    return bool(orders) and all(_drafting().search(order) for order in orders)


_SENDING = frozenset({"mail", "send", "notify", "share"})


@cache
def _drafting() -> re.Pattern[str]:
    """An order that makes a draft; to send one, or to write that one is ready, is another."""
    between = r"(?:(?:me|us|up|out|just|only|it|this|a|an|one|two|three|some|the|my|as)\s{1,9}){0,3}(?:[a-z-]{1,20}\s{1,9}){0,2}"
    english = rf"^draft\s|^(?:{any_of('drafting', 'en')})\s{{1,9}}{between}drafts?\b"
    return re.compile(rf"{english}|(?:{any_of('drafting', 'ja')})[^送投共渡伝知連見]{{0,12}}$")


def asks_for_draft(words: str) -> bool:
    """Whether the request has something made or left as a draft, and has nothing published: "leave it as a draft",
    「公開しないで」."""
    request = words[:MOST_CHARS].lower()
    forbidden = {forbidden_verb(one) for one in forbidding_pattern().finditer(request)}
    remainder = forbidding_pattern().sub(" ", request)
    if any(verb in remainder for verb in PUBLISHING):
        return False
    orders = [*ordering_clauses(remainder), *orders_in_japanese(remainder, LONG_DEED)]
    kept = any(_drafting().search(order) or _PHRASES["as_a_draft"].search(order) for order in orders)
    return kept or not forbidden.isdisjoint(PUBLISHING)


def orders_publishing(words: str) -> bool:
    """Whether the request orders something to be published: "publish it", 「記事で公開し、…に知らせて」."""
    request = words[:MOST_CHARS]
    orders = [*ordering_clauses(request), *orders_in_japanese(request, LONG_DEED)]
    return any(verb in order for order in orders for verb in PUBLISHING)
