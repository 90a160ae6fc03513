"""Copies the database to one file while runs go on.

SQLite copies itself page by page (its online backup); PostgreSQL has `pg_dump`, which is named instead.
"""

import sqlite3
from pathlib import Path

import sqlalchemy as sa

from autonomy.errors import ConfigError, StoreError


def back_up(engine: sa.Engine, target: Path) -> int:
    """Write a copy to `target`, which must not exist; gives its size in bytes. Blocks.

    Raises `ConfigError` for PostgreSQL and for a target that is there, `StoreError` when the copy cannot be written or is not
    whole.
    """
    if engine.dialect.name != "sqlite":
        url = engine.url.set(drivername="postgresql").render_as_string()
        raise ConfigError("backup", "database_url", f"PostgreSQL backs itself up: pg_dump --format=custom --file {target} {url}")
    if target.exists():
        raise ConfigError("backup", str(target), "is there already")
    source = engine.raw_connection()
    try:
        copy = sqlite3.connect(target)
        try:
            driver: sqlite3.Connection = source.driver_connection  # type: ignore[assignment]
            driver.backup(copy)
            (whole,) = copy.execute("pragma integrity_check").fetchone()
        finally:
            copy.close()
    except (sqlite3.Error, OSError) as error:
        target.unlink(missing_ok=True)
        raise StoreError(f"the backup {target} cannot be written: {error}") from error
    finally:
        source.close()
    if whole != "ok":
        target.unlink(missing_ok=True)
        raise StoreError(f"the database is damaged: {whole}")
    return target.stat().st_size
