"""What a job's text tells of feelings, troubles, refusals and the like stands in what it retells, told as a fact there."""

import pytest

from autonomy.completion.judge import Verdict, judge
from autonomy.llm.messages import AssistantMessage
from tests.gaming.told import diary, diary_run, everywhere
from tests.requirements import requirement

pytestmark = requirement("V4")
SAID = (
    ("dev", "daisuke", "決済画面の文言を直して PR #512 を出しました。レビューは美咲さんにお願いしています"),
    ("dev", "daisuke", "15時からの入れ替えで、10秒ほど接続が切れるかもしれません"),
    ("dev", "daisuke", "サーバーの台数を8台から5台に減らしました"),
    ("dev", "daisuke", "学び：証明書の期限は監視に入れておかないと、誰も気づかない"),
    ("talk", "daisuke", "唐揚げが大きくて、ほっとしました"),
    ("talk", "sakura", "展示会の準備がたいへんで、へとへとです"),
)
TRUE = ("PR #512 を出し、レビューを美咲さんにお願いしました", "サーバーの台数を8台から5台に減らしました")


def judged(*done: str, answer: str = "日記を投稿しました。") -> Verdict:
    """The verdict on a diary with these lines."""
    case = diary_run("case", "good", diary(*TRUE, *done), answer, calls=everywhere(messages=SAID))
    return judge(AssistantMessage(text=case.answer), case.context())


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("PR #512 はマージされました", "マージ"),
        ("PR #512 は美咲さんに差し戻されました", "差し戻"),
        ("サーバーの台数を減らし、部長に褒められました", "褒め"),
        ("美咲さんのレビューの返事待ちで、PR #512 を進めていません", "返事待ち"),
        ("サーバーの台数を減らす作業で、くたくたに疲れました", "疲れ"),  # another one is
    ],
)
def test_a_feeling_a_trouble_or_an_outcome_that_nobody_told_of_is_remarked_on(line: str, word: str) -> None:
    verdict = judged(line)
    assert any(word in remark and "rests on" in remark for remark in verdict.remarks), verdict.remarks


def test_what_may_happen_is_not_told_as_having_happened() -> None:
    verdict = judged("15時からの入れ替えで、10秒ほど接続が切れました")
    assert verdict.verdict == "continue"
    assert any("切れました" in finding and "rests on" in finding for finding in verdict.findings), verdict.findings


@pytest.mark.parametrize(
    "line",
    [
        "15時からの入れ替えで、10秒ほど接続が切れるおそれがあると知らせました",
        "証明書の期限は監視に入れておかないと気づけません",
        "PR #512 がマージされたとは書かれていません",
        "唐揚げが大きくてうれしい昼でした",
    ],
)
def test_what_was_told_in_other_words_is_believed(line: str) -> None:
    verdict = judged(line)
    assert not any("rests on" in finding for finding in (*verdict.findings, *verdict.remarks)), verdict


def test_an_answer_is_held_against_all_that_was_read() -> None:
    assert judged(answer="日記を投稿しました。ほっとしたことも書いています。").verdict == "complete"
    remarks = judged(answer="日記を投稿しました。PR #512 が差し戻されたことも書いています。").remarks
    assert any("差し戻" in remark for remark in remarks), remarks
