"""The columns, lists and equations of a text prove their own totals, means, shares and results, and no others."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.autonomy.provenance.unsourced import without_source
from tests.requirements import requirement

pytestmark = requirement("V1")
ORDERS = {
    "rows": [{"state": "sent", "n": 131}, {"state": "paid", "n": 33}, {"state": "open", "n": 24}, {"state": "lost", "n": 12}]
}
WAITS = "PR #1 took 66 minutes, PR #2 took 197 minutes, PR #3 took 22 minutes"
SHARES = "| 状態 | 件数 | 割合 |\n|---|--:|--:|\n| sent | 131 | 65.5% |\n| paid | 33 | 16.5% |\n| open | 24 | 12% |\n| lost | 12 | {}% |"


@pytest.mark.parametrize(
    ("text", "result", "wrong"),
    [
        ("The mean is 95 minutes ((66 + 197 + 22) / 3 = {}).", WAITS, {95: False, 99: True}),
        ("- #1: 66 minutes\n- #2: 197 minutes\n- #3: 22 minutes\n\nThat is {} minutes on average.", WAITS, {95: False, 91: True}),
        ("E. coli is 1,150, above the limit of 900 by {}.", "E. coli 1,150, limit 900, pH 7.5, nitrate 41", {250: False, 260: True}),
        (SHARES, ORDERS, {6: False, 8: True}),
        ("- A: 8 × 2,900 = ¥23,200\n- B: 15 × 2,400 = ¥36,000\n\nSum: 23,200 + 36,000 = **¥{:,}**", "A 8 at ¥2,900, B 15 at ¥2,400",
         {59_200: False, 58_200: True}),
    ],
)  # fmt: skip
def test_a_shown_mean_share_or_sum_follows_where_it_is_right(text: str, result: object, wrong: dict[int, bool]) -> None:
    for figure, is_found in wrong.items():
        assert any(f"{figure:,}" in one for one in without_source(text.format(figure), result)) is is_found, figure


@given(st.lists(st.integers(1_000, 99_999), min_size=4, max_size=8, unique=True), st.integers(-9, 9))
def test_the_total_of_a_list_follows_and_one_beside_it_does_not(figures: list[int], off: int) -> None:
    listed = "\n".join(f"- {name}: {figure} EUR" for name, figure in zip("abcdefgh", figures, strict=False))
    read = "; ".join(f"{name} has {figure} EUR" for name, figure in zip("abcdefgh", figures, strict=False))
    total = sum(figures) + off
    missing = without_source(f"{listed}\n\nAll lines together make {total} EUR.", read)
    assert (f"{total} EUR" in missing) is (off != 0)
