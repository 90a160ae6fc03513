"""Looks up a write with an unknown outcome at its receiver.

How to look is declared (`discovery.catalog.Lookup`), by the tool itself or by the operator.
"""

from collections.abc import Awaitable, Callable, Mapping
from string import Template
from typing import Any

from autonomy.calls.verification.effect_ledger import Seen
from autonomy.calls.verification.read_back import strings_in
from discovery.catalog import Catalog, JsonObject, ToolOutput, ToolSpec

Read = Callable[[ToolSpec, JsonObject], Awaitable[ToolOutput | None]]
"""Calls a read; None when the run may not, or nothing came back."""


async def look_up_write(
    spec: ToolSpec, arguments: JsonObject, key: str, catalog: Catalog, read: Read, sleep: Callable[[float], Awaitable[None]]
) -> Seen:
    """Whether a write under this key happened. "absent" only where the lookup declares after what time a write is visible."""
    declared = spec.lookup
    readers = [one for one in catalog.of(spec.provider) if one.read_only and declared is not None and one.tool == declared.tool]
    if declared is None or not readers:
        return "unclear"
    reader = readers[0]
    values = {**arguments, "key": key}
    try:
        read_arguments, mark = _fill_template(declared.arguments, values), str(_fill_template(declared.shows, values)).strip()
    except (KeyError, ValueError):  # it names an argument that this write does not have
        return "unclear"
    seen = _find_mark(await read(reader, read_arguments), mark)
    if seen != "absent" or declared.absent_after_s is None:
        return "unclear" if seen == "absent" else seen
    await sleep(declared.absent_after_s)
    return _find_mark(await read(reader, read_arguments), mark)


def _find_mark(output: ToolOutput | None, mark: str) -> Seen:
    if output is None or output.is_error or not mark:
        return "unclear"
    return "found" if any(mark in text for text in (output.text, *strings_in(output.structured))) else "absent"


def _fill_template(template: Any, values: Mapping[str, Any]) -> Any:
    """A declared value with `$name` filled in; one that is nothing but a name keeps the type of what it stands for."""
    match template:
        case str() if template.removeprefix("$") in values and template.startswith("$"):
            return values[template[1:]]
        case str():
            return Template(template).substitute(values)
        case dict():
            return {name: _fill_template(value, values) for name, value in template.items()}
        case list():
            return [_fill_template(value, values) for value in template]
        case _:
            return template
