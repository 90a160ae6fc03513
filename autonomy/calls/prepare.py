"""The first stage of a tool call: validates it and asks the policy.

Looks the tool up, validates the arguments against its schema, asks the policy and, if the policy says so, a person. A call that
is stopped here gets an error result like any other: the model reads it and goes on.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from operator import is_
from typing import Literal

from autonomy.calls.ask_person import APPROVED, Asked, ask_person
from autonomy.calls.circumstances import circumstances, served_needs
from autonomy.calls.own_tools import host_tools
from autonomy.calls.run_handle import Run
from autonomy.completion.delivery import DRAFT, HELD, delivery_held, may_be_held
from autonomy.completion.text_support import text_support
from autonomy.llm.messages import ToolCall, ToolResult
from autonomy.llm.model import Need
from autonomy.policy.dataflow import with_usual_addresses
from autonomy.policy.decision_table import Decision
from autonomy.policy.sinks import WHO_OR_WHERE, sink_of
from autonomy.policy.texts.addresses import readable
from autonomy.policy.write_plan import same_value
from autonomy.run_state.completion_rules import Rule, Sections
from autonomy.run_state.context import ToolExecutionContext
from autonomy.run_state.digests import digest
from autonomy.run_state.earlier_texts import earlier_texts
from autonomy.run_state.run_values import CallRecord
from discovery.catalog import JsonObject, ToolSpec
from discovery.schemas.schema import validate
from discovery.schemas.strict import without_nulls
from discovery.text.near_names import did_you_mean
from metrics import events
from metrics.events import Problem

PLAN_ASKED = "a person was asked about a plan in this turn already: make the call again if it is still needed"
SCHEMA_CHARS = 4_000
"""So much of a schema goes with the news that a call did not fit: a large one has its required arguments first or nowhere."""
_BY_PERSON = ("denied", "expired")
"""The rules of a person's answers that let no call happen."""
MOST_REFUSALS = 2
"""Of calls of one tool with the same recipient: what a person said can be put right once, and nobody is tired with more."""


@dataclass(frozen=True)
class Prepared:
    """A call that may happen."""

    call: ToolCall
    key: str
    """Where in the run it stands: `turn-2/call-1`. The same when the run is played again, so it also keeps effects apart."""
    spec: ToolSpec
    serving: tuple[Need, ...]
    """The declared needs it meets if it goes well."""
    confirmed: bool = False
    """Whether a person granted it."""
    proposed: JsonObject = field(default_factory=dict)
    """The arguments as the model wrote them, where the person changed them before granting it; `call` holds them as changed."""


@dataclass(frozen=True)
class _Checked:
    """A call that `foresee` checked, for `_decide` a moment later, with the state of the run on which the check depends."""

    prepared: Prepared
    call: ToolCall
    """As the model made it."""
    ahead: Sequence[ToolCall]
    offered: Sequence[ToolSpec]
    counts: tuple[int, ...]

    def still_holds(self, call: ToolCall, ahead: Sequence[ToolCall], ctx: ToolExecutionContext) -> bool:
        """Whether checking this call again would give the same: the state of the run is unchanged."""
        is_same = call is self.call and len(ahead) == len(self.ahead) and all(map(is_, ahead, self.ahead))
        return is_same and ctx.offered is self.offered and self.counts == _counts_of(ctx)


def _counts_of(ctx: ToolExecutionContext) -> tuple[int, ...]:
    return len(ctx.records), len(ctx.receipts), len(ctx.refused)


@dataclass(frozen=True)
class _Waiting:
    """A call that waits for a person's answer."""

    prepared: Prepared
    asked: Asked

    @property
    def call(self) -> ToolCall:
        """The call as the model made it."""
        return self.prepared.call


