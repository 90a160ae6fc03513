"""What simulated runs brought to light (tests/simulation), each in the smallest form."""

from collections.abc import Sequence
from typing import Any

import anyio
import pytest
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError

from autonomy.cli.reports.run_result import marked_text
from autonomy.llm.messages import AssistantMessage, ToolCall, ToolResult
from autonomy.llm.model import ModelRequest
from autonomy.llm.scripted import calling
from autonomy.policy.operator_rules import PolicyRule
from autonomy.policy.policy import Policy
from autonomy.run_state.limits import Budget, Limits
from metrics import events
from tests.requirements import requirement
from tests.support.house import IDEMPOTENT, READ, WRITE, house

ALLOW = Policy(rules=(PolicyRule(name="everything", decision="allow"),))


def shop(*answers: str | Exception) -> tuple[MCPServer[Any], list[str]]:
    """Something to read, to buy and to put; `put` gives the answers in turn. The list says what was called."""
    server: MCPServer[Any] = MCPServer("shop")
    called: list[str] = []
    left = list(answers)

    @server.tool(annotations=READ)
    def look(word: str) -> str:
        """Look for something."""
        called.append("look")
        raise ToolError("503 temporarily unavailable")

    @server.tool(annotations=WRITE)
    def buy(thing: str) -> str:
        """Buy a thing."""
        called.append("buy")
        return "the request timed out" if thing == "slow" else "bought"

    @server.tool(annotations=IDEMPOTENT)
    def put(to: str) -> str:
        """Put it there."""
        called.append("put")
        answer = left.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    return server, called


def twins(*ids: str) -> AssistantMessage:
    """One reply with a call under each of these ids."""
    calls = tuple(ToolCall(id=call_id, name="shop_buy", arguments={"thing": str(number)}) for number, call_id in enumerate(ids))
    return AssistantMessage(calls=calls, vendor_state={"ids": ids}, stop_reason="tool_calls")


async def test_calls_without_an_id_or_with_the_same_one_can_be_told_apart() -> None:
    server, called = shop()
    async with house(server, script=[twins("a", "a", ""), twins("a", "b"), "That is all."], policy=ALLOW) as home:
        result = await home.run()
    said = [message for message in home.model.requests[-1].messages if isinstance(message, AssistantMessage)]
    answered = [message.call_id for message in home.model.requests[-1].messages if isinstance(message, ToolResult)]
    assert [call.id for message in said for call in message.calls] == answered == ["a", "a-2", "call-2", "a-3", "b"]
    assert all(not message.vendor_state for message in said), "the vendor's own record speaks of the ids that were replaced"
    assert result.ending == "completed"
    assert called == ["buy"] * 5


@requirement("X3")
async def test_calls_in_the_last_words_are_left_out_since_nobody_answers_them() -> None:
    server, called = shop()

    def script(request: ModelRequest) -> AssistantMessage:
        return calling(("shop_buy", {"thing": str(len(request.messages))}), text="still at it")

    async with house(server, script=script, policy=ALLOW) as home:
        result = await home.run(limits=Limits(turns=1))
    assert (result.ending, result.text, called) == ("exhausted", "still at it", ["buy"])
    assert home.heard.of(events.ModelAnswered)[-1].calls == 0


@requirement("V4", "X3")
@pytest.mark.parametrize(
    ("last_words", "holds"), [("You have 420 bolts.", False), ("I could not find out how many there are.", True)]
)
async def test_what_a_model_claims_in_its_last_words_has_to_hold_as_well(last_words: str, holds: bool) -> None:
    server, _ = shop()
    script = [calling(("shop_lok", {"word": "bolt"})), calling(("shop_lok", {"word": "bolts"})), last_words]
    async with house(server, script=script) as home:
        result = await home.run(goal="How many bolts are there?", limits=Limits(failures=2))
    assert (result.ending, result.text) == ("blocked", last_words)
    assert result.is_refuted is not holds
    assert ("420" in marked_text(result).splitlines()[0]) is not holds


