"""Splits a call's arguments into values, each with the sink that it goes to."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Literal, NamedTuple

from autonomy.policy.dataflow import is_usual
from autonomy.policy.policy_words import policy_words
from autonomy.policy.sinks import WHO_OR_WHERE, Sink, keys_that_say_who, sink_of, without_null
from autonomy.policy.texts.addresses import TOO_LONG, addresses_in, looks_like_address, mentions_in
from autonomy.policy.texts.carried_out import closed_by_wording, commands_in_wording, is_formula
from autonomy.policy.write_plan import same_value
from autonomy.provenance.action_claims import OUTWARD, kinds_of_tool
from autonomy.provenance.sources.leaves import Leaf, doubles_a_key, last_key, leaves, parsed
from discovery.catalog import JsonObject, ToolSpec
from discovery.schemas.schema_walk import followed, presets
from discovery.text.near_names import name_words

MOST_CHARS = 1_000_000
"""Of one value."""
LONGEST_ADDRESS = 2_000
WORDING = frozenset({Sink.TEXT, Sink.QUERY})
_WORDED = frozenset({Sink.TEXT, Sink.NAME})
"""What is read as JSON where it is JSON: a message may be given so, with whom it goes to."""


class PlacedValue(NamedTuple):
    """One value of a call and where it goes; where it came from is yet to be found out."""

    argument: str
    path: str
    value: str | float | bool
    sink: Sink
    schema: JsonObject
    """Its argument's."""
    is_preset: bool = False
    """Whether its argument's own schema gives it, or what it is a part of."""
    part: Literal["whole", "mention", "address"] = "whole"
    """What it is of the argument's value."""
    in_sheet: bool = False
    """Whether its tool speaks of sheets, rows or cells."""
    is_document: bool = False
    """Whether it is what a file holds: that is sent to nobody."""
    of_code: bool = False
    """Whether its tool speaks of commits and merges, in whose wording trackers look for orders."""


def placed_values(spec: ToolSpec, arguments: JsonObject) -> Iterator[PlacedValue]:
    """Every value of a call, also those that stand inside of another: addresses, mentions, commands."""
    words = set(name_words(" ".join((spec.name, *spec.parameters))))
    in_sheet, of_code = not words.isdisjoint(policy_words("of_sheets")), not words.isdisjoint(policy_words("of_code"))
    for name, value in arguments.items():
        schema = without_null(followed(spec.input_schema, spec.parameters.get(name, {})))
        schema = _items(followed(spec.input_schema, schema))
        given = presets(spec.input_schema, schema)
        in_file = "file" in spec.tool.lower() and not name.lower().endswith(_BESIDE_A_FILE)
        is_document = in_file or (name in ("content", "contents") and "path" in spec.parameters)
        whole = _sink_of_argument(spec, name, value, schema)
        is_text = isinstance(value, str) and (
            is_document or whole not in _WORDED or isinstance(parsed(value), str) or doubles_a_key(value)
        )
        found = list(leaves([value] if is_text else value, key=name))
        beside = {(_holder(leaf), leaf.key): leaf.value for leaf in found if leaf.key == "type" or leaf.key in _CALLS_A_FIELD}
        for leaf in found:
            if leaf.key == "range" and beside.get((_holder(leaf), "type")) == "broadcast":
                yield PlacedValue(name, leaf.path, f"<!{leaf.value}>", Sink.LINK, {}, part="mention")
            sink, is_preset = _sink_of_member(_sink_within(whole, name, leaf), name, leaf, beside), _is_preset(leaf.value, given)
            # whose own calendar or account it is, nobody else can have chosen
            if not (sink in WHO_OR_WHERE and (is_usual(value, schema) or leaf.value in policy_words("oneself"))):
                placed = PlacedValue(name, leaf.path, leaf.value, sink, schema, is_preset)
                yield from _parts(placed._replace(in_sheet=in_sheet, is_document=is_document, of_code=of_code))
        if whole in WHO_OR_WHERE:
            for path, key in keys_that_say_who(value, spec.input_schema):
                yield from _parts(PlacedValue(name, path, key, whole, {}))


def _sink_of_argument(spec: ToolSpec, name: str, value: Any, schema: JsonObject) -> Sink:
    sink = sink_of(name, schema)
    if sink is Sink.NAME and _is_of_cells(value, spec):
        return Sink.TEXT
    if sink is Sink.NAME and name not in spec.parameters:
        return Sink.RECIPIENT  # the schema does not know it and its name says nothing: what it decides could be anything
    if sink is Sink.TIME and name.lower() == "from" and _names_sender(value, spec):
        return Sink.IDENTITY
    return sink


