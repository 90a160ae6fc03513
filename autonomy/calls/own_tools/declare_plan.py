"""The host tool by which a model declares its writes before it reads untrusted text."""

import json
from collections import Counter

from pydantic import ValidationError

from autonomy.calls.ask_person import Asked, ask_person
from autonomy.calls.run_handle import Run
from autonomy.llm.messages import ToolCall, ToolDefinition
from autonomy.llm.model import Need
from autonomy.policy.arguments.argument_sources import trace_arguments
from autonomy.policy.dataflow import UNTRUSTED
from autonomy.policy.decision_table import TracedValue
from autonomy.policy.envelopes.within_words import called_for
from autonomy.policy.need_binding import binding_violations, free_arguments, is_write
from autonomy.policy.requests.forbidden_deeds import forbids
from autonomy.policy.sinks import WHO_OR_WHERE, sink_of
from autonomy.policy.texts.addresses import addresses_named
from autonomy.policy.write_plan import DECLARE_PLAN, PlannedWrite, WritePlan, delegates, most_times, plan_problems, without_takers
from autonomy.provenance.sources.leaves import leaves
from autonomy.run_state.asking.approvals import ApprovalQuestion
from autonomy.run_state.context import ToolExecutionContext
from autonomy.run_state.run_provenance import has_read, labels_in_view, sources_of_run, trusted_sources
from autonomy.run_state.run_values import HOST
from discovery.catalog import JsonObject, ToolSpec

MEND = (
    "The plan may be made again: what the request does not say is no fixed value, but open (a tool's result gives it) or own ("
    "yours; a person is asked where it says who or where)"
)
_ONE = {
    "description": "exactly one of the three",
    "type": "object",
    "properties": {
        "fixed": {"description": "The value, as it stands in the request"},
        "open": {
            "type": "string",
            "description": "Filled from a result, with what you add to an object or list: the tool that gives it, or *",
        },
        "own": {"type": "boolean", "description": "Your own wording or reckoning"},
    },
    "additionalProperties": False,
}
PLAN = ToolDefinition(
    name=DECLARE_PLAN,
    description=(
        "Call this first: say what the request has you change, send or delete, before you read anything. Writes that you "
        "declare here, and that the request calls for, go ahead without a question; others are refused once text from tools "
        "was read. When nothing is to be written, writes is an empty list."
    ),
    input_schema={
        "type": "object",
        "properties": {
            "reads": {
                "type": "array",
                "items": {"type": "string"},
                "description": "The tools you will look things up with, every one",
            },
            "links": {"type": "integer", "minimum": 0, "description": "How many addresses found in results you will open"},
            "links_from": {
                "type": "array",
                "items": {"type": "string"},
                "description": "The tools whose results hold those addresses",
            },
            "writes": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "tool": {"type": "string"},
                        "times": {
                            "type": "integer",
                            "minimum": 1,
                            "description": "How often at most; for each of several, as many as there may be",
                        },
                        "args": {
                            "type": "object",
                            "description": "The arguments that you will give, every one",
                            "additionalProperties": _ONE,
                        },
                    },
                    "required": ["tool", "args"],
                    "additionalProperties": False,
                },
            },
            "follows": {
                "type": "string",
                "description": "Only when the request leaves the choice of writes to something you will read: those words of it",
            },
        },
        "required": ["writes"],
        "additionalProperties": False,
    },
)


DELEGATED = ToolDefinition(
    name=DECLARE_PLAN,
    description=(
        "This job leaves to something that is read where it writes. Once you have read it, call this with all the writes, "
        "before the first of them, every argument that says who or where as fixed: a person is asked about the whole list "
        "at once, and not again about each. Each has to keep to what the job itself fixes."
    ),
    input_schema=PLAN.input_schema,
)


def offered(ctx: ToolExecutionContext) -> ToolDefinition | None:
    """The tool, where a plan makes a difference: a goal without declared needs and tools that write, or a delegated job."""
    task = ctx.request.trusted_task
    if not task.needs:
        return PLAN if any(not spec.read_only for spec in ctx.offered) else None
    return DELEGATED if delegates(task.goal) and any(map(_leaves_where_open, task.needs)) else None


def _leaves_where_open(need: Need) -> bool:
    return is_write(need.effect) and any(sink_of(name, {}) in WHO_OR_WHERE for name in free_arguments(need))


async def declare(call: ToolCall, key: str, run: Run) -> tuple[str, bool]:
    """Take a plan in if the request supports it, or a person does. What to tell the model, and whether it stands now."""
    ctx = run.ctx
    try:
        plan = WritePlan.model_validate(call.arguments)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        return f"the plan cannot be used: {'.'.join(map(str, first['loc']))}: {first['msg']}", False
    if ctx.request.task.needs and UNTRUSTED not in labels_in_view(ctx):
        return (
            "nothing was read yet: declare the writes that the job leaves to what is read, once it was read",
            False,
        )
    words = ctx.request.trusted_task.goal
    if has_read(ctx) or (ctx.request.pasted and delegates(words)):
        return await _widen(plan, call, key, run)
    before = ctx.write_plan
    if not (problems := take_in(plan, ctx)):
        return "The plan is noted.", True
    why = f"{'; '.join(problems)}. {MEND}"
    if ctx.write_plan is before or ctx.write_plan is None:
        return f"this plan goes beyond the request: {why}", False
    stands = json.dumps(_listed(ctx.write_plan), ensure_ascii=False)
    return (
        f"The plan is noted as far as the request goes: {stands}. The rest is left out, to be asked for in your answer: {why}",
        True,
    )


