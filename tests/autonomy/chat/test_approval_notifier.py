"""Questions and results that are due in Slack: shown once, whatever process asks and however often it starts."""

import json
from collections.abc import Awaitable, Callable
from datetime import datetime, time
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import anyio
import anyio.lowlevel
import pytest

from autonomy.chat.slack import approval_notifier, blocks
from autonomy.chat.slack.posts import PostLocation, Posts, PostUnknown, SlackPost
from autonomy.durable.approval_store import id_of
from autonomy.durable.store import Store
from autonomy.llm.model import Task
from autonomy.run_state.asking.approvals import ApprovalQuestion
from autonomy.run_state.quiet_hours import QuietHours
from autonomy.run_state.run_values import ListMember, Receipt, RunRequest, RunResult
from autonomy.run_state.step import inline
from tests.requirements import requirement
from tests.support.slack import Slack
from tests.support.slack_house import slack_house

QUESTION = ApprovalQuestion(
    run_id="job-1", key="turn-1/call-1", tenant="default", job="report", tool="board_post", effect="outward",
    arguments={"text": "やあ"}, arguments_sha256="ab" * 32, reason="a write", asked_for_by="schedule",
)  # fmt: skip


@requirement("S4")
async def test_a_scheduled_runs_question_stands_in_the_operators_channel_and_survives_restarts(
    slack: Slack, tmp_path: Path
) -> None:
    boss, ops = slack.add_user("boss"), slack.add_channel("ops")
    lists = {"approvers": (boss,), "approvals_channel": ops}
    async with slack_house(tmp_path, slack, **lists) as here, anyio.create_task_group() as group:
        group.start_soon(here.approvals, QUESTION, inline)
        await slack.until(lambda: slack.messages(ops))
        group.cancel_scope.cancel()  # the process dies while it waits
    async with slack_house(tmp_path, slack, **lists) as again:
        (question,) = slack.messages(ops)
        await slack.press(ops, question, "jiritsu_approve", boss)
        answer = await again.approvals(QUESTION, inline)
        await slack.until(lambda: "承認しました" in slack.words(question))
    assert (answer.answer, answer.by) == ("granted", boss)
    assert len(slack.messages(ops)) == 1


@requirement("S4")
@pytest.mark.parametrize("kind", ["approvers", "users"])
async def test_who_was_taken_off_the_list_after_the_question_decides_nothing(slack: Slack, tmp_path: Path, kind: str) -> None:
    asker, other, ops = slack.add_user("asker"), slack.add_user("other"), slack.add_channel("ops")
    asked = QUESTION.model_copy(update={"asked_for_by": asker})
    lists: dict[str, Any] = {kind: (asker,), "approvals_channel": ops}
    async with slack_house(tmp_path, slack, **lists) as here, anyio.create_task_group() as group:
        group.start_soon(here.approvals, asked, inline)
        await slack.until(lambda: slack.messages(ops))
        group.cancel_scope.cancel()
    async with slack_house(tmp_path, slack, **{**lists, kind: (other,)}) as again:
        (question,) = slack.messages(ops)
        await slack.press(ops, question, "jiritsu_approve", asker)
        await slack.until(lambda: slack.whispers)
        assert len(await again.approvals.listed()) == 1, "it waits for somebody who may answer it"


@requirement("S4")
async def test_people_and_channels_of_a_card_have_their_names_beside_the_ids_that_are_approved(
    slack: Slack, tmp_path: Path
) -> None:
    boss, ops = slack.add_user("boss"), slack.add_channel("ops")
    given = {"channel_id": ops, "text": f"<@{boss}> and <@U0GONE99> please", "user_ids": [boss]}
    asked = QUESTION.model_copy(update={"arguments": given})
    async with slack_house(tmp_path, slack, approvers=(boss,), approvals_channel=ops) as here, anyio.create_task_group() as group:
        group.start_soon(here.approvals, asked, inline)
        await slack.until(lambda: slack.messages(ops))
        (card,) = slack.messages(ops)
        shown = slack.words(card)
        assert f"channel_id: #ops ({ops})" in shown
        assert f"text: <@{boss}> and <@U0GONE99> please\n  ↳ {boss} = @boss" in shown, "the text stands as it will be sent"
        assert f'user_ids: ["{boss}"]\n  ↳ {boss} = @boss' in shown
        assert "U0GONE99 =" not in shown
        assert "<@@boss>" not in shown, "the name in place of the whole mention"
        await slack.press(ops, card, "jiritsu_edit", boss)
        form = json.dumps(await slack.modal_of(boss), ensure_ascii=False)
        assert f"{ops} = #ops" in form, "and its id in the field"
        await slack.submit(boss, {"text": "another"})
        await slack.until(lambda: "承認しました" in slack.words(card))
        group.cancel_scope.cancel()
    assert "@boss さんが書き換えました" in slack.words(card)


