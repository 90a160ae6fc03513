"""Sentences that turn round what records show: the way of a change, and what holds now."""

from datetime import date
from typing import Any

import pytest

from autonomy.provenance import Sources
from autonomy.provenance.attribution import attribute
from autonomy.provenance.misstatements.contradictions import contradictions
from tests.requirements import requirement

MONTHS = [{"month": "2027-01", "loans": 340}, {"month": "2027-02", "loans": 288}]
TARIFFS = [
    {"title": "Tariff 2025", "state": "superseded", "text": "north 9 EUR"},
    {"title": "Tariff 2027", "state": "valid", "text": "north 12 EUR"},
]
WEIGHTS = [{"date": "2026-11-01", "weight_kg": 71}, {"date": "2027-02-20", "weight_kg": 64}]
CLUB = [{"date": "2026-11-01", "cup": "Rosa", "points": 71}, {"date": "2027-02-20", "cup": "Lena", "points": 64}]


def _kinds(read: Any, told: str, asked: str = "") -> set[str]:
    sources = Sources(date(2027, 3, 5))
    sources.add_result("c1", "look", read, arguments={})
    return {one.kind for one in contradictions(attribute(told, sources), sources, asked)}


@requirement("V4")
@pytest.mark.parametrize(
    ("read", "told", "wrong"),
    [
        (MONTHS, "In February there were 52 loans more, so they increased by 52.", True),
        (MONTHS, "2月は1月より52冊増えました。", True),
        (MONTHS, "2月は1月より52冊減りました。", False),
        (MONTHS, "貸出は340冊から288冊に増えました。", True),
        (MONTHS, "貸出は340冊から288冊に減りました。", False),
        (MONTHS, "貸出は340冊から288冊に減りましたが、順位は5位から3位に上がりました。", False),
        (MONTHS, "貸出は340冊から288冊には増えていません。", False),
    ],
)
def test_a_change_is_told_the_way_it_went(read: Any, told: str, wrong: bool) -> None:
    assert ("direction" in _kinds(read, told)) is wrong


LOAD = "| 毎秒の件数 | 索引なし | 索引あり |\n| --- | --- | --- |\n| 12（ピーク） | 0.1秒 | 0.1秒 |\n| 40 | 0.2秒 | 0.1秒 |\n| 60 | 1.1秒 | 0.3秒 |\n"


@requirement("V4")
def test_a_figure_is_of_the_row_that_a_sentence_names_and_a_span_in_the_unit_that_was_read() -> None:
    for read, told, wrong in (
        (LOAD, "毎秒60件では、1.1秒が0.1秒になりました。", True),
        (LOAD, "毎秒60件では、1.1秒が0.3秒になりました。", False),
        (LOAD, "毎秒60件では1.1秒が0.3秒に、40件では0.2秒が0.1秒になりました。", False),  # two rows are named
        ("味噌を仕込みました。食べられるのは10か月後です", "She says that the miso takes ten weeks.", True),
        ("味噌を仕込みました。食べられるのは10か月後です", "She says that the miso takes ten months.", False),
        (
            "接続が10秒ほど切れます。10分前に知らせます",
            "The connection is lost for ten minutes.",
            False,
        ),  # ten minutes were read, too
        ("接続が60秒ほど切れます。", "接続が1分ほど切れます。", False),
    ):
        assert ("number" in _kinds({"posts": [{"number": 1, "body_md": read}]}, told)) is wrong, told


@requirement("V4")
@pytest.mark.parametrize(
    ("read", "told", "asked", "wrong"),
    [
        (TARIFFS, "To the north it is 9 EUR.", "What is it to the north?", True),
        (TARIFFS, "To the north it is 12 EUR.", "What is it to the north?", False),
        (TARIFFS, "To the north it was 9 EUR in 2025.", "What was it in 2025?", False),
        (WEIGHTS, "The ram weighs 71 kg.", "How heavy is the ram at present?", True),
        (WEIGHTS, "The ram weighs 64 kg.", "How heavy is the ram at present?", False),
        (WEIGHTS, "The ram weighed in at 71 kg, and is at 64 kg.", "How heavy is the ram at present?", False),
        (WEIGHTS, "It is 71 kg.", "How heavy is the ram in November?", False),
        (CLUB, "Rosa has 71 points.", "Who has which points now?", False),  # each row is somebody else's
    ],
)
def test_what_holds_no_longer_is_not_told_as_what_holds(read: Any, told: str, asked: str, wrong: bool) -> None:
    assert ("outdated" in _kinds({"rows": read}, told, asked)) is wrong
