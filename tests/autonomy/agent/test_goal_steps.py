"""A goal that the model cuts into steps, where not all tools can be shown."""

from typing import Any

import anyio
import pytest
from mcp.server.mcpserver import MCPServer

from autonomy.agent import goal_steps
from autonomy.agent.goal_steps import CUT, MOST_STEPS, steps_in
from autonomy.durable.records.run_records import RunRecord
from autonomy.durable.records.transcripts import assemble
from autonomy.errors import ModelRejected
from autonomy.llm.messages import AssistantMessage, Usage
from autonomy.llm.model import ModelRequest, Need, OnText, Task
from autonomy.llm.scripted import Reply, ScriptedModel, calling
from autonomy.run_state.run_values import RunRequest
from discovery.catalog import Frozen
from discovery.search.offering import OfferLimits
from metrics import events
from tests.requirements import requirement
from tests.support.house import READ, house

CUTTING = OfferLimits(most_tools=20, steps=True)
STEPS = AssistantMessage(text="1. bake bread in an oven\n- butter a slice", usage=Usage(input_tokens=90, output_tokens=10))


@pytest.fixture(autouse=True)
def by_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """Loading the encoder takes a second, and it finds bread near anything."""
    monkeypatch.setattr("discovery.search.embeddings.installed", lambda: False)


def crowd(tools: int = 90) -> MCPServer[Any]:
    """Of its tools, 7 bakes bread; the others are like what the goal says."""
    server: MCPServer[Any] = MCPServer("crowd")
    for number in range(tools):
        topic = "bake bread in the oven" if number == 7 else f"polish the doorknob of room {number}"
        server.add_tool(lambda: "done", name=f"act_{number}", description=f"Helps to {topic}.", annotations=READ)
    return server


@requirement("D18")
async def test_a_step_that_the_model_names_brings_its_tool_into_the_first_turn_and_is_counted() -> None:
    script: list[Reply] = [STEPS, calling(("crowd_act_7", {})), "It is baked."]
    async with house(crowd(), script=script, offer_limits=CUTTING) as home:
        result = await home.run("polish doorknobs for breakfast")
    cut, first, _ = home.model.requests
    assert cut.messages[0].text == CUT
    assert "polish doorknobs for breakfast" in cut.messages[1].text
    assert (cut.tools, cut.tool_choice) == ((), "none")
    assert "crowd_act_7" in {tool.name for tool in first.tools}
    assert all(CUT not in message.text and "butter" not in message.text for message in first.messages)
    assert [record.ok for record in result.calls] == [True]
    assert (result.turns, result.usage.input_tokens) == (2, 90)


@requirement("D18")
async def test_a_tool_that_a_step_names_and_the_run_may_not_use_is_not_shown() -> None:
    script: list[Reply] = [STEPS, "There is none."]
    async with house(crowd(), script=script, offer_limits=CUTTING) as home:
        await home.run("polish doorknobs", tools=("crowd_act_[1-6]*",))
    assert "crowd_act_7" not in {tool.name for tool in home.model.requests[-1].tools}


@pytest.mark.parametrize(
    ("tools", "limits", "script"),
    [
        (90, OfferLimits(most_tools=20), ["Done."]),
        (5, CUTTING, ["Done."]),
        (90, CUTTING, [ModelRejected("scripted:model", "no"), "Done."]),
        (90, CUTTING, ["", "Done."]),
        (90, CUTTING, ["I would begin by looking around " * 9, "Done."]),
    ],
)
async def test_where_no_steps_are_asked_for_or_none_come_the_goal_alone_chooses(
    tools: int, limits: OfferLimits, script: list[Reply]
) -> None:
    async with house(crowd(tools), script=["Done."], offer_limits=OfferLimits(most_tools=20)) as home:
        await home.run("polish doorknobs")
        expected = home.model.requests[-1].tools
    async with house(crowd(tools), script=script, offer_limits=limits) as home:
        result = await home.run("polish doorknobs")
    assert result.ending == "completed"
    assert home.model.requests[-1].tools == expected
    assert len(home.model.requests) == len(script)


class Hanging(ScriptedModel):
    """Never answers a request without tools."""

    async def complete(self, request: ModelRequest, on_text: OnText | None = None) -> AssistantMessage:
        if not request.tools:
            self.requests.append(request)
            await anyio.sleep_forever()
        return await super().complete(request, on_text)


async def test_a_model_that_does_not_answer_in_time_is_not_waited_for_and_the_run_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(goal_steps, "WITHIN_S", 0.0)
    model = Hanging(["Done."])
    async with house(crowd(), model=model, offer_limits=CUTTING) as home:
        with anyio.fail_after(240):
            result = await home.run("polish doorknobs", trigger="schedule")  # whose model is else waited for for long
    assert result.ending == "completed"
    assert [len(request.tools) > 0 for request in model.requests] == [False, True]
    assert [(failed.error, failed.then) for failed in home.heard.of(events.ModelFailed)] == [("ModelUnavailable", "give_up")]


async def test_a_run_whose_needs_are_declared_has_its_steps_already() -> None:
    async with house(crowd(), script=["Done."], offer_limits=CUTTING) as home:
        await home.run("polish doorknobs", needs=(Need(id="bread", description="bake bread", required=False),))
    (first,) = home.model.requests
    assert "crowd_act_7" in {tool.name for tool in first.tools}


async def test_steps_that_were_recorded_are_not_asked_for_again_and_people_see_what_they_brought() -> None:
    kept: dict[str, Any] = {}

    async def step(name: str, effect: Any, returns: Any) -> Any:
        if name not in kept:
            kept[name] = await effect()
        return kept[name]

    request = RunRequest(run_id="run-1", task=Task(goal="polish doorknobs"), trigger="test")
    async with house(crowd(), script=[STEPS, "Done."], offer_limits=CUTTING) as home:
        once = await home.executor.execute(request, step=step)
        heard = tuple(home.heard.events)
        again = await home.executor.execute(request, step=step)
    assert len(home.model.requests) == 2
    assert again.ending == once.ending
    stored = {name: gave.model_dump(mode="json") for name, gave in kept.items() if isinstance(gave, Frozen)}
    record = RunRecord(
        run_id="run-1", job="", tenant="t", actor="", state="completed", request=request, result=once, asked_at=0, ended_at=1
    )
    told = assemble(record, heard, stored)
    assert [turn.key for turn in told.turns] == ["turn-0/steps", "turn-1"]
    assert told.offer is not None
    assert "crowd_act_7" in {tool.name for tool in told.offer.definitions}


def test_lines_of_a_list_are_steps_and_what_is_too_long_or_too_many_is_left() -> None:
    assert steps_in("1. find a place\n2) read a page\n* `add a slide`\n\n- find a place") == (
        "find a place",
        "read a page",
        "add a slide",
    )
    assert steps_in("no\n" + "x" * 200) == ()
    assert len(steps_in("\n".join(f"read page {number}" for number in range(30)))) == MOST_STEPS