@requirement("S4")
async def test_a_question_that_is_answered_elsewhere_loses_its_buttons_here(slack: Slack, tmp_path: Path) -> None:
    ops = slack.add_channel("ops")
    async with slack_house(tmp_path, slack, approvals_channel=ops) as here, anyio.create_task_group() as group:
        group.start_soon(here.approvals, QUESTION, inline)
        await slack.until(lambda: slack.messages(ops))
        (waiting,) = await here.approvals.listed()
        await here.approvals.answer(waiting.id, granted=False, by="terminal")
        (question,) = slack.messages(ops)
        await slack.until(lambda: "却下しました" in slack.words(question))
    assert [block for block in question["blocks"] if block["type"] == "actions"] == []


@requirement("J3")
async def test_a_scheduled_jobs_result_is_reported_once_in_the_channel_of_its_choice(slack: Slack, tmp_path: Path) -> None:
    team = slack.add_channel("team")
    request = RunRequest(run_id="tick-1", job="diary", trigger="schedule", task=Task(goal="日記"))
    receipt = Receipt(call_id="c", tool="esa_create_post", state="done", target="https://komorebi.esa.io/posts/1")
    for start in range(2):
        async with slack_house(tmp_path, slack, reports={"diary": team}) as here:
            if start == 0:
                at = slack.clock()
                result = RunResult(
                    run_id="tick-1", job="diary", ending="completed", text="## やったこと", receipts=(receipt,), started_at=at
                )
                await here.records.begin(request, at)
                await here.records.end(result)
            await slack.until(lambda: slack.messages(team))
            await here.app.notifier.show_results()
    (report,) = slack.messages(team)
    assert slack.words(report).startswith("**diary の結果**\n## やったこと\n- https://komorebi.esa.io/posts/1")


@requirement("J3")
async def test_a_run_of_a_terminal_and_a_rehearsal_are_reported_nowhere_and_one_of_a_list_by_its_item(
    slack: Slack, tmp_path: Path
) -> None:
    team, task = slack.add_channel("team"), Task(goal="Diary", language="en")
    member = ListMember(start="tick", item="maya", size=2)
    asked = [
        RunRequest(run_id="by-hand", job="diaries", task=task),
        RunRequest(run_id="rehearsed", job="diaries", trigger="api", task=task, simulate=True),
        RunRequest(run_id="tick.maya", job="diaries", trigger="schedule", task=task, of_list=member),
    ]
    async with slack_house(tmp_path, slack, reports={"diaries": team}) as here:
        at = slack.clock()
        for request in asked:
            await here.records.begin(request, at)
            await here.records.end(RunResult(run_id=request.run_id, job="diaries", ending="completed", text="x", started_at=at))
        await slack.until(lambda: slack.messages(team))  # by the app, which looks by itself
        await here.app.notifier.show_results()
    (report,) = slack.messages(team)
    assert slack.words(report).startswith("**Result of diaries (maya)**")


@requirement("J3")
async def test_processes_that_post_under_one_key_at_once_post_one_message(slack: Slack, tmp_path: Path) -> None:
    team = PostLocation(channel=slack.add_channel("team"))
    async with slack_house(tmp_path, slack) as here:

        async def until_posted(_seconds: float) -> None:
            await slack.until(lambda: slack.messages(team.channel))

        def of_a_process() -> Posts:
            one = here.app.notifier.posts
            return Posts(one.api, Store(one._store.engine), bot_id=one.bot_id, sleep=until_posted)

        async with anyio.create_task_group() as group:
            for posts in [of_a_process() for _ in range(8)]:
                group.start_soon(posts.post_once, "report/tick-1/1", team, "Result", [blocks.markdown("Done")])
    assert len(slack.messages(team.channel)) == 1


