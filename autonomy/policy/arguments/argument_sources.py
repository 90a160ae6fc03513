"""Finds where each value of a call's arguments came from."""

import re
from collections.abc import Collection
from typing import Any

from autonomy.policy.arguments.meant_names import (
    is_choice_of_named_record,
    is_of_another_record,
    is_only_one_called_by,
    is_said_in_other_number_alone,
    is_used_as_name,
    may_mean_another,
    name_left_out,
    name_meant,
    request_text,
)
from autonomy.policy.arguments.placed_values import LONGEST_ADDRESS, WORDING, PlacedValue, placed_values
from autonomy.policy.decision_table import INDIFFERENT_TO_READS, SourceClass, TracedValue
from autonomy.policy.policy_words import any_stands, in_words, policy_words
from autonomy.policy.read_claims import decides_what_happens
from autonomy.policy.requests.said_names import is_said_itself, own_part, says_more
from autonomy.policy.sinks import WHO_OR_WHERE, Sink, is_caption, sink_of
from autonomy.policy.texts.account_numbers import is_number_named
from autonomy.policy.texts.addresses import (
    addresses_named,
    is_id_in_link,
    is_mailbox_named,
    is_named,
    mailbox_of,
    normal,
    readable,
    split_list,
)
from autonomy.policy.texts.codes import holds_code
from autonomy.policy.texts.file_names import is_file_named
from autonomy.policy.write_plan import only_measures, same_value
from autonomy.provenance import Origin, Sources, ValueSource
from autonomy.provenance.sources.leaves import keys_of, last_key
from autonomy.provenance.text.normalize import fold
from discovery.catalog import JsonObject, ToolSpec

MOST_VALUES = 500
"""Of one call that are looked up one by one; a call with more has `TOO_MANY` as well, which nobody gave."""
TOO_MANY = "(more values than can be looked up)"
QUOTED = 120
"""Characters of a source that a question shows."""
_CLASSES = {
    Origin.OPERATOR: SourceClass.WORDS,
    Origin.JOB: SourceClass.WORDS,
    Origin.ASKER: SourceClass.WORDS,
    Origin.FIELD: SourceClass.FIELD,
    Origin.PASTED: SourceClass.PASTED,
}


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
    for placed in placed_values(spec, arguments):
        if len(found) >= MOST_VALUES:
            too_many = TracedValue(
                argument=placed.argument, path="$", value=TOO_MANY, sink=Sink.RECIPIENT, source=SourceClass.NOWHERE
            )
            return (*found, too_many)
        addresses = named_addresses | old_addresses if placed.part == "address" else named_addresses
        taken = {
            fold(str(value)) for name, value in arguments.items() if name != placed.argument and isinstance(value, str | int)
        }
        found += (_traced(one, sources, addresses, siblings, taken) for one in _each_listed(placed, sources))
    return tuple(found)


def _each_listed(placed: PlacedValue, sources: Sources) -> list[PlacedValue]:
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
        for placed in placed_values(spec, arguments)
    )


def _as_chosen(traced: TracedValue, value: Any, schema: JsonObject, sources: Sources) -> TracedValue:
    """A switch or choice that says what the call would do anyhow is the schema's; a member of a record that the request speaks of
    (`{"Done": true}`) is its word, one of a record that it names is that record's, any other is the run's own."""
    if traced.sink is not Sink.FLAG or traced.source is SourceClass.WORDS or traced.named:
        return traced
    if isinstance(value, bool) and traced.path != "$" and sink_of(last_key(traced.path), {}) is Sink.NAME:
        words = set(in_words(own_part(request_text(sources))).split())
        if any(set(in_words(key).split()) <= words for key in keys_of(traced.path)):
            return traced.model_copy(update={"source": SourceClass.WORDS})
    usual = any(same_value(value, schema[key]) for key in ("default", "const") if key in schema)
    return traced.model_copy(update={"source": SourceClass.CHOICE if usual else SourceClass.OWN})


def _traced(
    placed: PlacedValue,
    sources: Sources,
    named_addresses: frozenset[str],
    siblings: Collection[str] | None = None,
    taken: Collection[str] = (),
) -> TracedValue:
    value, sink = placed.value, placed.sink
    source, tools, by = _first_source(placed, sources, named_addresses)
    called = called_elsewhere = ""
    is_beside = shared = False
    is_named = (
        source is SourceClass.FIELD
        and _is_choice(placed)
        and is_choice_of_named_record(placed.argument, str(value), sources, siblings, taken)
    )
    if placed.is_preset and placed.part != "mention" and source is not SourceClass.WORDS and sink not in WORDING and not is_named:
        source, tools, by = SourceClass.CHOICE, (), ""
    if source is SourceClass.FIELD and not is_named:
        among = None if "@" in str(value) else siblings  # a mailbox is the same one everywhere
        called = name_meant(str(value), sources, among) if sink in WHO_OR_WHERE else ""
        called_elsewhere = name_meant(str(value), sources, None) if sink in WHO_OR_WHERE and not called else ""
        is_named = called != "" or (sink is Sink.ID and is_only_one_called_by(str(value), sources, among))
        is_beside = not is_named and is_of_another_record(value, sink, sources)
        shared = not is_named and not is_beside and sink in WHO_OR_WHERE and may_mean_another(str(value), sources)
    traced = TracedValue(
        argument=placed.argument,
        path=placed.path,
        value=str(value)[:QUOTED],
        sink=sink,
        source=SourceClass.TEXT if is_beside else source,
        tools=tools,
        told_by=by,
        named=is_named,
        called=called,
        called_elsewhere=called_elsewhere,
        shared=shared,
        beside=is_beside,
        left_out=name_left_out(str(value), sources) if sink in WHO_OR_WHERE else "",
    )
    return _as_repetition(_as_chosen(traced, value, placed.schema, sources), sources)


def _is_choice(placed: PlacedValue) -> bool:
    """Whether a value is one of a few words by which records are sorted (a priority), and no switch: not who may see it."""
    is_sorted = placed.sink in (Sink.FLAG, Sink.NAME) and sink_of(placed.argument, {"type": "string"}) is Sink.NAME
    return is_sorted and "." not in placed.path and not isinstance(placed.value, bool)


_Found = tuple[SourceClass, tuple[str, ...], str]
"""A class, the tools whose results have the value, and who told it."""


def _first_source(placed: PlacedValue, sources: Sources, named_addresses: frozenset[str]) -> _Found:
    """The source of a value by the part of the argument that it is, before choices and other records are looked at."""
    value, sink = placed.value, placed.sink
    match placed.part:
        case "mention":
            return _source_of_mention(str(value).strip("<>@!&").partition("|")[0], sources)
        case "address":
            return _source_of_address(str(value), sources, named_addresses)
        case _ if sink in WORDING:
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


def _source_by_sink(placed: PlacedValue, sources: Sources) -> _Found:
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
    request = request_text(sources)
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
    if sink is Sink.NAME and is_said_in_other_number_alone(str(value), sources):
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
    if source is SourceClass.WORDS and len(sources.identities.names_of(value)) > 1 and not is_used_as_name(value, sources):
        return SourceClass.FIELD  # somebody is called like a word of the request, which speaks of something else
    return source


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
