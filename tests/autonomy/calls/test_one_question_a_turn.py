"""The calls of one turn are asked about in one list: each is answered by itself, and what was not shown is not bound."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import click
import pytest
from click.testing import CliRunner
from mcp.server.mcpserver import MCPServer

from autonomy.cli import main, terminal_approver
from autonomy.durable.approval_store import Approval, Approvals
from autonomy.durable.store import Store
from autonomy.errors import RunConflict
from autonomy.llm.messages import AssistantMessage
from autonomy.llm.model import ModelRequest
from autonomy.llm.scripted import calling
from autonomy.policy.decision_table import SourceClass, TracedValue
from autonomy.policy.operator_rules import PolicyRule
from autonomy.policy.policy import Policy
from autonomy.policy.sinks import Sink
from autonomy.run_state.asking.approvals import ApprovalAnswer, ApprovalQuestion
from autonomy.run_state.asking.argument_form import PREFIX, form_of, only, read_form
from autonomy.run_state.asking.question_view import question_view
from autonomy.run_state.run_values import RunResult
from autonomy.run_state.step import Step, inline
from autonomy.settings import load
from autonomy.stores import open_store
from discovery.catalog import JsonObject
from metrics import events
from metrics.measures import measure
from tests.requirements import requirement
from tests.support.console import browsing, console_over
from tests.support.durable import asked, box, workshop
from tests.support.house import OUTWARD, READ, House, house
from tests.support.slack import Slack
from tests.support.slack_house import slack_house

Answering = Callable[[ApprovalQuestion], JsonObject | None]
"""What a person makes of a question's arguments before granting them; None grants them as they stand."""
ASKING = Policy(rules=(PolicyRule(name="all", decision="ask", tool="chat_send_dm"),))


class Person:
    """Grants what is asked, as `change` has it, and remembers the questions."""

    def __init__(self, change: Answering = lambda _question: None, answer: str = "granted") -> None:
        self.change, self.answer, self.asked = change, answer, list[ApprovalQuestion]()

    async def __call__(self, question: ApprovalQuestion, step: Step) -> ApprovalAnswer:
        self.asked.append(question)
        return ApprovalAnswer.model_validate({"answer": self.answer, "by": "kenta", "arguments": self.change(question)})


def dm(user: str, text: str = "済みました") -> tuple[str, JsonObject]:
    return "chat_send_dm", {"user_id": user, "text": text}


async def carried_out(
    *turns: AssistantMessage, person: Person, goal: str = "みんなに DM を送って", policy: Policy = ASKING, **asked_for: Any
) -> tuple[RunResult, list[str], House]:
    """A run in which the model makes these calls: its result, what was sent, and what was told of it."""
    server: MCPServer[Any] = MCPServer("chat")
    sent: list[str] = []

    @server.tool(annotations=READ)
    def history() -> str:
        """The messages."""
        return "TODO: tell U1 that it is done, tell U2 the date"

    @server.tool(annotations=OUTWARD)
    def send_dm(user_id: str, text: str) -> str:
        """Send a direct message."""
        sent.append(f"{user_id} {text}")
        return "sent"

    async with house(server, script=[*turns, *["送りました。"] * 9], approver=person, policy=policy) as home:
        result = await home.run(goal, **asked_for)
        assert result.ending != "failed", result.reason
        return result, sorted(sent), home


@requirement("K6")
async def test_the_calls_of_a_turn_are_one_question_and_each_is_answered_by_itself() -> None:
    def second_out_third_changed(question: ApprovalQuestion) -> JsonObject:
        first, _, third = question.arguments.items()
        return {first[0]: first[1], third[0]: {**third[1], "text": "書き直しました"}}

    person = Person(second_out_third_changed)
    result, sent, home = await carried_out(calling(dm("U1"), dm("U2"), dm("U3")), person=person)
    (question,) = person.asked
    assert list(question.arguments) == ["1. chat_send_dm", "2. chat_send_dm", "3. chat_send_dm"]
    assert sent == ["U1 済みました", "U3 書き直しました"]
    assert [record.result.kind for record in result.calls] == ["ok", "denied", "ok"]
    assert "a person left it out" in result.calls[1].result.text
    told = home.heard.of(events.ApprovalAnswered)
    assert [(one.answer, bool(one.edited_sha256)) for one in told] == [("granted", False), ("denied", False), ("granted", True)]
    assert measure(home.heard.events).tools(lambda call: call.provider)["chat"].asked == 1, "a person was asked once"