async def prepare_all(calls: Mapping[str, ToolCall], run: Run) -> list[Prepared | CallRecord]:
    """Decide on the calls of a reply, by their keys, in the model's order; gives each as prepared, or the record of why not.

    A person is asked once, about all calls that need it, and not where one was asked about a plan in this turn. While the
    others are decided on, such a call counts as granted: a refusal makes room for no other in the same turn.
    """
    asked_before, stages = run.ctx.plan_asked, dict[str, Prepared | CallRecord | _Waiting]()
    for key, call in calls.items():
        ahead = [stage.call for stage in stages.values() if not isinstance(stage, CallRecord)]
        stages[key] = stage = await _decide(call, key, run, ahead)
        if isinstance(stage, _Waiting) and not run.ctx.of_this_release:
            # recorded by a release that asked about each call by itself
            (answer,) = await ask_person([stage.asked], run)
            stages[key] = await _apply_answer(stage, answer, run, ahead)
    waiting = {key: stage for key, stage in stages.items() if isinstance(stage, _Waiting)}
    if run.ctx.plan_asked and not asked_before:
        stages |= {key: _settle(one.call, run.ctx, "not_run", "", PLAN_ASKED, one.prepared.spec) for key, one in waiting.items()}
    elif waiting:
        answers = dict(zip(waiting, await ask_person([one.asked for one in waiting.values()], run), strict=True))
        # what a person changed is held against all others that may happen
        standing = {key: stage.call for key, stage in stages.items() if isinstance(stage, Prepared)}
        for key, (granted, arguments) in answers.items():
            if granted.decision == "allow":
                call = waiting[key].call
                standing[key] = call if arguments is None else call.model_copy(update={"arguments": arguments})
        for key, answer in answers.items():
            beside = [call for other, call in standing.items() if other != key]
            stages[key] = settled = await _apply_answer(waiting[key], answer, run, beside)
            if isinstance(settled, CallRecord):
                standing.pop(key, None)
    return [stage for stage in stages.values() if not isinstance(stage, _Waiting)]


async def foresee(calls: Sequence[ToolCall], turn: int, run: Run) -> dict[str, Decision]:
    """Decide on the calls of a reply in advance, by their keys, as far as the reply alone determines it.

    It is recorded with the reply, and so before anything happens. It ends at the first host tool, whose answer may change what is
    decided on the next ones. What a person is asked about counts as granted, as in `prepare_all`.
    """
    ctx, decided, ahead = run.ctx, dict[str, Decision](), list[ToolCall]()
    checked: dict[str, _Checked] = {}
    ctx.memo["checked"] = checked  # those of the last reply alone
    for number, call in enumerate(calls, 1):
        if host_tools.shown_tool(call.name, ctx) is not None:
            break
        key = f"turn-{turn}/call-{number}"
        prepared = await _check_call(call, key, run, ahead)
        if isinstance(prepared, CallRecord):
            continue
        checked[key] = _Checked(prepared, call, tuple(ahead), ctx.offered, _counts_of(ctx))
        call, spec, request = prepared.call, prepared.spec, ctx.request
        collect = partial(circumstances, ctx, spec, call.arguments, ahead, to_decide=True)
        decision = decided[key] = run.services.policy.decide_collecting(
            spec, call.arguments, request.tenant, request.job, request.approval.drafts, collect
        )
        if decision.decision != "deny" and not _is_rehearsed(spec, ctx):
            ahead.append(call)
    return decided


