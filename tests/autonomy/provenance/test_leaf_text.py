"""A figure is found in every notation, whether few are looked for, one by one, or many, in one index."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autonomy.provenance.sources.leaf_text import MOST_SOUGHT, LeafText
from autonomy.provenance.sources.origins import Origin

FIGURES = st.text(alphabet="0123,4 .x", max_size=12)


def _holding(*leaves: str) -> LeafText:
    text = LeafText(Origin.TEXT)
    for at, leaf in enumerate(leaves):
        text.add(f"$[{at}]", "text", leaf)
    return text


@given(st.lists(FIGURES, min_size=1, max_size=4), st.lists(st.from_regex(r"0|[1-4][0-4]{0,6}", fullmatch=True), min_size=1))
def test_one_by_one_and_by_index_the_same_leaves_are_found(leaves: list[str], runs: list[str]) -> None:
    searched, indexed = _holding(*leaves), _holding(*leaves)
    indexed.stating(map(str, range(10**6, 10**6 + MOST_SOUGHT + 1)), in_words=False, most=9)
    for run in runs:
        assert searched.stating([run], in_words=False, most=9) == indexed.stating([run], in_words=False, most=9)


def test_thousands_separators_and_leading_zeros_make_no_difference_and_a_part_of_a_figure_is_none() -> None:
    text = _holding("1230", "1,230円", "01,230", "12300", "5,1230", "1,2305", "1,230,000")
    assert text.stating(["1230"], in_words=False, most=9) == [0, 1, 2, 4]
    assert text.stating(["230"], in_words=False, most=9) == []
    assert _holding("一件", "3 thousand", "birthday", "weekly").stating([], in_words=True, most=9) == [0, 1, 2, 3]


@pytest.mark.parametrize(
    "leaf",
    [
        "二件",
        "金曜",
        "昨日",
        "2 weeks",
        "on this day",
        "todays",
        "since yesterday's",
        "tomorrow",
        "3k",
        "3 thousand",
        "1 million",
        "2billion",
    ],
)
def test_every_number_or_day_in_words_makes_its_leaf_one_that_may_state_a_figure(leaf: str) -> None:
    assert _holding("plain", leaf, "dayx and weak").stating([], in_words=True, most=9) == [1]
