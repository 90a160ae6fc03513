"""Asks the model for one reply, as one checkpointed step.

The step's body raises nothing: a failure is part of its recorded result, and is raised again when the run is replayed.
"""

from collections.abc import Collection
from contextlib import nullcontext
from itertools import count
from typing import Any

import anyio
from pydantic import Field, model_validator

from autonomy.agent import prompt
from autonomy.calls.prepare import foresee
from autonomy.calls.run_handle import Run
from autonomy.errors import ModelError, ModelUnavailable
from autonomy.llm.messages import AssistantMessage
from autonomy.llm.model import ModelRequest, OnText
from autonomy.llm.model_chain import Chain, ModelFailureNote
from autonomy.policy.decision_table import Decision
from discovery.catalog import Frozen
from metrics import events


class _Reply(Frozen):
    """The result of a model step: a message, or the reason why there is none."""

    message: AssistantMessage | None = None
    model: str = ""
    problem: str = ""
    unavailable: bool = False
    """Whether the last model could not be reached, or had no capacity; the others refused, or were not understood."""
    failures: tuple[ModelFailureNote, ...] = ()
    duration_s: float
    finished_at: float
    foreseen: dict[str, Decision] = Field(default_factory=dict)
    """What the policy says of its calls: see `calls.prepare.foresee`."""
    reads_together: bool = False
    of_this_release: bool = False
    plans_in_part: bool = False
    """True in what this release records, as are the two before it: see `ToolExecutionContext`."""

    @model_validator(mode="before")
    @classmethod
    def _with_one_flag(cls, recorded: Any) -> Any:
        """Runs of this release's first builds have five flags for this one; they wait for a person, so they may still go on."""
        if not isinstance(recorded, dict) or not _FIVE_FLAGS & recorded.keys():
            return recorded
        others = {name: value for name, value in recorded.items() if name not in _FIVE_FLAGS}
        return others | {"of_this_release": all(recorded.get(flag) for flag in _FIVE_FLAGS)}


_FIVE_FLAGS = frozenset({"asks_together", "writes_in_order", "seeks_plan", "keeps_refusals", "plans_apart"})


async def request_reply(run: Run, *, words_only: bool = False) -> AssistantMessage:
    """Ask for the next reply. Raises `ModelError` when no model of the chain gave one."""
    ctx = run.ctx
    key = f"turn-{ctx.turn}" + ("/last-words" if words_only else "")
    await run.recorder.emit(events.TurnStarted, f"{key}/turn", turn=ctx.turn)
    reply = await complete(prompt.request_for(ctx, words_only=words_only), key, run)
    ctx.add(reply)
    return reply


async def complete(
    request: ModelRequest,
    key: str,
    run: Run,
    *,
    aloud: bool = True,
    model: Chain | None = None,
    within_s: float | None = None,
) -> AssistantMessage:
    """Send one request to the model and count its usage; `aloud`: listeners hear the text as it is written, `model`: another than
    the run's own, `within_s`: seconds for all tries together, after which the run does without the reply.

    Raises `ModelError` when no model of the chain gave a reply.
    """
    ctx, model = run.ctx, model or run.model
    await run.recorder.emit(events.ModelAsked, f"{key}/model-asked", turn=ctx.turn, model=model.id)
    reply = await run.step(f"{key}/model", lambda: _complete(request, run, model, key, aloud=aloud, within_s=within_s), _Reply)
    ctx.foreseen, ctx.reads_together, ctx.of_this_release = reply.foreseen, reply.reads_together, reply.of_this_release
    ctx.plans_in_part = reply.plans_in_part
    for number, failure in enumerate(reply.failures, 1):
        await _emit_failure(run, key, number, failure)
    ctx.count_usage(reply.message.usage if reply.message else None, reply.finished_at, reply.duration_s)
    if reply.message is None:
        raise (ModelUnavailable if reply.unavailable else ModelError)(reply.model, reply.problem)
    message = reply.message
    calls = 0 if request.plans else len(message.calls)  # those of a plan that was asked for are not made
    await run.emit_reply(f"{key}/model-answered", message, reply.duration_s, model=model.id, calls=calls)
    return message


