"""The Home tab and `/jiritsu`: what waits for whom, which jobs run, and who may switch them; over real sockets and HTTP."""

import json
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import anyio
import anyio.to_thread
import pytest

from autonomy.chat.chat_service import ChatConfig
from autonomy.durable.scheduling.schedules import Schedules
from autonomy.jobs.job_loading import load
from autonomy.jobs.job_runner import plan_of
from autonomy.llm.model import Task
from autonomy.run_state.asking.approvals import ApprovalQuestion
from autonomy.run_state.quiet_hours import QuietHours
from autonomy.run_state.run_values import RunRequest, RunResult
from autonomy.run_state.step import inline
from tests.requirements import requirement
from tests.support.slack import Slack
from tests.support.slack_house import slack_house

JOB = """---
title: 朝会
schedule: {cron: "30 9 * * *"}
---
朝会のまとめを書いてください。
"""


@pytest.fixture
def ways(tmp_path: Path) -> ChatConfig:
    (tmp_path / "jobs").mkdir()
    (tmp_path / "jobs" / "standup.md").write_text(JOB, encoding="utf-8")
    (tmp_path / "jobs" / "broken.md").write_text("---\ntitle: [\n---\n", encoding="utf-8")
    (tmp_path / "jobs" / "by-hand.md").write_text("---\ntitle: 手で\n---\n何か。\n", encoding="utf-8")
    return ChatConfig(job_folders=[tmp_path / "jobs"])


def question(key: str, by: str, **arguments: Any) -> ApprovalQuestion:
    return ApprovalQuestion(
        run_id=f"run-{key}", key="turn-1/call-1", tenant="default", job="", tool=f"board_{key}", effect="outward",
        arguments=arguments or {"text": "やあ"}, arguments_sha256="ab" * 32, reason="a write", asked_for_by=by,
    )  # fmt: skip


def read(view: dict[str, Any]) -> str:
    return json.dumps(view, ensure_ascii=False)


def buttons(view: dict[str, Any], action_id: str) -> list[str]:
    elements = [one for block in view["blocks"] for one in (*block.get("elements", ()), block.get("accessory") or {})]
    return [one["value"] for one in elements if one.get("action_id") == action_id]


def offers(switch: str) -> Callable[[dict[str, Any]], bool]:
    """Whether a tab's one switch is this."""
    return lambda tab: buttons(tab, "jiritsu_switch") == [switch]


@requirement("C7")
async def test_each_person_sees_what_waits_for_him_and_answers_it_there(slack: Slack, tmp_path: Path, ways: ChatConfig) -> None:
    haruka, kenta = slack.add_user("haruka"), slack.add_user("kenta")
    async with slack_house(tmp_path, slack, ways=ways) as here, anyio.create_task_group() as group:
        answers = []

        async def asking(one: ApprovalQuestion) -> None:
            answers.append(await here.approvals(one, inline))

        group.start_soon(asking, question("mine", haruka))
        assert "board_mine" not in read(await slack.open_home(kenta))
        view = await slack.open_home(haruka)
        while "board_mine" not in read(view):
            view = await slack.open_home(haruka)
        assert "board_mine" in await slack.slash(haruka, "waiting")
        assert await slack.slash(kenta, "waiting") == "いまはありません。"
        (value,) = buttons(view, "jiritsu_approve")
        await slack.press_at_home("jiritsu_approve", value, haruka, shows=lambda tab: not buttons(tab, "jiritsu_approve"))
        slack.homes[kenta] = view
        await slack.press_at_home("jiritsu_deny", value, kenta)  # what he saw is not his to answer
    assert [(one.answer, one.by) for one in answers] == [("granted", haruka)]


@requirement("C7", "Y6")
async def test_a_job_that_waits_for_the_quiet_hours_to_end_says_until_when(
    slack: Slack, tmp_path: Path, ways: ChatConfig
) -> None:
    haruka, now = slack.add_user("haruka"), datetime.now(ZoneInfo("Asia/Tokyo"))
    quiet = QuietHours(start=(now - timedelta(hours=1)).time(), end=(now + timedelta(hours=2)).time())
    async with slack_house(tmp_path, slack, ways=ways.model_copy(update={"quiet_hours": quiet})) as here:
        clock = [now.timestamp() - 7 * 86_400]
        schedules = Schedules(here.records.store, clock=lambda: clock[0])
        plan = plan_of(await anyio.to_thread.run_sync(load, tmp_path / "jobs" / "standup.md"), "Asia/Tokyo")
        await schedules.handle(plan)
        assert "次回" in await slack.slash(haruka, "jobs")
        clock[0] = now.timestamp()
        await schedules.handle(plan)
        assert f"休止時間帯が終わる {quiet.end:%H:%M} まで待っています" in await slack.slash(haruka, "jobs")