def _names_sender(value: Any, spec: ToolSpec) -> bool:
    """Whether `from` says in whose name something is sent, and no time from which on."""
    return isinstance(value, str) and not re.search(r"\d", value) and bool(kinds_of_tool(spec.tool) & OUTWARD)


def _sink_of_member(sink: Sink, name: str, leaf: Leaf, beside: Mapping[tuple[str, str], Any]) -> Sink:
    """The sink of a leaf by its value, and by what its object says of it. `beside`: the kind of each object, and which field it
    fills, by the object's path and the key."""
    holder = _holder(leaf)
    if leaf.key == "id" and "mention" in (beside.get((holder, "type")), beside.get((holder.rpartition(".")[0], "type"))):
        return Sink.RECIPIENT  # Jira: {"type": "mention", "attrs": {"id": …}}
    if sink in _WORDED and leaf.key not in _CALLS_A_FIELD:  # {"name": "assignee", "value": …}
        called = (sink_of(str(beside[holder, key]), {}) for key in _CALLS_A_FIELD if (holder, key) in beside)
        sink = next((member for member in called if member in WHO_OR_WHERE), sink)
    if sink in (Sink.NAME, Sink.AMOUNT) and _says_which_one(leaf.key or name, leaf.value):
        return Sink.ID
    if isinstance(leaf.value, bool):  # also `reply_broadcast`, though not how a piece of a text is set (`{"bold": true}`)
        return Sink.FLAG if sink is Sink.NAME or (sink in WORDING and leaf.path == "$") else sink
    if sink is Sink.NAME and not isinstance(leaf.value, str):
        # where the schema names no type, a number is an amount, unless its name says otherwise (`priority`)
        return sink_of(leaf.key or name, {"type": "number"})
    return sink


def _says_which_one(name: str, value: Any) -> bool:
    """Whether an argument that is called after a thing (`issue`) holds which one: a whole number, or one word with a figure."""
    words = name_words(name)
    if not words or words[-1] not in policy_words("things") or isinstance(value, bool):
        return False
    return isinstance(value, int) or (isinstance(value, str) and _ONE_WITH_A_FIGURE.fullmatch(value) is not None)


_ONE_WITH_A_FIGURE = re.compile(r"(?=\D{0,100}\d)\S{1,200}")


def _holder(leaf: Leaf) -> str:
    """The path of the object that a leaf stands in."""
    return leaf.path.rpartition(".")[0]


_BESIDE_A_FILE = ("message", "comment", "title", "subject")
"""What a tool that writes or sends a file says of it: services read orders there."""
_CALLS_A_FIELD = frozenset({"name", "key", "field", "fieldName", "field_name", "property", "header", "attribute"})
"""Keys beside which another one holds what the field gets that they name."""


def _is_preset(value: Any, given: list[Any]) -> bool:
    """Whether a value is one of these, or stands in one: in a list or object that is a default."""
    if value in given:  # a schema may hold thousands for each of hundreds of arguments: most are looked through here alone
        return any(same_value(value, one) for one in given)
    return any(same_value(value, leaf.value) for one in given if isinstance(one, list | dict) for leaf in leaves(one))


def _is_of_cells(value: Any, spec: ToolSpec) -> bool:
    """Whether a value is the rows of a sheet: what people read there, however the argument is called."""
    return (
        isinstance(value, list)
        and all(isinstance(row, list) for row in value)
        and any("sheet" in name.lower() for name in spec.parameters)
    )


def _sink_within(whole: Sink, name: str, leaf: Leaf) -> Sink:
    """The sink of one member of an argument.

    An argument that says nothing itself is what its members are called, and a message may hold whom it goes to; but a
    recipient's `text` is still a recipient.
    """
    if leaf.key in ("", name) or whole not in (Sink.NAME, *WORDING):
        return whole
    if leaf.key == "code" and isinstance(leaf.value, str) and _ONE_WORD.fullmatch(leaf.value):
        return Sink.ID  # kintone calls a person's login so; no program is one word
    held = _VALUE.search(leaf.path)  # kintone: {"担当者": {"value": …}}
    holder = last_key(leaf.path[: held.start()]) if held else ""
    member = sink_of(holder or leaf.key, {})
    member = sink_of(leaf.key, {}) if leaf.key == "values" and member not in WHO_OR_WHERE else member  # those of a row are text
    return member if whole is Sink.NAME or member in (Sink.RECIPIENT, Sink.SECRET) else whole


