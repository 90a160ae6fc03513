"""A claim is the run's own only where it tried to write, or was asked to send something out."""

import pytest

from autonomy.completion.unsupported_claims import unproven_claims
from tests.requirements import requirement

SUMMARISE = "昨日の Slack を三行でまとめて"
POST = "日記を投稿して"


@requirement("X10")
@pytest.mark.parametrize(
    "text", ["投稿しました。", "日記を公開いたしました", "送信を完了しました", "The diary has been posted.", "I've sent it."]
)
@pytest.mark.parametrize("goal", [POST, "健太さんに DM を送って", "Please post the diary", "tell the manager"])
def test_whoever_was_asked_to_send_needs_a_receipt_to_say_so(text: str, goal: str) -> None:
    assert unproven_claims(text, goal, tried_to_write=False)


@pytest.mark.parametrize(
    "text",
    ["遥さんが記事を投稿しました。", "v2.9.1 が公開され、美咲さんが文面を更新しました。", "Haruka has posted three times."],
)
def test_telling_what_others_did_is_no_claim(text: str) -> None:
    assert unproven_claims(text, SUMMARISE, tried_to_write=False) == ()


def test_a_text_that_was_asked_for_may_be_handed_over() -> None:
    assert unproven_claims("お礼の文面を作成しました。\n拝啓 …", "お礼の手紙の文面を書いて", tried_to_write=False) == ()


@requirement("X10")
@pytest.mark.parametrize("text", ["記事を作成しました。", "保存しました", "The row was created.", "投稿しました"])
def test_after_a_write_that_gave_no_receipt_every_such_word_is_a_claim(text: str) -> None:
    assert unproven_claims(text, SUMMARISE, tried_to_write=True)


def test_a_claim_is_told_once() -> None:
    assert unproven_claims("投稿しました。もう一度言います、投稿しました。", POST, tried_to_write=False) == ("投稿しました",)
