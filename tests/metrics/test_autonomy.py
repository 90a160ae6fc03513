"""The four measures of M1: what raises and lowers them, when they are n/a, and why gaming does not pay."""

from typing import Any

import pytest

from metrics.autonomy import AutonomyMetrics, level_of, score
from metrics.events import Judged, QualityPart
from metrics.reporting.report_data import explain
from metrics.run_facts import RunFacts
from tests.metrics.story import Story, diary
from tests.requirements import requirement


def measured(story: Story) -> AutonomyMetrics:
    return AutonomyMetrics.measure_autonomy_level(story.events)


@requirement("M1")
def test_a_flawless_diary_is_highly_autonomous() -> None:
    metrics = measured(diary())
    assert metrics.breakdown == {
        "tool_selection_accuracy": 1.0,
        "error_recovery_rate": None,
        "data_collection_completeness": 1.0,
        "result_quality": 1.0,
    }
    assert (metrics.overall, metrics.level) == (1.0, "high")


@requirement("M1")
@pytest.mark.parametrize(
    ("overall", "level"),
    [(1.0, "high"), (0.9, "high"), (0.899, "medium"), (0.7, "medium"), (0.699, "low"), (0.0, "low"), (None, None)],
)
def test_the_levels_begin_where_the_seed_puts_them(overall: float | None, level: str | None) -> None:
    assert level_of(overall, proven=True) == level


@requirement("M2")
def test_without_events_everything_is_not_applicable() -> None:
    metrics = AutonomyMetrics.measure_autonomy_level([])
    assert (metrics.overall, metrics.level, set(metrics.breakdown.values())) == (None, None, {None})


@requirement("M2")
def test_a_measure_without_data_is_left_out_of_the_mean() -> None:
    metrics = AutonomyMetrics(tool_selection_accuracy=0.8, result_quality=0.6)
    assert metrics.overall == pytest.approx(0.7)


@requirement("M2")
def test_a_rehearsal_has_no_measures() -> None:
    rehearsed = Story().start(simulated=True, needs=["activity"]).turn().call(needs=("activity",)).judge().finish()
    assert set(measured(rehearsed).breakdown.values()) == {None}


def test_events_of_two_runs_are_refused() -> None:
    with pytest.raises(ValueError, match="measure one run at a time"):
        AutonomyMetrics.measure_autonomy_level([*diary("a").events, *diary("b").events])


class TestToolSelection:
    def test_a_call_of_unknown_effect_may_have_changed_something(self) -> None:
        story = Story().start(needs=("a",)).turn().call(effect="").call(effect="").finish()
        assert measured(story).tool_selection_accuracy == 1.0

    def test_a_call_that_was_not_made_is_no_choice(self) -> None:
        story = Story().start().turn().call(problem="unknown_tool", outcome="terminal").call(outcome="not_run").finish()
        assert measured(story).tool_selection_accuracy == 0.0

    @pytest.mark.parametrize(
        "unsound",
        [
            {"problem": "unknown_tool", "outcome": "terminal"},
            {"problem": "invalid_arguments", "outcome": "terminal"},
            {"problem": "unreadable", "outcome": "terminal"},
            {"outcome": "denied", "decision": "deny"},
            {"repeated": True},
        ],
    )
    def test_an_unsound_choice_counts_against_the_model(self, unsound: dict[str, object]) -> None:
        story = Story().start().turn().call().call(**unsound).finish()
        assert measured(story).tool_selection_accuracy == 0.5

    def test_a_tool_that_breaks_was_no_wrong_choice(self) -> None:
        story = Story().start().turn().call(outcome="terminal", problem="tool_error").finish()
        assert measured(story).tool_selection_accuracy == 1.0

    def test_what_the_host_calls_by_itself_is_nobodys_choice(self) -> None:
        story = Story().start().turn().call(asked_for=False, repeated=True).finish()
        assert measured(story).tool_selection_accuracy is None

    def test_an_approval_that_expires_was_no_wrong_choice(self) -> None:
        story = (
            Story().start().turn().call(effect="outward", outcome="denied", decision="ask", answer="expired").finish("blocked")
        )
        assert measured(story).tool_selection_accuracy == 1.0

    def test_calling_nothing_misses_every_declared_need(self) -> None:
        assert measured(Story().start(needs=("a", "b")).turn().judge().finish()).tool_selection_accuracy == 0.0
        assert measured(Story().start().turn().judge().finish()).tool_selection_accuracy is None

    def test_where_no_model_was_asked_nobody_chose(self) -> None:
        held_back = Story().start(needs=("activity",)).finish("blocked", "budget: 0.30 of 0.30 USD of the day are used up")
        assert measured(held_back).tool_selection_accuracy is None

    def test_calling_everything_does_not_pay(self) -> None:
        story = Story().start(needs=("a",)).turn().call(needs=("a",))
        for number in range(9):
            story.call(f"other_tool_{number}")
        assert measured(story.finish()).tool_selection_accuracy == pytest.approx(0.2)

    def test_one_read_in_support_of_each_that_serves_is_sound(self) -> None:
        story = Story().start(needs=("a",)).turn().call("slack_get_users").call(needs=("a",)).finish()
        assert measured(story).tool_selection_accuracy == 1.0