def take_in(plan: WritePlan, ctx: ToolExecutionContext) -> tuple[str, ...]:
    """Let a plan that was made of nothing but trusted words bind the run, as far as it can stand. Why the rest cannot."""
    problems = refusals(plan, ctx)
    if not problems:
        ctx.write_plan, ctx.plan_is_part = plan, False
    elif ctx.plans_in_part:
        _take_part(plan, ctx)
    return problems


def _take_part(plan: WritePlan, ctx: ToolExecutionContext) -> None:
    """Keep each write that would stand if it were the whole plan, as often as the request lets it happen.

    The run goes on as if the model had declared no more than that; where nothing stands, as if it had declared nothing.
    """
    words, stands = ctx.request.trusted_task.goal, []
    for write in plan.writes:
        fewer = write.model_copy(update={"times": min(write.times, most_times(write, words))})
        if not refusals(WritePlan(writes=(fewer,)), ctx):
            stands.append(fewer)
    reading = {spec.name for spec in _tools(ctx) if spec.read_only}
    if stands := without_takers(stands, {write.tool for write in plan.writes} - reading):
        follows = plan.follows if delegates(words) else ""
        ctx.write_plan = plan.model_copy(update={"writes": tuple(stands), "follows": follows})
        ctx.plan_is_part = True


def refusals(plan: WritePlan, ctx: ToolExecutionContext) -> tuple[str, ...]:
    """Why a plan that was made of nothing but trusted words cannot stand, one sentence each; empty where it can."""
    words, tools = ctx.request.trusted_task.goal, _tools(ctx)
    problems = plan_problems(plan, tools, trusted_sources(ctx), words)
    planned = {write.tool for write in plan.writes}
    forbidden = [spec.name for spec in tools if spec.name in planned and forbids(words, spec.tool) == "deny"]
    problems += tuple(f"the request says not to do what {name} does" for name in forbidden)
    return (*problems, *(_asked_by_others(plan, ctx) if ctx.request.pasted or ctx.request.own_goal is not None else ()))


def _asked_by_others(plan: WritePlan, ctx: ToolExecutionContext) -> list[str]:
    """Why writes of a plan cannot stand for which only what was pasted, or a name from outside, may ask."""
    words, tools = ctx.request.trusted_task.goal, {spec.name: spec for spec in _tools(ctx)}
    unasked = {write.tool for write in plan.writes if write.tool in tools and not called_for(tools[write.tool], words)}
    return [f"{tool} is not called for by the request, beside what others wrote into it" for tool in sorted(unasked)]


async def _widen(plan: WritePlan, call: ToolCall, key: str, run: Run) -> tuple[str, bool]:
    """A plan made after something was read may be somebody else's: one question, where the request left it open."""
    ctx = run.ctx
    by_name = {spec.name: spec for spec in _tools(ctx)}
    wrong = [write.tool for write in plan.writes if write.tool not in by_name or by_name[write.tool].read_only]
    if wrong:
        return f"{', '.join(wrong)}: no tool that writes here", False
    if left_open := _left_open(plan, by_name):
        return f"{', '.join(left_open)}: after reading, who and where have to be said (fixed), not left open", False
    if ctx.plan_asked:
        return "a person was asked about a plan in this run already, and is not asked again", False
    if refusal := _beside_the_job(plan, by_name, ctx) if ctx.request.task.needs else _beyond(plan, by_name, ctx):
        return refusal, False
    ctx.plan_asked, asked_about = True, plan.writes
    if not ctx.request.simulate:
        facts = {"turn": ctx.turn, "call_id": call.id, "tool": PLAN.name, "provider": HOST, "effect": "write"}
        ((decision, ticked),) = await ask_person([Asked(_question(plan, by_name, key, ctx), facts)], run)
        if decision.decision != "allow":
            return f"the plan does not stand ({decision.rule}): {decision.reason}", False
        if ticked is not None:
            plan = plan.model_copy(update={"writes": tuple(write for label, write in _writes_by_label(plan) if label in ticked)})
    # only the writes were shown: what the first plan says of reads stays, and links are asked about one by one
    before = ctx.write_plan or WritePlan(links=plan.links)
    ctx.write_plan = before.model_copy(update={"writes": (*before.writes, *plan.writes)})
    if lost := len(asked_about) - len(plan.writes):
        return (
            f"A person agreed to the plan without {lost} of its writes: {json.dumps(_listed(plan), ensure_ascii=False)}",
            True,
        )
    return "A person agreed to the plan.", True


