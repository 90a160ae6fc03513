"""Finds states that a field has (detected, positive, allowed) and a text tells of the same thing turned round."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, NamedTuple

from autonomy.provenance.sources.leaves import objects_in
from autonomy.provenance.text.normalize import normalize
from autonomy.provenance.text.word_data import alternatives, load_words

LONGEST_READ = 20_000
"""Characters of a text that are read for fields."""
MOST_OBJECTS = 2_000
LONGEST_LABEL = 16


class FieldState(NamedTuple):
    """What a field says of a thing: that it is so, or that it is not."""

    label: str
    """What the field is called, in small letters."""
    pair: str
    """The pair of states of which it has one."""
    side: str
    """`one` or `other`."""
    shown: str
    """As it stands in what was read."""


def field_states(values: Iterable[Any]) -> list[FieldState]:
    """The states that the fields of objects and the lines of texts have; of a thing that has both, none is known."""
    found: dict[tuple[str, str], dict[str, FieldState]] = defaultdict(dict)
    for value in values:
        for one in _stated(value):
            found[one.label, one.pair].setdefault(one.side, one)
    return [state for sides in found.values() if len(sides) == 1 for state in sides.values()]


def turned_round(text: str, states: Iterable[FieldState]) -> Iterator[tuple[str, FieldState]]:
    """What a text says right behind the name of a thing that its field denies, with that field."""
    told = normalize(text).lower()
    for state in states:
        sides = {}
        for match in re.finditer(rf"(?<!\w){re.escape(state.label)}" if state.label.isascii() else re.escape(state.label), told):
            if said := _told_pattern(state.pair).match(told, match.end()):
                sides["other" if said["other"] else "one"] = told[match.start() : said.end()]
        if sides and state.side not in sides:
            yield next(iter(sides.values())), state


def _stated(value: Any) -> Iterator[FieldState]:
    for at, one in enumerate(objects_in(value)):
        if at == MOST_OBJECTS:
            return
        texts = {str(key).lower(): normalize(item).lower() for key, item in one.items() if isinstance(item, str)}
        short = {key: text for key, text in texts.items() if 1 < len(text) <= LONGEST_LABEL and text not in _sides()}
        names = [text for key, text in short.items() if key in _NAMES] or [*short.values()]
        for key, item in one.items():
            state = normalize(item).lower() if isinstance(item, str) else ""
            if state in _sides():
                pair, side = _sides()[state]
                labels = (str(key).replace("_", " ").lower(), *(names if len(names) == 1 else ()))
                yield from (FieldState(label, pair, side, f"{names[0] if names else key}: {item}") for label in labels)
            elif isinstance(item, str):
                yield from _stated_in_lines(item)
    if isinstance(value, str):
        yield from _stated_in_lines(value)


def _stated_in_lines(text: str) -> Iterator[FieldState]:
    for match in _line_pattern().finditer(normalize(text[:LONGEST_READ]).lower()):
        pair, side = _sides()[match["state"]]
        yield FieldState(match["label"], pair, side, match.group().strip())


_NAMES = frozenset({"name", "title", "item", "label", "parameter", "test", "substance", "名前", "名称", "項目", "品目"})


@cache
def _sides() -> dict[str, tuple[str, str]]:
    states = load_words("opposites")["states"]
    return {word: (pair, side) for pair, sides in states.items() for side, words in sides.items() for word in words}


@cache
def _line_pattern() -> re.Pattern[str]:
    label = rf"(?<![^\s|])(?P<label>[^\s:|(),。、]{{2,{LONGEST_LABEL}}})"
    return re.compile(rf"{label}(?:[ \t]*[:|][ \t]*|[ \t]+)(?P<state>{alternatives(_sides())})(?=$|[\s(。、,|.)])", re.MULTILINE)


@cache
def _told_pattern(pair: str) -> re.Pattern[str]:
    words = load_words("opposites")["states"][pair]
    between = r"(?:\([^()\n]{1,20}\))?[ \t]*(?:[はもが:|、]|(?:is|was|are|were|tested|came back)(?=\s))?[ \t]*"
    one = "|".join(f"{re.escape(word)}{_ENDS.get(word[-1:], '')}" for word in sorted(words["one"], key=len, reverse=True))
    return re.compile(rf"{between}(?:(?P<other>{alternatives(words['other'])})|(?P<one>{one}))")


_ENDS = {
    "可": r"(?![能決否動視])",
    "要": r"(?![件約求望点素らり])",
    "り": r"(?![まが得う])",
    "出": r"(?![限器さし力])",
    "e": r"(?![a-z])",
}
"""What may not follow a state that ends so, or it is another word."""
