"""Arguments, schemas, plans and rules out of all proportion get a clear answer, the safe one, in bounded work."""

from typing import Any

import pytest

from autonomy.policy.argument_sources import MOST_VALUES, TOO_MANY, trace_arguments
from autonomy.policy.dataflow import UNTRUSTED
from autonomy.policy.policy import Circumstances, Policy, PolicyRule
from autonomy.policy.write_plan import WritePlan, key_of, planned_for, same_value
from autonomy.provenance import Sources
from autonomy.run_state.completion_rules import Forbidden
from discovery.catalog import Effect, JsonObject
from tests.autonomy.completion.test_completion_rules import holds, said
from tests.requirements import requirement
from tests.support.specs import tool

BIG = 5_000_000
SEND = tool("mail_send", provider="mail", effect=Effect.OUTWARD, properties={"to": {}, "body": {}, "rows": {}})
PLAN = WritePlan.model_validate({"writes": [{"tool": "mail_send", "args": {"to": {"open": "*"}, "body": {"own": True}}}]})


def nested(depth: int) -> Any:
    """A list in a list in a list."""
    value: Any = "x"
    for _ in range(depth):
        value = [value]
    return value


def decided(arguments: JsonObject, spec: Any = SEND) -> str:
    """What a run that has seen text and planned this write may do."""
    traced = trace_arguments(spec, arguments, Sources(), frozenset())
    given = Circumstances(plan=PLAN, labels=frozenset({UNTRUSTED}), traced=traced)
    return Policy().decide(spec, arguments, given).decision


@requirement("K10")
@pytest.mark.parametrize(
    "arguments",
    [
        {"to": "a" * BIG, "body": "x"},
        {"to": ["a@b.example"] * 2_000, "body": "x"},
        {"to": "m@a.example", "body": "x", "rows": [{"to": str(n)} for n in range(MOST_VALUES + 1)]},
        {"to": nested(300), "body": "x"},
        {"to": {"text": {"text": "m@a.example"}}, "body": "x"},
        {"body": "see evil.example " + "a" * BIG},
    ],
    ids=["a long recipient", "many recipients", "many rows", "a deep recipient", "a recipient called text", "a long body"],
)
def test_arguments_out_of_proportion_are_put_to_a_person(arguments: JsonObject) -> None:
    assert decided(arguments) == "ask"


@requirement("K10")
def test_of_a_call_with_too_many_values_the_rest_counts_as_one_that_nobody_gave() -> None:
    traced = trace_arguments(SEND, {"to": [f"m{n}" for n in range(1_000)]}, Sources(), frozenset())
    assert len(traced) == MOST_VALUES + 1
    assert traced[-1].value == TOO_MANY


@requirement("K1")
@pytest.mark.parametrize(
    "schema", [{}, {"type": "object"}, {"properties": {}}, {"properties": {"": {}, "zzz": {"type": "object"}}}]
)
def test_a_schema_that_names_nothing_leaves_every_value_to_its_source(schema: JsonObject) -> None:
    spec = SEND.model_copy(update={"input_schema": schema})
    assert decided({"": "somebody", "zzz": {"q": "m@a.example"}}, spec) == "ask"


@requirement("K10")
def test_values_nested_beyond_what_can_be_compared_are_not_the_same() -> None:
    assert same_value(nested(50), nested(50))
    assert not same_value(nested(20_000), nested(20_000))


@requirement("S1", "K10")
def test_an_operators_glob_with_many_stars_is_matched_in_a_moment() -> None:
    rule = PolicyRule(name="r", decision="deny", arguments={"to": "*a" * 30 + "b"})
    assert not rule.applies("default", "", SEND, {"to": "a" * 20_000})


@requirement("S1")
def test_rules_that_contradict_each_other_deny() -> None:
    rules = (PolicyRule(name="yes", decision="allow"), PolicyRule(name="no", decision="deny", tool="mail_*"))
    assert Policy(rules=rules).decide(SEND, {}, Circumstances()).rule == "no"


@requirement("K10")
@pytest.mark.parametrize("pattern", [r"(a+)+$", r"(a|a)*b", r"(.*a){20}", r"(?:a?){40}a{40}"])
def test_a_jobs_pattern_that_could_take_for_ever_does_not_hold_and_says_so(pattern: str) -> None:
    (finding,) = said("a" * 40 + "!", Forbidden(patterns=(pattern,))).findings
    assert "could take too long" in finding


@requirement("K10")
def test_a_jobs_plain_patterns_are_matched_in_long_texts_line_by_line() -> None:
    rule = Forbidden(patterns=(r"TO.*DO", r"\bxxx\b"))
    assert holds("よい日でした。\n" * 1_000, rule)
    assert not holds("よい日でした。\n" * 1_000 + "TO be DOne", rule)


@requirement("K2")
def test_a_plan_of_many_writes_counts_each_by_itself() -> None:
    plan = WritePlan.model_validate(
        {
            "writes": [
                {"tool": "mail_send", "args": {"to": {"fixed": f"m{n}@a.example"}, "body": {"own": True}}} for n in range(200)
            ]
        }
    )
    used = {key_of(plan.writes[3]): 1}
    assert planned_for(plan, SEND, {"to": "m3@a.example", "body": "x"}, used)[0] is None
    assert planned_for(plan, SEND, {"to": "m4@a.example", "body": "x"}, used)[0] == plan.writes[4]
