"""Laws that hold for any run: ranges, what may raise and lower a measure, and that no edit of the log goes unseen."""

import hmac
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics import hash_chain
from metrics.autonomy import MEASURES, AutonomyMetrics
from metrics.events import EVENT
from metrics.figures import FIGURES
from metrics.hash_chain import GENESIS, ChainLink, ChainRow
from metrics.measures import measure
from metrics.reporting.report_data import explain
from metrics.reporting.report_html import render_run
from tests.metrics.story import Story, diary

NEEDS = ("a", "b", "c")

calls = st.fixed_dictionaries(
    {
        "tool": st.sampled_from(["slack_search", "esa_list_posts", "esa_create_post"]),
        "effect": st.sampled_from(["read", "write", "outward"]),
        "outcome": st.sampled_from(
            ["ok", "ok", "ok", "suspicious", "retryable", "terminal", "denied", "unknown_outcome", "not_run"]
        ),
        "problem": st.sampled_from(["", "", "unknown_tool", "invalid_arguments", "soft_failure", "tool_error", "transport"]),
        "needs": st.lists(st.sampled_from(NEEDS), max_size=2).map(tuple),
        "errors": st.lists(st.sampled_from(["CallTimedOut", "tool_error"]), max_size=2),
        "cured_by": st.sampled_from(["", "", "retry", "alternative"]),
        "repeated": st.booleans(),
        "asked_for": st.sampled_from([True, True, False]),
        "answer": st.sampled_from(["", "", "granted", "denied", "expired"]),
        "receipt": st.sampled_from(["", "done", "unknown", "reconciled"]),
        "read_back": st.sampled_from(["confirmed", "absent", "not_declared"]),
    }
)


@dataclass(frozen=True)
class Plan:
    """What a run is to be like."""

    needs: tuple[str, ...]
    turns: tuple[tuple[dict[str, Any], ...], ...]
    model_failures: int
    ending: str
    rules: int
    missing: int
    votes: tuple[bool, ...]
    person: bool

    def told(self) -> Story:
        """The run, but for its end."""
        story = Story().start(needs=self.needs)
        for number, turn in enumerate(self.turns):
            for _ in range(self.model_failures if number == 0 else 0):
                story.model_fails()
            story.turn()
            for call in turn:
                story.call(**call)
            if self.person and number == 0:
                story.intervene("retry")
        return story

    def end(self, story: Story) -> Story:
        """The same with its end."""
        if self.rules:
            missing = [f"rule-{number}" for number in range(min(self.missing, self.rules))]
            story.judge("complete" if self.ending == "completed" else "continue", rules=self.rules, missing=missing)
        story.finish(self.ending, "the limit of 10 steps")
        for number, good in enumerate(self.votes):
            story.vote(good, by=f"U{number}")
        return story


plans = st.builds(
    Plan,
    needs=st.lists(st.sampled_from(NEEDS), unique=True).map(tuple),
    turns=st.lists(st.lists(calls, max_size=4).map(tuple), max_size=4).map(tuple),
    model_failures=st.integers(0, 2),
    ending=st.sampled_from(["completed", "completed", "blocked", "exhausted", "cancelled", "failed"]),
    rules=st.integers(0, 4),
    missing=st.integers(0, 4),
    votes=st.lists(st.booleans(), max_size=2).map(tuple),
    person=st.booleans(),
)


def scored(story: Story) -> AutonomyMetrics:
    return AutonomyMetrics.measure_autonomy_level(story.events)


@given(plans)
def test_every_measure_is_a_share_or_not_applicable_and_the_losses_are_exact(plan: Plan) -> None:
    story = plan.end(plan.told())
    (run,) = measure(story.events).runs
    for name in MEASURES:
        value = run.autonomy.breakdown[name]
        assert value is None or 0 <= value <= 1
    lost = sum(loss.points for loss in run.losses)
    assert abs(lost - (1 - (1.0 if run.autonomy.overall is None else run.autonomy.overall))) < 1e-9
    assert run.autonomy.level != "high" or run.autonomy.proven
    assert run.touches >= 0
    for figure in FIGURES:
        value = measure(story.events).estimate(figure.name)
        assert value.value is None or figure.unit != "share" or 0 <= value.value <= 1
        assert value.low is None or value.low <= (value.value or 0.0) + 1e-9


