"""A question in which one word stands for another of its kind has another answer, or none."""

from pathlib import Path

import pytest

from tests.bench.exchanged_words import told, unmoved
from tests.bench.offline_questions import DATA, read_questions
from tests.requirements import requirement
from tests.support.sampling import in_shares

QUESTIONS = read_questions(DATA / "offline_questions_newcomer9.jsonl")


@requirement("V9")
@pytest.mark.parametrize("questions", in_shares(QUESTIONS, of=128))
async def test_no_answer_stays_the_same_when_a_noun_or_a_person_of_the_question_is_exchanged(
    questions: list[dict[str, object]], tmp_path: Path
) -> None:
    counts, same = await unmoved(questions, tmp_path)
    assert counts["right"] == 0 or len(counts) > 1, "no word of an answered question was exchanged"
    assert not [(first.question["q"], told(second)) for kind, first, second in same if kind in ("noun", "any noun", "person")]
