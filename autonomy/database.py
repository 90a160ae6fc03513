"""Opens the database (SQLite or PostgreSQL) and migrates the schemas of all packages.

Each room owns its tables in a `tables.py`; this file knows only that they exist. The engine is synchronous: rooms work with it
in threads.
"""

import contextlib
import math
import os
import resource
import select
import sqlite3
import stat
import sys
import time
import weakref
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache, partial
from pathlib import Path
from typing import Any, Self

import sqlalchemy as sa
from sqlalchemy import event, exc

from autonomy.errors import StoreError

SCHEMA = sa.Table(
    "jiritsu_schema",
    sa.MetaData(),
    sa.Column("room", sa.String(64), primary_key=True),
    sa.Column("version", sa.Integer, nullable=False),
)

RELEASES = sa.Table(
    "jiritsu_releases",
    SCHEMA.metadata,
    sa.Column("version", sa.String(64), primary_key=True),
    sa.Column("first_at", sa.Float, nullable=False),
)
"""Which releases have opened this database, and when each did so first, in seconds since the epoch."""

MIGRATION_LOCK = 0x4A4D
"""The advisory lock under which PostgreSQL's tables are changed."""

BUSY_S = 30
"""How long a connection waits for another that writes to the same SQLite file."""

LOOK_S = 0.25
"""How long SQLite waits for it by itself, which nobody can end; after that the connection sees whether it is to wait on."""

CLOSING_S = 3.0
"""How long all that is still written while something closes waits for it, together."""

RESTED_S = 10.0
"""After so long without use it is asked whether a connection to PostgreSQL still stands; what drops idle ones takes minutes."""

NEEDED_BYTES = 256 * 1024
"""With less room on the disk, opening the database fails for want of it."""

CONNECT_S = 10
"""How long a connection to PostgreSQL may take to be made; of itself the driver waits 130 s for a server that is suspended."""

NO_ROOM = ("53100", "53400")
"""PostgreSQL's names (SQLSTATE) for a full disk, and for temporary files beyond their limit."""

_PROBE = (
    sa.text("SET LOCAL work_mem = '64kB'"),
    sa.text(
        "SELECT current_setting('transaction_read_only') = 'on', count(*)"
        " FROM unnest(array_fill(repeat('x', 128), ARRAY[2000])) AS written"
    ),
)
"""Whether only reads are allowed, as on a standby, and rows of about `NEEDED_BYTES` that memory does not hold: their temporary
file is gone at once, and neither the log nor a table grows. It takes a millisecond."""

URL_FORM = "it must be sqlite:///FILE or postgresql://USER@HOST/DATABASE"

FEW_FILES = 64
"""A process that may open no more than these is told of it when the database cannot be opened."""

_ALWAYS: dict[str, Any] = {"pool_size": 20, "max_overflow": 0, "pool_timeout": 30, "pool_use_lifo": True, "hide_parameters": True}
"""Of each engine. The connection that came back last is taken first: it has its pages and statements at hand. Parameters are
goals, inputs and answers of people: an error's text would carry them into logs."""

Upgrade = Callable[[sa.Connection], None]


class SchemaModule:
    """The tables of one room, and the changes they went through: `upgrades[n]` leads from version n+1 to n+2."""

    def __init__(self, name: str, metadata: sa.MetaData, upgrades: Sequence[Upgrade] = ()) -> None:
        self.name, self.metadata, self.upgrades = name, metadata, tuple(upgrades)

    @property
    def version(self) -> int:
        """The schema version that the code expects."""
        return 1 + len(self.upgrades)


def open_engine(url: str) -> sa.Engine:
    """An engine for a URL. Raises `StoreError` for one that cannot be understood or reached."""
    try:
        parsed = sa.make_url(url)
        if "@" in (parsed.host or ""):  # the end of the password would be told as part of a host's name
            raise StoreError("the database URL cannot be used: in a name or password write @ as %40, / as %2F and : as %3A")
        if parsed.get_backend_name() == "sqlite":
            return _open_sqlite(parsed)
        if parsed.get_backend_name() not in ("postgresql", "postgres"):
            raise StoreError(f"the database URL {url!r} cannot be used: {URL_FORM}")
        if parsed.drivername in ("postgresql", "postgres"):
            parsed = parsed.set(drivername="postgresql+psycopg")
        return _open_postgres(parsed)
    except (exc.ArgumentError, ValueError) as error:
        raise StoreError(f"the database URL {url!r} cannot be used: {URL_FORM}") from error
    except (exc.NoSuchModuleError, ImportError) as error:
        raise StoreError(f"the database URL {url!r} cannot be used: {error}") from error


