"""What is for one member is in his language and his time zone, as Slack knows them; over real sockets and HTTP."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from mcp.server.mcpserver import MCPServer

from autonomy.chat.chat_service import ChatConfig
from autonomy.jobs.job_loading import load
from autonomy.llm.scripted import calling
from tests.requirements import requirement
from tests.support.house import OUTWARD
from tests.support.slack import Slack
from tests.support.slack_house import slack_house

JOB = """---
title: Diary
inputs: {day: {type: date, default: today}}
schedule: {cron: "0 18 * * *", timezone: Asia/Tokyo}
---
Write my diary of {{inputs.day}}.
"""

IN_JAPAN: dict[str, Any] = {"locale": "ja-JP", "tz": "Asia/Tokyo"}
IN_NEW_YORK: dict[str, Any] = {"locale": "en-US", "tz": "America/New_York"}


def board() -> MCPServer[Any]:
    server: MCPServer[Any] = MCPServer("board")

    @server.tool(title="Put up a notice", annotations=OUTWARD)
    def post(text: str) -> str:
        """Post to the board."""
        return "posted"

    return server


POST = calling(("board_post", {"text": "<!here>"}))


@requirement("C6", "K6")
async def test_a_card_is_in_the_language_of_the_words_that_asked_and_begins_with_what_is_asked(
    slack: Slack, tmp_path: Path
) -> None:
    alice, haruka = slack.add_user("alice", **IN_NEW_YORK), slack.add_user("haruka", **IN_JAPAN)
    general = slack.add_channel("general")
    async with slack_house(tmp_path, slack, board(), script=[POST, "I stop.", POST, "やめます。"]):
        shown = []
        for who, words in ((alice, "put up a notice on the board"), (haruka, "掲示板に知らせを書いて")):
            ts = await slack.mention(general, who, words)
            card = await slack.until(lambda ts=ts: next((one for one in slack.thread(general, ts) if _buttons(one)), None))
            shown.append((card["text"], slack.words(card)))
            await slack.press(general, card, "jiritsu_deny", who)
            await slack.answer_in(general, ts)
    (english_notice, english), (japanese_notice, japanese) = shown
    assert english.startswith(f"{english_notice}\nboard_post (sends something to others)\n")
    assert english_notice == "May I do this? Put up a notice"
    assert japanese_notice == "次の操作をしてもよいですか？ Put up a notice"
    assert "外部への送信" in japanese
    assert "モデルが書いた文章" in japanese


@requirement("C6", "S4")
async def test_whoever_presses_in_vain_is_told_in_his_language_who_may_answer_and_what_was_answered(
    slack: Slack, tmp_path: Path
) -> None:
    alice, haruka = slack.add_user("alice", **IN_NEW_YORK), slack.add_user("haruka", **IN_JAPAN)
    general = slack.add_channel("general")
    async with slack_house(tmp_path, slack, board(), script=[POST, "やめます。"]):
        ts = await slack.mention(general, haruka, "掲示板に知らせを書いて")
        card = await slack.until(lambda: next((one for one in slack.thread(general, ts) if _buttons(one)), None))
        value = _buttons(card)[0]
        await slack.press(general, card, "jiritsu_approve", alice)
        await slack.until(lambda: slack.whispers)
        await slack.press(general, card, "jiritsu_deny", haruka)
        await slack.answer_in(general, ts)
        await slack.press(general, card, "jiritsu_approve", haruka, value=value)
        await slack.until(lambda: len(slack.whispers) == 2)
    assert [one["text"] for one in slack.whispers] == [
        f"Only <@{haruka}> may answer this.",
        f"この質問は終わっています。 <@{haruka}> さんが却下しました。",
    ]


@requirement("C7")
async def test_the_home_tab_and_the_command_are_in_each_persons_language_and_time_zone(slack: Slack, tmp_path: Path) -> None:
    (tmp_path / "jobs").mkdir()
    (tmp_path / "jobs" / "diary.md").write_text(JOB, encoding="utf-8")
    alice, haruka = slack.add_user("alice", **IN_NEW_YORK), slack.add_user("haruka", **IN_JAPAN)
    async with slack_house(tmp_path, slack, ways=ChatConfig(job_folders=[tmp_path / "jobs"])):
        english, japanese = [json.dumps(await slack.open_home(who), ensure_ascii=False) for who in (alice, haruka)]
        commands = [await slack.slash(who, "jobs") for who in (alice, haruka)]
    assert "Waiting for you" in english
    assert "あなたの判断待ち" in japanese
    assert commands[0].endswith(("04:00", "05:00"))
    assert commands[1].endswith("18:00")


@requirement("C6", "J2")
async def test_today_is_the_day_where_the_person_is_who_asks(slack: Slack, tmp_path: Path) -> None:
    alice, general = slack.add_user("alice", **IN_NEW_YORK), slack.add_channel("general")
    nowhere, vague = slack.add_user("nowhere", tz="Mars/Olympus"), slack.add_user("vague", tz="Asia")
    async with slack_house(tmp_path, slack, script=["Hello.", "Hello.", "Hello."]) as here:
        for who in (alice, nowhere, vague):
            await slack.answer_in(general, await slack.mention(general, who, "good morning, what day is it"))
        asked = [request.messages[1].text for request in here.house.model.requests]
    assert "(America/New_York)" in asked[0]
    assert "Mars" not in asked[1]


def test_a_jobs_today_is_that_of_whoever_asks_for_it_and_else_that_of_its_schedule(tmp_path: Path) -> None:
    (tmp_path / "diary.md").write_text(JOB, encoding="utf-8")
    job = load(tmp_path / "diary.md")
    evening = datetime(2026, 11, 27, 1, tzinfo=UTC)  # the 26th in New York, the 27th in Tokyo
    assert job.request("r", {}, now=evening, timezone="America/New_York").task.inputs["day"] == "2026-11-26"
    assert job.request("r", {}, now=evening).task.inputs["day"] == "2026-11-27"


@requirement("C6")
async def test_words_of_no_language_are_answered_in_that_of_the_person(slack: Slack, tmp_path: Path) -> None:
    alice, haruka = slack.add_user("alice", **IN_NEW_YORK), slack.add_user("haruka", **IN_JAPAN)
    general = slack.add_channel("general")
    async with slack_house(tmp_path, slack, script=["…", "…"]) as here:
        for who in (alice, haruka):
            await slack.answer_in(general, await slack.mention(general, who, ""))
        asked = [request.messages[1].text for request in here.house.model.requests]
    assert asked[0].startswith("What can you do?")
    assert asked[1].startswith("何ができますか")


@requirement("C6")
@pytest.mark.parametrize(("lists", "answered"), [({}, False), ({"guests": True}, True), ({"users": "guest"}, True)])
async def test_a_guest_of_the_workspace_is_worked_for_only_where_the_operator_says_so(
    slack: Slack, tmp_path: Path, lists: dict[str, Any], answered: bool
) -> None:
    guest, general = slack.add_user("guest", is_restricted=True), slack.add_channel("general")
    own = {**lists, "users": (guest,)} if "users" in lists else lists
    async with slack_house(tmp_path, slack, script=["はい。"], **own):
        ts = await slack.mention(general, guest, "やあ")
        if answered:
            await slack.answer_in(general, ts)
        else:
            (told,) = await slack.until(lambda: slack.whispers)
            assert told["text"].startswith("このアプリを使えるのは、決められた人だけです。")
            assert "決められた人だけ" in await slack.slash(guest, "runs")
            assert "決められた人だけ" in json.dumps(await slack.open_home(guest), ensure_ascii=False)
            assert slack.thread(general, ts) == []


@requirement("C6")
async def test_a_guest_is_turned_away_also_where_slack_is_slow_to_tell_of_him(
    slack: Slack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("autonomy.chat.slack.people.READER_S", 0.0)
    guest, general = slack.add_user("guest", is_restricted=True), slack.add_channel("general")
    async with slack_house(tmp_path, slack) as here:
        ts = await slack.mention(general, guest, "やあ")
        (told,) = await slack.until(lambda: slack.whispers)
        assert told["text"].startswith("このアプリを使えるのは、決められた人だけです。")
        assert slack.thread(general, ts) == []
        assert here.house.model.requests == []


@requirement("C6", "S4")
async def test_somebody_of_another_workspace_who_bears_a_members_handle_is_not_that_member_to_a_job(
    slack: Slack, tmp_path: Path
) -> None:
    (tmp_path / "jobs").mkdir()
    (tmp_path / "jobs" / "notes.md").write_text(
        "---\ninputs: {user: {}}\n---\nRead the notes of {{inputs.user}}.\n", encoding="utf-8"
    )
    ours, theirs, general = slack.add_user("haruka"), slack.add_user("haruka"), slack.add_channel("general")
    ways = ChatConfig(job_folders=[tmp_path / "jobs"])
    async with slack_house(tmp_path, slack, script=["Nothing."] * 4, ways=ways, teams=("T_OTHER",)) as here:
        for who, team in ((ours, {}), (theirs, {"user_team": "T_OTHER"})):
            await slack.answer_in(general, await slack.mention(general, who, "run the job notes", **team))
        goals = [request.task.inputs["user"] for request in here.house.model.requests if request.task.inputs.get("user")]
    assert goals[0] == "haruka"
    assert goals[-1] == theirs


def _buttons(message: dict[str, Any]) -> list[str]:
    elements = [one for block in message.get("blocks", ()) for one in block.get("elements", ())]
    return [one["value"] for one in elements if one.get("action_id") == "jiritsu_approve"]
