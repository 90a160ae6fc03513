"""Makes a plan, checks it against the catalog, and executes it through the call pipeline.

Steps that do not wait for each other are made together, one turn. When a step fails, the model plans anew what remains, a
bounded number of times. What the plan found is in the conversation when the loop takes over, and the answer is judged as
always.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from pydantic import ValidationError

from autonomy.agent.catalog_views import as_json_schema, in_plain_words
from autonomy.agent.model_step import complete
from autonomy.calls.circumstances import able_needs, circumstances
from autonomy.calls.pipeline import run_calls
from autonomy.calls.run_handle import Run
from autonomy.llm.messages import AssistantMessage, Message, ToolCall, ToolResult, UserMessage
from autonomy.llm.model import ModelRequest
from autonomy.llm.model_chain import Chain
from autonomy.run_state.context import ToolExecutionContext
from autonomy.run_state.plan import SCHEMA, Plan, PlannedStep, filled, problems
from autonomy.run_state.run_values import CallRecord
from discovery.catalog import Frozen, ToolSpec

PLAN = """Before you do anything, plan. Answer with JSON only:
{{"steps": [{{"id": "find", "tool": "full name", "arguments": {{…}}, "after": [], "why": "…"}}]}}
- At most 20 steps, each one call of one of the tools below. Arguments must fit the tool's input schema.
- An argument may refer to what an earlier step found: "{{{{find}}}}" is its whole answer, "{{{{find.posts.0.number}}}}" a value in it.
- Steps that do not depend on each other run together. Write the final answer later, not as a step.

The tools, as their servers describe them:
{schemas}{others}"""
OTHERS = "\n\nFurther tools, which can be planned too; ask for no more than their names say:\n"
OTHERS_CHARS = 6_000
PLAN_TOKENS = 4_000


class _Checked(Frozen):
    """What is wrong with a plan: recorded, because the operator's policy may change before the run is played again."""

    problems: tuple[str, ...] = ()


@dataclass
class _Planning:
    """How the planning of one run stands."""

    run: Run
    model: Chain
    done: dict[str, ToolResult] = field(default_factory=dict)


async def run_plan(run: Run, model: Chain) -> str:
    """Plan and carry out. Gives why no plan came through, or nothing; raises `ModelError`. Stops where a limit is reached."""
    ctx, planning = run.ctx, _Planning(run, model)
    wish = _first_wish(ctx)
    for _ in range(1 + ctx.request.limits.corrections):
        plan, trouble = await _plan(planning, wish)
        if plan is None:
            return f"no plan that can be carried out: {'; '.join(trouble[:3])}"
        ctx.plan = plan
        failures = await _carry_out(planning, plan)
        if not failures or ctx.request.limits.reached(ctx.spent):
            break
        known = f"These steps are done, and can be referred to: {', '.join(planning.done) or 'none'}. Plan anew what remains."
        wish = f"{_first_wish(ctx)}\n\n{_that_failed(failures)}\n{known}"
    return ""  # what still fails is in the conversation: the loop goes on from there, turn by turn


def _first_wish(ctx: ToolExecutionContext) -> str:
    shown = {spec.name for spec in ctx.offered}
    others = in_plain_words(spec for spec in ctx.catalog.tools if spec.name in ctx.allowed - shown)
    return PLAN.format(schemas=as_json_schema(_as_shown(ctx)), others=OTHERS + others[:OTHERS_CHARS] if others else "")


def _as_shown(ctx: ToolExecutionContext) -> Iterator[ToolSpec]:
    """The tools with the schemas of their definitions: one of many is shown in brief."""
    schemas = {definition.name: definition.input_schema for definition in ctx.definitions}
    for spec in ctx.offered:
        yield spec.model_copy(update={"input_schema": schemas.get(spec.name, spec.input_schema)})


