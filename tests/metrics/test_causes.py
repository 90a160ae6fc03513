"""Why: the trace of lost points is exact, causes carry their evidence, and habits of people become rules."""

import random
from pathlib import Path

import pytest

from discovery.servers.servers_file import load_servers
from metrics.autonomy import TRIALS
from metrics.measures import measure
from metrics.reporting.causes import CHANGES, Cause, causes, habits
from metrics.reporting.report_words import CAUSES, cause
from tests.metrics.story import Story, diary
from tests.metrics.synthetic import FAULTS, labelled, tell


def test_every_lost_point_has_a_cause_and_the_causes_are_the_whole_loss() -> None:
    runs = measure(event for run in labelled(3, clean_runs=20, per_fault=8) for event in run.events).runs
    for run in runs:
        assert sum(loss.points for loss in run.losses) == pytest.approx(1 - (run.autonomy.overall or 0.0))
    lost = sum(1 - (run.autonomy.overall or 0.0) for run in runs) / len(runs)
    found = causes(runs)
    assert sum(one.points for one in found) == pytest.approx(lost)
    assert sum(one.share for one in found) == pytest.approx(1.0)
    assert [one.points for one in found] == sorted((one.points for one in found), reverse=True)


@pytest.mark.parametrize(
    ("fault", "kind", "subject"),
    [
        ("unknown_tool", "unknown_tool", "slack_read_everything"),
        ("wrong_arguments", "invalid_arguments", "slack_get_channel_history"),
        ("repeated_calls", "repeated", "esa_list_posts"),
        ("irrelevant_calls", "beside_the_point", "weather_tool_8"),
        ("refused_call", "denied", "slack_post_message"),
        ("nothing_called", "no_tool_chosen", "activity"),
        ("read_lost", "not_recovered", "slack_get_thread_replies"),
        ("model_down", "model_failed", "openai:gpt-5"),
        ("need_skipped", "need_unmet", "activity"),
        ("exhausted", "not_completed", "exhausted"),
        ("effect_unknown", "not_completed", "blocked"),
        ("disliked", "disliked", "diary"),
    ],
)
def test_a_planted_fault_is_named(fault: str, kind: str, subject: str) -> None:
    events = [event for seed in range(30) for event in tell(fault, f"run-{seed}", random.Random(seed))]
    assert (kind, subject) in {(found.kind, found.subject) for found in causes(measure(events).runs)}


def test_every_cause_has_words_in_both_languages() -> None:
    runs = measure(event for run in labelled(3, clean_runs=5, per_fault=8) for event in run.events).runs
    found = causes(runs)
    assert {one.kind for one in found} <= set(CAUSES)
    for one in found:
        for language in ("ja", "en"):
            told = cause(one.kind, one.subject, one.detail, language)
            assert "{" not in told
            assert "()" not in told
    assert set(TRIALS) == {one.measure for one in found}
    assert len(FAULTS) == 16


def test_a_cause_names_its_argument_its_runs_and_what_to_change() -> None:
    wrong = {"outcome": "terminal", "problem": "invalid_arguments", "at_fault": ("oldest",)}
    events = [event for n in range(5) for event in Story(f"run-{n}", at=n).start().turn().call(**wrong).judge().finish().events]
    found = next(one for one in causes(measure(events).runs) if one.kind == "invalid_arguments")
    assert (found.detail, found.times, found.runs, found.examples) == ("oldest", 5, 5, ("run-4", "run-3", "run-2"))
    assert "slack_get_channel_history: oldest" in found.change


@pytest.mark.parametrize("change", [text for text in CHANGES.values() if text.startswith("# servers file, at the server of")])
def test_what_a_report_says_to_write_at_a_server_is_taken_by_the_servers_file(change: str, tmp_path: Path) -> None:
    key = change.format(subject="box_look", about="oldest: ").partition("\n")[2]
    file = tmp_path / "jiritsu.mcp.json"
    file.write_text(f'{{"mcpServers": {{"box": {{"command": "x", {key}}}}}}}', encoding="utf-8")
    assert load_servers(file, env={}).warnings == ()


