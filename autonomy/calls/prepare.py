"""The first stage of a tool call: validates it and asks the policy.

Looks the tool up, holds the arguments against its schema, asks the policy and, if the policy says so, a person. Whatever stops
a call here is a result like any other: the model reads it and goes on.
"""

import difflib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from autonomy.calls.ask_person import APPROVED, Asked, ask_about_all
from autonomy.calls.own_tools import host_tools
from autonomy.calls.run_handle import Run
from autonomy.completion.delivery import DRAFT, HELD, delivery_held, may_be_held
from autonomy.completion.evidence import off_the_loop, same_target
from autonomy.llm.messages import ToolCall, ToolResult
from autonomy.llm.model import Need
from autonomy.policy.argument_sources import depends_on_sources, trace_arguments
from autonomy.policy.dataflow import UNTRUSTED
from autonomy.policy.decision_table import SourceClass, TracedValue
from autonomy.policy.need_binding import binding_violations, is_write
from autonomy.policy.policy import Circumstances, Decision
from autonomy.policy.sinks import WHO_OR_WHERE, Sink, sink_of
from autonomy.policy.texts.addresses import addresses_in, addresses_named, is_named, readable
from autonomy.policy.texts.given_addresses import GivenAddresses, opens_named_page
from autonomy.policy.write_plan import key_of, planned_for, same_value
from autonomy.run_state.asking.approvals import ApprovalQuestion
from autonomy.run_state.context import ToolExecutionContext
from autonomy.run_state.digests import digest
from autonomy.run_state.run_provenance import addresses_given, know_schema, labels_in_view, sources_of_run
from autonomy.run_state.run_values import CallRecord
from discovery.catalog import JsonObject, ToolSpec
from discovery.schemas.schema import validate
from discovery.schemas.strict import without_nulls
from metrics import events
from metrics.events import Problem

Answer = tuple[Decision, JsonObject | None]
"""What a person said of a call, and its arguments as he changed them; None where he changed none."""
PLAN_ASKED = "a person was asked about a plan in this turn already: make the call again if it is still needed"
WHOLE_CHARS = 4_000
"""So much of a schema goes with the news that a call did not fit: a large one has its required arguments first or nowhere."""


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
    edited: bool = False
    """Whether the person changed its arguments before granting it; `call` holds them as changed."""


@dataclass(frozen=True)
class Settled:
    """A call that has its answer without having happened."""

    record: CallRecord


@dataclass(frozen=True)
class _Vetted:
    """A call that only the policy, or a person, can still stop."""

    spec: ToolSpec
    able: tuple[Need, ...]
    """The declared needs that its tool could meet."""
    serving: tuple[Need, ...]


@dataclass(frozen=True)
class _Waiting:
    """A call that waits for a person's word."""

    call: ToolCall
    key: str
    spec: ToolSpec
    able: tuple[Need, ...]
    serving: tuple[Need, ...]
    asked: Asked


async def prepare(
    call: ToolCall,
    key: str,
    run: Run,
    *,
    ahead: Sequence[ToolCall] = (),
) -> Prepared | Settled:
    """Decide on one call; `ahead` are those of the same reply that may happen."""
    stage = await _consider(call, key, run, ahead)
    if not isinstance(stage, _Waiting):
        return stage
    (answer,) = await ask_about_all([stage.asked], run)
    return await _answered(stage, answer, run, ahead)