def _open_postgres(url: sa.URL) -> sa.Engine:
    engine = sa.create_engine(url, **_ALWAYS, pool_pre_ping=True, connect_args={"connect_timeout": connect_timeout(url)})
    engine.dialect.do_ping = _Ping(engine.dialect.do_ping)  # type: ignore[method-assign,assignment]
    event.listen(engine, "connect", _require_encoding, insert=True)  # before SQLAlchemy, which trips over bytes
    return engine


def _require_encoding(connection: Any, _record: Any) -> None:
    """Raise `StoreError` for a PostgreSQL database without an encoding, which brings bytes: so is one made without a locale."""
    if connection.info.parameter_status("server_encoding") == "SQL_ASCII":
        name = connection.info.dbname
        how = f"CREATE DATABASE {name} ENCODING 'UTF8' LOCALE 'C' TEMPLATE template0"
        raise StoreError(f"the database {name} has no encoding (SQL_ASCII), and UTF8 is needed: make it with `{how}`")


def connect_timeout(url: sa.URL) -> int:
    """How many seconds a connection to PostgreSQL may take, unless its URL says so."""
    return int(str(url.query.get("connect_timeout", CONNECT_S)))


class _Ping:
    """`do_ping`: whether a connection to PostgreSQL still stands, asked before each transaction.

    One that was in use a moment ago is only listened to: a server that ends closes it, which costs no round trip to see. One
    that rested may have been dropped on the way without a word, and is asked.
    """

    def __init__(self, ask: Callable[[Any], bool]) -> None:
        self._ask, self._used_at = ask, weakref.WeakKeyDictionary[Any, float]()

    def __call__(self, connection: Any) -> bool:
        now = time.monotonic()
        rested_s, self._used_at[connection] = now - self._used_at.get(connection, -math.inf), now
        return (rested_s < RESTED_S and not _says_something(connection.fileno())) or self._ask(connection)


def _says_something(socket: int) -> bool:
    looked = select.poll()
    looked.register(socket, select.POLLIN)
    return bool(looked.poll(0))


def for_reads(engine: sa.Engine) -> sa.Engine:
    """The same database, for single reads: over PostgreSQL without a transaction.

    That would be two round trips more, and at the rollback with which a read ends psycopg drops all that it has prepared on the
    connection, so that the server plans each statement anew.
    """
    return engine.execution_options(isolation_level="AUTOCOMMIT") if engine.dialect.name == "postgresql" else engine


def _open_sqlite(url: sa.URL) -> sa.Engine:
    """SQLite as DBOS and we need it: write-ahead log, full sync, immediate transactions."""
    if url.database and url.database != ":memory:":
        _make_private(Path(url.database))
    return _sqlite_engine(url)


def _sqlite_engine(url: sa.URL, wait: "_LockWait | None" = None) -> sa.Engine:
    wait = wait or _LockWait()
    engine = sa.create_engine(url, **_ALWAYS, connect_args={"factory": partial(_Connection, wait)})
    event.listen(engine, "connect", _prepare_sqlite)
    _LOCK_WAITS[engine] = wait
    return engine


class _LockWait:
    """How long the connections of this process wait for another that writes to the same SQLite file."""

    def __init__(self) -> None:
        self.ends_at = math.inf
        """On the monotonic clock."""

    def goes_on(self, began: float) -> bool:
        """Whether a connection that has waited since `began` waits on."""
        return time.monotonic() < min(began + BUSY_S, self.ends_at)


_LOCK_WAITS = weakref.WeakKeyDictionary[sa.Engine, _LockWait]()


