"""Recognizes a known sentence and extracts its values."""

from collections.abc import Iterator, Mapping
from string import Formatter
from typing import NamedTuple


class _Form(NamedTuple):
    """A sentence, cut at its places."""

    literals: tuple[str, ...]
    places: tuple[str, ...]
    other: str


class SentenceForms:
    """Sentences of one language, each with the same sentence in another; both have the same places, as `{name}`."""

    def __init__(self, sentences: Mapping[str, str]) -> None:
        forms = [_form(one, other) for one, other in sentences.items()]
        # the one that says most comes first: a shorter one would take its words for a value
        self._forms = tuple(sorted(forms, key=lambda form: -sum(map(len, form.literals))))

    def matching(self, text: str) -> Iterator[tuple[str, dict[str, str]]]:
        """The sentences that a text can be, in the other language with its places, and what stands in them."""
        for form in self._forms:
            if (found := _values(form, text)) is not None:
                yield form.other, dict(zip(form.places, found, strict=True))


def _form(english: str, japanese: str) -> _Form:
    literals, places = [""], list[str]()
    for literal, place, _, _ in Formatter().parse(english):  # a doubled brace ends a literal, too
        literals[-1] += literal
        if place is not None:
            literals.append("")
            places.append(place)
    return _Form(tuple(literals), tuple(places), japanese)


def _values(form: _Form, text: str) -> list[str] | None:
    """The values in a sentence's places, found from left to right in linear time, whatever a value contains."""
    first, *inner = form.literals
    if not inner:
        return [] if text == first else None
    *middle, last = inner
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
