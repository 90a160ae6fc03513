"""Decides on a write of a run whose model declared a plan before it read anything."""

import re
from collections import Counter
from collections.abc import Sequence
from fnmatch import filter as fnmatch_filter
from fnmatch import fnmatchcase

from autonomy.policy.dataflow import UNTRUSTED, tells_secret
from autonomy.policy.decision_circumstances import Circumstances
from autonomy.policy.decision_table import Decision, SourceClass, TracedValue, ask, worst_of
from autonomy.policy.envelopes.reach import reach_of, updates
from autonomy.policy.envelopes.request_envelope import is_of_another
from autonomy.policy.sinks import WHO_OR_WHERE, Sink, sink_of
from autonomy.policy.write_plan import (
    PlannedArgument,
    PlannedWrite,
    WritePlan,
    planned_for,
    same_value,
    says_how_much,
    times_called_for,
)
from discovery.catalog import JsonObject, ToolSpec


def within_the_plan(spec: ToolSpec, arguments: JsonObject, facts: Circumstances, plan: WritePlan) -> Decision:
    """Allow what the plan names, each value from where the plan takes it."""
    write, why = _planned(plan, spec, arguments, facts)
    if write is None:
        return _beside_the_plan(plan, spec, arguments, facts, why)
    if plan.reads is not None and (unplanned_reads := sorted(facts.looked - set(plan.reads))):
        return ask(f"{', '.join(unplanned_reads)} was read, and the plan does not speak of it")
    reach = "write" if updates(spec) else reach_of(spec)
    values = [_as_planned(value, write, facts, checked=bool(plan.follows) or _is_checked(value, spec)) for value in facts.traced]
    verdict, reason = worst_of(values, reach)
    if verdict == "deny":
        # what the named tool brought was foreseen: a person sees which of it would be taken away
        named = [v for v in values if write.argument(v.argument).open != "*" and _is_of_planned_tool(v, write)]
        foreseen = [v for v in named if v.source is SourceClass.TEXT]
        verdict, reason = worst_of([v for v in values if v not in foreseen], reach)
        if verdict != "deny" and foreseen:
            verdict, reason = worst_of(foreseen, "write")
    if verdict != "allow":
        return Decision(decision=verdict, rule="data flow", reason=reason)
    if facts.repeated and write.times > times_called_for(facts.goal) and _is_open(write, values):
        return ask(f"{spec.name} was made as often as the request calls for")
    if strange := [value for value in values if _SAYS_WHOSE.search(value.argument) and _is_of_others(value, facts)]:
        return _by_others(strange[0])
    if write.times == 1 and (shared := [value for value in values if value.shared]):
        return ask(f"{shared[0].argument} ({shared[0].value}) is not the only one that the request may mean")
    if tells_secret(arguments, facts.known):
        return ask(f"{spec.name} would be given a secret that nobody asked for")
    if repeats_itself({name: value for name, value in arguments.items() if write.argument(name).fixed is None}):
        return ask(f"{spec.name} would do the same several times in one call")
    if reach == "destructive" and not any(value.source is SourceClass.WORDS for value in values):
        return ask(f"{spec.name} takes away what nobody named")
    return Decision(decision="allow", rule="as planned")


def _planned(plan: WritePlan, spec: ToolSpec, arguments: JsonObject, facts: Circumstances) -> tuple[PlannedWrite | None, str]:
    """The planned write that a call is, or why it is none. What the plan calls by name, and a read shows, the read fills in."""
    write, why = planned_for(plan, spec, arguments, facts.done, _names_meant(facts.traced))
    found = write.departures(arguments) if write is not None else []
    if write is not None and found:
        write = write.model_copy(update={"args": {**write.args, **dict.fromkeys(found, PlannedArgument(open="*"))}})
    return write, why


def _beside_the_plan(plan: WritePlan, spec: ToolSpec, arguments: JsonObject, facts: Circumstances, why: str) -> Decision:
    """A question, as long as nothing was read, or where another provider alone shows an id for a name in the plan."""
    by_others = _names_meant(facts.traced, elsewhere=True)
    write, _ = planned_for(plan, spec, arguments, facts.done, _names_meant(facts.traced) | by_others)
    found = {*write.departures(arguments)} & by_others.keys() if write is not None else set()
    if shown := next((value for value in facts.traced if value.argument in found), None):
        return _by_others(shown)
    return Decision(decision="deny" if UNTRUSTED in facts.labels else "ask", rule="not in the plan", reason=why)


def _by_others(value: TracedValue) -> Decision:
    return ask(f"{value.argument} ({value.value}) stands only in what {value.tools[0]} brought, a tool of another provider")


def _names_meant(traced: Sequence[TracedValue], *, elsewhere: bool = False) -> dict[str, str]:
    """Argument → the name by which the request calls whom it holds, where a field shows it as the id of nobody else."""
    alone = Counter(value.argument for value in traced)
    found = (value for value in traced if alone[value.argument] == 1 and value.source is SourceClass.FIELD and value.tools)
    names = {value.argument: value.called_elsewhere if elsewhere else value.called for value in found if not value.shared}
    return {argument: name for argument, name in names.items() if name}