def end_lock_waits(engine: sa.Engine) -> None:
    """Have what still writes to this SQLite database wait for other processes until `CLOSING_S` from now at the most.

    What is closed one after the other would otherwise wait for each. Who waits in vain raises as after `BUSY_S`.
    """
    if (wait := _LOCK_WAITS.get(engine)) is not None:
        wait.ends_at = min(wait.ends_at, time.monotonic() + CLOSING_S)


def resume_lock_waits(engine: sa.Engine) -> None:
    """Have it wait for other processes as ever."""
    if (wait := _LOCK_WAITS.get(engine)) is not None:
        wait.ends_at = math.inf


class _Cursor(sqlite3.Cursor):
    """Waits for another that writes in steps of `LOOK_S`, and so long as its connection says."""

    connection: "_Connection"

    def execute(self, *statement: Any) -> Self:
        return self._repeat_while_busy(super().execute, statement)

    def executemany(self, *statement: Any) -> Self:
        return self._repeat_while_busy(super().executemany, statement)

    def _repeat_while_busy(self, execute: Callable[..., Self], statement: Sequence[Any]) -> Self:
        """Begin it again while it could not begin. One that is refused at once, or within a transaction, would be in vain."""
        began = asked = time.monotonic()
        while True:
            try:
                return execute(*statement)
            except sqlite3.OperationalError as error:
                is_busy = error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY and not self.connection.in_transaction
                waited_s, asked = time.monotonic() - asked, time.monotonic()
                if not is_busy or waited_s < LOOK_S / 2 or not self.connection.wait.goes_on(began):
                    raise


class _Connection(sqlite3.Connection):
    """A connection whose waits can be ended."""

    def __init__(self, wait: _LockWait, *of: Any, **named: Any) -> None:
        super().__init__(*of, **named)
        self.wait = wait

    def cursor(self, factory: type[sqlite3.Cursor] = _Cursor) -> sqlite3.Cursor:  # type: ignore[override]
        return super().cursor(factory)


def repeatable(engine: sa.Engine) -> sa.Engine:
    """The same database, for what may be done again after a power cut: over SQLite its commits do not wait for the disk.

    They are safe from the end of any process. They reach the disk, in their order, with the next commit of the engine itself,
    since both write to one log: what that one has committed never stands there without what was committed here before it.
    To be disposed of by whoever asks, unless it is the engine itself. Blocks for a moment.
    """
    if engine.dialect.name != "sqlite":
        return engine
    other = _sqlite_engine(engine.url, _LOCK_WAITS.get(engine))
    event.listen(other, "connect", lambda connection, _record: connection.execute("PRAGMA synchronous=NORMAL"))
    return other


def unwaiting(engine: sa.Engine) -> sa.Engine:
    """The same SQLite database as `repeatable` has it, for an event loop: it waits for nothing.

    Neither for another who writes (then it raises, and the same can be done in a thread by an engine that does wait) nor for the
    disk, since the log is folded into the file by those that wait. To be disposed of by whoever asks.
    """
    other = _sqlite_engine(engine.url, _LOCK_WAITS.get(engine))
    event.listen(other, "connect", _wait_for_nothing)
    return other


def _wait_for_nothing(connection: sqlite3.Connection, _record: Any) -> None:
    for pragma in ("busy_timeout=0", "synchronous=NORMAL", "wal_autocheckpoint=0"):
        connection.execute(f"PRAGMA {pragma}")


def _make_private(file: Path) -> None:
    """Begin a database that only its owner reads, in a folder that only he opens, and take all others off one that is his.

    A folder that is there keeps its own: it may hold more than ours. SQLite gives a new log beside the file the same permissions.
    Behind a link it is the file that the link leads to. Raises `StoreError`.
    """
    if str(file).startswith("file:"):
        return
    with contextlib.suppress(OSError, RuntimeError):  # links in a circle: SQLite says it better
        file = file.resolve()
    try:
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise StoreError(f"the data directory {file.parent} cannot be made: {error.strerror}") from error
    with contextlib.suppress(OSError):  # SQLite says it better
        os.close(os.open(file, os.O_CREAT | os.O_EXCL, 0o600))
    for part in (file, *(file.with_name(file.name + end) for end in ("-wal", "-shm"))):
        with contextlib.suppress(OSError):  # not there, or another's: its owner decides who reads it
            if stat.S_ISREG(mode := part.lstat().st_mode) and mode & 0o077:
                part.chmod(mode & 0o700)