def _left_open(plan: WritePlan, tools: dict[str, ToolSpec]) -> list[str]:
    """The recipients that are missing from a list that a person would agree to."""
    return [
        f"{write.tool}.{name}"
        for write in plan.writes
        for name, planned in write.args.items()
        if planned.fixed is None and sink_of(name, tools[write.tool].parameters.get(name, {})) in WHO_OR_WHERE
    ]


def _writes_by_label(plan: WritePlan) -> list[tuple[str, PlannedWrite]]:
    return [(f"{number}. {write.tool} × {write.times}", write) for number, write in enumerate(plan.writes, 1)]


def _listed(plan: WritePlan) -> list[JsonObject]:
    return [write.model_dump(mode="json", exclude_defaults=True) for write in plan.writes]


def _beyond(plan: WritePlan, tools: dict[str, ToolSpec], ctx: ToolExecutionContext) -> str:
    """Why nobody is asked about this plan; empty where the request left it open.

    A model that said first what it writes, and nothing of following what it reads, has had its say, and so has one that was asked
    for a plan in a conversation without what was read (`agent.plans.late_plan`) and declared none, or that can still be asked so:
    its next write is the occasion. A page to which text only led decides neither what kind of thing is done nor to whom.
    """
    words, first = ctx.request.trusted_task.goal, ctx.write_plan
    called = {name: called_for(spec, words) for name, spec in tools.items()}
    if not (delegates(words) and (first is None or bool(first.follows))):
        lacks_writes = first is None or ctx.plan_is_part
        if lacks_writes and not ctx.plan_sought and ctx.of_this_release and not ctx.request.has_strangers_words:
            return "text from tools was in view, so no plan is taken now: make the calls that the request itself calls for"
        if first is not None or ctx.plan_sought or not all(called[write.tool] for write in plan.writes):
            why = "text from tools was in view, and the request leaves no choice of writes to it"
            return f"{why}; say in your answer what you would do"
    led_to = [write.tool for write in plan.writes if not called[write.tool] and _goes_where_text_led(write, tools, ctx)]
    if led_to:
        return f"{', '.join(led_to)}: the request does not call for it, and only pages to which text led say where it goes"
    return ""


def _beside_the_job(plan: WritePlan, tools: dict[str, ToolSpec], ctx: ToolExecutionContext) -> str:
    """Why nobody is asked about this plan of a job; empty where each write meets a need of it, and none too often."""
    counted: Counter[str] = Counter()
    for write in plan.writes:
        fixed = {name: planned.fixed for name, planned in write.args.items() if planned.fixed is not None}
        able = [
            need for need in ctx.request.task.needs if write.tool in ctx.candidates.get(need.id, ()) and is_write(need.effect)
        ]
        met = [need for need in able if not binding_violations(need, tools[write.tool], fixed)]
        if not met:
            return f"{write.tool}: no declared need of this job is met by it with these fixed arguments"
        counted[met[0].id] += write.times
        if counted[met[0].id] > met[0].times:
            return f"the job allows {met[0].id} {met[0].times} times"
    return ""


def _goes_where_text_led(write: PlannedWrite, tools: dict[str, ToolSpec], ctx: ToolExecutionContext) -> bool:
    """Whether a recipient or the like stands nowhere but in what was read because a text said so, or nowhere at all."""
    sources, steered = sources_of_run(ctx), ctx.provenance.steered if ctx.provenance else set()
    return any(
        all(source.call_id in steered for source in sources.sources_of(leaf.value))
        for name, planned in write.args.items()
        if planned.fixed is not None and sink_of(name, tools[write.tool].parameters.get(name, {})) in WHO_OR_WHERE
        for leaf in leaves([planned.fixed])
    )


def _question(plan: WritePlan, tools: dict[str, ToolSpec], key: str, ctx: ToolExecutionContext) -> ApprovalQuestion:
    arguments: JsonObject = {
        label: {name: planned.model_dump(exclude_defaults=True) for name, planned in write.args.items()}
        for label, write in _writes_by_label(plan)
    }
    addresses = addresses_named(ctx.request.trusted_words)
    traced: list[TracedValue] = []
    for label, write in zip(arguments, plan.writes, strict=True):
        fixed = {name: planned.fixed for name, planned in write.args.items() if planned.fixed is not None}
        found = trace_arguments(tools[write.tool], fixed, sources_of_run(ctx), addresses)
        traced += (value.model_copy(update={"argument": f"{label} {value.argument}"}) for value in found)
    reason = "the writes that what was read asks for" + (f" ({plan.follows[:120]})" if plan.follows else "")
    # each write as it stands or not at all: it can be unticked, not changed
    schema = {"properties": {label: {"const": one} for label, one in arguments.items()}, "additionalProperties": False}
    return ctx.request.question(key, PLAN.name, "write", arguments, reason, traced=tuple(traced), input_schema=schema)


def _tools(ctx: ToolExecutionContext) -> tuple[ToolSpec, ...]:
    return ctx.catalog.only(ctx.allowed).tools
