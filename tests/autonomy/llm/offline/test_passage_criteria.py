"""What a passage must be that answers a question; texts of others cost no more than their length."""

import time
from datetime import UTC, date

import pytest

from autonomy.llm.offline.argument_filler import ArgumentFiller
from autonomy.llm.offline.conversation_state import ConversationState
from autonomy.llm.offline.lookup.passage_criteria import PassageCriteria
from autonomy.llm.offline.questions.question_reading import read_question

DAY = date(2026, 11, 26)
LONGEST_S = 1.0
"""Of processor time; each of these takes some milliseconds, and took minutes while a pattern went back over what it had read."""


def criteria(question: str) -> PassageCriteria:
    filler = ArgumentFiller((), ConversationState(()), {}, question, DAY, UTC, "en")
    return PassageCriteria(read_question(question, DAY), filler)


@pytest.mark.parametrize(
    "text", ["The library opens at " + "2026 " * 2000, "The library has " + "A1" * 4000, "a" * 40_000 + ".5"]
)
def test_a_text_made_to_be_slow_is_read_in_linear_time(text: str) -> None:
    asked, began = criteria("Which library did Priya visit?"), time.process_time()
    asked.tells_which(text, ["visit"], noun=True)
    asked.answers(f"{text} Did she?", ["visit"])
    assert time.process_time() - began < LONGEST_S


def test_a_name_beside_the_noun_tells_which_one() -> None:
    asked = criteria("Which library did Priya visit?")
    assert asked.tells_which("Went to the Alder Lane library.", ["visit"], noun=True)
    assert not asked.tells_which("Went to the library in 2.5 hours with Sam.", ["visit"], noun=True)


def test_a_point_within_a_number_parts_no_sentence() -> None:
    """What asks tells nothing, from its first word on."""
    asked = criteria("How many minutes does the build take?")
    assert not asked.answers("It takes 12 minutes with v2.5, right?", [])
    assert asked.answers("It takes 12 minutes with v2.5. Right?", [])
