"""Builds form fields from the arguments of a question, and arguments from a filled form."""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, Literal

from autonomy.errors import RunConflict
from autonomy.llm.model_json import read_json
from autonomy.run_state.asking.approvals import ApprovalQuestion
from autonomy.run_state.completion_rules import Sections
from discovery.catalog import Frozen, JsonObject
from discovery.schemas.schema import validate
from discovery.schemas.schema_walk import as_object
from metrics.reporting.report_words import effect_in
from metrics.text.word_files import read_words

PREFIX = "argument."
"""Stands before the fields' names, so that an argument called `csrf` stays an argument."""


MOST_ABOUT = 200
"""Characters of what a schema says of an argument."""

_JAPANESE: Mapping[str, str] = read_words("autonomy.run_state.asking", "argument_help")
"""What our own servers say of an argument, and the same in Japanese; read here, not on the event loop at the first card."""


_ENGLISH = {japanese[:MOST_ABOUT]: english for english, japanese in _JAPANESE.items()}


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


def form_of(question: ApprovalQuestion, language: str = "en") -> tuple[ArgumentField, ...]:
    """A question's fields; in a list of calls a tick for each call, and behind it the fields of its arguments.

    `language`: of what our own servers say about their arguments; what others say stands in their words.
    """
    found = [] if question.calls else list(fields_of(question.arguments, question.input_schema))
    for label, call in question.by_label.items():
        found.append(ArgumentField(name=label, kind="item", value="", about=effect_in(call.effect, language)))
        inner = fields_of(call.arguments, call.input_schema)
        found += (field.model_copy(update={"name": f"{label} {field.name}"}) for field in inner)
    return explained_in(found, language)


def explained_in(fields: Iterable[ArgumentField], language: str) -> tuple[ArgumentField, ...]:
    """The same fields with what our own servers say of them in a language; what others say stands in their words."""
    descriptions = _JAPANESE if language == "ja" else _ENGLISH
    return tuple(field.model_copy(update={"about": descriptions.get(field.about, field.about)}) for field in fields)


def read_form(form: Mapping[str, object], question: ApprovalQuestion) -> JsonObject | None:
    """The arguments as a filled form has them; None when they are the ones that were asked about.

    Raises `RunConflict` naming the field that is no JSON.
    """
    arguments = {
        label: arguments_of(form, call.arguments, call.input_schema, f"{PREFIX}{label} ")
        for label, call in question.by_label.items()
        if isinstance(form.get(PREFIX + label), str)
    }
    if not question.calls:
        arguments = arguments_of(form, question.arguments, question.input_schema)
    return arguments if arguments != question.arguments else None


def only(question: ApprovalQuestion, numbers: Collection[int]) -> JsonObject | None:
    """The items of a list that have these numbers, from 1 as their labels say; None when those are all of them.

    Raises `RunConflict` for a question that is no list, and for a number that no item has.
    """
    numbered = {label.partition(".")[0]: label for label in items_of(question)}
    if strange := [number for number in numbers if str(number) not in numbered]:
        there = f"those are {', '.join(numbered)}" if numbered else "it is no list"
        raise RunConflict(f"nothing in this question has the number {strange[0]}: {there}")
    chosen = {label: question.arguments[label] for number, label in numbered.items() if int(number) in numbers}
    return chosen if chosen != question.arguments else None


def items_of(question: ApprovalQuestion) -> tuple[str, ...]:
    """The labels of a list's items, each of which can be left out; none for a question about one thing."""
    kinds = {field.kind for field in fields_of(question.arguments, question.input_schema)}
    return tuple(question.arguments) if question.calls or kinds == {"item"} else ()


