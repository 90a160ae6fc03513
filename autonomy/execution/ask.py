"""One reply of the model, as one step: asked, told of, taken in.

Called by `executor` each turn; calls `llm.chain`, which retries and falls back. The step's body raises nothing, so that what went
wrong is recorded with it and told again when the run is played again.
"""

from functools import partial

from autonomy.errors import ModelError
from autonomy.execution import prompt
from autonomy.execution.context import ToolExecutionContext
from autonomy.execution.means import Means
from autonomy.execution.recorder import Recorder
from autonomy.execution.step import Step
from autonomy.llm.chain import Chain, Failure
from autonomy.llm.messages import AssistantMessage
from autonomy.llm.model import ModelRequest
from discovery.catalog import Frozen
from metrics import events


class _Reply(Frozen):
    """What a model step leaves behind: a message, or why there is none."""

    message: AssistantMessage | None = None
    model: str = ""
    problem: str = ""
    failures: tuple[Failure, ...] = ()
    duration_s: float
    finished_at: float


async def ask(
    ctx: ToolExecutionContext, model: Chain, means: Means, recorder: Recorder, step: Step, *, words_only: bool = False
) -> AssistantMessage:
    """Ask for the next reply. Raises `ModelError` when no model of the chain gave one."""
    key = f"turn-{ctx.turn}" + ("/last-words" if words_only else "")
    await recorder.emit(events.TurnStarted, f"{key}/turn", turn=ctx.turn)
    request = prompt.request_for(ctx, words_only=words_only)
    reply = await step(f"{key}/model", lambda: _complete(model, request, means, ctx.request.run_id), _Reply)
    for number, failure in enumerate(reply.failures, 1):
        await recorder.emit(events.ModelFailed, f"{key}/model-failed-{number}", turn=ctx.turn, **failure.model_dump())
    if reply.message is None:
        ctx.now = max(ctx.now, reply.finished_at)
        ctx.worked_s += reply.duration_s
        raise ModelError(reply.model, reply.problem)
    await _tell(reply, reply.message, key, ctx, model, recorder)
    ctx.heard(reply.message, reply.finished_at, reply.duration_s)
    return reply.message


async def _complete(model: Chain, request: ModelRequest, means: Means, run_id: str) -> _Reply:
    started, failures = means.clock(), list[Failure]()
    on_text = partial(means.on_text, run_id) if means.on_text else None
    try:
        message = await model.complete(request, on_text, on_failure=failures.append)
    except ModelError as error:
        now = means.clock()
        told = {"model": error.model, "problem": error.problem, "failures": tuple(failures)}
        return _Reply(**told, duration_s=now - started, finished_at=now)
    now = means.clock()
    return _Reply(message=message, failures=tuple(failures), duration_s=now - started, finished_at=now)


async def _tell(
    reply: _Reply, message: AssistantMessage, key: str, ctx: ToolExecutionContext, model: Chain, recorder: Recorder
) -> None:
    await recorder.emit(
        events.ModelAnswered,
        f"{key}/model-answered",
        turn=ctx.turn,
        model=message.model,
        duration_s=reply.duration_s,
        input_tokens=message.usage.input_tokens,
        output_tokens=message.usage.output_tokens,
        cached_tokens=message.usage.cached_tokens,
        cost_usd=message.usage.cost_usd,
        stop_reason=message.stop_reason,
        calls=len(message.calls),
        fallback=message.model != model.id,
    )
