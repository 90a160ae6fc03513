"""What a job's own account posted before shows what was posted, and nothing of what happened."""

import json
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from autonomy.completion.judge import Verdict, judge
from autonomy.llm.messages import AssistantMessage
from autonomy.llm.model import Need, Section, Task
from autonomy.run_state.run_values import CallRecord
from mcp_servers.slack.export import ExportWorkspace
from mcp_servers.slack.server import build_server
from tests.gaming.told import CHANNELS, DAY, DIARY, EVE, MESSAGES, USERS, Told, diary, everywhere, read, wrote
from tests.requirements import requirement
from tests.support.tool_calls import caller, content

pytestmark = requirement("V4")
PUBLISH = Need(
    id="publish",
    description="まとめを投稿する",
    effect="outward",
    after=("messages",),
    arguments={"channel_id": "C0", "text": "{{result}}"},
)
DIGEST = Task(goal="今日の話をまとめて投稿してください。", needs=(Need(id="messages", description="その日のメッセージ"), PUBLISH))
TRUE = "夜間バッチが2回続けて落ちていた原因は、証明書の期限切れでした"
JST = ZoneInfo("Asia/Tokyo")
OF_THE_POST, FIGURE = "予算の案が部長に通りました", "予算は340万円に増えます"


def message(user_id: str, name: str, text: str, *, is_bot: bool, channel: str = "talk") -> dict[str, Any]:
    """A message as a list of them shows it."""
    where = {"channel": channel, "channel_id": CHANNELS[channel], "time": f"{DAY}T12:00:00+09:00"}
    return {"user_id": user_id, "user_name": name, "is_bot": is_bot, "text": text, **where}


PEOPLE = [message(*USERS[who], text, is_bot=False, channel=channel) for channel, who, text in MESSAGES]
NOON = message("U9", "jiritsu", f"## 昼のまとめ\n- {OF_THE_POST}\n- {FIGURE}", is_bot=True)
DEPLOYED = message("U8", "deploy", "v4.2.0 を本番に出しました", is_bot=True)


def digest(
    *lines: str, messages: Any = (*PEOPLE, NOON, DEPLOYED), sender: str = "U9", receipt: Any = None, task: Task = DIGEST
) -> Verdict:
    """What is found of a digest with these lines, which an account posts that posted at noon, too."""
    text = "## まとめ\n\n" + "\n".join(f"- {line}" for line in (TRUE, *lines))
    found = read("slack_get_channel_history", {"messages": [*messages], "next_cursor": ""}, needs=("messages",), day=DAY)
    posted = wrote(
        "slack_post_message", receipt or {"ts": "1.2", "sender": sender}, needs=("publish",), channel_id="C0", text=text
    )
    told = Told("digest", "bad", task, (found, posted), text, "digest")
    return judge(AssistantMessage(text=text), told.context())


@pytest.mark.parametrize("line", [OF_THE_POST, FIGURE])
def test_what_only_an_earlier_post_of_the_same_account_says_is_no_evidence(line: str) -> None:
    found = digest(line)
    assert (found.verdict, found.ending) == ("continue", "doubtful")
    assert "stands only in what jiritsu, who posts for this job, wrote before" in found.reason.replace("u9, ", "")


@pytest.fixture
def export(tmp_path: Path) -> ExportWorkspace:
    """The same messages as an export of Slack, in which jobs post at noon."""
    folder, noon = tmp_path / "export", datetime.fromisoformat(f"{DAY}T12:00:00+09:00")
    (folder / "talk").mkdir(parents=True)
    said = [
        {"type": "message", "ts": f"{noon.timestamp() - at:.6f}", "user": USERS[who][0], "text": text}
        for at, (_, who, text) in enumerate(MESSAGES, 1)
    ]
    people = [{"id": user_id, "name": name, "profile": {"display_name": name}} for user_id, name in USERS.values()]
    for name, rows in {
        "users": people,
        "channels": [{"id": CHANNELS["talk"], "name": "talk"}],
        f"talk/{DAY}": said,
    }.items():
        (folder / f"{name}.json").write_text(json.dumps(rows))
    return ExportWorkspace(folder, tmp_path / "outbox", JST, lambda: noon)


async def test_our_slack_server_tells_a_jobs_own_posts_from_others(export: ExportWorkspace) -> None:
    """Its receipts name the account, and its history names the same one."""
    call = caller(build_server(export, JST, lambda: datetime.now(JST)))
    content(await call("slack_post_message", channel_id="talk", text=NOON["text"]))
    history = content(await call("slack_get_channel_history", channel_id="talk", day=DAY))
    receipt = content(await call("slack_post_message", channel_id="talk", text="まとめ"))
    unsigned = {key: value for key, value in receipt.items() if key not in ("user_id", "user_name", "bot_id")}
    for line, answer, is_own in (
        (FIGURE, receipt, True),
        (FIGURE, unsigned, False),
        ("問い合わせは今日7件、うち返金は1件です", receipt, False),
    ):
        found = digest(line, messages=history["messages"], receipt=answer)
        assert any("who posts for this job" in one for one in found.findings) is is_own, found.findings


