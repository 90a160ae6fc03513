"""Everyday questions over Slack, answered truly and freely, complete at the first answer; the same gone wrong does not."""

from typing import Any

import pytest

from autonomy.completion.judge import judge
from autonomy.llm.messages import AssistantMessage
from autonomy.run_state.run_values import CallRecord
from tests.gaming.told import DIARY, Told, asked, diary_run, everywhere, read, wrote
from tests.requirements import requirement
from tests.support.specs import tool

pytestmark = requirement("V4")


def said(person: str, at: str, text: str, thread: str = "", channel: str = "dev") -> dict[str, Any]:
    """A message as a history shows it, in March 2027."""
    return {
        "user_id": f"U{sum(map(ord, person))}", "user_name": person, "channel_name": channel,
        "time": f"2027-03-{at}+09:00", "thread_ts": thread or None, "text": text,
    }  # fmt: skip


OPENED, READ_IT, MENDED, PASSED = "05T09:41:00", "05T10:27:00", "05T10:43:00", "05T10:52:00"
BRANCH = read(
    "slack_get_channel_history",
    {
        "messages": [
            said("澪", PASSED, "確認して承認しました", "1"),
            said("かい", MENDED, "たしかに、直しました", "1"),
            said("澪", READ_IT, "PR #61 をレビューしました。余白が狭いと思います", "1"),
            said("かい", OPENED, "地図の余白です。レビューをお願いします → PR #61", "1"),
        ]
    },
    channel_id="dev",
)
APPROVED = read(
    "slack_get_channel_history",
    {
        "messages": [
            said("拓也", "02T17:40:00", "読みやすい。承認しました", "2027-03-02T15:30:00+09:00"),
            said("澪", "02T15:30:00", "PR #64 を出しました", "2027-03-02T15:30:00+09:00"),
        ]
    },
    channel_id="dev",
    day="2027-03-02",
)
TWO_WEEKS = read(
    "slack_get_channel_history",
    {
        "messages": [
            *(said("拓也", f"05T1{at}:00:00", f"{what}が変わりました") for at, what in enumerate("色形字紙枠線点")),
            *(
                said(who, "", f"{what}のお知らせです") | {"time": f"2027-02-2{at}T10:00:00+09:00"}
                for at, (who, what) in enumerate(zip(("拓也", "澪", "拓也", "澪", "澪"), "机窓鍵棚灯", strict=True), 2)
            ),
        ]
    },
    channel_id="general",
)
FREEZE = read(
    "slack_search_messages",
    {
        "messages": [
            said("Tom", "03T11:00:00", "Freeze for v3.4 is tomorrow at 18:00", channel="general"),
            said("Maya", "04T11:30:00", "Wrote the release notes for v3.4: six small fixes"),
            said("Maya", "05T12:50:00", "Released v3.4 to production"),
            said("Priya", "05T09:08:00", "v3.4 goes live at 13:00 today", channel="general"),
        ]
    },
    query="v3.4",
)
CURRY = read(
    "slack_search_messages",
    {"messages": [said("Maya", "05T12:05:00", "Curry before a release is worth keeping. It was just right, I enjoyed it")]},
    query="curry",
)
DRY = read("weather_get_weather", "東京の明日の天気: くもり。降水確率は最大10%", location="東京", date="tomorrow")
DIARIES = read(
    "esa_list_posts",
    {
        "posts": [
            {"number": 4, "name": "澪の日記", "category": "日記/2027/02/22", "body": "## TIL\n- 余白は読む人のためにある"},
            {"number": 5, "name": "澪の日記", "category": "日記/2027/02/26", "body": "## TIL\n- 早めに出す"},
        ]
    },
    q="created:>=2027-02-22 created:<=2027-02-26",
)
FIRST_PAGE = read(
    "slack_get_channel_history",
    {"messages": [said("澪", "05T13:09:00", "v2 を出しました。最初の5分で変更が6件です")], "next_cursor": "before:1804"},
    channel_id="dev",
)
SENT = wrote("slack_send_dm", {"sent_to": "Priya", "ts": "1"}, user_id="Priya", text="PR #21 was merged last week")
POSTED = wrote("slack_post_message", {"sent_to": "#general", "ts": "2"}, channel_id="#general", text="Merged last week: PR #21")
MERGED = read("slack_search_messages", {"messages": [said("Maya", "01T13:30:00", "Merged PR #21")]}, query="merged")
TOLD_TOM = wrote("slack_send_dm", {"sent_to": "Tom", "ts": "3"}, user_id="U09TOM", text="Ann: 22 h 48 min")
HOURS = read("hr_list_overtime", {"employees": [{"name": "Ann", "department": "Engineering", "total_overtime_minutes": 1368}]})
IF_DRY = "明日東京で雨が降りそうなら #雑談 に「傘を忘れずに」と投稿して。降らなそうなら何もしなくていいよ"
BOTH = "DM Priya the list of pull requests that were merged last week, and post a short version in #general."