async def _plan(planning: _Planning, wish: str) -> tuple[Plan | None, tuple[str, ...]]:
    """A plan in which nothing is wrong, or what was wrong with the last. The talk about it stays out of the run's
    conversation."""
    ctx = planning.run.ctx
    talk: list[Message] = [*ctx.messages, UserMessage(text=wish, host=True)]
    trouble: tuple[str, ...] = ()
    for _ in range(1 + ctx.request.limits.corrections):
        if spent := ctx.request.limits.reached(ctx.spent):
            return None, (*trouble, f"{spent} is reached")
        ctx.turn += 1
        request = ModelRequest(messages=tuple(talk), tool_choice="none", json_schema=SCHEMA, max_output_tokens=PLAN_TOKENS)
        key = f"turn-{ctx.turn}/plan"
        reply = await complete(request, key, planning.run, planning.model, aloud=False)
        plan, trouble = await _checked(planning, reply)
        if plan is not None:
            return plan, ()
        correct = f"{_that_failed(trouble)}\nCorrect the plan and give it again in full."
        talk += [reply.model_copy(update={"calls": ()}), UserMessage(text=correct, host=True)]
    return None, trouble


async def _checked(planning: _Planning, reply: AssistantMessage) -> tuple[Plan | None, tuple[str, ...]]:
    begin, end = reply.text.find("{"), reply.text.rfind("}")
    try:
        plan = Plan.model_validate_json(reply.text[begin : end + 1])
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = "".join(f"{part}: " for part in first["loc"])
        return None, (f"that is no plan in JSON: {where}{first['msg']}",)
    tools = {spec.name: spec for spec in planning.run.ctx.catalog.tools if spec.name in planning.run.ctx.allowed}
    if found := problems(plan, tools, planning.done):
        return None, found

    async def decide() -> _Checked:
        return _Checked(
            problems=tuple(sentence for step in plan.steps if (sentence := _denied(planning, step, tools[step.tool])))
        )

    checked = await planning.run.step(f"turn-{planning.run.ctx.turn}/plan/policy", decide, _Checked)
    return (None, checked.problems) if checked.problems else (plan, ())


def _denied(planning: _Planning, step: PlannedStep, spec: ToolSpec) -> str:
    """Why the policy would certainly refuse a step. What it would ask about is asked when the call is made."""
    given = circumstances(planning.run.ctx, able_needs(step.tool, planning.run.ctx), spec, step.arguments)
    decision = planning.run.services.policy.decide(spec, step.arguments, given)
    settled = decision.decision == "deny" and "{{" not in str(step.arguments)
    return f"step {step.id}: {step.tool} is not allowed ({decision.rule}): {decision.reason}" if settled else ""


async def _carry_out(planning: _Planning, plan: Plan) -> tuple[str, ...]:
    """Make the steps, all that are ready together; stops at the first turn in which one fails, and says what failed."""
    ctx = planning.run.ctx
    tools = {spec.name for spec in ctx.offered}
    ctx.offered += tuple(spec for spec in ctx.catalog.tools if spec.name in {step.tool for step in plan.steps} - tools)
    while (ready := plan.ready(planning.done)) and not ctx.request.limits.reached(ctx.spent):
        calls, failures = _calls(planning, ready)
        if calls:
            records = await _make(planning, tuple(calls.values()))
            planning.done |= {name: record.result for name, record in zip(calls, records, strict=True) if record.good}
            failures += [f"step {name}: {record.reason}" for name, record in zip(calls, records, strict=True) if not record.good]
        if failures:
            return tuple(failures)
    return ()


def _calls(planning: _Planning, steps: tuple[PlannedStep, ...]) -> tuple[dict[str, ToolCall], list[str]]:
    """The calls of some steps by the steps' ids, and what could not be filled in."""
    calls, failures = dict[str, ToolCall](), list[str]()
    for number, step in enumerate(steps, 1):
        try:
            arguments = filled(step, planning.done)
        except LookupError as error:
            failures.append(str(error.args[0]))
        else:
            calls[step.id] = ToolCall(id=f"plan-{planning.run.ctx.turn + 1}-{number}", name=step.tool, arguments=arguments)
    return calls, failures


async def _make(planning: _Planning, calls: tuple[ToolCall, ...]) -> tuple[CallRecord, ...]:
    ctx = planning.run.ctx
    ctx.turn += 1
    ctx.add(AssistantMessage(calls=calls, model=planning.model.id, stop_reason="tool_calls"))
    records = await run_calls(calls, planning.run)
    ctx.settled(records)
    return records


def _that_failed(found: tuple[str, ...]) -> str:
    return "\n".join(["This did not work:", *(f"- {sentence}" for sentence in found)])