def test_each_server_that_was_not_there_is_a_cause_of_its_own() -> None:
    ended = "its process ended with exit code 1; the end of its stderr: no key"
    reasons = (f"unavailable: notes ({ended}); unavailable: desk (needs TOKEN)", "unavailable: desk (needs TOKEN)")
    stories = [Story(f"run-{n}").start().turn().finish("blocked", why, unavailable=True) for n, why in enumerate(reasons)]
    found = {one.detail: (one.runs, one.points) for one in causes(measure(e for story in stories for e in story.events).runs)}
    assert found == {f"unavailable: notes ({ended})": (1, 0.25), "unavailable: desk (needs TOKEN)": (2, 0.75)}


@pytest.mark.parametrize(
    ("at_fault", "kind", "detail", "change"),
    [
        (("since",), "unknown_arguments", "since", "slack_get_channel_history has no argument since: …"),
        (("oldest", "since"), "invalid_arguments", "oldest", "slack_get_channel_history: oldest: …"),
    ],
)
def test_no_change_tells_how_to_give_an_argument_that_the_tool_does_not_have(
    at_fault: tuple[str, ...], kind: str, detail: str, change: str
) -> None:
    wrong = {"outcome": "terminal", "problem": "invalid_arguments", "at_fault": at_fault, "unknown_arguments": ("since",)}
    story = Story("run").start().turn().call("slack_get_channel_history", **wrong).judge().finish()
    (found,) = (one for one in causes(measure(story.events).runs) if one.kind.endswith("_arguments"))
    assert (found.kind, found.detail) == (kind, detail)
    assert change in found.change


@pytest.mark.parametrize(
    ("reason", "change"),
    [
        ("the limit of 10 steps is reached", "  turns: 15"),
        ("the limit of 1 step is reached", "  turns: 2"),
        ("the limit of 1 steps is reached", "  turns: 2"),  # as earlier releases wrote it
        ("the limit of 333 tokens is reached", "  tokens: 500"),
        ("the limit of 300 seconds is reached", "  wall_s: 450"),
        ("the limit of 2.5 seconds is reached", "  wall_s: 3.75"),
        ("the limit of 0.5 USD is reached", "  usd: 0.75"),
        ("the limit of ... USD is reached", ""),
        ("something else", ""),
    ],
)
def test_a_run_that_ends_at_a_limit_is_offered_a_higher_one(reason: str, change: str) -> None:
    found = causes(measure(Story().start().turn().finish("exhausted", reason).events).runs)
    assert found[0].change.endswith(change)
    assert bool(found[0].change) is bool(change)


@pytest.mark.parametrize(
    ("error", "change"),
    [("ModelRejected", "jiritsu --model openai:gpt-5 doctor"), ("ModelUnavailable", 'model = ["openai:gpt-5", "…"]')],
)
def test_a_model_that_refuses_is_asked_why_and_one_that_is_away_gets_a_fallback(error: str, change: str) -> None:
    events = Story().start().turn().model_fails(error, "give_up").finish("failed", "no").events
    (found,) = (one for one in causes(measure(events).runs) if one.kind == "model_failed")
    assert found.change.splitlines()[-1] == change


def test_a_need_whose_tool_failed_is_not_blamed_on_the_job_file() -> None:
    skipped = causes(measure(Story().start(needs=("a",)).turn().finish().events).runs)
    failed = causes(
        measure(
            Story().start(needs=("a",)).turn().call(needs=("a",), outcome="terminal", problem="transport").finish().events
        ).runs
    )
    (change,) = [one.change for one in skipped if one.kind == "need_unmet"]
    assert "jiritsu servers add" in change, "what lacks may be a server, not words in the job file"
    assert [bool(one.change) for one in failed if one.kind == "need_unmet"] == [False]


def test_a_need_that_comes_after_what_failed_or_was_refused_is_not_advised_another_server() -> None:
    for wrong in (
        {"outcome": "terminal", "problem": "tool_error"},
        {"outcome": "denied", "decision": "deny", "rule": "no deletions"},
    ):
        events = Story().start(needs=("read", "publish")).turn().call(**wrong).finish("declined").events
        assert {one.change for one in causes(measure(events).runs) if one.kind == "need_unmet"} == {""}
    held_back = Story().start(needs=("read",)).finish("blocked", "budget: 3 of 3 runs of the day are used up").events
    assert [one.change for one in causes(measure(held_back).runs) if one.kind == "need_unmet"] == [""]


