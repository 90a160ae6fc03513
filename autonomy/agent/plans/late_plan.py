"""Asks a model that lacks a whole plan for one, in a conversation that contains only trusted text.

It is asked once in a run, when text from tools was read and a call would need a person or be refused for want of a plan. What
was read is not in that conversation, so the plan is as good as one declared before the first read, and is held against the
request like that one. Whatever else it calls there is not made.
"""

from pydantic import ValidationError

from autonomy.agent import prompt
from autonomy.agent.model_step import complete
from autonomy.calls.own_tools.declare_plan import PLAN, take_in
from autonomy.calls.run_handle import Run
from autonomy.errors import ModelError
from autonomy.llm.messages import AssistantMessage, UserMessage
from autonomy.llm.model import ModelRequest
from autonomy.policy.write_plan import WritePlan
from autonomy.run_state.context import ToolExecutionContext
from autonomy.run_state.run_provenance import has_read

PLAN_NOW = (
    f"Nothing was read yet. Call {PLAN.name} now, and nothing else: say which tools you will read with, and every write that the "
    "request calls for, with all of its arguments."
)
TRIES = ("late-plan", "late-plan-again")
"""A plan that goes beyond the request is told so, and may be put right once."""
_REFUSED = frozenset({"not in the request", "not in the plan"})
_FOR_WANT_OF_A_PLAN = _REFUSED | {"free-form writes", "data flow"}
"""The rules by which a plan, or a whole one, would decide otherwise."""


async def seek_plan(run: Run) -> None:
    """Ask the model for a plan of writes if the calls of its last reply need one. Raises nothing: without one the run goes on."""
    ctx = run.ctx
    if not _is_wanted(ctx):
        return
    ctx.plan_sought = True
    # the opening of the run without the conversation before it, which repeats what was read
    trusted = prompt.opening(ctx.request.model_copy(update={"history": ()}), ctx.catalog, ctx.began)
    messages = [*trusted, UserMessage(text=PLAN_NOW, host=True)]
    for name in TRIES:
        request = ModelRequest(messages=tuple(messages), tools=ctx.definitions, plans=True, temperature=0.0)
        try:
            reply = await complete(request, f"turn-{ctx.turn}/{name}", run, aloud=False)
            call = next((call for call in reply.calls if call.name == PLAN.name), None)
            if call is None or call.unreadable:
                break
            plan = WritePlan.model_validate(call.arguments)
        except (ModelError, ValidationError):
            break
        if not (problems := take_in(plan, ctx)):
            break
        messages += [
            AssistantMessage(text=plan.model_dump_json(exclude_defaults=True)),
            UserMessage(text=f"This plan goes beyond the request: {'; '.join(problems)}. {PLAN_NOW}", host=True),
        ]
    ctx.foreseen = {}  # what was foreseen without a plan is decided on anew


def _is_wanted(ctx: ToolExecutionContext) -> bool:
    if not has_read(ctx) or not ctx.of_this_release or ctx.plan_sought or ctx.plan_asked:
        return False
    if ctx.write_plan is not None and not (ctx.plan_is_part and _is_untouched(ctx.write_plan, ctx)):
        return False
    if ctx.request.has_strangers_words:
        return False  # in a request that strangers had a part in, a plan is a question to the person
    decisions = ctx.foreseen.values()
    lacks_one = any(one.rule in _FOR_WANT_OF_A_PLAN and (one.decision == "ask" or one.rule in _REFUSED) for one in decisions)
    return lacks_one and any(tool is PLAN for tool in ctx.definitions)


def _is_untouched(plan: WritePlan, ctx: ToolExecutionContext) -> bool:
    """Whether no planned write was tried: another plan in its place could not count it."""
    return {record.tool for record in ctx.records if record.attempts}.isdisjoint(write.tool for write in plan.writes)
