"""A question that offers two things is answered where the texts tell of one of them and not of the other."""

from pathlib import Path

import pytest

from autonomy.llm.offline.query.question_division import choice_in
from tests.bench.offline_questions import ask_all
from tests.requirements import requirement


@pytest.mark.parametrize(
    "question",
    [
        "Which is faster, staging or production?",
        "Who opened or merged it?",
        "v2.9.0とv2.9.1のどちらが先に出ましたか",
        "どちらがよかった",
    ],
)
def test_a_comparison_is_no_choice(question: str) -> None:
    assert choice_in(question) is None


ASKED = [
    ("Who is the designer, Ines or Leo?", "Ines"),
    ("Who is the designer, Tom or Leo?", ""),
    ("PR #431を承認したのは涼さんと健太さんのどちらですか", "承認します"),
    ("味噌を仕込んだのは涼さんと健太さんのどちらですか", ""),
]


@requirement("V9")
async def test_a_choice_is_answered_by_what_tells_of_one_of_both_alone(tmp_path: Path) -> None:
    langs = ["en" if question.isascii() else "ja" for question, _ in ASKED]
    asked = await ask_all(
        [{"lang": lang, "sample": lang, "q": question} for lang, (question, _) in zip(langs, ASKED, strict=True)], tmp_path
    )
    answers = {one.question["q"]: one.text if one.completed else "" for one in asked}
    for question, says in ASKED:
        assert says in answers[question], question
        assert bool(says) is bool(answers[question]), question
