"""A rehearsal (`simulate`): everything is decided, nothing is sent, and it ends as what it was."""

import json
from importlib.resources import files
from typing import Any

import pytest
from mcp.server.mcpserver import MCPServer

from autonomy.compat.run_history import stats_of
from autonomy.llm.messages import ToolResult
from autonomy.llm.model import Need
from autonomy.llm.scripted import calling
from autonomy.policy.policy import Policy
from autonomy.run_state.asking.approvals import ApprovalAnswer, ApprovalQuestion
from autonomy.run_state.completion_rules import Evidence, Length, ToolUsed
from autonomy.run_state.limits import Limits
from autonomy.run_state.step import Step
from metrics import events
from metrics.measures import measure
from tests.requirements import requirement
from tests.support.house import DESTRUCTIVE, OUTWARD, WRITE, house

PUBLISH = Need(id="publish", description="send the text", effect="outward", tools=("out_send",), arguments={"text": "{{result}}"})
FREE = Policy(free_writes="allow")


def out(annotations: Any = OUTWARD) -> tuple[MCPServer[Any], list[str]]:
    """A server that sends, and what it has sent."""
    server: MCPServer[Any] = MCPServer("out")
    sent: list[str] = []

    @server.tool(annotations=annotations)
    def send(text: str) -> str:
        """Send a text."""
        sent.append(text)
        return "sent"

    return server, sent


@requirement("X10")
@pytest.mark.parametrize("annotations", [WRITE, OUTWARD, DESTRUCTIVE])
async def test_every_write_is_decided_on_and_none_is_sent(annotations: Any) -> None:
    server, sent = out(annotations)
    async with house(server, script=[calling(("out_send", {"text": "x"})), "It would be sent."], policy=FREE) as home:
        result = await home.run(simulate=True)
    assert sent == []
    assert (result.ending, result.receipts) == ("simulated", ())
    (record,) = result.calls
    assert (record.simulated, record.ok, record.good, record.arguments) == (True, False, True, {"text": "x"})
    assert home.heard.of(events.CallDecided)[0].decision == "allow"


async def test_the_model_goes_on_as_if_the_write_had_been_made() -> None:
    server, _ = out()
    async with house(server, script=[calling(("out_send", {"text": "x"})), "It would be sent."], policy=FREE) as home:
        await home.run(simulate=True)
    answer = home.model.requests[1].messages[-1]
    assert isinstance(answer, ToolResult)
    assert (answer.is_error, answer.kind) == (False, "not_run")
    assert "rehearsal" in answer.text


@requirement("M2", "X14")
async def test_it_counts_as_nothing_wherever_runs_are_counted() -> None:
    server, _ = out()
    async with house(server, script=[calling(("out_send", {"text": "x"})), "It would be sent."], policy=FREE) as home:
        await home.run(simulate=True)
    measures = measure(home.written.events)
    assert (measures.runs, measures.simulated) == ((), 1)
    assert stats_of(home.written.events).total_executions == 0


async def test_one_that_only_reads_and_answers_is_no_completed_run_either() -> None:
    async with house(script=["Four."]) as home:
        assert (await home.run("two and two?", simulate=True)).ending == "simulated"


async def test_nobody_is_asked_about_what_will_not_happen() -> None:
    server, _ = out()

    async def never(question: ApprovalQuestion, step: Step) -> ApprovalAnswer:
        raise AssertionError(question)

    script = [calling(("out_send", {"text": "x"})), "It would be sent."]
    async with house(server, script=script, policy=Policy(free_writes="ask"), approver=never) as home:
        result = await home.run(simulate=True)
    assert result.ending == "simulated"
    assert "after asking a person" in result.calls[0].reason


@pytest.mark.parametrize("language", ["en", "ja"])
async def test_the_offline_planners_own_words_about_a_rehearsal_claim_nothing(language: str) -> None:
    server, _ = out()
    spoken = json.loads(files("autonomy.llm.offline").joinpath("data", f"{language}.json").read_bytes())
    words = find(spoken, "rehearsed").format(tool="out_send")
    async with house(server, script=[calling(("out_send", {"text": "x"})), words], policy=FREE) as home:
        result = await home.run(simulate=True)
    assert (result.ending, result.missing) == ("simulated", ())


def find(data: Any, key: str) -> str:
    """The text under a key, however deep it stands."""
    inner = [value for value in data.values() if isinstance(value, dict)]
    return str(data[key]) if key in data else next(filter(None, (find(one, key) for one in inner)), "")


async def test_what_would_be_denied_is_denied() -> None:
    server, _ = out()
    script = [calling(("out_send", {"text": "x"})), "I may not."]
    async with house(server, script=script, policy=Policy(free_writes="deny")) as home:
        result = await home.run(simulate=True)
    assert result.ending == "blocked"
    assert result.calls[0].result.kind == "denied"


@requirement("X7")
async def test_the_rules_are_held_against_what_would_have_been_delivered() -> None:
    server, sent = out()
    rules = (Evidence(need="publish"), ToolUsed(tool="out_*"), Length(min_chars=20))
    long = "a text that is long enough to be sent"
    asked: dict[str, Any] = {"simulate": True, "rules": rules, "needs": (PUBLISH,), "limits": Limits(corrections=0)}
    for text, ending in ((long, "simulated"), ("too short", "exhausted")):
        async with house(server, script=[calling(("out_send", {"text": text})), "That is it."]) as home:
            result = await home.run("send a text", **asked)
        assert (result.ending, sent) == (ending, []), result.reason


async def test_a_need_that_no_call_would_meet_is_still_missed() -> None:
    async with house(out()[0], script=["That is it."]) as home:
        rules = (Evidence(need="publish"),)
        result = await home.run("send a text", simulate=True, rules=rules, needs=(PUBLISH,), limits=Limits(corrections=0))
    assert (result.ending, result.missing) == ("exhausted", ("nothing shows that this was done: send the text",))


@requirement("X10")
async def test_it_may_show_what_it_would_send_and_may_not_say_that_it_did() -> None:
    server, _ = out()
    letter = "I have posted the plan.\nSee you."
    for words, ending in ((f"{letter}\nThis would be sent.", "simulated"), (f"{letter}\nI have sent it.", "exhausted")):
        async with house(server, script=[calling(("out_send", {"text": letter})), words], policy=FREE) as home:
            result = await home.run("send the letter", simulate=True, limits=Limits(corrections=0))
        assert result.ending == ending, result.missing
