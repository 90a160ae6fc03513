"""Quotations are found by their marks, each reader in its own way."""

import pytest

from metrics.text.quotations import INSIDE, LISTED, SPOKEN, paired


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("彼は「明日です」と言い、『本』を", "彼は_と言い、_を"),
        ('he said "no" and “yes”', "he said _ and _"),
        ("「閉じない", "「閉じない"),
        ("「" + "あ" * 11 + "」", "「" + "あ" * 11 + "」"),
        ("a ` b ` c", "a ` b ` c"),
    ],
)
def test_a_whole_quotation_is_masked_with_its_own_marks_unless_it_is_too_long(text: str, masked: str) -> None:
    assert paired('「『“"', most=10).sub("_", text) == masked


def test_a_mark_that_was_not_asked_for_is_none() -> None:
    assert paired("`", most=10).sub("_", "`x` 「y」") == "_ 「y」"


def test_in_a_goal_any_mark_closes_any_other() -> None:
    assert INSIDE.findall('「はい」と“書いて" 「a」') == ["はい", "書いて"]


def test_a_question_quotes_with_single_quotes_but_not_with_apostrophes() -> None:
    assert ["".join(groups) for groups in SPOKEN.findall("Who said 'ship it', and what's Maya's plan?")] == ["ship it"]


def test_an_error_lists_its_choices_in_quotes_or_brackets() -> None:
    listed = ["".join(groups) for groups in LISTED.findall("one of 'a', \"b\", 「c」, `d` (e)")]
    assert listed == ["a", "b", "c", "d", "e"]
