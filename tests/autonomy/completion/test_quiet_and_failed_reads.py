"""A day on which nothing was written and a channel that could not be read are told as such, in as few words as that takes."""

import pytest

from autonomy.completion.judge import Verdict, judge
from autonomy.llm.messages import AssistantMessage
from autonomy.llm.model import Need, Task
from autonomy.run_state.completion_rules import Length
from autonomy.run_state.run_values import CallRecord
from tests.gaming.told import DAY, EVE, Told, channels, diary, diary_run, goal, history, lost, read, wrote
from tests.requirements import requirement

pytestmark = requirement("V2")
QUIET = diary("どのチャンネルにも書き込みがありませんでした", ahead="ありませんでした。")
NOTHING = tuple(
    read(
        "slack_get_channel_history",
        {"messages": [], "next_cursor": ""},
        needs=("activity",),
        channel_id=channel,
        user_id="daisuke",
        day=DAY,
    )
    for channel in ("C1", "C2", "C3")
)
FAILED = lost(
    "slack_get_channel_history", "internal_error (500)", needs=("activity",), channel_id="C3", user_id="daisuke", day=DAY
)


def judged(case: Told) -> Verdict:
    """The verdict where a text of a hundred characters is asked for."""
    ctx = case.context()
    ctx.request = ctx.request.model_copy(update={"rules": (Length(min_chars=100),)})
    return judge(AssistantMessage(text=case.answer), ctx)


def test_a_text_about_a_day_without_messages_is_not_asked_to_be_long() -> None:
    quiet = judged(diary_run("case", "good", QUIET, calls=(channels(), *NOTHING)))
    assert "length" not in quiet.missing, quiet.findings
    wordless = judged(diary_run("case", "bad", "-", calls=(channels(), *NOTHING)))
    assert "length" in wordless.missing
    busy = judged(diary_run("case", "bad", QUIET))
    assert "length" in busy.missing
    partly_read = judged(diary_run("case", "bad", QUIET, calls=(channels(), *NOTHING[:2])))
    assert "length" in partly_read.missing


def test_a_count_of_none_is_no_other_figure_than_one_of_other_things() -> None:
    listed = read("slack_list_channels", {"channels": [{"id": "C1", "name": "dev", "topic": "リリース v2.8.0 は60件"}]})
    others = [{"user": "U2", "text": "昨日の問い合わせは60件でした", "ts": "1"}]
    reads = [
        read("slack_get_channel_history", {"messages": said}, channel_id=channel, day=EVE)
        for channel, said in (("C1", others), ("C2", []))
    ]
    told = Told("case", "good", goal("昨日、大輔さんは何回発言した？"), (listed, *reads), "0 件です。")
    verdict = judge(AssistantMessage(text=told.answer), told.context())
    assert [one for one in (*verdict.findings, *verdict.remarks) if "0 件" in one] == []


@pytest.mark.parametrize(("number", "known"), [("5日", True), ("25日", False)])
@pytest.mark.parametrize("day_in_text", ["", "（8日に PR #512 を見直します）"])
def test_an_answer_may_call_the_day_of_the_job_by_its_number(number: str, day_in_text: str, known: bool) -> None:
    text = diary("PR #512 を出しました" + day_in_text, "サーバーの台数を8台から5台に減らしました")
    verdict = judged(diary_run("case", "good", text, f"{number}の daisuke さんの日記を投稿しました。"))
    assert any(f"{number}" in finding for finding in verdict.findings) is not known, verdict.findings


@pytest.mark.parametrize(
    ("line", "open_one"),
    [("5日のまとめです", False), ("5日（木）の作業です", False), ("有給を5日取りました", True), ("作業に5日かかりました", True)],
)
def test_as_many_days_as_the_number_of_the_day_have_no_source_in_it(line: str, open_one: bool) -> None:
    text = diary("PR #512 を出しました", f"サーバーの台数を減らしました。{line}")
    assert ("『5日』 has no source" in judged(diary_run("case", "bad", text)).findings) is open_one


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("#talk は2回試しましたが読めませんでした", True),
        ("#talk は9回試しましたが読めませんでした", False),
        ("#talk は 500 を返しました", True),
    ],
)
def test_how_often_a_call_failed_and_with_which_code_has_its_source_in_the_calls(line: str, told: bool) -> None:
    calls: tuple[CallRecord, ...] = (channels(), history("dev"), history("ops"), FAILED, FAILED)
    verdict = judged(diary_run("case", "good", diary("サーバーの台数を8台から5台に減らしました", line), calls=calls))
    assert any("has no source" in finding for finding in verdict.findings) is not told, verdict.findings


