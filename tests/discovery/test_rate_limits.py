"""A provider's rate limit is kept by everybody together, and a provider that asks to be left alone is."""

import itertools
import multiprocessing
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread
import pytest
import sqlalchemy as sa
from hypothesis import given
from hypothesis import strategies as st
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError

import discovery.discovery_tables
from autonomy.database import SchemaModule, migrate, open_engine
from autonomy.stores import DISCOVERY
from discovery.discovery_errors import ProviderBusy
from discovery.gateway import Gateway, open_gateway
from discovery.servers.server_config import RateLimit, ServerConfig
from discovery.servers.servers_file import load_servers
from discovery.timing import rate_limits
from discovery.timing.clock import SYSTEM_CLOCK, SystemClock
from discovery.timing.rate_limits import STALE_S, RateLimiter, granted
from discovery.transport.answers import asked_wait_s
from discovery.transport.in_process import InProcess
from tests.requirements import requirement
from tests.support.clock import SetClock
from tests.support.postgres import NEEDED, Server

TWO_IN_TEN = RateLimit(calls=2, per_s=10)
WHEN = st.floats(0, 30, allow_nan=False, width=16)


def opened(url: str) -> sa.Engine:
    engine = open_engine(url)
    migrate(engine, [SchemaModule("discovery", discovery.discovery_tables.metadata)])
    return engine


@requirement("J4")
@given(
    st.integers(1, 6),
    st.floats(0.5, 20, width=16),
    st.lists(st.tuples(WHEN, st.floats(0, 40, width=16), st.one_of(st.none(), WHEN)), max_size=40),
)
def test_no_window_ever_holds_more_starts_than_the_limit_nor_one_within_a_pause(
    calls: int, per_s: float, asked: list[tuple[float, float, float | None]]
) -> None:
    limit, now, free_at, seen = RateLimit(calls=calls, per_s=per_s), 0.0, 0.0, list[float]()
    starts: Sequence[float] = ()
    for later_s, patience_s, pause_s in asked:
        now += later_s
        free_at = max(free_at, now + pause_s) if pause_s is not None else free_at
        wait_s, starts = granted(starts, free_at, now, limit, patience_s)
        assert wait_s >= 0
        if wait_s <= patience_s:
            seen.append(now + wait_s)
            assert now + wait_s >= free_at
    assert seen == sorted(seen), "first come, first served"
    for first, beyond in zip(seen, seen[calls:], strict=False):
        assert beyond - first >= per_s - 1e-9
    assert {start for start in seen if start > now - per_s} <= set(starts), "nothing that counts is forgotten"


@given(st.lists(WHEN, max_size=30))
def test_a_call_is_never_held_back_where_there_is_room(gaps: list[float]) -> None:
    limit, now = RateLimit(calls=3, per_s=5), 0.0
    starts: Sequence[float] = ()
    for gap in gaps:
        now += gap
        recent = [start for start in starts if start > now - 5]
        wait_s, starts = granted(starts, 0.0, now, limit, 1e9)
        assert (wait_s == 0) or len(recent) >= 3 or max(recent) > now


@pytest.fixture(params=["memory", "sqlite"])
async def limiter_for(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[SetClock], RateLimiter]:
    url = f"sqlite:///{tmp_path / 'jiritsu.db'}"
    engine = await anyio.to_thread.run_sync(opened, url) if request.param == "sqlite" else None
    return lambda clock: RateLimiter("esa", TWO_IN_TEN, engine, clock)


async def test_a_call_waits_for_its_slot_and_one_that_would_wait_too_long_is_told_when(
    limiter_for: Callable[[SetClock], RateLimiter],
) -> None:
    clock = SetClock()
    esa = limiter_for(clock)
    assert [(await esa.take(5)).waited_s for _ in range(2)] == [0, 0]
    with pytest.raises(ProviderBusy, match=r"2 calls in 10 s.*try again in 10 s"):
        await esa.take(5)
    clock.advance(4)
    slot = await esa.take(6)
    assert (slot.waited_s, clock.monotonic()) == (6, 10)
    assert esa.fresh(slot)
    clock.advance(STALE_S)
    assert not esa.fresh(slot)


async def test_a_pause_goes_for_everybody_who_shares_the_database(tmp_path: Path) -> None:
    engine = await anyio.to_thread.run_sync(opened, f"sqlite:///{tmp_path / 'jiritsu.db'}")
    clock = SetClock()
    here, there = (RateLimiter("esa", TWO_IN_TEN, engine, clock) for _ in range(2))
    await here.pause(30)
    with pytest.raises(ProviderBusy, match="try again in 30 s"):
        await there.take(5)
    other = RateLimiter("slack", TWO_IN_TEN, engine, clock)
    assert (await other.take(5)).waited_s == 0
    assert (await there.take(30)).waited_s == 30


