"""Misspelt words of a question: only what is a letter away from one known word is mended."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autonomy.llm.offline.query.misspelling import respelled, with_apostrophe, without_apostrophe
from autonomy.llm.offline.query.query_words import WORDS
from autonomy.llm.offline.questions.question_reading import normalize_chat


@pytest.mark.parametrize(
    ("question", "mended"),
    [
        ("wich channels exsist", "which channels exist"),
        ("who aproved it", "who approved it"),
        ("teh mesages", "the messages"),
        ("what did Preya write", "what did priya write"),
    ],
)
def test_a_word_a_letter_away_from_one_known_word_is_read_as_that(question: str, mended: str) -> None:
    assert respelled(question, ["priya", "tom"])[0] == mended


@pytest.mark.parametrize("question", ["hwo many", "who liked it", "on staging", "#deev", "v3.4.1", "demo-014", "the umbrella"])
def test_what_may_be_two_words_or_is_a_name_or_a_form_of_a_word_stays(question: str) -> None:
    assert respelled(question, ["priya", "tom"]) == (question, [])


@pytest.mark.parametrize("word", ["stay", "data", "spend", "lunch", "four", "spell", "staying", "seats"])
def test_a_common_word_is_never_read_as_another_one(word: str) -> None:
    assert respelled(f"how long did they {word}", ["priya", "tom"], ["stays and lunches"])[1] == []


@given(st.lists(st.sampled_from([word for word in WORDS if word.isascii() and word.isalpha()]), max_size=5))
def test_a_question_of_known_words_is_never_changed(words: list[str]) -> None:
    assert respelled(" ".join(words), []) == (" ".join(words), [])


@pytest.mark.parametrize(
    ("typed", "plain"),
    [
        ("wich page is new", "which page is new"),
        ("wıch page is new", "wıch page is new"),
        ("東京の天気を教えて 🌂", "東京の天気を教えて"),
        ("weather in Osaka ☔\ufe0f 25 ℃?", "weather in Osaka   25 ℃?"),
    ],
)
def test_short_forms_are_written_out_pictographs_left_and_letters_that_only_look_like_theirs_stay(typed: str, plain: str) -> None:
    assert normalize_chat(typed) == plain


def test_a_name_with_an_s_behind_it_is_read_as_its_possessive() -> None:
    words = without_apostrophe("what do kentas notes say")
    assert with_apostrophe("what do kentas notes say", words, ["Kenta", "yui"]) == "what do Kenta's notes say"
