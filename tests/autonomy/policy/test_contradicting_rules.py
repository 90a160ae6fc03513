"""Operator's rules against each other, against jobs and against values that are spelt around them."""

from pathlib import Path
from typing import Any

import pytest

from autonomy.cli.commands.doctor import _settings_checks
from autonomy.llm.model import Need
from autonomy.policy.decision_circumstances import Circumstances
from autonomy.policy.operator_rules import PolicyRule
from autonomy.policy.policy import Policy
from autonomy.policy.rule_conflicts import rule_conflicts, rules_without_tool, shadowed_rules
from autonomy.settings import load as load_settings
from discovery.catalog import Effect, ToolSpec
from tests.requirements import requirement
from tests.support.specs import tool

MAIL = tool("mail_send", provider="mail", effect=Effect.OUTWARD, properties={"to": {}, "text": {}, "public": {"type": "boolean"}})


def rule(decision: str, name: str = "", **fields: Any) -> PolicyRule:
    return PolicyRule(name=name or decision, decision=decision, **fields)  # type: ignore[arg-type]


NOBODY = Circumstances()


def decided(*rules: PolicyRule, given: Circumstances = NOBODY, **arguments: Any) -> str:
    return Policy(rules=rules).decide(MAIL, arguments, given).decision


@requirement("S1")
@pytest.mark.parametrize(
    "rules",
    [
        (rule("allow", tool="mail_send"), rule("deny", tool="mail_*")),
        (rule("deny", tool="mail_*"), rule("allow", tool="mail_send")),
        (rule("allow", tool="mail_send"), rule("deny", tool="mail_send")),
        (rule("ask", tool="mail_send"), rule("deny", provider="mail"), rule("allow")),
        (rule("allow", job="diary", tool="mail_send"), rule("deny", effects=(Effect.OUTWARD,))),
        (rule("allow", arguments={"to": "boss@a.example"}), rule("deny", arguments={"to": "*@a.example"})),
    ],
)
def test_whichever_stands_first_and_however_narrow_a_denial_wins(rules: tuple[PolicyRule, ...]) -> None:
    given = Circumstances(job="diary")
    assert decided(*rules, given=given, to="boss@a.example") == "deny"
    assert decided(*reversed(rules), given=given, to="boss@a.example") == "deny"


@requirement("S1")
def test_of_rules_that_do_not_deny_the_first_speaks() -> None:
    narrow, wide = rule("ask", tool="mail_send"), rule("allow", tool="mail_*")
    assert decided(narrow, wide) == "ask"
    assert decided(wide, narrow) == "allow"


@requirement("S1", "K5")
def test_a_job_opens_nothing_that_the_operator_denies_and_the_operator_may_close_what_a_job_declares() -> None:
    send = Need(id="send", description="send", effect="outward", arguments={"to": "a@a.example", "text": "{{result}}"})
    job = Circumstances(job="diary", writes=(send,), able=(send,), closed=True)
    asked = {"to": "a@a.example", "text": "done"}
    assert decided(given=job, **asked) == "allow"
    assert decided(rule("deny", tool="mail_*"), given=job, **asked) == "deny"
    assert decided(rule("ask", job="diary"), given=job, **asked) == "ask"
    assert decided(rule("deny", job="overtime"), given=job, **asked) == "allow"
    assert decided(given=job, **{**asked, "to": "b@a.example"}) == "deny"


@requirement("S1")
@pytest.mark.parametrize(
    "to",
    [
        "x@evil.example",
        ["a@ours.example", "x@evil.example"],
        {"cc": ["x@evil.example"]},
        "a@ours.example, x@evil.example",
        "x@evil.example;a@ours.example",
        "x@evil.example a@ours.example",
        "X@EVIL.example",
        "x＠evil.example",
        "Anna <x@evil.example>",
        [[["x@evil.example"]]],
    ],
    ids=str,
)
def test_a_denied_recipient_is_denied_in_any_shape_and_never_allowed_beside_an_allowed_one(to: Any) -> None:
    deny, allow = rule("deny", arguments={"to": "*@evil.example"}), rule("allow", arguments={"to": "*@ours.example"})
    assert decided(deny, allow, to=to) == "deny"
    assert decided(allow, to=to) == "ask"


