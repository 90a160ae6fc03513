"""What earlier releases learned of tools stays when the column for what their calls showed is added, beside workers of that release."""

import json
from pathlib import Path

import anyio.to_thread
import pytest
import sqlalchemy as sa

from autonomy.database import SCHEMA, migrate, open_engine
from autonomy.stores import DISCOVERY
from discovery.discovery_tables import usage
from discovery.hints.usage import ToolUsage, UsageBook, UsageSample
from tests.requirements import requirement
from tests.support.postgres import NEEDED, Server
from tests.support.specs import tool

TOOLS = [tool(f"note_{number}", f"Reads note {number}.") for number in range(300)]
WRITE = sa.text(
    "INSERT INTO discovery_usage (fingerprint, tool, version, updated_at, learned) VALUES (:fingerprint, :tool, 1, 0, :learned)"
)
"""As the release before the column wrote a row."""


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=[pytest.mark.postgres, NEEDED])])
async def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A database as the release before the column left it, with three hundred tools that it learned of."""
    url = f"sqlite:///{tmp_path / 'jiritsu.db'}"
    if request.param == "postgresql":
        server: Server = await anyio.to_thread.run_sync(request.getfixturevalue, "postgres_server")
        url = await anyio.to_thread.run_sync(server.create, "learned")

    def make() -> None:
        engine = open_engine(url)
        migrate(engine, [DISCOVERY])
        with engine.begin() as connection:
            connection.exec_driver_sql("ALTER TABLE discovery_usage DROP COLUMN shown")
            connection.execute(sa.update(SCHEMA).where(SCHEMA.c.room == "discovery").values(version=1))
            connection.execute(WRITE, [_row(one.fingerprint, one.name) for one in TOOLS])
        engine.dispose()

    await anyio.to_thread.run_sync(make)
    return url


def _row(fingerprint: str, name: str) -> dict[str, str]:
    sample = UsageSample(tool=name, fingerprint=fingerprint, ok=True, duration_s=0.1, argument_names=("id",))
    learned = ToolUsage(tool=name, at=0.0).after([(sample, 0.0)]).model_dump(mode="json", exclude={"shown"})
    return {"fingerprint": fingerprint, "tool": name, "learned": json.dumps(learned)}


@requirement("Z3")
async def test_what_was_learned_stays_and_a_worker_of_the_last_release_goes_on_beside_the_new_column(url: str) -> None:
    def upgrade() -> tuple[int, int, int]:
        old = open_engine(url)
        with old.begin() as connection:  # a worker that began before the upgrade
            connection.execute(WRITE, _row("before", "before"))
        new = open_engine(url)
        migrate(new, [DISCOVERY])
        migrate(new, [DISCOVERY])
        with old.begin() as connection:
            connection.execute(WRITE, _row("after", "after"))
        old.dispose()
        with new.connect() as connection:
            shown = usage.c.shown.is_not(None)
            found = (
                connection.scalar(sa.select(sa.func.count()).select_from(usage)) or 0,
                connection.scalar(sa.select(sa.func.count()).where(shown)) or 0,
                connection.scalar(sa.select(SCHEMA.c.version).where(SCHEMA.c.room == "discovery")) or 0,
            )
        new.dispose()
        return found

    assert await anyio.to_thread.run_sync(upgrade) == (302, 0, DISCOVERY.version)
    engine = await anyio.to_thread.run_sync(open_engine, url)
    book = UsageBook(engine)
    await book.load()
    assert book.of(TOOLS[7]) is not None
    book.learn(UsageSample(tool=TOOLS[7].name, fingerprint=TOOLS[7].fingerprint, ok=True, duration_s=0.1, signs=("changed",)))
    await book.store()
    again = UsageBook(engine)
    await again.load()
    assert again.shown(TOOLS[7]) == book.shown(TOOLS[7])
    assert again.shown(TOOLS[8]) != again.shown(TOOLS[7])
    await anyio.to_thread.run_sync(engine.dispose)