async def prepare_all(calls: Mapping[str, ToolCall], run: Run) -> list[Prepared | Settled]:
    """Decide on the calls of a reply, by their keys, in the model's order. A person is asked once, about all that need it.

    While the others are decided on, what a person is asked about counts as granted: a refusal makes room for nothing in the same
    turn. Where a person was asked about a plan in this turn, no call is asked about.
    """
    if not run.ctx.asks_together:  # as the run was recorded: by a release that asked about each call by itself
        return await _one_by_one(calls, run)
    asked_before, stages = run.ctx.plan_asked, dict[str, Prepared | Settled | _Waiting]()
    for key, call in calls.items():
        stages[key] = await _consider(call, key, run, _may_happen(stages))
    waiting = [stage for stage in stages.values() if isinstance(stage, _Waiting)]
    if run.ctx.plan_asked and not asked_before:
        for stage in waiting:
            stages[stage.key] = _settled(stage.call, run.ctx, "not_run", "", PLAN_ASKED, stage.spec)
    elif waiting:
        await _ask_about(waiting, stages, run)
    return [stage for stage in stages.values() if not isinstance(stage, _Waiting)]


async def _ask_about(waiting: Sequence[_Waiting], stages: dict[str, Prepared | Settled | _Waiting], run: Run) -> None:
    """Put what a person says of these calls in their place. What he changed is held against all others that may happen."""
    answers = await ask_about_all([stage.asked for stage in waiting], run)
    standing = {key: stage.call for key, stage in stages.items() if isinstance(stage, Prepared)}
    standing |= {
        stage.key: stage.call if arguments is None else stage.call.model_copy(update={"arguments": arguments})
        for stage, (granted, arguments) in zip(waiting, answers, strict=True)
        if granted.decision == "allow"
    }
    for stage, answer in zip(waiting, answers, strict=True):
        beside = [call for key, call in standing.items() if key != stage.key]
        stages[stage.key] = settled = await _answered(stage, answer, run, beside)
        if isinstance(settled, Settled):
            standing.pop(stage.key, None)


async def _one_by_one(calls: Mapping[str, ToolCall], run: Run) -> list[Prepared | Settled]:
    stages: list[Prepared | Settled] = []
    for key, call in calls.items():
        ahead = [stage.call for stage in stages if isinstance(stage, Prepared)]
        stages.append(await prepare(call, key, run, ahead=ahead))
    return stages


def _may_happen(stages: Mapping[str, Prepared | Settled | _Waiting]) -> list[ToolCall]:
    return [stage.call for stage in stages.values() if not isinstance(stage, Settled)]


async def _consider(call: ToolCall, key: str, run: Run, ahead: Sequence[ToolCall]) -> Prepared | Settled | _Waiting:
    """What becomes of a call as far as it follows without asking anybody."""
    ctx = run.ctx
    if host_tools.own(call.name, ctx) is not None:
        return Settled(await host_tools.answer(call, key, run))
    call = _without_empty_arguments(call, ctx)
    vetted = await _vet(call, ctx, ahead)
    if isinstance(vetted, Settled):
        return vetted
    decision, asked = await _decide(call, key, vetted.spec, vetted.able, run, ahead)
    if asked is not None:
        return _Waiting(call, key, vetted.spec, vetted.able, vetted.serving, asked)
    return _decided(call, key, vetted.spec, vetted.serving, decision, ctx)


async def _answered(waiting: _Waiting, answer: Answer, run: Run, ahead: Sequence[ToolCall]) -> Prepared | Settled:
    """What becomes of a call that a person was asked about; `ahead` are the others of the reply that may happen."""
    ctx, spec = run.ctx, waiting.spec
    granted, arguments = answer
    if granted.rule == "denied":
        ctx.refused.append((spec.name, waiting.call.arguments))
    if granted.decision == "allow":
        granted, arguments = await _check_edited(arguments, granted, waiting.key, spec, waiting.able, run, ahead)
    call, serving = waiting.call, waiting.serving
    if arguments is not None:
        call = call.model_copy(update={"arguments": arguments})
        serving = tuple(need for need in waiting.able if not binding_violations(need, spec, call.arguments))
        if twice := _would_happen_twice(call, spec, ctx, ahead):
            return _settled(call, ctx, "not_run", "", twice, spec)
    return _decided(call, waiting.key, spec, serving, granted, ctx, edited=arguments is not None)


