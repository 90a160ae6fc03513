"""Splits a call's arguments into values, each with its sink and its source."""

import re
from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from typing import Any, Literal, NamedTuple

from autonomy.policy.dataflow import is_usual
from autonomy.policy.decision_table import INDIFFERENT_TO_READS, SourceClass, TracedValue
from autonomy.policy.policy_words import any_stands, in_words, policy_words
from autonomy.policy.read_claims import decides_what_happens
from autonomy.policy.sinks import WHO_OR_WHERE, Sink, is_caption, keys_that_say_who, sink_of, without_null
from autonomy.policy.texts.account_numbers import is_number_named
from autonomy.policy.texts.addresses import (
    TOO_LONG,
    addresses_in,
    addresses_named,
    holds_unseen,
    is_id_in_link,
    is_mailbox_named,
    is_named,
    looks_like_address,
    mailbox_of,
    mentions_in,
    normal,
    readable,
    split_list,
)
from autonomy.policy.texts.carried_out import closed_by_wording, commands_in_wording, is_formula
from autonomy.policy.texts.codes import holds_code
from autonomy.policy.texts.file_names import is_file_named
from autonomy.policy.texts.left_out import leaves_out, left_out_as, without_left_out
from autonomy.policy.texts.request_mood import begins_no_order, words_of_orders
from autonomy.policy.texts.said_names import (
    in_singular,
    is_said_itself,
    own_part,
    said_in_other_number,
    says_more,
    stands_as_name,
)
from autonomy.policy.write_plan import only_measures, same_value
from autonomy.provenance import Origin, Sources, ValueSource
from autonomy.provenance.action_claims import kinds_of_tool
from autonomy.provenance.sources.identities import LONGEST_PART, telling_words
from autonomy.provenance.sources.leaves import Leaf, doubles_a_key, keys_of, last_key, leaves, parsed
from autonomy.provenance.sources.sibling_records import Naming
from discovery.catalog import JsonObject, ToolSpec
from discovery.schemas.schema_walk import followed, presets
from discovery.text.near_names import name_words

MOST_VALUES = 500
"""Of one call that are looked up one by one; a call with more has `TOO_MANY` as well, which nobody gave."""
MOST_CHARS = 1_000_000
"""Of one value."""
TOO_MANY = "(more values than can be looked up)"
LONGEST_ADDRESS = 2_000
QUOTED = 120
"""Characters of a source that a question shows."""

_CLASSES = {
    Origin.OPERATOR: SourceClass.WORDS,
    Origin.JOB: SourceClass.WORDS,
    Origin.ASKER: SourceClass.WORDS,
    Origin.FIELD: SourceClass.FIELD,
    Origin.PASTED: SourceClass.PASTED,
}
_WORDING = frozenset({Sink.TEXT, Sink.QUERY})
_WORDED = frozenset({Sink.TEXT, Sink.NAME})
"""What is read as JSON where it is JSON: a message may be given so, with whom it goes to."""


class _Placed(NamedTuple):
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


def trace_arguments(
    spec: ToolSpec,
    arguments: JsonObject,
    sources: Sources,
    named_addresses: frozenset[str],
    old_addresses: frozenset[str] = frozenset(),
    siblings: Collection[str] | None = None,
) -> tuple[TracedValue, ...]:
    """Every value of a call.

    `named_addresses`: the addresses that stand in the words of those who may decide, in normal form.
    `old_addresses`: those of the text that the call's wording is a new version of; there they tell nobody anything new.
    `siblings`: the tools of the same provider, who alone can say whom its ids belong to; None for all.
    """
    found: list[TracedValue] = []
    for placed in _placed_values(spec, arguments):
        if len(found) >= MOST_VALUES:
            too_many = TracedValue(
                argument=placed.argument, path="$", value=TOO_MANY, sink=Sink.RECIPIENT, source=SourceClass.NOWHERE
            )
            return (*found, too_many)
        addresses = named_addresses | old_addresses if placed.part == "address" else named_addresses
        found += (_traced(one, sources, addresses, siblings) for one in _each_listed(placed, sources))
    return tuple(found)


