"""Stores the one time zone of the schedules that name none: workers on machines of several zones share it."""

import logging

import sqlalchemy as sa

from autonomy.durable.durable_tables import schedule_zone as table
from autonomy.durable.store import insert_unless_there

_ROW = 1
"""The key of the only row."""

log = logging.getLogger(__name__)


def stored_zone(engine: sa.Engine) -> str:
    """The time zone of the schedules that name none; empty before the first worker. Blocks."""
    with engine.connect() as connection:
        return connection.scalar(sa.select(table.c.timezone)) or ""


def settle_zone(engine: sa.Engine, own: str, *, named: bool) -> str:
    """The time zone of the schedules that name none, for a process that is about to look after them. Blocks.

    `own`: that of its settings. `named`: somebody wrote it there, so that it is everybody's from now on; else it is only where
    this machine happens to be, which counts until another one is stored.
    """
    with engine.begin() as connection:
        if insert_unless_there(connection, table, {"id": _ROW, "timezone": own}):
            return own
        if named:
            changed = table.update().where(table.c.id == _ROW, table.c.timezone != own).values(timezone=own)
            if connection.execute(changed).rowcount:
                log.warning("schedules without a time zone go by %s from now on: start the other workers again", own)
            return own
        found = str(connection.scalar(sa.select(table.c.timezone)))
    if found != own:
        log.warning(
            "schedules without a time zone go by %s on this database, and this machine is in %s: "
            '`timezone = "%s"` in jiritsu.toml would move them',
            found, own, own,
        )  # fmt: skip
    return found