def _decided(
    call: ToolCall,
    key: str,
    spec: ToolSpec,
    serving: tuple[Need, ...],
    decision: Decision,
    ctx: ToolExecutionContext,
    *,
    edited: bool = False,
) -> Prepared | Settled:
    if decision.decision == "deny":
        problem: Problem = DRAFT if decision.rule in ("denied", "expired") and _is_draft(serving, ctx) else ""
        return _settled(call, ctx, "denied", problem, f"it is not allowed ({decision.rule}): {decision.reason}", spec)
    if _is_rehearsed(spec, ctx):
        return _rehearsed(call, ctx, spec, serving, decision)
    return Prepared(call, key, spec, serving, confirmed=decision.rule == APPROVED, edited=edited)


async def foresee(calls: Sequence[ToolCall], turn: int, run: Run) -> dict[str, Decision]:
    """What the policy says of the calls of a reply, by their keys, as far as it follows from the reply alone.

    It is recorded with the reply, and so before anything happens. It ends at the first host tool, whose answer may change what is
    decided on the next ones. What a person is asked about counts as granted, as in `prepare_all`.
    """
    ctx, decided, ahead = run.ctx, dict[str, Decision](), list[ToolCall]()
    for number, call in enumerate(calls, 1):
        if host_tools.own(call.name, ctx) is not None:
            break
        call = _without_empty_arguments(call, ctx)
        vetted = await _vet(call, ctx, ahead)
        if isinstance(vetted, Settled):
            continue
        given = circumstances(ctx, vetted.able, vetted.spec, call.arguments, ahead, to_decide=True)
        decision = decided[f"turn-{turn}/call-{number}"] = run.services.policy.decide(vetted.spec, call.arguments, given)
        if decision.decision != "deny" and not _is_rehearsed(vetted.spec, ctx):
            ahead.append(call)
    return decided


def _is_draft(serving: Sequence[Need], ctx: ToolExecutionContext) -> bool:
    return any(need.id in ctx.request.approval.drafts for need in serving)


def _whole(spec: ToolSpec, ctx: ToolExecutionContext) -> str:
    """What a tool that was shown in brief says of its arguments; nothing for one that was shown whole."""
    shown = next((definition for definition in ctx.definitions if definition.name == spec.name), None)
    if shown is None or shown.input_schema == spec.input_schema:
        return ""
    return f". Its arguments in full: {json.dumps(spec.input_schema, ensure_ascii=False)[:WHOLE_CHARS]}"


def _without_empty_arguments(call: ToolCall, ctx: ToolExecutionContext) -> ToolCall:
    """The call without nulls for optional arguments that take none: models write so what they do not give."""
    if None not in call.arguments.values():
        return call
    for spec in ctx.offered:
        if spec.name == call.name and validate(spec.input_schema, call.arguments):
            given = without_nulls(spec.input_schema, call.arguments)
            return call if validate(spec.input_schema, given) else call.model_copy(update={"arguments": given})
    return call


async def _vet(call: ToolCall, ctx: ToolExecutionContext, ahead: Sequence[ToolCall]) -> _Vetted | Settled:
    """Whether a call can be made at all, whatever the policy says of it."""
    spec = next((spec for spec in ctx.offered if spec.name == call.name), None)
    if spec is None and (missing := ctx.catalog.missing([call.name])):
        return _settled(call, ctx, "terminal", "transport", f"server {missing[0].name} is not connected: {missing[0].cause}")
    if spec is None:
        return _settled(call, ctx, "terminal", "unknown_tool", _near(call.name, ctx))
    if call.unreadable:
        return _settled(
            call, ctx, "terminal", "unreadable", f"its arguments are not a JSON object: {call.unreadable[:200]}", spec
        )
    if problems := validate(spec.input_schema, call.arguments):
        refused = _settled(
            call,
            ctx,
            "terminal",
            "invalid_arguments",
            f"its arguments do not fit: {'; '.join(problems)}{_whole(spec, ctx)}",
            spec,
        )
        return Settled(refused.record.model_copy(update={"at_fault": _at_fault(problems, call, spec)}))
    if (too_often := _made_too_often(call, spec, ctx, ahead)) is not None:
        return too_often
    if _was_refused(call, spec, ctx):
        return _settled(call, ctx, "denied", "", "a person said no to it in this run, and is not asked again", spec)
    able = able_needs(spec.name, ctx)
    serving = tuple(need for need in able if not binding_violations(need, spec, call.arguments))
    if (
        not spec.read_only
        and may_be_held(serving, ctx)
        and (held := await off_the_loop(partial(delivery_held, call, serving, ctx), ctx))
    ):
        return _settled(call, ctx, "denied", HELD, held, spec)
    return _Vetted(spec, able, serving)


