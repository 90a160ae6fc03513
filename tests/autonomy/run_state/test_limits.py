"""The end of a run that does not end by itself: limits, the warning before them, and going in circles."""

from datetime import datetime
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp.server.mcpserver import MCPServer

from autonomy.calls.backoff import Backoff
from autonomy.llm.messages import AssistantMessage, Usage, UserMessage
from autonomy.llm.model import ModelRequest
from autonomy.llm.scripted import Reply, calling
from autonomy.run_state.limits import Budget, Limits, Spent, Use, midnight
from metrics import events
from tests.requirements import requirement
from tests.support.house import READ, house


def counter() -> MCPServer[Any]:
    """One tool that always says the same, and one that never does."""
    server: MCPServer[Any] = MCPServer("counter")
    counted: list[int] = []

    @server.tool(annotations=READ)
    def same(word: str = "") -> str:
        """Always the same."""
        return "three"

    @server.tool(annotations=READ)
    def count() -> str:
        """How often this was called."""
        counted.append(1)
        return str(len(counted))

    return server


def costing(usage: Usage) -> Reply:
    """A reply that counts on, and what it cost."""
    return calling(("counter_count", {})).model_copy(update={"usage": usage})


def remarks(request: ModelRequest) -> list[str]:
    """What the host told the model."""
    return [message.text for message in request.messages if isinstance(message, UserMessage) and message.host]


@requirement("X2", "X3")
async def test_the_model_is_told_once_that_its_steps_are_nearly_used_up() -> None:
    script: list[Reply] = [*[calling(("counter_count", {}))] * 10, "As far as I got."]
    async with house(counter(), script=script) as home:
        result = await home.run()
        told = [len(remarks(request)) for request in home.model.requests]
    assert told == [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 2], "before the ninth turn, and at the end"
    assert "8 of 10 steps" in remarks(home.model.requests[8])[0]
    assert (result.ending, result.text) == ("exhausted", "As far as I got.")
    assert [event.warning for event in home.heard.of(events.LimitReached)] == [True, False]


@requirement("X2")
async def test_money_is_a_limit_of_the_run() -> None:
    dear = Usage(input_tokens=10, output_tokens=1, cost_usd=Decimal("0.03"))
    async with house(counter(), script=[costing(dear), costing(dear), costing(dear), "Stopped."]) as home:
        result = await home.run(limits=Limits(usd=0.05))
    assert (result.ending, result.reason, result.turns) == ("exhausted", "the limit of 0.05 USD is reached", 2)


@requirement("X2")
async def test_a_limit_in_money_that_nobody_can_hold_is_said_to_people() -> None:
    unknown = Usage(input_tokens=10, output_tokens=1, cost_usd=None)
    async with house(counter(), script=[costing(unknown), costing(unknown), "Done."]) as home:
        result = await home.run(limits=Limits(usd=0.05))
    (warning,) = home.heard.of(events.LimitReached)
    assert "cannot be held" in warning.limit
    assert (result.ending, remarks(home.model.requests[-1])) == ("completed", [])


@requirement("X2")
async def test_no_money_at_all_still_allows_what_is_free() -> None:
    async with house(counter(), script=[calling(("counter_count", {})), "Done."]) as home:
        assert (await home.run(limits=Limits(usd=0))).ending == "completed"
    assert Limits(usd=0).reached(Spent(1, 0, 0, Decimal("0.0001"))) == "the limit of 0 USD"


@requirement("X6")
async def test_the_same_call_with_the_same_result_is_remarked_on_and_then_ends_the_run() -> None:
    script: list[Reply] = [*[calling(("counter_same", {}))] * 4, "I went in circles."]
    async with house(counter(), script=script) as home:
        result = await home.run()
    assert [len(remarks(request)) for request in home.model.requests] == [0, 0, 1, 2, 3]
    assert (result.ending, result.text) == ("blocked", "I went in circles.")
    assert "3 turns in a row that only repeated earlier calls" in result.reason


@requirement("X6")
async def test_going_in_circles_between_two_calls_is_seen_too() -> None:
    there, back = calling(("counter_same", {"word": "a"})), calling(("counter_same", {"word": "b"}))
    async with house(counter(), script=[there, back, there, back, there, "Enough."]) as home:
        assert (await home.run()).ending == "blocked"


@requirement("X6")
async def test_the_same_call_with_another_result_is_no_circle() -> None:
    async with house(counter(), script=[*[calling(("counter_count", {}))] * 6, "It counts."]) as home:
        result = await home.run()
    assert (result.ending, remarks(home.model.requests[-1])) == ("completed", [])


@requirement("X2")
async def test_a_tool_may_be_called_so_often_and_no_more() -> None:
    script: list[Reply] = [calling(*[("counter_count", {})] * 2), calling(("counter_count", {}), ("counter_same", {})), "Done."]
    async with house(counter(), script=script) as home:
        result = await home.run(limits=Limits(calls_per_tool=2))
    assert [record.result.kind for record in result.calls] == ["ok", "ok", "not_run", "ok"]
    assert result.calls[2].problem == "limit"


def test_a_day_begins_once_where_its_first_hour_comes_twice() -> None:
    havana = ZoneInfo("America/Havana")  # on 1 November 2026 the clocks go back from 1:00 to 0:00
    first = datetime(2026, 11, 1, tzinfo=havana).timestamp()
    assert {midnight(datetime.fromtimestamp(first + minutes * 60 + 0.5, havana)) for minutes in (0, 59, 61, 119, 121)} == {first}