async def _decide(call: ToolCall, key: str, run: Run, ahead: Sequence[ToolCall]) -> Prepared | CallRecord | _Waiting:
    """Decide on a call as far as that needs no person.

    The policy's decision is recorded, with the reply (`foresee`) or as a step: the operator's rules may change before the run is
    played again.
    """
    ctx, policy = run.ctx, run.services.policy
    if host_tools.shown_tool(call.name, ctx) is not None:
        return await host_tools.answer(call, key, run)
    day = ctx.request.budget.calls_per_day
    if day is not None and ctx.of_this_release and ctx.calls_made + len(ahead) >= day:  # one reply may hold hundreds
        return _settle(call, ctx, "not_run", "limit", f"the budget of the job's day is {day} calls")
    checked: _Checked | None = ctx.memo.get("checked", {}).get(key)
    if checked is not None and checked.still_holds(call, ahead, ctx):
        prepared: Prepared | CallRecord = checked.prepared
    else:
        prepared = await _check_call(call, key, run, ahead)
    if isinstance(prepared, CallRecord):
        return prepared
    call, spec, decision = prepared.call, prepared.spec, ctx.foreseen.get(key)
    if decision is None or decision.decision == "ask":
        call_circumstances = circumstances(ctx, spec, call.arguments, ahead)
    if decision is None:

        async def decide() -> Decision:
            return policy.decide(spec, call.arguments, call_circumstances)

        decision = await run.step(f"{key}/policy", decide, Decision)
    facts, sha256 = run.call_facts(call, spec), digest(call.arguments)
    said = {"decision": decision.decision, "rule": decision.rule, "reason": decision.reason}
    await run.recorder.emit(events.CallDecided, f"{key}/decided", **facts, **said, arguments_sha256=sha256)
    if decision.decision != "ask" or _is_rehearsed(spec, ctx):
        return _decided(prepared, decision, ctx)
    question = ctx.request.question(
        key,
        spec.name,
        spec.effect,
        call.arguments,
        decision.reason,
        title=spec.title,
        traced=call_circumstances.traced,
        input_schema=spec.input_schema,
        replaces=earlier_texts(call.arguments, ctx.records),
        headings=_headings_asked_for(call.arguments, ctx.request.rules),
        texts={} if spec.read_only else await run.off_the_loop(partial(text_support, call.arguments, ctx)),
    )
    return _Waiting(prepared, Asked(question, facts))


def _headings_asked_for(arguments: JsonObject, rules: Sequence[Rule]) -> dict[str, tuple[str, ...]]:
    """The headings that a job asks for, for each text among the arguments that has them all."""
    titles = tuple(title for rule in rules if isinstance(rule, Sections) for title in rule.titles)
    texts = [(name, value) for name, value in arguments.items() if titles and isinstance(value, str)]
    return {name: titles for name, text in texts if not Sections(titles=titles).absent_from(text)}


async def _check_call(call: ToolCall, key: str, run: Run, ahead: Sequence[ToolCall]) -> Prepared | CallRecord:
    """The call as prepared if it is valid, whatever the policy says of it; else the record of why not."""
    ctx = run.ctx
    spec = ctx.offered_by_name.get(call.name)
    if spec is None:
        return _unknown_tool(call, ctx)
    call = _without_empty_arguments(call, spec)
    if call.unreadable:
        unreadable = f"its arguments are not a JSON object: {call.unreadable[:200]}"
        return _settle(call, ctx, "terminal", "unreadable", unreadable, spec)
    if problems := validate(spec.input_schema, call.arguments) or _misspelt(call, spec):
        return _misfit(call, problems, spec, ctx)
    most = ctx.request.limits.calls_per_tool
    if most is not None and ctx.uses(spec.name) + sum(other.name == spec.name for other in ahead) >= most:
        return _settle(call, ctx, "not_run", "limit", f"it was called {most} times in this run already", spec)
    if twice := _would_happen_twice(call, spec, ctx, ahead):
        return _settle(call, ctx, "not_run", "", twice, spec)
    if _was_refused(call, spec, ctx):
        return _settle(call, ctx, "denied", "", "a person said no to it in this run, and is not asked again", spec)
    arguments = with_usual_addresses(spec, call.arguments)
    call = call if arguments == call.arguments else call.model_copy(update={"arguments": arguments})
    serving = served_needs(spec, call.arguments, ctx)
    if (
        not spec.read_only
        and may_be_held(serving, ctx)
        and (held_reason := await run.off_the_loop(partial(delivery_held, call, serving, ctx)))
    ):
        return _settle(call, ctx, "denied", HELD, held_reason, spec)
    return Prepared(call, key, spec, serving)


def _unknown_tool(call: ToolCall, ctx: ToolExecutionContext) -> CallRecord:
    if missing := ctx.catalog.missing([call.name]):
        why = f"server {missing[0].name} is not connected: {missing[0].cause}"
        return _settle(call, ctx, "terminal", "transport", why)
    if call.name in ctx.allowed and (spec := ctx.catalog.get(call.name)) is not None and not spec.available:
        return _settle(call, ctx, "terminal", "transport", spec.unavailable_because)
    why = f"there is no such tool{did_you_mean(call.name, [spec.name for spec in ctx.offered], most=3)}"
    return _settle(call, ctx, "terminal", "unknown_tool", why)


