"""A real database for what discovery remembers, and a clock that stands still until it is moved."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine

from autonomy.database import open_engine
from discovery.discovery_tables import metadata
from tests.support.clock import SetClock


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    engine = open_engine(f"sqlite:///{tmp_path / 'discovery.db'}")
    metadata.create_all(engine)
    yield engine
    engine.dispose()


@pytest.fixture
def clock() -> SetClock:
    return SetClock()
