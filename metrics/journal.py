"""Stores events in an append-only, hash-chained journal. Its database work runs in threads."""

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
from metrics.written_out import AWAY, WrittenOut

T = TypeVar("T")

Transact = Callable[[Callable[[sa.Connection], None]], Awaitable[None]]
"""Runs a function in a transaction, and raises its errors."""

ROWS_AT_ONCE = 2000
MOST_WORDS = 500
"""How many redacted texts are cached."""

NOTHING: Mapping[str, str] = MappingProxyType({})

# Built once, because building a statement takes longer than executing it, and runs append at every turn.
_HEAD = metrics_tables.head
_LAST_CUT = sa.select(metrics_tables.cuts).order_by(metrics_tables.cuts.c.seq.desc()).limit(1)
_CHANGES = sa.select(metrics_tables.key_changes).order_by(metrics_tables.key_changes.c.seq.desc())
_LAST_CHANGE = _CHANGES.with_only_columns(metrics_tables.key_changes.c.after).limit(1).scalar_subquery()
_LOCK_HEAD = sa.update(_HEAD).values(id=1).returning(_HEAD.c.seq, _HEAD.c.mac, _LAST_CHANGE)
_MOVE_HEAD = sa.update(_HEAD).values(seq=sa.bindparam("end_seq"), mac=sa.bindparam("end_mac"))
_KNOWN = sa.select(metrics_tables.events.c.key).where(
    metrics_tables.events.c.run_id == sa.bindparam("run"), metrics_tables.events.c.key.in_(sa.bindparam("keys", expanding=True))
)


def _all_as_one() -> sa.Insert:
    """Insert rows given as one JSON array, for PostgreSQL.

    The statement's text is the same for any number of rows, so driver and server parse it once. One statement per row would go
    through a pipeline, and the driver would warn if a replayed run's rows exist.
    """
    kinds = {one.name: sa.Text if isinstance(one.type, sa.LargeBinary) else one.type for one in metrics_tables.events.columns}
    given = sa.func.json_to_recordset(sa.cast(sa.bindparam("rows", type_=sa.Text), sa.JSON))
    rows = given.table_valued(*(sa.column(name, kind) for name, kind in kinds.items())).render_derived(with_types=True)
    values = [sa.func.decode(rows.c[one], "hex") if one in ("digest", "mac") else rows.c[one] for one in kinds]
    return sa.insert(metrics_tables.events).from_select(list(kinds), sa.select(*values))


def _as_json(rows: Sequence[ChainRow]) -> str:
    """The rows in the form that `_all_as_one` takes."""
    return json.dumps([row._asdict() | {"digest": row.digest.hex(), "mac": row.mac.hex()} for row in rows], ensure_ascii=False)


class Anchors(Protocol):
    """The anchors kept outside the database. Its methods block."""

    @property
    def required(self) -> bool:
        """Whether a log without any anchor is a finding."""

    def note(self, link: ChainLink) -> None:
        """Store the present end of the chain."""

    def noted(self) -> Sequence[ChainLink] | None:
        """Return the stored anchors; None if there never was one. Raises OSError or ValueError if they cannot be read."""

    def forget(self, before: int) -> None:
        """Drop anchors of the rows before this one, which were removed."""


ROWS_AT_END = 10
"""The last rows, by which the key of the log is recognized; several, because one may have been edited."""

NO_KEY = (
    "the log goes on under a key that is not among JIRITSU_KEY, so nothing is written to it: set JIRITSU_KEY=new,old and run "
    "`jiritsu keys rotate`; where that key is lost, `jiritsu keys rotate --lost-key`"
)

ONLY_WITHOUT_KEY = frozenset({"edited", "unsealed_cut", "unknown_key", "other_key"})
"""The findings that an untouched log has, too, if its key is lost."""

ENDS = frozenset({"run_finished", "record_erased"})
"""After these events, the end of the chain is noted as an anchor."""


@dataclass(eq=False)
class _Batch:
    """Events of one writer that wait to be stored."""

    events: Sequence[RunEvent]
    written: bool = False


log = logging.getLogger(__name__)


