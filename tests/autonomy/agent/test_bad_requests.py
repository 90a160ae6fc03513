"""Requests that cannot be worked on, and models that will not: a named ending, one sentence, nothing lost."""

from typing import Any, Literal

import pytest
from mcp.server.mcpserver import MCPServer

import autonomy.llm.prices  # the registry would import both inside the event loop
import autonomy.llm.vendors.openai_models  # noqa: F401 - as above
from autonomy.llm.messages import AssistantMessage
from autonomy.llm.model import ModelOptions, Need
from autonomy.llm.model_registry import open_model
from autonomy.llm.offline.planner import OfflinePlanner
from autonomy.llm.scripted import calling
from autonomy.policy.operator_rules import PolicyRule
from autonomy.policy.policy import Policy
from autonomy.run_state.completion_rules import Evidence, Length, Rule, ToolUsed
from metrics import events
from tests.requirements import requirement
from tests.support.house import READ, WRITE, house, person_who
from tests.support.openai_chat import OpenAIChat, failure


def lamp() -> MCPServer[Any]:
    """A server with one tool."""
    server: MCPServer[Any] = MCPServer("lamp")

    @server.tool(annotations=READ)
    def look() -> str:
        """Look at the lamp."""
        return "it is on"

    return server


@requirement("X7")
@pytest.mark.parametrize("goal", ["", "  \n\t"])
async def test_an_empty_goal_fails_before_anything_is_spent(goal: str) -> None:
    async with house(lamp(), script=["Something."]) as home:
        result = await home.run(goal)
    assert (result.ending, result.reason, result.turns) == ("failed", "the goal is empty", 0)
    assert home.model.requests == []
    assert [type(event) for event in home.written.events] == [events.RunStarted, events.CatalogTaken, events.RunFinished]


@requirement("X7")
@pytest.mark.parametrize(
    ("rule", "words"),
    [
        (Length(min_chars=500, max_chars=100), "at least 500 and at most 100 characters"),
        (Evidence(need="post"), "evidence of 'post', and the goal declares no such need"),
        (ToolUsed(tool="oven_*"), "there is no such tool"),
    ],
)
async def test_rules_that_can_never_hold_are_said_at_once(rule: Rule, words: str) -> None:
    async with house(lamp(), script=["Something."]) as home:
        result = await home.run(rules=(rule,))
    assert result.ending == "failed"
    assert words in result.reason
    assert home.model.requests == []


async def test_a_rule_about_a_tool_the_run_may_not_use_says_so() -> None:
    async with house(lamp(), script=["Something."]) as home:
        result = await home.run(rules=(ToolUsed(tool="lamp_look"),), tools=("oven_*",))
    assert "this run may not use it" in result.reason


@requirement("X7")
@requirement("S7")
async def test_a_model_that_refuses_ends_the_run_as_declined_in_its_own_words_which_stay_out_of_the_journal() -> None:
    refusal = AssistantMessage(text="I will not do that.", stop_reason="refusal")
    async with house(lamp(), script=[calling(("lamp_look", {})), refusal]) as home:
        result = await home.run()
    assert (result.ending, result.text, len(result.calls)) == ("declined", "I will not do that.", 1)
    assert "I will not" not in "".join(event.model_dump_json() for event in home.written.events)


async def test_a_model_that_refuses_without_a_word_ends_the_run_as_declined_too() -> None:
    async with house(lamp(), script=[AssistantMessage(stop_reason="refusal")]) as home:
        result = await home.run()
    assert (result.ending, result.reason) == ("declined", "the model could not or would not do it")


@requirement("X7", "K5")
@pytest.mark.parametrize("by", ["the planner", "a model's last call", "on the way", "held back"])
async def test_a_run_that_a_rule_stopped_is_blocked_by_it_and_not_declined_by_the_model(by: str) -> None:
    server = lamp()

    @server.tool(annotations=WRITE)
    def light(level: int) -> str:
        """Light the lamp."""
        return "it is on"

    refusal = AssistantMessage(text="I will not do that.", stop_reason="refusal")
    look, lit = calling(("lamp_look", {})), calling(("lamp_light", {"level": 3}))
    script = [*([] if by == "held back" else [look]), lit, *([look] if by == "on the way" else []), refusal]
    policy = Policy(rules=(PolicyRule(name="dark", tool="lamp_light", decision="deny", reason="it is night"),))
    needs: tuple[Need, ...] = (Need(id="light", description="light the lamp", effect="write", arguments={"level": 3}),)
    if by == "held back":  # until it has looked, which it might have
        policy = Policy()
        needs = (Need(id="look", description="look at the lamp"), needs[0].model_copy(update={"after": ("look",)}))
    planner = OfflinePlanner() if by == "the planner" else None
    async with house(server, policy=policy, script=script, model=planner) as home:
        of_job = by in ("the planner", "held back")
        result = await home.run(needs=needs if of_job else (), job="evening" if of_job else "")
    if by in ("on the way", "held back"):  # a text's order, as it may be, that was denied stopped nothing
        assert (result.ending, result.reason) == ("declined", "the model could not or would not do it")
    else:
        assert (result.ending, result.reason) == ("blocked", "lamp_light was not called: it is not allowed (dark): it is night")


