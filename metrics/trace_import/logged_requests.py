"""Joins the requests of one run, each logged with the whole conversation before it."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from metrics.trace_import.imported_run import ImportedRun

MOST_HELD = 200
"""Conversations that may still go on; of more, the oldest has ended."""


class _Held(NamedTuple):
    messages: Sequence[Any]
    run: ImportedRun


class LoggedRequests:
    """The runs of a proxy's log. A request that goes on with the messages of an earlier one is of the same run."""

    def __init__(self) -> None:
        self._held: dict[str, _Held] = {}

    def take(self, messages: Sequence[Any], run: ImportedRun) -> Iterator[ImportedRun]:
        """Take one request with its messages and the run that they make; yields the runs that surely have ended."""
        key = _begins(messages)
        earlier = self._held.pop(key, None)
        if earlier is not None:
            known = len(earlier.messages)
            if len(messages) > known and list(messages[:known]) == list(earlier.messages):
                _keep_counts(run, earlier.run)
            else:
                yield earlier.run
        self._held[key] = _Held(messages, run)
        if len(self._held) > MOST_HELD:
            yield self._held.pop(next(iter(self._held))).run

    def rest(self) -> Iterator[ImportedRun]:
        """The runs that were still held."""
        yield from (held.run for held in self._held.values())
        self._held.clear()


def _begins(messages: Sequence[Any]) -> str:
    """How a conversation begins, up to the first words of a person."""
    asked = next((at for at, one in enumerate(messages) if isinstance(one, Mapping) and one.get("role") == "user"), 0)
    return hashlib.sha256(json.dumps(messages[: asked + 1], sort_keys=True, default=str).encode()).hexdigest()


def _keep_counts(run: ImportedRun, earlier: ImportedRun) -> None:
    """What the earlier requests tell of their replies, and a later one only repeats the words of."""
    for reply, before in zip(run.replies, earlier.replies, strict=False):
        if not (reply.input_tokens or reply.output_tokens):
            reply.input_tokens, reply.output_tokens = before.input_tokens, before.output_tokens
            reply.cached_tokens, reply.stop_reason = before.cached_tokens, before.stop_reason
            reply.model = reply.model or before.model
