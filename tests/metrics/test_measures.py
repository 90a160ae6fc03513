"""Folding events into measures: laws that hold for any stream, and the figures of a period."""

import itertools
import random
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.events import ModelAnswered, RunEvent, TickHandled
from metrics.figures import FIGURES
from metrics.intervals import wilson
from metrics.measures import Measures, measure, measure_runs
from metrics.repeats import tasks
from metrics.reporting.causes import causes, habits
from metrics.reporting.report_data import line_of
from metrics.running_totals import total
from tests.metrics.story import Story, diary
from tests.requirements import requirement


def troubled(run_id: str = "run-2") -> Story:
    story = Story(run_id, model="anthropic:claude-opus").start(needs=("slack_activity",)).model_fails()
    story.turn().call(errors=("CallTimedOut",), cured_by="retry", needs=("slack_activity",)).call(
        problem="invalid_arguments", outcome="terminal"
    )
    story.turn(fallback=True, model="openai:gpt-5-mini", cost_usd=None).call(
        "esa_create_post", effect="outward", answer="granted", receipt="unknown"
    )
    return story.intervene("resume").judge("continue", missing=("TIL",)).finish("exhausted", "steps")


def values(measures: Measures) -> dict[str, object]:
    return {figure.name: measures.estimate(figure.name) for figure in FIGURES} | {
        "level": measures.level,
        "tools": measures.tools(),
    }


stories = st.lists(st.sampled_from(["diary", "troubled", "bare"]), min_size=1, max_size=4).map(
    lambda kinds: list(
        itertools.chain.from_iterable(
            {"diary": diary, "troubled": troubled, "bare": lambda run_id: Story(run_id).start().turn().call()}[kind](
                f"run-{number}"
            ).events
            for number, kind in enumerate(kinds)
        )
    )
)


@given(events=stories, seed=st.integers(0, 2**16), again=st.integers(0, 20), cut=st.floats(0, 1))
def test_order_repetition_and_splitting_change_nothing(events: list[RunEvent], seed: int, again: int, cut: float) -> None:
    whole = values(measure(events))
    shuffled = [*events, *events[:again]]
    random.Random(seed).shuffle(shuffled)
    at = int(cut * len(shuffled))
    first, second = measure(shuffled[:at]), measure(shuffled[at:])
    untouched = values(second)
    first.merge(second)
    assert values(first) == whole == values(measure(shuffled))
    assert values(second) == untouched


@given(events=stories, seed=st.integers(0, 2**16), cut=st.integers(0, 4))
def test_runs_told_one_after_the_other_give_the_same_and_keep_less(events: list[RunEvent], seed: int, cut: int) -> None:
    told = [list(run) for _, run in itertools.groupby(events, lambda event: event.run_id)]
    for run in told:
        random.Random(seed).shuffle(run)
    whole, settled, rest = measure(events), measure_runs(itertools.chain(*told[:cut])), measure_runs(itertools.chain(*told[cut:]))
    settled.merge(rest)
    assert values(settled) == values(whole)
    assert (causes(settled.runs), habits(settled.runs)) == (causes(whole.runs), habits(whole.runs))
    assert (settled.models(), settled.phase_seconds()) == (whole.models(), whole.phase_seconds())
    assert [line_of(run) for run in settled.runs] == [line_of(run) for run in whole.runs]
    assert not any(run.verdicts for run in settled.facts.values())


@requirement("M1", "M3")
def test_a_period_is_the_mean_over_the_runs_that_have_the_measure() -> None:
    measures = measure([*diary("a").events, *troubled("b").events])
    assert measures.autonomy.tool_selection_accuracy == pytest.approx((1.0 + 2 / 3) / 2)
    assert measures.estimate("error_recovery_rate").n == 1
    assert measures.autonomy.result_quality == 0.5
    assert measures.level == "medium"


@requirement("M1", "M3")
@pytest.mark.parametrize(("proven", "bare", "level"), [(1, 0, "high"), (1, 1, "high"), (1, 2, "medium"), (0, 1, "medium")])
def test_the_level_of_a_period_is_high_only_where_half_of_its_runs_could_prove_theirs(proven: int, bare: int, level: str) -> None:
    told = [diary(f"proven-{number}") for number in range(proven)]
    told += [Story(f"bare-{number}").start().turn().call().finish() for number in range(bare)]
    measures = measure(event for story in told for event in story.events)
    assert (measures.overall, measures.level) == (1.0, level)


@requirement("M2")
def test_no_runs_no_numbers() -> None:
    empty = measure([])
    assert all(empty.estimate(figure.name).value is None for figure in FIGURES)
    assert (empty.level, empty.overall, empty.runs) == (None, None, ())


@requirement("M4")
def test_people_retries_alternatives_cost_and_time_are_counted() -> None:
    measures = measure([*diary("a").events, *troubled("b").events])
    found = {figure.name: measures.estimate(figure.name).value for figure in FIGURES}
    assert found["completion"] == found["unattended_completion"] == 0.5
    assert (found["human_load"], found["interventions"], found["approvals_asked"], found["approvals_granted"]) == (
        1.0,
        0.5,
        1,
        1.0,
    )
    assert (found["cured_by_retry"], found["retries"], found["effects_unknown"], found["effects_done"]) == (1.0, 0.5, 1, 1)
    assert found["model_fallback"] == pytest.approx(1 / 5)
    assert found["cost_usd"] == pytest.approx(0.012)
    assert measures.estimate("cost_usd").n == 1
    assert found["prompt_cache_hits"] == pytest.approx(0.5)


