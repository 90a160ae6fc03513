"""What the tests of more than one room of the host start from."""

from collections.abc import AsyncIterator
from pathlib import Path

import anyio.to_thread
import pytest
import sqlalchemy as sa


@pytest.fixture
def url(tmp_path: Path) -> str:
    """The address of a database of the test's own."""
    return f"sqlite:///{tmp_path / 'jiritsu.db'}"


@pytest.fixture
async def engine(url: str) -> AsyncIterator[sa.Engine]:
    """That database, with all tables."""
    from tests.support.durable import in_place  # half of the host, which most tests can do without

    engine = await anyio.to_thread.run_sync(in_place, url)
    yield engine
    await anyio.to_thread.run_sync(engine.dispose)
