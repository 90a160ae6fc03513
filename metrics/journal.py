"""The append-only, hash-chained event journal.

It blocks on a database, so it works in a thread.
"""

import json
import logging
import time
from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from types import MappingProxyType
from typing import Any, Protocol, TypeVar

import anyio
import anyio.lowlevel
import anyio.to_thread
import sqlalchemy as sa
from pydantic import ValidationError

from metrics import hash_chain, metrics_tables
from metrics.events import RecordErased, RunEvent, read_event, without_secrets
from metrics.hash_chain import GENESIS, ChainFinding, ChainLink, ChainRow, KeyChange, Verification
from metrics.written_out import WrittenOut

T = TypeVar("T")

Transact = Callable[[Callable[[sa.Connection], None]], Awaitable[None]]
"""Does work in a transaction, and raises what it raises."""

ROWS_AT_ONCE = 2000
MOST_WORDS = 500
"""Reasons and causes of which it is remembered how they read without secrets."""

NOTHING: Mapping[str, str] = MappingProxyType({})

# Built once: a run appends at every turn, and building a statement costs more than executing it.
_HEAD = metrics_tables.head
_LAST_CUT = sa.select(metrics_tables.cuts).order_by(metrics_tables.cuts.c.seq.desc()).limit(1)
_CHANGES = sa.select(metrics_tables.key_changes).order_by(metrics_tables.key_changes.c.seq.desc())
_LAST_CHANGE = _CHANGES.with_only_columns(metrics_tables.key_changes.c.after).limit(1).scalar_subquery()
_LOCK_HEAD = sa.update(_HEAD).values(id=1).returning(_HEAD.c.seq, _HEAD.c.mac, _LAST_CHANGE)
_MOVE_HEAD = sa.update(_HEAD).values(seq=sa.bindparam("end_seq"), mac=sa.bindparam("end_mac"))
_INSERT_AS_ONE = sa.insert(metrics_tables.events).returning(metrics_tables.events.c.seq)
"""All rows in one statement: PostgreSQL's driver would send one a row, in a pipeline, and warn of it where a run is played again
and its rows are there."""
_KNOWN = sa.select(metrics_tables.events.c.key).where(
    metrics_tables.events.c.run_id == sa.bindparam("run"), metrics_tables.events.c.key.in_(sa.bindparam("keys", expanding=True))
)


class Anchors(Protocol):
    """The anchors kept outside the database. Its methods block."""

    @property
    def required(self) -> bool:
        """Whether a log without any anchor there is not as it was left."""

    def note(self, link: ChainLink) -> None:
        """Keep where the chain ends now."""

    def noted(self) -> Sequence[ChainLink] | None:
        """The kept anchor; None if there never was one. Raises OSError or ValueError where it cannot be read."""

    def forget(self, before: int) -> None:
        """Leave out the rows before this one, which are no more."""


ROWS_AT_END = 10
"""By one of these it is told under which key the log goes on: a single one may have been edited."""

NO_KEY = (
    "the log goes on under a key that is not among JIRITSU_KEY, so nothing is written to it: set JIRITSU_KEY=new,old and run "
    "`jiritsu keys rotate`; where that key is lost, `jiritsu keys rotate --lost-key`"
)

ONLY_WITHOUT_KEY = frozenset({"edited", "unsealed_cut", "unknown_key", "other_key"})
"""What is found of an untouched log, too, where its key is lost."""

ENDS = frozenset({"run_finished", "record_erased"})
"""After these it is noted where the chain ends."""


@dataclass(eq=False)
class _Batch:
    """Events of one writer, on their way."""

    events: Sequence[RunEvent]
    written: bool = False


log = logging.getLogger(__name__)


