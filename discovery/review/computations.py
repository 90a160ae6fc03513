"""Recognises tools that only compute from what they are given.

Several signs must agree, because `add`, `format` and `convert` mostly mean a change: every argument, the words of the name, what
the first sentence computes, and that no word of it names what could be changed.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from discovery.catalog import JsonObject, ToolSpec
from discovery.review.effect_words import is_change, verb_of, words
from discovery.review.verbless_reads import begins_as_noun
from discovery.text.near_names import name_words

_NUMBERS = frozenset({"number", "integer"})
_DEEPEST = 4


def only_computes(spec: ToolSpec, said: Sequence[str]) -> str | None:
    """Return what a tool computes; None unless all that is known of it says that it only computes.

    `said` are the words of its first sentence from its verb on, up to what only explains it. Each must be known, so that nothing
    is named that could be changed.
    """
    if (
        not said
        or not _takes_what_it_computes(spec)
        or any(is_change(verb_of(word)) and not computes(word) for word in name_words(spec.tool))
    ):
        return None
    lead, *rest = said
    if not _begins(lead, rest) or not all(map(_is_known, rest)):
        return None
    if verb_of(lead) in words().making:
        return next((word for word in rest[:_MADE_WITHIN] if _is_one(word, words().made_things)), None)
    things = words().added_things if verb_of(lead) == "add" else words().computed_things
    return next((word for word in said if _is_one(word, things)), None)


_ARTICLES = frozenset({"a", "an", "the"})
_NO_OBJECTS = frozenset({"away", "back", "by", "down", "in", "off", "on", "out", "over", "to", "up"})
"""Words behind a verb that has no object, and may mean anything: `scale by a percentage`."""
_MADE_WITHIN = 5
"""Words after a verb of making, among which stands what is made: `the first n Fibonacci numbers`."""


def _begins(lead: str, rest: Sequence[str]) -> bool:
    """Whether a sentence begins with a verb of computing and its object, or with a noun."""
    if computes(lead):
        return _NO_OBJECTS.isdisjoint(rest[:1])
    return _ARTICLES.isdisjoint(rest[:1]) and (_is_thing(lead) or begins_as_noun(lead, rest))


def _is_known(word: str) -> bool:
    data = words()
    return word in data.computing_glue or _is_thing(word) or computes(word) or _is_one(word, data.computing_parameters)


def computes(word: str) -> bool:
    """Whether a verb may be one of computing: any that reads, or one that changes only what it is given."""
    return verb_of(word) in words().computing | words().making | words().pure_read


def _is_thing(word: str) -> bool:
    return _is_one(word, words().computed_things)


def _is_one(word: str, known: frozenset[str]) -> bool:
    return any(one in known for one in (word, word.removesuffix("s"), word.removesuffix("es")))


def _takes_what_it_computes(spec: ToolSpec) -> bool:
    """Whether every argument is a number, a choice, or a text of a kind that is computed with."""
    return all(_is_given(name, schema) for name, schema in spec.parameters.items())


def _is_given(name: str, schema: JsonObject, depth: int = 0) -> bool:
    data, said = words(), name_words(name)
    if depth > _DEEPEST or not data.identifying.isdisjoint(said):
        return False
    if isinstance(schema.get("enum"), list) or "const" in schema:
        return True
    options = [one for key in ("anyOf", "oneOf") for one in schema.get(key) or () if isinstance(one, Mapping)]
    if options:
        return all(one.get("type") == "null" or _is_given(name, dict(one), depth + 1) for one in options)
    kinds: list[Any] = schema["type"] if isinstance(schema.get("type"), list) else [schema.get("type")]
    named = all(word in data.computing_parameters or re.fullmatch(r"[a-z]?\d*", word) for word in said)
    return all(
        kind in _NUMBERS
        or kind in ("boolean", "null")
        or (kind == "array" and _is_given(name, _items(schema), depth + 1))
        or (kind in ("string", "object", None) and (named or (kind is None and depth > 0)))
        for kind in kinds
    )


def _items(schema: JsonObject) -> JsonObject:
    items = schema.get("items")
    return items if isinstance(items, dict) else {}
