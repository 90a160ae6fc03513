"""The words the offline planner knows, as data: both languages say and recognise the same things."""

import re
import string
from typing import get_args

import pytest

from autonomy.llm.offline.vocabulary import DATA, LANGUAGES, Comparison, LanguageData


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_language_is_one_file_whose_patterns_all_compile(code: str) -> None:
    language = LanguageData.model_validate_json((DATA / f"{code}.json").read_text(encoding="utf-8"))
    patterns = [*language.actions, *language.negations, *language.unsupported, *language.positions, language.ahead]
    patterns += [
        language.reading,
        language.quantities,
        language.holding,
        language.everything,
        language.fact,
        *(pattern for pattern, _ in language.said),
    ]
    patterns += [one.pattern for one in language.comparisons] + [one.pattern for one in language.yes_or_no]
    for pattern in patterns:
        assert re.compile(pattern, re.IGNORECASE).search("") is None, f"{pattern!r} matches everything"


def test_every_phrase_is_said_in_every_language_with_the_same_values() -> None:
    def values(text: str) -> set[str | None]:
        return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}

    first, *others = [{phrase: values(text) for phrase, text in one.phrases.items()} for one in LANGUAGES.values()]
    assert others == [first]


def test_every_language_has_a_week_of_seven_days_and_the_same_questions() -> None:
    for language in LANGUAGES.values():
        assert len(set(language.weekdays)) == 7
        assert {one.order for one in language.comparisons} == set(get_args(Comparison.model_fields["order"].annotation))
        for question in language.yes_or_no:
            assert all(phrase in language.phrases for _, phrase in question.steps)
            assert [step for step, _ in question.steps] == sorted((step for step, _ in question.steps), reverse=True)
