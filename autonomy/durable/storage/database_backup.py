"""Copies the database to one file while runs go on.

SQLite copies itself page by page (its online backup); PostgreSQL has `pg_dump`, which is named instead.
"""

import os
import re
import shutil
import sqlite3
import time
from collections.abc import Mapping
from contextlib import closing, suppress
from pathlib import Path

import sqlalchemy as sa

from autonomy.errors import ConfigError, StoreError
from discovery.durable_files import sync_folder

_HEADER = b"SQLite format 3\0"
_PARTS = ("", "-wal", "-shm")
"""What stands behind the name of each file of a database: the file itself, its write-ahead log, and the index of that."""


def back_up(engine: sa.Engine, target: Path) -> int:
    """Write a copy to `target`, which must not exist; gives its size in bytes. Blocks.

    Raises `ConfigError` for PostgreSQL and for a target that is there, `StoreError` when the copy cannot be written or is not
    whole.
    """
    if engine.dialect.name != "sqlite":
        line = f"pg_dump --format=custom --file {target} {_url_for_pg_tools(engine.url)}"
        raise ConfigError("backup", "database_url", f"PostgreSQL backs itself up: {line}")
    if os.path.lexists(target):
        raise ConfigError("backup", str(target), "is there already")
    try:
        target.touch(mode=0o600, exist_ok=False)  # what runs read is in it
    except OSError as error:
        raise StoreError(f"the backup {target} cannot be written: {error.strerror}") from error
    source = engine.raw_connection()
    try:
        copy = sqlite3.connect(target)
        try:
            driver: sqlite3.Connection = source.driver_connection  # type: ignore[assignment]
            driver.backup(copy)
            copy.execute("pragma journal_mode = delete")  # who reads it later then leaves no files beside it
            (whole,) = copy.execute("pragma integrity_check").fetchone()
        finally:
            copy.close()
    except (sqlite3.Error, OSError) as error:
        target.unlink(missing_ok=True)
        raise StoreError(f"the backup {target} cannot be written: {getattr(error, 'strerror', None) or error}") from error
    finally:
        source.close()
    if whole != "ok":
        target.unlink(missing_ok=True)
        raise StoreError(f"the database is damaged: {whole}")
    sync_folder(target.parent)  # the file itself SQLite has synced
    return target.stat().st_size


def _url_for_pg_tools(url: sa.URL) -> str:
    """The address as PostgreSQL's own programs take it, its password hidden."""
    return url.set(drivername="postgresql").render_as_string()


def bring_back(url: str, source: Path, known: Mapping[str, int]) -> Path | None:
    """Put a copy in the place of the SQLite file that `url` names; gives where the old one is kept, if there was one. Blocks.

    `known`: the version of each room's tables that this program knows. Raises `ConfigError` for PostgreSQL, for what is no
    whole copy of ours and for a copy of a newer program, `StoreError` when a process uses the database
    or a file cannot be written; then the old database is where it was.
    """
    parsed = sa.make_url(url)
    if parsed.get_backend_name() != "sqlite":
        raise ConfigError(
            "restore",
            "database_url",
            f"PostgreSQL is restored by itself: pg_restore --clean --if-exists --dbname {_url_for_pg_tools(parsed)} {source}",
        )
    target = Path(parsed.database or "")
    _check_copy(source, known)
    fresh = target.with_name(f"{target.name}.restoring")
    previous = target.with_name(f"{target.name}.before-{time.strftime('%Y%m%d-%H%M%S')}")
    moved = list[tuple[Path, Path]]()
    try:
        target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        if target.exists():
            _require_unused(target)
        fresh.unlink(missing_ok=True)
        fresh.touch(mode=0o600, exist_ok=False)
        _copy(source, fresh)
        for beside in _PARTS:  # a log that a removed or damaged database left would be played back into the copy
            with suppress(FileNotFoundError):
                old = target.with_name(target.name + beside)
                moved.append((old, old.replace(previous.with_name(previous.name + beside))))
        fresh.replace(target)
        sync_folder(target.parent)
    except (OSError, sqlite3.Error) as error:
        with suppress(OSError):
            for old, kept in moved:
                kept.replace(old)
            fresh.unlink(missing_ok=True)
        raise StoreError(f"{target} cannot be restored: {error}") from error
    return previous if previous.exists() else None


def _copy(source: Path, target: Path) -> None:
    """Copy a file, and wait until the copy is on the disk: it is given the name of the database next."""
    shutil.copyfile(source, target)
    with target.open("rb+") as copy:
        os.fsync(copy.fileno())


def _check_copy(source: Path, known: Mapping[str, int]) -> None:
    if not source.is_file():
        raise ConfigError("restore", str(source), "is not there")
    try:
        with closing(sqlite3.connect(f"{source.absolute().as_uri()}?mode=ro", uri=True)) as copy:
            pages, of_bytes = (copy.execute(f"pragma {name}").fetchone()[0] for name in ("page_count", "page_size"))
            (whole,) = copy.execute("pragma integrity_check").fetchone()
            is_backup = copy.execute("select count(*) from sqlite_master where name = 'durable_runs'").fetchone()[0]
            versions = dict(copy.execute("select room, version from jiritsu_schema")) if whole == "ok" and is_backup else {}
            programs = copy.execute("select name, sql from sqlite_master where type not in ('table', 'index')").fetchall()
    except sqlite3.Error as error:
        raise ConfigError("restore", str(source), f"is no database: {error}") from error
    if not all(isinstance(version, int) for version in versions.values()):
        whole = "its versions are no numbers"
    if whole != "ok" or not is_backup:
        raise ConfigError("restore", str(source), "is damaged" if whole != "ok" else "is no backup of ours")
    if (size := source.stat().st_size) > pages * of_bytes:  # a hole behind it would be written in full and fill the disk
        raise ConfigError("restore", str(source), f"is {size:,} bytes large, and its database only {pages * of_bytes:,}")
    if strange := next((name for name, sql in programs if not _ONLY_REFUSES.search(sql)), ""):
        raise ConfigError(
            "restore", str(source), f"carries a program that we did not write ({strange}): it would run at each write"
        )
    if newer := next((room for room, version in known.items() if versions.get(room, 0) > version), ""):
        raise ConfigError(
            "restore",
            str(source),
            f"was made by a newer Jiritsu ({newer} {versions[newer]}, this one knows {known[newer]}): install that one first",
        )


_ONLY_REFUSES = re.compile(r"^CREATE TRIGGER\b[^;]*\bBEGIN\s+SELECT\s+raise\(ABORT, '[^';]*'\);\s*END$", re.IGNORECASE)
"""What our own triggers do."""


def _require_unused(target: Path) -> None:
    """Fold the write-ahead log into the file, which only its last user can. Raises `StoreError` while somebody else uses it.

    Of a file that is damaged nobody can tell; it is kept as it is.
    """
    with target.open("rb") as file:
        if file.read(len(_HEADER)) != _HEADER:  # opening it would remove its log, out of which something may be saved
            return
    with closing(sqlite3.connect(target, timeout=0)) as database:
        try:
            database.execute("pragma locking_mode = exclusive")
            database.execute("begin exclusive")
            database.rollback()
            busy = database.execute("pragma wal_checkpoint(truncate)").fetchone()[0]
        except sqlite3.OperationalError as error:
            raise StoreError(f"{target} is in use ({error}): stop every worker first") from error
        except sqlite3.DatabaseError:  # for which a backup is brought back
            return
    if busy:
        raise StoreError(f"{target} is in use: stop every worker first")
    for beside in _PARTS[1:]:
        target.with_name(target.name + beside).unlink(missing_ok=True)
