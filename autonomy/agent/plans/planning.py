"""Makes a plan, checks it against the catalog, and executes it through the call pipeline.

Steps that do not depend on each other are executed together, as one turn. When a step fails, the model plans what remains, a
bounded number of times. The results are in the conversation when the loop takes over, and the answer is judged as always.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field

from pydantic import ValidationError

from autonomy.agent.model_step import complete
from autonomy.calls.circumstances import circumstances
from autonomy.calls.pipeline import run_calls
from autonomy.calls.run_handle import Run
from autonomy.llm.messages import AssistantMessage, Message, ToolCall, ToolResult, UserMessage
from autonomy.llm.model import ModelRequest
from autonomy.run_state.context import ToolExecutionContext
from autonomy.run_state.plan import SCHEMA, Plan, PlannedStep, filled, problems
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
_ONE_LINE = 160


class _Checked(Frozen):
    """The faults of a plan, recorded because the operator's policy may change before a replay."""

    problems: tuple[str, ...] = ()


async def run_plan(run: Run) -> str:
    """Make a plan and execute it, until it is done or a limit is reached; gives why there is no valid plan, or "".

    Raises `ModelError`.
    """
    ctx, planning = run.ctx, _Planning(run)
    instruction = first_instruction = _first_instruction(ctx)
    for _ in range(1 + ctx.request.limits.corrections):
        plan, problems_found = await planning.ask(instruction)
        if plan is None:
            return f"no plan that can be carried out: {'; '.join(problems_found[:3])}"
        ctx.plan = plan
        failures = await planning.carry_out(plan)
        if not failures or ctx.request.limits.reached(ctx.spent):
            break
        done = f"These steps are done, and can be referred to: {', '.join(planning.done) or 'none'}. Plan anew what remains."
        instruction = f"{first_instruction}\n\n{_that_failed(failures)}\n{done}"
    return ""  # what still fails is in the conversation: the loop goes on from there, turn by turn


def _first_instruction(ctx: ToolExecutionContext) -> str:
    schemas = {definition.name: definition.input_schema for definition in ctx.definitions}  # one of many is shown in brief
    offered = [spec.model_copy(update={"input_schema": schemas.get(spec.name, spec.input_schema)}) for spec in ctx.offered]
    hidden = ctx.allowed - {spec.name for spec in ctx.offered}
    others = in_plain_words(spec for spec in ctx.catalog.tools if spec.name in hidden)
    return PLAN.format(schemas=as_json_schema(offered), others=OTHERS + others[:OTHERS_CHARS] if others else "")


def in_plain_words(tools: Iterable[ToolSpec]) -> str:
    """List the tools, one line each: name and purpose."""
    return "\n".join(f"- {spec.name}: {_first_sentence(spec)}" for spec in tools)


def as_json_schema(tools: Iterable[ToolSpec]) -> str:
    """Every tool with its input schema, as a JSON array."""
    entries = [
        {"name": spec.name, "description": _first_sentence(spec), "effect": str(spec.effect), "input_schema": spec.input_schema}
        for spec in tools
    ]
    return json.dumps(entries, ensure_ascii=False, indent=1)


def _first_sentence(spec: ToolSpec) -> str:
    text = " ".join((spec.description or spec.title or spec.tool).split())
    for end in ("。", ". "):
        text = text.partition(end)[0]
    return text[:_ONE_LINE].rstrip(".")


