"""Recognises tools that only compute from what they are given.

Several signs must agree, because `add`, `format` and `convert` mostly mean a change: every argument, the words of the name, what
the first sentence computes, and that no word of it names what could be changed.
"""

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from discovery.catalog import JsonObject, ToolSpec
from discovery.review.effect_words import is_change, stems, verb_of, words
from discovery.review.verbless_reads import begins_as_noun
from discovery.text.near_names import name_words
from discovery.text.search_terms import STOP_WORDS

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
    if not _begins(lead, rest):
        return None
    if not all(map(_is_known, rest)) or any(_is_verb_alone(word) for before, word in pairwise(rest) if before in _ARTICLES):
        return _converted(spec, lead, rest)
    if verb_of(lead) in words().making:
        return next((word for word in rest[:_MADE_WITHIN] if _is_one(word, words().made_things)), None)
    things = words().added_things if verb_of(lead) == "add" else words().computed_things
    return next((word for word in said if _is_one(word, things)), None)


def only_computes_in_japanese(spec: ToolSpec, sentence: str, actions: Sequence[str]) -> str | None:
    """Return what a tool computes by its first sentence, which says that these actions are done; else None."""
    data = words().ja_computing
    if (
        not actions
        or not spec.parameters
        or actions[-1].startswith(data.again)
        or not _takes_what_it_computes(spec)
        or any(is_change(verb_of(word)) and not computes(word) for word in name_words(spec.tool))
    ):
        return None
    if actions[-1].endswith(data.verbs) and any(
        words().calendar_parameters.isdisjoint(name_words(one)) for one in spec.parameters
    ):
        return actions[-1]
    things = re.findall(data.named, re.sub(data.each_other, "", sentence))
    return actions[-1] if things and actions[-1] in data.converting and all(one.endswith(data.things) for one in things) else None


def _converted(spec: ToolSpec, lead: str, rest: Sequence[str]) -> str | None:
    """Return the last thing that is named, where a verb of converting has an object that an argument holds as a text or a date.

    Then any words may describe the object and what it becomes, but both must be things that are computed.
    """
    texts = {
        word
        for name, schema in spec.parameters.items()
        if schema.get("type") not in _PLAIN or words().calendar_parameters.issuperset(name_words(name))
        for word in name_words(name)
    }
    phrases: list[list[str]] = [[]]
    for word in rest:
        if word in _BETWEEN_THINGS:
            phrases.append([])
        elif word not in _FORMS or not phrases[-1]:
            phrases[-1].append(word)
    whole, *others = [phrase for phrase in phrases if phrase] or [[]]
    if (
        words().converting.isdisjoint(stems(lead))
        or not any(_is_one(word, frozenset(texts)) for word in whole)
        or not (_is_thing(whole[-1]) or _is_one(whole[-1], words().computing_parameters))
        or not all(_is_thing(phrase[-1]) for phrase in others)
    ):
        return None
    return next((phrase[-1] for phrase in (*others, whole) if _is_thing(phrase[-1])), None)


_PLAIN = frozenset({"number", "integer", "boolean"})
_BETWEEN_THINGS = frozenset({"and", "as", "at", "between", "by", "for", "from", "in", "into", "of", "on", "or", "to", "with"})
_FORMS = frozenset({"form", "format", "formats", "forms", "representation"})
"""Words behind what something becomes: `to YAML format`."""
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


def _is_verb_alone(word: str) -> bool:
    """Whether a word is known as a verb only, so that it is an unknown noun behind an article: `the display`."""
    data = words()
    return not (word in data.computing_glue or _is_thing(word) or _is_one(word, data.computing_parameters | data.made_things))


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
    named = all(word in data.computing_parameters | STOP_WORDS or re.fullmatch(r"[a-z]?\d*", word) for word in said)
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