@requirement("Y3")
def test_a_days_budget_says_which_part_of_it_is_used_up_and_lets_a_run_go_on_with_the_last_of_it() -> None:
    of_all = Budget(runs_per_day=2, calls_per_day=5, usd_per_day=0.5)
    unknown = "the price of a run of the day is unknown, so its budget in USD cannot be held"
    for budget, runs, calls, usd, before, on_the_way in (
        (of_all, 1, 4, Decimal("0.49"), "", ""),
        (of_all, 3, 4, Decimal("0.49"), "2 of 2 runs of the day are used up", ""),
        (of_all, 1, 5, Decimal("0.50"), "5 of 5 calls of the day are used up", ""),
        (of_all, 1, 4, Decimal("0.50"), "0.5000 of 0.5 USD of the day are used up", ""),
        (of_all, 1, 6, None, "6 of 5 calls of the day are used up", "6 of 5 calls of the day are used up"),
        (of_all, 1, 4, None, unknown, ""),
        (of_all, 1, 4, Decimal("0.51"), *["0.5100 of 0.5 USD of the day are used up"] * 2),
        (Budget(), 99, 99, None, "", ""),
        (Budget(usd_per_day=0), 0, 0, Decimal(0), "", ""),
        (Budget(usd_per_day=0), 1, 0, Decimal(0), "0.0000 of 0 USD of the day are used up", ""),
    ):
        assert (budget.used_up(runs, calls, usd), budget.exceeded(Use(calls, usd))) == (before, on_the_way)
    told = [of_all.exceeded(Use(5, None, refused)) for refused in (0, 1, 3)]
    assert told == ["", *(f"5 of 5 calls of the day are used up; {more} not made" for more in ("1 more was", "3 more were"))]
    assert of_all.exceeded(Use(4, None, 1)) == "", "it was refused for another limit"


@given(
    turns=st.integers(0, 30),
    work_s=st.floats(0, 1000),
    tokens=st.integers(0, 10_000),
    usd=st.none() | st.decimals(0, 10, places=4),
    limits=st.builds(
        Limits,
        turns=st.integers(1, 20),
        wall_s=st.none() | st.floats(1, 900),
        tokens=st.none() | st.integers(1, 9000),
        usd=st.none() | st.floats(0, 9),
    ),
)
def test_near_is_never_past_and_more_spending_never_takes_a_limit_back(
    turns: int, work_s: float, tokens: int, usd: Decimal | None, limits: Limits
) -> None:
    spent = Spent(turns, work_s, tokens, usd)
    more = Spent(turns + 1, work_s + 1, tokens + 1, None if usd is None else usd + 1)
    assert not limits.reached(spent) or limits.reached(more)
    if not limits.reached(spent) and limits.near(spent):
        assert "of" in limits.near(spent)


@pytest.mark.parametrize("limits", [{"turns": 0}, {"wall_s": 0}, {"tokens": 0}, {"usd": -1}, {"call_timeout_s": -1}])
def test_limits_that_make_no_sense_are_refused(limits: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(limits))):
        Limits.model_validate(limits)


@requirement("X2")
async def test_a_call_may_not_outlast_the_run() -> None:
    async with house(counter(), script=[calling(("counter_same", {})), "Done."]) as home:
        assert (await home.run(limits=Limits(wall_s=5, call_timeout_s=60))).ending == "completed"


def test_an_assistants_reply_without_a_price_makes_the_sum_unknown() -> None:
    known = AssistantMessage(usage=Usage(cost_usd=Decimal(1)))
    assert (known.usage + Usage(cost_usd=None)).cost_usd is None


@requirement("X2", "X11")
async def test_the_retries_of_a_call_do_not_outlast_the_run() -> None:
    server: MCPServer[Any] = MCPServer("slow")
    now = [0.0]
    asked: list[float] = []

    @server.tool(annotations=READ)
    async def look() -> str:
        """Is busy, and takes four seconds to say so."""
        asked.append(now[0])
        now[0] += 4
        return "Error: busy, try again"

    async def sleep(seconds: float) -> None:
        now[0] += seconds

    backoff = Backoff(first_s=1.0, most_s=1.0)
    async with house(
        server, script=[calling(("slow_look", {})), "late"], clock=lambda: now[0], sleep=sleep, backoff=backoff
    ) as home:
        result = await home.run(limits=Limits(wall_s=10))
    assert 2 <= len(asked) <= 3
    assert all(at < 10 for at in asked)
    assert result.ending == "exhausted"


@requirement("X11")
@pytest.mark.parametrize("set_by", [3_600.0, -3_600.0])
async def test_a_clock_that_is_set_while_a_call_is_under_way_counts_for_and_against_no_run(set_by: float) -> None:
    server: MCPServer[Any] = MCPServer("slow")
    set_to, steady = [1_000_000.0], [0.0]

    @server.tool(annotations=READ)
    async def look() -> str:
        """Takes four seconds, in which somebody sets the clock."""
        set_to[0] += 4 + set_by
        steady[0] += 4
        return "seen"

    endings = []
    for wall_s in (30, 7):
        script: list[AssistantMessage | str] = [calling(("slow_look", {}), ("slow_look", {})), "Done."]
        async with house(server, script=script, clock=lambda: set_to[0], steady=lambda: steady[0]) as home:
            endings.append((await home.run(limits=Limits(wall_s=wall_s))).ending)
    assert endings == ["completed", "exhausted"], "what was really worked counts"