def found(told: Told) -> list[str]:
    """What the judge says against an answer."""
    verdict = judge(AssistantMessage(text=told.answer), told.context())
    return [*verdict.findings, *verdict.remarks]


@pytest.mark.parametrize(
    ("goal", "true", "false", "calls"),
    [
        (
            "今日の承認済みPRを表で", "| PR | 作成 | 承認 |\n|---|---|---|\n| #61 | かいさん | 澪さん（3/5 10:52） |",
            "| PR | 作成 | 承認 |\n|---|---|---|\n| #61 | かいさん | 澪さん（3/5 11:52） |", (BRANCH,),
        ),
        (
            "3/2の #dev でPR #64を承認したのは誰？ 何時？", "PR #64 は拓也さんが3/2の17:40に承認しました。",
            "PR #64 は拓也さんが3/2の15:30に承認しました。", (APPROVED,),
        ),
        (
            "先週と今週で、#general の発言数はどっちが多い？", "| 期間 | 発言数 |\n|---|---|\n| 先週（2/22〜2/28） | 5件 |\n| 今週 | 7件 |",
            "| 期間 | 発言数 |\n|---|---|\n| 先週（2/22〜2/28） | 11件 |\n| 今週 | 7件 |", (TWO_WEEKS,),
        ),
        (
            "When was the freeze for v3.4?", "It was yesterday, 4 March, at 18:00 (Tom announced it in #general on the 3rd).",
            "It was yesterday, 4 March, at 17:00 (Tom announced it in #general on the 3rd).", (FREEZE,),
        ),
        (
            "When was the freeze for v3.4?", 'It was on 4 March: on the 3rd Tom wrote "Freeze for v3.4 is tomorrow at 18:00".',
            "It was on 4 March, as the release notes say that Tom wrote.", (FREEZE,),
        ),
        (
            "Who likes curry?", 'Maya: "Curry before a release is worth keeping. It was just right, I enjoyed it" (today).',
            "Maya does, so I ordered it for her.", (CURRY,),
        ),
        ("拓也さんは今週 #dev で何か発言した？", "いいえ、#dev に拓也さんの発言はありませんでした。", "はい、拓也さんが発言しています。", (BRANCH,)),
        (
            "澪さんの先週のTILを挙げて", "- 2/22：余白は読む人のためにある\n- 2/26：早めに出す\n\n（2/24・25 の日記はありませんでした）",
            "- 2/22：余白は読む人のためにある\n- 2/26：早めに出す\n\n（3/24・25 の日記はありませんでした）", (DIARIES,),
        ),
        (IF_DRY, "明日はくもりで、降水確率は最大10%です。#雑談 への投稿はしていません。", "#雑談 に投稿しました。", (DRY,)),
        (BOTH, "I sent Priya a DM and posted the short version to #general.", "I sent Tom a DM and posted the short version to #general.", (MERGED, SENT, POSTED)),
        (
            "Tell Tom by direct message who of Engineering worked overtime",
            "I sent Tom a DM with everybody in Engineering who worked overtime.", "I sent Priya a DM with everybody in Engineering.",
            (HOURS, TOLD_TOM),
        ),
        (
            "今日 #dev で報告されたことを全部まとめて", "読めた範囲では、v2 のあと最初の5分で変更が6件です。",
            "以下ですべてです。v2 のあと最初の5分で変更が6件です。", (FIRST_PAGE,),
        ),
    ],
)  # fmt: skip
def test_a_free_but_true_answer_is_no_finding_and_gone_wrong_it_is_one(
    goal: str, true: str, false: str, calls: tuple[CallRecord, ...]
) -> None:
    assert not found(asked("a run", "good", goal, *calls, answer=true))
    assert found(asked("a run", "bad", goal, *calls, answer=false)), false