def _each_listed(placed: _Placed, sources: Sources) -> list[_Placed]:
    """Each of several who get something that one text lists (`U1, U2`), where nobody gave the list as it is."""
    value = placed.value
    if placed.sink not in WHO_OR_WHERE or not isinstance(value, str) or len(value) > LONGEST_ADDRESS:
        return [placed]
    if sources.trace(value).parts and _stands_whole(value, sources):
        return [placed]
    return [placed._replace(value=mailbox_of(piece)) for piece in split_list(value) or [value]]


def depends_on_sources(spec: ToolSpec, arguments: JsonObject) -> bool:
    """Whether it matters to the decision on a read where its values came from: most only say what is looked for."""
    return any(
        placed.sink not in INDIFFERENT_TO_READS or decides_what_happens(placed.argument, placed.path)
        for placed in _placed_values(spec, arguments)
    )


def _placed_values(spec: ToolSpec, arguments: JsonObject) -> Iterator[_Placed]:
    words = set(name_words(" ".join((spec.name, *spec.parameters))))
    in_sheet, of_code = not words.isdisjoint(policy_words("of_sheets")), not words.isdisjoint(policy_words("of_code"))
    for name, value in arguments.items():
        schema = without_null(followed(spec.input_schema, spec.parameters.get(name, {})))
        schema = _items(followed(spec.input_schema, schema))
        given = presets(spec.input_schema, schema)
        in_file = "file" in spec.tool.lower() and not name.lower().endswith(_BESIDE_A_FILE)
        is_document = in_file or (name in ("content", "contents") and "path" in spec.parameters)
        whole = sink_of(name, schema)
        if whole is Sink.NAME and _is_of_cells(value, spec):
            whole = Sink.TEXT
        if whole is Sink.NAME and name not in spec.parameters:
            whole = Sink.RECIPIENT  # the schema does not know it and its name says nothing: what it decides could be anything
        if whole is Sink.TIME and name.lower() == "from" and _names_sender(value, spec):
            whole = Sink.IDENTITY
        is_text = isinstance(value, str) and (
            is_document or whole not in _WORDED or isinstance(parsed(value), str) or doubles_a_key(value)
        )
        found = list(leaves([value] if is_text else value, key=name))
        beside = {(_holder(leaf), leaf.key): leaf.value for leaf in found if leaf.key == "type" or leaf.key in _CALLS_A_FIELD}
        for leaf in found:
            if leaf.key == "range" and beside.get((_holder(leaf), "type")) == "broadcast":
                yield _Placed(name, leaf.path, f"<!{leaf.value}>", Sink.LINK, {}, part="mention")
            sink, is_preset = _sink_of_member(_sink_within(whole, name, leaf), name, leaf, beside), _is_preset(leaf.value, given)
            # whose own calendar or account it is, nobody else can have chosen
            if not (sink in WHO_OR_WHERE and (is_usual(value, schema) or leaf.value in policy_words("oneself"))):
                placed = _Placed(name, leaf.path, leaf.value, sink, schema, is_preset)
                yield from _parts(placed._replace(in_sheet=in_sheet, is_document=is_document, of_code=of_code))
        if whole in WHO_OR_WHERE:
            for path, key in keys_that_say_who(value, spec.input_schema):
                yield from _parts(_Placed(name, path, key, whole, {}))


def _names_sender(value: Any, spec: ToolSpec) -> bool:
    """Whether `from` says in whose name something is sent, and no time from which on."""
    return isinstance(value, str) and not re.search(r"\d", value) and bool(kinds_of_tool(spec.tool) & _SENDING)


_SENDING = frozenset({"post", "mail", "send", "notify", "share"})


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
        return Sink.FLAG if sink is Sink.NAME or (sink in _WORDING and leaf.path == "$") else sink
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


