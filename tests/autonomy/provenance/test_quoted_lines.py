"""A line of an answer that repeats a line of what was read, with its own label, is known as such; with another label it is not."""

from datetime import date

import pytest

from autonomy.provenance.quoted_lines import quoted_from
from autonomy.provenance.sources.run_sources import Sources

CURRY = "Curry before a release is a tradition worth keeping"
READ = {
    "messages": [
        {"user_id": "U1", "user_name": "Maya", "channel_name": "random", "time": "2026-11-20T12:05:00+09:00", "text": CURRY},
        {
            "user_id": "U2",
            "user_name": "Tom",
            "channel_name": "dev",
            "time": "2026-11-19T12:05:00+09:00",
            "text": "Ship the index",
        },
    ]
}


def sources() -> Sources:
    read = Sources(date(2026, 11, 20))
    read.add_result("call-1", "slack_history", READ)
    return read


@pytest.mark.parametrize(
    "line",
    [f"- 2026-11-20 12:05 #random Maya: {CURRY}", f"Maya: {CURRY}", CURRY, "- Tom: Ship the index", "a tradition worth keeping"],
)
def test_a_line_with_its_own_label_is_a_quotation(line: str) -> None:
    assert quoted_from(line, sources()) is not None


@pytest.mark.parametrize(
    "line",
    [
        f"- 2026-11-19 #random Maya: {CURRY}",
        f"Tom: {CURRY}",
        f"- #dev Maya: {CURRY}",
        f"Maya never said: {CURRY}",
        "Curry after a release is a tradition worth keeping",
    ],
)
def test_a_line_with_the_label_of_another_or_other_words_is_none(line: str) -> None:
    assert quoted_from(line, sources()) is None


def test_a_line_of_a_text_beside_the_data_is_a_quotation() -> None:
    assert quoted_from("- low 29, high 34", sources(), {"low 29, high 34"}) == 2
