"""Keeps what SQLAlchemy compiles for SQLite: nearly every test opens engines of its own, and each would compile the same statements."""

from functools import cache
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.util import LRUCache


class _OfAllEngines(LRUCache[Any, Any]):
    """Statements by what they say, whichever engine's dialect they were compiled for: those made here are all alike."""

    __slots__ = ()

    def get(self, key: Any, default: Any = None) -> Any:
        """What is known of it."""
        return super().get(key[1:], default)

    def __setitem__(self, key: Any, value: Any) -> None:
        super().__setitem__(key[1:], value)


@cache
def keep_compiled_sql() -> None:
    """From now on a statement is compiled once in this process."""
    known = _OfAllEngines(5_000)

    def share(_: type[SQLiteDialect_pysqlite], engine: sa.Engine) -> None:
        engine._compiled_cache = known

    SQLiteDialect_pysqlite.engine_created = classmethod(share)  # type: ignore[method-assign,assignment]