@requirement("J3", "S4")
async def test_what_slack_does_not_take_holds_up_nothing_else_and_is_tried_again(slack: Slack, tmp_path: Path) -> None:
    ops, team = slack.add_channel("ops"), slack.add_channel("team")
    asked = [QUESTION.model_copy(update={"run_id": f"job-{number}", "tool": f"board_{number}"}) for number in range(2)]
    untaken = {f"approval/{id_of(asked[0])}", "report/tick-1/1"}
    async with slack_house(tmp_path, slack, approvals_channel=ops, reports={"diary": team}) as here:
        now, notifier, shown = [slack.clock()], here.app.notifier, here.app.notifier.posts

        def unless_untaken(send: Callable[..., Awaitable[SlackPost]]) -> Callable[..., Awaitable[SlackPost]]:
            async def sent(what: str | SlackPost, *more: Any) -> SlackPost:
                if (what if isinstance(what, str) else what.key) in untaken:
                    raise PostUnknown(what)
                return await send(what, *more)

            return sent

        notifier.clock = lambda: now[0]
        shown.post_once, shown.replace = unless_untaken(shown.post_once), unless_untaken(shown.replace)  # type: ignore[method-assign]
        for number in range(2):  # the newest is looked at first
            request = RunRequest(run_id=f"tick-{number}", job="diary", trigger="schedule", task=Task(goal="日記"))
            await here.records.begin(request, now[0] + number)
            result = RunResult(run_id=request.run_id, ending="completed", text=f"結果 {number}", started_at=now[0])
            await here.records.end(result)
        async with anyio.create_task_group() as group:
            group.start_soon(here.approvals, asked[0], inline)
            while not await here.approvals.listed():
                await anyio.lowlevel.checkpoint()
            group.start_soon(here.approvals, asked[1], inline)
            await slack.until(lambda: ["board_1" in slack.words(card) for card in slack.messages(ops)] == [True])
            await slack.until(lambda: ["結果 0" in slack.words(report) for report in slack.messages(team)] == [True])
            untaken.clear()
            now[0] += approval_notifier.RETRY_S + 1
            await slack.until(lambda: len(slack.messages(ops)) == len(slack.messages(team)) == 2)
            untaken.add(f"approval/{id_of(asked[1])}")  # the first that was shown is the first to be changed
            for one in asked:
                await here.approvals.answer(id_of(one), granted=False, by="terminal")
            await slack.until(lambda: sum("却下しました" in slack.words(card) for card in slack.messages(ops)) == 1)
            untaken.clear()
            now[0] += approval_notifier.RETRY_S + 1
            await slack.until(lambda: all("却下しました" in slack.words(card) for card in slack.messages(ops)))


@requirement("Y6")
async def test_in_quiet_hours_a_jobs_question_and_result_wait_and_come_when_they_end(slack: Slack, tmp_path: Path) -> None:
    ops, team = slack.add_channel("ops"), slack.add_channel("team")
    night = QuietHours(start=time(22), end=time(7))
    now = [datetime(2026, 11, 20, 23, tzinfo=ZoneInfo("Asia/Tokyo")).timestamp()]
    asked = QUESTION.model_copy(update={"quiet": night, "wait_s": 3600.0})
    request = RunRequest(run_id="tick-1", job="diary", trigger="schedule", task=Task(goal="日記"), quiet=night)
    async with slack_house(tmp_path, slack, approvals_channel=ops, reports={"diary": team}) as here:
        here.app.notifier.clock, here.approvals._clock = (lambda: now[0]), (lambda: now[0])
        stands = anyio.Event()

        async def waiting(_seconds: float) -> None:
            stands.set()
            await anyio.sleep_forever()

        here.approvals._sleep = waiting
        await here.records.begin(request, now[0])
        await here.records.end(RunResult(run_id="tick-1", job="diary", ending="completed", text="夜の結果", started_at=now[0]))
        async with anyio.create_task_group() as group:
            group.start_soon(here.approvals, asked, inline)
            await stands.wait()
            await here.app.notifier.show_questions()
            await here.app.notifier.show_results()
            assert (slack.messages(ops), slack.messages(team)) == ([], [])
            now[0] += 8 * 3600  # seven in the morning: the hour of the question begins only now
            await slack.until(lambda: slack.messages(ops) and slack.messages(team))  # shown by the app, which looks by itself
            (waiting,) = await here.approvals.listed()
            assert waiting.expires_at == now[0] + 3600
            group.cancel_scope.cancel()
    assert len(slack.messages(ops)) == 1
    (report,) = slack.messages(team)
    assert "夜の結果" in slack.words(report)


