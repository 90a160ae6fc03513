"""A job's answer tells no deed more than the run made writes, its text no figure that is only made of others, and its reads are of its person."""

from dataclasses import replace

import pytest

from autonomy.completion.judge import Verdict, judge
from autonomy.llm.messages import AssistantMessage
from autonomy.llm.model import Need, Task
from autonomy.provenance.action_claims import told_deeds
from autonomy.run_state.run_values import CallRecord
from tests.gaming.told import DAY, DIARY, Told, asked, channels, diary, diary_run, history, posted, read, wrote
from tests.requirements import requirement

pytestmark = requirement("V4")
TRUE = diary("PR #512 を出し、レビューを美咲さんにお願いしました", "サーバーの台数を8台から5台に減らしました")


def verdict(told: Told) -> Verdict:
    return judge(AssistantMessage(text=told.answer), told.context())


@pytest.mark.parametrize(
    ("text", "deeds"),
    [
        ("日記を投稿し、#dev にリンクを貼りました。", 2),
        ("日記を投稿しました。美咲さんの投稿にリアクションも付けておきました。", 2),
        ("3つのチャンネルを読み、日記を投稿しました。", 1),
        ("発言から日記を書き、投稿しました。", 1),
        ("大輔さんの日記を作成し、投稿しました。", 1),
        ("文章を仕上げ、投稿しました。", 1),
        ("I drafted the diary, formatted it, and posted it.", 1),
        ("要点を抜き出し、投稿しました。", 1),
        ("各チャンネルの発言を集計し、投稿しました。", 1),
        ("I pulled the messages, identified two action items and posted them.", 1),
        ("超えた人はいなかったので、その旨を知らせました。", 1),
        ("美咲さんが承認し、#ops は読めませんでした。", 0),
        ("Posted the diary, and reminded everyone by DM.", 2),
        ("I searched all streams and posted the diary.", 1),
        ("The diary is posted: two things to act on.", 0),
    ],
)  # fmt: skip
def test_deeds_are_counted_in_any_words_and_reading_is_none(text: str, deeds: int) -> None:
    assert len(told_deeds(text)) == deeds, told_deeds(text)


@pytest.mark.parametrize(
    ("done", "thin"), [("いろいろな作業を着実に進めました", True), ("決済画面の文言を直して PR #512 を出しました", False)]
)
def test_a_text_without_one_fact_of_what_was_read_says_nothing_of_it(done: str, thin: bool) -> None:
    found = verdict(diary_run("a run", "bad", diary(done, ahead="- これからも前へ進みます"), "日記を投稿しました。"))
    assert ("no figure, name or id" in found.reason) is thin, found.reason


@pytest.mark.parametrize(
    ("answer", "counts"),
    [
        ("日記を投稿しました。", True),
        ("大輔さんの日記を作成し、投稿しました。", True),
        ("チケットを作成し、日記を投稿しました。", False),
        ("日記を投稿し、#dev にリンクを貼りました。", False),
        ("日記を投稿しました。PR #512 を出し、サーバーの台数を減らしました。", True),  # what the diary tells
    ],
)
def test_a_job_with_one_write_tells_one_deed(answer: str, counts: bool) -> None:
    found = verdict(diary_run("a run", "good", TRUE, answer))
    assert (found.verdict == "complete") is counts, found.reason
    assert counts or "than writes were made (1)" in found.reason


def test_as_many_deeds_as_writes_are_told() -> None:
    also = (wrote("slack_post_message", channel_id="C1", text="日記を書きました"),)
    answer = "日記を投稿し、#dev にリンクを貼りました。"
    assert verdict(diary_run("a run", "good", TRUE, answer, also=also)).verdict == "complete"


SAID = {"messages": [{"user": "Maya", "text": "Reviewed PR #523, so I suggested another name for the button"}]}


@pytest.mark.parametrize(
    ("answer", "counts"),
    [
        ("- Maya: Reviewed PR #523, so I suggested another name for the button", True),
        ("Maya reviewed PR #523, so I renamed the button for her", False),
    ],
)
def test_what_a_quoted_message_says_of_its_author_is_no_deed_of_the_run(answer: str, counts: bool) -> None:
    found = verdict(
        asked("a run", "good", "What did Maya say of PR #523?", read("slack_search", SAID, query="PR #523"), answer=answer)
    )
    assert (found.verdict == "complete") is counts, found.reason


HOURS = (
    Need(id="rules", description="手順を読む", arguments={"q": "リリース"}),
    Need(id="tell", description="知らせる", effect="outward", after=("rules",), arguments={"text": "{{result}}"}),
)


@pytest.mark.parametrize(("minutes", "counts"), [("30", True), ("60", False)])
def test_a_figure_that_some_expression_of_others_makes_is_no_figure_of_a_job(minutes: str, counts: bool) -> None:
    page = "デプロイのあと30分のあいだ、応答時間とエラーの数を2回見る。検証環境で20回通す。"
    task = Task(goal="リリースの手順を知らせてください。", needs=HOURS)
    text = f"手順書によると、デプロイのあと{minutes}分のあいだ、応答時間とエラーの数を見ます。"
    calls: tuple[CallRecord, ...] = (
        read("wiki_search", page, needs=("rules",), q="リリース"),
        wrote("chat_post", needs=("tell",), text=text),
    )
    found = verdict(Told("a run", "good", task, calls, text, "answer"))
    assert (found.verdict == "complete") is counts, found.reason


def test_how_often_a_need_may_be_met_is_no_source_of_a_figure() -> None:
    text = diary("PR #512 を出しました", "サーバーの台数を8台から1台に減らしました")
    assert "『1台』 has no source" in verdict(diary_run("a run", "bad", text)).reason


@pytest.mark.parametrize(("asked_for", "counts"), [("daisuke", True), ("misaki", False)])
def test_reads_that_ask_for_somebody_else_are_no_evidence_for_a_person(asked_for: str, counts: bool) -> None:
    needs = (DIARY.needs[0].model_copy(update={"arguments": {"user": "daisuke", "day": DAY}}), *DIARY.needs[1:])
    calls = (channels(), *(history(channel, user=asked_for) for channel in ("dev", "ops", "talk")))
    told = diary("PR #512 を見ました") if asked_for == "misaki" else TRUE
    run = Told(
        "a run", "good", DIARY.model_copy(update={"needs": needs}), (*calls, posted(told)), "日記を投稿しました。", "diary"
    )
    found = verdict(run)
    assert (found.verdict == "complete") is counts, found.reason
    assert counts or "was asked for user_id 'misaki', and the job is about 'daisuke'" in found.reason


@pytest.mark.parametrize(("by", "counts"), [("a person", True), ("the model", False)])
def test_what_a_person_wrote_into_a_text_before_granting_it_is_no_deed_that_messages_have_to_tell(by: str, counts: bool) -> None:
    told = diary("PR #512 を見ました", "追記：この一文は、承認した人が書き足しました")
    run = diary_run("a run", "good", told)
    *reads, sent = run.calls
    proposed = {**sent.arguments, "body": told if by == "the model" else diary("PR #512 を見ました")}
    run = replace(run, calls=(*reads, sent.model_copy(update={"proposed": proposed})))
    found = verdict(run)
    assert any("rests on" in remark for remark in found.remarks) is not counts, found
