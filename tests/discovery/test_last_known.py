"""What servers listed is kept for the next start, and those that start together do not wait for the disk in a row."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import anyio.from_thread
import anyio.lowlevel
import anyio.to_thread
import pytest
import sqlalchemy as sa

from autonomy.database import migrate, open_engine
from autonomy.stores import ROOMS
from discovery.catalog import Listing, ToolSpec
from discovery.discovery_tables import listings
from discovery.review import last_known
from discovery.review.last_known import LastKnown
from discovery.servers.server_config import ServerConfig
from discovery.timing.background_tasks import background_tasks
from discovery.timing.clock import SYSTEM_CLOCK


@pytest.fixture
def engine(tmp_path: Path) -> sa.Engine:
    engine = open_engine(f"sqlite:///{tmp_path / 'jiritsu.db'}")
    migrate(engine, ROOMS)
    return engine


async def test_listings_of_servers_that_start_together_are_kept_together(engine: sa.Engine) -> None:
    commits = list[object]()
    sa.event.listen(engine, "commit", commits.append)
    servers = [ServerConfig(name=f"s{number}", command="true") for number in range(32)]
    kept, said = LastKnown(engine, SYSTEM_CLOCK), {server.name: listed(server.name) for server in servers}
    async with storing(kept):
        for server in servers:
            kept.save(server, said[server.name])
    assert await anyio.to_thread.run_sync(LastKnown(engine, SYSTEM_CLOCK).load, servers) == said
    assert len(commits) == 1
    await anyio.to_thread.run_sync(engine.dispose)


async def test_the_newest_listing_of_a_server_is_kept_and_an_empty_one_takes_no_ones_place(engine: sa.Engine) -> None:
    server, kept = ServerConfig(name="s", command="true"), LastKnown(engine, SYSTEM_CLOCK)
    async with storing(kept):
        for number in range(3):
            kept.save(server, listed("s", number))
        kept.save(server, Listing())
    assert await anyio.to_thread.run_sync(kept.load, [server]) == {"s": listed("s", 2)}
    await anyio.to_thread.run_sync(engine.dispose)


async def test_what_another_process_keeps_at_the_same_moment_is_no_error(
    engine: sa.Engine, caplog: pytest.LogCaptureFixture
) -> None:
    server, kept = ServerConfig(name="s", command="true"), LastKnown(engine, SYSTEM_CLOCK)
    kept.save(server, listed("s", 1))
    await kept.store()
    columns = "provider, config_fingerprint, listing, saved_at"

    def comes_between(connection: sa.Connection, *said: object) -> None:
        if str(said[1]).startswith("DELETE"):
            connection.exec_driver_sql(f"insert into {listings.name} ({columns}) select {columns} from others")

    def others() -> None:
        with engine.begin() as connection:
            connection.exec_driver_sql(f"create table others as select {columns} from {listings.name}")

    await anyio.to_thread.run_sync(others)
    sa.event.listen(engine, "after_cursor_execute", comes_between)
    kept.save(server, listed("s", 2))
    await kept.store()
    assert not caplog.records
    assert await anyio.to_thread.run_sync(kept.load, [server]) == {"s": listed("s", 2)}
    await anyio.to_thread.run_sync(engine.dispose)


async def test_a_listing_is_kept_while_the_gateway_is_open(engine: sa.Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(last_known, "STORED_AFTER_S", 0)
    server, kept, stored = ServerConfig(name="s", command="true"), LastKnown(engine, SYSTEM_CLOCK), anyio.Event()
    sa.event.listen(engine, "commit", lambda _: anyio.from_thread.run_sync(stored.set))
    async with storing(kept):
        kept.save(server, listed("s"))
        with anyio.fail_after(240):
            await stored.wait()
    assert await anyio.to_thread.run_sync(kept.load, [server]) == {"s": listed("s")}
    await anyio.to_thread.run_sync(engine.dispose)


@asynccontextmanager
async def storing(kept: LastKnown) -> AsyncIterator[None]:
    """As in a gateway: what waits when it is closed is stored then."""
    async with background_tasks() as tasks:
        tasks.start_soon(kept.keep_storing)
        await anyio.lowlevel.checkpoint()
        yield


def listed(provider: str, number: int = 0) -> Listing:
    tool = ToolSpec(name=f"{provider}_look_{number}", provider=provider, tool=f"look_{number}", input_schema={"type": "object"})
    return Listing(tools=(tool,), took_s=0.5)