@requirement("M4")
def test_small_talk_is_no_completion_and_no_failure_and_scores_nothing() -> None:
    talk = Story("talk").start().turn(stop_reason="small_talk").judge(rules=0).finish()
    assert measure(talk.events).overall is None
    for story, share in ((diary("a"), 1.0), (troubled("b"), 0.0)):
        measures = measure([*story.events, *talk.events])
        for name in ("completion", "unattended_completion", "completion_with_one_touch"):
            found = measures.estimate(name)
            assert (found.value, found.n) == (share, 1), name


@requirement("M4", "N2")
def test_the_session_of_a_clients_agent_is_in_no_rate_of_completion_and_in_no_figure_of_time() -> None:
    """Each counted as one that was not completed and took no time, and all of them as trials of one task."""
    sessions = [Story(f"gateway-{n}", job="").start(goal_sha256="empty").turn().call().finish("closed") for n in range(3)]
    told = [event for story in (diary("a"), *sessions) for event in story.events]
    measures, alone = measure(told), measure(diary("a").events)
    for name in ("completion", "unattended_completion", "completion_with_one_touch", "judged_by_people", "turns", "duration"):
        assert measures.estimate(name) == alone.estimate(name), name
    assert set(tasks(measures).values()) == {(1, 1)}
    sums = total(measures.runs)
    assert [sums["seconds_of",], sums["mean_of", "", "unattended_completion"]] == [1, 0]


def test_a_reply_to_small_talk_beside_calls_does_not_take_a_run_out_of_the_figures() -> None:
    story = Story().start().turn().call().turn(stop_reason="small_talk").judge().finish()
    assert measure(story.events).estimate("completion").n == 1


def test_a_completion_that_asked_a_person_once_is_not_unattended() -> None:
    story = (
        Story()
        .start()
        .turn()
        .call("esa_create_post", effect="outward", decision="ask", answer="granted", receipt="done")
        .judge()
        .finish()
    )
    measures = measure(story.events)
    assert measures.estimate("unattended_completion").value == 0.0
    assert measures.estimate("completion_with_one_touch").value == 1.0


def test_what_people_think_is_a_share_of_the_runs_they_judged_and_their_last_word_counts() -> None:
    stories = [
        diary("praised").vote(True),
        diary("reconsidered").vote(False).vote(True),
        diary("disputed").vote(True, by="U1").vote(False, by="U2"),
        *(diary(f"unjudged-{number}") for number in range(3)),
    ]
    measures = measure(event for story in stories for event in story.events)
    liked, judged = measures.estimate("liked"), measures.estimate("judged_by_people")
    assert (liked.value, liked.n) == (pytest.approx(2 / 3), 3)
    assert (liked.low, liked.high) == pytest.approx(wilson(2 / 3, 3))
    assert (judged.value, judged.n) == (0.5, 6)
    assert measure(diary().events).estimate("liked").value is None


def test_a_second_opinion_is_held_against_the_rules_and_against_people() -> None:
    stories = [
        Story("agrees").start().turn().judge().opine().finish().vote(True),
        Story("too kind").start().turn().judge().opine().finish().vote(False),
        Story("found it").start().turn().judge().opine("continue").finish("exhausted").vote(True, "U1").vote(False, "U2"),
        Story("mended").start().turn().judge().opine("continue").turn().judge().opine().finish().vote(True),
        Story("nobody said").start().turn().judge().opine().finish(),
        Story("not asked").start().turn().judge().finish().vote(True),
    ]
    measures = measure(event for story in stories for event in story.events)
    as_rules, as_people = measures.estimate("opinion_as_rules"), measures.estimate("opinion_as_people")
    assert (as_rules.value, as_people.value, as_people.n) == (pytest.approx(4 / 6), 0.75, 4)
    assert measure(stories[-1].events).estimate("opinion_as_rules").value is None
    assert measure(stories[-2].events).estimate("opinion_as_people").value is None


def test_what_second_opinions_took_is_told_apart_from_the_rest() -> None:
    plain, read = Story("plain").start().turn().judge().finish(), Story("read").start().turn().judge().opine()
    took = {"input_tokens": 900, "output_tokens": 30, "cached_tokens": 0, "cost_usd": Decimal("0.002")}
    for asked in ("opinion", "opinion-2"):  # the first reply could not be used
        key = f"turn-1/{asked}/model-answered"
        read.tell(ModelAnswered, key, turn=1, model=read.model, duration_s=1.0, stop_reason="stop", **took)
    both = measure(event for story in (plain, read.finish()) for event in story.events)
    assert measure(plain.events).estimate("opinion_tokens").value is None
    told = both.estimate("opinion_tokens"), both.estimate("opinion_cost"), both.estimate("cost_usd")
    assert [one.value for one in told] == pytest.approx([1860, 0.004, 0.012])


def test_rehearsals_and_skipped_ticks_are_no_runs() -> None:
    tick = TickHandled(run_id="tick-1", key="tick", at=1.0, due=1.0, did="skipped", reason="holiday")
    measures = measure([*Story().start(simulated=True).turn().finish().events, tick])
    assert (measures.runs, measures.simulated, len(measures.ticks)) == ((), 1, 1)


def test_runs_are_parted_by_tool_and_model() -> None:
    measures = measure([*diary("a").events, *troubled("b").events])
    history = measures.tools()["slack_get_channel_history"]
    assert (history.calls, history.success.value, history.mischosen, history.retried) == (3, 1.0, 1, 1)
    assert measures.tools(lambda call: call.provider)["esa"].asked == 1
    assert set(measures.tools(lambda call: call.provider if call.tool == "esa_create_post" else "")) == {"esa"}, "some have none"
    claude = measures.models()["anthropic:claude-opus"]
    assert (claude.replies, claude.failures, claude.cost_usd) == (1, 1, pytest.approx(0.004))
    assert measures.models()["openai:gpt-5-mini"].cost_usd is None