@given(plans)
def test_an_unsound_call_never_raises_tool_selection(plan: Plan) -> None:
    before = scored(plan.end(plan.told())).tool_selection_accuracy
    worse = plan.told()
    if not worse.turns:
        worse.turn()
    after = scored(
        plan.end(worse.call("nothing_of_the_kind", outcome="terminal", problem="unknown_tool"))
    ).tool_selection_accuracy
    assert after is not None
    assert before is None or after <= before


@given(plans, st.sampled_from(NEEDS))
def test_another_piece_of_evidence_never_lowers_completeness(plan: Plan, need: str) -> None:
    before = scored(plan.end(plan.told())).data_collection_completeness
    after = scored(plan.end(plan.told().turn().call(needs=(need,)))).data_collection_completeness
    assert (before is None) is (after is None)
    assert before is None or (after or 0.0) >= before


@given(plans)
def test_a_run_that_was_not_completed_is_worth_nothing_and_a_no_undoes_a_yes(plan: Plan) -> None:
    story = plan.end(plan.told())
    quality = scored(story).result_quality
    if plan.ending != "completed":
        assert quality == 0.0
    assert scored(story.vote(False, by="someone else")).result_quality == 0.0


@given(plans)
def test_a_failure_nothing_follows_never_raises_recovery(plan: Plan) -> None:
    before = scored(plan.end(plan.told())).error_recovery_rate
    after = scored(plan.end(plan.told().turn().call("broken_tool", outcome="terminal", problem="transport"))).error_recovery_rate
    assert after is not None
    assert before is None or after <= before


@given(plans)
def test_every_run_can_be_explained_and_drawn(plan: Plan) -> None:
    page = render_run(explain(plan.end(plan.told()).events), "en")
    assert page.count("<svg") == page.count("</svg>")
    assert "nan" not in page


KEY = b"key"


def rows() -> list[ChainRow]:
    made, last = [], ChainLink(0, GENESIS)
    for event in diary().events:
        body = EVENT.dump_json(event).decode()
        row = ChainRow(
            last.seq + 1,
            event.run_id,
            event.key,
            event.type,
            event.at,
            event.tenant,
            event.job,
            body,
            hash_chain.digest_of(KEY, body),
            b"",
        )
        made.append(row._replace(mac=hash_chain.mac_of(KEY, last.mac, row)))
        last = ChainLink(made[-1].seq, made[-1].mac)
    return made


WRITTEN = rows()
HEAD = ChainLink(WRITTEN[-1].seq, WRITTEN[-1].mac)


@given(st.binary(max_size=200), st.text(max_size=200))
def test_the_digest_of_a_body_is_its_hmac_whatever_the_length_of_the_key(key: bytes, body: str) -> None:
    assert hash_chain.digest_of(key, body) == hmac.digest(key, body.encode(), "sha256")


def test_an_untouched_chain_closes() -> None:
    assert hash_chain.verify(KEY, WRITTEN, ChainLink(0, GENESIS), HEAD, [HEAD], {}).intact


@pytest.mark.parametrize("field", ChainRow._fields)
@given(st.integers(0, len(WRITTEN) - 1), st.text(min_size=1, max_size=5), st.integers(1, 255))
def test_no_edit_of_any_field_of_any_row_goes_unseen(field: str, at: int, text: str, flip: int) -> None:
    value = getattr(WRITTEN[at], field)
    edited: object
    if isinstance(value, bytes):
        edited = bytes([value[0] ^ flip]) + value[1:]
    elif isinstance(value, str):
        edited = value + text
    else:
        edited = value + flip
    tampered = [*WRITTEN[:at], WRITTEN[at]._replace(**{field: edited}), *WRITTEN[at + 1 :]]
    assert not hash_chain.verify(KEY, tampered, ChainLink(0, GENESIS), HEAD, [], {}).intact


@given(st.sets(st.integers(0, len(WRITTEN) - 1), min_size=1))
def test_no_deletion_goes_unseen(gone: set[int]) -> None:
    left = [row for at, row in enumerate(WRITTEN) if at not in gone]
    assert not hash_chain.verify(KEY, left, ChainLink(0, GENESIS), HEAD, [], {}).intact


@given(st.permutations(range(len(WRITTEN))))
def test_no_other_order_goes_unseen(order: list[int]) -> None:
    shuffled = [WRITTEN[at] for at in order]
    assert hash_chain.verify(KEY, shuffled, ChainLink(0, GENESIS), HEAD, [], {}).intact is (order == sorted(order))