@dataclass
class _Planning:
    """The state of one run's planning."""

    run: Run
    done: dict[str, ToolResult] = field(default_factory=dict)
    """Step id → result, of the steps that succeeded."""

    async def ask(self, instruction: str) -> tuple[Plan | None, tuple[str, ...]]:
        """Ask for a plan until one is valid; gives it, or None and the problems of the last. None of these messages stays in the run's
        conversation."""
        ctx = self.run.ctx
        messages: list[Message] = [*ctx.messages, UserMessage(text=instruction, host=True)]
        found: tuple[str, ...] = ()
        for _ in range(1 + ctx.request.limits.corrections):
            if spent := ctx.request.limits.reached(ctx.spent):
                return None, (*found, f"{spent} is reached")
            ctx.turn += 1
            request = ModelRequest(
                messages=tuple(messages), tool_choice="none", json_schema=SCHEMA, max_output_tokens=PLAN_TOKENS
            )
            reply = await complete(request, f"turn-{ctx.turn}/plan", self.run, aloud=False)
            plan, found = await self._check(reply)
            if plan is not None:
                return plan, ()
            correct = f"{_that_failed(found)}\nCorrect the plan and give it again in full."
            messages += [reply.model_copy(update={"calls": ()}), UserMessage(text=correct, host=True)]
        return None, found

    async def _check(self, reply: AssistantMessage) -> tuple[Plan | None, tuple[str, ...]]:
        """The plan in a reply, or None and its problems: its form, its tools and arguments, or the policy's denials."""
        ctx, policy = self.run.ctx, self.run.services.policy
        begin, end = reply.text.find("{"), reply.text.rfind("}")
        try:
            plan = Plan.model_validate_json(reply.text[begin : end + 1])
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            where = "".join(f"{part}: " for part in first["loc"])
            return None, (f"that is no plan in JSON: {where}{first['msg']}",)
        tools = {spec.name: spec for spec in ctx.catalog.tools if spec.name in ctx.allowed}
        if found := problems(plan, tools, self.done):
            return None, found

        async def decide() -> _Checked:
            refused = []
            for step in plan.steps:  # what the policy would ask about is asked when the call is made
                spec = tools[step.tool]
                decision = policy.decide(spec, step.arguments, circumstances(ctx, spec, step.arguments))
                if decision.decision == "deny" and "{{" not in str(step.arguments):
                    refused.append(f"step {step.id}: {step.tool} {decision.refusal.removeprefix('it ')}")
            return _Checked(problems=tuple(refused))

        checked = await self.run.step(f"turn-{ctx.turn}/plan/policy", decide, _Checked)
        return (None, checked.problems) if checked.problems else (plan, ())

    async def carry_out(self, plan: Plan) -> tuple[str, ...]:
        """Execute the steps, all that are ready together, until a turn in which one fails; gives the failures, a sentence each."""
        ctx = self.run.ctx
        offered = {spec.name for spec in ctx.offered}
        ctx.offered += tuple(spec for spec in ctx.catalog.tools if spec.name in {step.tool for step in plan.steps} - offered)
        while (ready := plan.ready(self.done)) and not ctx.request.limits.reached(ctx.spent):
            calls, failures = self._fill_calls(ready)
            if calls:
                ctx.turn += 1
                ctx.add(AssistantMessage(calls=tuple(calls.values()), model=self.run.model.id, stop_reason="tool_calls"))
                records = await run_calls(tuple(calls.values()), self.run)
                ctx.add_records(records)
                for name, record in zip(calls, records, strict=True):
                    if record.good:
                        self.done[name] = record.result
                    else:
                        failures.append(f"step {name}: {record.reason}")
            if failures:
                return tuple(failures)
        return ()

    def _fill_calls(self, steps: tuple[PlannedStep, ...]) -> tuple[dict[str, ToolCall], list[str]]:
        """Step id → call, with earlier results filled in; and why some could not be filled in."""
        calls, failures = dict[str, ToolCall](), list[str]()
        for number, step in enumerate(steps, 1):
            try:
                arguments = filled(step, self.done)
            except LookupError as error:
                failures.append(str(error.args[0]))
            else:
                calls[step.id] = ToolCall(id=f"plan-{self.run.ctx.turn + 1}-{number}", name=step.tool, arguments=arguments)
        return calls, failures


def _that_failed(found: tuple[str, ...]) -> str:
    return "\n".join(["This did not work:", *(f"- {sentence}" for sentence in found)])