@requirement("X2")
async def test_calls_that_run_together_share_the_runs_retries() -> None:
    server, called = shop()
    together = calling(*(("shop_look", {"word": str(number)}) for number in range(5)))
    async with house(server, script=[together, "Nothing there."]) as home:
        await home.run(limits=Limits(retries=2))
    assert len(called) == 5 + 2


@requirement("X2")
async def test_calls_of_one_reply_count_towards_the_most_a_tool_may_be_called() -> None:
    server, called = shop()
    together = calling(*(("shop_buy", {"thing": str(number)}) for number in range(4)))
    async with house(server, script=[together, "Done."], policy=ALLOW) as home:
        result = await home.run(limits=Limits(calls_per_tool=3))
    assert called == ["buy"] * 3
    assert result.calls[3].problem == "limit"


@requirement("Y3", "K5")
async def test_one_reply_makes_no_more_calls_than_the_budget_of_the_jobs_day() -> None:
    server, called = shop()
    together = calling(*(("shop_buy", {"thing": str(number)}) for number in range(300)))
    async with house(server, script=[together, "Done."], policy=ALLOW) as home:
        result = await home.run(job="shopping", budget=Budget(calls_per_day=4))
    assert called == ["buy"] * 4
    assert {call.problem for call in result.calls[4:]} == {"limit"}


@requirement("X11")
@pytest.mark.parametrize("last", [ToolError("no such setting"), '{"error": "not allowed"}', "Error: invalid value"])
async def test_a_write_that_may_have_happened_stays_unknown_when_a_later_try_surely_failed(last: Any) -> None:
    server, called = shop(ToolError("the request timed out"), last)
    async with house(server, script=[calling(("shop_put", {"to": "x"})), "Hm."], policy=ALLOW) as home:
        result = await home.run()
    (record,) = result.calls
    assert called == ["put", "put"]
    assert record.result.kind == "unknown_outcome"
    assert record.receipt is not None
    assert record.receipt.state == "unknown"


async def test_an_idempotent_write_that_only_ever_timed_out_is_unknown_not_failed() -> None:
    server, _ = shop(*[ToolError("the request timed out")] * 4)
    async with house(server, script=[calling(("shop_put", {"to": "x"})), "Hm."], policy=ALLOW) as home:
        result = await home.run()
    assert result.calls[0].result.kind == "unknown_outcome"


@requirement("X11")
async def test_a_write_of_unknown_outcome_is_not_made_again_in_a_later_turn() -> None:
    server, called = shop()
    again = calling(("shop_buy", {"thing": "slow"}))
    async with house(server, script=[again, again, "I do not know."], policy=ALLOW) as home:
        result = await home.run()
    assert called == ["buy"]
    assert result.calls[1].result.kind == "not_run"
    assert "a person has to look" in result.calls[1].result.text


async def test_the_same_write_twice_in_one_reply_is_made_once_and_answered_twice() -> None:
    server, called = shop()
    once = ("shop_buy", {"thing": "tea"})
    async with house(server, script=[calling(once, once), calling(once), "Two teas."], policy=ALLOW) as home:
        with anyio.fail_after(240):
            result = await home.run()
    assert [record.result.kind for record in result.calls] == ["ok", "not_run", "ok"]
    assert called == ["buy", "buy"], "in another turn it is another wish"


async def test_that_a_write_begins_stands_in_the_journal_before_it_is_sent() -> None:
    server, called = shop()
    written: list[tuple[events.RunEvent, bool]] = []

    class Sink:
        async def write(self, told: Sequence[events.RunEvent]) -> None:
            written.extend((event, "buy" in called) for event in told)

    script = [calling(("shop_look", {"word": "1"})), calling(("shop_buy", {"thing": "tea"})), "Bought."]
    async with house(server, script=script, policy=ALLOW, journal=Sink()) as home:
        await home.run()
    (bought,) = [sent for event, sent in written if isinstance(event, events.CallStarted) and event.tool == "shop_buy"]
    assert not bought
    assert called[-1] == "buy"