@requirement("S1")
def test_an_allowed_recipient_is_allowed_alone_and_among_others_like_it() -> None:
    allow = rule("allow", arguments={"to": "*@ours.example"})
    for to in ("a@ours.example", ["a@ours.example", "b@ours.example"], "a@ours.example, b@ours.example"):
        assert decided(allow, to=to) == "allow", to
    both = "a@ours.example, b@other.example"
    assert decided(rule("allow", arguments={"to": both}), to=both) == "allow"


@requirement("S1")
@pytest.mark.parametrize(("glob", "value"), [("true", True), ("True", True), ("5", 5), ("null", None), ("*", None)])
def test_a_rule_may_spell_a_switch_or_number_as_toml_or_python_does(glob: str, value: Any) -> None:
    assert decided(rule("deny", arguments={"public": glob}), public=value) == "deny"
    assert decided(rule("allow", arguments={"public": glob}), public=value) == "allow"


@requirement("S1", "K10")
def test_arguments_of_megabytes_or_without_end_are_matched_on_the_safe_side() -> None:
    deep: Any = "x@evil.example"
    for _ in range(20_000):
        deep = [deep]
    allow, deny = rule("allow", arguments={"to": "*@ours.example"}), rule("deny", arguments={"text": "x*"})
    assert decided(allow, to=deep) == "ask"
    assert decided(allow, to="a@ours.example " * 400_000) == "ask"
    assert decided(deny, text="x" * 5_000_000) == "deny"


@requirement("S1")
@pytest.mark.parametrize(
    ("rules", "told"),
    [
        (
            (rule("allow", "a", tool="mail_send"), rule("deny", "d", tool="mail_*")),
            [(1, "policy.2 'd' (deny mail_*) goes before it")],
        ),
        (
            (rule("allow", "a", tool="mail_*"), rule("ask", "b", tool="mail_send")),
            [(2, "policy.1 'a' (allow mail_*) goes before it")],
        ),
        ((rule("ask", "a", tool="mail_send"), rule("allow", "b", tool="mail_*")), []),
        ((rule("deny", "a", job="diary"), rule("allow", "b", tool="mail_send")), []),
        ((rule("deny", "a", arguments={"to": "*@evil.example"}), rule("allow", "b", tool="mail_send")), []),
        (
            (rule("deny", "a", effects=(Effect.WRITE,)), rule("allow", "b", tool="m_*", effects=(Effect.WRITE,))),
            [(2, "never speaks")],
        ),
        ((rule("deny", "a", effects=(Effect.WRITE,)), rule("allow", "b", tool="m_*")), []),
        ((rule("deny", "a", tool="mail_?end"), rule("allow", "b", tool="mail_*")), []),
        ((rule("allow", "a", tool="x_1"), rule("allow", "a", tool="x_2")), [(2, "is the name of policy.1, too")]),
        ((rule("allow", "a"),), [(1, "allows every write")]),
        ((rule("allow", "a", effects=(Effect.READ,)),), []),
    ],
)
def test_a_rule_that_cannot_speak_or_opens_everything_is_told_with_the_rule_it_meets(
    rules: tuple[PolicyRule, ...], told: list[tuple[int, str]]
) -> None:
    found = list(rule_conflicts(rules))
    assert [number for number, _ in found] == [number for number, _ in told]
    assert all(words in says for (_, says), (_, words) in zip(found, told, strict=True))


def test_the_doctor_names_file_key_and_rule(tmp_path: Path) -> None:
    rules = '[[policy]]\nname = "a"\ndecision = "allow"\ntool = "mail_*"\n[[policy]]\nname = "b"\ndecision = "ask"\ntool = "mail_send"\n'
    (tmp_path / "jiritsu.toml").write_text(rules, encoding="utf-8")
    found = load_settings(env={"JIRITSU_HOME": str(tmp_path)}, cwd=tmp_path)
    (told,) = [check for check in _settings_checks(found) if check[0] == "policy"]
    says = "'b' (ask mail_send) never speaks: policy.1 'a' (allow mail_*) goes before it"
    assert (told[1], str(told[2])) == ("warn", f"{tmp_path / 'jiritsu.toml'}: policy.2: {says}")


