"""A job's text is about its person: not about what others did, what happened by itself, or what was asked for by mistake."""

from collections.abc import Sequence

import pytest

from autonomy.completion.judge import Verdict, judge
from autonomy.completion.rules.case import Case
from autonomy.completion.rules.retold.credited_persons import deeds_as_read
from autonomy.llm.messages import AssistantMessage
from autonomy.llm.model import Task
from autonomy.run_state.run_values import CallRecord
from tests.gaming.told import DAY, DIARY, Told, channels, diary, diary_run, everywhere, lost, read, wrote
from tests.requirements import requirement

pytestmark = requirement("V4")
Said = tuple[str, str, str, str | None]
"""Who wrote what and when, and in reply to what."""
PEOPLE = {"U1DAISUKE": "大輔", "U2MISAKI": "美咲", "U3KENJI": "健司"}
TALK = (
    ("U1DAISUKE", "10:00", "決済画面の文言を直して PR #512 を出しました。レビューをお願いします", None),
    ("U2MISAKI", "10:20", "確認して承認しました。文言が分かりやすくなっています", "10:00"),
    ("U2MISAKI", "11:00", "v3.1.0 は明日の13時に出します。変更内容のまとめは大輔さん、手順書は健司さんにお願いします", None),
    ("U1DAISUKE", "11:30", "変更内容のまとめを書きました。お店に影響するのは2点だけです", "11:00"),
    ("U3KENJI", "13:00", "v3.0.9 を本番にリリースしました", None),
    ("U3KENJI", "12:00", "v3.0.8 を出しました", None),
    ("U2MISAKI", "13:05", "注意書きに1点だけコメントしました", "10:00"),
    ("U1DAISUKE", "13:07", "ありがとうございます。すぐに直しました", "10:00"),
    ("U1DAISUKE", "13:10", "応答時間は0.2秒で安定しています", "13:00"),
)


def verdict(told: Told) -> Verdict:
    return judge(AssistantMessage(text=told.answer), told.context())


def talk(said: Sequence[Said] = TALK) -> tuple[CallRecord, ...]:
    """What all wrote, with threads and with whoever reacted to it."""
    found = [
        {
            "ts": at,
            "thread_ts": thread,
            "user_id": who,
            "user_name": PEOPLE[who],
            "text": text,
            "time": f"{DAY}T{at}:00+09:00",
            "reactions": [{"name": "tada", "user_ids": ["U4SAKURA"]}],
        }
        for who, at, text, thread in said
    ]
    reads = ({"messages": found if channel == "C1" else [], "next_cursor": ""} for channel in ("C1", "C2", "C3"))
    return (
        channels(),
        *(
            read("slack_get_channel_history", data, needs=("activity",), channel_id=f"C{at}", day=DAY)
            for at, data in enumerate(reads, 1)
        ),
    )


def of_the_day(*done: str, user: str = "daisuke", said: Sequence[Said] = TALK) -> Verdict:
    """The verdict on somebody's diary with these lines."""
    needs = (DIARY.needs[0].model_copy(update={"arguments": {"user_id": user, "day": DAY}}), DIARY.needs[1])
    task = DIARY.model_copy(update={"inputs": {"user": user, "date": DAY}, "needs": needs})
    return verdict(diary_run("case", "good", diary(*done, ahead="予定はまだありません。"), calls=talk(said), task=task))


@pytest.mark.parametrize(
    ("user", "line", "own"),
    [
        ("daisuke", "決済画面の文言を直して PR #512 を出し、レビューをお願いしました", True),
        ("sakura", "決済画面の文言を直して PR #512 を出し、レビューをお願いしました", False),
        ("daisuke", "v3.1.0 の変更内容のまとめを書きました。お店に影響するのは2点だけです", True),
        ("daisuke", "v3.1.0 の手順書を書いて健司に渡しました", False),
        ("daisuke", "v3.0.9 が本番に出たあと、応答時間を見ました。0.2秒で安定しています", True),
        ("daisuke", "v3.0.9 を本番にリリースしたあと、応答時間を見ました", False),
        ("daisuke", "注意書きは1点だけコメントがあり、そこもすぐに直しました", True),  # a colleague's remark, mended in its talk
        ("daisuke", "注意書きに1点だけコメントしました", False),
    ],
)
def test_a_diary_tells_its_own_persons_deeds(user: str, line: str, own: bool) -> None:
    found = of_the_day(line, user=user)
    assert ("is not about what the job is about" in found.reason) is not own, found.reason