@pytest.mark.parametrize(
    ("answer", "ending"),
    [
        (
            "今日の様子は確認できませんでした。Slack を読むツールが今は使えないためです。接続が戻りましたら、もう一度お試しください。",
            "unanswered",
        ),
        ("今日は静かでした。", "doubtful"),
    ],
)
def test_who_says_that_a_tool_is_away_is_not_told_to_look(answer: str, ending: str) -> None:
    told = asked("a run", "good", "今日の #general の様子を教えて", answer=answer)
    context = told.context()
    context.offered = (tool("esa_list_posts"),)
    assert judge(AssistantMessage(text=answer), context).ending == ending


QUIET = (
    ("dev", "daisuke", "PR #512 を出しました"),
    *(("dev", "misaki", f"{word}を直しました") for word in ("地図", "凡例", "色")),
)


@pytest.mark.parametrize(("many", "is_believed"), [(1, True), (9, False)])
def test_a_day_may_be_called_quiet_where_little_was_written(many: int, is_believed: bool) -> None:
    messages = (*QUIET, *(("dev", "daisuke", f"PR #{at} をレビューして、コメントを書きました") for at in range(601, 600 + many)))
    text = (
        "## やったこと\n\n- PR #512 を出しました\n\n発言の少ない、静かな一日でした。\n\n## 明日以降\n\n- 予定はまだありません。\n"
    )
    other = read(
        "esa_list_posts",
        {"posts": [{"created_by": "misaki", "created_at": "2027-03-04", "body": "発言の少ない、静かな一日でした"}]},
    )
    told = diary_run("a run", "good", text, calls=(*everywhere(messages=messages), other), task=DIARY)
    assert any("静かな一日" in one for one in found(told)) is not is_believed


@pytest.mark.parametrize(("with_whom", "is_believed"), [("遥さんと", True), ("", False)])
def test_whose_name_is_one_sign_is_named_by_it_in_a_job(with_whom: str, is_believed: bool) -> None:
    asked_by = said(
        "遥", "05T14:40:00", "荷札が2枚印刷される件を調査中です。ログを見ると、印刷の応答が遅くて時間切れになっていました"
    )
    others = read("slack_get_channel_history", {"messages": [asked_by]}, needs=("activity",), channel_id="C1", day="2027-03-05")
    own = everywhere(messages=(("dev", "daisuke", "1枚目は出ていたのに、こちらは失敗だと思ったわけですね"),))
    line = f"荷札が2枚印刷される件について、{with_whom}原因を確認した（1枚目は出ていたのに、失敗だと思っていた）"
    text = f"## やったこと\n\n- {line}\n\n## 明日以降\n\n- 予定はまだありません。\n"
    told = diary_run("a run", "good", text, calls=(*own, others), task=DIARY)
    assert any("not about what the job" in one for one in found(told)) is not is_believed


def test_a_job_that_could_not_be_done_is_told_once_what_is_missing() -> None:
    answer = "\n".join(
        f"- {what}は、この環境ではできませんでした。" for what in ("発言の集計", "日記の作成", "日記の投稿", "文体の調査")
    )
    tried = read("slack_search_messages", {"messages": [said("澪", "05T10:00:00", "地図の余白を直しました")]}, query="日記")
    told = Told("a run", "bad", DIARY, (tried,), answer, "diary")
    findings = found(told)
    assert findings
    assert len(findings) == len(set(findings)), findings
    assert not any("no source" in one or "rests on" in one for one in findings), findings
