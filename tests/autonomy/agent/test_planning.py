"""A plan first: held against the catalog and the policy, carried out through the same calls, and made anew when a step fails."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError

from autonomy.agent.plans.planning import as_json_schema, in_plain_words
from autonomy.llm.messages import AssistantMessage, ToolResult
from autonomy.llm.model import Task
from autonomy.llm.scripted import Reply, calling
from autonomy.policy.operator_rules import PolicyRule
from autonomy.policy.policy import Policy
from autonomy.run_state.limits import Limits
from autonomy.run_state.plan import Plan, PlannedStep, filled, problems
from autonomy.run_state.run_values import RunRequest
from metrics import events
from tests.requirements import requirement
from tests.support.house import READ, WRITE, House, house, remembering
from tests.support.specs import tool

ALLOW = Policy(rules=(PolicyRule(name="notes", decision="allow", tool="office_note"),))
LOOK = tool("look", "Look something up. It takes a moment.", properties={"word": {"type": "string"}}, required=("word",))
COUNT = tool("count", "数える。単語で絞れる。", properties={"limit": {"type": "integer"}})
TOOLS = {spec.name: spec for spec in (LOOK, COUNT)}


def office(*, broken: bool = False) -> MCPServer[Any]:
    """A server on which staff are listed, looked up, and written to."""
    server: MCPServer[Any] = MCPServer("office")
    server.sent = []  # type: ignore[attr-defined] # the test looks at it

    @server.tool(annotations=READ)
    def staff() -> dict[str, Any]:
        """List the staff."""
        return {"staff": [{"id": 7, "name": "Yui"}, {"id": 8, "name": "Kenta"}]}

    @server.tool(annotations=READ)
    def hours(member: int) -> str:
        """The hours of one member."""
        if broken:
            raise ToolError("no such month")
        return f"member {member}: 12 hours"

    @server.tool(annotations=READ)
    def all_hours() -> str:
        """The hours of everybody."""
        return "Yui 12, Kenta 9"

    @server.tool(annotations=WRITE)
    def note(text: str) -> str:
        """Write a note."""
        server.sent.append(text)  # type: ignore[attr-defined]
        return "noted"

    return server


def plan(*steps: dict[str, Any]) -> str:
    """A plan as a model writes it."""
    return "Here is my plan:\n```json\n" + json.dumps({"steps": steps}) + "\n```"


STAFF = {"id": "staff", "tool": "office_staff", "arguments": {}}
FIRST = {"id": "first", "tool": "office_hours", "arguments": {"member": "{{staff.staff.0.id}}"}}
SECOND = {"id": "second", "tool": "office_hours", "arguments": {"member": "{{staff.staff.1.id}}"}}
NOTE = {"id": "note", "tool": "office_note", "arguments": {"text": "hours: {{first}}; {{second}}"}}


def asked(home: House, number: int) -> str:
    """The last message of a request."""
    return home.model.requests[number].messages[-1].text


@requirement("X18")
def test_the_catalog_in_plain_words_has_a_line_for_each_tool() -> None:
    assert in_plain_words([LOOK, COUNT]) == "- look: Look something up\n- count: 数える"


@requirement("X18")
def test_the_catalog_as_json_schema_has_every_tool_s_input_schema() -> None:
    entries = json.loads(as_json_schema([LOOK, COUNT]))
    assert [(entry["name"], entry["effect"], entry["input_schema"]) for entry in entries] == [
        ("look", "read", LOOK.input_schema),
        ("count", "read", COUNT.input_schema),
    ]


def step(name: str, of: str = "look", after: tuple[str, ...] = (), **arguments: Any) -> PlannedStep:
    """One step."""
    return PlannedStep(id=name, tool=of, arguments=arguments, after=after)


@requirement("X18")
@pytest.mark.parametrize(
    ("steps", "words"),
    [
        ([step("a", of="fly")], "step a: there is no tool fly"),
        ([step("a")], "step a: word is required"),
        ([step("a", word=3)], "step a: word"),
        ([step("a", word="x"), step("a", word="y")], "two steps are called 'a'"),
        ([step("a", word="{{b}}")], "step a: it builds on 'b', and there is no such step"),
        ([step("a", word="x", after=("c",))], "step a: it builds on 'c'"),
        ([step("a", word="{{b.x}}"), step("b", word="{{a}}")], "the steps a, b wait for each other"),
        ([step("a", word="x", after=("a",))], "the steps a wait for each other"),
        ([step("a", word="x"), step("b", of="count", wish="{{a}}")], "step b: count has no argument 'wish'"),
        ([step("done", word="x")], "step done: a step of that name is done already"),
    ],
)
def test_what_is_wrong_with_a_plan_is_said_before_anything_happens(steps: list[PlannedStep], words: str) -> None:
    assert any(sentence.startswith(words) for sentence in problems(Plan(steps=tuple(steps)), TOOLS, {"done"}))


def test_a_tool_that_is_down_cannot_be_planned() -> None:
    down = {"look": LOOK.model_copy(update={"available": False})}
    assert problems(Plan(steps=(step("a", word="x"),)), down) == ("step a: look cannot be called now",)


def test_a_value_that_is_known_later_is_no_problem_now() -> None:
    late = Plan(steps=(step("a", word="x"), step("b", of="count", limit="{{a.n}}"), step("c", word="{{done.x}}")))
    assert problems(late, TOOLS, {"done"}) == ()


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=12))
def test_the_order_of_a_plan_keeps_every_dependency_or_is_refused(edges: list[tuple[int, int]]) -> None:
    names = [f"s{number}" for number in range(7)]
    drawn = Plan(
        steps=tuple(
            step(name, after=tuple(names[to] for source, to in edges if names[source] == name), word="x") for name in names
        )
    )
    done: list[str] = []
    while ready := drawn.ready(done):
        for one in ready:
            assert set(one.after) <= set(done)
        done += [one.id for one in ready]
    assert (len(done) == 7) is (problems(drawn, TOOLS) == ())


def test_references_reach_into_json_lists_and_text() -> None:
    result = ToolResult(call_id="1", name="t", text='{"posts": [{"n": 5}]}')
    wrapped = ToolResult(call_id="1", name="t", text="x", structured={"result": {"n": 6}})
    one = step("b", word="{{a}}", number="{{a.posts.0.n}}", line="post {{a.posts.0.n}}", inner="{{w.n}}")
    assert filled(one, {"a": result, "w": wrapped}) == {"word": result.text, "number": 5, "line": "post 5", "inner": 6}
    for nowhere in ("{{a.posts.9.n}}", "{{a.posts.n}}", "{{a.x}}", "{{gone}}", "{{w.n.deeper}}"):
        with pytest.raises(LookupError, match="there is nothing at"):
            filled(step("b", word=nowhere), {"a": result, "w": wrapped})


@requirement("X18", "X15")
async def test_a_plan_is_carried_out_in_waves_with_what_earlier_steps_found() -> None:
    server = office()
    async with house(server, script=[plan(STAFF, FIRST, SECOND, NOTE), "Noted the hours."], policy=ALLOW) as home:
        result = await home.run("note everybody's hours", plan=True)
    assert [(record.turn, record.tool) for record in result.calls] == [
        (2, "office_staff"),
        (3, "office_hours"),
        (3, "office_hours"),
        (4, "office_note"),
    ]
    assert [record.arguments for record in result.calls[1:3]] == [{"member": 7}, {"member": 8}]
    assert server.sent == ["hours: member 7: 12 hours; member 8: 12 hours"]  # type: ignore[attr-defined]
    assert (result.ending, result.text) == ("completed", "Noted the hours.")
    assert result.plan is not None
    assert [planned.id for planned in result.plan.steps] == ["staff", "first", "second", "note"]
    first = home.model.requests[0]
    assert (first.tools, first.json_schema is not None, "office_hours" in asked(home, 0)) == ((), True, True)
    assert all("Before you do anything" not in message.text for message in home.model.requests[1].messages)


@requirement("X18")
async def test_every_call_of_a_plan_has_its_answer_in_the_conversation() -> None:
    async with house(office(), script=[plan(STAFF, FIRST), "Done."]) as home:
        await home.run(plan=True)
    messages = home.model.requests[-1].messages
    wished = [call.id for message in messages if isinstance(message, AssistantMessage) for call in message.calls]
    assert wished == [message.call_id for message in messages if isinstance(message, ToolResult)]
    assert len(set(wished)) == 2


@requirement("X18")
@pytest.mark.parametrize("bad", ["I would look around first.", plan(), plan({**STAFF, "tool": "office_fly"}), '{"steps": 3}'])
async def test_a_bad_plan_goes_back_with_what_is_wrong_and_nothing_is_called(bad: str) -> None:
    async with house(office(), script=[bad, plan(STAFF), "Two people."]) as home:
        result = await home.run(plan=True)
    assert "This did not work:" in asked(home, 1)
    assert (result.ending, len(result.calls)) == ("completed", 1)


@requirement("X18")
async def test_a_model_that_cannot_plan_blocks_the_run_before_anything_happens() -> None:
    async with house(office(), script=["Hm."] * 9) as home:
        result = await home.run(plan=True, limits=Limits(corrections=1))
    assert (result.ending, result.calls, result.turns) == ("blocked", (), 2)
    assert result.reason.startswith("no plan that can be carried out: that is no plan in JSON")


@requirement("X18", "S1")
async def test_what_the_policy_would_refuse_is_refused_in_the_plan() -> None:
    never = Policy(rules=(PolicyRule(name="no notes", decision="deny", tool="office_note", reason="the notebook is full"),))
    fixed = {**NOTE, "arguments": {"text": "hello"}}
    async with house(office(), script=[plan(STAFF, fixed), plan(STAFF), "Two people."], policy=never) as home:
        result = await home.run(plan=True)
    assert "step note: office_note is not allowed (no notes): the notebook is full" in asked(home, 1)
    assert (result.ending, [record.tool for record in result.calls]) == ("completed", ["office_staff"])


@requirement("X18", "S1")
async def test_a_write_in_a_plan_is_still_put_to_a_person() -> None:
    server = office()
    async with house(server, script=[plan({**NOTE, "arguments": {"text": "hello"}}), "I could not.", "I could not."]) as home:
        result = await home.run(plan=True, limits=Limits(corrections=0))
    assert [type(event) for event in home.written.events if isinstance(event, events.ApprovalRequested)] == [
        events.ApprovalRequested
    ]
    assert (server.sent, result.calls[0].result.kind) == ([], "denied")  # type: ignore[attr-defined]


@requirement("X18", "X13")
async def test_a_failed_step_leads_to_a_new_plan_that_builds_on_what_is_done() -> None:
    remaining = plan(
        {"id": "everyone", "tool": "office_all_hours"},
        {"id": "note", "tool": "office_note", "arguments": {"text": "{{staff.staff.0.name}}: {{everyone}}"}},
    )
    server = office(broken=True)
    async with house(
        server, script=[plan(STAFF, FIRST, NOTE | {"arguments": {"text": "{{first}}"}}), remaining, "Noted."], policy=ALLOW
    ) as home:
        result = await home.run(plan=True)
    assert "step first: " in asked(home, 1)
    assert "These steps are done, and can be referred to: staff." in asked(home, 1)
    assert server.sent == ["Yui: Yui 12, Kenta 9"]  # type: ignore[attr-defined]
    assert result.ending == "completed"


@requirement("X18")
async def test_planning_anew_is_bounded_and_the_loop_goes_on_from_there() -> None:
    hopeless = {"id": "h", "tool": "office_hours", "arguments": {"member": 1}}
    script: list[Reply] = [plan(hopeless)] * 2
    script += [calling(("office_all_hours", {})), "Yui 12, Kenta 9."]
    async with house(office(broken=True), script=script) as home:
        result = await home.run(plan=True, limits=Limits(corrections=1))
    assert (result.ending, result.text) == ("completed", "Yui 12, Kenta 9.")


@requirement("X18")
async def test_a_reference_to_nothing_is_a_failed_step_and_no_call() -> None:
    lost = {"id": "h", "tool": "office_hours", "arguments": {"member": "{{staff.nobody}}"}}
    async with house(office(), script=[plan(STAFF, lost), plan({"id": "all", "tool": "office_all_hours"}), "Done."]) as home:
        result = await home.run(plan=True)
    assert "step h: there is nothing at staff.nobody" in asked(home, 1)
    assert [record.tool for record in result.calls] == ["office_staff", "office_all_hours"]


@requirement("X2", "X18")
async def test_a_plan_keeps_to_the_limits_of_the_run() -> None:
    async with house(
        office(), script=[plan(STAFF, FIRST, NOTE | {"arguments": {"text": "{{first}}"}}), "As far as I got."], policy=ALLOW
    ) as home:
        result = await home.run(plan=True, limits=Limits(turns=3))
    assert (result.ending, [record.tool for record in result.calls]) == ("exhausted", ["office_staff", "office_hours"])


@requirement("X18", "J4")
async def test_a_planned_run_played_again_does_the_same_and_asks_nobody() -> None:
    step = remembering()
    request = RunRequest(run_id="run-1", task=Task(goal="hours"), plan=True, trigger="test")
    results = []
    for policy in (ALLOW, Policy(rules=(PolicyRule(name="shut", decision="deny"),))):
        server = office()
        async with house(server, script=[plan(STAFF, FIRST, SECOND, NOTE), "Noted."], policy=policy) as home:
            results.append(await home.executor.execute(request, step))
    assert results[0] == results[1]
    assert (home.model.requests, server.sent) == ([], [])  # type: ignore[attr-defined]
