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
    r"delete from(?= ?[^\s;])|insert (?:or \w{1,9} )?into|replace into"
    r"|update (?:only |or \w{1,9} )?[\w.\"`\[\]]{1,80}(?: (?:as )?\w{1,80})? set"
    rf"|(?:drop|alter|truncate|create) {_KIND}{_OBJECT}(?= ?[^\s;])|truncate \w+|grant \w[^;]{{0,80}} to"
    r"|revoke \w[^;]{0,80} from|merge into|attach (?:database|')|copy \w[^;]{0,80} to)\b",
    re.IGNORECASE,
)
"""Statements of SQL that change something, at the beginning or behind another one, in a text with single blanks."""
_PROCEDURE = re.compile(r"(?:^|[;)]) ?(call|exec(?:ute)?)(?: (?=[^\s;])|(?=[('\"\[]))", re.IGNORECASE)
"""What is called may change anything."""
_IS_PROCEDURE = re.compile(r"[\w.\"`\[\]]{1,80} ?[(;=]|[(']|@|[\w\"`\[\]]{0,80}[_.]\w")
"""What stands behind, where search words may: "call center" and "execute a plan" are no names of procedures."""
_SELECT = re.compile(
    r"[( ]{0,9}(?:explain (?:\([^)]{0,80}\)|analy[sz]e(?: verbose)?) ?)?[( ]{0,9}(?:select|with)\b", re.IGNORECASE
)
_INTO = re.compile(r"\binto\b(?! ?@) ?[^\s;]", re.IGNORECASE)
"""MySQL's `INTO @name` keeps what was selected for the session alone."""
_LITERAL = re.compile("'[^']*'")
_OTHER_QUOTES = re.compile(r"[\\\"`$\[]")
"""With these a literal may end elsewhere than it seems to."""
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
        is_sql = sink is Sink.COMMAND or _IS_SQL.search(text) is not None
        found = _STATEMENT.search(text)
        if found and (is_sql or len(text.split()) <= _FEW_WORDS):
            return found[1].upper()
        for called in _PROCEDURE.finditer(text):
            if sink is Sink.COMMAND or _IS_PROCEDURE.match(text, called.end()):
                return called[1].upper()
        if is_sql and _selects_into(text):
            return "SELECT INTO"
    return ""


def _selects_into(text: str) -> bool:
    """Whether a statement of SQL keeps what it selects in a table or a file; what stands in a literal is no part of it."""
    bare = text if _OTHER_QUOTES.search(text) else _LITERAL.sub("''", text)
    return any(_SELECT.match(part) and _INTO.search(part) for part in bare.split(";"))


_FEW_WORDS = 3
_IS_SQL = re.compile(r"[;=(*]|\bwhere\b", re.IGNORECASE)
"""Search words may begin like a statement: "delete from a list in Python"."""