def test_what_happened_as_often_as_a_call_failed_has_no_source_in_the_calls() -> None:
    calls: tuple[CallRecord, ...] = (channels(), history("dev"), history("ops"), *[FAILED] * 7)
    lines = {"#talk は7回試しましたが読めませんでした": False, "#talk は読めませんでした\n- 会議が7回ありました": True}
    for line, open_one in lines.items():
        text = diary("サーバーの台数を8台から5台に減らしました", line)
        assert ("『7回』 has no source" in judged(diary_run("case", "bad", text, calls=calls)).findings) is open_one


@pytest.mark.parametrize(
    "text",
    [
        "今日は書き込みがありませんでした。",
        "どのチャンネルにも発言はありませんでした。",
        "daisuke さんの投稿は一件もありませんでした。",
        "5日は全チャンネルで書き込みなし",
        "Nothing was written in any channel today, as far as we can see.",
        "No new messages were posted.",
    ],
)
def test_who_says_that_nothing_was_written_is_held_against_what_was_read(text: str) -> None:
    assert any("the text says that nothing was written" in finding for finding in judged(diary_run("case", "bad", text)).findings)


@pytest.mark.parametrize(
    "text",
    [
        "リリースについて、発言はありませんでした。",
        "障害の発言はありませんでした。",
        "午後の書き込みはありませんでした。",
        "お客様からのメッセージはありませんでした。",
        "健太さんの発言はありませんでした。",
        "#random には投稿がありませんでした。",
        "Nobody posted an incident.",
        "No release messages were posted.",
        "Nothing was posted in random.",
        "Nothing was written after noon.",
        "No one said how long it takes.",
        "Nobody wrote in #random today.",
    ],
)
def test_that_nothing_was_written_of_it_there_then_or_by_somebody_may_be_true(text: str) -> None:
    assert not any("nothing was written" in finding for finding in judged(diary_run("case", "good", text)).findings)


@pytest.mark.parametrize(
    ("answer", "complete"),
    [
        ("No. Nobody has written anything about backups this month.", False),
        ('No. I searched all of Slack for "backup", and no message has the word.', True),
    ],
)
def test_that_there_is_none_is_told_with_the_words_that_were_sought(answer: str, complete: bool) -> None:
    nothing = read("slack_search_messages", {"messages": []}, query="backup")
    nothing = nothing.model_copy(update={"result": nothing.result.model_copy(update={"kind": "empty"})})
    run = Told("case", "good", goal("Has anybody written about backups this month?"), (nothing,), answer)
    assert any("only searched" in finding for finding in judged(run).findings) is not complete


def test_ten_posts_of_one_title_are_listed_ten_times_and_no_more() -> None:
    posts = [
        {"number": at, "name": "Notes of the morning meeting", "body_md": f"- item {at} was talked about"} for at in range(10, 20)
    ]
    task = Task(
        goal="List what was written, and post it.",
        needs=(
            Need(id="posts", description="list the posts"),
            Need(id="tell", description="post it", effect="outward", after=("posts",), arguments={"text": "{{result}}"}),
        ),
    )
    for many, padded in ((10, False), (16, True)):
        text = "- Notes of the morning meeting, on esa\n" * many
        calls = (read("esa_list_posts", {"posts": posts}, needs=("posts",)), wrote("chat_post", needs=("tell",), text=text))
        told = Told("digest", "good", task, calls, "It is posted.", "digest")
        assert ("not_padding" in judge(AssistantMessage(text=told.answer), told.context()).missing) is padded, many
