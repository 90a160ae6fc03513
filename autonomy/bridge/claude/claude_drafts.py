"""Holds streamed text as drafts until Claude Code sends the complete message.

If a stream breaks, Claude Code makes the request again, with or without streaming. The pieces that came before are then not part
of the answer. They are emptied rather than removed, because pydantic-ai cannot take back a part that it has announced.
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
        """Add a piece to the block of this index."""
        draft = self._open.get(index)
        if draft is None:
            self._open[index] = _Draft(f"words-{next(self._numbers)}", more)
            yield self._put(self._open[index])
        else:
            draft.part = replace(draft.part, content=draft.part.content + more.content)
            yield from self._grow(draft, more.content)

    def settle(self, whole: Words) -> Events:
        """Take the next complete block. Its draft is completed, or emptied if it belongs to another block."""
        index, draft = next(iter(self._open.items()), (None, None))
        continues = draft is not None and type(whole) is type(draft.part) and whole.content.startswith(draft.part.content)
        if index is None or draft is None or not continues:
            yield from self.drop()
            yield self._put(_Draft(f"words-{next(self._numbers)}", whole))
            return
        del self._open[index]
        if isinstance(whole, pm.ThinkingPart):
            yield self._put(replace(draft, part=whole))  # because only the complete block has a signature
        elif remainder := whole.content[len(draft.part.content) :]:
            yield from self._grow(draft, remainder)

    def drop(self) -> Events:
        """Empty the open drafts, which belong to a broken message if a new one starts or the answer is complete."""
        for draft in self._open.values():
            yield self._put(replace(draft, part=replace(draft.part, content="")))
        self._open = {}

    def _put(self, draft: _Draft) -> pm.ModelResponseStreamEvent:
        event: pm.ModelResponseStreamEvent = self._parts.handle_part(vendor_part_id=draft.part_id, part=draft.part)
        return event

    def _grow(self, draft: _Draft, words: str) -> Events:
        grow = self._parts.handle_text_delta if isinstance(draft.part, pm.TextPart) else self._parts.handle_thinking_delta
        yield from grow(vendor_part_id=draft.part_id, content=words)
