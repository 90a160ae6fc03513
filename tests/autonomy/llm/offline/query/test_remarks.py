"""Messages of several sentences: the one that asks is answered alone only where no other may restrict it."""

from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autonomy.llm.offline.query.remarks import without_remarks
from autonomy.llm.offline.question import normalize_chat
from tests.bench.offline_questions import ask_all

PEOPLE = ("maya", "tom", "owen", "leo")
TODAY = date(2026, 11, 20)
ASKED = "who wrote to the readers?"


@pytest.mark.parametrize(
    ("message", "question"),
    [
        (f"Busy team, wow. {ASKED}", ASKED),
        ("what did Maya release this afternoon? sounds like a lot of work", "what did Maya release this afternoon?"),
        ("tom looks tired. what is his email?", "what is Tom's email?"),
        ("owen says hi. where does he sit", "where does Owen sit"),
    ],
)
def test_a_question_beside_mere_remarks_is_read_alone_with_the_person_in_place_of_the_pronoun(
    message: str, question: str
) -> None:
    read = without_remarks(message, PEOPLE, TODAY)
    assert read is not None
    assert read.question == question


RESTRICTING = [
    "Yesterday was hard.",
    "It was 3.4.1.",
    "Two of us know.",
    "We are in osaka.",
    "I am going to Kyoto.",
    "Not the old one.",
    "Only staging.",
    "Leo was off.",
    "#dev is loud.",
    'They call it "hold".',
    "大阪です。",
    "Everyone but me knows.",
    "How is that?",
]


@given(st.sampled_from(RESTRICTING), st.booleans())
def test_a_sentence_with_a_date_place_number_name_negation_or_a_second_question_is_never_left_aside(
    beside: str, first: bool
) -> None:
    message = f"{beside} {ASKED}" if first else f"{ASKED} {beside}"
    assert without_remarks(message, PEOPLE, TODAY) is None


@pytest.mark.parametrize(
    "message",
    [ASKED, "Tom is nice. what did Maya say?", "Tom met Leo. where does he sit?", "Some mail went out. how long did it take?"],
)
def test_one_sentence_or_a_question_that_may_point_elsewhere_is_left_as_it_is(message: str) -> None:
    assert without_remarks(message, PEOPLE, TODAY) is None


def test_interjections_and_missing_apostrophes_of_chat_are_read_but_a_negation_stays_one() -> None:
    assert normalize_chat("hows the release going lol?") == "how's the release going?"
    assert "can't" in normalize_chat("tell me who cant deploy")


SAID = [
    ("Owen seems chatty haha. whats his email?", "owen@fernway.example", "Owen seems chatty."),
    ("the runbook is long. how many errors did the load test throw?", "", ""),
    ("how long did that load test run btw, at 60 a second", "", ""),
]


async def test_an_answer_names_the_remark_that_it_leaves_aside_and_needs_what_the_remark_names_of_the_workspace(
    tmp_path: Path,
) -> None:
    asked = await ask_all([{"lang": "en", "sample": "en", "q": message} for message, _, _ in SAID], tmp_path)
    for one, (message, says, aside) in zip(asked, SAID, strict=True):
        assert one.completed is bool(says), message
        assert says in one.text, message
        assert aside in one.text, message
