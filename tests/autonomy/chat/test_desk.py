"""Questions and results that are due in Slack: shown once, whatever process asks and however often it starts."""

from collections.abc import AsyncIterator
from pathlib import Path

import anyio
import pytest

from autonomy.llm.model import Task
from autonomy.run_state.approvals import ApprovalQuestion
from autonomy.run_state.context import Receipt, RunRequest, RunResult
from autonomy.run_state.step import inline
from tests.requirements import requirement
from tests.support.slack import Slack
from tests.support.slack_house import slack_house


@pytest.fixture
async def slack() -> AsyncIterator[Slack]:
    async with Slack() as fake:
        with anyio.fail_after(60):
            yield fake


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
async def test_a_question_that_is_answered_elsewhere_loses_its_buttons_here(slack: Slack, tmp_path: Path) -> None:
    ops = slack.add_channel("ops")
    async with slack_house(tmp_path, slack, approvals_channel=ops) as here, anyio.create_task_group() as group:
        group.start_soon(here.approvals, QUESTION, inline)
        await slack.until(lambda: slack.messages(ops))
        (waiting,) = await here.approvals.listed()
        await here.approvals.answer(waiting.id, granted=False, by="terminal")
        (question,) = slack.messages(ops)
        await slack.until(lambda: "断りました" in slack.words(question))
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
            await here.app.desk.show_results()
    (report,) = slack.messages(team)
    assert slack.words(report).startswith("**diary の結果**\n## やったこと\n- https://komorebi.esa.io/posts/1")
