"""Caches serialised tool lists, and makes call ids unique."""

import json
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence

from autonomy.llm.messages import AssistantMessage, Message, ToolCall, ToolDefinition
from discovery.catalog import JsonObject
from discovery.schemas.strict import without_nulls

KEPT_LISTS = 64
KEPT_TOOLS = 10_000


class SerializedTools:
    """The tools of a request as JSON, made once for each list of tools (one list per catalog snapshot) and kept for a while."""

    def __init__(self, form: Callable[[ToolDefinition], JsonObject]) -> None:
        self._form = form
        self._lists: OrderedDict[tuple[int, ...], tuple[tuple[ToolDefinition, ...], bytes]] = OrderedDict()
        self._single: dict[str, bytes] = {}

    def encode(self, tools: tuple[ToolDefinition, ...]) -> bytes:
        """A JSON array. Lists are recognised by the identity of their tools, which are kept alive with them."""
        key = tuple(map(id, tools))
        known = self._lists.get(key)
        if known is None:
            known = (tools, b"[" + b",".join(map(self._encode_one, tools)) + b"]")
            self._lists[key] = known
            if len(self._lists) > KEPT_LISTS:
                self._lists.popitem(last=False)
        return known[1]

    def _encode_one(self, tool: ToolDefinition) -> bytes:
        """One tool; the same tool of another run is recognised by its content."""
        key = tool.model_dump_json()
        if key not in self._single:
            if len(self._single) > KEPT_TOOLS:
                self._single.clear()
            self._single[key] = compact(self._form(tool))
        return self._single[key]


def compact(value: object) -> bytes:
    """JSON without spaces, in UTF-8."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def with_tools(body: JsonObject, tools: bytes) -> bytes:
    """A request as JSON, with tools that are JSON already."""
    encoded = compact(body)
    return b"".join((memoryview(encoded)[:-1], b',"tools":', tools, b"}")) if tools else encoded


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
