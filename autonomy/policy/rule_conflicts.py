"""Finds operator rules that contradict each other, or that can never match."""

from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from typing import NamedTuple

from autonomy.errors import ConfigError
from autonomy.policy.operator_rules import PolicyRule
from discovery.catalog import Effect, ToolSpec
from discovery.text.near_names import did_you_mean


class RuleConflict(NamedTuple):
    """One rule that does not do what it says."""

    number: int
    """Which entry of the `[[policy]]` list the rule is, from 1."""
    says: str
    """What is wrong with it, with the rule that it meets."""

    def to_config_error(self, where: str) -> ConfigError:
        """It as an error of the file in which the rules are written."""
        return ConfigError(where, f"policy.{self.number}", self.says)


def rules_without_tool(rules: Sequence[PolicyRule], specs: Sequence[ToolSpec]) -> Iterator[RuleConflict]:
    """Rules that fit no tool at all, as after a server has renamed one: what they denied is then decided otherwise."""
    for number, rule in enumerate(rules, 1):
        if not any(map(rule.is_about, specs)):
            near = did_you_mean(rule.tool, [spec.name for spec in specs])
            yield RuleConflict(number, f"{rule.name!r} fits no tool of these servers: {_speaks_of(rule)}{near}")


def rule_conflicts(rules: Sequence[PolicyRule]) -> Iterator[RuleConflict]:
    """Rules that another one silences, that share a name, or that open every write.

    A denial goes before every other rule, and else the first that applies speaks.
    """
    for number, rule in enumerate(rules, 1):
        silencing = [
            (at, other)
            for at, other in enumerate(rules, 1)
            if at != number and _goes_before(other, at, rule, number) and _covers(other, rule)
        ]
        if silencing and silencing[0][1].decision != rule.decision:
            at, other = silencing[0]
            decision, before = (f"{one.decision} {_speaks_of(one)}" for one in (rule, other))
            yield RuleConflict(
                number, f"{rule.name!r} ({decision}) never speaks: policy.{at} {other.name!r} ({before}) goes before it"
            )
        elif _opens_every_write(rule):
            yield RuleConflict(
                number, f"{rule.name!r} allows every write of every tool, whatever was read: name tool or provider"
            )
        if twin := next((at for at, other in enumerate(rules[: number - 1], 1) if other.name == rule.name), 0):
            yield RuleConflict(number, f"{rule.name!r} is the name of policy.{twin}, too: a log could not tell them apart")


def _goes_before(other: PolicyRule, at: int, rule: PolicyRule, number: int) -> bool:
    if (other.decision == "deny") != (rule.decision == "deny"):
        return other.decision == "deny"
    return at < number


def _covers(other: PolicyRule, rule: PolicyRule) -> bool:
    """Whether the one applies to every call that the other applies to; never said where it is not sure."""
    pairs = ((other.tenant, rule.tenant), (other.job, rule.job), (other.provider, rule.provider), (other.tool, rule.tool))
    return (
        all(_glob_covers(wide, narrow) for wide, narrow in pairs)
        and (not other.effects or (bool(rule.effects) and set(rule.effects) <= set(other.effects)))
        and all(name in rule.arguments and _glob_covers(glob, rule.arguments[name]) for name, glob in other.arguments.items())
        and (other.free is None or other.free == rule.free)
    )


def _glob_covers(wide: str, narrow: str) -> bool:
    """Whether one glob covers another: without a sign other than `*`, what matches the narrow one as written matches whatever it
    stands for."""
    return wide in ("*", narrow) or (not set("?[") & set(wide) and fnmatchcase(narrow, wide))


def _opens_every_write(rule: PolicyRule) -> bool:
    everything = rule.tool == rule.provider == "*" and not rule.arguments and rule.free is None
    writes = not rule.effects or set(rule.effects) != {Effect.READ}
    return rule.decision == "allow" and everything and writes and rule.job == "*"


def _speaks_of(rule: PolicyRule) -> str:
    return rule.tool if rule.tool != "*" else rule.provider if rule.provider != "*" else "any tool"