def _prepare_sqlite(connection: sqlite3.Connection, _record: Any) -> None:
    connection.isolation_level = "IMMEDIATE"
    for pragma in (f"busy_timeout={round(1000 * LOOK_S)}", "foreign_keys=ON", "synchronous=FULL"):
        connection.execute(f"PRAGMA {pragma}")
    _write_ahead(connection)
    if sqlite3.sqlite_version_info < (3, 42):
        # DBOS asks SQLite for `unixepoch('subsec')` by the version of Python; the library knows it from 3.42 on.
        connection.create_function("unixepoch", -1, lambda *_: time.time())


def _write_ahead(connection: sqlite3.Connection) -> None:
    """Turn to the write-ahead log. The first to do so needs the file alone, and SQLite does not wait for that by itself."""
    deadline = time.monotonic() + BUSY_S
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(0.01)
        else:
            return


def migrate(engine: sa.Engine, rooms: Sequence[SchemaModule]) -> None:
    """Bring every room's tables to the version the code expects.

    Over SQLite in one transaction; over PostgreSQL in one for each room, so that none waits for a room's tables while it keeps a
    worker from those of another. Raises `StoreError` when the database is newer than the code, read-only or full; nothing is lost
    then.
    """
    try:
        with _alone(engine) as connection:
            SCHEMA.metadata.create_all(connection)
            _note_release(connection)
        for together in [rooms] if engine.dialect.name == "sqlite" else [[room] for room in rooms]:
            with _alone(engine) as connection:
                there = frozenset(sa.inspect(connection).get_table_names())
                for room in together:
                    _bring_up(connection, room, there)
    except exc.DBAPIError as error:
        where = engine.url.render_as_string()
        raise StoreError(f"the database {where} cannot be prepared: {error.orig}{cause_of(engine)}") from error


def is_current(engine: sa.Engine, rooms: Sequence[SchemaModule]) -> bool:
    """Whether there is nothing to migrate, which is found without writing: who only reads can while nobody can write."""
    try:
        with engine.connect() as connection:
            versions = {row.room: row.version for row in connection.execute(sa.select(SCHEMA))}
            known = connection.scalar(sa.select(RELEASES.c.version).where(RELEASES.c.version == installed_release()))
            there = {*sa.inspect(connection).get_table_names()}
    except exc.DBAPIError:
        return False
    tables = {table.name for room in rooms for table in room.metadata.sorted_tables}
    return known is not None and tables <= there and all(versions.get(room.name) == room.version for room in rooms)


def cause_of(engine: sa.Engine) -> str:
    """The likely cause that SQLite does not name: `disk I/O error` may be a full disk or a limit on the size of files, `unable to
    open database file` a read-only disk, or too many open files."""
    if engine.dialect.name != "sqlite" or not engine.url.database:
        return ""
    folder = Path(engine.url.database).parent
    try:
        disk = os.statvfs(folder)
    except OSError:
        return ""
    if disk.f_bavail * disk.f_frsize < NEEDED_BYTES:
        return " (the disk is full)"
    if disk.f_files and not disk.f_favail:  # some file systems count no files
        return " (the disk has no room for one more file: its inodes are used up)"
    if not os.access(folder, os.W_OK):
        if disk.f_flag & os.ST_RDONLY:
            return f" ({folder} is read-only)"
        return f" ({folder} may not be written to by uid {os.geteuid()}: it belongs to uid {folder.stat().st_uid})"
    most_bytes, _ = resource.getrlimit(resource.RLIMIT_FSIZE)
    written = max(
        (file.stat().st_size for file in folder.glob(f"{Path(engine.url.database).name}*") if file.is_file()), default=0
    )
    if 0 <= most_bytes < written + NEEDED_BYTES:
        return f" (this process may write no file of more than {most_bytes:,} bytes, see `ulimit -f`)"
    most, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return f" (this process may open only {most} files, see `ulimit -n`)" if 0 <= most <= FEW_FILES else ""