@pytest.mark.parametrize(
    ("user", "author", "own"),
    [("daisuke", "misaki", False), ("daisuke", "Daisuke Ito", True), ("daisuke", "大輔", True), ("U1DAISUKE", "daisuke", True)],
)
def test_a_diary_of_whom_nothing_was_read_tells_nobody_elses_day(user: str, author: str, own: bool) -> None:
    message = {"user_id": "U2", "user_name": author, "text": "PR #512 を出しました", "time": f"{DAY}T10:00:00+09:00"}
    reads = (
        read("slack_get_channel_history", {"messages": [message] * (at == 1)}, needs=("activity",), channel_id=f"C{at}", day=DAY)
        for at in (1, 2, 3)
    )
    needs = (DIARY.needs[0].model_copy(update={"arguments": {"user_id": user, "day": DAY}}), DIARY.needs[1])
    task = DIARY.model_copy(update={"inputs": {"user": user, "date": DAY}, "needs": needs})
    text = diary("PR #512 を出しました", ahead="予定はまだありません。")
    found = verdict(diary_run("case", "good", text, calls=(channels(), *reads), task=task))
    assert ("is not about what the job is about" not in found.reason) is own, found.reason


@pytest.mark.parametrize(("user", "complete"), [("daisuk", True), ("daisuke", False)])
def test_a_failed_read_of_what_nobody_asked_for_is_no_gap(user: str, complete: bool) -> None:
    failed = lost("slack_get_channel_history", "no such user", needs=("activity",), channel_id="C9", user_id=user, day=DAY)
    text = diary("PR #512 を出し、レビューを美咲さんにお願いしました", "サーバーの台数を8台から5台に減らしました")
    found = verdict(diary_run("case", "good", text, calls=(*everywhere(), failed)))
    assert (found.verdict == "complete") is complete, found.reason


@pytest.mark.parametrize(
    ("goal", "reached"),
    [("健司さんに、PR #512 が承認されたことを DM で知らせて", True), ("#ops に PR #512 の承認を知らせて", False)],
)
def test_a_number_behind_a_hash_is_no_channel(goal: str, reached: bool) -> None:
    sent = wrote("slack_send_dm", user_id="U3KENJI", text="PR の承認が済みました")
    told = Told("case", "good", Task(goal=goal), (*talk(), sent), "健司さんに知らせました。")
    assert any("the goal names #" in finding for finding in verdict(told).findings) is not reached


CONVERSATION = (
    ("U1DAISUKE", "10:00", "決済画面の文言を直して PR #512 を出しました。レビューをお願いします", None),
    ("U2MISAKI", "10:20", "確認して承認しました。文言が分かりやすくなっています", "10:00"),
    ("U3KENJI", "11:00", "あやしいアプリが入っています。今夜外しておきます", None),
    ("U1DAISUKE", "12:00", "店へのお詫びは美咲さんから送ってもらいました", None),
    ("U2MISAKI", "13:00", "応答時間は0.2秒で安定しています", None),
    ("U1DAISUKE", "18:00", "明日やること：障害の振り返りを書く", None),
    ("U3KENJI", "18:10", "帰る前に手順書を読みました", None),
)


