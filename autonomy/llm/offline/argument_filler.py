"""Fills a tool's arguments from known values, by its schema.

Known are the values a job gives, its inputs, the schema's own defaults and enums, and what other read tools can list: a missing
`channel_id` is answered by the tool that lists channels.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, tzinfo
from functools import partial
from typing import Any

from autonomy.llm.messages import ToolDefinition
from autonomy.llm.offline.conversation_state import ConversationState, PlannedCall, collect_all
from autonomy.llm.offline.result_items import content, identity, items, strings
from autonomy.llm.offline.vocabulary import FIELDS, TIME_WORDS, VALUE_WORDS, alike, terms
from discovery.catalog import JsonObject
from discovery.schemas.schema_walk import followed
from discovery.text.near_names import snake_case
from metrics.text.quotations import SPOKEN

MAX_ITEMS = 20
"""The most channels, posts, … that one need is spread over."""
ALIKE_ENOUGH = 0.3
"""From which likeness on two names of arguments mean the same."""

_ID = re.compile(r"(?:^|_)(id|number|no|key|code|ts)$", re.IGNORECASE)
_IDENTIFIER = re.compile(r"(?=[A-Z0-9]*[0-9])[A-Z][A-Z0-9]{5,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
"""Nobody is called so: a code in capitals and digits (Slack's ids of members and channels), a UUID."""
_BEGINNING = re.compile(r"[:,、。]|\.(?=\s|$)")
"""Ends the part of a description that says what the tool is for; details follow."""
_MISSING = object()


REACH_DAYS = {"today": (0, 0), "tomorrow": (1, 1), "day_after_tomorrow": (2, 2), "yesterday": (-1, -1), "week": (0, 6)}
"""The days, from today, that a schema's word for time stands for; a forecast's week begins today."""


class CannotFillError(Exception):
    """A tool fits, but there is no value for one of its arguments."""

    def __init__(self, tool: ToolDefinition, argument: str) -> None:
        example = example_of(properties(tool).get(argument, {}))
        self.phrase = "no_value_such_as" if example else "no_value"
        self.values = {"tool": tool.name, "argument": argument, "example": example}
        super().__init__(f"{tool.name}: {argument}")


def properties(tool: ToolDefinition) -> dict[str, JsonObject]:
    """The declared arguments of a tool: name → schema, with references followed and `anyOf: [X, null]` read as X."""
    declared = tool.input_schema.get("properties", {})
    return {name: _plain(tool.input_schema, schema) for name, schema in declared.items()}


def _plain(root: JsonObject, schema: Any) -> JsonObject:
    if not isinstance(schema, dict):
        return {}
    plain = followed(root, schema)
    choices = [followed(root, one) for one in plain.get("anyOf", ()) if isinstance(one, dict) and one.get("type") != "null"]
    return {**plain, **choices[0]} if choices else plain


def required(tool: ToolDefinition) -> tuple[str, ...]:
    """The arguments without which the tool cannot be called."""
    return tuple(tool.input_schema.get("required", ()))


def placed(tool: ToolDefinition, values: JsonObject) -> JsonObject:
    """Every given value under the argument of its name, else under the one most like it; what finds no place is left out."""
    form = properties(tool)
    found = {name: value for name, value in values.items() if name in form}
    for name in [one for one in values if one not in form]:
        free = [other for other in form if other not in found]
        best = max(free, key=lambda other: _likeness(name, other, form[other]), default=None)
        if best is not None and _likeness(name, best, form[best]) >= ALIKE_ENOUGH:
            found[best] = values[name]
    return found


def places(tool: ToolDefinition, values: JsonObject) -> float:
    """The share of the given values that a tool has arguments for."""
    return len(placed(tool, values)) / len(values) if values else 1.0


def subject_terms(tool: ToolDefinition) -> frozenset[str]:
    """The terms of what a tool is about: of its name, and of the beginning of its description."""
    return terms(tool.name) | terms(_BEGINNING.split(tool.description.strip(), maxsplit=1)[0])


def example_of(schema: JsonObject) -> str:
    """What a value of an argument looks like, by its choices or its description; empty where they say none."""
    quoted = [text for groups in SPOKEN.findall(str(schema.get("description", ""))) for text in groups if text]
    examples = schema.get("enum") or schema.get("examples") or quoted or [schema[one] for one in ("default",) if schema.get(one)]
    return ", ".join(map(str, examples[:4])) or ("https://example.com" if schema.get("format") == "uri" else "")


def page_argument(tool: ToolDefinition) -> str | None:
    """The argument that takes the cursor of the next page."""
    return next((name for name in FIELDS.page_arguments if name in properties(tool)), None)


def choose(options: Sequence[Any], words: str) -> Any:
    """The option that the words speak of, or None."""
    return next((option for option in options if any(saying and saying in words.lower() for saying in sayings(option))), None)


def sayings(option: Any) -> tuple[str, ...]:
    """How people say an option of an enum, in lower case."""
    plain = str(option).lower()
    return (plain, *(saying.lower() for words in (TIME_WORDS, VALUE_WORDS) for saying in words.get(plain, ())))


def time_words(schema: JsonObject) -> list[str]:
    """The words for time that an argument takes: of its enum, or named by the description of one that takes text."""
    if "enum" in schema:
        return [one for one in schema["enum"] if one in REACH_DAYS]
    described = f"{schema.get('description', '')} {schema.get('default', '')}".lower()
    if "yyyy" in described:
        return []
    return [word for word in TIME_WORDS if word in REACH_DAYS and re.search(rf"(?<![a-z_]){word}(?![a-z_])", described)]


@dataclass(frozen=True)
class ArgumentFiller:
    """The values that arguments are filled from."""

    readers: Sequence[ToolDefinition]
    """The tools that only read, for looking things up."""
    state: ConversationState
    inputs: JsonObject
    words: str
    """The goal and the need, for choosing among an enum's values, and a day."""
    today: date
    zone: tzinfo
    language: str
    """The reader's, in which a tool is to answer."""

    def fill(self, tool: ToolDefinition, fixed: JsonObject, *, strict: bool = False, narrow: bool = True) -> list[JsonObject]:
        """The argument sets to call the tool with: one, or one for each thing that had to be looked up.

        `strict`: every given value must find its place, as a write would otherwise not be what the job asked for.
        `narrow`: inputs other than the date may fill arguments that are not required.
        Raises `CannotFillError`, and `AnswerPending` when something must be looked up first.
        """
        form = properties(tool)
        filled = placed(tool, fixed)
        if strict and len(filled) < len(fixed):
            raise CannotFillError(tool, next(name for name in fixed if name not in form))
        for name in form:
            may_take_input = narrow or name in required(tool) or terms(name) & {"#day", "#start", "#end"}
            value = self._from_inputs(name, form) if may_take_input and name not in filled else _MISSING
            if value is not _MISSING:
                filled[name] = value
            elif not strict and name not in filled and (word := self._day_said(form[name])):
                filled[name] = word
        spoken = {
            name: self.language for name in FIELDS.language_arguments if self.language in form.get(name, {}).get("enum", ())
        }
        filled = {**({} if strict else spoken), **filled}
        names = list(filled)
        lacking = [name for name in required(tool) if name not in filled and "default" not in form.get(name, {})]
        values = collect_all(
            [partial(self._named, tool, name, fit(filled[name], form[name])) for name in names]
            + [partial(self._lacking, tool, name, form.get(name, {})) for name in lacking]
        )
        values_of = dict(zip([*names, *lacking], values, strict=True))
        spread = next((name for name in lacking if len(values_of[name]) > 1), None)
        if spread and (strict or any(len(values_of[name]) > 1 for name in lacking if name != spread)):
            raise CannotFillError(tool, spread)
        first = {name: values_of[name][0] for name in form if name in values_of}
        return [{**first, spread: one} for one in values_of[spread]] if spread else [first]

    def _from_inputs(self, name: str, form: Mapping[str, JsonObject]) -> Any:
        """An input of the same name or meaning; the day for a day, its bounds for a start and an end."""
        input_name = (
            name if name in self.inputs else next((one for one in self.inputs if terms(one) and terms(one) == terms(name)), None)
        )
        if input_name is not None and self.inputs[input_name] not in (None, ""):
            value = self.inputs[input_name]
            enum = form[name].get("enum")
            return value if enum is None or value in enum else _MISSING
        if "date" not in self.inputs or any(terms(other) == terms("date") for other in form):
            return _MISSING
        begins = datetime.combine(self.today, time(), self.zone)
        bound = {"#start": begins, "#end": begins + timedelta(days=1)}
        return next((moment for concept, moment in bound.items() if concept in terms(name)), _MISSING)

    def _day_said(self, schema: JsonObject) -> str:
        """The word of an argument for the one day that the goal and the need speak of; empty where they speak of none or
        several, or a job has a date of its own. A default of today would answer a goal that says tomorrow."""
        if "date" in self.inputs or not (words := time_words(schema)):
            return ""
        from autonomy.llm.offline.time_expressions import spans_in  # its patterns take time to compile, and few jobs need them

        reaches = {((one.first - self.today).days, (one.last - self.today).days) for one in spans_in(self.words, self.today)}
        return next((word for word in words if reaches == {REACH_DAYS[word]}), "")

    def _lacking(self, tool: ToolDefinition, name: str, schema: JsonObject) -> list[Any]:
        """Values for a required argument that nobody gave."""
        if "const" in schema:
            return [schema["const"]]
        if "enum" in schema:
            chosen = choose(schema["enum"], self.words)
            return [schema["enum"][0] if chosen is None else chosen]
        noun = noun_of(tool, name)
        if noun and (listed := self.listed(noun, asking=tool)):
            found = [identity(item, name, noun) for item in listed]
            values = [value for value in dict.fromkeys(found) if value is not None]
            if values:
                return [fit(value, schema) for value in values[:MAX_ITEMS]]
        raise CannotFillError(tool, name)

    def _named(self, tool: ToolDefinition, name: str, value: Any) -> list[Any]:
        """The id of the thing that a person called by its name, when a tool lists such things."""
        noun = noun_of(tool, name)
        if not noun or not isinstance(value, str) or not re.search(r"id$", name, re.IGNORECASE) or _IDENTIFIER.fullmatch(value):
            return [value]
        names = strings(value)
        thing = next((item for item in self.listed(noun, asking=tool) if names & strings(item)), None)
        found = identity(thing, name, noun) if thing is not None else None
        return [value if found is None else found]

    def listed(self, noun: str, *, asking: ToolDefinition | None = None) -> list[JsonObject]:
        """All things of a kind, from the best tool that lists them, without those that are closed or not joined."""
        for lister in listers(self.readers, asking, noun):
            answers = self.state.ask_all_pages(PlannedCall(lister.name, {}), page_argument(lister))
            if answers[0].ok:
                found = [item for answer in answers for item in items(content(answer.result)) if isinstance(item, dict)]
                open_ones = [item for item in found if not (item.get("is_archived") or item.get("deleted"))]
                return [item for item in open_ones if item.get("is_member", True)] or open_ones
        return []


def listers(readers: Sequence[ToolDefinition], asking: ToolDefinition | None, noun: str) -> Iterator[ToolDefinition]:
    """The tools that list things of this kind without being told anything, best first."""

    def score(tool: ToolDefinition) -> float:
        name_terms, description_terms = terms(tool.name), terms(tool.description)
        noun_terms = terms(noun)
        if not noun_terms or not noun_terms <= name_terms | description_terms:
            return 0.0
        plural = re.search(rf"{re.escape(noun)}(s|es)\b|{re.escape(noun[:-1])}ies\b", tool.name.replace("_", " "), re.IGNORECASE)
        return 2.0 * (noun_terms <= name_terms) + ("#list" in name_terms | description_terms) + bool(plural)

    able = [tool for tool in readers if tool is not asking and not required(tool)]
    yield from sorted((tool for tool in able if score(tool) >= 2), key=lambda tool: -score(tool))


def noun_of(tool: ToolDefinition, argument: str) -> str:
    """The noun that an argument identifies: `channel` for `channel_id`; for a bare `id`, the subject of the tool. Empty for
    none."""
    plain = snake_case(argument)
    if not _ID.search(plain):
        return ""
    stemmed = _ID.sub("", plain)
    if stemmed:
        return stemmed
    return next((word for word in reversed(tool.name.lower().split("_")) if word not in FIELDS.tool_verbs), "")


def _likeness(argument: str, name: str, schema: JsonObject) -> float:
    described = bool(terms(argument)) and terms(argument) <= terms(str(schema.get("description", "")))
    return max(alike(argument, name), 0.3 if described else 0.0)


def fit(value: Any, schema: JsonObject) -> Any:
    """The value in the form the schema asks for: dates by format, numbers and texts by type, one thing as a list of one."""
    kind = schema.get("type")
    if isinstance(value, datetime):
        return _moment(value, schema)
    if kind == "array" and not isinstance(value, list):
        return [value]
    if kind == "integer" and isinstance(value, str) and re.fullmatch(r"-?\d+", value):
        return int(value)
    if kind == "number" and isinstance(value, str) and re.fullmatch(r"-?\d+(\.\d+)?", value):
        return float(value)
    if kind == "string" and isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    if kind == "boolean" and isinstance(value, str) and value.lower() in ("true", "false"):
        return value.lower() == "true"
    return value


def _moment(moment: datetime, schema: JsonObject) -> Any:
    """A moment as seconds for a number or a timestamp, else as ISO 8601."""
    described = str(schema.get("description", "")).lower()
    if schema.get("type") in ("integer", "number"):
        return int(moment.timestamp())
    if schema.get("format") is None and any(word in described for word in ("timestamp", "epoch", "unix")):
        return f"{moment.timestamp():.0f}"
    return moment.isoformat() if schema.get("format") == "date-time" or "iso 8601" in described else moment.date().isoformat()


def reads_a_channel(tool: ToolDefinition) -> bool:
    """Whether a tool reads the messages of one channel, and needs nothing but to know which."""
    names = required(tool)
    return len(names) == 1 and noun_of(tool, names[0]) == "channel" and "#message" in terms(f"{tool.name} {tool.description}")


def search_argument(form: Mapping[str, JsonObject]) -> str | None:
    """The argument that takes words to search for."""
    return next((name for name in form if name == "q" or terms(name) == terms("search")), None)


def searches_words(tool: ToolDefinition) -> bool:
    """Whether a tool searches texts for words, and needs nothing else."""
    form = properties(tool)
    name = search_argument(form)
    if "#user" in terms(tool.name) or (name and re.search(r"\bSQL\b", str(form[name].get("description", "")))):
        return False  # it finds people, and nothing that they said; or it takes a query in a language of its own
    return name is not None and "#search" in terms(f"{tool.name} {tool.description}") and set(required(tool)) <= {name}
