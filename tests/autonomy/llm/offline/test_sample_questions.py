"""Sets of questions over the sample workspaces: none is answered wrongly or doubted, half are answered; three of five in the sweeps."""

import re
from pathlib import Path

import pytest

from tests.bench.offline_questions import DATA, QUESTIONS, Asked, ask_all, read_questions
from tests.requirements import requirement
from tests.support.sampling import only

FILES = [QUESTIONS, *(DATA / f"offline_questions_{name}.jsonl" for name in ("fresh", "team", "stranger", "accounted"))]


async def ask_each(cases: list[tuple[str, str, str]], home: Path) -> list[Asked]:
    """Put the questions of cases to the sample in their language."""
    return await ask_all([{"lang": lang, "sample": lang, "q": question} for lang, question, _ in cases], home)


MISREAD = [
    ("en", "How many people are on leave right now?", ""),
    ("en", "Say what U09GONE wrote today.", ""),
    ("en", "Which hold got the mail twice?", ""),
    ("en", "Any messages about curry on the 19th?", "Who is in for curry"),
    ("ja", "先週の木曜日の日記には何て書いてある？", "大きなPRを3つに分けました"),
    ("ja", "美咲さんは通知メールについて何と言っていた？", ""),
    ("ja", "うちの近くは明日晴れる？", ""),
]
"""Questions that were answered with something else: what must stand in the answer, or nothing where it is to be refused."""


@requirement("V9")
async def test_what_somebody_said_which_one_it_was_and_a_day_without_its_month_are_not_answered_by_something_near(
    tmp_path: Path,
) -> None:
    asked = await ask_each(MISREAD, tmp_path)
    answers = {one.question["q"]: one.text if one.completed else "" for one in asked}
    for _, question, says in MISREAD:
        assert says in answers[question], question
        assert bool(says) is bool(answers[question]), question


LISTED = [
    ("ja", "健太さんが書いた記事を教えて", "kenta"),
    ("ja", "喫茶ひなたからの返事は？", "すぐ直してくれてありがとう"),
    ("en", "How many posts has Maya written this month?", "There are 13."),
    ("ja", "チャンネルは何個ありますか？", "5 件です。"),
]
"""Questions whose answers are lines of fields, and what they say."""


@requirement("V9")
async def test_an_answer_of_listed_fields_is_not_doubted_where_nothing_compares_by_meaning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("autonomy.completion.evidence._INSTALLED", False)  # as the first command of the README installs it
    asked = await ask_each(LISTED, tmp_path)
    said = {question: says for _, question, says in LISTED}
    assert [(one.question["q"], one.doubts) for one in asked if one.doubts or not one.completed] == []
    assert [one.question["q"] for one in asked if said[one.question["q"]] not in one.text] == []


@requirement("V9")
@pytest.mark.parametrize("file", only(FILES[:1], FILES), ids=lambda file: file.stem)
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