MOST_REFUSALS = 2
"""Of calls of one tool with the same recipient: what a person said can be put right once, and nobody is tired with more."""


def _was_refused(call: ToolCall, spec: ToolSpec, ctx: ToolExecutionContext) -> bool:
    """Whether a person said no to this call in this run, or as often as is asked to others that go to the same recipient."""
    refused = [arguments for tool, arguments in ctx.refused if tool == spec.name]
    if not refused or not ctx.keeps_refusals:
        return False
    same = [arguments for arguments in refused if _said_alike(arguments) == _said_alike(call.arguments)]
    who = [name for name in call.arguments if sink_of(name, spec.parameters.get(name, {})) in WHO_OR_WHERE]
    there = [one for one in refused if all(same_value(one.get(name), call.arguments[name]) for name in who)]
    return bool(same) or len(there) >= MOST_REFUSALS


def _said_alike(arguments: JsonObject) -> str:
    """Arguments in one spelling: a blank more or another width makes no other question."""
    return "".join(readable(json.dumps(arguments, sort_keys=True, ensure_ascii=False, default=str)).casefold().split())


def _is_rehearsed(spec: ToolSpec, ctx: ToolExecutionContext) -> bool:
    return ctx.request.simulate and not spec.read_only


def _made_too_often(call: ToolCall, spec: ToolSpec, ctx: ToolExecutionContext, ahead: Sequence[ToolCall]) -> Settled | None:
    most = ctx.request.limits.calls_per_tool
    if most is not None and ctx.uses()[spec.name] + sum(other.name == spec.name for other in ahead) >= most:
        return _settled(call, ctx, "not_run", "limit", f"it was called {most} times in this run already", spec)
    if twice := _would_happen_twice(call, spec, ctx, ahead):
        return _settled(call, ctx, "not_run", "", twice, spec)
    return None


def _would_happen_twice(call: ToolCall, spec: ToolSpec, ctx: ToolExecutionContext, ahead: Sequence[ToolCall]) -> str:
    """Why this write would be the same one again, in words; empty when it is another, or may be repeated."""
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


def call_facts(call: ToolCall, turn: int, spec: ToolSpec | None) -> dict[str, Any]:
    """What every event about a call says."""
    return {
        "turn": turn,
        "call_id": call.id,
        "tool": call.name,
        "provider": spec.provider if spec else "",
        "effect": spec.effect if spec else "",
    }