class TestErrorRecovery:
    def test_a_retry_an_alternative_and_a_later_turn_recover(self) -> None:
        story = Story().start().turn().call(errors=("CallTimedOut",), cured_by="retry")
        story.call("esa_list_posts", errors=("tool_error",), cured_by="alternative", alternatives=[("esa_get_members", True)])
        story.call("slack_get_users", outcome="terminal", problem="soft_failure").turn().call("slack_get_users").finish()
        assert measured(story).error_recovery_rate == 1.0

    def test_a_failure_that_was_not_overcome_is_not_forgiven_by_a_later_success_of_the_same_call(self) -> None:
        story = Story().start().turn().call(outcome="unknown_outcome", arguments="a" * 64)
        story.turn().call(errors=("CallTimedOut",), cured_by="retry", arguments="a" * 64).finish()
        assert measured(story).error_recovery_rate == 0.0

    def test_a_failure_nothing_followed_is_not_recovered(self) -> None:
        story = Story().start().turn().call(outcome="terminal", problem="transport").finish("failed")
        assert measured(story).error_recovery_rate == 0.0

    def test_a_success_of_the_same_turn_is_no_recovery(self) -> None:
        story = Story().start().turn().call(outcome="terminal", problem="transport").call().finish()
        assert measured(story).error_recovery_rate == 0.0

    def test_another_tool_for_the_same_need_recovers(self) -> None:
        story = Story().start(needs=("a",)).turn().call(outcome="terminal", problem="transport", needs=("a",))
        assert measured(story.turn().call("files_read", needs=("a",)).finish()).error_recovery_rate == 1.0

    def test_the_same_call_failing_again_is_one_failure(self) -> None:
        story = Story().start()
        for _ in range(5):
            story.turn().call(outcome="terminal", problem="tool_error", arguments="same")
        story.turn().call("esa_list_posts", errors=("CallTimedOut",), cured_by="retry").finish()
        assert measured(story).error_recovery_rate == 0.5

    @pytest.mark.parametrize("kind", ["retry", "resolve_effect", "edit"])
    def test_what_ends_well_after_a_person_stepped_in_did_not_recover_by_itself(self, kind: str) -> None:
        def recovery(story: Story) -> float | None:
            return measured(story.finish()).error_recovery_rate

        cured: dict[str, Any] = {"errors": ("CallTimedOut",), "cured_by": "retry"}
        lost: dict[str, Any] = {"effect": "outward", "outcome": "unknown_outcome", "receipt": "reconciled"}
        for call in (cured, lost):
            assert recovery(Story().start().turn().call(**call).intervene(kind)) == 1.0
            assert recovery(Story().start().turn().intervene(kind).call(**call)) == 0.0

    def test_a_person_who_helps_takes_the_credit(self) -> None:
        story = Story().start().turn().call(outcome="terminal", problem="tool_error").intervene("retry").turn().call().finish()
        assert measured(story).error_recovery_rate == 0.0

    def test_an_unknown_effect_is_recovered_by_looking_it_up(self) -> None:
        wrote = {"tool": "esa_create_post", "effect": "outward", "outcome": "unknown_outcome", "problem": "transport"}
        assert measured(Story().start().turn().call(**wrote, receipt="reconciled").finish()).error_recovery_rate == 1.0
        assert measured(Story().start().turn().call(**wrote, receipt="unknown").finish()).error_recovery_rate == 0.0

    def test_a_model_that_fails_and_answers_is_recovered(self) -> None:
        assert measured(Story().start().model_fails().turn().finish()).error_recovery_rate == 1.0
        assert measured(Story().start().model_fails(then="give_up").finish("failed")).error_recovery_rate == 0.0

    def test_a_refusal_is_no_failure(self) -> None:
        assert measured(Story().start().turn().call(outcome="denied", decision="deny").finish()).error_recovery_rate is None