class Journal:
    """An `EventSink` over a database: append-only, hash-chained, verifiable. Errors are SQLAlchemy's; the host wraps them."""

    def __init__(
        self,
        engine: sa.Engine,
        *,
        key: bytes | None = None,
        keys: Sequence[bytes] = (),
        clock: Callable[[], float] = time.time,
        redact: Callable[[str], str] = str,
        anchors: Anchors | None = None,
        refusal: Callable[[str], Exception] = ValueError,
    ) -> None:
        """`key`: the secret under which the chain began, kept outside the database; `keys`: all that are known, also those it was
        changed to (`change_key`). `redact` hides the
        secrets in words that came from elsewhere (`WORDS`). `anchors`: where the end of the chain is noted when a run ends.
        `refusal`: what is raised where the log goes on under a key that is not among these; nobody appends to it then."""
        self._engine, self._first_key, self._clock = engine, key or b"", clock
        self._keys = {hash_chain.id_of(one): one for one in (*keys, key or b"", b"")}
        self._key: bytes | None = None
        """In force; looked up again where it was changed meanwhile (`_changed_to`)."""
        self._changed_to: bytes | None = None
        self._refusal = refusal
        self._anchors, self._end, self._began = anchors, ChainLink(0, GENESIS), False
        self._redact = lru_cache(maxsize=MOST_WORDS)(redact)  # rules and causes are told of again and again
        self._turn, self._waiting = anyio.Lock(fast_acquire=True), list[_Batch]()
        self._transact: Transact = self._in_transaction
        self._lock_head, self._move_head = WrittenOut(_LOCK_HEAD), WrittenOut(_MOVE_HEAD)
        self._insert = WrittenOut(sa.insert(metrics_tables.events))
        self._give_way: Callable[[], None] = lambda: None

    @property
    def engine(self) -> sa.Engine:
        """The database it is kept in."""
        return self._engine

    def giving_way(self, give_way: Callable[[], None]) -> "Journal":
        """The same journal, whose scans call this between two events, in their thread: it may let others go first."""
        other = copy(self)
        other._give_way = give_way
        return other

    def within(self, transact: "Transact") -> "Journal":
        """The same journal, appended to in transactions that somebody else makes, and may share with other work."""
        other = copy(self)
        other._transact = transact
        return other

    async def write(self, events: Sequence[RunEvent]) -> None:
        """Append those that are new, in order, all or none; an event whose (run, key) is there already changes nothing."""
        if not events:
            return
        await anyio.lowlevel.checkpoint_if_cancelled()  # whoever finds the turn free is not asked again
        batch = _Batch(events)
        self._waiting.append(batch)
        try:
            async with self._turn:
                if not batch.written:
                    await self._write_waiting()
        finally:
            if batch in self._waiting:
                self._waiting.remove(batch)

    async def read(
        self,
        *,
        run_id: str | None = None,
        job: str | None = None,
        tenant: str | None = None,
        since: float | None = None,
        until: float | None = None,
    ) -> tuple[RunEvent, ...]:
        """The events in the order they were written; `since ≤ at < until`, in seconds since the epoch. Erased ones are left
        out."""
        return await self.scan(tuple, run_id=run_id, job=job, tenant=tenant, since=since, until=until)

    async def scan(
        self,
        consume: Callable[[Iterator[RunEvent]], T],
        *,
        run_id: str | None = None,
        job: str | None = None,
        tenant: str | None = None,
        since: float | None = None,
        until: float | None = None,
        types: Collection[str] | None = None,
        without: Mapping[str, str] = NOTHING,
        whole_runs: bool = False,
    ) -> T:
        """Hand the events to `consume` one by one, in a thread, holding a few thousand at most; gives back what it returns.

        `types`: only these types of events. `without`: none of these types, or none whose JSON holds that text. `whole_runs`: all
        events of the runs that began in the period, and nothing of others; run by run, not in the order they were written.
        """
        columns = metrics_tables.events.c
        equal = {"run_id": run_id, "job": job, "tenant": tenant}
        conditions = [columns[name] == value for name, value in equal.items() if value is not None]
        conditions, order = [*_within(columns, since, until), *conditions], columns.seq
        if whole_runs:
            first = sa.select(columns.run_id).where(columns.type.in_(("run_started", "tick_handled")), *conditions)
            conditions, order = [columns.run_id.in_(first)], columns.run_id
        if types is not None:
            conditions.append(columns.type.in_(types))
        if without:
            conditions.append(metrics_tables.besides(without))
        query = sa.select(columns.body).where(columns.body.is_not(None), *conditions)
        return await anyio.to_thread.run_sync(self._scan, query.order_by(order), consume)

    async def begun(self, since: float, until: float, most: int) -> int:
        """How many runs began in `since ≤ at < until`, counted up to `most`: an index is read that far and no further."""
        columns = metrics_tables.events.c
        some = sa.select(columns.run_id).where(columns.type == "run_started", *_within(columns, since, until)).limit(most)
        query = sa.select(sa.func.count()).select_from(some.subquery())

        def count() -> int:
            with self._engine.connect() as connection:
                return connection.execute(query).scalar_one()

        return await anyio.to_thread.run_sync(count)

    async def rows(self, *, after: int = 0, limit: int = 100, run: str = "") -> tuple[ChainRow, ...]:
        """The stored lines after a number, of all runs or of those whose ids begin with `run`, as an auditor sees them."""
        columns = metrics_tables.events.c
        query = sa.select(metrics_tables.events).where(columns.seq > after).order_by(columns.seq).limit(limit)
        if run:
            query = query.where(columns.run_id.startswith(run, autoescape=True))
        return await anyio.to_thread.run_sync(lambda: tuple(self._rows(query)))

    async def newest(self, upto: int, *, limit: int, types: Collection[str] = ()) -> tuple[ChainRow, ...]:
        """The stored lines up to a number, the newest first; of these types, or of all."""
        columns = metrics_tables.events.c
        kinds = columns.type.in_(types) if types else sa.true()
        query = sa.select(metrics_tables.events).where(columns.seq <= upto, kinds).order_by(columns.seq.desc()).limit(limit)
        return await anyio.to_thread.run_sync(lambda: tuple(self._rows(query)))

    async def anchor(self) -> ChainLink:
        """The anchor of the chain's end: kept elsewhere (a post, a mail), it reveals a later truncation."""
        return await anyio.to_thread.run_sync(self._head)

    async def verify(self, anchors: Sequence[ChainLink] = ()) -> Verification:
        """Check every row; finds edits, deletions, and with an anchor kept elsewhere also a truncated end. Anchors that are kept
        in a file count too."""
        return await anyio.to_thread.run_sync(self._verify, anchors)

    async def erase(self, run_id: str, *, by: str, reason: str) -> int:
        """Remove the bodies of a run's events, leaving their digests, and log that it was done; how many were removed."""
        return await anyio.to_thread.run_sync(self._erase, run_id, by, reason)

    def require_key(self) -> None:
        """Raise the refusal where the log goes on under an unknown key, before anything is done that would have to be logged."""
        with self._engine.connect() as connection:
            end = connection.execute(sa.select(_HEAD.c.seq, _HEAD.c.mac, _LAST_CHANGE)).one_or_none()
            if end is not None:
                self._key_in_force(connection, ChainLink(*end[:2]), end[2])

    async def change_key(self, key: bytes, *, lost: bool = False) -> bool:
        """Chain what follows under another key, and seal what is there with it; whether that was not so already.

        Whoever else appends and knows this key goes on under it. Raises `ValueError` where the log is not intact. `lost`: seal it
        too where its key is lost, so that its rows cannot be checked; `verify` says so from then on.
        """
        return await anyio.to_thread.run_sync(self._change_key, key, lost)

    async def prune(self, before: float) -> int:
        """Cut off the oldest rows, up to the first that is not older than `before` (epoch seconds); how many were removed."""
        return await anyio.to_thread.run_sync(self._prune, before)

    async def _write_waiting(self) -> None:
        """One transaction for whoever waits by now: a commit waits for the disk, and runs at work together need not wait in a
        row."""
        together = tuple(self._waiting)
        events = [event for batch in together for event in batch.events]
        try:
            await self._transact(lambda connection: self._append(connection, self._lock(connection), events))
        except sa.exc.IntegrityError:  # some are there already, as when a run is played again: too rare to be looked up each time
            await self._transact(partial(self._append_new, events=events))
        if self._anchors is not None and self._began:
            self._began = False  # a cut that nobody noted passes over this row, and is found by it
            await anyio.to_thread.run_sync(self._anchors.note, ChainLink(0, GENESIS))
        if self._anchors is not None and any(event.type in ENDS for event in events):
            await anyio.to_thread.run_sync(self._anchors.note, self._end)
        for batch in together:
            batch.written = True
            if batch in self._waiting:  # else its writer was cancelled meanwhile, and took it out
                self._waiting.remove(batch)

    async def _in_transaction(self, work: Callable[[sa.Connection], None]) -> None:
        def carry_out() -> None:
            with self._engine.begin() as connection:
                work(connection)

        await anyio.to_thread.run_sync(carry_out)

    def _append_new(self, connection: sa.Connection, events: Sequence[RunEvent]) -> None:
        last = self._lock(connection)
        self._append(connection, last, _not_yet_logged(connection, events))

    def _append(self, connection: sa.Connection, last: ChainLink, events: Iterable[RunEvent]) -> None:
        rows, self._began = [], self._began or last.seq == 0
        for event in events:
            row = self._link(last, event)
            rows.append(row._asdict())
            last = ChainLink(row.seq, row.mac)
        if rows:
            if connection.dialect.name == "postgresql":
                connection.execute(_INSERT_AS_ONE, rows)
            else:
                self._insert.execute_all(connection, rows)
            self._move_head.execute(connection, {"end_seq": last.seq, "end_mac": last.mac})
        self._end = last

    def _lock(self, connection: sa.Connection) -> ChainLink:
        """Take the end of the chain for this transaction, and the key in force. Raises the refusal where it is unknown."""
        last, changed_to = self._lock_end(connection)
        if self._key is None or changed_to != self._changed_to:
            self._key, self._changed_to = self._key_in_force(connection, last, changed_to), changed_to
        return last

    def _lock_end(self, connection: sa.Connection) -> tuple[ChainLink, bytes | None]:
        """The end, and the id of the key that was changed to; whoever else appends waits. A write first, so that SQLite locks at
        once."""
        ((seq, mac, changed_to),) = self._lock_head.execute(connection, {})
        return ChainLink(seq, mac), changed_to

    def _key_in_force(self, connection: sa.Connection, last: ChainLink, changed_to: bytes | None) -> bytes:
        """The key that the log goes on under. Raises the refusal where it is unknown: one row under another would break the
        chain for good."""
        key = self._known_key(connection, last, changed_to)
        if key is None:
            raise self._refusal(NO_KEY)
        return key

    def _known_key(self, connection: sa.Connection, last: ChainLink, changed_to: bytes | None) -> bytes | None:
        """The key that was changed to last. Without a change the known one that the end of the chain is under: one that was set
        since would make of an untouched log a forged one."""
        if changed_to is not None:
            key = self._keys.get(changed_to)
            return None if key is None else key or self._first_key
        columns, known = metrics_tables.events.c, (self._first_key, *self._keys.values())
        rows = sa.select(columns.body, columns.digest).where(columns.seq <= last.seq, columns.body.is_not(None))
        if newest := connection.execute(rows.order_by(columns.seq.desc()).limit(ROWS_AT_END)).all():
            return next((key for row in newest for key in known if hash_chain.digest_of(key, row.body) == row.digest), None)
        if cut := connection.execute(_LAST_CUT).one_or_none():
            return next((key for key in known if hash_chain.seal_of(key, ChainLink(cut.seq, cut.mac), cut.at) == cut.seal), None)
        return self._first_key

    def _link(self, last: ChainLink, event: RunEvent) -> ChainRow:
        body = without_secrets(event, self._redact).model_dump_json()
        key = self._key or b""
        digest = hash_chain.digest_of(key, body)
        row = ChainRow(last.seq + 1, event.run_id, event.key, event.type, event.at, event.tenant, event.job, body, digest, b"")
        return ChainRow(*row[:-1], hash_chain.mac_of(key, last.mac, row))

    def _scan(self, query: sa.Select[str], consume: Callable[[Iterator[RunEvent]], T]) -> T:
        with self._engine.connect() as connection:
            bodies = connection.execution_options(yield_per=ROWS_AT_ONCE).execute(query).scalars()
            return consume(self._giving_way(body for some in bodies.partitions() for body in some))

    def _giving_way(self, bodies: Iterable[str]) -> Iterator[RunEvent]:
        """Read the events. A newer release may say more in one, and knows kinds that are left out here."""
        left_out = set[str]()
        for body in bodies:
            self._give_way()
            try:
                yield read_event(body)
            except ValidationError:
                left_out.add(json.loads(body)["type"])
        if left_out:
            log.warning("events that only a newer Jiritsu can read are left out: %s", ", ".join(sorted(left_out)))

    def _rows(self, query: sa.Select[*tuple[Any, ...]]) -> Iterator[ChainRow]:
        with self._engine.connect() as connection:
            for row in connection.execution_options(yield_per=ROWS_AT_ONCE).execute(query):
                yield ChainRow._make(row)

    def _head(self) -> ChainLink:
        with self._engine.connect() as connection:
            found = connection.execute(sa.select(metrics_tables.head.c.seq, metrics_tables.head.c.mac)).one_or_none()
        return ChainLink(*found) if found else ChainLink(0, GENESIS)

    def _verify(self, anchors: Sequence[ChainLink]) -> Verification:
        columns = metrics_tables.events.c
        newest = sa.select(sa.func.max(columns.seq)).scalar_subquery()
        noted, lost = self._noted_anchors()
        with self._engine.connect() as connection:
            # in one statement, behind the anchors, and nothing beyond it is looked at: others append meanwhile
            end = connection.execute(sa.select(_HEAD.c.seq, _HEAD.c.mac, newest.label("newest"))).one_or_none()
            cut = connection.execute(_LAST_CUT).one_or_none()
            erased = (
                sa.select(columns.run_id, sa.func.max(columns.seq).label("seq"))
                .where(columns.type == "record_erased")
                .group_by(columns.run_id)
            )
            erasures = {row.run_id: row.seq for row in connection.execute(erased)}
            changed = connection.execute(_CHANGES).all()[::-1]
            no_key = not changed and end is not None and self._known_key(connection, ChainLink(end.seq, end.mac), None) is None
        start = ChainLink(cut.seq, cut.mac) if cut else ChainLink(0, GENESIS)
        head = ChainLink(end.seq, end.mac) if end else ChainLink(0, GENESIS)
        key = self._keys.get(changed[-1].after) if changed else self._first_key
        changes = [KeyChange(ChainLink(one.seq, one.mac), self._keys.get(one.before)) for one in changed]
        lost_upto = max((one.seq for one in changed if one.before == hash_chain.LOST and one.seq > start.seq), default=0)

        def under(key: bytes) -> Verification:
            seen = columns.seq <= (end.newest or 0) if end else sa.true()
            rows = self._rows(sa.select(metrics_tables.events).where(seen).order_by(columns.seq))
            return hash_chain.verify(key, rows, start, head, (*anchors, *noted), erasures, changes)

        found = replace(under(key or b""), lost=lost_upto)
        if key is None:
            return replace(found, findings=(ChainFinding(changed[-1].seq, "unknown_key", NO_KEY),))
        if not changed and not found.intact and (other := self._other_key(under)):
            found = replace(found, findings=(other,))
        elif no_key and len({one.seq for one in found.findings if one.kind == "edited"}) == found.rows:
            found = replace(found, findings=(ChainFinding(found.head.seq, "unknown_key", NO_KEY),))
        for one, later in zip(changed, [*changed, None][1:], strict=True):
            new_key, link = self._keys.get(one.after), ChainLink(one.seq, one.mac)
            # nobody changes to no key, whose seal anybody can make; nor from another key than was changed to before
            is_sealed = new_key is None or (new_key and hash_chain.change_seal(new_key, link, one.before, one.at) == one.seal)
            if not is_sealed or (later is not None and later.before not in (one.after, hash_chain.LOST)):
                found = found.plus(ChainFinding(one.seq, "edited", "the change of the key was not made by who has it"))
        if lost and found.head.seq:
            found = found.plus(ChainFinding(found.head.seq, "no_anchor", lost))
        if cut and hash_chain.seal_of(key, start, cut.at) != cut.seal:
            return found.plus(ChainFinding(cut.seq, "unsealed_cut", "the start of the log was cut by someone without the key"))
        return found

    def _other_key(self, under: Callable[[bytes], Verification]) -> ChainFinding | None:
        """A finding in place of one for each row, where the whole log is intact under another known key, or under none."""
        for key in self._keys.values():
            if key != self._first_key and under(key).intact:
                problem = (
                    "the log is chained under another key of JIRITSU_KEY than its last"
                    if key
                    else "the log is chained without a key, and now one is set: it may have been written anew without it"
                )
                return ChainFinding(1, "other_key", f"{problem}; `jiritsu keys rotate` seals it as it is")
        return None

    def _change_key(self, key: bytes, lost: bool) -> bool:
        kinds, at = {one.kind for one in self._verify(()).findings}, self._clock()
        if kinds <= {"other_key"}:
            lost = False
        elif not lost and kinds == {"unknown_key"}:
            raise ValueError(NO_KEY)
        elif not (lost and kinds <= ONLY_WITHOUT_KEY):
            raise ValueError("the log is not intact, so it is not sealed: see `jiritsu audit verify`")
        with self._engine.begin() as connection:
            if connection.dialect.name == "postgresql":  # whoever waits for the row alone would not see the change
                connection.execute(sa.text(f"LOCK TABLE {_HEAD.name}"))
            last = self._lock_end(connection)[0] if lost else self._lock(connection)
            self._keys |= {hash_chain.id_of(key): key}
            before, after = hash_chain.LOST if lost else hash_chain.id_of(self._key or b""), hash_chain.id_of(key)
            if before == after:
                return False
            changes = metrics_tables.key_changes
            gone = connection.scalar(changes.delete().where(changes.c.seq == last.seq).returning(changes.c.before))
            before = before if gone is None or lost else gone  # no row was chained under the key between
            seal = hash_chain.change_seal(key, last, before, at)
            connection.execute(changes.insert().values(**last._asdict(), at=at, before=before, after=after, seal=seal))
            if cut := connection.execute(_LAST_CUT).one_or_none():
                seal = hash_chain.seal_of(key, ChainLink(cut.seq, cut.mac), cut.at)
                cuts = metrics_tables.cuts
                connection.execute(cuts.update().where(cuts.c.seq == cut.seq).values(seal=seal))
            self._key = None
        return True

    def _noted_anchors(self) -> tuple[Sequence[ChainLink], str]:
        """The anchors that are kept outside, and what is wrong with them."""
        if self._anchors is None:
            return (), ""
        try:
            noted = self._anchors.noted()
        except (OSError, ValueError) as error:
            return (), f"the anchors cannot be read: {error}"
        return noted or (), "the file of the anchors is gone or empty" if not noted and self._anchors.required else ""

    def _erase(self, run_id: str, by: str, reason: str) -> int:
        at, columns = self._clock(), metrics_tables.events.c
        of_this_run = (columns.run_id == run_id, columns.body.is_not(None), columns.type != "record_erased")
        with self._engine.begin() as connection:
            last = self._lock(connection)
            count = connection.execute(sa.select(sa.func.count()).where(*of_this_run)).scalar_one()
            note = RecordErased(run_id=run_id, key=f"erased-{last.seq + 1}", at=at, by=by, reason=reason, events=count)
            if count:
                self._append(connection, last, [note])
                connection.execute(sa.update(metrics_tables.events).where(*of_this_run).values(body=None))
        if count and self._anchors is not None:
            self._anchors.note(self._end)
        return int(count)

    def _prune(self, before: float) -> int:
        at, columns = self._clock(), metrics_tables.events.c
        with self._engine.begin() as connection:
            self._lock(connection)
            oldest = connection.execute(sa.select(sa.func.min(columns.seq)).where(columns.at >= before)).scalar_one()
            older = columns.seq < oldest if oldest is not None else sa.true()
            last = connection.execute(
                sa.select(columns.seq, columns.mac).where(older).order_by(columns.seq.desc()).limit(1)
            ).one_or_none()
            if last is None:
                return 0
            seal = hash_chain.seal_of(self._key or b"", ChainLink(*last), at)
            connection.execute(sa.insert(metrics_tables.cuts).values(seq=last.seq, mac=last.mac, at=at, seal=seal))
            removed = connection.execute(sa.delete(metrics_tables.events).where(columns.seq <= last.seq)).rowcount
        if self._anchors is not None:
            self._anchors.forget(last.seq)
            self._anchors.note(ChainLink(*last))  # the next cut that nobody noted passes over it
            self._anchors.note(self._head())
        return removed


def _within(
    columns: sa.ColumnCollection[str, sa.Column[float]], since: float | None, until: float | None
) -> list[sa.ColumnElement[bool]]:
    bounds = []
    if since is not None:
        bounds.append(columns.at >= since)
    if until is not None:
        bounds.append(columns.at < until)
    return bounds


def _not_yet_logged(connection: sa.Connection, events: Sequence[RunEvent]) -> Iterable[RunEvent]:
    by_key = {(event.run_id, event.key): event for event in reversed(events)}
    for run_id in {event.run_id for event in events}:
        keys = [key for run, key in by_key if run == run_id]
        for known in connection.scalars(_KNOWN, {"run": run_id, "keys": keys}).all():
            del by_key[run_id, known]
    return reversed(by_key.values())