async def test_a_database_that_fails_holds_the_call_back_and_says_why(tmp_path: Path) -> None:
    engine = await anyio.to_thread.run_sync(open_engine, f"sqlite:///{tmp_path / 'no-tables.db'}")
    esa = RateLimiter("esa", TWO_IN_TEN, engine, SetClock())
    with pytest.raises(ProviderBusy, match=r"the database that keeps its limit failed \(OperationalError\)"):
        await esa.take(5)
    await esa.pause(5)
    await anyio.to_thread.run_sync(engine.dispose)


def worker(url: str, file: str, rounds: int, limit: RateLimit) -> None:
    """Take slots as fast as they come, and note when."""
    anyio.run(_work, url, file, rounds, limit)


async def _work(url: str, file: str, rounds: int, limit: RateLimit) -> None:
    engine = await anyio.to_thread.run_sync(open_engine, url)
    esa, given = RateLimiter("esa", limit, engine, SYSTEM_CLOCK), list[float]()

    def noted(*asked: Any) -> tuple[float, Sequence[float]]:
        wait_s, starts = granted(*asked)
        given.append(starts[-1])
        return wait_s, starts

    rate_limits.granted = noted
    for _ in range(rounds):
        await esa.take(1e9)
        async with await anyio.open_file(file, "a") as target:
            await target.write(f"{given[-1]} {time.time()}\n")
    await anyio.to_thread.run_sync(engine.dispose)


def in_processes(url: str, file: Path) -> list[tuple[float, float]]:
    """The slots that three processes got, each asking as fast as it can, and when they went on."""
    opened(url).dispose()
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.discovery.test_rate_limits"])
    limit = RateLimit(calls=4, per_s=0.4)
    crew = [context.Process(target=worker, args=(url, str(file), 4, limit)) for _ in range(3)]
    for one in crew:
        one.start()
    for one in crew:
        one.join(120)
    assert [one.exitcode for one in crew] == [0, 0, 0]
    slots = [line.split() for line in file.read_text().splitlines()]
    return sorted((float(given), float(went)) for given, went in slots)


def check(slots: list[tuple[float, float]]) -> None:
    assert len(slots) == 12
    for (first, _), (beyond, _) in zip(slots, slots[4:], strict=False):
        assert beyond - first >= 0.4 - 1e-6, "twelve calls take three windows of four"
    assert all(went >= given - 0.01 for given, went in slots), "nobody goes before its slot"


@requirement("J4")
def test_processes_on_one_sqlite_file_keep_the_limit_together(tmp_path: Path) -> None:
    check(in_processes(f"sqlite:///{tmp_path / 'jiritsu.db'}", tmp_path / "times"))


@requirement("J4")
@NEEDED
@pytest.mark.postgres
def test_processes_on_one_postgresql_keep_the_limit_together(postgres_server: Server, tmp_path: Path) -> None:
    check(in_processes(postgres_server.create("slots"), tmp_path / "times"))


def box() -> MCPServer:
    made, numbers = MCPServer("box"), itertools.count(1)

    @made.tool()
    def post(text: str) -> str:
        """Post, unless it is the third time."""
        if next(numbers) == 3:
            raise ToolError("Nothing was done. Wait 40 seconds, then call again (Retry-After: 40).")
        return "posted"

    return made


async def called(gateway: Gateway) -> float:
    with anyio.fail_after(240):
        return (await gateway.call("box_post", {"text": "x"}, timeout_s=20)).waited_s


class NoTimePasses(SystemClock):
    """It is the same moment however long a busy machine takes; who waits does so all the same."""

    def now(self) -> float:
        return 1_795_219_200.0

    def monotonic(self) -> float:
        return 1_000.0


async def test_calls_of_a_provider_with_a_limit_wait_and_one_that_says_retry_after_is_left_alone_by_all() -> None:
    provider = InProcess(box(), "a test", ServerConfig(name="box", rate_limit=RateLimit(calls=2, per_s=0.5)))
    async with open_gateway([], in_process={"box": provider}, clock=NoTimePasses()) as gateway:
        assert [await called(gateway) for _ in range(3)] == [0, 0, 0.5]
        with pytest.raises(ProviderBusy, match=r"2 calls in 0.5 s, and the pauses it asks for; try again in 40 s"):
            await called(gateway)


