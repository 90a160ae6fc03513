"""Finds calls of a "read-only" tool that would change something: `readOnlyHint` is only a claim."""

import re
from collections.abc import Sequence

from autonomy.policy.decision_table import SourceClass, TracedValue
from autonomy.policy.sinks import Sink, sink_of
from autonomy.policy.texts.sql_statements import changing_statement, speaks_sql
from autonomy.provenance.sources.leaves import last_key, leaves
from discovery.catalog import JsonObject, ToolSpec

CHANGES = frozenset({"POST", "PUT", "PATCH", "DELETE"})
"""Methods of HTTP."""
METHODS = frozenset(
    {"method", "http_method", "httpmethod", "verb", "http_verb", "request_method", "_method"}
    | {"x_http_method", "x_http_method_override", "x_method_override"}
)
"""Arguments, headers and fields that say by which method of HTTP something is asked for."""
_SAVES = re.compile(
    r"(?:save|write|download|export|store)_(?:to|as|in|path|file|dir|folder)|(?:out|output|dest|destination|target)_?(?:path|file|filename|dir|folder)|to_file"
)
"""Arguments that say where what was read is kept; `output` alone is mostly a format."""


def decides_what_happens(argument: str, path: str = "$") -> bool:
    """Whether an argument, or a member of it, can make a read do more than read."""
    names = _names(argument, path)
    return bool(names & METHODS) or any(map(_SAVES.fullmatch, names))


def change_by_read(spec: ToolSpec, traced: Sequence[TracedValue], arguments: JsonObject, known: str) -> str:
    """The change that a call of a "read-only" tool would make, in a few words; empty if none.

    What stands in `known`, the words of those who may decide, is wanted.
    """
    for value in traced:
        if value.source is SourceClass.WORDS or not decides_what_happens(value.argument, value.path):
            continue
        if value.value.upper() in CHANGES:
            return value.value.upper()
        if value.sink is not Sink.FLAG and any(map(_SAVES.fullmatch, _names(value.argument, value.path))):
            return f"{value.argument} {value.value}"
    return next((found for name, value in arguments.items() if (found := _statement(spec, name, value, known))), "")


def _names(argument: str, path: str) -> set[str]:
    """`saveTo` and `save-to` are `save_to`."""
    return {re.sub(r"(?<=[a-z])(?=[A-Z])|-", "_", name).lower() for name in (argument, last_key(path))}


def _statement(spec: ToolSpec, name: str, value: object, known: str) -> str:
    sink = sink_of(name, {})
    if sink not in (Sink.COMMAND, Sink.QUERY):
        return ""
    is_sql = sink is Sink.COMMAND or speaks_sql(
        f"{spec.name} {spec.description} {spec.parameters.get(name)}"[:_LONGEST_DEFINITION]
    )
    texts = (leaf.value for leaf in leaves([value], key=name) if isinstance(leaf.value, str) and leaf.value not in known)
    return next(filter(None, (changing_statement(text, is_sql=is_sql) for text in texts)), "")


_LONGEST_DEFINITION = 5_000
"""Characters of a definition in which it says that it takes SQL."""