_SAYS_WHOSE = re.compile(r"(?:^|_)ids?$|(?<=[a-z])Ids?$")
"""An argument for an id. What a file or a channel is called is the same on every server."""


def _is_of_others(value: TracedValue, facts: Circumstances) -> bool:
    """Whether a field would decide whose id it is that no tool of the writing one's own server brought: a plan is made in view of
    descriptions, and another server's may have chosen its own list."""
    is_field = value.source is SourceClass.FIELD and value.sink in WHO_OR_WHERE
    return is_field and bool(facts.siblings) and is_of_another(value, facts.siblings)


def _is_of_planned_tool(value: TracedValue, write: PlannedWrite) -> bool:
    """Whether a tool brought it that the plan lets fill its argument."""
    return any(fnmatchcase(tool, write.argument(value.argument).open or "") for tool in value.tools)


def _is_open(write: PlannedWrite, values: Sequence[TracedValue]) -> bool:
    """Whether a result says to whom or where, so that each of them has its turn, and none a second."""
    return any(value.sink in WHO_OR_WHERE and write.argument(value.argument).open is not None for value in values)


def repeats_itself(arguments: JsonObject) -> bool:
    """Whether one argument lists what is done, and the same twice but for its wording: two payments to one account.

    What says neither to whom nor how much is no deed: two paragraphs of one message.
    """
    for value in arguments.values():
        items = [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
        sinks = [{name: sink_of(name, {}) for name in item} for item in items[:MOST_DEEDS]]
        deeds = [
            {name: item[name] for name, sink in of_item.items() if sink is not Sink.TEXT}
            for item, of_item in zip(items, sinks, strict=False)
            if not _SAYS_WHAT_IS_DONE.isdisjoint(of_item.values())
        ]
        if any(same_value(deed, earlier) for at, deed in enumerate(deeds) for earlier in deeds[:at]):
            return True
    return False


_CALLS_OR_TIMES = frozenset({Sink.NAME, Sink.TIME})
"""What a model may word beside values that were read; how much, and whether all are told, are no wording."""
_SAYS_WHAT_IS_DONE = frozenset((*WHO_OR_WHERE, Sink.AMOUNT))
MOST_DEEDS = 200
"""Deeds of one list that are compared with each other."""


def _is_unforeseen(value: TracedValue, *, named: bool, words: str) -> bool:
    """Whether a field would decide who, where or how much, although neither the plan nor the request speaks of its bearer."""
    if value.sink is Sink.AMOUNT:
        return not named or says_how_much(words)
    return value.sink in WHO_OR_WHERE


def _is_checked(value: TracedValue, spec: ToolSpec) -> bool:
    """Whether a fixed value was held against the request when the plan was made: not so whom an object or a text holds
    (`message: {to: …}`), which a description in view may have chosen."""
    own = sink_of(value.argument, spec.parameters.get(value.argument, {}))
    return value.sink not in _CHECKED or own in WHO_OR_WHERE or own is value.sink


_CHECKED = WHO_OR_WHERE | {Sink.COMMAND}


def _as_planned(value: TracedValue, write: PlannedWrite, facts: Circumstances, *, checked: bool) -> TracedValue:
    """The value with the source that the plan gives it, or takes from it. `checked`: whether what it fixes was held against
    the request, or agreed to by a person."""
    planned, source = write.argument(value.argument), value.source
    is_named, is_tainted = value.argument in write.args, UNTRUSTED in facts.labels
    if source is SourceClass.FIELD and (planned.own or not is_named) and _is_unforeseen(value, named=is_named, words=facts.known):
        source = SourceClass.TEXT  # a field decides only what the plan left open: nobody foresaw another
    elif planned.fixed is not None and checked:
        source = SourceClass.WORDS
    elif not is_tainted and value.sink is Sink.COMMAND and planned.own:
        source = SourceClass.WORDS  # nothing that was read had a part in it
    elif (
        is_tainted
        and value.sink is Sink.FLAG
        and source is SourceClass.OWN
        and (not is_named or (planned.fixed is None and value.path != "$"))
    ):
        source = SourceClass.NOWHERE  # whether all are told, or all may see it, was foreseen by nobody
    elif planned.open not in (None, "*") and facts.is_only_mailbox(
        value, fnmatch_filter(facts.read_addresses.by_tool, planned.open)
    ):
        source = SourceClass.FIELD
    elif planned.open is not None and source is SourceClass.FIELD:
        source = source if _is_of_planned_tool(value, write) else SourceClass.TEXT
    elif source is SourceClass.NOWHERE and (planned.own or (is_named and value.path != "$" and value.sink in _CALLS_OR_TIMES)):
        source = SourceClass.OWN  # what the model puts into an object or list beside what fills it
    return value.model_copy(update={"source": source})
