"""The operator's rules one by one, and what holds where none of them speaks."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autonomy.llm.model import Need
from autonomy.policy.dataflow import PRIVATE, UNTRUSTED, concern, is_foreseen_read, labels_of
from autonomy.policy.decision_circumstances import Circumstances
from autonomy.policy.decision_table import Decision
from autonomy.policy.envelopes.within_words import called_for
from autonomy.policy.operator_rules import PolicyRule
from autonomy.policy.policy import Policy
from discovery.catalog import Effect
from discovery.names import full_names
from tests.requirements import requirement
from tests.support.specs import tool

LOOK = tool("slack_look", provider="slack", properties={"words": {"type": "string"}, "more": {}})
POST = tool("slack_post", provider="slack", effect=Effect.OUTWARD, properties={"channel": {}, "text": {}})
UNSAID = tool("web_lookup", provider="web", effect=Effect.WRITE, declared=False, properties={"name": {"type": "string"}})
HERE = Circumstances(tenant="acme", job="diary")
SEEN = frozenset({UNTRUSTED, PRIVATE + "hr"})


def decided(rule: PolicyRule, given: Circumstances = HERE, **arguments: Any) -> Decision:
    return Policy(rules=(rule,), free_writes="deny").decide(POST, arguments, given)


@requirement("S1")
@pytest.mark.parametrize(
    ("field", "fits", "other"),
    [
        ("tenant", "ac*", "other"),
        ("job", "diary", "overtime"),
        ("provider", "slack", "esa"),
        ("tool", "slack_*", "slack_look"),
        ("effects", (Effect.OUTWARD,), (Effect.DESTRUCTIVE,)),
        ("arguments", {"channel": "C1*"}, {"channel": "C2*"}),
        ("arguments", {"channel": "C1*"}, {"text": "?*"}),
        ("free", ("channel",), ("text",)),
    ],
)
def test_each_field_of_a_rule_narrows_it(field: str, fits: Any, other: Any) -> None:
    assert decided(PolicyRule(name="r", decision="allow", **{field: fits}), channel="C10").decision == "allow"
    assert decided(PolicyRule(name="r", decision="allow", **{field: other}), channel="C10").decision == "deny"


@requirement("S1")
@pytest.mark.parametrize("decision", ["deny", "ask", "allow"])
def test_a_denial_or_question_still_holds_for_a_tool_whose_name_another_claims_and_an_allow_does_not(decision: Any) -> None:
    names = full_names([("mail_team", "send"), ("mail", "team_send")])
    rule = PolicyRule(name="r", decision=decision, tool="mail_team_send")
    for (provider, own), name in names.items():
        assert name != "mail_team_send"
        spec = tool(name, provider=provider, effect=Effect.OUTWARD).model_copy(update={"tool": own})
        assert Policy(rules=(rule,)).decide(spec, {}, HERE).rule == ("free-form writes" if decision == "allow" else "r")
    other = tool("mail_team_list", provider="mail_team", effect=Effect.OUTWARD).model_copy(update={"tool": "list"})
    assert Policy(rules=(rule,)).decide(other, {}, HERE).rule == "free-form writes"


@requirement("S1")
@given(st.permutations(["allow", "ask", "deny"]))
def test_a_denial_goes_before_every_other_rule_and_else_the_first_that_applies(order: list[Any]) -> None:
    rules = [PolicyRule(name=decision, decision=decision) for decision in order]
    assert Policy(rules=tuple(rules)).decide(POST, {}, HERE).rule == "deny"
    rest = [rule for rule in rules if rule.name != "deny"]
    assert Policy(rules=tuple(rest)).decide(POST, {}, HERE).rule == rest[0].name


@requirement("S1")
def test_an_argument_that_a_rule_leaves_free_is_one_text() -> None:
    rule = PolicyRule(name="r", decision="allow", arguments={"channel": "C1"}, free=("text",))
    assert decided(rule, channel="C1", text="hello").decision == "allow"
    assert decided(rule, channel="C1", text=["hello"]).decision == "deny"
    assert decided(rule, channel="C1", text="hello", more="x").decision == "deny"


def test_a_rules_reason_is_told() -> None:
    assert decided(PolicyRule(name="quiet", decision="deny", reason="not at night")).reason == "not at night"


@pytest.mark.parametrize(
    ("rules", "drafts", "collected"),
    [
        ([PolicyRule(name="r", decision="allow")], (), False),
        ([PolicyRule(name="r", decision="deny")], (), False),
        ([PolicyRule(name="r", decision="deny", free=("text",))], (), False),
        ([PolicyRule(name="r", decision="allow", free=("text",))], (), True),  # a link in it may be a stranger's
        ([PolicyRule(name="r", decision="allow")], ("post",), True),  # which may be the draft
        ([], (), True),
    ],
)
def test_the_run_is_looked_at_only_where_the_rules_leave_a_call_open(
    rules: list[PolicyRule], drafts: tuple[str, ...], collected: bool
) -> None:
    asked = list[str]()

    def collect() -> Circumstances:
        asked.append("collected")
        return HERE

    Policy(rules=tuple(rules)).decide_collecting(POST, {"text": "hi"}, HERE.tenant, HERE.job, drafts, collect)
    assert bool(asked) is collected


@requirement("S1")
def test_where_no_rule_speaks_a_read_is_free_and_a_write_of_a_free_goal_asks() -> None:
    assert Policy().decide(LOOK, {}, HERE) == Decision(decision="allow", rule="reads")
    assert Policy().decide(POST, {}, HERE).decision == "ask"
    for free in ("allow", "ask", "deny"):
        assert Policy(free_writes=free).decide(POST, {}, HERE).decision == free


@requirement("H13")
@pytest.mark.parametrize("spec", [LOOK, POST], ids=lambda spec: spec.name)
def test_what_a_tenant_wants_confirmed_or_a_job_never_used_is_asked_about_whatever_else_would_allow_it(spec: Any) -> None:
    for field, rule in (("to_confirm", "tenant's permission"), ("strangers", "another tool than before")):
        given = HERE.model_copy(update={field: frozenset({spec.name})})
        asked = Policy(free_writes="allow").decide(spec, {}, given)
        assert (asked.decision, asked.rule) == ("ask", rule)
    assert Policy(free_writes="allow").decide(spec, {}, HERE).decision == "allow"


@requirement("S1")
def test_in_a_job_a_write_needs_a_write_need_that_it_keeps_to() -> None:
    read = Need(id="read", description="read", arguments={"channel": "C1"})
    send = Need(id="send", description="send", effect="outward", arguments={"channel": "C1", "text": "{{result}}"})
    job = Circumstances(job="j", writes=(send,))
    good = {"channel": "C1", "text": "hello"}
    assert Policy().decide(POST, good, job).rule == "not in the job"
    assert Policy().decide(POST, good, job.model_copy(update={"able": (read,)})).decision == "deny"
    able = job.model_copy(update={"able": (read, send)})
    assert Policy().decide(POST, good, able).rule == "need send"
    assert Policy().decide(POST, good | {"channel": "C2"}, able).rule == "outside its binding"
    article = Need(id="article", description="post", effect="outward", arguments={"category": "Diary", "body": "{{result}}"})
    only_alike = job.model_copy(update={"able": (article,)})
    assert Policy().decide(POST, good, only_alike).rule == "not in the job", "the tool takes none of what the need fixes"
    seen = able.model_copy(update={"labels": SEEN, "sources": frozenset({"slack"})})
    assert Policy().decide(POST, good, seen).rule == "data flow"


@requirement("S3")
def test_a_read_adds_that_it_is_private_and_every_answer_that_it_is_untrusted() -> None:
    assert labels_of(LOOK) == {UNTRUSTED, PRIVATE + "slack"}
    assert labels_of(POST) == {UNTRUSTED}
    assert labels_of(UNSAID) == {UNTRUSTED, PRIVATE + "web"}


@requirement("K2", "K5")
def test_a_tool_of_a_declared_provider_that_says_nothing_of_its_effect_is_read_with_like_any_other() -> None:
    job = Circumstances(closed=True, sources=frozenset({"web"}), labels=SEEN)
    assert Policy().decide(UNSAID, {"name": "Mari"}, job) == Decision(decision="allow", rule="reads")
    carried = Policy().decide(UNSAID, {"name": "sk-live-9f8e7d6c5b4a3f2e1d0c"}, job.model_copy(update={"sources": frozenset()}))
    assert carried.decision == "deny", "of another provider it is a write"
    belied = UNSAID.model_copy(update={"seen_to_change": True})
    assert Policy().decide(belied, {"name": "Mari"}, job).decision != "allow", "calls showed that it changes something"
    assert is_foreseen_read(UNSAID.model_copy(update={"description": "Looks a name up."}))
    assert not is_foreseen_read(belied.model_copy(update={"description": "Looks a name up."}))
    assert labels_of(belied) == labels_of(UNSAID), "in doubt it has read"


@requirement("S3")
@pytest.mark.parametrize(
    ("arguments", "labels", "sources", "known", "worries"),
    [
        ({"words": "https://a.example/p"}, SEEN, (), "", True),
        ({"words": "https://a.example/p"}, SEEN, (), "see https://a.example/p please", False),
        ({"words": "https://a.example/p"}, SEEN, (), "see https://a.example/page please", True),
        ({"words": "https://a.example/p"}, SEEN, ("slack",), "", False),
        ({"words": "https://a.example/p"}, frozenset({UNTRUSTED, PRIVATE + "slack"}), (), "", False),
        ({"words": "https://a.example/p"}, frozenset(), (), "", False),
        ({"words": "no address"}, SEEN, (), "", False),
        ({"words": "haruka@a.example"}, SEEN, (), "", True),
        ({"words": "x", "more": [{"deep": ["https://a.example"]}]}, SEEN, (), "", True),
        ({"words": "haruka@a.example"}, SEEN, (), "write to haruka@a.example.evil", True),
    ],
)
def test_a_read_is_worrying_when_it_carries_a_strange_address_beside_private_data(
    arguments: Any, labels: frozenset[str], sources: tuple[str, ...], known: str, worries: bool
) -> None:
    found = concern(LOOK, arguments, Circumstances(labels=labels, sources=frozenset(sources), known=known))
    assert bool(found) is worries


@requirement("S3")
def test_a_write_is_worrying_once_untrusted_text_was_seen_and_not_before() -> None:
    def worry(labels: frozenset[str], sources: tuple[str, ...] = ()) -> str:
        return concern(POST, {"channel": "C1"}, Circumstances(labels=labels, sources=frozenset(sources)))

    assert worry(frozenset()) == ""
    assert "channel chosen" in worry(frozenset({UNTRUSTED}))
    assert "data of hr is in view" in worry(SEEN, ("slack",))
    assert "channel chosen" in worry(SEEN, ("slack", "hr"))


@requirement("S3")
def test_in_a_job_a_choice_is_bound_too_and_only_what_the_schema_does_anyhow_is_no_freedom() -> None:
    send = Need(id="send", description="send", effect="outward", arguments={"channel": "C1", "text": "{{result}}"})
    post = tool(
        "slack_post",
        effect=Effect.OUTWARD,
        properties={"channel": {}, "text": {}, "as": {"enum": ["bot", "user"], "default": "bot"}, "to": {}},
    )

    def worry(**more: Any) -> str:
        arguments = {"channel": "C1", "text": "x", **more}
        return concern(post, arguments, Circumstances(labels=frozenset({UNTRUSTED})), serving=(send,))

    assert [worry(), worry(**{"as": "bot"}), worry(to=None)] == [""] * 3
    assert "as chosen" in worry(**{"as": "user"})
    assert "to chosen" in worry(to=True)
    assert "to chosen" in worry(to="U2")


@requirement("K2")
@pytest.mark.parametrize(
    ("words", "name", "called"),
    [
        ("Send the summary to Mari", "messages_put", True),
        ("Send the summary to Mari", "post_message", True),
        ("要約を送って", "create_item", True),
        ("esa に見出しだけの記事を作って", "esa_create_post", True),
        ("Invite Dora", "workspace_invite", True),
        ("Send the summary to Mari", "remove_user", False),
        ("要約を送って", "transfer_money", False),
        ("Write a summary", "cancel_booking", False),
        ("何がありましたか", "messages_put", False),
        ("What was said today?", "post_message", False),
        ("何がありましたか", "frobnicate", True),
        ("Close the ticket about the login", "update_ticket", True),
        ("Comment on APP-12 that it is fixed", "update_ticket", True),
        ("Add the open invoices to the sheet", "append_row", True),
        ("Remind me tomorrow at 9", "create_reminder", True),
        ("Invite everybody to a rehearsal at 14:00", "create_event", True),
        ("明日の10時に打ち合わせを入れて", "create_event", True),
        ("ログインのチケットを完了にして、健太さんに割り当てて", "update_ticket", True),
        ("Close the ticket about the login", "delete_ticket", False),
        ("Add up the hours of the week", "append_row", False),
        ("Which hotels are close to the station?", "update_ticket", False),
        ("コメントを読んで要約して", "update_ticket", False),
    ],
)
def test_words_call_for_a_kind_of_tool_however_it_is_named_but_not_for_one_that_takes_away(
    words: str, name: str, called: bool
) -> None:
    assert called_for(tool(name, provider="x", effect=Effect.OUTWARD), words) is called
