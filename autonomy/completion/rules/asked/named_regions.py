"""Checks that a place is read of the country or state that the question names with it."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from autonomy.completion.rules.case import Case
from autonomy.provenance.sources.leaves import objects_in
from autonomy.provenance.text.normalize import fold
from autonomy.provenance.text.word_data import load_words
from metrics.text.phrases import patterns_of

_PHRASES = patterns_of("autonomy.completion")
_NAMED_BY = frozenset({"name", "city", "town", "place", "location", "locality", "municipality", "市区町村"})
_COUNTRY_IN = frozenset({"country", "country_code", "countrycode", "country_name", "cc", "国"})
_STATE_IN = frozenset({"state", "state_name", "province", "prefecture", "admin1", "都道府県"})
LONGEST_GOAL = 2_000
SHORTEST_IN_FULL = 4
"""Letters; a shorter name of a state is its code."""


def of_the_region_asked(case: Case) -> Iterator[tuple[str, str]]:
    """A place is that of the country or state which the question names with it, and not its namesake: Porto in Portugal is no
    Porto Alegre in Brazil."""
    asked = [*_places_in(case.goal)] if case.free_texts else []
    objects = [one for record in case.evidence.reads for one in objects_in(case.evidence.content(record).data)] if asked else []
    for place, region in asked:
        found = [
            (name, other)
            for one in objects
            for name in [_name_of(one, place)]
            if name
            for other in [_region_of(one, region)]
            if other
        ]
        if not found or any(other == region for _, other in found):
            continue
        name, other = found[0]
        told = fold(case.answer)
        if any(fold(word) in told for word in (*_names_of(other), *([name] if fold(name) != fold(place) else []))):
            continue
        asked_place = f"{place} in {_names_of(region)[0]}"
        yield place, f"the question is about {asked_place}, and what was read is of {name} in {_names_of(other)[0]}"


def _places_in(goal: str) -> Iterator[tuple[str, str]]:
    """The places that a text names with their country (by its code) or state."""
    for match in _PHRASES["place_with_its_region"].finditer(goal[:LONGEST_GOAL]):
        place, region = (
            match["place"] or match["town"] or match["city"],
            match["region"] or match["country"] or match["prefecture"],
        )
        country = _codes().get(fold(region))
        if country or match["prefecture"] or match["joined"]:
            yield place, country or region


@cache
def _codes() -> dict[str, str]:
    return {fold(name): code for code, names in load_words("countries").items() for name in (code, *names)}


def _names_of(region: str) -> list[str]:
    """What a country is called, by its code; a state by its name."""
    return list(load_words("countries").get(region, [region]))


def _name_of(one: dict[str, Any], place: str) -> str:
    """What an object is called, where that is the place or begins with its name."""
    values = (value for key, value in one.items() if key.lower() in _NAMED_BY and isinstance(value, str))
    return next(
        (value for value in values if fold(value) == fold(place) or re.match(rf"{re.escape(fold(place))}\W", fold(value))), ""
    )


def _region_of(one: dict[str, Any], region: str) -> str:
    """The country of an object, by its code, or its state, whichever is asked for; empty where it does not tell."""
    is_country = region in load_words("countries")
    keys = _COUNTRY_IN if is_country else _STATE_IN
    value = next((value for key, value in one.items() if key.lower() in keys and isinstance(value, str)), "")
    if is_country:
        return _codes().get(fold(value), "")
    return region if fold(value) == fold(region) else value if len(value) >= SHORTEST_IN_FULL or not value.isascii() else ""
