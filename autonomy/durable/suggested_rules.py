"""Suggests a rule where people approved the same shape of call in several runs."""

import tomllib
from collections.abc import Iterable, Sequence

from autonomy.durable.approval_store import Approval
from autonomy.policy.operator_rules import PolicyRule
from autonomy.policy.policy import Policy
from autonomy.run_state.asking.question_view import suggested_rule
from discovery.catalog import Frozen

ENOUGH = 3
"""Runs in which a shape was approved before it is suggested: once more in the same run is the same occasion."""


class SuggestedRule(Frozen):
    """A rule that people have answered with for a while."""

    tool: str
    rule: str
    """As it stands in the settings."""
    runs: int
    """In how many runs it was approved."""
    by: tuple[str, ...]
    """Who approved it."""


def suggested_rules(approvals: Iterable[Approval]) -> tuple[SuggestedRule, ...]:
    """The rules that would have answered these questions as people did, those approved in most runs first.

    What a person ever denied, or let happen only with other arguments, becomes none; nor does what text or nothing chose.
    """
    granted: dict[str, list[Approval]] = {}
    refused: set[str] = set()
    for approval in (one for listed in approvals for one in _by_call(listed)):
        if approval.state not in ("granted", "denied") or not (rule := suggested_rule(approval.question)):
            continue
        if approval.state == "denied" or approval.edited is not None:
            refused.add(rule)
        elif approval.answered_by != "--yes":
            granted.setdefault(rule, []).append(approval)
    found = [_suggested(rule, times) for rule, times in granted.items() if rule not in refused]
    return tuple(sorted((one for one in found if one.runs >= ENOUGH), key=lambda one: -one.runs))


def _by_call(approval: Approval) -> list[Approval]:
    """The answer to a list of calls as an answer to each; any other as it is."""
    edited, calls = approval.edited, approval.question.by_label
    own = {
        label: {"question": call, "edited": None if edited is None or edited.get(label) == call.arguments else edited.get(label)}
        for label, call in calls.items()
    }
    for label, update in own.items():
        if edited is not None and label not in edited:
            update["state"] = "denied"
    return [approval.model_copy(update=update) for update in own.values()] or [approval]


def without_known(suggested: Sequence[SuggestedRule], policy: Policy) -> list[SuggestedRule]:
    """The suggestions that are no rules yet."""
    return [one for one in suggested if not any(_is_covered(_rule(one.rule), rule) for rule in policy.rules)]


def _is_covered(rule: PolicyRule, by: PolicyRule) -> bool:
    """Whether a rule says the same as another, which may hold for every job and tenant."""
    same = rule.model_dump(exclude={"name", "job", "tenant"}) == by.model_dump(exclude={"name", "job", "tenant"})
    return same and by.job in ("*", rule.job) and by.tenant in ("*", rule.tenant)


def _rule(text: str) -> PolicyRule:
    return PolicyRule.model_validate(tomllib.loads(text)["policy"][0])


def _suggested(rule: str, times: list[Approval]) -> SuggestedRule:
    return SuggestedRule(
        tool=times[0].question.tool,
        rule=rule,
        runs=len({one.question.run_id for one in times}),
        by=tuple(sorted({one.answered_by for one in times if one.answered_by})),
    )
