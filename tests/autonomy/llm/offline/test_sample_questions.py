"""Sets of questions over the sample workspaces: none is answered wrongly or doubted, and half are answered."""

import re
from pathlib import Path

import pytest

from tests.bench.offline_questions import DATA, QUESTIONS, ask_all, read_questions
from tests.requirements import requirement

FILES = [QUESTIONS, *(DATA / f"offline_questions_{name}.jsonl" for name in ("team", "stranger", "fresh", "accounted"))]


@requirement("V9")
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
async def test_no_question_over_the_sample_workspace_is_answered_wrongly_and_half_are_answered(
    file: Path, tmp_path: Path
) -> None:
    asked = await ask_all(read_questions(file), tmp_path)
    assert [(one.question["q"], one.text) for one in asked if one.grade == "wrong"] == []
    assert [(one.question["q"], one.doubts) for one in asked if one.grade == "doubted"] == []
    for language in ("ja", "en"):
        answerable = [one for one in asked if one.question["lang"] == language and not one.question.get("refuse")]
        assert sum(one.grade == "right" for one in answerable) * 2 >= len(answerable)
    weather = [one.text for one in asked if one.question["lang"] == "en" and any("weather" in name for name, _ in one.calls)]
    assert weather
    assert not [text for text in weather if re.search("[\u3040-\u30ff]", text)]
