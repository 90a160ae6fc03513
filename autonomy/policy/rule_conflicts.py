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
    """Rules that fit no tool at all, as after a server has renamed one or its argument: what they denied is then decided
    otherwise."""
    for number, rule in enumerate(rules, 1):
        about = [spec for spec in specs if rule.is_about(spec)]
        if not about:
            near = did_you_mean(rule.tool, [spec.name for spec in specs])
            yield RuleConflict(number, f"{rule.name!r} fits no tool of these servers: {_speaks_of(rule)}{near}")
            continue
        for name, glob in rule.arguments.items():
            if not fnmatchcase("", glob) and all(_takes_no(name, spec) for spec in about):
                near = did_you_mean(name, dict.fromkeys(one for spec in about for one in spec.parameters))
                yield RuleConflict(number, f"{rule.name!r} fits no call: none of its tools takes {name}{near}")


def _takes_no(name: str, spec: ToolSpec) -> bool:
    """Whether a tool has no such argument, as far as its schema says which it has."""
    return bool(spec.parameters) and name not in spec.parameters


def shadowed_rules(rules: Sequence[PolicyRule], specs: Sequence[ToolSpec], job: str = "") -> Iterator[RuleConflict]:
    """Rules that others silence for each of these tools, which only the tools tell: an `allow` for one channel beneath a denial
    of all that goes outward. What `rule_conflicts` says is left out. `job`: only what holds for this job."""
    for number, rule in enumerate(rules, 1):
        about = [spec for spec in specs if rule.is_about(spec) and (not rule.effects or spec.effect in rule.effects)]
        if (job and not fnmatchcase(job, rule.job)) or (not job and _first_silencing(rules, number)):
            continue
        silencing = [_first_silencing(rules, number, spec, job) for spec in about]
        if about and all(silencing) and (others := [one for one in silencing if one and one[1].decision != rule.decision]):
            yield _never_speaks(number, rule, *others[0])


def rule_conflicts(rules: Sequence[PolicyRule]) -> Iterator[RuleConflict]:
    """Rules that another one silences, that share a name, or that open every write.

    A denial goes before every other rule, and else the first that applies speaks.
    """
    for number, rule in enumerate(rules, 1):
        silencing = _first_silencing(rules, number)
        if silencing and silencing[1].decision != rule.decision:
            yield _never_speaks(number, rule, *silencing)
        elif _opens_every_write(rule):
            yield RuleConflict(
                number, f"{rule.name!r} allows every write of every tool, whatever was read: name tool or provider"
            )
        if twin := next((at for at, other in enumerate(rules[: number - 1], 1) if other.name == rule.name), 0):
            yield RuleConflict(number, f"{rule.name!r} is the name of policy.{twin}, too: a log could not tell them apart")


def _never_speaks(number: int, rule: PolicyRule, at: int, other: PolicyRule) -> RuleConflict:
    decision, before = (f"{one.decision} {_speaks_of(one)}" for one in (rule, other))
    return RuleConflict(number, f"{rule.name!r} ({decision}) never speaks: policy.{at} {other.name!r} ({before}) goes before it")


def _first_silencing(
    rules: Sequence[PolicyRule], number: int, spec: ToolSpec | None = None, job: str = ""
) -> tuple[int, PolicyRule] | None:
    """The first rule, with its number, that goes before this one wherever this one applies: for one tool, or for any."""
    rule = rules[number - 1]
    others = ((at, other) for at, other in enumerate(rules, 1) if at != number and _goes_before(other, at, rule, number))
    return next((one for one in others if _covers(one[1], rule, spec, job)), None)


def _goes_before(other: PolicyRule, at: int, rule: PolicyRule, number: int) -> bool:
    if (other.decision == "deny") != (rule.decision == "deny"):
        return other.decision == "deny"
    return at < number


def _covers(other: PolicyRule, rule: PolicyRule, spec: ToolSpec | None = None, job: str = "") -> bool:
    """Whether the one applies to every call that the other applies to; never said where it is not sure. With `spec`, of this tool
    alone; with `job`, in this job alone."""
    if spec is None:
        tools = _glob_covers(other.provider, rule.provider) and _glob_covers(other.tool, rule.tool)
        reaches = tools and (not other.effects or (bool(rule.effects) and set(rule.effects) <= set(other.effects)))
    else:
        reaches = other.is_about(spec) and (not other.effects or spec.effect in other.effects)
    return (
        reaches
        and _glob_covers(other.tenant, rule.tenant)
        and (fnmatchcase(job, other.job) if job else _glob_covers(other.job, rule.job))
        and all(name in rule.arguments and _glob_covers(glob, rule.arguments[name]) for name, glob in other.arguments.items())
        and (other.free is None or other.free == rule.free)
    )


def _glob_covers(wide: str, narrow: str) -> bool:
    """Whether one glob covers another: without a sign other than `*`, what matches the narrow one as written matches whatever it
    stands for, and so does what is no glob."""
    exact = not set("?[") & set(wide) or not set("*?[") & set(narrow)
    return wide in ("*", narrow) or (exact and fnmatchcase(narrow, wide))


def _opens_every_write(rule: PolicyRule) -> bool:
    everything = rule.tool == rule.provider == "*" and not rule.arguments and rule.free is None
    writes = not rule.effects or set(rule.effects) != {Effect.READ}
    return rule.decision == "allow" and everything and writes and rule.job == "*"


def _speaks_of(rule: PolicyRule) -> str:
    return next((glob for glob in (rule.tool, rule.provider) if glob != "*"), ", ".join(rule.effects) or "any tool")
