"""Classifies where an argument's value goes: a recipient, a host, an amount, plain wording, …"""

import re
from collections.abc import Iterator
from enum import StrEnum
from functools import lru_cache
from typing import Any

from autonomy.policy.policy_words import policy_words
from autonomy.provenance.sources.leaves import is_data, member
from discovery.catalog import JsonObject
from discovery.schemas.schema_walk import as_object, objects, subschemas
from discovery.text.near_names import name_words

LONGEST_NAME = 200
"""Characters of an argument's name that are read: names come from strangers' schemas."""


MOST_PARTS = 500
"""Parts of a value that are looked through for keys."""
MORE_PARTS = "(more parts than can be looked through)"
"""Stands for the rest, as a key that nobody gave."""


class Sink(StrEnum):
    """The class of a value's destination, worst first. An argument that nothing is known of is a name: it may come from words or
    fields."""

    SECRET = "secret"  # noqa: S105 - the name of a class of arguments
    """A password, key or code."""
    HOST = "host"
    """A URL, host or other address that something is fetched from or sent to."""
    RECIPIENT = "recipient"
    """Who or what place gets it: a person, channel, account, file."""
    IDENTITY = "identity"
    """Whom it is about or in whose name it happens."""
    ID = "id"
    """Which existing thing it touches."""
    AMOUNT = "amount"
    TIME = "time"
    PLACE = "place"
    NAME = "name"
    QUERY = "query"
    """Words that are searched for."""
    TEXT = "text"
    """Wording for people."""
    LINK = "link"
    """An address that stands inside wording or a query."""
    FLAG = "flag"
    """One of the choices that the schema lists."""
    COMMAND = "command"
    """What is carried out as it stands: a shell's command, a statement, a script."""


WHO_OR_WHERE = frozenset({Sink.SECRET, Sink.HOST, Sink.RECIPIENT, Sink.IDENTITY, Sink.ID})
"""Sinks through which a value decides who gets something or what is touched: a plan fixes them only to the user's words."""


def sink_of(name: str, schema: JsonObject) -> Sink:
    """The class of an argument by its choices, its format, and the last telling word of its name, in two languages."""
    schema = without_null(schema)
    if schema.get("type") == "boolean":
        return Sink.FLAG
    if "enum" in schema or "const" in schema:
        sink = _of_name(name[:LONGEST_NAME])
        return sink if sink in WHO_OR_WHERE else Sink.FLAG  # which of the listed channels is still where it goes
    formats: dict[str, str] = policy_words("formats")
    if (form := schema.get("format")) in formats:
        return Sink(formats[form])
    return _of_name(name[:LONGEST_NAME]) or _of_title(schema) or (Sink.AMOUNT if _is_number(schema) else Sink.NAME)


def without_null(schema: JsonObject) -> JsonObject:
    """The schema of an argument as it is where it is given: `bool | None` is a switch, and a union of constants a choice."""
    kind, branches = schema.get("type"), objects(schema.get("anyOf") or schema.get("oneOf"))
    if isinstance(kind, list) and len(kinds := [one for one in kind if one != "null"]) == 1:
        return {**schema, "type": kinds[0]}
    given = [branch for branch in branches if branch.get("type") != "null"]
    if len(given) == 1:
        return {**given[0], **schema}
    return {**schema, "enum": [one["const"] for one in given]} if given and all("const" in one for one in given) else schema


def is_caption(key: str) -> bool:
    """Whether a field of this name is what somebody calls a thing (a title, a display name), and so his own wording."""
    return _of_name(key[:LONGEST_NAME]) in (Sink.TEXT, Sink.NAME) or bool(_CALLED.search(key[:LONGEST_NAME]))


def keys_that_say_who(value: Any, input_schema: JsonObject) -> Iterator[tuple[str, str]]:
    """The keys of an object that neither the tool's schema nor a field is called by, with their paths: `{"U123": "editor"}`.

    What is no name at all counts as a leaf already (`is_data`).
    """
    stack, declared = [("$", value)], None
    for _ in range(MOST_PARTS):
        if not stack:
            return
        path, branch = stack.pop()
        if isinstance(branch, list):
            stack += [(f"{path}[{at}]", one) for at, one in enumerate(branch[:MOST_PARTS])]
        elif isinstance(branch, dict):
            if declared is None:
                declared = {name for part in subschemas(input_schema) for name in as_object(part.get("properties"))}
            stack += [(member(path, key), one) for key, one in branch.items()]
            strange = [key for key in map(str, branch) if key not in declared and not is_data(key)]
            yield from ((member(path, key), key) for key in strange if _of_name(key[:LONGEST_NAME]) is None)
    yield "$", MORE_PARTS


_CALLED = re.compile(r"(?<=[_ -])names?$|(?<=[a-z])Names?$")


@lru_cache(maxsize=10_000)  # names come from strangers' schemas and data: for good they would fill the memory
def _of_name(name: str) -> Sink | None:
    words = name_words(name)
    if words == ["code"]:
        return Sink.COMMAND  # a country's or a product's code is called so: `country_code`
    if words in (["with"], ["who"], ["whom"]):
        return Sink.RECIPIENT  # what `replace_with` gives is wording
    if words and words[-1] in ("id", "ids", "key", "number") and len(words) > 1:
        if _kind(words[-2]) is Sink.SECRET or words[-2:] == ["api", "key"]:
            return Sink.SECRET
        return Sink.RECIPIENT if words[-2].removesuffix("s") in policy_words("identity_id_heads") else Sink.ID
    if len(words) > 1 and words[-1] in ("name", "names") and _kind(words[-2]) in WHO_OR_WHERE:
        return _kind(words[-2])  # a channel's name says which channel
    if words[-2:] in (["from", "name"], ["bot", "name"], ["organizer", "name"]):
        return Sink.IDENTITY
    for word in reversed(words):
        if (kind := _kind(word)) is not None:
            return kind
    return next((Sink(kind) for kind, kind_words in policy_words("ja").items() if any(word in name for word in kind_words)), None)


def _kind(word: str) -> Sink | None:
    spellings = (word, word.removesuffix("s"))  # `times` says how often, and no time
    latin = policy_words("latin").items()
    return next((Sink(kind) for spelling in spellings for kind, kind_words in latin if spelling in kind_words), None)


def _of_title(schema: JsonObject) -> Sink | None:
    title: Any = schema.get("title")
    return _of_name(title[:LONGEST_NAME]) if isinstance(title, str) else None


def _is_number(schema: JsonObject) -> bool:
    return schema.get("type") in ("integer", "number")
