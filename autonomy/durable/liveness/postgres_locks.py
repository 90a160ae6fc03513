"""Named locks in PostgreSQL, held by one connection and freed by the server when it ends."""

import time
import zlib
from collections.abc import Iterable
from contextlib import suppress

import psycopg
import sqlalchemy as sa
from sqlalchemy import exc

from autonomy.database import connect_timeout, for_reads
from autonomy.errors import StoreError

SPACE = 0x4A52
"""The first half of our advisory locks in PostgreSQL, so that they meet nobody else's."""


OTHERS_RETURN_S = 10.0
"""How long after a restart of the server living workers may take to have their locks again: each looks every second, while the
database is away every four, and on a busy machine later."""

_UPTIME_S = "select extract(epoch from clock_timestamp() - pg_postmaster_start_time())::float8"


class PostgresLocks:
    """Advisory locks of one connection. When it breaks, the server frees them all: they are taken again on the next."""

    def __init__(self, engine: sa.Engine) -> None:
        self._engine, self._held, self._connection = engine, set[str](), self._connect(engine)
        self._closed = False
        self._others_lost_at = time.monotonic() - float((self._connection.execute(_UPTIME_S).fetchone() or (0.0,))[0])
        """When all may have lost their locks for the last time: since then the server or our connection to it is new."""

    def take(self, name: str) -> bool:
        """See `Locks`. After the connection broke, those held before are taken again first."""
        try:
            return self._try(name)
        except psycopg.Error as error:
            self._reconnect(error)
            return self._try(name)

    def free(self, name: str) -> None:
        """See `Locks`."""
        self._held.discard(name)
        with suppress(psycopg.Error):  # a connection that broke has freed them all
            self._connection.execute("select pg_advisory_unlock(%s, %s)", (SPACE, _number(name)))

    def close(self) -> None:
        """See `Locks`."""
        self._closed = True
        self._connection.close()

    @property
    def tells_the_dead(self) -> bool:
        """See `Locks`."""
        return time.monotonic() - self._others_lost_at >= OTHERS_RETURN_S

    def _try(self, name: str) -> bool:
        """An advisory lock can be taken twice by its holder: one that is held is asked for as a sign of life only."""
        if name in self._held:
            self._connection.execute("select 1")
            return True
        answer = self._connection.execute("select pg_try_advisory_lock(%s, %s)", (SPACE, _number(name))).fetchone()
        taken = bool(answer and answer[0])
        if taken:
            self._held.add(name)
        return taken

    def _reconnect(self, error: psycopg.Error) -> None:
        self._connection.close()
        self._connection, self._others_lost_at = self._connect(self._engine), time.monotonic()
        if self._closed:  # by another thread, while this one waited for the database
            self._connection.close()
            raise error
        names, self._held = self._held, set()
        if lost := [name for name in names if not self._try(name)]:
            raise StoreError(f"another process has taken over as {', '.join(lost)} while the database was away") from error

    @staticmethod
    def _connect(engine: sa.Engine) -> psycopg.Connection[tuple[bool]]:
        url = engine.url.set(drivername="postgresql").render_as_string(hide_password=False)
        try:
            return psycopg.connect(
                url,
                autocommit=True,
                connect_timeout=connect_timeout(engine.url),
                keepalives_idle=10,
                keepalives_interval=5,
                keepalives_count=3,
            )
        except psycopg.Error as error:
            raise exc.OperationalError("connect", None, error) from error


_HELD = sa.text(
    "select objid from pg_locks where locktype = 'advisory' and granted and objsubid = 2 and classid = :space"
    " and cast(objid as bigint) = any(cast(:numbers as bigint[]))"
    " and database = (select oid from pg_database where datname = current_database())"
)


def held_in(engine: sa.Engine, names: Iterable[str]) -> frozenset[str]:
    """The names that a process holds, from the view of all locks (https://www.postgresql.org/docs/current/view-pg-locks.html).
    Blocks; raises SQLAlchemy's errors."""
    numbers = {name: _number(name) for name in names}
    with for_reads(engine).connect() as connection:
        found = set(connection.scalars(_HELD, {"space": SPACE, "numbers": list(numbers.values())}))
    return frozenset(name for name, number in numbers.items() if number in found)


def _number(name: str) -> int:
    return zlib.crc32(name.encode()) & 0x7FFFFFFF