@requirement("Y6")
async def test_what_a_person_asked_for_is_not_held_back(slack: Slack, tmp_path: Path) -> None:
    ops = slack.add_channel("ops")
    async with slack_house(tmp_path, slack, approvals_channel=ops) as here, anyio.create_task_group() as group:
        here.app.notifier.clock = lambda: datetime(2026, 11, 20, 23, tzinfo=ZoneInfo("Asia/Tokyo")).timestamp()
        group.start_soon(here.approvals, QUESTION, inline)
        await slack.until(lambda: slack.messages(ops))
        group.cancel_scope.cancel()


def with_form(**arguments: Any) -> ApprovalQuestion:
    """A question whose tool says what it takes."""
    properties = {
        "text": {"type": "string", "maxLength": 5_000},
        "level": {"enum": ["low", "high"]},
        "tags": {"type": "array", "items": {"type": "string"}},
    }
    return QUESTION.model_copy(
        update={"arguments": arguments, "input_schema": {"type": "object", "properties": properties, "required": ["text"]}}
    )


def offered(message: dict[str, Any]) -> list[str]:
    """The buttons of a card."""
    return [one["action_id"] for block in message["blocks"] if block["type"] == "actions" for one in block["elements"]]


@requirement("S4")
async def test_the_edit_button_opens_every_argument_and_what_is_sent_off_is_approved(slack: Slack, tmp_path: Path) -> None:
    boss, ops, answers = slack.add_user("boss"), slack.add_channel("ops"), []
    question = with_form(text="やあ\nみなさん", level="low", tags=["a"], extra=3)

    async def asking() -> None:
        answers.append(await here.approvals(question, inline))

    async with slack_house(tmp_path, slack, approvers=(boss,), approvals_channel=ops) as here, anyio.create_task_group() as group:
        group.start_soon(asking)
        await slack.until(lambda: slack.messages(ops))
        (card,) = slack.messages(ops)
        assert offered(card) == ["jiritsu_approve", "jiritsu_edit", "jiritsu_deny"]
        await slack.press(ops, card, "jiritsu_edit", boss)
        modal = await slack.modal_of(boss)
        shown = {block["label"]["text"]: block["element"] for block in modal["blocks"] if block["type"] == "input"}
        assert shown["text"]["initial_value"] == "やあ\nみなさん"
        assert shown["level"]["initial_option"]["value"] == '"low"'
        assert (shown["extra (JSON)"]["initial_value"], list(shown)[2]) == ("3", "tags (JSON)")
        assert answers == []
        assert await slack.submit(boss, {"text": "こんにちは", "level": '"high"', "extra (JSON)": ""}) == {}
        await slack.until(lambda: "書き換えて承認しました" in slack.words(card))
        told = slack.words(card)
    assert [(one.answer, one.by) for one in answers] == [("granted", boss)]
    assert answers[0].arguments == {"text": "こんにちは", "level": "high", "tags": ["a"]}
    assert "text: こんにちは" in told
    assert "みなさん" not in told
    assert "extra: 3\n  ↳ @boss さんが外しました" in told


@requirement("S4")
async def test_a_form_that_is_sent_off_as_it_was_grants_what_was_asked(slack: Slack, tmp_path: Path) -> None:
    boss, ops, answers = slack.add_user("boss"), slack.add_channel("ops"), []

    async def asking() -> None:
        answers.append(await here.approvals(with_form(text="やあ", tags=["a", "b"]), inline))

    async with slack_house(tmp_path, slack, approvers=(boss,), approvals_channel=ops) as here, anyio.create_task_group() as group:
        group.start_soon(asking)
        await slack.until(lambda: slack.messages(ops))
        (card,) = slack.messages(ops)
        await slack.press(ops, card, "jiritsu_edit", boss)
        assert await slack.submit(boss, {}) == {}
        await slack.until(lambda: "承認しました" in slack.words(card))
    assert [(one.answer, one.arguments) for one in answers] == [("granted", None)]


