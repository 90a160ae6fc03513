"""A lock per executor name, freed by the operating system or PostgreSQL when the process dies.

A name whose lock can be taken belongs to nobody alive, so its runs may be taken over. On SQLite the locks are files in a folder
beside the database (never on a network drive), on PostgreSQL advisory locks of one connection.
"""

import fcntl
import os
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import BinaryIO, Protocol
from urllib.parse import quote

import anyio
import anyio.to_thread
import sqlalchemy as sa
from sqlalchemy import exc

from autonomy.errors import StoreError


class Locks(Protocol):
    """Locks by name. They block, so they are used in threads."""

    def take(self, name: str) -> bool:
        """Take a lock unless another process holds it. Raises `OperationalError` of SQLAlchemy when that cannot be found out now,
        `StoreError` when another process has one that was ours."""
        ...

    def free(self, name: str) -> None:
        """Release a lock."""
        ...

    def close(self) -> None:
        """Release all locks."""
        ...

    @property
    def tells_the_dead(self) -> bool:
        """Whether a lock that can be taken belongs to nobody alive, and not to somebody who has just lost it."""
        ...


def open_locks(engine: sa.Engine) -> Locks:
    """The locks that go with a database. Raises `StoreError`."""
    if engine.dialect.name == "postgresql":
        from autonomy.durable.liveness.postgres_locks import PostgresLocks  # psycopg, which SQLite needs not

        return PostgresLocks(engine)
    return FileLocks(_folder(engine))


def _folder(engine: sa.Engine) -> Path:
    return Path(f"{engine.url.database}.workers")


def is_free(engine: sa.Engine, name: str) -> bool:
    """Whether no process alive holds that name. Blocks; raises `StoreError`."""
    return not held(engine, [name])


def held(engine: sa.Engine, names: Iterable[str]) -> frozenset[str]:
    """The names that living processes hold, found without taking any lock, so that concurrent readers see the same.

    Blocks; raises `StoreError`, on PostgreSQL SQLAlchemy's errors.
    """
    if engine.dialect.name == "postgresql":
        from autonomy.durable.liveness.postgres_locks import held_in

        return held_in(engine, names)
    locks = FileLocks(_folder(engine))
    return frozenset(name for name in names if locks.is_held(name))


@asynccontextmanager
async def alone(engine: sa.Engine, name: str) -> AsyncIterator[bool]:
    """Whether nobody else holds that name; it is ours until left, or until this process dies. Raises `StoreError`."""
    locks = await anyio.to_thread.run_sync(open_locks, engine)
    try:
        yield await anyio.to_thread.run_sync(locks.take, name)
    finally:
        with anyio.CancelScope(shield=True):
            await anyio.to_thread.run_sync(locks.close)


class FileLocks:
    """Named locks as files in a folder; the system frees those of a process that dies."""

    def __init__(self, folder: Path) -> None:
        try:
            folder.mkdir(mode=0o700, exist_ok=True)
        except OSError as error:
            raise StoreError(f"{folder} cannot be made: {error.strerror}") from error
        self._folder, self._held = folder, dict[str, BinaryIO]()

    def take(self, name: str) -> bool:
        """See `Locks`."""
        while name not in self._held:
            try:
                file = self._file(name).open("ab")
            except (
                OSError
            ) as error:  # of a full disk, or of a process with too many open files: told as of a database that is away
                raise exc.OperationalError("lock", None, error) from error
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                file.close()
                return False
            if self._is_there(name, file):
                self._held[name] = file
            else:  # its last holder took it away between our opening and locking it
                file.close()
        return True

    def free(self, name: str) -> None:
        """See `Locks`."""
        self._file(name).unlink(missing_ok=True)
        self._held.pop(name).close()

    def is_held(self, name: str) -> bool:
        """Whether a process holds it: a shared lock is refused while another process has an exclusive one."""
        try:
            with self._file(name).open("rb") as file:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except FileNotFoundError:
            return False
        except OSError:
            return True
        return False

    def close(self) -> None:
        """See `Locks`."""
        for name in list(self._held):
            self.free(name)

    @property
    def tells_the_dead(self) -> bool:
        """See `Locks`: the system frees locks of the dead alone."""
        return True

    def _file(self, name: str) -> Path:
        return self._folder / f"{quote(name, safe='')}.lock"

    def _is_there(self, name: str, file: BinaryIO) -> bool:
        try:
            return self._file(name).stat().st_ino == os.fstat(file.fileno()).st_ino
        except FileNotFoundError:
            return False
