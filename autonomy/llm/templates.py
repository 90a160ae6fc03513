"""Renders the `{{…}}` templates of job arguments.

`{{inputs.user}}` or `{{user}}` · `{{date:%Y/%m/%d}}` or `{{inputs.date:%Y/%m/%d}}` · `{{result}}` · `{{need_id}}` (all it found,
as text) ·
`{{need_id.field}}` · `{{need_id[name, minutes]}}` (a table: for each thing found a row of these fields).
"""

import re
from collections.abc import Callable
from datetime import date
from typing import Any

_TEMPLATE = re.compile(r"\{\{\s*([^{}]+?)\s*\}\}")

_TABLE = re.compile(r"(\w+)\s*\[([^\[\]]+)\]")

Lookup = Callable[[str], Any]
"""Gives the value of an expression, or None when there is none."""


def render(value: Any, lookup: Lookup) -> Any:
    """Fill every template in a value; None in place of one that has no value (a list or object then lacks that entry)."""
    if isinstance(value, dict):
        filled = {name: render(inner, lookup) for name, inner in value.items()}
        return {name: inner for name, inner in filled.items() if inner is not None}
    if isinstance(value, list):
        return [inner for inner in (render(one, lookup) for one in value) if inner is not None]
    return _render_text(value, lookup) if isinstance(value, str) else value


def _render_text(text: str, lookup: Lookup) -> Any:
    whole = _TEMPLATE.fullmatch(text)
    if whole:
        return lookup(whole.group(1))
    found = {expression: lookup(expression) for expression in _TEMPLATE.findall(text)}
    if None in found.values():
        return None
    return _TEMPLATE.sub(lambda match: _in_words(found[match.group(1)]), text)


def _in_words(value: Any) -> str:
    """A table within a text is a list of lines."""
    if isinstance(value, list) and all(isinstance(row, list) for row in value):
        return "\n".join("- " + " ".join(str(cell) for cell in row) for row in value)
    return str(value)


def mentions(value: Any, expression: str) -> bool:
    """Whether a template in the value refers to this."""
    if isinstance(value, dict | list):
        return any(mentions(inner, expression) for inner in (value.values() if isinstance(value, dict) else value))
    return isinstance(value, str) and any(re.split(r"[.\[]", one)[0] == expression for one in _TEMPLATE.findall(value))


def columns_of(expression: str) -> tuple[str, tuple[str, ...]] | None:
    """The need and the fields of `need_id[name, minutes]`; None for any other expression."""
    table = _TABLE.fullmatch(expression)
    return (table.group(1), tuple(field.strip() for field in table.group(2).split(","))) if table else None


def formatted(day: date, form: str) -> str:
    """A day in a form such as `%Y/%m/%d`; without one as ISO 8601."""
    return day.strftime(form) if form else day.isoformat()