@requirement("K6")
async def test_without_a_plan_the_writes_of_a_turn_after_reading_are_one_list_with_the_source_of_each_value() -> None:
    person = Person()
    turns = calling(("chat_history", {})), calling(dm("U1"), dm("U2"))
    goal = "チャンネルに書いてある手順に従って、みんなに DM を送って"
    _, sent, _ = await carried_out(*turns, person=person, policy=Policy(), goal=goal)
    (question,) = person.asked
    assert [call.traced[0].source for call in question.calls] == [SourceClass.TEXT] * 2
    view = question_view(question, "en")
    assert [item.argument for item in view.items] == [f"{n}. chat_send_dm{x}" for n in (1, 2) for x in ("", " user_id", " text")]
    assert all("from text that was read" in item.sources[0] for item in view.items if item.argument.endswith("user_id"))
    assert (view.suggested, len(sent)) == ("deny", 2)


@requirement("K6")
async def test_a_call_that_is_asked_about_alone_is_asked_about_as_ever() -> None:
    person = Person()
    _, sent, _ = await carried_out(calling(("chat_history", {}), dm("U1")), person=person)
    assert [(one.tool, one.arguments, one.calls) for one in person.asked] == [("chat_send_dm", dm("U1")[1], ())]
    assert sent == ["U1 済みました"]


@requirement("K6")
async def test_a_no_to_the_list_is_a_no_to_each() -> None:
    result, sent, _ = await carried_out(calling(dm("U1"), dm("U2")), person=Person(answer="denied"))
    assert (sent, [record.result.kind for record in result.calls]) == ([], ["denied", "denied"])


@requirement("K6", "K2")
async def test_an_edit_in_a_list_makes_no_call_twice_and_widens_no_plan() -> None:
    def all_to_the_second(question: ApprovalQuestion) -> JsonObject:
        return dict.fromkeys(question.arguments, question.calls[1].arguments)

    person = Person(all_to_the_second)
    result, sent, _ = await carried_out(calling(dm("U1"), dm("U2")), person=person)
    assert sent == ["U2 済みました"]
    assert "the same call stands in this reply already" in result.calls[0].result.text
    one_each = [{"tool": "chat_send_dm", "args": {"user_id": {"fixed": user}, "text": {"own": True}}} for user in ("U1", "U2")]

    def another_to_the_second(question: ApprovalQuestion) -> JsonObject:
        first, second = question.arguments.items()
        return {first[0]: {"user_id": "U2", "text": "もう一つ"}, second[0]: second[1]}

    linked = [dm(user, "see evil.example/x") for user in ("U1", "U2")]
    turns = calling(("declare_plan", {"writes": one_each}), ("chat_history", {})), calling(*linked)
    person = Person(another_to_the_second)
    result, sent, _ = await carried_out(*turns, person=person, goal="U1 と U2 に DM を送って", policy=Policy())
    assert (len(person.asked), sent) == (1, ["U2 see evil.example/x"])
    assert "was made as often as the request calls for" in result.calls[-2].result.text


@requirement("K6")
async def test_a_turn_in_which_a_person_was_asked_about_a_plan_asks_no_second_time() -> None:
    listed = [{"tool": "chat_send_dm", "args": {"user_id": {"fixed": "U1"}, "text": {"own": True}}}]
    turns = calling(("chat_history", {})), calling(("declare_plan", {"writes": listed}), dm("U1"), dm("U2", "see evil.example/x"))
    person = Person()
    result, sent, _ = await carried_out(*turns, person=person, goal="TODO に書いてあるとおりに DM を送って", policy=Policy())
    assert [question.tool for question in person.asked] == ["declare_plan"]
    assert sent == ["U1 済みました"]
    assert result.calls[-1].result.kind in ("denied", "not_run")


def listed(*users: str, text: str = "済みました") -> ApprovalQuestion:
    """A list of messages, as a run asks it."""
    calls = [
        ApprovalQuestion(
            run_id="run-1", key=f"turn-1/call-{number}", tenant="default", job="", tool="chat_send_dm", effect="outward",
            arguments=dm(user, text)[1], arguments_sha256=f"{number}" * 64, reason="chat_send_dm sends something to others", asked_for_by="U1",
            traced=(TracedValue(argument="user_id", path="$[0]", value=user, sink=Sink.RECIPIENT, source=SourceClass.TEXT),),
            input_schema={"properties": {"user_id": {"type": "string"}, "text": {"type": "string"}}, "additionalProperties": False},
        )
        for number, user in enumerate(users, 1)
    ]  # fmt: skip
    arguments = {f"{number}. chat_send_dm": call.arguments for number, call in enumerate(calls, 1)}
    return calls[0].model_copy(
        update={"key": "turn-1/list", "arguments": arguments, "arguments_sha256": "ab" * 32, "calls": tuple(calls), "traced": ()}
    )