class Journal:
    """An `EventSink` over a database: append-only, hash-chained, verifiable."""

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
        """`key` is the secret key with which the chain began, kept outside the database; `keys` are all known keys, including
        those it was changed to (`change_key`). `redact` redacts free text (`WORDS`). `anchors` stores the end of the chain when a
        run ends. `refusal` makes the exception that is raised while the database is away, and if the present key is unknown, so
        that nothing can be appended."""
        self._engine, self._first_key, self._clock = engine, key or b"", clock
        self._keys = {hash_chain.id_of(one): one for one in (*keys, key or b"", b"")}
        self._key: bytes | None = None
        """The present key; looked up again if it was changed meanwhile (`_changed_to`)."""
        self._changed_to: bytes | None = None
        self._refusal = refusal
        self._anchors, self._end, self._began = anchors, ChainLink(0, GENESIS), False
        self._redact = lru_cache(maxsize=MOST_WORDS)(redact)  # the same rules and causes occur again and again
        self._turn, self._waiting = anyio.Lock(fast_acquire=True), list[_Batch]()
        self._transact: Transact = self._in_transaction
        self._lock_head, self._move_head = WrittenOut(_LOCK_HEAD), WrittenOut(_MOVE_HEAD)
        self._insert, self._insert_as_one = WrittenOut(sa.insert(metrics_tables.events)), WrittenOut(_all_as_one())
        self._give_way: Callable[[], None] = lambda: None

    @property
    def engine(self) -> sa.Engine:
        """The database of the journal."""
        return self._engine

    def giving_way(self, give_way: Callable[[], None]) -> "Journal":
        """Return this journal with scans that call `give_way` between two events, in their thread, so that it may pause them."""
        other = copy(self)
        other._give_way = give_way
        return other

    def within(self, transact: "Transact") -> "Journal":
        """Return this journal with appends inside the transactions of `transact`, which may contain other work."""
        other = copy(self)
        other._transact = transact
        return other

    async def write(self, events: Sequence[RunEvent]) -> None:
        """Append the new events in order, all or none; an event whose (run, key) exists is ignored."""
        if not events:
            return
        await anyio.lowlevel.checkpoint_if_cancelled()  # a free lock is acquired without a check for cancellation
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
        """Return events in the order they were written, without erased ones; `since ≤ at < until`, in seconds since the epoch."""
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
        """Pass events to `consume` one by one, in a thread, and return its result; at most a few thousand are in memory.

        `types` selects types of events. `without` excludes events of these types whose JSON contains the given text; an empty
        text excludes all. With `whole_runs`, all events of the runs that began in the period are passed, ordered by run.
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
        return await self._in_thread(self._scan, query.order_by(order), consume)

    async def begun(self, since: float, until: float, most: int) -> int:
        """Count the runs that began in `since ≤ at < until`, up to `most`, so that no more of the index is read."""
        columns = metrics_tables.events.c
        some = sa.select(columns.run_id).where(columns.type == "run_started", *_within(columns, since, until)).limit(most)
        query = sa.select(sa.func.count()).select_from(some.subquery())

        def count() -> int:
            with self._engine.connect() as connection:
                return connection.execute(query).scalar_one()

        return await self._in_thread(count)

    async def rows(self, *, after: int = 0, limit: int = 100, run: str = "") -> tuple[ChainRow, ...]:
        """Return the stored rows after a number, of all runs or of those whose ids begin with `run`."""
        columns = metrics_tables.events.c
        query = sa.select(metrics_tables.events).where(columns.seq > after).order_by(columns.seq).limit(limit)
        if run:
            query = query.where(columns.run_id.startswith(run, autoescape=True))
        return await self._in_thread(lambda: tuple(self._rows(query)))

    async def newest(self, upto: int, *, limit: int, types: Collection[str] = ()) -> tuple[ChainRow, ...]:
        """Return the stored rows up to a number, newest first; of these types, or of all."""
        columns = metrics_tables.events.c
        kinds = columns.type.in_(types) if types else sa.true()
        query = sa.select(metrics_tables.events).where(columns.seq <= upto, kinds).order_by(columns.seq.desc()).limit(limit)
        return await self._in_thread(lambda: tuple(self._rows(query)))

    async def anchor(self) -> ChainLink:
        """Return the end of the chain. If that is kept elsewhere (in a post, a mail), it reveals a later truncation."""
        return await self._in_thread(self._head)

    async def verify(self, anchors: Sequence[ChainLink] = ()) -> Verification:
        """Check every row for edits and deletions, and by these and the stored anchors also for a truncated end."""
        return await self._in_thread(self._verify, anchors)

    async def erase(self, run_id: str, *, by: str, reason: str) -> int:
        """Erase the bodies of a run's events, but not their digests, and log the erasure; return how many were erased."""
        return await self._in_thread(self._erase, run_id, by, reason)

    def require_key(self) -> None:
        """Raise the refusal if the present key is unknown, before anything is done that must be logged. Blocks; an error of the
        database is SQLAlchemy's, so that whoever asks may try again."""
        with self._engine.connect() as connection:
            end = connection.execute(sa.select(_HEAD.c.seq, _HEAD.c.mac, _LAST_CHANGE)).one_or_none()
            if end is not None:
                self._key_in_force(connection, ChainLink(*end[:2]), end[2])

    async def change_key(self, key: bytes, *, lost: bool = False) -> bool:
        """Use another key from now on, and seal the existing rows with it; return False if it was in use already.

        Other processes that know this key use it from then on, too. Raises `ValueError` if the log is not intact. With `lost`, a
        log is also sealed if its key is lost, so that its rows cannot be checked; `verify` reports that from then on.
        """
        return await self._in_thread(self._change_key, key, lost)

    async def prune(self, before: float) -> int:
        """Remove the rows before the first that is not older than `before` (epoch seconds); return how many were removed."""
        return await self._in_thread(self._prune, before)

    async def _in_thread(self, work: Callable[..., T], *arguments: object) -> T:
        """Do database work in a thread, and return its result. Raises the refusal while the database is away."""
        try:
            return await anyio.to_thread.run_sync(work, *arguments)
        except AWAY as error:
            problem = " ".join(str(getattr(error, "orig", None) or error).split())
            raise self._refusal(f"the database cannot be used: {problem}") from error

    async def _write_waiting(self) -> None:
        """Store the events of all waiting writers in one transaction, so that they do not wait for the disk one by one."""
        together = tuple(self._waiting)
        events = [event for batch in together for event in batch.events]
        try:
            await self._transact(lambda connection: self._append(connection, self._lock(connection), events))
        except sa.exc.IntegrityError:  # some exist, as after a replay of a run; too rare to look it up each time
            await self._transact(partial(self._append_new, events=events))
        if self._anchors is not None and self._began:
            self._began = False  # this anchor of the beginning reveals a cut that was not noted
            await anyio.to_thread.run_sync(self._anchors.note, ChainLink(0, GENESIS))
        if self._anchors is not None and any(event.type in ENDS for event in reversed(events)):
            await anyio.to_thread.run_sync(self._anchors.note, self._end)
        for batch in together:
            batch.written = True
            if batch in self._waiting:  # otherwise its writer was cancelled meanwhile, and removed it
                self._waiting.remove(batch)

    async def _in_transaction(self, work: Callable[[sa.Connection], None]) -> None:
        def carry_out() -> None:
            with self._engine.begin() as connection:
                work(connection)

        await self._in_thread(carry_out)

    def _append_new(self, connection: sa.Connection, events: Sequence[RunEvent]) -> None:
        last = self._lock(connection)
        self._append(connection, last, _not_yet_logged(connection, events))

    def _append(self, connection: sa.Connection, last: ChainLink, events: Iterable[RunEvent]) -> None:
        rows, self._began = [], self._began or last.seq == 0
        for event in events:
            row = self._link(last, event)
            rows.append(row)
            last = ChainLink(row.seq, row.mac)
        if rows:
            if connection.dialect.name == "postgresql":
                self._insert_as_one.execute(connection, {"rows": _as_json(rows)})
            else:
                self._insert.execute_all(connection, [row._asdict() for row in rows])
            self._move_head.execute(connection, {"end_seq": last.seq, "end_mac": last.mac})
        self._end = last

    def _lock(self, connection: sa.Connection) -> ChainLink:
        """Lock the end of the chain for this transaction, and look up the present key. Raises the refusal if that is unknown."""
        last, changed_to = self._lock_end(connection)
        if self._key is None or changed_to != self._changed_to:
            self._key, self._changed_to = self._key_in_force(connection, last, changed_to), changed_to
        return last

    def _lock_end(self, connection: sa.Connection) -> tuple[ChainLink, bytes | None]:
        """Lock the end of the chain; return it, and the id of the key that was changed to last. SQLite only locks by a write."""
        ((seq, mac, changed_to),) = self._lock_head.execute(connection, {})
        return ChainLink(seq, mac), changed_to

    def _key_in_force(self, connection: sa.Connection, last: ChainLink, changed_to: bytes | None) -> bytes:
        """Return the present key. Raises the refusal if it is unknown: a row under another key would break the chain for ever."""
        key = self._known_key(connection, last, changed_to)
        if key is None:
            raise self._refusal(NO_KEY)
        return key

    def _known_key(self, connection: sa.Connection, last: ChainLink, changed_to: bytes | None) -> bytes | None:
        """Return the key that was changed to last; without a change, the known key of the last rows, because the first key may
        have been configured only later. None if it is unknown."""
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
        """Parse events, skipping types that only a newer release knows."""
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
            # in one statement, after reading the anchors; later rows are ignored, because others append meanwhile
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
        for forged in self._forged_changes(changed):
            found = found.plus(forged)
        if lost and found.head.seq:
            found = found.plus(ChainFinding(found.head.seq, "no_anchor", lost))
        if cut and hash_chain.seal_of(key, start, cut.at) != cut.seal:
            return found.plus(ChainFinding(cut.seq, "unsealed_cut", "the start of the log was cut by someone without the key"))
        return found

    def _forged_changes(self, changed: Sequence[sa.Row[Any]]) -> Iterator[ChainFinding]:
        """Yield a finding for each change of the key that was not made by someone with the key. `changed`: oldest first."""
        for one, later in zip(changed, [*changed, None][1:], strict=True):
            new_key, link = self._keys.get(one.after), ChainLink(one.seq, one.mac)
            # the empty key, whose seal anybody can make, is never changed to, and each change begins at the key of the last one
            is_sealed = new_key is None or (new_key and hash_chain.change_seal(new_key, link, one.before, one.at) == one.seal)
            if not is_sealed or (later is not None and later.before not in (one.after, hash_chain.LOST)):
                yield ChainFinding(one.seq, "edited", "the change of the key was not made by who has it")

    def _other_key(self, under: Callable[[bytes], Verification]) -> ChainFinding | None:
        """Return a single finding if the whole log is intact under another known key, or under none."""
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
            if connection.dialect.name == "postgresql":  # a process that waits only for the row would not see the change
                connection.execute(sa.text(f"LOCK TABLE {_HEAD.name}"))
            last = self._lock_end(connection)[0] if lost else self._lock(connection)
            self._keys |= {hash_chain.id_of(key): key}
            before, after = hash_chain.LOST if lost else hash_chain.id_of(self._key or b""), hash_chain.id_of(key)
            if before == after:
                return False
            changes = metrics_tables.key_changes
            gone = connection.scalar(changes.delete().where(changes.c.seq == last.seq).returning(changes.c.before))
            before = before if gone is None or lost else gone  # no row was written under the key in between
            seal = hash_chain.change_seal(key, last, before, at)
            connection.execute(changes.insert().values(**last._asdict(), at=at, before=before, after=after, seal=seal))
            if cut := connection.execute(_LAST_CUT).one_or_none():
                seal = hash_chain.seal_of(key, ChainLink(cut.seq, cut.mac), cut.at)
                cuts = metrics_tables.cuts
                connection.execute(cuts.update().where(cuts.c.seq == cut.seq).values(seal=seal))
            self._key = None
        return True

    def _noted_anchors(self) -> tuple[Sequence[ChainLink], str]:
        """Return the anchors that are stored outside the database, and what is wrong with them."""
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
            self._anchors.note(ChainLink(*last))  # reveals a later cut that was not noted
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
