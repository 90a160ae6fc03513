"""A Managed Agents session gets its custom tools run here, each once, and keeps its MCP tools to itself."""

import importlib
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from types import ModuleType
from typing import Any

import anyio
import pytest
import sqlalchemy as sa

from autonomy.compat.managed_agents import STALE_CLAIM_S, CallLedger, ManagedAgentSession
from autonomy.hr import hr_tables
from autonomy.hr.tenants import Tenant
from tests.autonomy.hr.conftest import NOON, House
from tests.requirements import requirement
from tests.support.anthropic_sessions import FakeSessions, custom, over_mcp
from tests.support.loopback_api import Hangup, Reply

SOMEBODY = {"employee_id": "demo-001", "month": "2026-10"}


@pytest.fixture(scope="module", autouse=True)
def anthropic() -> ModuleType:
    """The SDK, which takes seconds to import: no worker that only collects shall wait for it."""
    return importlib.import_module("anthropic")


@asynccontextmanager
async def session_at(house: House, fake: FakeSessions, **rest: Any) -> AsyncIterator[ManagedAgentSession]:
    """A session served by one worker; several may be open at a time, as several processes would have them."""
    await house.connect(Tenant(id="trial", vendor="demo"))
    ledger = CallLedger(house.engine, house.vault, "trial", fake.session_id, now=lambda: house.clock[0].timestamp())

    async def sleep(seconds: float) -> None:
        house.waits.append(seconds)
        await anyio.sleep(0)

    from anthropic import AsyncAnthropic

    async with AsyncAnthropic(api_key="sk-fake", base_url=fake.url, max_retries=0) as client:
        yield ManagedAgentSession(client, fake.session_id, "trial", house.tools, ledger, sleep=sleep, **rest)


def executions(house: House) -> list[str]:
    return [entry.tool for entry in house.audit.entries if entry.phase == "before"]


@requirement("H15")
async def test_custom_tools_are_run_here_and_mcp_tools_left_alone(house: House):
    with FakeSessions(
        [custom("list_employees"), over_mcp("send_slack_dm", user_id="U1", message="…")],
        [custom("calculate_overtime", **SOMEBODY)],
    ) as fake:
        async with session_at(house, fake) as session:
            with anyio.fail_after(240):
                assert await session.serve() == "end_turn"
    assert executions(house) == ["list_employees", "calculate_overtime"]
    assert [result["is_error"] for result in fake.results] == [False, False]
    assert json.loads(fake.results[0]["content"][0]["text"])["total_count"] == 30
    assert {entry.run_id for entry in house.audit.entries} == {fake.session_id}


@requirement("H15", "H8")
async def test_an_error_is_sent_as_an_error_and_the_session_goes_on(house: House):
    with FakeSessions([custom("no_such_tool"), custom("list_attendance", month="2026-10")]) as fake:
        async with session_at(house, fake) as session:
            assert await session.serve() == "end_turn"
    assert [result["is_error"] for result in fake.results] == [True, True]


@requirement("H15", "J4")
async def test_after_a_restart_a_result_that_was_not_sent_is_sent_and_the_tool_not_run_again(anthropic: ModuleType, house: House):
    with FakeSessions([custom("list_employees")]) as fake:
        async with session_at(house, fake) as first:
            original = fake.answer
            fake.answer = lambda asked: original(asked) if asked.method == "GET" else Reply({}, 500)
            with pytest.raises(anthropic.InternalServerError):
                await first.look()
            fake.answer = original
        async with session_at(house, fake) as second:
            assert await second.serve() == "end_turn"
    assert executions(house) == ["list_employees"]
    assert len(fake.results) == 1


@requirement("H15")
async def test_when_the_answer_to_our_sending_is_lost_the_result_is_not_sent_twice(house: House):
    with FakeSessions([custom("list_employees")]) as fake:
        original = fake.answer

        def lose_first_answer(asked: Any) -> Reply:
            reply = original(asked)
            if asked.method == "POST":
                fake.answer = original
                raise Hangup
            return reply

        fake.answer = lose_first_answer
        async with session_at(house, fake) as session:
            assert await session.serve() == "end_turn"
    assert len(fake.results) == 1
    assert len([asked for asked in fake.asked if asked.method == "POST"]) == 1


@requirement("H15")
async def test_two_workers_at_one_session_run_a_tool_once(house: House):
    with FakeSessions([custom("list_employees")]) as fake:
        async with session_at(house, fake, worker="one") as one, session_at(house, fake, worker="two") as two:
            assert await anyio.to_thread.run_sync(one._ledger.claim, "sevt_2", "one")
            assert await two.look() is None
            assert executions(house) == []
            house.clock[0] = NOON.fromtimestamp(NOON.timestamp() + STALE_CLAIM_S + 1, NOON.tzinfo)
            assert await two.serve() == "end_turn"
    assert executions(house) == ["list_employees"]


@requirement("H15", "H1")
async def test_nothing_of_a_result_stays_once_the_session_has_it(house: House):
    with FakeSessions([custom("list_employees")]) as fake:
        async with session_at(house, fake) as session:
            await session.serve()

    def rows() -> int:
        with house.engine.connect() as connection:
            return connection.execute(sa.select(sa.func.count()).select_from(hr_tables.managed_calls)).scalar_one()

    assert await anyio.to_thread.run_sync(rows) == 0


@requirement("H13", "H15")
@pytest.mark.parametrize("says", [True, False])
async def test_a_tool_that_needs_confirmation_asks_a_person(house: House, says: bool):
    asked: list[str] = []

    async def confirm(tool: str, arguments: dict) -> bool:
        asked.append(tool)
        return says

    with FakeSessions([custom("list_employees")]) as fake:
        async with session_at(house, fake, confirm=confirm) as session:
            await house.permit("trial", "list_employees", "requires_confirmation")
            await session.serve()
    assert asked == ["list_employees"]
    assert fake.results[0]["is_error"] is not says


async def test_in_a_session_that_was_terminated_no_open_call_is_run(house: House):
    with FakeSessions([custom("list_employees")]) as fake:
        fake._add({"type": "session.status_terminated"})
        async with session_at(house, fake) as session:
            assert await session.serve() == "terminated"
    assert (executions(house), fake.results) == ([], [])


async def test_a_lost_connection_is_met_at_the_next_look_and_a_session_that_is_gone_has_ended(house: House):
    with FakeSessions([custom("list_employees")]) as fake:
        fake.break_next(Hangup(), Reply({}, 529), Reply({}, 404))
        async with session_at(house, fake) as session:
            assert await session.serve() == "deleted"
    assert house.waits == [1.0, 1.0]
