"""docs/measures.md speaks of every measure and figure, and of none that is not there."""

import re
from pathlib import Path

from metrics.autonomy import MEASURES, TRIALS
from metrics.figures import BY_NAME, FIGURES
from metrics.reporting.causes import ASK_THE_MODEL, CHANGES
from metrics.reporting.reason_words import reason_in
from metrics.reporting.report_words import CAUSES, OUTCOMES, PROBLEMS, WORDS

MEASURES_PAGE = (Path(__file__).parents[2] / "docs" / "measures.md").read_text(encoding="utf-8")


def test_every_measure_has_its_definition_with_formula_na_rule_gaming_and_blind_spot() -> None:
    for name in MEASURES:
        section = MEASURES_PAGE.split(f"### {name}\n")[1].split("\n### ")[0]
        for row in ("| formula |", "| n/a |", "| gaming: ", "| what it cannot see |"):
            assert row in section, f"{name} lacks {row}"
    assert set(MEASURES) == set(TRIALS)


def test_the_table_of_figures_is_the_registry() -> None:
    documented = re.findall(r"^\| `(\w+)` \|", MEASURES_PAGE, re.MULTILINE)
    assert documented == [figure.name for figure in FIGURES if figure.name not in {*MEASURES, "overall"}]
    assert len(BY_NAME) == len(FIGURES)


def test_everything_shown_has_words_in_both_languages() -> None:
    assert {figure.name for figure in FIGURES} <= set(WORDS)
    assert set(CHANGES) <= set(CAUSES)
    assert all(pair.keys() == {"ja", "en"} and all(pair.values()) for pair in [*WORDS.values(), *CAUSES.values()])


def test_a_cause_says_the_same_things_in_both_languages() -> None:
    for japanese, english in ((both["ja"], both["en"]) for both in CAUSES.values()):
        assert re.findall(r"\{\w+\}", japanese) == re.findall(r"\{\w+\}", english)


def test_every_change_that_is_suggested_is_explained_in_japanese() -> None:
    lines = {
        line
        for text in (*CHANGES.values(), ASK_THE_MODEL)
        for line in text.format(subject="slack_post", about="").split("\n")
        if "# " in line
    }
    assert [line for line in lines if reason_in("ja", line) == line] == []


def test_a_rehearsal_has_one_japanese_word() -> None:
    names = {"rehearsals", "rehearsal_unmeasured", "simulated"}
    shown = [pair["ja"] for words in (WORDS, PROBLEMS, OUTCOMES) for name, pair in words.items() if name in names]
    assert len(shown) >= len(names)
    assert all("リハーサル" in one for one in shown), shown
