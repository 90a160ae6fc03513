"""Finds, among the texts a run has read, the one that an argument is a new version of."""

import difflib
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, TypeGuard

from autonomy.provenance.sources.leaves import leaves, parsed
from autonomy.run_state.run_values import CallRecord
from discovery.catalog import Effect, JsonObject

SHORTEST_CHARS = 80
"""A shorter argument of a write is a name or an id, and nothing whose lines are compared or whose sentences want sources."""
LONGEST_CHARS = 30_000
"""A longer text would cost a page or question seconds."""
REWRITTEN = 0.3
"""How alike two texts under the same key are when one is a new version of the other, and not another text (difflib's ratio)."""
MOST_COMPARED = 50
"""Texts under the same key that are held against an argument, the newest first."""


def is_text(value: Any) -> TypeGuard[str]:
    """Whether an argument is a text that is looked at line by line or sentence by sentence."""
    return isinstance(value, str) and SHORTEST_CHARS <= len(value) <= LONGEST_CHARS


def earlier_texts(arguments: JsonObject, records: Iterable[CallRecord]) -> dict[str, str]:
    """The texts that these arguments are about to replace, by argument: read by the run, under the same name, and alike."""
    reads = [one for one in records if one.effect == Effect.READ and one.problem == ""]
    found = {name: earlier_text(name, value, reads) for name, value in arguments.items()}
    return {name: text for name, text in found.items() if text is not None}


def earlier_text(name: str, value: Any, reads: Iterable[CallRecord]) -> str | None:
    """The newest text of that name that `value` is a version of; None where there is none. `reads`: oldest first."""
    if not is_text(value):
        return None
    compared = 0
    for read in reversed(tuple(reads)):
        result = read.result.structured if read.result.structured is not None else parsed(read.whole or read.result.text)
        for leaf in leaves(result):
            if leaf.key == name and isinstance(leaf.value, str) and len(leaf.value) <= LONGEST_CHARS:
                compared += 1
                if _alike(leaf.value, value):
                    return leaf.value
                if compared >= MOST_COMPARED:
                    return None
    return None


def earlier_versions(arguments: JsonObject, reads: Iterable[CallRecord]) -> tuple[str, ...]:
    """The texts of several lines in what these reads brought that an argument is a new version of, whatever it is called."""
    texts = [value for value in arguments.values() if isinstance(value, str) and "\n" in value and len(value) <= LONGEST_CHARS]
    read = [text for one in reads for text in _texts_in(one)][-MOST_COMPARED:] if texts else []
    return tuple(old for old in read if any(_alike(old, new) for new in texts))


def _texts_in(read: CallRecord) -> Iterator[str]:
    text = read.whole or read.result.text
    values = [text] if read.result.structured is None else [leaf.value for leaf in leaves(read.result.structured)]
    yield from (value for value in values if isinstance(value, str) and "\n" in value and len(value) <= LONGEST_CHARS)


def _alike(old: str, new: str) -> bool:
    """Whether one may be a version of the other; the quick bounds of difflib come first, because its ratio takes long."""
    ratios = difflib.SequenceMatcher(None, old.splitlines(), new.splitlines(), autojunk=False)
    quick: tuple[Callable[[], float], ...] = (ratios.real_quick_ratio, ratios.quick_ratio, partial(ratios.ratio))
    return old != new and all(ratio() >= REWRITTEN for ratio in quick)
