"""Eighty questions over the sample workspace: none is answered wrongly, and at least half are answered."""

from pathlib import Path

from tests.bench.offline_questions import QUESTIONS, ask_all, read_questions
from tests.requirements import requirement


@requirement("V9")
async def test_no_question_over_the_sample_workspace_is_answered_wrongly_and_half_are_answered(tmp_path: Path) -> None:
    asked = await ask_all(read_questions(QUESTIONS), tmp_path)
    assert [(one.question["q"], one.text) for one in asked if one.grade == "wrong"] == []
    for language in ("ja", "en"):
        answerable = [one for one in asked if one.question["lang"] == language and not one.question.get("refuse")]
        assert sum(one.grade == "right" for one in answerable) * 2 >= len(answerable)
