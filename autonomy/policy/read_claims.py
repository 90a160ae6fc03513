"""Tells by what a call of a tool that says it reads would do otherwise: `readOnlyHint` is a claim."""

import re
from collections.abc import Sequence

from autonomy.policy.decision_table import SourceClass, TracedValue
from autonomy.policy.sinks import Sink, sink_of
from autonomy.provenance.sources.leaves import last_key, leaves
from discovery.catalog import JsonObject

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
LONGEST_STATEMENT = 100_000
_KIND = r"(?:(?:or replace|temp|temporary|unlogged|unique|materialized|virtual|external) ){0,3}"
_OBJECT = r"(?:table|view|database|schema|user|role|index|function|trigger|procedure)"
_STATEMENT = re.compile(
    r"(?:^|[;)]) ?(?:explain (?:analy[sz]e (?:verbose )?|\([^)]{0,80}analy[sz]e[^)]{0,80}\) ?))?("
    r"delete from|insert (?:or \w{1,9} )?into|replace into"
    r"|update (?:only |or \w{1,9} )?[\w.\"`\[\]]{1,80}(?: (?:as )?\w{1,80})? set"
    rf"|(?:drop|alter|truncate|create) {_KIND}{_OBJECT}|truncate \w|grant \w[^;]{{0,80}} to"
    r"|revoke \w|merge into|attach (?:database|')|copy \w[^;]{0,80} to)\b",
    re.IGNORECASE,
)
"""Statements of SQL that change something, at the beginning or behind another one, in a text with single blanks."""
_COMMENT = re.compile(rf"/\*.{{0,{LONGEST_STATEMENT}}}?(?:\*/|\Z)|--[^\n]{{0,{LONGEST_STATEMENT}}}", re.DOTALL)
"""One that does not end takes in the rest, so that each sign is read once."""


def decides_what_happens(argument: str, path: str = "$") -> bool:
    """Whether an argument, or a member of it, can make a read do more than read."""
    names = _names(argument, path)
    return bool(names & METHODS) or any(map(_SAVES.fullmatch, names))


def change_by_read(traced: Sequence[TracedValue], arguments: JsonObject, known: str) -> str:
    """What a call of a tool that says it reads would change, in a few words; empty where nothing.

    What stands in `known`, the words of those who may decide, is wanted.
    """
    for value in traced:
        if value.source is SourceClass.WORDS or not decides_what_happens(value.argument, value.path):
            continue
        if value.value.upper() in CHANGES:
            return value.value.upper()
        if value.sink is not Sink.FLAG and any(map(_SAVES.fullmatch, _names(value.argument, value.path))):
            return f"{value.argument} {value.value}"
    return next((found for name, value in arguments.items() if (found := _statement(name, value, known))), "")


def _names(argument: str, path: str) -> set[str]:
    """`saveTo` and `save-to` are `save_to`."""
    return {re.sub(r"(?<=[a-z])(?=[A-Z])|-", "_", name).lower() for name in (argument, last_key(path))}


def _statement(name: str, value: object, known: str) -> str:
    sink = sink_of(name, {})
    for leaf in leaves([value], key=name) if sink in (Sink.COMMAND, Sink.QUERY) else ():
        if not isinstance(leaf.value, str) or leaf.value in known:
            continue
        text = " ".join(_COMMENT.sub(" ", leaf.value[:LONGEST_STATEMENT]).split())
        found = _STATEMENT.search(text)
        if found and (sink is Sink.COMMAND or _IS_SQL.search(text) or len(text.split()) <= _FEW_WORDS):
            return found[1].upper()
    return ""


_FEW_WORDS = 3
_IS_SQL = re.compile(r"[;=(]|\bwhere\b", re.IGNORECASE)
"""Search words may begin like a statement: "delete from a list in Python"."""
