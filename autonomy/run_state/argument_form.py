"""Form fields for a call's arguments, and the arguments back from a filled form."""

import json
from collections.abc import Mapping
from typing import Any, Literal

from autonomy.errors import RunConflict
from discovery.catalog import Frozen, JsonObject

PREFIX = "argument."
"""Of the fields' names, so that an argument called `csrf` stays an argument."""


class ArgumentField(Frozen):
    """One field."""

    name: str
    kind: Literal["text", "json", "choice", "item"]
    """A text as it is; anything else as JSON; one of the schema's own values; what stays as it is or is left out."""
    value: str
    choices: tuple[str, ...] = ()
    about: str = ""
    """What the schema says of it."""
    is_long: bool = False


def fields_of(arguments: JsonObject, schema: JsonObject) -> tuple[ArgumentField, ...]:
    """A field for each argument, and an empty one for each that the schema knows and the call leaves out."""
    known: Mapping[str, Any] = schema.get("properties") or {}
    names = [*arguments, *(name for name in known if name not in arguments)]
    return tuple(_field(name, arguments.get(name), name in arguments, _schema_of(known, name)) for name in names)


def arguments_of(form: Mapping[str, object], original: JsonObject, schema: JsonObject) -> JsonObject:
    """The arguments as the form has them. Raises `RunConflict` naming the field that is no JSON.

    What stands as it stood is taken over from the original, because a browser changes line ends; an emptied field of anything but
    a text leaves the argument out.
    """
    found: JsonObject = {}
    for field in fields_of(original, schema):
        given = form.get(PREFIX + field.name)
        if field.kind == "item":
            found |= {field.name: original[field.name]} if isinstance(given, str) else {}
        elif not isinstance(given, str) or _same_text(given, field.value):
            if field.name in original:
                found[field.name] = original[field.name]
        elif field.kind == "text":
            found[field.name] = given.replace("\r\n", "\n")
        elif given.strip():
            try:
                found[field.name] = json.loads(given)
            except ValueError as error:
                raise RunConflict(f"{field.name}: {given.strip()[:80]!r} is no JSON ({error})") from error
    return found


def _field(name: str, value: Any, given: bool, schema: Mapping[str, Any]) -> ArgumentField:
    choices = tuple(json.dumps(one, ensure_ascii=False) for one in schema.get("enum") or ())
    is_text = isinstance(value, str) if given else schema.get("type") == "string"
    kind: Literal["text", "json", "choice", "item"] = (
        "item" if given and "const" in schema else "choice" if choices else "text" if is_text else "json"
    )
    if not given:
        text = ""
    elif kind == "text":
        text = value
    else:
        text = json.dumps(value, ensure_ascii=False, indent=None if kind == "choice" else 2)
    about = str(schema.get("description") or "")[:200]
    return ArgumentField(
        name=name, kind=kind, value=text, choices=choices, about=about, is_long="\n" in text or len(text) > 60 or kind == "json"
    )


def _schema_of(known: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    schema = known.get(name)
    return schema if isinstance(schema, Mapping) else {}


def _same_text(given: str, shown: str) -> bool:
    return given.replace("\r\n", "\n") == shown.replace("\r\n", "\n")
