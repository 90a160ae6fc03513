"""Decides whether a call is allowed, needs approval, or is denied.

Operator's rules come first, a denial before anything else. Then the shape of the run decides: a job's declared needs are its
envelope, so a write that keeps to a need is allowed without asking, and a write beside them is denied; a free-form goal has no
envelope, so its writes are put to a person. What untrusted text may do to a write is `dataflow`'s question.
"""

from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import Literal

from pydantic import Field

from autonomy.llm.model import Need
from autonomy.policy.dataflow import concern
from autonomy.policy.need_binding import binding_violations, free_arguments, is_write
from discovery.catalog import Effect, Frozen, JsonObject, ToolSpec


class PolicyRule(Frozen):
    """One of the operator's rules. Empty fields match everything; globs are case-sensitive."""

    name: str
    decision: Literal["allow", "ask", "deny"]
    tenant: str = "*"
    job: str = "*"
    provider: str = "*"
    tool: str = "*"
    effects: tuple[Effect, ...] = ()
    arguments: dict[str, str] = Field(default_factory=dict)
    """Argument name → glob that its value, as text, must match for the rule to apply."""
    reason: str = ""

    def applies(self, tenant: str, job: str, spec: ToolSpec, arguments: JsonObject) -> bool:
        """Whether the rule speaks of this call."""
        globs = ((self.tenant, tenant), (self.job, job), (self.provider, spec.provider), (self.tool, spec.name))
        return (
            all(fnmatchcase(value, glob) for glob, value in globs)
            and (not self.effects or spec.effect in self.effects)
            and all(fnmatchcase(str(arguments.get(name, "")), glob) for name, glob in self.arguments.items())
        )


class Decision(Frozen):
    """What the policy says, by which rule, and why."""

    decision: Literal["allow", "ask", "deny"]
    rule: str
    reason: str = ""


class Circumstances(Frozen):
    """What a decision depends on, beside the call itself."""

    tenant: str = "default"
    job: str = ""
    writes: tuple[Need, ...] = ()
    """The write needs the run declares."""
    able: tuple[Need, ...] = ()
    """Those of all declared needs that this tool could meet."""
    sources: frozenset[str] = frozenset()
    """The providers of the tools that could meet the declared reads."""
    labels: frozenset[str] = frozenset()
    """What the model has seen."""
    to_confirm: frozenset[str] = frozenset()
    """Tools that the tenant wants a person asked about."""
    known: str = ""
    """The words of those who may decide: the goal, its inputs, the job."""


class Policy(Frozen):
    """The operator's rules, and what holds when none of them speaks."""

    rules: tuple[PolicyRule, ...] = ()
    free_writes: Literal["allow", "ask", "deny"] = "ask"
    """Writes of a goal that declares no needs."""

    def decide(self, spec: ToolSpec, arguments: JsonObject, given: Circumstances) -> Decision:
        """Decide on one call."""
        if (ruled := self._by_rule(spec, arguments, given)) is not None:
            return ruled
        if spec.name in given.to_confirm:
            return Decision(decision="ask", rule="tenant's permission", reason=f"{spec.name} requires confirmation")
        if not spec.read_only and given.writes:
            return _within_the_job(spec, arguments, given)
        worry = _worry(spec, arguments, given, ())
        if spec.read_only:
            return Decision(decision="ask", rule="data flow", reason=worry) if worry else Decision(decision="allow", rule="reads")
        if self.free_writes == "allow" and worry:
            return Decision(decision="ask", rule="data flow", reason=worry)
        return Decision(
            decision=self.free_writes, rule="free-form writes", reason=worry or f"{spec.name} is a {spec.effect} call"
        )

    def _by_rule(self, spec: ToolSpec, arguments: JsonObject, given: Circumstances) -> Decision | None:
        matching = [rule for rule in self.rules if rule.applies(given.tenant, given.job, spec, arguments)]
        matching.sort(key=lambda rule: rule.decision != "deny")
        return next((Decision(decision=rule.decision, rule=rule.name, reason=rule.reason) for rule in matching), None)


def _within_the_job(spec: ToolSpec, arguments: JsonObject, given: Circumstances) -> Decision:
    able = [need for need in given.able if is_write(need.effect)]
    if not able:
        return Decision(decision="deny", rule="not in the job", reason=f"no declared need of this job is met by {spec.name}")
    kept = tuple(need for need in able if not binding_violations(need, spec, arguments))
    if not kept:
        names = ", ".join(binding_violations(able[0], spec, arguments))
        return Decision(decision="deny", rule="outside its binding", reason=f"the job fixes {names} to another value")
    if worry := _worry(spec, arguments, given, kept):
        return Decision(decision="ask", rule="data flow", reason=worry)
    free = ", ".join(sorted(free_arguments(kept[0]))) or "nothing"
    return Decision(
        decision="allow", rule=f"need {kept[0].id}", reason=f"as the job declares, with {free} in the run's own words"
    )


def _worry(spec: ToolSpec, arguments: JsonObject, given: Circumstances, serving: Sequence[Need]) -> str:
    return concern(spec, arguments, serving=serving, labels=given.labels, sources=given.sources, known=given.known)