def test_what_several_arguments_cost_is_shared_among_them() -> None:
    wrong = {"outcome": "terminal", "problem": "invalid_arguments", "at_fault": ("oldest", "latest")}
    runs = measure(Story().start().turn().call(**wrong).judge().finish().events).runs
    found = causes(runs)
    assert {one.detail for one in found if one.kind == "invalid_arguments"} == {"oldest", "latest"}
    assert sum(one.points for one in found) == pytest.approx(1 - (runs[0].autonomy.overall or 0.0))


def approvals(answers: list[str]) -> list[Story]:
    asked = {"effect": "outward", "decision": "ask", "rule": "data flow"}
    return [
        Story(f"run-{n}").start().turn().call("esa_create_post", **asked, answer=answer).finish()
        for n, answer in enumerate(answers)
    ]


def test_approvals_that_are_always_granted_could_be_a_rule() -> None:
    (habit,) = habits(measure(event for story in approvals(["granted"] * 6) for event in story.events).runs)
    assert (habit.tool, habit.job, habit.rule, habit.answer, habit.times) == (
        "esa_create_post",
        "diary",
        "data flow",
        "granted",
        6,
    )
    assert 'decision = "allow"' in habit.change
    assert habit.at_least == pytest.approx(0.61, abs=0.01)


@pytest.mark.parametrize("answers", [["granted"] * 4, ["granted"] * 6 + ["denied"]])
def test_few_or_mixed_answers_are_no_habit(answers: list[str]) -> None:
    assert habits(measure(event for story in approvals(answers) for event in story.events).runs) == ()


def test_a_flawless_run_lost_nothing() -> None:
    assert causes(measure(diary().events).runs) == ()


def test_no_refusal_is_taken_as_a_reason_to_allow() -> None:
    """A refused call may have been injected: only people's own habit of granting can speak for a rule."""
    refused = (
        Story()
        .start()
        .turn()
        .call("slack_post_message", effect="outward", outcome="denied", decision="deny", rule="not in the job")
        .finish()
    )
    (found,) = (one for one in causes(measure(refused.events).runs) if one.kind == "denied")
    assert "allow" not in found.change
    assert "without slack_post_message" in found.change


def drafted(by: str) -> list[Cause]:
    """What a run lost whose draft was denied, by a person or for want of one."""
    story = Story().start(needs=["publish"]).turn()
    story.call("esa_update_post", effect="outward", outcome="denied", decision="ask", rule="draft", answer="denied", by=by)
    return [*causes(measure(story.finish("blocked", reason="a draft did not go out").events).runs)]


def test_where_nobody_could_be_asked_the_advice_is_to_have_somebody_there_and_not_to_leave_the_tool_out() -> None:
    found = {one.kind: one for one in drafted(by="")}
    assert "denied" not in found
    assert "jiritsu approvals list" in found["nobody_asked"].change
    assert found["need_unmet"].change == ""
    assert cause("nobody_asked", "esa_update_post", "draft", "en") == "nobody was there to be asked about esa_update_post"


def test_a_persons_no_is_told_as_one_and_nothing_is_advised_against_it() -> None:
    found = {one.kind: one for one in drafted(by="U1")}
    assert "denied" not in found
    assert found["person_denied"].change == ""


def test_denials_for_want_of_a_person_are_no_habit_of_people() -> None:
    def told(by: str) -> list[Story]:
        denied = {"effect": "outward", "outcome": "denied", "decision": "ask", "answer": "denied"}
        return [Story(f"run-{n}").start().turn().call("esa_create_post", **denied, by=by).finish("blocked") for n in range(6)]

    assert habits(measure(event for story in told("") for event in story.events).runs) == ()
    assert len(habits(measure(event for story in told("U1") for event in story.events).runs)) == 1