async def _emit_failure(run: Run, key: str, number: int, failure: ModelFailureNote) -> None:
    """Emit it at once, because a model that hangs and is asked again may take minutes, and again for the record of a replay."""
    await run.recorder.emit(events.ModelFailed, f"{key}/model-failed-{number}", turn=run.ctx.turn, **failure.model_dump())


async def _complete(request: ModelRequest, run: Run, model: Chain, key: str, *, aloud: bool, within_s: float | None) -> _Reply:
    services, ctx = run.services, run.ctx
    failures = list[ModelFailureNote]()
    listeners, failures_heard = await _listeners(run) if aloud else [], 0

    async def on_text(piece: str) -> None:
        nonlocal listeners, failures_heard
        if len(failures) > failures_heard:  # the text begins anew, and so does each listener's
            listeners, failures_heard = await _listeners(run), len(failures)
        for listener in listeners:
            await listener(piece)

    async def note(failure: ModelFailureNote) -> None:
        failures.append(failure)
        await _emit_failure(run, key, len(failures), failure)

    started = services.measure()
    patience_s = _patience_s(run) if within_s is None else 0.0
    try:
        with nullcontext() if within_s is None else anyio.fail_after(within_s):
            message = await model.complete(request, on_text if listeners else None, on_failure=note, longest_s=patience_s)
    except TimeoutError:
        failures.append(ModelFailureNote(model=model.id, error=ModelUnavailable.__name__, then="give_up"))
        problem = f"it gave no reply within {within_s:g} s"
        failed = {"model": model.id, "problem": problem, "failures": tuple(failures), "unavailable": True}
        return _Reply(**failed, duration_s=services.measure() - started, finished_at=services.clock())
    except ModelError as error:
        failed = {"model": error.model, "problem": error.problem, "failures": tuple(failures)}
        away = isinstance(error, ModelUnavailable)
        return _Reply(**failed, unavailable=away, duration_s=services.measure() - started, finished_at=services.clock())
    duration_s, finished_at = services.measure() - started, services.clock()
    message = _answerable(message, request, ctx.folded)
    foreseen = {} if request.plans else await foresee(message.calls, ctx.turn, run)
    return _Reply(
        message=message,
        failures=tuple(failures),
        duration_s=duration_s,
        finished_at=finished_at,
        foreseen=foreseen,
        reads_together=True,
        of_this_release=True,
        plans_in_part=True,
    )


async def _listeners(run: Run) -> list[OnText]:
    """Those who hear this run's next reply as it is written, from its beginning."""
    found = [await listener(run.ctx.request.run_id) for listener in run.services.listeners]
    return [hear for hear in found if hear is not None]


def _patience_s(run: Run) -> float:
    """Seconds for which an unavailable model may be waited for: half of the run's time left, if no person is waiting; else 0."""
    return run.ctx.seconds_left / 2 if run.ctx.request.trigger in ("schedule", "message", "api") else 0.0


def _answerable(message: AssistantMessage, request: ModelRequest, folded: Collection[str]) -> AssistantMessage:
    """The reply with an id for each call that no other call of the run has, and without calls where none may be made."""
    if request.tool_choice == "none":
        return message.model_copy(update={"calls": ()}) if message.calls else message
    before = [call.id for earlier in request.messages if isinstance(earlier, AssistantMessage) for call in earlier.calls]
    taken = {*folded, *before}
    calls = []
    for call in message.calls:
        numbered = (f"{call.id or 'call'}-{number}" for number in count(2))
        call_id = call.id if call.id and call.id not in taken else next(name for name in numbered if name not in taken)
        taken.add(call_id)
        calls.append(call if call_id == call.id else call.model_copy(update={"id": call_id}))
    if tuple(calls) == message.calls:
        return message
    return message.model_copy(update={"calls": tuple(calls), "vendor_state": {}})  # the state may name the old ids
