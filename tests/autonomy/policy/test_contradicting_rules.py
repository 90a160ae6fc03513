"""Operator's rules against each other, against jobs and against values that are spelt around them."""

from pathlib import Path
from typing import Any

import pytest

from autonomy.cli.commands.doctor import _settings_checks
from autonomy.llm.model import Need
from autonomy.policy.decision_circumstances import Circumstances
from autonomy.policy.operator_rules import PolicyRule
from autonomy.policy.policy import Policy
from autonomy.policy.rule_conflicts import rule_conflicts, rules_without_tool
from autonomy.settings import load as load_settings
from discovery.catalog import Effect
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