@requirement("X7")
@pytest.mark.parametrize("why", ["it is night", ""])
async def test_a_run_without_the_write_that_a_rule_denies_ends_with_the_rule_and_not_for_want_of_a_receipt(why: str) -> None:
    refusing: MCPServer[Any] = MCPServer("chat")

    @refusing.tool(annotations=WRITE)
    def post(text: str) -> str:
        """Post a text."""
        raise AssertionError("a rule said no")

    policy = Policy(rules=(PolicyRule(name="dark", tool="chat_post", decision="deny", reason=why),))
    script = [calling(("chat_post", {"text": "Lunch is ready"})), *["The lamp is in the hall."] * 5]
    async with house(refusing, policy=policy, script=script) as home:
        result = await home.run(goal="Post that lunch is ready")
        asked = await home.run(goal="Where is the lamp?")
    because = "chat_post was not called: it is not allowed (dark)" + (f": {why}" if why else "")
    assert (result.ending, result.reason) == ("blocked", because)
    assert asked.reason != because, "it was not asked for"


def refused_chat() -> MCPServer[Any]:
    server: MCPServer[Any] = MCPServer("chat")

    @server.tool(annotations=WRITE)
    def post(text: str) -> str:
        """Post a text."""
        raise AssertionError("a person said no")

    return server


@requirement("X7")
@pytest.mark.parametrize(
    "reply", [AssistantMessage(text="Not done.", stop_reason="refusal"), "I could not post it: you said no."]
)
@pytest.mark.parametrize("why", ["wrong channel", ""])
async def test_a_run_that_a_person_stopped_says_so_and_does_not_blame_the_model(reply: AssistantMessage | str, why: str) -> None:
    script = [calling(("chat_post", {"text": "Hello"})), reply]
    async with house(
        refused_chat(), script=script, approver=person_who("denied", reason=why), policy=Policy(free_writes="ask")
    ) as home:
        result = await home.run("Post Hello")
    assert (result.ending, result.reason) == ("blocked", f"chat_post was not called: {why or 'a person said no'}")
    assert result.turns == 2, "nobody told the model to go on"
    told = home.model.requests[-1].messages[-1].text
    assert "A person has to allow this: " in told, "or else the model cannot know what it could do without"


@requirement("X7")
async def test_a_false_claim_after_a_persons_no_is_not_excused_by_it() -> None:
    script = [calling(("chat_post", {"text": "Hello"})), "I posted Hello.", "I did not post it: you said no."]
    async with house(refused_chat(), script=script, approver=person_who("denied"), policy=Policy(free_writes="ask")) as home:
        result = await home.run("Post Hello")
    assert (result.ending, result.turns, result.text) == ("blocked", 3, "I did not post it: you said no.")


POSTED = Need(id="posted", description="Post the text.", effect="write", tools=("chat_post",))
NOTED = Need(id="noted", description="Note the text.", effect="write", tools=("chat_note",))


@requirement("X7")
@pytest.mark.parametrize(("answer", "why"), [("denied", "a person said no"), ("expired", "nobody answered in time")])
@pytest.mark.parametrize(
    ("needs", "says"),
    [
        ((POSTED,), ("I could not post it: you said no.",)),
        ((POSTED,), ("I posted it.", "I did not post it: you said no.")),
        ((POSTED, NOTED), ("I could not post it.", calling(("chat_note", {"text": "Hello"})), "I noted it.")),
    ],
)
async def test_a_job_is_not_told_to_do_what_nobody_approved_but_what_else_is_left(
    needs: tuple[Need, ...],
    says: tuple[AssistantMessage | str, ...],
    answer: Literal["denied", "expired"],
    why: str,
) -> None:
    server: MCPServer[Any] = MCPServer("chat")
    noted = []

    @server.tool(annotations=WRITE)
    def post(text: str) -> str:
        """Post a text."""
        raise AssertionError("nobody approved it")

    @server.tool(annotations=WRITE)
    def note(text: str) -> str:
        """Note a text."""
        noted.append(text)
        return "noted"

    asking = Policy(rules=(PolicyRule(name="ask", decision="ask", tool="chat_post"),))
    script = [calling(("chat_post", {"text": "Hello"})), *says]
    async with house(server, script=script, approver=person_who(answer), policy=asking) as home:
        result = await home.run("Post and note Hello", needs=needs, job="announce")
    assert (result.ending, result.reason) == ("blocked", f"chat_post was not called: {why}")
    assert result.turns == len(script)
    assert noted == ["Hello"] * (NOTED in needs)


@requirement("L3", "S7")
async def test_a_key_that_does_not_work_fails_the_run_and_is_not_said() -> None:
    with OpenAIChat() as fake:
        fake.script(failure(401, "Incorrect API key provided: sk-canary-123", code="invalid_api_key"))
        model = open_model("openai:gpt-x", ModelOptions(api_key="sk-canary-123", base_url=fake.url))
        async with house(lamp(), model=model) as home:
            result = await home.run()
        await model.aclose()
    assert (result.ending, result.turns) == ("failed", 1)
    assert "401" in result.reason or "key" in result.reason
    told = result.model_dump_json() + "".join(event.model_dump_json() for event in home.written.events)
    assert "sk-canary-123" not in told


async def test_an_endpoint_nobody_listens_on_fails_the_run_with_its_reason() -> None:
    model = open_model("compatible:m", ModelOptions(base_url="http://127.0.0.1:9/v1"))
    async with house(lamp(), model=model) as home:
        result = await home.run()
    await model.aclose()
    assert result.ending == "failed"
    assert result.reason.startswith("compatible:m")
    assert "(127.0.0.1:9)" in result.reason


@requirement("L7")
async def test_a_vendor_that_wants_to_be_left_alone_for_an_hour_is_not_waited_for_and_the_reason_says_so() -> None:
    with OpenAIChat() as fake:
        fake.script(failure(429, "busy", retry_after="3600"))
        model = open_model("compatible:m", ModelOptions(base_url=fake.url))
        async with house(lamp(), model=model) as home:
            result = await home.run()
        await model.aclose()
        assert len(fake.requests) == 1
    assert (result.ending, result.reason) == ("failed", "compatible:m: HTTP 429: busy (to be asked again in 3,600 s)")
