"""Tells which arguments take values of one fixed form, such as paths, addresses and time zones."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from discovery.catalog import JsonObject
from discovery.text.search_terms import normalized
from metrics.text.phrases import patterns_of

_PHRASES = patterns_of("autonomy.llm.offline")
COUNTED_FROM_FIRST, COUNTED_FROM_LAST = _PHRASES["the_first_of_them"], _PHRASES["the_last_of_them"]
COUNTED_FROM = rf"(?i:{COUNTED_FROM_FIRST.pattern}|{COUNTED_FROM_LAST.pattern})\s?"
"""From which end so many things are counted."""
COUNTERS = "件個つ"
"""Stand behind a number of any things; 行 tells that they are lines."""


@dataclass(frozen=True)
class ValueForm:
    """What values of one kind look like, and what tells the arguments that take such a value and no other words."""

    looks: re.Pattern[str]
    names: frozenset[str]
    described: re.Pattern[str]


def _form(looks: str, names: str, described: str = "(?!)") -> ValueForm:
    return ValueForm(re.compile(looks), frozenset(names.split()), re.compile(described, re.IGNORECASE))


FORMS: Mapping[str, ValueForm] = {
    "url": _form(r"https?://[^\s\"'`<>\u3000-\uffef]+", "url uri href", r"\burl\b"),
    "email": _form(r"[\w.+-]{1,64}@[A-Za-z0-9-]{1,64}(?:\.[A-Za-z0-9-]{1,64}){1,5}", "email mail"),
    "sql": _form(r"\b(?i:select)\s(?=.*(?i:\sfrom\s))[^「」`]{1,4000}", "sql", r"\bsql\b"),
    "pattern": _form(r"[A-Za-z0-9_./-]{0,200}\*[A-Za-z0-9_./*-]{0,200}", "pattern glob"),
    "path": _form(
        r"(?<![A-Za-z0-9_.])(?:(?:~|[A-Za-z]:|\.{1,2})?[/\\][A-Za-z0-9_.@+~/\\-]*"
        r"|[A-Za-z0-9_-]{1,80}\.[A-Za-z][A-Za-z0-9]{0,4}(?![A-Za-z0-9.]))",
        "path paths filepath",
    ),
    "zone": _form(
        r"(?:Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Europe|Indian|Pacific|Etc)(?:/[A-Z][A-Za-z_+-]{1,20}){1,2}"
        r"|UTC|GMT",
        "timezone zone tz",
        r"\biana\b",
    ),
    "clock": _form(r"(?<![\d:])\d{1,2}:\d\d(?::\d\d)?(?![\d:])", "", r"\bhh:mm"),
    "expression": _form(r"[-(]{0,9}\d[\d .(]{0,40}[-+*/^%×÷][\d .+*/^%×÷()-]{0,200}[\d)]", "expression formula"),
    "number": _form(
        rf"(?:{COUNTED_FROM})?"
        + r"(?<![A-Za-z0-9_.:/#-])-?\d{1,15}(?:\.\d{1,15})?(?![A-Za-z0-9_:/]|\.\d|-\d)"
        + f"[{COUNTERS}]?",
        "",
    ),
}
"""In the order in which they are looked for: a part of an address is no path."""


_HOLDS_PATHS = frozenset({"file", "files", "filename", "dir", "directory", "folder", "repo"})
"""Names of arguments that take a path, or what people call the thing."""


def words_of_name(name: str) -> set[str]:
    """The words of an argument's name."""
    return set(re.split(r"[\W_]+", normalized(name)))


def takes(kind: str, name: str, schema: JsonObject) -> bool:
    """Whether an argument may take a value of this kind; a quoted text is taken where any words are, and for a path."""
    one = schema.get("items", {}) if schema.get("type") == "array" else schema
    strict = kind_of(name, schema)
    if strict or one.get("type") != "string" or "enum" in one:
        return strict == kind or (kind == "text" and strict in ("path", "pattern"))
    return kind == "text" or (kind == "path" and bool(words_of_name(name) & _HOLDS_PATHS))


def kind_of(name: str, schema: JsonObject) -> str:
    """The one kind of values that an argument takes; empty where it takes any words."""
    one = schema.get("items", {}) if schema.get("type") == "array" else schema
    if one.get("type") in ("integer", "number"):
        return "number"
    if one.get("type") != "string" or "enum" in one:
        return ""
    if one.get("format") in ("uri", "email"):
        return {"uri": "url", "email": "email"}[one["format"]]
    return _kind_told(name, str(schema.get("description", "")))


@lru_cache(maxsize=1024)
def _kind_told(name: str, described: str) -> str:
    """The kind that an argument's name or description tells of; each goal asks of each argument of all tools, for each kind."""
    words = words_of_name(name)
    by_name = (kind for kind, form in FORMS.items() if words & form.names)
    return next(by_name, "") or next((kind for kind, form in FORMS.items() if form.described.search(described)), "")