def _as_chosen(traced: TracedValue, value: Any, schema: JsonObject, sources: Sources) -> TracedValue:
    """A switch or choice that says what the call would do anyhow is the schema's; a member of a record that the request speaks of
    (`{"Done": true}`) is its word, any other is the run's own."""
    if traced.sink is not Sink.FLAG or traced.source is SourceClass.WORDS:
        return traced
    if isinstance(value, bool) and traced.path != "$" and sink_of(last_key(traced.path), {}) is Sink.NAME:
        words = set(in_words(own_part(" ".join(sources.asked_values())[:MOST_CHARS])).split())
        if any(set(in_words(key).split()) <= words for key in keys_of(traced.path)):
            return traced.model_copy(update={"source": SourceClass.WORDS})
    usual = any(same_value(value, schema[key]) for key in ("default", "const") if key in schema)
    return traced.model_copy(update={"source": SourceClass.CHOICE if usual else SourceClass.OWN})


def _sink_within(whole: Sink, name: str, leaf: Leaf) -> Sink:
    """The sink of one member of an argument.

    An argument that says nothing itself is what its members are called, and a message may hold whom it goes to; but a
    recipient's `text` is still a recipient.
    """
    if leaf.key in ("", name) or whole not in (Sink.NAME, *_WORDING):
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


def _parts(whole: _Placed) -> Iterator[_Placed]:
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
    if sink not in (*_WORDING, *WHO_OR_WHERE) and is_address:
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


def _carried_out_in(text: str, sink: Sink, whole: _Placed) -> Iterator[tuple[str | int, Sink]]:
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


def _traced(
    placed: _Placed, sources: Sources, named_addresses: frozenset[str], siblings: Collection[str] | None = None
) -> TracedValue:
    value, sink = placed.value, placed.sink
    source, tools, by = _first_source(placed, sources, named_addresses)
    if placed.is_preset and placed.part != "mention" and source is not SourceClass.WORDS and sink not in _WORDING:
        source, tools, by = SourceClass.CHOICE, (), ""
    is_named = is_beside = shared = False
    if source is SourceClass.FIELD:
        among = None if "@" in str(value) else siblings  # a mailbox is the same one everywhere
        is_named = (sink in WHO_OR_WHERE and _is_named(str(value), sources, among)) or (
            sink is Sink.ID and _is_only_one_called_by(str(value), sources, among)
        )
        is_beside = not is_named and _is_of_another_record(value, sink, sources)
        shared = not is_named and not is_beside and sink in WHO_OR_WHERE and _may_be_another(str(value), sources)
    traced = TracedValue(
        argument=placed.argument,
        path=placed.path,
        value=str(value)[:QUOTED],
        sink=sink,
        source=SourceClass.TEXT if is_beside else source,
        tools=tools,
        told_by=by,
        named=is_named,
        shared=shared,
        beside=is_beside,
        left_out=_left_out(str(value), sources) if sink in WHO_OR_WHERE else "",
    )
    return _as_repetition(_as_chosen(traced, value, placed.schema, sources), sources)


_Found = tuple[SourceClass, tuple[str, ...], str]
"""A class, the tools whose results have the value, and who told it."""


def _first_source(placed: _Placed, sources: Sources, named_addresses: frozenset[str]) -> _Found:
    """The source of a value by the part of the argument that it is, before choices and other records are looked at."""
    value, sink = placed.value, placed.sink
    match placed.part:
        case "mention":
            return _source_of_mention(str(value).strip("<>@!&").partition("|")[0], sources)
        case "address":
            return _source_of_address(str(value), sources, named_addresses)
        case _ if sink in _WORDING:
            # a part of the request could be a word of it by chance: only what is fixed or given as a whole is no own wording
            return (SourceClass.WORDS if value in sources.trusted_values() else SourceClass.OWN), (), ""
        case _ if sink is Sink.HOST:
            return _source_of_address(normal(str(value)), sources, named_addresses, whole=str(value))
        case _ if _is_given(value, sink, sources) or (sink is Sink.ID and is_id_in_link(value, named_addresses)):
            return SourceClass.WORDS, (), ""
        case _:
            return _source_by_sink(placed, sources)