def test_a_rule_whose_tool_was_renamed_is_told_with_the_tool_that_may_be_meant() -> None:
    rules = (rule("deny", "a", tool="mail_sent"), rule("deny", "b", tool="mail_*"), rule("deny", "c", effects=(Effect.OUTWARD,)))
    says = "'a' fits no tool of these servers: mail_sent; did you mean mail_send?"
    assert list(rules_without_tool(rules, [MAIL])) == [(1, says)]


POST = ToolSpec(
    name="slack_post",
    provider="slack",
    tool="post",
    effect=Effect.OUTWARD,
    input_schema={"properties": {"channel": {}, "text": {}}},
)
LIST = ToolSpec(name="slack_list", provider="slack", tool="list", effect=Effect.READ)
OUTWARD = rule("deny", "quiet", effects=(Effect.OUTWARD,))
OPS = rule("allow", "ops", tool="slack_post", arguments={"channel": "C0OPS"})
NEVER = "'ops' (allow slack_post) never speaks: policy.{} 'quiet' (deny outward) goes before it"


@requirement("S1")
@pytest.mark.parametrize(
    ("rules", "job", "told"),
    [
        ((OPS, OUTWARD), "", [(1, NEVER.format(2))]),
        ((OUTWARD, OPS), "diary", [(2, NEVER.format(1))]),
        ((OUTWARD.model_copy(update={"job": "diary"}), OPS), "", []),
        ((OUTWARD.model_copy(update={"job": "diary"}), OPS), "diary", [(2, NEVER.format(1))]),
        ((OUTWARD.model_copy(update={"job": "diary"}), OPS), "digest", []),
        ((rule("deny", "quiet", effects=(Effect.WRITE,)), OPS), "", []),
        ((OUTWARD, rule("allow", "all of slack", provider="slack")), "", []),
        ((rule("ask", "quiet", effects=(Effect.OUTWARD,)), OPS), "", [(2, NEVER.format(1).replace("deny", "ask"))]),
        ((OPS, rule("ask", "quiet", effects=(Effect.OUTWARD,))), "", []),
        ((rule("deny", "quiet", arguments={"channel": "C0*"}, effects=(Effect.OUTWARD,)), OPS), "", [(2, NEVER.format(1))]),
        ((rule("deny", "quiet", arguments={"channel": "C1*"}, effects=(Effect.OUTWARD,)), OPS), "", []),
        ((rule("deny", "quiet", arguments={"text": "x"}, effects=(Effect.OUTWARD,)), OPS), "", []),
        ((OUTWARD.model_copy(update={"tenant": "acme"}), OPS), "", []),
    ],
)
def test_a_rule_that_the_effect_of_its_tools_silences_is_told_with_the_rule_that_hides_it(
    rules: tuple[PolicyRule, ...], job: str, told: list[tuple[int, str]]
) -> None:
    assert list(shadowed_rules(rules, [POST, LIST], job)) == told
    for number, _ in told:
        calls = [{"channel": channel, "text": text} for channel in ("C0OPS", "C1", "c0ops") for text in ("x", "y")]
        decided = {Policy(rules=rules).decide(POST, one, Circumstances(job=job)).rule for one in calls}
        assert rules[number - 1].name not in decided, "it truly never decides"


def test_a_rule_on_an_argument_that_none_of_its_tools_takes_is_told() -> None:
    rules = (
        rule("deny", "a", tool="slack_*", arguments={"chanel": "C1"}),
        rule("deny", "b", arguments={"channel": "C1"}),
        rule("deny", "c", tool="slack_list", arguments={"channel": "C1"}),
        rule("deny", "d", tool="slack_post", arguments={"chanel": "*"}),
    )
    assert list(rules_without_tool(rules, [POST])) == [
        (1, "'a' fits no call: none of its tools takes chanel; did you mean channel?"),
        (3, "'c' fits no tool of these servers: slack_list; did you mean slack_post?"),
    ]
    assert list(rules_without_tool(rules[2:3], [POST, LIST])) == [], "a schema without names tells nothing"
