"""Points are fitted to people's votes by a rule that a person can check, and never to luck."""

from collections.abc import Iterator
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.autonomy import DISLIKED, Loss
from metrics.figures import Measured
from metrics.measures import measure
from metrics.reporting.fitted_signs import (
    FEWEST_OF_A_KIND,
    MARGIN,
    SIGNS,
    FittedSigns,
    VotedRun,
    fit_note,
    fit_signs,
    voted_run,
)
from metrics.reporting.runs_to_review import runs_to_review
from tests.metrics.story import Story, diary


def voted(count: int, *signs: str, disliked: bool, name: str = "") -> Iterator[VotedRun]:
    for number in range(count):
        yield VotedRun(f"{name or '+'.join(signs)}-{disliked}-{number}", dict.fromkeys(signs, 0.1), disliked)


SHARP = [
    *voted(30, "repeated", disliked=True),
    *voted(1, "repeated", disliked=False),
    *voted(20, "not_recovered", disliked=True),
    *voted(20, "not_recovered", disliked=False),
    *voted(80, disliked=False),
]
"""One sign that is nearly always right, one that is right half of the time, and runs without any."""


def test_a_sign_gets_two_points_where_it_is_precise_and_one_where_it_only_beats_the_base_rate() -> None:
    fit = fit_signs(SHARP)
    assert fit.points == {"repeated": 2}, "0.50 (0.35-0.65) is not 0.05 above the 0.33 that is disliked anyway"
    more = fit_signs([*SHARP, *voted(100, disliked=False, name="more")])
    assert more.points == {"repeated": 2, "not_recovered": 1}
    repeated = fit.signs[0]
    assert (repeated.sign, repeated.runs, repeated.disliked, repeated.shipped) == ("repeated", 31, 30, pytest.approx(0.1))
    assert repeated.precision.low == pytest.approx(0.838, abs=0.001)


@pytest.mark.parametrize(("shown", "points"), [(9, 0), (10, 2)])
def test_a_sign_that_few_runs_show_has_no_points_however_often_it_was_right(shown: int, points: int) -> None:
    fit = fit_signs([*voted(shown, "repeated", disliked=True), *voted(100, disliked=False)])
    assert fit.points.get("repeated", 0) == points


def test_a_run_is_doubtful_from_the_fewest_points_that_keep_the_aim_on_runs_without_a_say() -> None:
    fit = fit_signs(SHARP)
    assert (fit.chosen, fit.doubtful_from) == (2, 2)
    assert (fit.checked.disliked, fit.checked.liked) == (30, 1)


def test_no_run_is_doubtful_where_no_sign_separates() -> None:
    fit = fit_signs([*voted(20, "repeated", disliked=True), *voted(100, "repeated", disliked=False)])
    assert (fit.points, fit.chosen, fit.doubtful_from) == ({}, None, None)


@given(shown=st.tuples(*[st.integers(0, 60)] * 2), plain=st.tuples(*[st.integers(0, 60)] * 2))
def test_a_sign_that_does_not_separate_never_gains_points(shown: tuple[int, int], plain: tuple[int, int]) -> None:
    """Whatever the counts: a sign that is disliked no more often than the runs without it, and the margin, weighs nothing."""
    runs = [
        *voted(shown[0], "repeated", disliked=True),
        *voted(shown[1], "repeated", disliked=False),
        *voted(plain[0], disliked=True),
        *voted(plain[1], disliked=False),
    ]
    fit = fit_signs(runs)
    base = (shown[0] + plain[0]) / len(runs) if runs else 0.0
    if sum(shown) and shown[0] / sum(shown) <= base + MARGIN:
        assert fit.points == {}
    assert all(one.precision.low is not None and one.precision.low >= base + MARGIN for one in fit.signs if one.points)


@given(st.permutations(SHARP))
def test_the_order_of_the_runs_changes_nothing(runs: list[VotedRun]) -> None:
    assert fit_signs(runs) == fit_signs(SHARP)