async def _decide(
    call: ToolCall,
    key: str,
    spec: ToolSpec,
    able: Sequence[Need],
    run: Run,
    ahead: Sequence[ToolCall],
) -> tuple[Decision, Asked | None]:
    """The decision, and what a person is asked where it says so."""
    ctx, recorder, services = run.ctx, run.recorder, run.services
    request = ctx.request

    # recorded either way: the operator's rules may change before the run is played again
    decision: Decision | None = ctx.foreseen.get(key)
    given: Circumstances | None = None
    if decision is None:
        given = asked_of = circumstances(ctx, able, spec, call.arguments, ahead)

        async def decide() -> Decision:
            return services.policy.decide(spec, call.arguments, asked_of)

        decision = await run.step(f"{key}/policy", decide, Decision)
    elif decision.decision == "ask":
        given = circumstances(ctx, able, spec, call.arguments, ahead)
    elif _is_traced(ctx, spec):
        know_schema(ctx, spec)  # sources are taken in in the same order when the run is played again and foresees nothing
    facts = call_facts(call, ctx.turn, spec)
    sha256 = digest(call.arguments)
    await recorder.emit(events.CallDecided, f"{key}/decided", **facts, **decision.model_dump(), arguments_sha256=sha256)
    if given is None or decision.decision != "ask" or _is_rehearsed(spec, ctx):
        return decision, None
    question = ApprovalQuestion(
        run_id=request.run_id,
        key=key,
        tenant=request.tenant,
        job=request.job,
        tool=spec.name,
        effect=spec.effect,
        arguments=call.arguments,
        arguments_sha256=sha256,
        reason=decision.reason,
        asked_for_by=request.actor,
        traced=given.traced,
        language=request.task.language,
        wait_s=request.approval.wait_s,
        quiet=request.quiet,
        input_schema=spec.input_schema,
    )
    return decision, Asked(question, facts)


async def _check_edited(
    arguments: JsonObject | None,
    granted: Decision,
    key: str,
    spec: ToolSpec,
    able: Sequence[Need],
    run: Run,
    ahead: Sequence[ToolCall],
) -> Answer:
    """What a person changed is held against schema and policy like what a model wrote: a person can widen no rule by an edit.

    A rule that asks is content: this person has just said yes to exactly these arguments.
    """
    if arguments is None:
        return granted, None
    if problems := validate(spec.input_schema, arguments):
        return Decision(
            decision="deny", rule="edited", reason=f"as a person changed it, it does not fit: {'; '.join(problems)}"
        ), None

    async def decide() -> Decision:
        return run.services.policy.decide(spec, arguments, circumstances(run.ctx, able, spec, arguments, ahead))

    again = await run.step(f"{key}/policy-edited", decide, Decision)
    return (again, None) if again.decision == "deny" else (granted, arguments)


def able_needs(tool: str, ctx: ToolExecutionContext) -> tuple[Need, ...]:
    """The declared needs that a tool could meet."""
    return tuple(need for need in ctx.request.task.needs if tool in ctx.candidates.get(need.id, ()))


def circumstances(
    ctx: ToolExecutionContext,
    able: Sequence[Need],
    spec: ToolSpec,
    arguments: JsonObject,
    ahead: Sequence[ToolCall] = (),
    *,
    to_decide: bool = False,
) -> Circumstances:
    """What the policy has to know of the run to decide on a call; `ahead` are those of the same reply that may happen.

    `to_decide`: it is not shown to anybody, so that the sources of values on which no decision depends are not looked for.
    """
    task = ctx.request.task
    reading = [name for need in task.needs if not is_write(need.effect) for name in ctx.candidates.get(need.id, ())]
    known, named = _known(ctx)
    labels = labels_in_view(ctx)
    declined = ctx.plan_sought and ctx.write_plan is None
    unread = UNTRUSTED not in labels and not spec.read_only and not ctx.request.pasted
    words = task.goal if declined or (unread and not task.needs) else ""
    written = _written(ctx, spec, arguments, ahead) if declined and not spec.read_only else []
    looked = [record for record in ctx.records if record.attempts and record.effect == "read"]
    traced = _traced(ctx, spec, arguments, named, to_decide=to_decide)
    return Circumstances(
        tenant=ctx.request.tenant,
        job=ctx.request.job,
        writes=tuple(need for need in task.needs if is_write(need.effect)),
        able=tuple(able),
        closed=bool(task.needs),
        done=_done(ctx, spec, arguments, ahead) if not spec.read_only else {},
        plan=ctx.write_plan,
        sources=frozenset(spec.provider for spec in ctx.offered if spec.name in reading) if reading else frozenset(),
        labels=labels,
        words=words,
        declined=declined,
        made=sum(name == spec.name for name, _ in written),
        repeated=bool(words)
        and not spec.read_only
        and _is_repeated(spec, arguments, written if declined else _called(ctx, ahead)),
        to_confirm=ctx.to_confirm,
        strangers=ctx.strangers,
        known=known,
        looked=frozenset(record.tool for record in looked),
        opened=sum(_strange_addresses(ctx, record, named) for record in looked),
        traced=traced,
        readers={need.id: ctx.candidates.get(need.id, ()) for need in task.needs if not is_write(need.effect)},
        given=_given(ctx, named) if any(map(_may_be_given, traced)) else GivenAddresses(),
        drafts=frozenset(ctx.request.approval.drafts),
    )


