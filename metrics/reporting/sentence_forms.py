"""Recognizes a known sentence and extracts its values."""

from collections.abc import Iterator, Mapping
from string import Formatter
from typing import NamedTuple


class _Form(NamedTuple):
    """A sentence with places, cut at them."""

    literals: tuple[str, ...]
    places: tuple[str, ...]
    other: str
    longest: str
    """The longest literal: most texts lack it, which is seen at once."""


class SentenceForms:
    """Sentences of one language, each with the same sentence in another; both have the same places, as `{name}`."""

    def __init__(self, sentences: Mapping[str, str]) -> None:
        forms = [_form(one, other) for one, other in sentences.items()]
        self._whole = {form.longest: form.other for form in forms if not form.places}
        # the one that says most comes first: a shorter one would take its words for a value
        forms = sorted((form for form in forms if form.places), key=lambda form: -sum(map(len, form.literals)))
        beginnings = {form.literals[0][:1] for form in forms}
        self._by_beginning = {
            one: tuple(form for form in forms if form.literals[0][:1] in ("", one)) for one in beginnings | {""}
        }

    def matching(self, text: str) -> Iterator[tuple[str, dict[str, str]]]:
        """The sentences that a text can be, in the other language with its places, and what stands in them."""
        if text in self._whole:
            yield self._whole[text], {}
        for form in self._by_beginning.get(text[:1], self._by_beginning[""]):
            if form.longest in text and (found := _values(form, text)) is not None:
                yield form.other, dict(zip(form.places, found, strict=True))


def _form(english: str, japanese: str) -> _Form:
    literals, places = [""], list[str]()
    for literal, place, _, _ in Formatter().parse(english):  # a doubled brace ends a literal, too
        literals[-1] += literal
        if place is not None:
            literals.append("")
            places.append(place)
    return _Form(tuple(literals), tuple(places), japanese, max(literals, key=len))


def _values(form: _Form, text: str) -> list[str] | None:
    """The values in a sentence's places, found from left to right in linear time, whatever a value contains."""
    first, *middle, last = form.literals
    if not text.startswith(first) or not text.endswith(last):
        return None
    at, end, values = len(first), len(text) - len(last), []
    for literal in middle:
        found = text.find(literal, at + 1, end)
        if found < 0:
            return None
        values.append(text[at:found])
        at = found + len(literal)
    return [*values, text[at:end]] if at < end else None
