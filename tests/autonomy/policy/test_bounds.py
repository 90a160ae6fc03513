"""Arguments, schemas, plans and rules out of all proportion get a clear answer, the safe one, in bounded work."""

import importlib
import pkgutil
import re
from collections.abc import Iterator
from re import _constants as kinds  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

import pytest

import autonomy.policy
from autonomy.policy import sinks
from autonomy.policy.arguments.argument_sources import MOST_VALUES, TOO_MANY, trace_arguments
from autonomy.policy.dataflow import UNTRUSTED
from autonomy.policy.decision_circumstances import Circumstances
from autonomy.policy.operator_rules import PolicyRule
from autonomy.policy.policy import Policy
from autonomy.policy.write_plan import WritePlan, key_of, planned_for, same_value, times_said
from autonomy.provenance import Sources
from autonomy.run_state.completion_rules import Forbidden
from discovery.catalog import Effect, JsonObject
from metrics.text.phrases import patterns_of
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


@requirement("K10")
def test_how_often_a_request_of_numbers_lets_a_write_happen_is_told_from_its_beginning() -> None:
    assert times_said("Send 3 mails" + " 40 mails" * 50_000) == 40
    assert times_said("1 " * 200_000 + "40 mails") == 1


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


def patterns() -> Iterator[tuple[str, re.Pattern[str]]]:
    """Every expression of the policy's modules, and every one among the data of provenance."""
    for found in pkgutil.walk_packages(autonomy.policy.__path__, "autonomy.policy."):
        module = importlib.import_module(found.name)
        yield from ((f"{found.name}.{name}", one) for name, one in vars(module).items() if isinstance(one, re.Pattern))
    yield from patterns_of("autonomy.provenance").items()


def endless(tree: Any, *, last: bool = True) -> int:
    """How often an expression repeats something without a bound. One character class at its very end is no harm."""
    found, parts = 0, list(tree)
    for at, (kind, value) in enumerate(parts):
        ends = last and at == len(parts) - 1
        if kind in (kinds.MAX_REPEAT, kinds.MIN_REPEAT):
            found += value[1] is kinds.MAXREPEAT and not (ends and len(value[2]) == 1 and at == sum(_looks(parts)))
            found += endless(value[2], last=False)
        elif kind is kinds.SUBPATTERN:
            found += endless(value[3], last=ends)
        elif kind is kinds.BRANCH:
            found += sum(endless(one, last=False) for one in value[1])
        elif kind in (kinds.ASSERT, kinds.ASSERT_NOT):
            found += endless(value[1], last=False)
    return found


def _looks(parts: list[Any]) -> list[bool]:
    return [kind in (kinds.ASSERT, kinds.ASSERT_NOT) for kind, _ in parts]


@requirement("K10")
def test_no_expression_that_reads_strangers_text_repeats_without_a_bound() -> None:
    found = dict(patterns())
    assert len(found) > 100
    assert [name for name, pattern in found.items() if endless(parser.parse(pattern.pattern, pattern.flags))] == []


@requirement("K10")
@pytest.mark.parametrize("pattern", [r"\s*x", r"\d[\d,.]*[^\d]{0,12}to", r"(?:a+)+$", r"no\s+\w+$", r"(?=.*a)b"])
def test_an_expression_whose_work_grows_with_the_square_of_a_text_is_told(pattern: str) -> None:
    assert endless(parser.parse(pattern))


@requirement("N2")
def test_the_names_in_strangers_data_are_not_remembered_for_good() -> None:
    for number in range(20_000):
        sinks.sink_of(f"name_{number}", {})
    assert sinks._of_name.cache_info().currsize < 20_000
