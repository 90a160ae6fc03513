"""Decides on a write of a run whose job declares what it needs."""

from collections.abc import Sequence

from autonomy.llm.model import Need
from autonomy.policy.dataflow import UNTRUSTED, concern
from autonomy.policy.decision_circumstances import Circumstances
from autonomy.policy.decision_table import Decision, SourceClass, TracedValue, ask, worst_of
from autonomy.policy.envelopes.reach import reach_of
from autonomy.policy.need_binding import binding_violations, free_arguments, is_write, referred_needs
from autonomy.policy.sinks import WHO_OR_WHERE
from autonomy.policy.write_plan import planned_for
from discovery.catalog import JsonObject, ToolSpec


def within_the_job(spec: ToolSpec, arguments: JsonObject, given: Circumstances) -> Decision:
    """Allow what meets a declared need: its fixed arguments kept, not too often, the others from where the job says."""
    able = [need for need in given.able if is_write(need.effect)]
    violations = {need.id: binding_violations(need, spec, arguments) for need in able}
    fitting = tuple(need for need in able if not violations[need.id])
    if not fitting:
        # of a need whose fixed arguments the tool does not even take, only the words are alike
        broken = next((names for names in violations.values() if spec.parameters.keys() & set(names)), ())
        if not broken:
            return Decision(decision="deny", rule="not in the job", reason=f"no declared need of this job is met by {spec.name}")
        return Decision(decision="deny", rule="outside its binding", reason=f"the job fixes {', '.join(broken)} to another value")
    left = tuple(need for need in fitting if given.done.get(need.id, 0) < need.times)
    if not left:
        reason = f"need {fitting[0].id} was met {given.done[fitting[0].id]} times, and the job allows no more"
        return Decision(decision="deny", rule="met already", reason=reason)
    agreed = _agreed(spec, arguments, given)
    rest = {name: value for name, value in arguments.items() if name not in agreed}
    if worry := concern(spec, rest, given, serving=left):
        return ask(worry)
    if UNTRUSTED in given.labels:
        verdict, reason = worst_of([value for value in _left_open(left, given) if value.argument not in agreed], reach_of(spec))
        if reason:
            return Decision(decision=verdict, rule="data flow", reason=reason)
    free = ", ".join(sorted(free_arguments(left[0]))) or "nothing"
    return Decision(
        decision="allow", rule=f"need {left[0].id}", reason=f"as the job declares, with {free} in the run's own words"
    )


def _agreed(spec: ToolSpec, arguments: JsonObject, given: Circumstances) -> frozenset[str]:
    """The arguments whose values stand in a list of writes that a person agreed to in this run of the job."""
    write = planned_for(given.plan, spec, arguments, given.done)[0] if given.plan is not None else None
    return frozenset() if write is None else frozenset(name for name, one in write.args.items() if one.fixed is not None)


def _left_open(serving: Sequence[Need], given: Circumstances) -> list[TracedValue]:
    """The values of the arguments that the job leaves to the run; a figure it reckoned itself is its own."""
    free = frozenset().union(*(free_arguments(need) for need in serving))
    return [_as_left_open(value, serving, given) for value in given.traced if value.argument in free]


def _as_left_open(value: TracedValue, serving: Sequence[Need], given: Circumstances) -> TracedValue:
    if value.source is SourceClass.NOWHERE:
        return value.model_copy(update={"source": SourceClass.OWN})
    givers = {need.id: givers_of(need, value.argument, given) for need in serving}
    if any(given.is_only_mailbox(value, tools) for tools in givers.values()):
        return value.model_copy(update={"source": SourceClass.FIELD})
    is_field = value.source is SourceClass.FIELD and value.sink in WHO_OR_WHERE
    if is_field and all(tools and not set(tools) & set(value.tools) for tools in givers.values()):
        return value.model_copy(update={"source": SourceClass.TEXT})  # the job says which read it is filled from
    return value


def givers_of(need: Need, argument: str, given: Circumstances) -> tuple[str, ...]:
    """The tools out of whose results a job fills an argument, where it says so (`{{need_id}}`)."""
    return tuple(tool for read in referred_needs(need, argument, given.readers) for tool in given.readers[read])