def _source_of_mention(handle: str, sources: Sources) -> _Found:
    source, tools, by = _source_of(handle, sources)
    if source is SourceClass.WORDS and handle in CALLS_ALL and not _is_called_for(handle, sources):
        source = SourceClass.OWN  # "the channel" is no wish to call everybody in it
    return (SourceClass.OWN if source is SourceClass.NOWHERE else source), tools, by


def _source_by_sink(placed: _Placed, sources: Sources) -> _Found:
    """The source of a value that is no wording and no address, by what the argument does with it."""
    value, sink = placed.value, placed.sink
    source, tools, by = _source_of(value, sources)
    if sink in WHO_OR_WHERE:
        source = _as_who_or_where(value, source, sources)
        said = sources.trusted_values()
        if source is SourceClass.WORDS and (not is_said_itself(str(value), said) or only_measures(value, "\n".join(said))):
            source = SourceClass.FIELD if tools else SourceClass.TEXT
    elif sink is Sink.AMOUNT and ("currency" in placed.argument.lower() or not re.search(r"\d", str(value))):
        # no code is mere wording, and no sum in letters (十二万)
        source = SourceClass.NOWHERE if source is SourceClass.OWN else source
    if sink is Sink.COMMAND and source is not SourceClass.OWN and not _stands_whole(value, sources):
        source = SourceClass.OWN
    return source, tools, by


def _as_repetition(traced: TracedValue, sources: Sources) -> TracedValue:
    """A time that is one of many (`0 9 * * *`), of which the request does not speak, is a choice that nobody foresaw: with it a
    payment becomes a standing order."""
    if traced.sink is not Sink.TIME or not _OFTEN.search(traced.value):
        return traced
    request = " ".join(sources.asked_values())[:MOST_CHARS]
    if traced.value in request or any_stands("recurring", request):
        return traced
    return traced.model_copy(update={"sink": Sink.FLAG, "source": SourceClass.NOWHERE})


_OFTEN = re.compile(
    r"^(?=[^*]{0,40}\*)(?:[\d*/,?-]{1,20} ){4,6}[\w*/,?#-]{1,20}$|FREQ=|^R\d{0,4}/"
    r"|^@?(?:hourly|daily|weekly|monthly|yearly)$|\bevery\b|毎",
    re.IGNORECASE,
)
"""As cron, iCalendar (RFC 5545) and ISO 8601 write it, and people."""


def _is_given(value: Any, sink: Sink, sources: Sources) -> bool:
    """Whether the request names a mailbox, an account or a file, in whatever spelling, or a thing in singular or plural."""
    if sink is Sink.NAME and _is_said_in_other_number(str(value), sources):
        return True
    if sink not in WHO_OR_WHERE and sink not in _NAMES_A_FILE:
        return False
    own = [own_part(text, str(value)) for text in sources.trusted_values()]
    is_taker = is_mailbox_named(value, addresses_named("\n".join(own))) or is_number_named(value, own)
    return (sink in WHO_OR_WHERE and is_taker) or (sink in _NAMES_A_FILE and is_file_named(value, own))


_NAMES_A_FILE = frozenset({Sink.RECIPIENT, Sink.NAME})
CALLS_ALL = frozenset({"channel", "here", "everyone", "all"})
"""Mentions that call everybody."""


def _is_called_for(handle: str, sources: Sources) -> bool:
    """Whether the words hold the mention itself, with its sign."""
    words = (found.text for found in sources.trace(handle).sources if _CLASSES.get(found.origin) is SourceClass.WORDS)
    return any(f"@{handle}" in text or f"!{handle}" in text for text in words)


