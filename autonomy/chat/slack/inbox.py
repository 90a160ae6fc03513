"""Stores each Slack request once, before Slack is acknowledged.

Events are deduplicated by their id and by their message, because a mention arrives as two events, and any event may arrive again.
"""

import time
from collections.abc import Callable
from typing import Literal

import sqlalchemy as sa
from cachetools import LRUCache

from autonomy.chat.chat_tables import requests
from autonomy.chat.slack.events.slack_event import SlackMessage
from autonomy.durable.store import Store, insert_unless_there
from discovery.catalog import Frozen

State = Literal["waiting", "working", "stopped", "answered", "unknown", "refused"]
OPEN: tuple[State, ...] = ("waiting", "working", "stopped")


class InboxEntry(Frozen):
    """One request and how it stands."""

    message: SlackMessage
    state: State
    taken_at: float
    """Seconds since the epoch."""
    note: str = ""
    """What a person should know: why it was refused, or what nobody knows of it."""


class Inbox:
    """The requests, in a database."""

    def __init__(self, store: Store, *, clock: Callable[[], float] = time.time) -> None:
        self._store, self._clock = store, clock
        self._known: LRUCache[str, bool] = LRUCache(10_000)
        """Run ids of stored requests: most events come a second time soon."""

    async def take(self, message: SlackMessage, *, refused: str = "") -> bool:
        """Store a request; gives False when it is stored already. A refused one is stored with the reason, so that it is
        refused once."""
        row = {
            "run_id": message.run_id,
            "event_id": message.event_id,
            "channel": message.channel,
            "ts": message.ts,
            "thread_ts": message.thread_ts,
            "state": "refused" if refused else "waiting",
            "message": message.model_dump_json(),
            "taken_at": self._clock(),
            "note": refused,
        }
        if message.run_id in self._known:
            return False
        # with others that wait: a burst costs a few transactions, not hundreds
        is_new = await self._store.together(lambda connection: insert_unless_there(connection, requests, row))
        self._known[message.run_id] = True
        return is_new

    async def move(self, run_id: str, state: State, note: str = "") -> None:
        """Set the state of a request."""
        values = {"state": state, "note": note}
        await self._store(
            lambda connection: connection.execute(requests.update().where(requests.c.run_id == run_id).values(values))
        )

    async def begin(self, run_id: str) -> bool:
        """Set a request to `working`; False when it was stopped before."""
        is_waiting = (requests.c.run_id == run_id, requests.c.state != "stopped")
        values = {"state": "working", "note": ""}
        return await self._store(
            lambda connection: connection.execute(requests.update().where(*is_waiting).values(values)).rowcount == 1
        )

    async def get(self, run_id: str) -> InboxEntry | None:
        """One request."""
        found = await self._select(requests.c.run_id == run_id)
        return found[0] if found else None

    async def open(self) -> list[InboxEntry]:
        """The unanswered requests, oldest first; after a start, those of an earlier process."""
        return await self._select(requests.c.state.in_(OPEN))

    async def open_in(self, channel: str, thread_ts: str) -> list[InboxEntry]:
        """The unanswered requests of one thread."""
        return await self._select(*_in_thread(channel, thread_ts), requests.c.state.in_(OPEN))

    async def knows(self, channel: str, thread_ts: str) -> bool:
        """Whether a request of that thread was taken on before."""
        return bool(await self.asked_in(channel, thread_ts))

    async def asked_in(self, channel: str, thread_ts: str) -> frozenset[str]:
        """The time stamps of the messages of a thread that asked us for something, and were taken on."""
        query = sa.select(requests.c.ts).where(*_in_thread(channel, thread_ts), requests.c.state != "refused")
        return frozenset(await self._store(lambda connection: connection.scalars(query).all()))

    async def count_since(self, channel: str, thread_ts: str, since: float) -> int:
        """How many requests one thread has made since then."""
        query = sa.select(sa.func.count()).where(*_in_thread(channel, thread_ts), requests.c.taken_at >= since)
        return await self._store(lambda connection: connection.execute(query).scalar_one())

    async def _select(self, *wanted: sa.ColumnElement[bool]) -> list[InboxEntry]:
        columns = (requests.c.message, requests.c.state, requests.c.taken_at, requests.c.note)
        query = sa.select(*columns).where(*wanted).order_by(requests.c.taken_at, requests.c.ts)
        rows = await self._store(lambda connection: connection.execute(query).mappings().all())
        return [InboxEntry.model_validate({**row, "message": SlackMessage.model_validate_json(row["message"])}) for row in rows]


def _in_thread(channel: str, thread_ts: str) -> tuple[sa.ColumnElement[bool], ...]:
    return requests.c.channel == channel, requests.c.thread_ts == thread_ts
