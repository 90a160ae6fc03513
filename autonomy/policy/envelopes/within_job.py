"""Decides on a write of a run whose job declares what it needs."""

from collections.abc import Sequence

from autonomy.llm.model import Need
from autonomy.policy.dataflow import UNTRUSTED, concern
from autonomy.policy.decision_circumstances import Circumstances
from autonomy.policy.decision_table import Decision, SourceClass, TracedValue, ask, worst_of
from autonomy.policy.envelopes.reach import reach_of
from autonomy.policy.need_binding import binding_violations, fixed_arguments, free_arguments, is_write, referred_needs
from autonomy.policy.sinks import WHO_OR_WHERE
from autonomy.policy.write_plan import planned_for
from discovery.catalog import JsonObject, ToolSpec


def within_the_job(spec: ToolSpec, arguments: JsonObject, facts: Circumstances) -> Decision:
    """Allow what meets a declared need: its fixed arguments kept, not too often, the others from where the job says."""
    able = [need for need in facts.able if is_write(need.effect)]
    violations = {need.id: binding_violations(need, spec, arguments) for need in able}
    bound = tuple(need for need in able if not violations[need.id])
    if not bound:
        # of a need whose fixed arguments the tool does not even take, only the words are alike
        broken = next((names for names in violations.values() if spec.parameters.keys() & set(names)), ())
        if not broken:
            return Decision(decision="deny", rule="not in the job", reason=f"no declared need of this job is met by {spec.name}")
        return Decision(decision="deny", rule="outside its binding", reason=f"the job fixes {', '.join(broken)} to another value")
    open_needs = tuple(need for need in bound if facts.done.get(need.id, 0) < need.times)
    if not open_needs:
        reason = f"need {bound[0].id} was met {facts.done[bound[0].id]} times, and the job allows no more"
        return Decision(decision="deny", rule="met already", reason=reason)
    agreed = _agreed(spec, arguments, facts)
    fixed = frozenset().union(*(fixed_arguments(need) for need in open_needs)) - agreed
    if given := [value for value in facts.traced if value.argument in fixed and _is_from_outside(value)]:
        return ask(worst_of(given, "write")[1])
    other_arguments = {name: value for name, value in arguments.items() if name not in agreed}
    if worry := concern(spec, other_arguments, facts, serving=open_needs):
        return ask(worry)
    if UNTRUSTED in facts.labels:
        verdict, reason = worst_of(
            [value for value in _left_open(open_needs, facts) if value.argument not in agreed], reach_of(spec)
        )
        if reason:
            return Decision(decision=verdict, rule="data flow", reason=reason)
    free = ", ".join(sorted(free_arguments(open_needs[0]))) or "nothing"
    return Decision(
        decision="allow", rule=f"need {open_needs[0].id}", reason=f"as the job declares, with {free} in the run's own words"
    )


def _is_from_outside(value: TracedValue) -> bool:
    """Whether a text from outside, and no name, says in a job's own argument who gets something: the file put an input there."""
    return value.sink in WHO_OR_WHERE and value.source in (SourceClass.FIELD, SourceClass.TEXT)


def _agreed(spec: ToolSpec, arguments: JsonObject, facts: Circumstances) -> frozenset[str]:
    """The arguments whose values stand in a list of writes that a person agreed to in this run of the job."""
    write = planned_for(facts.plan, spec, arguments, facts.done)[0] if facts.plan is not None else None
    return frozenset() if write is None else frozenset(name for name, one in write.args.items() if one.fixed is not None)


def _left_open(serving: Sequence[Need], facts: Circumstances) -> list[TracedValue]:
    """The values of the arguments that the job leaves to the run; a figure it reckoned itself is its own."""
    free = frozenset().union(*(free_arguments(need) for need in serving))
    return [_as_left_open(value, serving, facts) for value in facts.traced if value.argument in free]


def _as_left_open(value: TracedValue, serving: Sequence[Need], facts: Circumstances) -> TracedValue:
    if value.source is SourceClass.NOWHERE:
        return value.model_copy(update={"source": SourceClass.OWN})
    givers = {need.id: givers_of(need, value.argument, facts) for need in serving}
    if any(facts.is_only_mailbox(value, tools) for tools in givers.values()):
        return value.model_copy(update={"source": SourceClass.FIELD})
    is_field = value.source is SourceClass.FIELD and value.sink in WHO_OR_WHERE
    if is_field and all(tools and not set(tools) & set(value.tools) for tools in givers.values()):
        return value.model_copy(update={"source": SourceClass.TEXT})  # the job says which read it is filled from
    return value


def givers_of(need: Need, argument: str, facts: Circumstances) -> tuple[str, ...]:
    """The tools out of whose results a job fills an argument, where it says so (`{{need_id}}`)."""
    return tuple(tool for need_id in referred_needs(need, argument, facts.readers) for tool in facts.readers[need_id])