def edit_problems(question: ApprovalQuestion, arguments: JsonObject) -> tuple[str, ...]:
    """The faults of changed arguments against the schema of the tool and what the job asks of its texts, or those of each tool of
    a list, a sentence each."""
    if not question.calls:
        return (*validate(question.input_schema, arguments), *_lost_headings(question, arguments))
    by_label = question.by_label
    strange = tuple(f"{label}: it was not asked about" for label in arguments.keys() - by_label.keys())
    fit = ((label, edit_problems(by_label[label], one)) for label, one in arguments.items() if label in by_label)
    return (*strange, *(f"{label} {problem}" for label, problems in fit for problem in problems))


def _lost_headings(question: ApprovalQuestion, arguments: JsonObject) -> Iterator[str]:
    """The headings that an edit took away: the job would not be done with what goes out, and it is too late to mend it then."""
    for name, titles in question.headings.items():
        text = arguments.get(name)
        if isinstance(text, str) and (absent := Sections(titles=titles).absent_from(text)):
            yield f"{name}: these sections are missing or empty: {', '.join(absent)}"


def fields_of(arguments: JsonObject, schema: JsonObject) -> tuple[ArgumentField, ...]:
    """A field for each argument, and an empty one for each that the schema knows and the call leaves out."""
    schemas: Mapping[str, Any] = as_object(schema.get("properties"))
    names = [*arguments, *(name for name in schemas if name not in arguments)]
    return tuple(_field(name, arguments.get(name), name in arguments, _schema_of(schemas, name)) for name in names)


def arguments_of(form: Mapping[str, object], original: JsonObject, schema: JsonObject, prefix: str = PREFIX) -> JsonObject:
    """The arguments as the form has them, under `prefix` and their names. Raises `RunConflict` naming the field that is no JSON.

    What stands as it stood is taken over from the original, because a browser changes line ends; an emptied field of anything but
    a text leaves the argument out.
    """
    found: JsonObject = {}
    for field in fields_of(original, schema):
        entered = form.get(prefix + field.name)
        if field.kind == "item":
            found |= {field.name: original[field.name]} if isinstance(entered, str) else {}
        elif not isinstance(entered, str) or _same_text(entered, field.value):
            if field.name in original:
                found[field.name] = original[field.name]
        elif field.kind == "text":
            found[field.name] = entered.replace("\r\n", "\n")
        elif entered.strip():
            try:
                found[field.name] = read_json(entered)
            except ValueError as error:
                raise RunConflict(f"{field.name}: {entered.strip()[:80]!r} is no JSON ({error})") from error
    return found


def _field(name: str, value: Any, is_present: bool, schema: Mapping[str, Any]) -> ArgumentField:
    choices = tuple(json.dumps(one, ensure_ascii=False) for one in schema.get("enum") or ())
    is_text = isinstance(value, str) if is_present else _takes_only_text(schema)
    kind: Literal["text", "json", "choice", "item"] = (
        "item" if is_present and "const" in schema else "choice" if choices else "text" if is_text else "json"
    )
    if not is_present:
        text = ""
    elif kind == "text":
        text = value
    else:
        text = json.dumps(value, ensure_ascii=False, indent=None if kind == "choice" else 2)
    about = str(schema.get("description") or "")[:MOST_ABOUT]
    return ArgumentField(
        name=name, kind=kind, value=text, choices=choices, about=about, is_long="\n" in text or len(text) > 60 or kind == "json"
    )


def _takes_only_text(schema: Mapping[str, Any]) -> bool:
    """Whether a value can be nothing but a text, or null: whoever fills in a title writes no quotes around it."""
    types = [one.get("type") for one in schema.get("anyOf") or (schema,) if isinstance(one, Mapping)]
    flat = [one for found in types for one in (found if isinstance(found, list) else [found])]
    return "string" in flat and set(flat) <= {"string", "null"}


def _schema_of(schemas: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    schema = schemas.get(name)
    return schema if isinstance(schema, Mapping) else {}


def _same_text(entered: str, shown: str) -> bool:
    return entered.replace("\r\n", "\n") == shown.replace("\r\n", "\n")
