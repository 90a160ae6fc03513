"""Finds known names that are close to an unknown one."""

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, get_args

if TYPE_CHECKING:
    from pydantic import BaseModel

CLOSE = 0.6
"""How alike a name must be (difflib's ratio): `comand` is 0.92 to `command`, `diaryy` 0.91 to `diary`, `digest` 0.36."""

_MOST_CHARS = 80
"""A longer name was no slip of the finger, and comparing takes its length times that of each known name."""

_MOST_KEYS = 16
"""Keys of a table that are listed: more would bury what is wrong."""


def near_names(name: str, known: Iterable[str], *, most: int = 1) -> tuple[str, ...]:
    """At most `most` known names that may have been meant: the closest first, then those with the same words and more, or fewer
    (`weather`: `weather_get_weather`). Capitals do not count."""
    from difflib import get_close_matches  # here: only who made a mistake pays for loading it

    if len(name) > _MOST_CHARS:
        return ()
    spelled = {one.casefold(): one for one in known}
    near = get_close_matches(name.casefold(), spelled, most, CLOSE)
    words = _words_of(name.casefold())
    near += [
        one for one in spelled if one not in near and words and (words <= _words_of(one) or words >= _words_of(one) != set())
    ]
    return tuple(spelled[one] for one in near[:most])


def _words_of(name: str) -> set[str]:
    """The parts of a name; of two letters or fewer, which stand in names of every kind, none."""
    return {word for word in re.split(r"[^\w]+|_", name) if len(word) > 2}


def did_you_mean(name: str, known: Iterable[str], *, most: int = 1) -> str:
    """The end of a sentence that says that a name is unknown: `; did you mean diary?`, or nothing where no name is close."""
    near = near_names(name, known, most=most)
    return f"; did you mean {', '.join(near)}?" if near else ""


def near_key(model: "type[BaseModel]", place: tuple[int | str, ...]) -> str:
    """The same end for a key that a table does not have: the place is where pydantic found it (`loc`), read as the model. Where
    no key is close, those of a small table: `; there are input, items, csv`."""
    *above, key = place
    models = [model]
    for part in above:
        fields = [field for one in models for name, field in one.model_fields.items() if part in (name, field.alias)]
        if fields:  # else the number of an item, a key of a table of tables, or which one of a union was read
            models = [inner for field in fields for inner in _models_in(field.annotation)]
    known = [field.alias or name for one in models for name, field in one.model_fields.items()]
    listed = f"; there are {', '.join(known)}" if len(models) == 1 and 0 < len(known) <= _MOST_KEYS else ""
    return did_you_mean(str(key), known) or listed


def _models_in(annotation: Any) -> "Iterator[type[BaseModel]]":
    if hasattr(annotation, "model_fields"):
        yield annotation
    for part in get_args(annotation):
        yield from _models_in(part)