@pytest.mark.parametrize(
    "line",
    [
        f"昼のまとめには「{FIGURE}」とあります",
        f"前回の投稿で伝えたとおり、{OF_THE_POST}",
        "v4.2.0 を本番に出しました",
        "問い合わせは今日7件、うち返金は1件です",
    ],
    ids=["quoted as a post", "told as one", "of another program", "of a person"],
)
def test_what_is_told_as_a_post_and_what_others_wrote_is_evidence(line: str) -> None:
    assert digest(line).verdict == "complete"


def test_what_people_said_and_a_post_repeats_rests_on_what_they_said() -> None:
    repeated = message(
        "U9", "jiritsu", "- 来月の展示会は中止になりました\n- 問い合わせは今日7件、うち返金は1件でした", is_bot=True
    )
    for line in ("来月の展示会は中止になりました", "問い合わせは今日7件、うち返金は1件でした"):
        assert digest(line, messages=(*PEOPLE, repeated)).verdict == "complete"


def test_a_person_who_uses_the_same_account_is_a_person() -> None:
    """Jobs may post with somebody's own token: what they write by hand is no post of a job."""
    by_hand = message("U9", "jiritsu", f"- {OF_THE_POST}", is_bot=False)
    assert digest(OF_THE_POST, messages=(*PEOPLE, by_hand)).verdict == "complete"
    assert digest(OF_THE_POST, sender="U7").verdict == "complete", "nobody knows whose post it is"


def test_a_program_that_posted_under_the_same_headings_is_the_jobs_own_account() -> None:
    sections = (Section(title="決まったこと", source="messages"), Section(title="できごと", source="messages"))
    task = DIGEST.model_copy(update={"sections": sections})
    for headings, is_own in ((("決まったこと", "できごと"), True), (("決まったこと", "天気"), False)):
        text = "\n".join(f"## {heading}\n- {line}" for heading, line in zip(headings, (OF_THE_POST, FIGURE), strict=True))
        earlier = message("U9", "jiritsu", text, is_bot=True)
        found = digest(FIGURE, messages=(*PEOPLE, earlier), sender="", task=task)
        assert any("who posts for this job" in one for one in found.findings) is is_own


def test_what_a_required_read_asks_for_by_its_place_is_what_the_job_retells() -> None:
    asked = Need(id="messages", description="昼のまとめ", arguments={"channel_id": CHANNELS["talk"]})
    there = {"channel": "talk", "channel_id": CHANNELS["talk"]}
    messages = [{**one, **there} for one in (*PEOPLE, NOON)]
    task = DIGEST.model_copy(update={"needs": (asked, PUBLISH)})
    assert digest(OF_THE_POST, FIGURE, messages=messages, task=task).verdict == "complete"


def diary_beside(earlier: CallRecord, line: str) -> Verdict:
    """What is found of a diary with this line, where an earlier one was read."""
    text = diary("決済画面の文言を直して PR #512 を出しました", line)
    posted = wrote("notes_create", {"number": 8, "created_by": "jiritsu"}, needs=("publish",), category=f"日記/{DAY}", body=text)
    told = Told("diary", "bad", DIARY, (*everywhere(), earlier, posted), text, "diary")
    return judge(AssistantMessage(text=text), told.context())


@pytest.mark.parametrize("day", [EVE, DAY])
def test_a_diary_of_the_same_series_is_no_evidence_and_may_be_told_of(day: str) -> None:
    post = {"number": 7, "category": f"日記/{day}", "created_by": "jiritsu", "created_at": f"{DAY}T09:00:00+09:00"}
    earlier = read("notes_list", {"posts": [{**post, "body": "- 監視の項目を12件足しました"}]}, category="日記")
    assert "who posts for this job" in diary_beside(earlier, "監視の項目を12件足しました").reason
    assert diary_beside(earlier, "前の日記には「監視の項目を12件足しました」とあります").verdict == "complete"


def test_free_goals_are_judged_by_all_that_was_read() -> None:
    """Whoever asks what the bot posted is told of its posts."""
    found = read("slack_get_channel_history", {"messages": [*PEOPLE, NOON]}, day=DAY)
    told = Told("free", "good", Task(goal="昼のまとめには何とありましたか"), (found,), f"{FIGURE}、とありました。")
    assert judge(AssistantMessage(text=told.answer), replace(told).context()).verdict == "complete"