class TestCompleteness:
    def test_it_is_the_share_of_needs_with_evidence(self) -> None:
        story = (
            Story()
            .start(needs=("a", "b", "c"))
            .turn()
            .call(needs=("a",))
            .call(needs=("b",), outcome="terminal", problem="tool_error")
        )
        assert measured(story.judge(needs_met=("c",)).finish()).data_collection_completeness == pytest.approx(2 / 3)

    def test_a_models_word_is_no_evidence(self) -> None:
        story = Story().start(needs=("a",)).turn()
        story.tell(Judged, "turn-1/opinion", turn=1, verdict="complete", needs_met=("a",), by="model")
        assert measured(story.finish()).data_collection_completeness == 0.0

    @pytest.mark.parametrize(("outcome", "problem"), [("suspicious", "soft_failure"), ("empty", "")])
    def test_an_answer_that_is_empty_or_looks_odd_is_no_evidence(self, outcome: str, problem: str) -> None:
        story = Story().start(needs=("a",)).turn().call(needs=("a",), outcome=outcome, problem=problem).finish()
        assert measured(story).data_collection_completeness == 0.0

    def test_without_declared_needs_it_is_not_applicable_and_the_level_is_not_high(self) -> None:
        metrics = measured(Story().start().turn().call().judge().finish())
        assert (metrics.data_collection_completeness, metrics.overall, metrics.level) == (None, 1.0, "medium")

    def test_of_a_run_under_way_nothing_is_missing_yet(self) -> None:
        assert measured(Story().start(needs=("a",)).turn()).data_collection_completeness is None


class TestResultQuality:
    @pytest.mark.parametrize("ending", ["blocked", "exhausted", "cancelled", "failed"])
    def test_a_run_that_was_not_completed_delivered_nothing(self, ending: str) -> None:
        assert measured(Story().start().turn().judge("continue", missing=("TIL",)).finish(ending)).result_quality == 0.0

    def test_the_judges_last_word_counts(self) -> None:
        story = Story().start().turn().judge("continue", missing=("TIL",)).turn().judge().finish()
        assert measured(story).result_quality == 1.0

    def test_it_is_the_weakest_of_rules_and_effects_and_a_vote_makes_up_for_neither(self) -> None:
        story = Story().start().turn().call(effect="outward", receipt="done").judge(rules=3, missing=("TIL",)).finish()
        assert measured(story).result_quality == pytest.approx(2 / 3)
        assert measured(story.vote(True)).result_quality == pytest.approx(2 / 3)
        unknown = Story().start().turn().call(effect="outward", receipt="unknown").judge(rules=3).finish()
        assert measured(unknown).result_quality == 0.0

    @pytest.mark.parametrize(
        ("parts", "quality", "cause"),
        [
            ({"grounding": (10, 10), "coverage": (5, 5)}, 1.0, set()),
            ({"grounding": (10, 10), "coverage": (1, 5)}, 0.2, {"coverage"}),
            ({"grounding": (3, 10), "coverage": (5, 5)}, 0.3, {"grounding"}),
            ({"grounding": (9, 10), "subject": (1, 4)}, 0.25, {"subject"}),
        ],
        ids=["true and whole", "true but thin", "rich but unsupported", "of somebody else"],
    )
    def test_no_part_makes_up_for_another_and_the_weakest_is_the_cause(
        self, parts: dict[str, tuple[int, int]], quality: float, cause: set[str]
    ) -> None:
        counted = [QualityPart(name=name, held=held, of=of) for name, (held, of) in parts.items()]  # type: ignore[arg-type]
        story = Story().start().turn().call().judge(parts=counted).finish()
        assert measured(story).result_quality == pytest.approx(quality)
        run = RunFacts(story.events[0].run_id)
        for event in story.events:
            run.take(event)
        assert {loss.kind for loss in score(run)[1] if loss.measure == "result_quality"} == cause

    def test_a_number_of_any_size_is_counted_and_never_listed(self) -> None:
        many = 10**12
        story = Story().start().turn().call().judge(rules=many, missing=("TIL",)).finish()
        assert measured(story).result_quality == pytest.approx(1.0)
        part = QualityPart(name="coverage", held=many, of=4 * many)
        story = Story().start().turn().call().judge(rules=many, parts=[part]).finish()
        assert measured(story).result_quality == 0.25
        explained = explain(story.events)
        (loss,) = (one for one in explained.losses if one.measure == "result_quality")
        assert (loss.kind, loss.times) == ("coverage", 3 * many)
        assert [cause.times for cause in explained.changes if cause.kind == "coverage"] == [3 * many]

    def test_a_person_who_says_no_voids_every_other_proof(self) -> None:
        assert measured(diary().vote(False)).result_quality == 0.0

    def test_the_last_word_of_a_person_counts(self) -> None:
        assert measured(diary().vote(False).vote(True)).result_quality == 1.0

    def test_a_post_that_cannot_be_read_back_is_no_proof(self) -> None:
        story = Story().start().turn().call(effect="outward", receipt="done", read_back="absent").finish()
        assert measured(story).result_quality == 0.0

    def test_without_rules_receipts_and_votes_it_is_not_applicable(self) -> None:
        assert measured(Story().start().turn().call().finish()).result_quality is None