def _without_empty_arguments(call: ToolCall, spec: ToolSpec) -> ToolCall:
    """The call without nulls for optional arguments whose schema takes none, as models write arguments that they do not give."""
    if None not in call.arguments.values() or not validate(spec.input_schema, call.arguments):
        return call
    arguments = without_nulls(spec.input_schema, call.arguments)
    return call if validate(spec.input_schema, arguments) else call.model_copy(update={"arguments": arguments})


def _misspelt(call: ToolCall, spec: ToolSpec) -> tuple[str, ...]:
    """The arguments that a tool does not have though it has one of nearly that name: most servers drop them without a word, and
    answer for everybody where `user` was written for `user_id`."""
    if any(spec.input_schema.get(key) for key in ("additionalProperties", "patternProperties")):
        return ()
    left = spec.parameters.keys() - call.arguments.keys()
    unknown = sorted(call.arguments.keys() - spec.parameters.keys()) if left else []
    meant = {name: did_you_mean(name, sorted(left)) for name in unknown}
    return tuple(f"{name}: there is no such argument{near}" for name, near in meant.items() if near)


def _misfit(call: ToolCall, problems: Sequence[str], spec: ToolSpec, ctx: ToolExecutionContext) -> CallRecord:
    """The record of a call whose arguments are invalid, with the schema if the model was shown the tool in brief.

    `at_fault` names the invalid arguments, never their values, which stay out of the journal.
    """
    offered = next((definition for definition in ctx.definitions if definition.name == spec.name), None)
    why = f"its arguments do not fit: {'; '.join(problems)}"
    if offered is not None and offered.input_schema != spec.input_schema:
        why += f". Its arguments in full: {json.dumps(spec.input_schema, ensure_ascii=False)[:SCHEMA_CHARS]}"
    record = _settle(call, ctx, "terminal", "invalid_arguments", why, spec)
    names = {problem.split(" ")[0].split(".")[0].rstrip(":") for problem in problems}
    unknown = call.arguments.keys() - spec.parameters.keys()
    at_fault = names & {*spec.parameters, *spec.required} | unknown
    return record.model_copy(update={"at_fault": tuple(sorted(at_fault)), "unknown_arguments": tuple(sorted(unknown))})


def _would_happen_twice(call: ToolCall, spec: ToolSpec, ctx: ToolExecutionContext, ahead: Sequence[ToolCall]) -> str:
    """Why this write would repeat another one, or "" where it is new or its tool is idempotent."""
    if spec.read_only or spec.idempotent:
        return ""
    if any(other.name == call.name and other.arguments == call.arguments for other in ahead):
        return "the same call stands in this reply already, and it is made once"
    unknown = {receipt.call_id for receipt in ctx.receipts if receipt.state == "unknown"}
    if any(
        record.call_id in unknown and record.tool == spec.name and record.arguments == call.arguments for record in ctx.records
    ):
        return "nobody knows whether the same call happened before; a person has to look"
    return ""


def _was_refused(call: ToolCall, spec: ToolSpec, ctx: ToolExecutionContext) -> bool:
    """Whether a person refused this call in this run, or `MOST_REFUSALS` calls of its tool to the same recipient."""
    refused = [arguments for tool, arguments in ctx.refused if tool == spec.name]
    if not refused or not ctx.of_this_release:
        return False
    who = [name for name in call.arguments if sink_of(name, spec.parameters.get(name, {})) in WHO_OR_WHERE]
    there = [one for one in refused if all(same_value(one.get(name), call.arguments[name]) for name in who)]
    return len(there) >= MOST_REFUSALS or _in_one_spelling(call.arguments) in map(_in_one_spelling, refused)


def _in_one_spelling(arguments: JsonObject) -> str:
    """Arguments as text for comparison, without regard to case, blanks and width."""
    return "".join(readable(json.dumps(arguments, sort_keys=True, ensure_ascii=False, default=str)).casefold().split())