@requirement("K6", "U2")
def test_a_form_gives_back_each_call_of_a_list_as_it_was_filled_in() -> None:
    question = listed("U1", "U2")
    untouched = {PREFIX + field.name: "1" if field.kind == "item" else field.value for field in form_of(question)}
    assert read_form(untouched, question) is None
    second_out = {name: value for name, value in untouched.items() if name != f"{PREFIX}2. chat_send_dm"}
    assert read_form(second_out, question) == {"1. chat_send_dm": dm("U1")[1]}
    changed = {**untouched, f"{PREFIX}2. chat_send_dm text": "別の文"}
    assert read_form(changed, question) == {"1. chat_send_dm": dm("U1")[1], "2. chat_send_dm": dm("U2", "別の文")[1]}
    assert read_form({}, question) == {}


@requirement("K6")
@pytest.mark.parametrize(("numbers", "kept"), [({1, 2}, None), ({2}, ["2. chat_send_dm"])])
def test_items_of_a_list_are_named_by_their_numbers(numbers: set[int], kept: list[str] | None) -> None:
    chosen = only(listed("U1", "U2"), numbers)
    assert (None if chosen is None else list(chosen)) == kept
    with pytest.raises(RunConflict, match="nothing in this question has the number 3: those are 1, 2"):
        only(listed("U1", "U2"), {1, 3})


@requirement("K6")
@pytest.mark.parametrize(
    ("typed", "answer", "kept"),
    [
        ("all", "granted", None),
        ("none", "denied", None),
        ("7\n2", "granted", ["2. chat_send_dm"]),
        ("", "denied", None),
        ("y", "granted", None),
        ("No", "denied", None),
        ("first\n1 2", "granted", None),
        ("はい", "granted", None),
        ("なし", "denied", None),
        ("１、２", "granted", None),
    ],
)
def test_at_the_terminal_every_call_stands_whole_and_one_says_which_may_happen(
    typed: str, answer: str, kept: list[str] | None
) -> None:
    answers: list[ApprovalAnswer] = []
    long = "あ" * 3_000
    command = click.Command("ask", callback=lambda: answers.append(terminal_approver._choose(listed("U1", "U2", text=long))))
    shown = CliRunner().invoke(command, [], input=f"{typed}\n", catch_exceptions=False).output
    assert shown.count("あ") == 6_000, "what is bound is shown"
    assert shown.count("↳") == 2
    assert ("'first' is no number: write `all`, `none` or numbers such as `1 3`" in shown) is typed.startswith("first")
    (given,) = answers
    assert (given.answer, given.arguments and list(given.arguments)) == (answer, kept)


@requirement("K6", "S4")
async def test_in_slack_a_call_of_a_list_is_unticked_and_another_changed(tmp_path: Path) -> None:
    answers = []
    async with Slack() as slack:
        boss, ops = slack.add_user("boss"), slack.add_channel("ops")

        async def asking() -> None:
            answers.append(await here.approvals(listed("U1", "U2"), inline))

        async with (
            slack_house(tmp_path, slack, approvers=(boss,), approvals_channel=ops) as here,
            anyio.create_task_group() as group,
        ):
            group.start_soon(asking)
            await slack.until(lambda: slack.messages(ops))
            (card,) = slack.messages(ops)
            told = slack.words(card)
            assert told.index("1. chat_send_dm user_id: U1") < told.index("2. chat_send_dm user_id: U2")
            await slack.press(ops, card, "jiritsu_edit", boss)
            assert await slack.submit(boss, {"1. chat_send_dm": "", "2. chat_send_dm text": "別の文"}) == {}
            await slack.until(lambda: "書き換えて承認しました" in slack.words(card))
            told = slack.words(card)
    assert [one.arguments for one in answers] == [{"2. chat_send_dm": dm("U2", "別の文")[1]}]
    assert "2. chat_send_dm text: 別の文" in told
    assert "外しました" in told.partition("1. chat_send_dm text")[2]