async def test_a_slot_that_was_taken_beforehand_is_used_and_counts_once() -> None:
    provider = InProcess(box(), "a test", ServerConfig(name="box", rate_limit=RateLimit(calls=1, per_s=60)))
    async with open_gateway([], in_process={"box": provider}) as gateway:
        spec = (await gateway.catalog()).get("box_post")
        assert spec is not None
        slot = await gateway.slot(spec, patience_s=1)
        assert (await gateway.call("box_post", {"text": "x"}, slot=slot)).text == "posted"
        with pytest.raises(ProviderBusy):
            await gateway.slot(spec, patience_s=1)


async def test_a_provider_without_a_limit_is_called_without_ado_until_it_asks_to_be_left_alone() -> None:
    async with open_gateway([], in_process={"box": InProcess(box(), "a test")}, clock=NoTimePasses()) as gateway:
        spec = (await gateway.catalog()).get("box_post")
        assert spec is not None
        assert await gateway.slot(spec, patience_s=0) is None
        for _ in range(3):
            await called(gateway)
        with pytest.raises(ProviderBusy, match="it asked to be left alone for a while; try again in 40 s"):
            await called(gateway)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("esa's limit is used up (Retry-After: 412)", 412.0),
        ('{"retry_after": 2.5}', 2.5),
        ("retry after 7 seconds", 7.0),
        ("try again later", None),
    ],
)
def test_a_failure_says_how_long_to_wait(text: str, seconds: float | None) -> None:
    assert asked_wait_s(text) == seconds


def test_a_limit_is_declared_in_the_servers_file_and_a_wrong_one_names_its_path(tmp_path: Path) -> None:
    file = tmp_path / "jiritsu.mcp.json"
    file.write_text(
        """{"mcpServers": {
          "esa": {"command": "x", "rate_limit": {"calls": 75, "per_s": 900}},
          "bad": {"command": "x", "rateLimit": {"calls": 0, "per_s": 900}}
        }}"""
    )
    servers = load_servers(file, env={})
    esa, bad = servers.get("esa"), servers.get("bad")
    assert esa is not None
    assert esa.rate_limit == RateLimit(calls=75, per_s=900)
    assert bad is not None
    assert "mcpServers.bad.rateLimit.calls" in bad.problem


class SetBack(SetClock):
    """A clock that somebody sets back; what the machine counts by itself goes on."""

    back_s = 0.0

    def now(self) -> float:
        return super().now() - self.back_s


@requirement("J4")
@pytest.mark.parametrize("together", [False, True])
@pytest.mark.parametrize("back_s", [120, 3_600, 10 * 86_400])
async def test_a_clock_that_is_set_back_holds_up_no_call_until_it_is_as_late_again(
    tmp_path: Path, together: bool, back_s: float
) -> None:
    clock = SetBack()
    engine = await anyio.to_thread.run_sync(opened, f"sqlite:///{tmp_path / 'jiritsu.db'}") if together else None
    limiter = RateLimiter("box", TWO_IN_TEN, engine, clock)
    assert [(await limiter.take(60)).waited_s for _ in range(3)] == [0, 0, 10], "the limit is used up"
    clock.back_s = back_s
    waited = [(await limiter.take(60)).waited_s for _ in range(3)]
    assert max(waited) <= 10 <= sum(waited), "and it is kept, as if nobody had set the clock"
    await limiter.pause(30)
    clock.back_s += back_s
    assert 20 <= (await limiter.take(60)).waited_s <= 30, "a pause that was asked for is kept, too"
    clock.back_s = 0.0
    assert (await limiter.take(60)).waited_s <= 10, "and so it is when the clock is right again"
    if engine is not None:
        await anyio.to_thread.run_sync(engine.dispose)


async def test_a_limit_that_an_older_release_wrote_is_read_on(tmp_path: Path) -> None:
    url, clock = f"sqlite:///{tmp_path / 'jiritsu.db'}", SetClock()

    def upgraded() -> sa.Engine:
        engine = opened(url)
        with engine.begin() as connection:
            connection.exec_driver_sql("ALTER TABLE discovery_rate_limits DROP COLUMN seen_at")
            written = f"INSERT INTO discovery_rate_limits VALUES ('box', '[{clock.now() - 3}, {clock.now() - 2}]', 0)"
            connection.exec_driver_sql(written)
            connection.exec_driver_sql("UPDATE jiritsu_schema SET version = 2 WHERE room = 'discovery'")
        migrate(engine, [DISCOVERY])
        return engine

    engine = await anyio.to_thread.run_sync(upgraded)
    assert (await RateLimiter("box", TWO_IN_TEN, engine, clock).take(60)).waited_s == 7
    await anyio.to_thread.run_sync(engine.dispose)
