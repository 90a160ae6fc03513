"""Splits names into words, and finds known names that are close to an unknown one."""

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, get_args

if TYPE_CHECKING:
    from pydantic import BaseModel

CLOSE = 0.6
"""The least similarity (difflib's ratio): `comand` has 0.92 to `command`, `diaryy` 0.91 to `diary`, `digest` 0.36."""

_MOST_CHARS = 80
"""A longer name is no typing error, and the comparison takes the product of both lengths."""

_MOST_KEYS = 16
"""The keys of a larger table are not listed."""


_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def split_at_case(name: str) -> str:
    """Set a space where a name's case begins a word: `getPDFReport` → `get PDF Report`."""
    return _HUMP.sub(" ", name)


def snake_case(name: str) -> str:
    """Return a name as Python writes it: `getPDFReport`, `get-pdf-report` → `get_pdf_report`."""
    return _HUMP.sub("_", name).replace("-", "_").lower()


def name_words(name: str) -> list[str]:
    """Return the Latin words of a name in lower case, without figures: `getPDFReport_v2` → get, pdf, report, v."""
    return re.findall(r"[a-z]+", split_at_case(name).lower())


def near_names(name: str, known: Iterable[str], *, most: int = 1) -> tuple[str, ...]:
    """Return at most `most` known names that may have been meant, ignoring case.

    The closest come first, then those with the same words and more, or fewer (`weather`: `weather_get_weather`).
    """
    from difflib import get_close_matches  # late: needed only after a mistake

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
    """Return the parts of a name with more than two letters."""
    return {word for word in re.split(r"[^\w]+|_", name) if len(word) > 2}


def did_you_mean(name: str, known: Iterable[str], *, most: int = 1) -> str:
    """Return the end of a sentence about an unknown name: `; did you mean diary?`, or nothing if no name is close."""
    near = near_names(name, known, most=most)
    return f"; did you mean {', '.join(near)}?" if near else ""


def near_key(model: "type[BaseModel]", place: tuple[int | str, ...]) -> str:
    """Return the same for an unknown key, given pydantic's location of it (`loc`) and the model.

    If no key is close, the result lists those of a small table: `; there are input, items, csv`.
    """
    *above, key = place
    models = [model]
    for part in above:
        fields = [field for one in models for name, field in one.model_fields.items() if part in (name, field.alias)]
        if fields:  # otherwise an index of a list, a key of a dictionary, or a member of a union
            models = [inner for field in fields for inner in _models_in(field.annotation)]
    known = [field.alias or name for one in models for name, field in one.model_fields.items()]
    listed = f"; there are {', '.join(known)}" if len(models) == 1 and 0 < len(known) <= _MOST_KEYS else ""
    return did_you_mean(str(key), known) or listed


def _models_in(annotation: Any) -> "Iterator[type[BaseModel]]":
    if hasattr(annotation, "model_fields"):
        yield annotation
    for part in get_args(annotation):
        yield from _models_in(part)