def two_at_once(request: ModelRequest) -> AssistantMessage | str:
    """Two calls that a person is asked about, and words."""
    turn = 1 + sum(isinstance(message, AssistantMessage) for message in request.messages)
    return calling(*(("box_risky", {"text": f"note {n}"}) for n in (1, 2, 3))) if turn == 1 else "done"


@requirement("K6", "J4", "U2")
async def test_a_list_that_is_answered_in_the_console_after_a_restart_is_bound_call_by_call(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'jiritsu.db'}"
    stands = anyio.Event()

    async def waiting(_seconds: float) -> None:
        stands.set()
        await anyio.sleep_forever()

    async with workshop(url, box(tmp_path), script=two_at_once, approvals={"sleep": waiting}) as dying:
        await dying.orders.enqueue(asked("run-1"))
        with anyio.fail_after(240):
            await stands.wait()
        (before,) = await dying.approvals.listed()
    assert not (tmp_path / "risky.txt").exists()
    async with workshop(url, box(tmp_path), script=two_at_once) as shop:
        (approval,) = await shop.approvals.listed(state=None)
        assert (approval.id, approval.state) == (before.id, "pending")
        with pytest.raises(RunConflict, match=r"2\. box_risky text"):
            await shop.approvals.answer(approval.id, granted=True, by="kenta", arguments={"2. box_risky": {"text": 3}})
        with pytest.raises(RunConflict, match=r"9\. box_risky: it was not asked about"):
            await shop.approvals.answer(approval.id, granted=True, by="kenta", arguments={"9. box_risky": {"text": "x"}})
        async with browsing(console_over(shop.engine)) as reader:
            page = (await reader.get("/inbox")).text
            assert page.count('type="checkbox" name="argument.') == 3
            form = {
                "answer": "edited",
                "sha256": approval.question.arguments_sha256,
                "argument.1. box_risky": "1",
                "argument.1. box_risky text": "note 1",
                "argument.2. box_risky text": "note 2",  # its tick is gone
                "argument.3. box_risky": "1",
                "argument.3. box_risky text": "rewritten",
            }
            await reader.post(f"/inbox/approvals/{approval.id}", **form)
            with anyio.fail_after(240):
                result = await shop.runs.ended("run-1")
            run = (await reader.get("/runs/run-1")).text
        assert len(shop.asked_of_the_model) == 1, "the reply with the calls was remembered"
    assert sorted((tmp_path / "risky.txt").read_text().splitlines()) == ["note 1", "rewritten"]
    assert [record.result.kind for record in result.calls] == ["ok", "denied", "ok"]
    assert "a person left it out" in run


@requirement("K6")
def test_a_list_is_answered_from_the_command_line_by_the_numbers_of_its_calls(tmp_path: Path) -> None:
    engine = open_store(load({"home": tmp_path}, env={}))
    approvals = Approvals(Store(engine))

    def jiritsu(*arguments: str) -> str:
        return CliRunner().invoke(main, ["--home", str(tmp_path), *arguments]).output

    async def standing() -> Approval:
        (one,) = await approvals.listed(state=None)
        return one

    anyio.run(_until_noted, approvals)
    waiting = anyio.run(standing)
    listed = jiritsu("approvals", "list")
    assert listed.count("あ") == 1_800, "what is bound is shown"
    assert "`jiritsu approvals approve ID`" in listed, "and how to answer"
    assert "nothing in this question has the number 5" in jiritsu("approvals", "approve", waiting.id, "--only", "5")
    assert "exclude each other" in jiritsu("approvals", "approve", waiting.id, "--only", "1", "--set", "a=1")
    assert anyio.run(standing).state == "pending"
    jiritsu("approvals", "approve", waiting.id, "--only", "2")
    answered = anyio.run(standing)
    engine.dispose()
    assert (answered.state, list(answered.edited or ())) == ("granted", ["2. chat_send_dm"])


async def _until_noted(approvals: Approvals) -> None:
    """Ask, and go away once the question stands."""
    noted = anyio.Event()

    async def there(_seconds: float) -> None:
        noted.set()
        await anyio.sleep_forever()

    approvals._sleep = there
    async with anyio.create_task_group() as group:
        group.start_soon(approvals, listed("U1", "U2", text="あ" * 900), inline)
        await noted.wait()
        group.cancel_scope.cancel()