def _called(ctx: ToolExecutionContext, ahead: Sequence[ToolCall]) -> list[tuple[str, JsonObject]]:
    """The calls of the run, and those of the same reply that may happen."""
    return [*((record.tool, record.arguments) for record in ctx.records), *((call.name, call.arguments) for call in ahead)]


def _is_repeated(spec: ToolSpec, arguments: JsonObject, made: Sequence[tuple[str, JsonObject]]) -> bool:
    """Whether the tool is among these calls with the same arguments that say who or where."""
    who = [name for name in arguments if sink_of(name, spec.parameters.get(name, {})) in WHO_OR_WHERE]
    return any(tool == spec.name and all(given.get(name) == arguments[name] for name in who) for tool, given in made)


def _known(ctx: ToolExecutionContext) -> tuple[str, frozenset[str]]:
    """The words of those who may decide, and the addresses in them: the same for the whole run."""
    if "known" not in ctx.memo:
        known = f"{ctx.request.trusted_task.model_dump_json()} {ctx.request.instructions}"
        ctx.memo["known"] = known, addresses_named(known)
    found: tuple[str, frozenset[str]] = ctx.memo["known"]
    return found


def _strange_addresses(ctx: ToolExecutionContext, record: CallRecord, named: frozenset[str]) -> int:
    """How many addresses in a call's arguments nobody named. Kept by the record itself, for a model may use an id twice."""
    counted: dict[int, tuple[CallRecord, int]] = ctx.memo.setdefault("strange_addresses", {})
    if id(record) not in counted:
        counted[id(record)] = record, sum(not is_named(address, named) for address in addresses_in(record.arguments))
    return counted[id(record)][1]


def _may_be_given(value: TracedValue) -> bool:
    """Whether it could be an address out of a result; only then results are read for addresses."""
    return value.source is not SourceClass.WORDS and value.sink in (Sink.HOST, Sink.RECIPIENT)


def _given(ctx: ToolExecutionContext, named: frozenset[str]) -> GivenAddresses:
    by_tool: dict[str, frozenset[str]] = {}
    on_named_pages: frozenset[str] = frozenset()
    for record, addresses in addresses_given(ctx):
        by_tool[record.tool] = by_tool.get(record.tool, frozenset()) | addresses
        if (spec := ctx.catalog.get(record.tool)) and opens_named_page(spec, record.arguments, named):
            on_named_pages |= addresses
    return GivenAddresses(by_tool=by_tool, on_named_pages=on_named_pages)


def _is_traced(ctx: ToolExecutionContext, spec: ToolSpec) -> bool:
    return not spec.read_only or bool(labels_in_view(ctx))


def _traced(
    ctx: ToolExecutionContext, spec: ToolSpec, arguments: JsonObject, named: frozenset[str], *, to_decide: bool
) -> tuple[TracedValue, ...]:
    """The call's values with their sources; a read before anything was seen needs none."""
    if not _is_traced(ctx, spec):
        return ()
    know_schema(ctx, spec)
    if to_decide and spec.read_only and not depends_on_sources(spec, arguments):
        return ()
    return trace_arguments(spec, arguments, sources_of_run(ctx), named)