async def _apply_answer(
    waiting: _Waiting, answer: tuple[Decision, JsonObject | None], run: Run, ahead: Sequence[ToolCall]
) -> Prepared | CallRecord:
    """Apply a person's answer to a call: the decision, and the arguments as changed (None: unchanged).

    What a person changed is held against schema and policy like what a model wrote: nobody can widen a rule by an edit. A rule
    that asks is content: this person has just said yes to exactly these arguments. `ahead` are the others of the reply that may
    happen.
    """
    prepared = waiting.prepared
    ctx, spec, key = run.ctx, prepared.spec, prepared.key
    granted, arguments = answer
    if arguments is not None:
        arguments = with_usual_addresses(spec, arguments)
    if granted.rule == "denied":
        ctx.refused.append((spec.name, prepared.call.arguments))
    if granted.rule in _BY_PERSON:
        ctx.unapproved[prepared.call.id] = tuple(need.id for need in prepared.serving)
    if granted.decision != "allow" or arguments is None:
        return _with_why_asked(_decided(prepared, granted, ctx), waiting.asked.question.reason)
    if problems := validate(spec.input_schema, arguments):
        misfit = f"as a person changed it, it does not fit: {'; '.join(problems)}"
        return _decided(prepared, Decision(decision="deny", rule="edited", reason=misfit), ctx)

    async def decide() -> Decision:
        return run.services.policy.decide(spec, arguments, circumstances(ctx, spec, arguments, ahead))

    new_decision = await run.step(f"{key}/policy-edited", decide, Decision)
    if new_decision.decision == "deny":
        return _decided(prepared, new_decision, ctx)
    call = prepared.call.model_copy(update={"arguments": arguments})
    if twice := _would_happen_twice(call, spec, ctx, ahead):
        return _settle(call, ctx, "not_run", "", twice, spec)
    serving, proposed = served_needs(spec, arguments, ctx), prepared.call.arguments
    return _decided(replace(prepared, call=call, serving=serving, proposed=proposed), granted, ctx)


def _with_why_asked(settled: Prepared | CallRecord, why: str) -> Prepared | CallRecord:
    """A call that no person allowed, telling the model also why one was asked: it may do without that."""
    if not why or not isinstance(settled, CallRecord):
        return settled
    refusal = settled.result.text
    text = f"{refusal}. A person has to allow this: {why}"
    return settled.model_copy(update={"result": settled.result.model_copy(update={"text": text})})


def _decided(prepared: Prepared, decision: Decision, ctx: ToolExecutionContext) -> Prepared | CallRecord:
    """The call with its decision carried out; in a rehearsal the model goes on as if a write had been made."""
    call, spec, serving = prepared.call, prepared.spec, prepared.serving
    if decision.decision == "deny":
        by_person = decision.rule in _BY_PERSON  # what a person says stands for itself
        why = decision.reason if by_person else decision.refusal
        is_draft = by_person and any(need.id in ctx.request.approval.drafts for need in serving)
        return _settle(call, ctx, "denied", DRAFT if is_draft else "", why, spec)
    if not _is_rehearsed(spec, ctx):
        return replace(prepared, confirmed=True) if decision.rule == APPROVED else prepared
    asking = ", after asking a person" if decision.decision == "ask" else ""
    record = _settle(call, ctx, "not_run", "simulated", f"this is a rehearsal; it would be made{asking}", spec)
    text = (
        f"This is a rehearsal: {call.name} was not called. It would be called with exactly these arguments{asking}. "
        "Go on as if it had been done; in your answer say what would be done, never that it was."
    )
    result = record.result.model_copy(update={"text": text, "is_error": False})
    return record.model_copy(update={"result": result, "needs": tuple(need.id for need in serving)})


def _is_rehearsed(spec: ToolSpec, ctx: ToolExecutionContext) -> bool:
    return ctx.request.simulate and not spec.read_only


def _settle(
    call: ToolCall,
    ctx: ToolExecutionContext,
    kind: Literal["terminal", "not_run", "denied"],
    problem: Problem,
    why: str,
    spec: ToolSpec | None = None,
) -> CallRecord:
    """The record of a call that is not sent; `why` completes "TOOL was not called: …"."""
    result = ToolResult(call_id=call.id, name=call.name, text=f"{call.name} was not called: {why}", is_error=True, kind=kind)
    provider, effect = (spec.provider, spec.effect) if spec else ("", "")
    return ctx.record_of(call, result, provider=provider, effect=effect, problem=problem, reason=why)
