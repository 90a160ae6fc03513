"""A question is cut into mentions and nothing of it is passed over; the words are data that say one thing each."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from autonomy.llm.offline.query.mentions import FigureBound, read
from autonomy.llm.offline.query.query_words import WORDS, QueryWords
from tests.requirements import requirement

TODAY = date(2026, 11, 20)
NAMES = {"tom": [("person", ["Tom"])], "遥": [("person", ["遥"])], "#dev": [("channel", ["dev"])], "dev": [("channel", ["dev"])]}


@pytest.mark.parametrize(
    ("question", "mentions"),
    [
        (
            "Who sent the most messages in #dev today?",
            "Who=ask.who sent=verb.wrote the most=order.most messages=kind.message #dev=channel today=time",
        ),
        ("遥さんは今日何件発言したか", "遥=person 今日=time 何件=ask.how_many 発言した=verb.wrote"),
        ("devだけの発言", "dev=channel け=unread 発言=kind.message"),
        ("Tom's frobnications", "Tom=person frobnications=open"),
        ("busiest channel", "busiest channel=order.most busiest channel=kind.channel busiest channel=kind.message"),
    ],
)
def test_each_stretch_of_a_question_is_a_word_a_name_a_time_or_left_open(question: str, mentions: str) -> None:
    found = [f"{one.text}={one.meaning}" for one in read(question, TODAY, NAMES, past=True).mentions]
    assert sorted(" ".join(found).split()) == sorted(mentions.split())


@pytest.mark.parametrize("question", ["What is planned in the next months?", "next months. Now what?"])
def test_what_a_time_leaves_of_a_word_stays_open_and_the_rest_is_read(question: str) -> None:
    reading = read(question, TODAY, {}, past=True)
    assert [one.text for one in reading.of("time")] == ["next month"]
    assert [one.text for one in reading.of("open") if one.text == "s"]


def test_a_bound_is_read_with_its_unit_in_either_language() -> None:
    bounds = [
        read(text, TODAY, {}, past=True).of("threshold")[0].value
        for text in ("more than 45 hours", "45時間を超えた", "three messages or more")
    ]
    assert bounds == [
        FigureBound("above", 45.0, "hours", "more than 45 hours"),
        FigureBound("above", 45.0, "hours", "45時間を超えた"),
        FigureBound("from", 3.0, "times", "three messages or more"),
    ]


def test_what_nobody_took_is_left() -> None:
    reading = read("Who sent the most messages about dragons?", TODAY, {}, past=True)
    reading.take("ask", "verb", "order", "kind")
    assert reading.left == ["about", "dragons"]


@given(
    st.lists(st.sampled_from([*sorted(WORDS), "Tom", "#dev", "zyx", "竜", "、", " ", "12"]), min_size=1, max_size=8),
    st.sampled_from(["", " "]),
)
def test_every_letter_of_a_question_belongs_to_a_word_or_is_left(parts: list[str], joined: str) -> None:
    question = joined.join(parts)
    reading = read(question, TODAY, NAMES, past=True)
    assert all(one.text in question or one.meaning == "time" for one in reading.mentions)
    assert ("zyx" in parts and joined == " ") <= any("zyx" in one.text for one in reading.mentions)


@requirement("V9")
@pytest.mark.parametrize(
    ("table", "named"),
    [({"order.most": ("most",), "order.least": ("most",)}, "most"), ({"ordr.most": ("most",)}, "ordr.most")],
)
def test_a_word_that_means_two_things_or_has_no_role_is_named(table: dict[str, tuple[str, ...]], named: str) -> None:
    with pytest.raises(ValidationError, match=named):
        QueryWords.model_validate(table)


def test_a_number_that_is_larger_than_any_figure_stays_open() -> None:
    number = "1" * 400
    assert [one.meaning for one in read(f"page {number}", TODAY, {}, past=True).mentions if number in one.text] == ["open"]
