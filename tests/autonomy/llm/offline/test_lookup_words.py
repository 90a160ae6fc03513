"""The words by which texts are looked up: what is general, what tells the same, and whose part somebody plays."""

import pytest

from autonomy.llm.offline.lookup.word_matching import tells
from autonomy.llm.offline.lookup_words import (
    alternatives,
    holds_duration,
    is_general,
    is_subject,
    is_verb,
    relations_in,
    relations_of,
    stands_for_somebody,
    tells_of_relation,
    with_single_words,
)


@pytest.mark.parametrize(
    ("question", "text", "plays"),
    [
        ("Who reported the double mail?", "Investigated the mail that arrives twice", False),
        ("Who reported the double mail?", "A reader got the same mail twice", True),
        ("Who fixed the double mail?", "Fixed the double mail in PR #525", True),
        ("Who approved PR #525?", "Reviewed PR #525", False),
        ("Who wrote about curry?", "Merged, and then curry", True),
        ("メールの不具合を報告したのは誰", "メールの不具合を調査中です", False),
        ("PRを承認したのは誰", "PRをレビューしました", False),
        ("PRをレビューしたのは誰", "直しました。レビューお願いします", False),
        ("Who reviewed PR #523?", "Screen reader support. Please review", False),
    ],
)
def test_who_did_one_thing_is_not_told_by_a_text_of_another(question: str, text: str, plays: bool) -> None:
    assert tells_of_relation(relations_in(question), text) is plays


def test_a_text_tells_a_word_by_one_of_the_same_meaning_and_never_by_an_empty_one() -> None:
    assert tells("Fixed the double mail", "twice")
    assert tells("Opened PR #512", "PR")
    assert not tells(
        "go on with the screen reader work", "arrives"
    )  # `get` is no term of a search, and is not held by everything
    assert "承認" in alternatives("承認者")


def test_what_is_said_in_several_words_stands_as_one() -> None:
    assert with_single_words("Which pull requests did she open?") == "Which PR did she open?"


def test_a_verb_is_left_aside_only_where_a_caller_allows_it() -> None:
    assert not is_general("went")
    assert is_general("went", verbs=True)
    assert is_general("結果")


@pytest.mark.parametrize(
    ("text", "told"),
    [("for an hour, no errors", True), ("4 minutes to build", True), ("18分で完了", True), ("PR #521 is open", False)],
)
def test_a_duration_is_told_from_other_numbers(text: str, told: bool) -> None:
    assert holds_duration(text) is told


@pytest.mark.parametrize(
    ("word", "question", "name"),
    [
        ("Preya", "what did Preya write", True),
        ("たかし", "たかしさんは何を書いた", True),
        ("curry", "what about curry", False),
    ],
)
def test_a_word_where_a_person_stands_is_a_name(word: str, question: str, name: bool) -> None:
    assert stands_for_somebody(word, question) is name


@pytest.mark.parametrize(
    ("word", "question", "verb"),
    [
        ("visit", "When does Priya visit Milltown?", True),
        ("visit", "When was the visit of Milltown?", False),
        ("design", "What does the design note say?", False),
        ("explain", "What did Tom ask her to explain?", True),
        ("number", "What is the phone number?", False),
        ("起", "何が起きると言った？", True),
        ("案内", "何秒切れると案内されましたか", True),
        ("案内", "案内の文面は？", False),
        ("古", "古い日時が出る", False),
        ("辛", "辛さはいくつ？", False),
        ("みかん", "みかんはどこ？", False),
    ],
)
def test_a_verb_is_told_from_a_noun_and_from_what_a_thing_is_like(word: str, question: str, verb: bool) -> None:
    assert is_verb(word, question) is verb


def test_of_whom_it_is_asked_what_he_did_is_told_from_whose_thing_it_is() -> None:
    assert is_subject("Maya", "What did Maya want changed?")
    assert not is_subject("Maya", "What did Tom say in Maya's thread?")
    assert is_subject("健太", "健太さんは何と言いましたか")
    assert not is_subject("健太", "健太さんのPRを直したのは誰")


def test_a_japanese_verb_without_its_ending_names_the_deed_that_it_begins() -> None:
    assert relations_of("直") == {"fix"}
    assert relations_of("起") == frozenset()
