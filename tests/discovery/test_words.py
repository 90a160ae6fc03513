"""Terms: how text is cut for searching."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discovery.text.search_terms import english_for, stem, terms, visible


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("getUserProfile", ["user", "profil"]),
        ("slack_get_channel-history", ["slack", "channel", "history"]),
        ("ＡＰＩ　Ｋｅｙ", ["api", "key"]),
        ("天気予報", ["天気", "気予", "予報"]),
        ("東京の天気を教えて", ["東京", "京の", "の天", "天気", "気を", "を教", "教え"]),
        ("ﾌｧｲﾙ", ["ファ", "ァイ", "イル"]),
        ("傘", ["傘"]),
        ("", []),
    ],
)
def test_terms(text: str, expected: list[str]) -> None:
    assert terms(text) == expected


@pytest.mark.parametrize(
    "forms",
    [
        ("file", "files"),
        ("repository", "repositories"),
        ("search", "searches", "searching", "searched"),
        ("trend", "trends", "trending"),
        ("create", "creates", "created", "creating"),
        ("box", "boxes"),
        ("plan", "plans", "planned", "planning"),
    ],
)
def test_forms_of_a_word_meet(forms: tuple[str, ...]) -> None:
    assert len({stem(form) for form in forms}) == 1


@pytest.mark.parametrize(("one", "other"), [("news", "new"), ("address", "add"), ("status", "state"), ("string", "str")])
def test_different_words_stay_apart(one: str, other: str) -> None:
    assert stem(one) != stem(other)


@given(st.text())
def test_any_text_has_terms_that_are_normalized(text: str) -> None:
    for term in terms(text):
        assert term == term.lower()
        assert term.strip()


def test_the_english_of_japanese_words_prefers_the_longest_match() -> None:
    assert english_for("棒グラフにして") == ("bar", "chart")
    assert english_for("天気を調べて") == ("weather", "forecast", "search", "lookup")
    assert english_for("weather in Tokyo") == ()


def test_what_a_person_would_not_see_is_taken_out() -> None:
    assert visible("a\u200bb\u202ec\U000e0041\x07d\ne") == "abcd\ne"
