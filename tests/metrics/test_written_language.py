"""A text is in the language of its own words, whatever names, code and quotations stand in it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.text.written_language import WrittenLanguage, is_translated, written_language

JAPANESE = [
    "今日は会議がありました。資料を直しています。",
    "予約変更の API を直したので、確認をお願いします。",
    "だれが承認したか教えて",
]
ENGLISH = ["The release went out in the afternoon, and nobody complained.", "Who approved the change of the booking page today?"]
NO_WORDS = [
    "`git rebase -i HEAD~3`",
    "```\nfor line in text:\n    print(line)\n```",
    "https://example.org/a/b",
    "demo-016",
    "v2.9.1",
    "13:02",
]
QUOTED = ["「やり直し」", "『パン屋の朝』", "“it works”", '"done"']


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("demo-016 鈴木 悠真 1368\ndemo-001 鈴木 悠真 1260", "ja"),  # names alone
        ("人事異動一覧：東京本社、大阪支社", "ja"),
        ("髙橋 﨑山 神﨑 濵田", "ja"),
        ("Maria Keller さん（Keller Bau）に電話", "ja"),
        ("MRR の合計は 246,000円 です（Dynamo 150,000円、Aoyama Foods と Clover が各48,000円）", "ja"),
        ("「予約できません」", "ja"),
        ("More than 30 hours of overtime in 2026-10 (製造部):\n小林 颯太 35 h 15 min\n田中 凛 31 h 45 min", "en"),
        ("Can I still get seats for 雪の測量士 at みなと座 tomorrow evening?", "en"),
        ("Yui quotes them like this: 「電話をしなくても変更できるのが一番うれしい」 (#general).", "en"),
        ('こちらです："The meetings with the three shops are over, and all of them went fine."', "en"),
        ("请在开发频道发布今天的总结，并把链接发给健太", "other"),
        ("請在開發頻道發布今天的總結，並把連結發給健太，謝謝你們的幫忙", "other"),
        ("The words of 李强 and 陈静 were kind.", "en"),
        ("[425, 431, 438]", ""),
        ("OK", ""),
    ],
)
def test_a_text_is_in_the_language_of_its_own_words(text: str, language: WrittenLanguage) -> None:
    assert written_language(text) == language


@given(st.sampled_from(JAPANESE + ENGLISH), st.lists(st.sampled_from(NO_WORDS), max_size=6), st.booleans())
def test_code_addresses_and_ids_are_in_no_language(text: str, others: list[str], before: bool) -> None:
    beside = " ".join(others)
    assert written_language(f"{beside} {text}" if before else f"{text} {beside}") == written_language(text) != ""


@given(st.sampled_from(JAPANESE + ENGLISH), st.sampled_from(QUOTED))
def test_what_is_quoted_does_not_change_the_language_of_who_quotes_it(text: str, quotation: str) -> None:
    assert written_language(f"{quotation}{text}") == written_language(text) != ""


@given(st.sampled_from(JAPANESE), st.sampled_from(ENGLISH), st.integers(4, 9))
def test_many_words_of_one_language_outweigh_a_few_of_the_other(japanese: str, english: str, times: int) -> None:
    assert written_language("\n".join([*[japanese] * times, english])) == "ja"
    assert written_language("\n".join([*[english] * times, japanese])) == "en"


def test_what_has_no_words_is_translated_from_nothing() -> None:
    assert is_translated(ENGLISH[0], JAPANESE[0])
    assert not is_translated(ENGLISH[0], ENGLISH[1])
    assert not any(is_translated(text, "[425, 431]") for text in JAPANESE + ENGLISH)
    assert is_translated("Retry", JAPANESE[0])
    assert not is_translated("Retry", ENGLISH[0])