def check_room(engine: sa.Engine) -> None:
    """Whether there is room for what runs write, and it may be written; that the database answers says nothing of it. Nothing of
    the probe stays. Raises `StoreError`."""
    import tempfile  # who only reads the database does without it

    try:
        with engine.connect() as connection:
            if engine.dialect.name != "sqlite":
                connection.execute(_PROBE[0])
                if connection.execute(_PROBE[1]).one()[0]:
                    raise StoreError("the database is read-only: it is a standby, or set so")
            elif file := connection.exec_driver_sql("PRAGMA database_list").all()[0][2]:
                with tempfile.TemporaryFile(dir=Path(file).parent) as probe:
                    probe.write(bytes(NEEDED_BYTES))
                    probe.flush()
    except OSError as error:
        raise StoreError(f"there is no room to write to the database: {error.strerror}") from error
    except exc.DBAPIError as error:
        if getattr(error.orig, "sqlstate", "") in NO_ROOM:  # a server that is away is no want of room
            raise StoreError(f"there is no room to write to the database: {str(error.orig).splitlines()[0]}") from error
        raise


def check_open_files() -> None:
    """Whether a run can open what it needs; one that cannot stands still for good. Raises `StoreError`."""
    most, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if 0 <= most < FEW_FILES:
        raise StoreError(f"this process may open only {most} files, a run needs {FEW_FILES}: see `ulimit -n`")


@contextmanager
def _alone(engine: sa.Engine) -> Iterator[sa.Connection]:
    """A transaction in which no other process changes tables: several may start at once on a new database."""
    with engine.begin() as connection:
        if engine.dialect.name == "sqlite":
            connection.exec_driver_sql("BEGIN IMMEDIATE")  # of itself sqlite3 opens no transaction for changes of tables
        else:
            connection.execute(sa.select(sa.func.pg_advisory_xact_lock(MIGRATION_LOCK)))
        yield connection


@cache
def installed_release() -> str:
    """The version of this program, by the name of the folder that tells of its installation.

    To read it from the file in there would take a parser of mails.
    """
    for folder in sys.path:
        with suppress(OSError):
            for name in sorted(os.listdir(folder or ".")):  # noqa: PTH208 - of hundreds of entries one is needed
                if name.startswith("jiritsu-") and name.endswith(".dist-info"):
                    return name.removeprefix("jiritsu-").removesuffix(".dist-info")
    from importlib.metadata import version

    return version("jiritsu")


def _note_release(connection: sa.Connection) -> None:
    release = installed_release()
    if connection.scalar(sa.select(RELEASES.c.version).where(RELEASES.c.version == release)) is None:
        connection.execute(RELEASES.insert().values(version=release, first_at=time.time()))


def last_upgrade(engine: sa.Engine) -> float:
    """The time at which the newest release first opened this database, in seconds since the epoch; 0 if unknown."""
    with engine.connect() as connection:
        return connection.scalar(sa.select(sa.func.max(RELEASES.c.first_at))) or 0.0


def _bring_up(connection: sa.Connection, room: SchemaModule, there: Collection[str]) -> None:
    """Make the tables of a room that are not `there`, which need no upgrade, and change those that are.

    SQLAlchemy would ask by itself which are there, for each of forty, at the start of every command.
    """
    version = connection.scalar(sa.select(SCHEMA.c.version).where(SCHEMA.c.room == room.name))
    missing = [table for table in room.metadata.sorted_tables if table.name not in there]
    room.metadata.create_all(connection, missing, checkfirst=False)
    if version is None:
        connection.execute(SCHEMA.insert().values(room=room.name, version=room.version))
        return
    if version > room.version:
        url = connection.engine.url
        where = url.database if url.get_backend_name() == "sqlite" else f"{url.database} at {url.host}"
        raise StoreError(
            f"the database {where} was used by a newer Jiritsu ({room.name} {version}, this one knows {room.version}): "
            "install that one again, or `jiritsu restore` a copy from before"
        )
    for upgrade in room.upgrades[version - 1 :]:
        upgrade(connection)
    # also where nothing changes: a database that cannot be written to is told of now
    connection.execute(SCHEMA.update().where(SCHEMA.c.room == room.name).values(version=room.version))