def _is_named(value: str, sources: Sources, among: Collection[str] | None) -> bool:
    """Whether the request has another name of this person, channel or place, or the title of this thing, and results show it for
    nobody and nothing else."""
    identities = sources.identities
    shown = identities.shown_names_of(value, among)
    names = [name for name in shown if len(name) > 1 and len(identities.bearers_of_part(name)) == 1]
    titles_and_names = [
        *names,
        *(title for title in identities.captions.of(value, among) if len(identities.bearers_of_part(title)) <= 1),
    ]
    meant = (name for name in titles_and_names if not _is_anothers_with_its_kind(name, value, sources))
    return any(_is_said(name, sources) for name in meant) or _is_addressed(value, shown, sources)


def _is_anothers_with_its_kind(name: str, value: str, sources: Sources) -> bool:
    """Whether a name is what another one is called, with the word for what it is beside it: who calls his room "launch room" is
    not meant by "the launch room" where there is a room Launch."""
    words = name.casefold().split()
    bare = " ".join(word for word in words if word not in policy_words("said_names")["kinds_of_places"])
    return bare != " ".join(words) and bool(sources.identities.bearers(bare) - {value.casefold().strip()})


def _may_be_another(value: str, sources: Sources) -> bool:
    """Whether the request calls somebody or something so that it may as well be another one of what was read."""
    if any(
        bearers > 1 and len(name) > 1 and _is_said(name, sources) for name, bearers in sources.identities.names_at(value).items()
    ):
        return True
    request = " ".join(sources.asked_values())[:MOST_CHARS]
    return not any_stands("choosing", request) and sources.identities.captions.may_be_another(_telling_words(request), value)


def _is_only_one_called_by(identifier: str, sources: Sources, among: Collection[str] | None) -> bool:
    """Whether the request speaks of one thing in words of its title, in which no result calls another thing."""
    request = " ".join(sources.asked_values())[:MOST_CHARS]
    words = _telling_words(request)
    return bool(words) and sources.identities.captions.is_only_one_called_by(words, identifier, request, among)


@lru_cache(maxsize=16)
def _telling_words(words: str) -> frozenset[str]:
    ordered = (word for order in words_of_orders(words) for word in telling_words(order))
    words = own_part(words)
    # "page" and "issue" say which of them as little as "with", or as what is to be done with it
    kinds = frozenset((*policy_words("said_names")["kinds_of_places"], *ordered))
    return frozenset(word for word in telling_words(words) if word not in kinds and not begins_no_order(word))


_OF_A_RECORD = frozenset({Sink.RECIPIENT, Sink.IDENTITY, Sink.AMOUNT})
"""What a record says of who or how much. Which record is meant may be told by another one: the newest after the one of WEB-3."""


def _left_out(value: str, sources: Sources) -> str:
    """The name by which the request leaves out whom a value means; empty where it leaves nobody out, or somebody else."""
    request = " ".join(sources.asked_values())[:MOST_CHARS]
    if not leaves_out(request):
        return ""
    words, identities = own_part(request, value), sources.identities
    names = (value, *identities.shown_names_of(value), *identities.captions.of(value))
    return left_out_as(names, sources.named_in_records(value), words)


def _is_of_another_record(value: Any, sink: Sink, sources: Sources) -> bool:
    """Whether a field is of another record of the list than the one that the request names: it is no better than text then."""
    if sink not in _OF_A_RECORD:
        return False
    request = without_left_out(" ".join(sources.asked_values())[:MOST_CHARS])
    return sources.stands_beside(str(value), Naming(request, _telling_words(request)))


def _is_said(name: str, sources: Sources) -> bool:
    trace = sources.trace(name)
    if trace.weakest not in (Origin.ASKER, Origin.JOB, Origin.OPERATOR) or any(
        holds_unseen(found.text) for found in trace.sources
    ):
        return False
    return _stands_as_name(name, sources)


