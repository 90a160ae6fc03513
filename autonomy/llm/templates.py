"""Renders the `{{…}}` templates of job arguments.

`{{inputs.user}}` or `{{user}}` · `{{date:%Y/%m/%d}}` or `{{inputs.date:%Y/%m/%d}}` · `{{result}}` · `{{need_id}}` (all it found,
as text) ·
`{{need_id.field}}` · `{{need_id[name, minutes]}}` (a table: for each thing found a row of these fields) ·
`{{need_id[name, minutes:hours where minutes > 45 h]}}` (only rows above a figure, minutes told as hours and minutes).
"""

import re
from collections.abc import Callable, Mapping
from datetime import date
from typing import Any, NamedTuple

_TEMPLATE = re.compile(r"\{\{\s*([^{}]+?)\s*\}\}")

_FIELD = re.compile(r"(\w+)\.(\w+)")
_TABLE = re.compile(r"(\w+)\s*\[([^\[\]]+?)(?:\s+where\s+(\w+)\s*>\s*([^\[\]]+?))?\s*\]")
_FIGURE = re.compile(r"(\d+(?:\.\d+)?)\s*(h?)", re.IGNORECASE)

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


def referred(value: Any) -> list[str]:
    """The names that the templates in a value begin with: `result`, `inputs`, or the id of a need."""
    if isinstance(value, dict | list):
        return [name for inner in (value.values() if isinstance(value, dict) else value) for name in referred(inner)]
    return [re.split(r"[.\[:\s]", one)[0] for one in _TEMPLATE.findall(value)] if isinstance(value, str) else []


def field_taken(value: Any) -> tuple[str, str] | None:
    """The need and the field of its result that a value consists of (`{{draft.number}}`); None where it is anything else."""
    whole = _TEMPLATE.fullmatch(value) if isinstance(value, str) else None
    found = _FIELD.fullmatch(whole[1]) if whole else None
    return (found[1], found[2]) if found else None


class TableTemplate(NamedTuple):
    """The template `need_id[name, minutes:hours where minutes > 45 h]`."""

    need: str
    fields: tuple[str, ...]
    as_hours: frozenset[str] = frozenset()
    """The fields, of minutes, that are told as hours and minutes."""
    counted: str = ""
    """The field that decides which rows count; without it all do."""
    above: float = 0.0

    def counts(self, row: Mapping[str, Any]) -> bool:
        """Whether a row of a result is one of those asked for."""
        figure = row.get(self.counted)
        return not self.counted or (isinstance(figure, int | float) and not isinstance(figure, bool) and figure > self.above)

    def cell(self, field: str, value: Any, language: str) -> Any:
        """A field's value as the row tells it."""
        return format_hours(value, language) if field in self.as_hours and isinstance(value, int | float) else value


def table_of(expression: str) -> TableTemplate | None:
    """The table that an expression asks for; None for any other. Raises `ValueError` for a figure that is none."""
    table = _TABLE.fullmatch(expression)
    if table is None:
        return None
    need, columns, counted, above = table.groups()
    fields = [field.strip().partition(":") for field in columns.split(",")]
    if unknown := next((form for _, _, form in fields if form not in ("", "hours")), ""):
        raise ValueError(f"{unknown!r} is no form of a field (say hours)")
    return TableTemplate(
        need,
        tuple(name for name, _, _ in fields),
        frozenset(name for name, _, form in fields if form),
        counted or "",
        read_figure(above) if counted else 0.0,
    )


def tables_in(value: Any) -> list[TableTemplate]:
    """The tables that an argument asks for, or all arguments. Raises as `table_of`."""
    if isinstance(value, dict):
        return [table for inner in value.values() for table in tables_in(inner)]
    found = _TEMPLATE.findall(value) if isinstance(value, str) else ()
    return [table for expression in found if (table := table_of(expression)) is not None]


def read_figure(text: str) -> float:
    """A figure, such as `2700`, or `45 h` for so many hours in minutes. Raises `ValueError`."""
    figure = _FIGURE.fullmatch(text.strip())
    if figure is None:
        raise ValueError(f"{text!r} is no figure (say 2700, or 45 h for hours in minutes)")
    return float(figure[1]) * (60 if figure[2] else 1)


def format_hours(minutes: float, language: str) -> str:
    """Minutes as people say them: `35 h 15 min`, 35時間15分."""
    hours, rest = divmod(round(minutes), 60)
    parts = [(hours, "時間" if language == "ja" else " h"), (rest, "分" if language == "ja" else " min")]
    filled = [f"{number}{unit}" for number, unit in parts if number]
    return ("" if language == "ja" else " ").join(filled) or f"0{parts[1][1]}"


def formatted(day: date, form: str) -> str:
    """A day in a form such as `%Y/%m/%d`; without one as ISO 8601."""
    return day.strftime(form) if form else day.isoformat()
