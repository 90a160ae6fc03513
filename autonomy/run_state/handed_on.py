"""Finds the arguments that a job fills with what an earlier write of the run returned.

A job that saves a draft and publishes it afterwards fills the id with `{{draft.number}}`. Such a value is in no trusted text, and
yet nobody but the job chose it: it is what the service calls the thing that this run itself had it make.
"""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from autonomy.llm.model import Need
from autonomy.llm.templates import field_taken
from autonomy.policy.need_binding import is_write
from autonomy.policy.policy_words import in_words, policy_words
from autonomy.policy.sinks import WHO_OR_WHERE, sink_of
from autonomy.provenance.sources.leaves import leaves, parsed
from autonomy.provenance.text.dates import local_moment
from autonomy.run_state.context import ToolExecutionContext
from autonomy.run_state.run_provenance import data_of
from autonomy.run_state.run_values import CallRecord
from discovery.catalog import JsonObject, ToolSpec
from discovery.text.near_names import snake_case

SHORT_NUMBER = 4
"""Digits: so short a number stands in any text, and means a thing there only behind a sign for ids (`#118`)."""
DEEPEST = 3
"""Objects within each other in which the answer of a write is looked through: `{"data": {"issue": {"id": …}}}`."""


_ONE = re.compile(r"[^\s,;|、，；]{1,200}")


class Giver(NamedTuple):
    """The write that returned a value."""

    need: str
    tool: str
    is_version: bool
    """Whether the value says which state of the thing is meant, and not which thing."""


def handed_on(ctx: ToolExecutionContext, spec: ToolSpec, arguments: JsonObject, serving: Sequence[Need]) -> Mapping[str, Giver]:
    """The arguments of a write that hold what the job takes from an earlier write of this run, each with that write.

    `serving`: the needs that the call keeps to. All that the job takes from one write has to be as one answer of it says, which
    came from the provider that is called now. What it takes as an id has to be new: whatever a read showed before, or the run
    itself sent, names a thing that was there already, and may be somebody else's.
    """
    made = {need.id for need in ctx.request.task.needs if is_write(need.effect)}
    for need in serving:
        taken = {name: found for name in arguments if (found := field_taken(need.arguments.get(name))) and found[0] in made}
        for giver in dict.fromkeys(found[0] for found in taken.values()):
            fields = {name: field for name, (of, field) in taken.items() if of == giver}
            writes = (record for record in ctx.records if _is_made_for(record, giver, spec))
            if write := next((record for record in writes if _holds(record, fields, arguments, ctx)), None):
                return {name: Giver(giver, write.tool, _tells_version(field)) for name, field in fields.items()}
    return {}


def _is_made_for(record: CallRecord, need: str, spec: ToolSpec) -> bool:
    done = record.ok and record.receipt is not None and need in record.needs
    return done and record.provider == spec.provider


def _holds(record: CallRecord, fields: Mapping[str, str], arguments: JsonObject, ctx: ToolExecutionContext) -> bool:
    """Whether a write's answer has these values in its fields, and is about a thing that was not there before."""
    answer = parsed(data_of(record))
    for name, field in fields.items():
        path = _path_to(answer, field)
        if not path or not _is_same_id(path[-1][field], arguments[name]) or _was_there(path, ctx.began):
            return False
    names_it = [arguments[name] for name, field in fields.items() if not _tells_version(field)]
    return bool(names_it) and all(_is_new(value, record, ctx) for value in names_it)


def _path_to(answer: Any, field: str) -> list[JsonObject]:
    """The objects from an answer inwards to the one with the outermost field of the name; none in a list, where one thing stands
    beside others, and none where two of one depth bear it."""
    paths = [[answer]] if isinstance(answer, dict) else []
    for _ in range(DEEPEST):
        if found := [path for path in paths if field in path[-1]]:
            return found[0] if len(found) == 1 else []
        paths = [[*path, child] for path in paths for child in path[-1].values() if isinstance(child, dict)]
    return []


def _is_same_id(one: Any, other: Any) -> bool:
    return _is_id(one) and _is_id(other) and str(one) == str(other)


def _was_there(path: Sequence[JsonObject], began: datetime) -> bool:
    """Whether an answer says that nothing was made: the thing is older than the run, or a later version, or it says so.

    `path`: the objects in which the thing stands, itself the last. So answers a service that takes a create for a change of what
    bears the same title, which a stranger may have made. An object with an id of its own is another thing: its author is older.
    """
    within = [child for child in path[-1].values() if isinstance(child, dict) and "id" not in child]
    return any(
        _tells_of_earlier(in_words(_spaced(key)).strip(), value, began)
        for inner in (*path, *within)
        for key, value in inner.items()
    )


def _spaced(key: str) -> str:
    return snake_case(key[:_LONGEST_KEY]).replace("_", " ")


_LONGEST_KEY = 60


def _tells_of_earlier(key: str, value: Any, began: datetime) -> bool:
    made = policy_words("of_things_made")
    match value:
        case bool():
            return key in made["yes" if value else "no"]
        case int() if key in policy_words("versions"):
            return value > 1
        case int() | float() if key in made["when"]:
            return 0 < (value / 1000 if value > _LATEST_S else value) < began.timestamp() - _CLOCKS_DIFFER.total_seconds()
        case str() if key in made["when"] and (at := local_moment(value, began.tzinfo)) is not None:
            return at < began.replace(tzinfo=None) - (_CLOCKS_DIFFER if _HAS_ZONE.search(value) else _ZONES_DIFFER)
        case str() if key in made["how"]:
            return in_words(value[:_LONGEST_KEY].replace("_", " ").replace("-", " ")).strip() in made["as"]
    return False


_LATEST_S = 10**11
"""What is more than that many seconds since the epoch is a time in milliseconds."""
_CLOCKS_DIFFER, _ZONES_DIFFER = timedelta(minutes=15), timedelta(hours=26)
"""Of a service's clock and ours; and where nobody says of which time zone a time is."""
_HAS_ZONE = re.compile(r"(?:Z|[+-]\d\d:?\d\d)$")


def _is_id(value: Any) -> bool:
    """Whether a value could be the id of one thing. A tool may take as text what another one returns as a number."""
    return isinstance(value, str | int) and not isinstance(value, bool) and _ONE.fullmatch(str(value)) is not None


def _tells_version(field: str) -> bool:
    """Whether a field says which state of a thing is meant, and not which thing: that may be the same for two of them."""
    return not set(in_words(_spaced(field)).split()).isdisjoint(policy_words("versions"))


def _is_new(value: Any, record: CallRecord, ctx: ToolExecutionContext) -> bool:
    """Whether neither the write itself nor anything that was read before it says this value as an id."""
    text = str(value)
    if any(str(leaf.value) == text for leaf in leaves(record.arguments)):
        return False
    before = [*ctx.beforehand, *ctx.records[: ctx.records.index(record)]]
    sign = r"[#=/]\s?" if text.isascii() and text.isdigit() and len(text) <= SHORT_NUMBER else r"(?<!\w)"
    said = re.compile(rf"{sign}{re.escape(text)}(?!\w)")
    read = (leaf for one in before if one.attempts or one.ok for leaf in leaves(data_of(one)))
    heard = (*ctx.request.strange, *ctx.request.pasted, *(message.text for message in ctx.request.history))
    return not any(said.search(one) for one in heard) and not any(
        said.search(leaf.value)
        if isinstance(leaf.value, str) and leaf.value != text
        else str(leaf.value) == text and (isinstance(leaf.value, str) or sink_of(leaf.key, {}) in WHO_OR_WHERE)
        for leaf in read
    )