def _is_addressed(value: str, shown: Collection[str], sources: Sources) -> bool:
    """Whether the request speaks of a person by a part of one of these names, with a title of courtesy (健太さん of 森健太) or
    where only somebody's name can stand ("to Priya" of Priya Nair)."""
    words = own_part(" ".join(sources.trusted_text()))
    given = {part.casefold() for text in sources.trusted_values() for part in _spoken_to(own_part(text))}
    pairs = (pair for name in shown if len(pair := name.split()) == _GIVEN_AND_FAMILY and name.isascii())
    said = [part for pair in pairs for part in pair if part.casefold() in given]
    if any(len(sources.identities.bearers_of_part(part)) == 1 and not _stands_elsewhere(part, value, sources) for part in said):
        return True
    courtesy_names = _called_by_courtesy(words)
    names = [name for name in shown if not name.isascii()] if courtesy_names else []
    parts = {part for name in names for part in courtesy_names if name != part and (name.startswith(part) or name.endswith(part))}
    return any(len(sources.identities.bearers_of_part(part)) == 1 for part in parts)


def _stands_elsewhere(part: str, value: str, sources: Sources) -> bool:
    """Whether a part of a name stands in a record of somebody else, also as a handle or in a mailbox (`priya.nair@…`): the person
    who is meant may be that one."""
    own, word = (
        {value, *sources.named_in_records(value)},
        re.compile(rf"(?<![^\W\d_]){re.escape(part)}(?![^\W\d_])", re.IGNORECASE),
    )
    return any(word.search(text) and text not in own for text in sources.short_fields())


_GIVEN_AND_FAMILY = 2


@lru_cache(maxsize=16)
def _spoken_to(words: str) -> tuple[str, ...]:
    """The capital words to which an order of the request tells or gives something, and not what it says of others to them."""
    found = (part for order in _telling_somebody().finditer(words[:MOST_CHARS]) for part in _CAPITAL.findall(order["whom"]))
    return tuple(part for part in found if part.casefold() not in policy_words("no_given_names"))


_CAPITAL = re.compile(r"[A-Z][a-z]{2,30}")


@lru_cache(maxsize=1)
def _telling_somebody() -> re.Pattern[str]:
    """An order that tells or gives something (`Send a short note to Priya and Kenta`), up to whom."""
    directly, given, clause = ("|".join(policy_words(kind)) for kind in ("spoken_to", "given_to", "subordinating"))
    begins = r"(?:^|[.!?;,:\n]\s{0,9}|\b(?i:and|then|please|also|(?:can|could|would|will)\s{1,9}you)\s{1,9})"
    whom = r"(?P<whom>[A-Z][a-z]{2,30}(?:(?:,|\s{1,9}(?:and|&))\s{1,9}[A-Z][a-z]{2,30}){0,9})(?![\w@-]|\s{1,9}[A-Z])"
    what = rf"(?:(?!(?i:{clause})\b)[^\s.!?;:]{{1,40}}\s{{1,9}}){{0,8}}?(?i:to)\s{{1,9}}"
    return re.compile(rf"{begins}(?:(?i:{directly})\s{{1,9}}|(?i:{given})\s{{1,9}}{what}){whom}")


@lru_cache(maxsize=16)
def _called_by_courtesy(words: str) -> frozenset[str]:
    """What stands before a title of courtesy, as long as a given or family name can be."""
    ends = [found.start() for title in policy_words("courtesy") for found in re.finditer(re.escape(title), words)]
    return frozenset(
        words[end - length : end] for end in ends[:MOST_VALUES] for length in range(2, LONGEST_PART + 1) if length <= end
    )


def _as_who_or_where(value: Any, source: SourceClass, sources: Sources) -> SourceClass:
    """The source of what says who or where, in which the very spelling counts."""
    if not isinstance(value, str) or source not in (SourceClass.WORDS, SourceClass.FIELD) or len(value) > LONGEST_ADDRESS:
        return source
    if readable(value) != value and not any(value in found.text for found in sources.trace(value).sources):
        return SourceClass.NOWHERE  # in other signs it only looks the same, and may be somebody else's name
    if says_more(value, sources.trace(value).parts):
        return SourceClass.NOWHERE
    if source is SourceClass.FIELD and _is_called_so(value, sources):
        return SourceClass.TEXT
    if source is SourceClass.WORDS and len(sources.identities.names_of(value)) > 1 and not _stands_as_name(value, sources):
        return SourceClass.FIELD  # somebody is called like a word of the request, which speaks of something else
    return source


