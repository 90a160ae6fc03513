"""Caches serialised tool lists and messages, and makes call ids unique."""

import json
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any, Generic, TypeVar
from weakref import ref

from autonomy.llm.messages import AssistantMessage, Message, ToolCall, ToolDefinition
from discovery.catalog import JsonObject
from discovery.schemas.strict import without_nulls

T = TypeVar("T")
KEPT_LISTS = 64
KEPT_TOOLS = 10_000
SHORT_CHARS = 200
"""Texts up to this length are encoded once."""


class Encoded(bytes):
    """A value of a request that is JSON already."""


class _Kept(Generic[T]):
    """What was made of objects, by their identity, and as long as they live."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[ref[T], bytes]] = {}

    def of_all(self, ones: Iterable[T], make: Callable[[T], bytes]) -> list[bytes]:
        known = self._known
        return [known[id(one)][1] if id(one) in known else self._of(one, make) for one in ones]

    def _of(self, one: T, make: Callable[[T], bytes]) -> bytes:
        made = make(one)
        self._known[id(one)] = ref(one, partial(self._forget, id(one))), made
        return made

    def _forget(self, key: int, _gone: object) -> None:
        del self._known[key]


class SerializedTools:
    """The tools of a request as JSON, made once for each list of tools (one list per catalog snapshot) and kept for a while."""

    def __init__(self, form: Callable[[ToolDefinition], JsonObject]) -> None:
        self._form = form
        self._lists: OrderedDict[tuple[int, ...], tuple[tuple[ToolDefinition, ...], Encoded]] = OrderedDict()
        self._kept, self._single = _Kept[ToolDefinition](), dict[str, bytes]()
        self._last: tuple[tuple[ToolDefinition, ...], Encoded] = (), Encoded(b"[]")

    def encode(self, tools: tuple[ToolDefinition, ...]) -> Encoded:
        """A JSON array. Lists are recognised by the identity of their tools, which are kept alive with them."""
        if tools is not self._last[0]:  # each turn of a run asks twice for the same
            self._last = self._looked_up(tools)
        return self._last[1]

    def _looked_up(self, tools: tuple[ToolDefinition, ...]) -> tuple[tuple[ToolDefinition, ...], Encoded]:
        key = tuple(map(id, tools))
        known = self._lists.get(key)
        if known is None:
            known = (tools, _listed(self._kept.of_all(tools, self._encode_one)))  # of forty, one or two are new
            self._lists[key] = known
            if len(self._lists) > KEPT_LISTS:
                self._lists.popitem(last=False)
        return tools, known[1]

    def _encode_one(self, tool: ToolDefinition) -> bytes:
        """One tool; the same tool of another run is recognised by its content."""
        key = tool.model_dump_json()
        if key not in self._single:
            if len(self._single) > KEPT_TOOLS:
                self._single.clear()
            self._single[key] = compact(self._form(tool))
        return self._single[key]


class SerializedMessages:
    """The messages of a conversation as JSON, each made once and kept as long as it lives: all are sent with every turn, and only
    the last ones are new."""

    def __init__(self, form: Callable[[Message], JsonObject]) -> None:
        self._form, self._kept = form, _Kept[Message]()

    def encode(self, messages: Iterable[Message]) -> Encoded:
        """A JSON array."""
        return _listed(self._kept.of_all(messages, self._encode_one))

    def _encode_one(self, message: Message) -> bytes:
        return compact(self._form(message))


_write = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode  # `json.dumps` would make an encoder for each value


def compact(value: object) -> bytes:
    """JSON without spaces, in UTF-8."""
    return _write(value).encode()


def assembled(body: Mapping[str, Any]) -> bytes:
    """A request as JSON; what is `Encoded` is put in as it is."""
    pieces = [piece for name, value in body.items() for piece in (b",", _key(name), _value(value))]
    return b"".join([b"{", *pieces[1:], b"}"])  # in one go: forty tools have as many kilobytes, and each copy takes time


def _listed(values: Iterable[bytes]) -> Encoded:
    """A JSON array of what is JSON already."""
    pieces = [piece for value in values for piece in (b",", value)]
    return Encoded(b"".join([b"[", *pieces[1:], b"]"]))


def _value(value: Any) -> bytes:
    if isinstance(value, Encoded):
        return value
    if isinstance(value, int | float) or (isinstance(value, str) and len(value) <= SHORT_CHARS):
        return _short(value)
    return compact(value)


@lru_cache(maxsize=256, typed=True)  # JSON writes `true` otherwise than 1
def _short(value: str | float) -> bytes:
    """A value such as the model's name, which is the same in each request."""
    return compact(value)


@lru_cache(maxsize=256)
def _key(name: str) -> bytes:
    """The name of a member; a request has the same dozen each time."""
    return compact(name) + b":"


def with_ids(calls: Iterable[ToolCall], messages: Sequence[Message]) -> tuple[ToolCall, ...]:
    """The calls under ids that are theirs alone in the conversation: missing and repeated ones are counted on."""
    taken = {call.id for message in messages if isinstance(message, AssistantMessage) for call in message.calls}
    named = []
    for call in calls:
        number = len(taken) + 1
        while f"call_{number}" in taken:
            number += 1
        unique = call.id if call.id and call.id not in taken else f"call_{number}"
        taken.add(unique)
        named.append(call if call.id == unique else call.model_copy(update={"id": unique}))
    return tuple(named)


def as_given(calls: Sequence[ToolCall], tools: Sequence[ToolDefinition]) -> list[ToolCall]:
    """Strict calls without the nulls that only stand for "not given"."""
    schemas = {tool.name: tool.input_schema for tool in tools}
    return [
        call.model_copy(update={"arguments": without_nulls(schemas[call.name], call.arguments)}) if call.name in schemas else call
        for call in calls
    ]