@requirement("C7")
async def test_whoever_approves_for_others_reads_who_wants_what_and_where_to_answer(
    slack: Slack, tmp_path: Path, ways: ChatConfig
) -> None:
    haruka, boss = slack.add_user("haruka"), slack.add_user("boss")
    async with slack_house(tmp_path, slack, ways=ways, approvers=(boss,)) as here, anyio.create_task_group() as group:
        task = Task(goal="朝会が10時半になったと\nみんなに知らせて")
        await here.records.begin(RunRequest(run_id="run-free", actor=haruka, trigger="slack", task=task), 0.0)
        group.start_soon(here.approvals, question("free", haruka), inline)
        group.start_soon(here.approvals, question("gone", haruka, text="x" * 9), inline)  # nobody keeps its run any more
        group.start_soon(here.approvals, question("due", "schedule").model_copy(update={"job": "standup"}), inline)
        while len(await here.approvals.listed()) < 3:
            await slack.slash(haruka, "waiting")
        told, view = await slack.slash(boss, "waiting"), read(await slack.open_home(boss))
        group.cancel_scope.cancel()
    wanted = "@haruka: 朝会が10時半になったと みんなに知らせて"
    assert sorted(told.splitlines()) == sorted(
        [
            f"• board_free ({wanted})",
            "• board_gone (@haruka: run-gone)",
            "• board_due (standup)",
            "答えるには、アプリの Home タブを開いてください。",
        ]
    )
    assert f"依頼: {wanted}" in view
    assert "依頼: standup" in view


@requirement("C7")
async def test_a_view_holds_as_many_questions_as_slack_takes_each_whole_and_says_how_many_more(
    slack: Slack, tmp_path: Path, ways: ChatConfig
) -> None:
    haruka = slack.add_user("haruka")
    async with slack_house(tmp_path, slack, ways=ways) as here, anyio.create_task_group() as group:
        for number in range(20):
            one = question(f"q{number}", haruka, **{f"a{n}": "x" for n in range(10)})
            group.start_soon(here.approvals, one, inline)
        while len(await here.approvals.listed()) < 20:
            await slack.slash(haruka, "waiting")
        view = await slack.open_home(haruka)
        shown = len(buttons(view, "jiritsu_approve"))
        assert 0 < shown < 20
        assert f"ほかに {20 - shown} 件" in read(view)
        group.cancel_scope.cancel()


@requirement("C7")
async def test_jobs_are_shown_with_their_next_run_and_switched_off_and_on(slack: Slack, tmp_path: Path, ways: ChatConfig) -> None:
    haruka = slack.add_user("haruka")
    async with slack_house(tmp_path, slack, ways=ways, approvers=(haruka,)) as here:
        view = await slack.open_home(haruka)
        assert "朝会 (standup)" in read(view)
        assert "次回" in read(view)
        assert "手で" not in read(view)
        off = await slack.press_at_home("jiritsu_switch", "off:standup", haruka, shows=offers("on:standup"))
        standing = await here.app.home.schedules.standing("standup")
        assert standing is not None
        assert (standing.paused, standing.paused_because) == (True, f"by {haruka} in Slack")
        assert "停止中: Slack で @haruka さんが停止しました" in read(off)
        await slack.press_at_home("jiritsu_switch", "off:standup", haruka)  # a second press of the same button
        await slack.press_at_home("jiritsu_switch", "on:standup", haruka, shows=offers("off:standup"))
        assert await slack.slash(haruka, "pause by-hand") == "「by-hand」という定期実行のジョブはありません。"
        assert await slack.slash(haruka, "pause standup") == "「standup」を停止しました。"
        assert "停止中" in await slack.slash(haruka, "jobs")


@requirement("C7")
async def test_only_those_who_may_switch_jobs_and_strangers_see_nothing(slack: Slack, tmp_path: Path, ways: ChatConfig) -> None:
    boss, haruka, stranger = slack.add_user("boss"), slack.add_user("haruka"), slack.add_user("stranger")
    async with slack_house(tmp_path, slack, ways=ways, approvers=(boss,), users=(haruka,)) as here:
        assert buttons(await slack.open_home(haruka), "jiritsu_switch") == []
        slack.homes[haruka] = {"type": "home", "blocks": []}
        await slack.press_at_home("jiritsu_switch", "off:standup", haruka)  # made up: there was no such button
        assert await slack.slash(haruka, "pause standup") == "ジョブを停止・再開できるのは、決められた人だけです。"
        assert await here.app.home.schedules.standing("standup") is None
        assert "朝会" not in read(await slack.open_home(stranger))
        assert await slack.slash(stranger, "jobs") == "このアプリを使えるのは、決められた人だけです。"
        assert await slack.slash(haruka, "jobs", team="T9GUEST") == "このアプリを使えるのは、決められた人だけです。"
        assert await slack.slash(boss, "pause standup") == "「standup」を停止しました。"


