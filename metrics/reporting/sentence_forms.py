"""Recognizes a known sentence and extracts its values."""

from collections.abc import Iterator, Mapping
from string import Formatter
from typing import NamedTuple


class _Form(NamedTuple):
    """A sentence split at its placeholders."""

    literals: tuple[str, ...]
    places: tuple[str, ...]
    other: str
    longest: str
    """The longest literal. Most texts do not contain it, which is fast to check."""


class SentenceForms:
    """Sentences of one language with their translations. Both have the same placeholders, written `{name}`."""

    def __init__(self, sentences: Mapping[str, str]) -> None:
        forms = [_form(one, other) for one, other in sentences.items()]
        self._whole = {form.longest: form.other for form in forms if not form.places}
        # the most specific sentence comes first, because a less specific one would take its words for a value
        forms = sorted((form for form in forms if form.places), key=lambda form: -sum(map(len, form.literals)))
        beginnings = {form.literals[0][:1] for form in forms}
        self._by_beginning = {
            one: tuple(form for form in forms if form.literals[0][:1] in ("", one)) for one in beginnings | {""}
        }

    def matching(self, text: str) -> Iterator[tuple[str, dict[str, str]]]:
        """Yield each translation that fits a text, with its placeholders, and the values of these."""
        if text in self._whole:
            yield self._whole[text], {}
        for form in self._by_beginning.get(text[:1], self._by_beginning[""]):
            if form.longest in text and (found := _values(form, text)) is not None:
                yield form.other, dict(zip(form.places, found, strict=True))


def _form(english: str, japanese: str) -> _Form:
    literals, places = [""], list[str]()
    for literal, place, _, _ in Formatter().parse(english):  # a doubled brace ends a literal as well
        literals[-1] += literal
        if place is not None:
            literals.append("")
            places.append(place)
    return _Form(tuple(literals), tuple(places), japanese, max(literals, key=len))


def _values(form: _Form, text: str) -> list[str] | None:
    """Return the values of a sentence's placeholders, or None if the text does not match. Takes linear time for any text."""
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