def _is_said_in_other_number(value: str, sources: Sources) -> bool:
    """Whether the request means a thing by its name in singular or plural, and nothing else that was read is called so in either,
    in whatever spelling."""
    said = said_in_other_number(value, sources.trusted_values())
    if not said or any(_CLASSES.get(found.origin) is not SourceClass.WORDS for found in sources.trace(said).sources):
        return False
    alike, others = in_singular(value), (text for text in sources.short_fields() if text.strip() != value.strip())
    return not any(in_singular(text) == alike for text in others)


def _stands_as_name(value: str, sources: Sources) -> bool:
    """Whether any text of those who may decide uses this value as a name."""
    texts = [text for text in sources.trusted_values() if value.casefold() in text.casefold()]
    name = readable(value)
    own = [part for text in texts if name.casefold() in (part := own_part(text, value)).casefold()]
    return not texts or any(stands_as_name(name, part) for part in own)


def _is_called_so(value: str, sources: Sources) -> bool:
    """Whether it stands only where its writer says what he likes: as a mailbox or code in a title or display name, or a part of
    one; in a subject; in a mail's address for replies."""
    keys = policy_words("worded_by_its_writer")
    fields = [found for found in sources.trace(value).sources if found.origin is Origin.FIELD]
    whole = not ("@" in value or holds_code(value) or _LEADS_ELSEWHERE.search(value))

    def is_worded(found: ValueSource) -> bool:
        key = last_key(found.path)
        return key.lower().replace("_", "").replace("-", "") in keys or (is_caption(key) and not (whole and _is_whole(found)))

    return all(map(is_worded, fields))


_LEADS_ELSEWHERE = re.compile(r"(?:^|[/\\])\.\.(?:[/\\]|$)|^[/~\\]|^[A-Za-z]:[/\\]")
"""A path that leaves the folder it is used in: what somebody calls a file is no place."""


def _is_whole(found: ValueSource) -> bool:
    return found.start == 0 and found.end >= len(found.text.rstrip())


def _stands_whole(value: Any, sources: Sources) -> bool:
    """Whether a value was found as it is, and not fact by fact."""
    return all(part.fact is None for part in sources.trace(value).parts)


def _is_remote(value: str) -> bool:
    """Whether a value is an address whatever its argument is called."""
    return len(value) <= LONGEST_ADDRESS and " " not in value.strip() and "@" not in value and looks_like_address(value)


def _source_of_address(address: str, sources: Sources, named_addresses: frozenset[str], whole: str = "") -> _Found:
    if is_named(address, named_addresses):
        return SourceClass.WORDS, (), ""
    spellings = dict.fromkeys((whole or address, address, f"https://{address}", f"http://{address}", f"www.{address}"))
    results = [_source_of(spelling, sources, addresses=True) for spelling in spellings]
    return min(results, key=lambda result: list(SourceClass).index(result[0]))


def _source_of(value: Any, sources: Sources, *, addresses: bool = False) -> _Found:
    trace = sources.trace(value)
    if not trace.parts:
        return SourceClass.OWN, (), ""
    first = trace.sources[0] if trace.sources else None
    quotation = f"{first.tool or first.label or first.origin}: {first.text[:QUOTED]}" if first else ""
    if trace.weakest is None:
        return SourceClass.NOWHERE, (), ""
    found = _CLASSES.get(trace.weakest, SourceClass.TEXT)
    if addresses and found is SourceClass.WORDS:
        found = SourceClass.TEXT  # part of a longer address in the words, else it would be among the known ones
    brought = (one for one in trace.sources if one.tool and (one.origin is Origin.FIELD or found is SourceClass.TEXT))
    return found, tuple(sorted({one.tool for one in brought})), quotation