def _done(ctx: ToolExecutionContext, spec: ToolSpec, arguments: JsonObject, ahead: Sequence[ToolCall]) -> dict[str, int]:
    """How often each write need and each planned write was met: by what may have happened, and by what is about to.

    What this call replaces does not count: an idempotent tool leaves one thing however often its text is put right.
    """
    done: Counter[str] = Counter()
    for name, made in _written(ctx, spec, arguments, ahead):
        made_by = ctx.catalog.get(name)
        if made_by is None or made_by.read_only:
            continue
        done.update(need.id for need in able_needs(name, ctx) if not binding_violations(need, made_by, made))
        if ctx.write_plan is not None and (write := planned_for(ctx.write_plan, made_by, made, done)[0]) is not None:
            done[key_of(write)] += 1
    return dict(done)


def _written(
    ctx: ToolExecutionContext, spec: ToolSpec, arguments: JsonObject, ahead: Sequence[ToolCall]
) -> list[tuple[str, JsonObject]]:
    """The calls that may have changed something, or are about to, but for what this one replaces."""
    made = [
        (record.tool, record.arguments)
        for record in ctx.records
        if (record.receipt is not None or record.simulated) and not _replaces(spec, arguments, record)
    ]
    return [*made, *((call.name, call.arguments) for call in ahead)]


def _replaces(spec: ToolSpec, arguments: JsonObject, record: CallRecord) -> bool:
    """Whether the call puts other long text where the record's stands, and differs from it in nothing else."""
    again = record.model_copy(update={"tool": spec.name, "arguments": arguments})
    return spec.idempotent and same_target(record, again, None)


def _near(name: str, ctx: ToolExecutionContext) -> str:
    near = difflib.get_close_matches(name, [spec.name for spec in ctx.offered], n=3, cutoff=0.5)
    return "there is no such tool" + (f"; did you mean {', '.join(near)}?" if near else "")


def _at_fault(problems: Sequence[str], call: ToolCall, spec: ToolSpec) -> tuple[str, ...]:
    """The names of the arguments that were wrong; never their values, which stay out of the journal."""
    named = {problem.split(" ")[0].split(".")[0].rstrip(":") for problem in problems}
    return tuple(sorted(named & {*spec.parameters, *spec.required} | call.arguments.keys() - spec.parameters.keys()))


def _rehearsed(call: ToolCall, ctx: ToolExecutionContext, spec: ToolSpec, serving: Sequence[Need], decision: Decision) -> Settled:
    """A write in a rehearsal: the model goes on as if it had been made, and nobody was bothered."""
    asking = ", after asking a person" if decision.decision == "ask" else ""
    settled = _settled(call, ctx, "not_run", "simulated", f"this is a rehearsal; it would be made{asking}", spec)
    text = (
        f"This is a rehearsal: {call.name} was not called. It would be called with exactly these arguments{asking}. "
        "Go on as if it had been done; in your answer say what would be done, never that it was."
    )
    result = settled.record.result.model_copy(update={"text": text, "is_error": False})
    return Settled(settled.record.model_copy(update={"result": result, "needs": tuple(need.id for need in serving)}))


def _settled(
    call: ToolCall, ctx: ToolExecutionContext, kind: Any, problem: Problem, why: str, spec: ToolSpec | None = None
) -> Settled:
    result = ToolResult(call_id=call.id, name=call.name, text=f"{call.name} was not called: {why}", is_error=True, kind=kind)
    return Settled(
        CallRecord(
            call_id=call.id,
            turn=ctx.turn,
            tool=call.name,
            asked=call.name,
            provider=spec.provider if spec else "",
            effect=spec.effect if spec else "",
            arguments=call.arguments,
            result=result,
            finished_at=ctx.now,
            problem=problem,
            reason=why,
        )
    )