_ALTERNATIVE = re.compile(r"([A-Za-z_]{1,40}?)(?:Or(?=[A-Z])|_or_)[A-Za-z_]{1,40}")
_VALUE = re.compile(r"\.values?(?:\[\d{1,9}\])?$")
_ONE_WORD = re.compile(r"[\w@.-]{1,64}")


def _items(schema: JsonObject) -> JsonObject:
    items = schema.get("items")
    return {**schema, **items} if isinstance(items, dict) else schema


def _parts(whole: PlacedValue) -> Iterator[PlacedValue]:
    """A value, and the addresses and mentions inside of it: a place or a name can carry one as well as a body."""
    value, sink = whole.value, whole.sink
    if not isinstance(value, str):
        yield whole
        return
    if not value.strip():
        return
    if len(value) > MOST_CHARS:
        yield whole._replace(value=TOO_LONG, sink=Sink.LINK, part="address")
        return
    # `notify_all` may be a switch, and whom it holds is none; the `domain` of a lamp is one word, that of a host has a dot
    holds_address = "." in value or looks_like_address(value[:LONGEST_ADDRESS])
    is_address = holds_address if sink is Sink.FLAG else _is_remote(value)
    if sink is Sink.HOST and not holds_address and (other := _ALTERNATIVE.match(whole.argument)):
        sink = sink_of(other[1], {})  # what `idOrUrl` holds is told by its form
    if sink not in (*WORDING, *WHO_OR_WHERE) and is_address:
        sink = Sink.HOST
    if sink in _SHOWN and is_formula(value, in_sheet=whole.in_sheet):
        sink = Sink.COMMAND
    yield whole._replace(sink=sink)
    yield from (whole._replace(value=part, sink=kind) for part, kind in _carried_out_in(value, sink, whole))
    if sink not in (Sink.HOST, Sink.FLAG, *WHO_OR_WHERE):
        for mention in dict.fromkeys(mentions_in(value)):
            yield whole._replace(value=mention, sink=Sink.LINK, part="mention")
        for address in dict.fromkeys(addresses_in(value)):
            yield whole._replace(value=address, sink=Sink.LINK, part="address")


def _carried_out_in(text: str, sink: Sink, whole: PlacedValue) -> Iterator[tuple[str | int, Sink]]:
    """The parts of a wording that its service carries out, each with what it is."""
    if sink is Sink.TEXT and not whole.is_document:
        yield from ((command, Sink.COMMAND) for command in commands_in_wording(text, of_code=whole.of_code))
        yield from ((closed, Sink.ID) for closed in closed_by_wording(text, of_code=whole.of_code))
    if sink is Sink.NAME and _PAIRS.fullmatch(text):
        members = ((value, sink_of(key, {})) for key, value in _PAIR.findall(text))
        yield from ((value, member) for value, member in members if member in WHO_OR_WHERE)
    if whole.argument.lower() in policy_words("one_line"):
        yield from ((header, Sink.RECIPIENT) for header in _HEADER.findall(text))


_PAIR = re.compile(r"([\w.-]{1,40})=([^&;,\s]{1,200})")
_PAIRS = re.compile(rf"{_PAIR.pattern}(?:[&;,\s]{{1,3}}{_PAIR.pattern}){{0,30}}")
"""What is nothing but members of a form (`to=U_EVIL&notify=1`)."""
_SHOWN = frozenset({Sink.TEXT, Sink.NAME, Sink.PLACE, Sink.AMOUNT, Sink.TIME})
"""What a cell can hold that is shown to people."""
_HEADER = re.compile(
    r"[\r\n]\s{0,9}(?:bcc|cc|to|from|sender|reply-to|x-[\w-]{1,40})\s{0,9}:\s{0,9}([^\r\n]{1,200})", re.IGNORECASE
)
"""A header of a mail behind a line break in what is one line of it: whoever builds the mail by hand sends it so."""


def _is_remote(value: str) -> bool:
    """Whether a value is an address whatever its argument is called."""
    return len(value) <= LONGEST_ADDRESS and " " not in value.strip() and "@" not in value and looks_like_address(value)