@requirement("S4")
async def test_what_does_not_fit_is_said_beside_its_field_and_the_question_stands(slack: Slack, tmp_path: Path) -> None:
    boss, haruka, ops = slack.add_user("boss"), slack.add_user("haruka"), slack.add_channel("ops")
    async with slack_house(tmp_path, slack, approvers=(boss,), approvals_channel=ops) as here, anyio.create_task_group() as group:
        group.start_soon(here.approvals, with_form(text="やあ", tags=["a"]), inline)
        await slack.until(lambda: slack.messages(ops))
        (card,) = slack.messages(ops)
        await slack.press(ops, card, "jiritsu_edit", haruka)
        await slack.until(lambda: slack.whispers)
        assert haruka not in slack.modals
        await slack.press(ops, card, "jiritsu_edit", boss)
        modal = await slack.modal_of(boss)
        assert "JSON ではありません" in (await slack.submit(boss, {"tags (JSON)": "[a"}))["tags (JSON)"]
        assert "board_post の形式に合いません" in (await slack.submit(boss, {"tags (JSON)": "[1]"}))["tags (JSON)"]
        slack.modals[haruka] = modal  # made up: it was never opened for her
        assert "答えられるのは @" in (await slack.submit(haruka, {"text": "x"}))["text"]
        (waiting,) = await here.approvals.listed()
        assert waiting.state == "pending"
        await here.approvals.answer(waiting.id, granted=False, by="terminal")
        assert "すでに答えています" in (await slack.submit(boss, {"text": "x"}))["text"]
        group.cancel_scope.cancel()


@requirement("S4")
async def test_a_form_that_slack_did_not_open_in_time_is_told_of(slack: Slack, tmp_path: Path) -> None:
    boss, ops = slack.add_user("boss"), slack.add_channel("ops")
    async with slack_house(tmp_path, slack, approvers=(boss,), approvals_channel=ops) as here, anyio.create_task_group() as group:
        group.start_soon(here.approvals, QUESTION, inline)
        await slack.until(lambda: slack.messages(ops))
        (card,) = slack.messages(ops)
        slack.TRIGGER_S = -1.0
        await slack.press(ops, card, "jiritsu_edit", boss)
        await slack.until(lambda: slack.whispers)
        assert "もう一度" in slack.whispers[0]["text"]
        group.cancel_scope.cancel()


@requirement("S4")
@pytest.mark.parametrize(
    ("arguments", "buttons"),
    [
        ({"text": "あ" * 3_001}, ["jiritsu_approve", "jiritsu_deny"]),  # a field of Slack's would cut it
        ({f"a{number}": "x" for number in range(91)}, ["jiritsu_deny"]),
        ({}, ["jiritsu_approve", "jiritsu_deny"]),
    ],
)
async def test_what_no_field_shows_whole_is_not_edited_there(
    slack: Slack, tmp_path: Path, arguments: dict[str, str], buttons: list[str]
) -> None:
    boss, ops = slack.add_user("boss"), slack.add_channel("ops")
    asked = QUESTION.model_copy(update={"arguments": arguments})
    async with slack_house(tmp_path, slack, approvers=(boss,), approvals_channel=ops) as here, anyio.create_task_group() as group:
        group.start_soon(here.approvals, asked, inline)
        await slack.until(lambda: slack.messages(ops))
        (card,) = slack.messages(ops)
        assert offered(card) == buttons
        (waiting,) = await here.approvals.listed()
        value = f"{waiting.id}:{waiting.question.arguments_sha256}"
        await slack.press(ops, card, "jiritsu_edit", boss, value=value)  # made up where there is no such button
        await slack.until(lambda: slack.whispers)
        assert "ここでは書き換えられません" in slack.whispers[0]["text"]
        assert slack.modals == {}
        group.cancel_scope.cancel()
