"""Where the database of each round of a sweep is: a copy of an empty one in which all tables were made once."""

import shutil
from collections.abc import Callable
from pathlib import Path

from tests.support.postgres import Server

Place = Callable[[Path | None], str]
"""The database of a folder; None asks for the empty one, which is to be filled with tables first."""


def files(empty: Path) -> Place:
    """SQLite."""

    def url(folder: Path | None) -> str:
        return f"sqlite:///{shutil.copy(empty, folder) if folder else empty}"

    return url


def databases(server: Server) -> Place:
    """PostgreSQL."""
    empty = server.create("empty")

    def url(folder: Path | None) -> str:
        return server.create("round", empty.rpartition("/")[2]) if folder else empty

    return url
