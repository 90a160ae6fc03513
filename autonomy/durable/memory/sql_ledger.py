"""The effect ledger in the database, with atomic claims across processes.

What stays unsettled because a process died in between becomes `unknown` and is shown to a person, who looks at the receiving
side and resolves it (`jiritsu effects`).
"""

import time
import uuid
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, Literal

import sqlalchemy as sa

from autonomy.calls.verification.effect_ledger import LedgerEntry
from autonomy.database import RELEASES
from autonomy.durable.durable_tables import effects, runs
from autonomy.durable.store import Store, insert_unless_there
from autonomy.errors import RunConflict, UnknownRun
from discovery.catalog import Frozen, ToolOutput
from metrics.written_out import WrittenOut

Settled = Literal["done", "unknown", "failed"]

DONE_HELD_S = 900.0
"""How long a database that is away is waited for with the answer of a write that was made."""


class EffectRecord(Frozen):
    """One write as the ledger knows it."""

    key: str
    """`run/turn-2/call-1`: what the receiver was given as idempotency key."""
    run_id: str
    tool: str
    arguments_sha256: str
    state: Literal["started", "done", "unknown"]
    started_at: float
    settled_at: float | None = None
    resolved_by: str = ""
    note: str = ""


class UnansweredWrite(Frozen):
    """A write that was done, but whose client may not have the answer."""

    key: str
    output: ToolOutput | None
    """The tool's output; None when a person settled it."""
    settled_at: float


