"""Tells whether the clock may be believed where things are deleted for their age.

A clock that jumped ahead makes all that is kept look old. So a time is believed only if it follows on the last one that was, or
once the clock has gone on steadily from it. PostgreSQL's server has a clock of its own: the earlier of the two counts.
"""

from datetime import UTC, datetime

import sqlalchemy as sa

from autonomy.durable.durable_tables import confirmed_time as table
from autonomy.durable.durable_tables import runs
from autonomy.durable.store import put_row, time_of
from discovery.catalog import Frozen

DAY_S = 86_400.0

_ROW = 1
"""The key of the only row."""


class ClockJump(Frozen):
    """A time of which nobody knows whether it is right."""

    now: float
    confirmed_at: float
    """The last time that was believed."""
    believed_at: float
    """When this clock is believed if it goes on steadily."""

    def __str__(self) -> str:
        ahead, now, confirmed = (self.now - self.confirmed_at) / DAY_S, _day(self.now), _day(self.confirmed_at)
        return (
            f"the clock says {now}, {ahead:.0f} days after {confirmed}, when this database was last in use: "
            f"until {_day(self.believed_at)} only what was old on that day is deleted"
        )


MEND = "set the clock right if it is wrong; if it is right, `jiritsu runs prune --before DATE` deletes at once"
"""What a person can do about a jump."""


def jump_of(connection: sa.Connection, now: float, *, plausible_s: float, began: float) -> tuple[float, ClockJump | None]:
    """The time by which to delete, and why it is not that of the clock; notes that it was looked at.

    `plausible_s`: how far the time may be from the last one that was believed, and for how long a clock that is farther must go
    on, looked at more often than that. `began`: when this process did, for a database that has no time yet.
    """
    if connection.dialect.name == "postgresql":
        now = min(now, time_of(connection))
    row = connection.execute(sa.select(table)).mappings().one_or_none()
    confirmed_at = row["confirmed_at"] if row else _newest_run(connection, min(began, now)) or now
    if now - confirmed_at <= plausible_s:
        return _believe(connection, max(confirmed_at, now)), None
    since = row["doubted_since"] if row else None
    if row is None or since is None or not 0 <= now - row["seen_at"] <= plausible_s:
        since = now
    if now - since >= plausible_s:
        return _believe(connection, now), None
    jump = ClockJump(now=now, confirmed_at=confirmed_at, believed_at=since + plausible_s)
    doubted = {"seen_at": now, "doubted_since": since, "believed_at": jump.believed_at}
    put_row(connection, table, {"id": _ROW, "confirmed_at": confirmed_at, **doubted})
    return confirmed_at, jump


def noted_jump(connection: sa.Connection) -> ClockJump | None:
    """The jump that a worker has seen, if its clock is not believed yet."""
    row = connection.execute(sa.select(table).where(table.c.doubted_since.is_not(None))).mappings().one_or_none()
    return ClockJump(now=row["seen_at"], confirmed_at=row["confirmed_at"], believed_at=row["believed_at"]) if row else None


def _believe(connection: sa.Connection, now: float) -> float:
    put_row(connection, table, {"id": _ROW, "confirmed_at": now, "seen_at": now, "doubted_since": None, "believed_at": None})
    return now


def _newest_run(connection: sa.Connection, before: float) -> float | None:
    """When a run was last asked for, in the time before this process: what it notes itself bears its own clock."""
    newest: float | None = connection.scalar(sa.select(sa.func.max(runs.c.asked_at)).where(runs.c.asked_at < before))
    return newest


def _day(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d")