@pytest.mark.parametrize(("liked", "disliked"), [(80, 19), (200, FEWEST_OF_A_KIND - 1), (FEWEST_OF_A_KIND - 1, 200), (0, 0)])
def test_too_few_votes_are_no_fit_and_it_says_how_many_are_there(liked: int, disliked: int) -> None:
    fit = fit_signs([*voted(liked, disliked=False), *voted(disliked, disliked=True)])
    assert fit.too_few.startswith(f"{liked + disliked} runs have a vote, {liked} liked and {disliked} disliked;")
    assert not fit_signs([*voted(90, disliked=False), *voted(10, disliked=True)]).too_few


def test_a_vote_is_no_sign_of_itself() -> None:
    """With the vote, all that is left of the quality is that somebody disliked it; without, what the rules missed is there."""
    story = Story("r").start().turn().call().turn().judge(missing=("length",)).finish().vote(good=True).vote(good=False)
    (run,) = measure(story.events).runs
    assert DISLIKED in {loss.kind for loss in run.losses}
    found = voted_run(run.facts)
    assert (found.disliked, list(found.lost)) == (True, ["rule_unheld"])
    assert sum(found.lost.values()) == pytest.approx(1 / 8), "a rule of four, and one of two measures"


def test_every_kind_of_lost_point_can_be_a_sign() -> None:
    """A kind that `metrics.autonomy` yields and that no file may name would make a fit that cannot be read again."""
    assert {"repeated", "not_completed", "model_failed", "need_unmet"} < SIGNS
    assert DISLIKED not in SIGNS
    assert FittedSigns(votes=100, fitted_on=date(2026, 11, 26), points=dict.fromkeys(SIGNS, 1)).points.keys() == SIGNS


FITTED = FittedSigns(votes=150, fitted_on=date(2026, 11, 26), doubtful_from=2, points={"repeated": 2})


def measured(*stories: Story) -> list[Measured]:
    return list(measure(event for story in stories for event in story.events).runs)


def repeating(run_id: str) -> Story:
    """Nearly all is well, but for one call that was made twice."""
    story = Story(run_id).start().turn()
    for _ in range(9):
        story.call()
    return story.call(repeated=True).turn().judge().finish()


def test_what_people_here_dislike_comes_before_what_costs_most() -> None:
    runs = measured(repeating("twice"), diary("stopped").finish("exhausted", "the limit of 10 steps"))
    assert [look.run_id for look in runs_to_review(runs)] == ["stopped", "twice"]
    fitted = runs_to_review(runs, fitted=FITTED)
    assert [(look.run_id, look.points) for look in fitted] == [("twice", 2), ("stopped", 0)]
    assert fitted[0].reasons[0].kind == "repeated"


def test_a_run_that_somebody_disliked_needs_no_sign_and_comes_after_what_nobody_has_judged() -> None:
    runs = measured(repeating("twice"), diary("bad").vote(good=False))
    assert [(look.run_id, look.points) for look in runs_to_review(runs, fitted=FITTED)] == [("twice", 2), ("bad", 2)]


def test_what_everybody_liked_is_not_doubted() -> None:
    (look,) = runs_to_review(measured(repeating("twice").vote(good=True)), fitted=FITTED)
    assert (look.points, look.judged) == (0, True)


def test_a_list_of_runs_names_what_ranks_it() -> None:
    assert fit_note(FITTED, 3, "en") == (
        "ranked as fitted to 150 of your own votes on 2026-11-26; doubtful, with 2 points or more: the first 3"
    )
    assert "150 件" in fit_note(FITTED, 0, "ja")
    assert fit_note(None, 0, "en") == ""


def test_losses_of_one_kind_count_once() -> None:
    loss = Loss("tool_selection_accuracy", "repeated", "a", "", 0.1)
    assert FITTED.of([loss, loss], ()) == 2