class SqlLedger:
    """An `EffectLedger` in a database."""

    def __init__(self, store: Store, *, clock: Callable[[], float] = time.time) -> None:
        self._store, self._clock = store, clock

    def claim(self, key: str, *, run_id: str, tool: str, arguments_sha256: str) -> Coroutine[Any, Any, LedgerEntry]:
        """Take the key with the next transaction, or say how far it went before. Raises `StoreError`; nothing was sent then."""
        now = self._clock()
        row = {
            "key": key,
            "run_id": run_id,
            "tool": tool,
            "arguments_sha256": arguments_sha256,
            "state": "started",
            "claim": uuid.uuid4().hex,
            "started_at": now,
            "resolved_by": "",
            "note": "",
        }

        def take(connection: sa.Connection) -> LedgerEntry:
            if insert_unless_there(connection, effects, row):
                return LedgerEntry(state="new")
            row_found = connection.execute(sa.select(effects).where(effects.c.key == key)).one()
            if row_found.claim == row["claim"]:  # ours: the first answer was lost on its way
                return LedgerEntry(state="new")
            output = ToolOutput.model_validate_json(row_found.output) if row_found.output else None
            return LedgerEntry(state=row_found.state, output=output, age_s=max(0.0, now - row_found.started_at))

        return self._store.together(take)

    async def settle(self, key: str, state: Settled, output: ToolOutput | None, *, note: str = "") -> None:
        """Record the outcome; `failed` frees the key. Raises `StoreError`; the key stays claimed then, and so `unknown`.

        That a write was done is held for `DONE_HELD_S`: whoever gives it up makes a person look at the receiving side.
        """
        stored = output.model_dump_json() if output else None
        values = {"state": state, "output": stored, "settled_at": self._clock(), "note": note}
        statement = _FREE if state == "failed" else _SETTLE
        patience_s = DONE_HELD_S if state == "done" else 0.0
        await self._store.together(
            lambda connection: statement.execute(connection, {"settled_key": key, **values}), patience_s=patience_s
        )

    async def unsettled(self, *, tenant: str | None = None, older_than_s: float = 0.0) -> tuple[EffectRecord, ...]:
        """Writes of unknown outcome, oldest first.

        One that is still `started` is only listed when it was claimed more than `older_than_s` ago: it may be under way.
        """
        old = effects.c.started_at <= self._clock() - older_than_s
        condition = (effects.c.state == "unknown") | ((effects.c.state == "started") & old)
        return await self._store(lambda connection: _select(connection, condition, tenant))

    async def of_run(self, run_id: str) -> tuple[EffectRecord, ...]:
        """All writes of one run, oldest first."""
        return await self._store(lambda connection: _select(connection, effects.c.run_id == run_id, None))

    async def leave_in_doubt(self, run_id: str) -> tuple[EffectRecord, ...]:
        """Mark the started writes of an abandoned run as unknown; gives all its writes of unknown outcome."""
        begun = (effects.c.run_id == run_id) & (effects.c.state == "started")

        def leave(connection: sa.Connection) -> tuple[EffectRecord, ...]:
            connection.execute(effects.update().where(begun).values(state="unknown", settled_at=self._clock()))
            return _select(connection, (effects.c.run_id == run_id) & (effects.c.state == "unknown"), None)

        return await self._store(leave)

    async def unanswered(
        self, tool: str, arguments_sha256: str, *, since: float, keyed: bool = False
    ) -> tuple[UnansweredWrite, ...]:
        """Writes with these arguments that were done since then and whose answer was not delivered, newest first.

        `keyed`: the tool knows its calls by a key. Of those release 0.1 noted no answer, so that what was done before this
        database left it counts as answered.
        """
        same_call = (effects.c.tool == tool) & (effects.c.arguments_sha256 == arguments_sha256)
        condition = same_call & (effects.c.state == "done") & effects.c.answered_at.is_(None) & (effects.c.settled_at >= since)
        if keyed:
            left_first = sa.select(sa.func.coalesce(sa.func.min(RELEASES.c.first_at), 0.0)).scalar_subquery()
            condition &= effects.c.settled_at >= left_first
        query = sa.select(effects.c.key, effects.c.output, effects.c.settled_at).where(condition)
        rows = await self._store(lambda connection: connection.execute(query.order_by(effects.c.settled_at.desc())).all())
        return tuple(
            UnansweredWrite(
                key=row.key,
                output=ToolOutput.model_validate_json(row.output) if row.output else None,
                settled_at=row.settled_at,
            )
            for row in rows
        )

    async def answered(self, keys: Sequence[str]) -> None:
        """Record that the client has the answers to these. Raises `StoreError`."""
        statement = effects.update().where(effects.c.key.in_(keys)).values(answered_at=self._clock())
        await self._store(lambda connection: connection.execute(statement))

    async def resolve(self, key: str, *, happened: bool, by: str, note: str = "", tenant: str | None = None) -> EffectRecord:
        """Settle a write as a person found it: it happened, or it did not and its key is free again.

        Raises `UnknownRun` for a key that is not there, `RunConflict` for one whose outcome is known.
        """
        after = {"settled_at": self._clock(), "resolved_by": by, "note": note, "state": "done" if happened else "unknown"}

        def settle(connection: sa.Connection) -> EffectRecord:
            found = _select(connection, effects.c.key == key, tenant)
            if not found:
                raise UnknownRun(key, "write")
            (effect,) = found
            if effect.state == "done":
                raise RunConflict(f"the outcome of {key} is known: it happened")
            this = effects.c.key == key
            connection.execute(effects.update().where(this).values(after) if happened else effects.delete().where(this))
            return effect.model_copy(update=after)

        return await self._store(settle)


_OPEN = (effects.c.key == sa.bindparam("settled_key"), (effects.c.state == "started") | (effects.c.state == "unknown"))
_FREE = WrittenOut(effects.delete().where(*_OPEN))
_SETTLE = WrittenOut(effects.update().where(*_OPEN), columns=("state", "output", "settled_at", "note"))


def _select(connection: sa.Connection, condition: sa.ColumnElement[bool], tenant: str | None) -> tuple[EffectRecord, ...]:
    columns = [effects.c[name] for name in EffectRecord.model_fields]
    query = sa.select(*columns).where(condition).order_by(effects.c.started_at, effects.c.key)
    if tenant is not None:  # what no run wrote (`notifications.scheduled_report`) is everyone's to look after
        others = sa.select(runs.c.run_id).where(runs.c.tenant != tenant)
        query = query.where(effects.c.run_id.not_in(others))
    return tuple(EffectRecord.model_validate(dict(row)) for row in connection.execute(query).mappings())
