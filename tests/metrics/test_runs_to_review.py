"""Runs are ranked by what they lost and by signs of doubt, each with at most three reasons in the reader's language."""

import pytest

from metrics.events import RunEvent, RunFinished, RunStarted
from metrics.figures import Measured
from metrics.measures import measure
from metrics.reporting.report_words import CAUSES, reasons
from metrics.reporting.runs_to_review import MOST_REASONS, ReviewReason, runs_to_review
from metrics.trace_import.doubt import RULES


def runs(**endings: str) -> list[Measured]:
    events: list[RunEvent] = []
    for at, (run_id, ending) in enumerate(endings.items()):
        told = {"run_id": run_id, "at": at, "tenant": "default", "job": "diary"}
        end = {"ending": ending, "turns": 1, "calls": 0, "duration_s": 1}
        events.append(RunStarted.model_validate({"key": "started", "trigger": "test", **told}))
        events.append(RunFinished.model_validate({"key": "finished", **end, **told}))
    return list(measure(events).runs)


def test_a_run_that_lost_nothing_is_not_worth_a_look() -> None:
    found = runs_to_review(runs(fine="completed", broke="failed"))
    assert [look.run_id for look in found] == ["broke"]
    assert found[0].reasons[0].kind == "not_completed"


def test_signs_of_doubt_come_first_and_no_more_than_three_reasons_are_told() -> None:
    found = runs_to_review(runs(broke="failed", odd="completed"), {"odd": RULES[:4]})
    assert [look.run_id for look in found] == ["odd", "broke"]
    assert found[0].reasons == tuple(ReviewReason(f"sign: {rule.name}") for rule in RULES[:MOST_REASONS])


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_each_sign_has_words_in_both_languages(rule: object) -> None:
    japanese, english = (CAUSES[f"sign: {rule.name}"][language] for language in ("ja", "en"))  # type: ignore[attr-defined]
    assert english == rule.told  # type: ignore[attr-defined]
    assert any(character > "\u3000" for character in japanese)


def test_reasons_stand_in_one_line() -> None:
    told = (ReviewReason("sign: again"), ReviewReason("not_completed", "failed", "no network"))
    assert reasons(told, "en") == "it made the same call again; ended failed, not completed (no network)"
