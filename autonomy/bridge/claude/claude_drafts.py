"""Holds streamed text as drafts until Claude Code sends the complete message.

A stream that breaks is asked again by Claude Code, with or without streaming; the pieces that came first are then no part of the
answer, and are emptied, because a part that pydantic-ai has announced cannot be taken back.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

from pydantic_ai import messages as pm

Words = pm.TextPart | pm.ThinkingPart
Events = Iterator[pm.ModelResponseStreamEvent]


@dataclass
class _Draft:
    part_id: str
    part: Words


class Drafts:
    """The drafts of one response."""

    def __init__(self, parts: Any) -> None:
        self._parts = parts  # `StreamedResponse._parts_manager`, whose class pydantic-ai does not export
        self._open: dict[int, _Draft] = {}
        self._numbers = count(1)

    def add(self, index: int, more: Words) -> Events:
        """A piece of the block of this index."""
        draft = self._open.get(index)
        if draft is None:
            self._open[index] = _Draft(f"words-{next(self._numbers)}", more)
            yield self._put(self._open[index])
        else:
            draft.part = replace(draft.part, content=draft.part.content + more.content)
            yield from self._grow(draft, more.content)

    def settle(self, whole: Words) -> Events:
        """The next block as a whole: what came of it in pieces is completed, or emptied when it was another's."""
        index, draft = next(iter(self._open.items()), (None, None))
        if index is None or draft is None or not _continues(whole, draft.part):
            yield from self.drop()
            yield self._put(_Draft(f"words-{next(self._numbers)}", whole))
            return
        del self._open[index]
        if isinstance(whole, pm.ThinkingPart):
            yield self._put(replace(draft, part=whole))  # its signature comes with the whole
        elif remainder := whole.content[len(draft.part.content) :]:
            yield from self._grow(draft, remainder)

    def drop(self) -> Events:
        """Drop open drafts: they belong to a broken message, because a new one starts or the answer is complete."""
        for draft in self._open.values():
            yield self._put(replace(draft, part=replace(draft.part, content="")))
        self._open = {}

    def _put(self, draft: _Draft) -> pm.ModelResponseStreamEvent:
        event: pm.ModelResponseStreamEvent = self._parts.handle_part(vendor_part_id=draft.part_id, part=draft.part)
        return event

    def _grow(self, draft: _Draft, words: str) -> Events:
        grow = self._parts.handle_text_delta if isinstance(draft.part, pm.TextPart) else self._parts.handle_thinking_delta
        yield from grow(vendor_part_id=draft.part_id, content=words)


def _continues(whole: Words, begun: Words) -> bool:
    return type(whole) is type(begun) and whole.content.startswith(begun.content)