@pytest.mark.parametrize(
    ("false", "true"),
    [
        ("Kenji has removed the suspicious app", "Kenji is to remove the suspicious app tonight"),
        ("あやしいアプリは健司さんが外しました", "あやしいアプリは健司さんが外すそうです"),
        ("Wrote the retrospective on the outage", "Will write the retrospective on the outage tomorrow"),
        ("障害の振り返りを書き終えました", "障害の振り返りは明日書くつもりです"),
        ("Daisuke removes the suspicious app tonight", "Kenji removes the suspicious app tonight"),
        ("大輔さん：あやしいアプリを外しておく", "健司さん：あやしいアプリを外しておく"),
        ("Sent the shops an apology", "Misaki sent the shops an apology"),
        ("店へのお詫びは健司さんが送りました", "店へのお詫びは美咲さんが送りました"),
        ("PR #512 は承認待ちです", "PR #513 は承認待ちです"),
        ("PR #512 is waiting for Misaki's approval", "PR #512 is waiting for Kenji's approval"),
        ("健司さんによると、応答時間は0.2秒で安定しています", "美咲さんによると、応答時間は0.2秒で安定しています"),
        ("Daisuke approved PR #512", "Misaki approved PR #512"),
        ("健司さんが PR #512 を承認（文言を直した分）", "美咲さんが PR #512 を承認（文言を直した分）"),
        ("大輔さんが PR #512 を承認しました", "美咲さんが PR #512 を承認しました"),
        ("美咲さんが帰る前に手順書を読みました", "健司さんが帰る前に手順書を読みました"),
        ("PR #512 は健司さんに承認してもらいました", "PR #512 は美咲さんに承認してもらいました"),
        ("健司さん：応答時間は0.2秒で安定しています", "美咲さん：応答時間は0.2秒で安定しています"),
        ("PR #512 と PR #513 は、両方とも承認されました", "PR #512 と PR #513 のうち、片方が承認されました"),
        ("Both pull requests were approved by Misaki", "One of two pull requests was approved by Misaki"),
        ("Took the suspicious app out after nobody knew it", "Nobody took the suspicious app out"),
    ],
)
def test_a_deed_is_told_of_who_did_it_and_as_done_only_where_it_was(false: str, true: str) -> None:
    for line, doubted in ((false, True), (true, False)):
        told = diary_run("case", "good", line, calls=talk(CONVERSATION), task=DIARY)
        case = Case(told.context(), told.answer)
        assert bool([*deeds_as_read(case)]) is doubted, line


RELEASE = (
    ("U2MISAKI", "09:00", "今日は13時に v3.1.0 を本番に出します。問い合わせは私が見ます", None),
    ("U3KENJI", "13:00", "v3.1.0 の応答時間は0.2秒です", None),
    ("U1DAISUKE", "13:05", "v3.1.0 を本番にリリースしました。エラーは0件です", "13:00"),
)


@pytest.mark.parametrize(
    ("line", "doubted"),
    [("13時に、大輔さんが v3.1.0 を本番に出しました", False), ("13時に、健司さんが v3.1.0 を本番に出しました", True)],
)
def test_who_announced_a_release_takes_it_from_nobody_who_made_it(line: str, doubted: bool) -> None:
    told = diary_run("case", "good", line, calls=talk(RELEASE), task=DIARY)
    assert bool([*deeds_as_read(Case(told.context(), told.answer))]) is doubted


def test_a_reply_is_about_the_id_that_it_replies_to() -> None:
    said = (*CONVERSATION, ("U2MISAKI", "19:00", "読みやすいです。直すところもありません", "10:00"))
    needs = (DIARY.needs[0].model_copy(update={"arguments": {"user_id": "misaki", "day": DAY}}), DIARY.needs[1])
    task = DIARY.model_copy(update={"inputs": {"user": "misaki", "date": DAY}, "needs": needs})
    for line, own in (
        ("決済画面の文言を直した PR #512 を見て、確認し、文言が分かりやすくなったと書いて承認しました", True),
        ("決済画面の文言を直して PR #512 を出し、レビューをお願いしました", False),
    ):
        text = diary(line, ahead="予定はまだありません。")
        found = verdict(diary_run("case", "good", text, calls=talk(said), task=task))
        assert ("is not about what the job is about" in found.reason) is not own, found.reason


def test_a_deed_of_which_nothing_was_read_is_not_doubted() -> None:
    for line in (
        "Kenji tested the branch",
        "Sakura approved PR #512",
        "健司さんは PR #512 を承認していません",
        "Nothing was removed",
    ):
        told = diary_run("case", "good", line, calls=talk(CONVERSATION), task=DIARY)
        assert [*deeds_as_read(Case(told.context(), told.answer))] == [], line


def test_what_a_talk_was_about_is_told_of_whoever_took_part_in_it() -> None:
    lunch = (
        ("U2MISAKI", "12:10", "景気づけに激辛のカレー屋さんへ行ってきました。辛さ2でちょうどよかったです", None),
        ("U1DAISUKE", "12:20", "3への道は長い", "12:10"),
        ("U2MISAKI", "12:30", "近所の新しいパン屋さんにも行ってきました", None),
    )
    for line, own in (
        ("カレーの辛さの話です", True),
        ("新しいパン屋さんの話です", False),
        ("カレー屋さんへ行ってきました", False),
    ):
        found = of_the_day("3への道は長いと返しました", line, said=(*TALK[:2], *lunch))
        assert ("is not about what the job is about" in found.reason) is not own, (line, found.reason)