@requirement("C7")
async def test_where_nobody_is_named_nobody_switches_jobs_and_is_told_which_setting_names_them(
    slack: Slack, tmp_path: Path, ways: ChatConfig
) -> None:
    haruka = slack.add_user("haruka")
    async with slack_house(tmp_path, slack, ways=ways) as here:
        view = await slack.open_home(haruka)
        assert buttons(view, "jiritsu_switch") == []
        assert "approvers" in read(view)
        await slack.press_at_home("jiritsu_switch", "off:standup", haruka)  # made up: there was no such button
        told = await slack.slash(haruka, "pause standup")
        assert "jiritsu.toml" in told
        assert "approvers" in told
        assert await here.app.home.schedules.standing("standup") is None


@requirement("C7")
async def test_jobs_beyond_those_the_tab_shows_are_counted_there_listed_and_switched(
    slack: Slack, tmp_path: Path, ways: ChatConfig
) -> None:
    haruka = slack.add_user("haruka")
    for number in range(24):
        await anyio.Path(tmp_path / "jobs" / f"later-{number:02}.md").write_text(JOB, encoding="utf-8")
    async with slack_house(tmp_path, slack, ways=ways, approvers=(haruka,)) as here:
        view = await slack.open_home(haruka)
        assert len(buttons(view, "jiritsu_switch")) == 20
        assert "ほかに 5 件" in read(view)
        assert len((await slack.slash(haruka, "jobs")).splitlines()) == 25
        assert await slack.slash(haruka, "pause standup") == "「standup」を停止しました。"  # the last by name
        standing = await here.app.home.schedules.standing("standup")
    assert standing is not None
    assert standing.paused


@requirement("C7")
async def test_a_question_is_edited_and_approved_from_the_tab_which_then_shows_it_no_more(
    slack: Slack, tmp_path: Path, ways: ChatConfig
) -> None:
    haruka = slack.add_user("haruka")
    async with slack_house(tmp_path, slack, ways=ways) as here, anyio.create_task_group() as group:
        answers = []

        async def asking() -> None:
            answers.append(await here.approvals(question("mine", haruka), inline))

        group.start_soon(asking)
        while not buttons(view := await slack.open_home(haruka), "jiritsu_edit"):
            pass
        await slack.press_at_home("jiritsu_edit", buttons(view, "jiritsu_edit")[0], haruka)
        await slack.modal_of(haruka)
        slack.homes.pop(haruka)
        assert await slack.submit(haruka, {"text": "こんにちは"}) == {}
        after = await slack.until(lambda: slack.homes.get(haruka))
        assert buttons(after, "jiritsu_approve") == []
    assert [(one.answer, one.by, one.arguments) for one in answers] == [("granted", haruka, {"text": "こんにちは"})]


@requirement("C7")
async def test_the_last_runs_are_the_persons_own_and_do_nothing_whatever_they_are_called(
    slack: Slack, tmp_path: Path, ways: ChatConfig
) -> None:
    haruka, kenta = slack.add_user("haruka"), slack.add_user("kenta")
    async with slack_house(tmp_path, slack, ways=ways, console_url="https://console.example.test") as here:
        for number, by in enumerate([haruka, kenta, haruka]):
            goal = f"<!channel> ping {number}"
            request = RunRequest(run_id=f"run {number}", actor=by, trigger="slack", task=Task(goal=goal), timezone="Asia/Tokyo")
            await here.records.begin(request, float(number))
            why = "the question names 大阪, and nothing that was read is about it"
            missed = RunResult(run_id=f"run {number}", ending="doubtful", reason=why)
            remarks = ("『97 orders』 has no source",)
            done = RunResult(run_id=f"run {number}", ending="completed", remarks=remarks)
            await here.records.end(missed if number == 2 else done)
        for number in range(120):  # a busy team's
            await here.records.begin(RunRequest(run_id=f"other {number}", actor=kenta, task=Task(goal="other")), 10.0 + number)
        told = await slack.slash(haruka, "runs")
        view = read(await slack.open_home(haruka))
    assert told.splitlines() == [
        "• 01-01 09:00  <https://console.example.test/runs/run%202|&lt;!channel&gt; ping 2>  要確認: 質問は 大阪 を挙げていますが、読んだものにはありません",
        "• 01-01 09:00  <https://console.example.test/runs/run%200|&lt;!channel&gt; ping 0>  完了（指摘 1 件）",
    ]
    assert "ping 1" not in view
    assert "<!channel>" not in view


@requirement("C7")
async def test_a_command_that_nobody_knows_is_answered_with_those_there_are(
    slack: Slack, tmp_path: Path, ways: ChatConfig
) -> None:
    haruka = slack.add_user("haruka")
    async with slack_house(tmp_path, slack, ways=ways):
        for text in ("", "help", "pause", "delete everything"):
            assert "/jiritsu jobs" in await slack.slash(haruka, text)
        assert "「delete everything」というコマンドはありません。" in await slack.slash(haruka, "delete everything")
        assert "ありません" not in await slack.slash(haruka, "help")
