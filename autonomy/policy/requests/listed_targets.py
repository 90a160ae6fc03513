"""Reads the targets that a request lists for one deed: "Post it in #general and #dev"."""

import re
from functools import cache
from itertools import pairwise

from autonomy.policy.requests.orders import order_ahead, order_behind
from autonomy.policy.requests.said_names import own_part
from autonomy.provenance.action_claims import OUTWARD, kinds_asked_for, kinds_of_tool
from autonomy.provenance.text.facts import FactKind, facts_in
from metrics.text.word_files import read_words

MOST_CHARS = 2_000
"""Of a request: a longer one was pasted."""

# read while the module is loaded: the first decision is made on the event loop, where no file may be read
_WORDS = read_words("autonomy.policy", "request_mood")


def targets_listed(words: str, tool: str) -> frozenset[str]:
    """The names, with a sign or a title of courtesy, to all of which a tool of this name is ordered to do something.

    Empty where the request bears another such name: what is read in one channel may be written in another.
    """
    text = own_part(words)[:MOST_CHARS]
    names = [fact for fact in facts_in(text) if fact.kind is FactKind.NAME]
    if len(names) < _FEWEST or not all(_joint().fullmatch(text[one.end : other.start]) for one, other in pairwise(names)):
        return frozenset()
    ahead, behind = order_ahead(text[: names[0].start]), order_behind(_of_all().sub("", text[names[-1].end :]))
    order = ahead if _ends_with_place().fullmatch(ahead) else behind
    is_put_there = all(name.text[:1] == "#" for name in names) and _puts_there().search(
        order
    )  # else a text of the answer may be meant
    is_meant = not kinds_of_tool(tool).isdisjoint(kinds_asked_for(order) | (OUTWARD if is_put_there else frozenset()))
    return frozenset(key for name in names for key in name.keys) if is_meant else frozenset()


_FEWEST = 2


@cache
def _joint() -> re.Pattern[str]:
    """What stands between two members of a list."""
    return re.compile(rf"\s*(?:(?:{'|'.join(map(re.escape, _WORDS['listing']['joints']))})\s*){{1,3}}", re.IGNORECASE)


@cache
def _of_all() -> re.Pattern[str]:
    """What says behind a list in Japanese that each of its members is meant."""
    return re.compile(rf"^\s*の?\s*(?:{'|'.join(_WORDS['listing']['of_all'])})(?=[にへ宛])")


@cache
def _puts_there() -> re.Pattern[str]:
    """A verb in Japanese that in a channel means a message: 書いて, 流して."""
    verbs = "|".join(_WORDS["listing"]["puts_there"])
    return re.compile(verbs)


@cache
def _ends_with_place() -> re.Pattern[str]:
    """An order behind which those stand to whom or where it is carried out, and not those of whom something is told."""
    listing = _WORDS["listing"]
    places, sources = "|".join(listing["ahead"]), "|".join(listing["sources"])
    return re.compile(rf"(?!.*\b(?:{sources})\b)[a-z-]{{2,40}}(?:(?:\s.{{0,400}})?(?:\s+(?:{places})){{1,3}})?", re.DOTALL)
