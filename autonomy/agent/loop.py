"""Runs one goal to its ending: model steps, tool calls and judgements, turn by turn.

Each turn asks the model; calls go to `calls`, and their results back to the model; a reply without calls goes to `judge`. It
ends in one of the named endings (`metrics.events.Ending`) and never in a bare exception.
"""

import logging
from dataclasses import dataclass, replace
from functools import partial

import anyio

from autonomy.agent import prompt
from autonomy.agent.auto_context import fetch_auto_context
from autonomy.agent.availability import why_unavailable
from autonomy.agent.compaction import compact_messages
from autonomy.agent.goal_steps import choose_by_steps
from autonomy.agent.model_step import request_reply
from autonomy.agent.plans.late_plan import seek_plan
from autonomy.agent.plans.planning import run_plan
from autonomy.agent.plans.postconditions import read_postconditions
from autonomy.agent.progress_check import check_progress, warn
from autonomy.agent.request_validation import validate_request
from autonomy.agent.run_setup import start_run
from autonomy.agent.second_opinion import UNREAD, is_spoken_to, second_opinion
from autonomy.agent.sent_texts import quoted_as_sent, with_what_was_sent
from autonomy.calls.need_memory import tools_that_met
from autonomy.calls.own_tools import host_tools
from autonomy.calls.pipeline import run_calls
from autonomy.calls.run_handle import Run
from autonomy.calls.services import Services
from autonomy.completion.judge import judge, outcome_unknown
from autonomy.errors import ModelError, ModelUnavailable, StoreError
from autonomy.llm.messages import FREE, AssistantMessage, Usage, UserMessage
from autonomy.llm.model_chain import Chain
from autonomy.run_state.asking.approvals import NobodyAnswered
from autonomy.run_state.context import StandingAnswer, ToolExecutionContext
from autonomy.run_state.event_recorder import EventRecorder
from autonomy.run_state.limits import Use
from autonomy.run_state.run_values import RunRequest, RunResult
from autonomy.run_state.step import RunGivenUp, Step, current_run, inline
from autonomy.settings import DECIDES
from metrics import events
from metrics.events import Ending
from metrics.reporting.reason_words import reason_in

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class _End:
    """How the loop came to its end."""

    ending: Ending
    text: str = ""
    reason: str = ""
    missing: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    unread: str = ""
    unavailable: bool = False


def _with_absent(text: str, ctx: ToolExecutionContext) -> str:
    """The answer with a note that names the servers that could not be asked, unless the request has rules."""
    if not ctx.absent_providers or ctx.request.rules:
        return text
    note = reason_in(ctx.request.task.language, f"answered without {', '.join(ctx.absent_providers)}, which could not be reached")
    return f"{text}\n\n({note})"


def _standing(ctx: ToolExecutionContext) -> _End | None:
    """The end with the standing answer, which is complete and was sent back for its remarks alone; None without one."""
    if ctx.standing is None:
        return None
    unread = UNREAD.format(why="the run ended first") if ctx.request.second_opinion else ""
    return _End(ctx.request.met, _with_absent(ctx.standing.text, ctx), remarks=ctx.standing.remarks, unread=unread)


@dataclass(frozen=True)
class Executor:
    """Runs goals to their endings."""

    model: Chain
    services: Services

    async def execute(self, request: RunRequest, step: Step = inline) -> RunResult:
        """Work on one goal until it is met, cannot be met, or a limit is reached.

        Raises only `StoreError`, when the run's database is away: every other failure is in the result. Cancellation is
        re-raised; an inline run, which nobody can resume, is first written to the journal as cancelled.
        """
        current_run.set(request.run_id)
        recorder = EventRecorder(
            request.run_id, request.tenant, request.job, self.services.clock, self.services.journal, self.services.watchers
        )
        async with recorder.flushed_in_time():
            ctx = await start_run(request, self.model, self.services, recorder, step)
            run = Run(ctx, self.services, recorder, step, self.model)
            try:
                end = await self._work(run)
            except ModelError as error:
                end = _standing(ctx) or _End("failed", reason=str(error), unavailable=isinstance(error, ModelUnavailable))
            except NobodyAnswered as error:
                end = _End("blocked", reason=str(error))
            except RunGivenUp as error:
                end = _End("failed", reason="; ".join(filter(None, (str(error), outcome_unknown(ctx.receipts)))))
            except StoreError:
                raise
            except Exception as error:
                log.exception("run %s failed", request.run_id)
                end = _End("failed", reason=f"{type(error).__name__}: {error}")
            except anyio.get_cancelled_exc_class():
                if step is not inline:
                    raise
                with anyio.CancelScope(shield=True), anyio.move_on_after(5):
                    await self._finish(run, _End("cancelled", reason="cancelled"))
                raise
            return await self._finish(run, end)

    async def _work(self, run: Run) -> _End:
        ctx = run.ctx
        if why := await self._over_budget(run):
            return _End("blocked", reason=why)
        if ctx.missing_providers:
            return _End("blocked", reason=ctx.why_unavailable, unavailable=True)
        if why := validate_request(ctx.request, ctx.allowed, ctx.catalog):
            return _End("failed", reason=why)
        await choose_by_steps(run)
        await fetch_auto_context(run)
        ctx.opening = len(ctx.messages)
        if ctx.request.plan and (why := await run_plan(run)):
            return _End("blocked", reason=why)
        while not (spent := ctx.request.limits.reached(ctx.spent)):
            if ctx.of_this_release and ctx.request.budget.counts_use and (why := await self._over_budget(run)):
                return _standing(ctx) or await self._last_words(run, why, "exhausted")
            await warn(run)
            ctx.turn += 1
            compact_messages(ctx)
            host_tools.join(ctx)
            ctx.add(*(UserMessage(text=remark.text) for remark in ctx.request.remarks if remark.turn == ctx.turn))
            reply = await request_reply(run)
            if reply.calls:
                await seek_plan(run)
                ctx.add_records(await run_calls(reply.calls, run))
                ctx.add(*prompt.after_tools(ctx))
                if why := check_progress(ctx):
                    return await self._last_words(run, why, "blocked")
            elif end := await self._judged(run, reply):
                return end
        return _standing(ctx) or await self._last_words(run, f"{spent} is reached", "exhausted")

    async def _over_budget(self, run: Run) -> str:
        """Why the job's budget leaves nothing for this run, or "".

        Checked here, whoever started the run, and before each turn: others run at the same time, and a run may have been paused.
        """
        ctx, request, over_budget = run.ctx, run.ctx.request, self.services.over_budget
        if over_budget is None or not request.budget.is_set:
            return ""
        refused = sum(record.problem == "limit" and not record.attempts for record in ctx.records)
        own = Use(ctx.calls_made, ctx.usage.cost_usd, refused) if ctx.turn else None
        key = f"turn-{ctx.turn + 1}/budget" if ctx.turn else "budget"
        return await run.step(key, lambda: over_budget(request, self.services.clock(), own), str)

    async def _judged(self, run: Run, reply: AssistantMessage) -> _End | None:
        """Judge an answer; gives how the run ends with it, or None when the findings went back to the model."""
        ctx = run.ctx
        reply = reply.model_copy(update={"text": quoted_as_sent(reply.text, ctx)})
        await read_postconditions(run)
        ruled = verdict = await run.off_the_loop(partial(judge, reply, ctx))
        facts = verdict.model_dump(include={"verdict", "rules", "held", "missing", "findings", "remarks"})
        facts |= {"turn": ctx.turn, "needs_met": verdict.needs_met, "parts": verdict.parts}
        await run.recorder.emit(events.Judged, f"turn-{ctx.turn}/judged", **facts)
        reader_decides = (
            ctx.request.second_opinion == DECIDES
            and verdict.is_doubt
            and not (ctx.of_this_release and await run.off_the_loop(partial(is_spoken_to, reply, ctx)))
        )
        if (verdict.verdict == "complete" and ctx.request.second_opinion) or reader_decides:
            # Before anything goes back: of what is found about a large model's answers most is wrong, and a reader tells which
            # (docs/validity.md). Without an opinion the findings stand.
            verdict = await second_opinion(reply, run, (*verdict.findings, *verdict.remarks)) or verdict
        if verdict.verdict == "complete" and verdict.remarks and not ctx.remarked and ctx.request.limits.corrections > 0:
            # what could not be traced goes back to the model once, which may mend it, show it, or stand by it
            ctx.remarked, ctx.standing = True, StandingAnswer(reply.text, verdict.remarks)
            ctx.add(UserMessage(text=prompt.what_was_not_traced(verdict.remarks, prompt.about_what_went_out(ctx)), host=True))
            return None
        if verdict.verdict == "complete":
            return _End(ctx.request.met, _with_absent(reply.text, ctx), remarks=verdict.remarks, unread=ctx.unread)
        found = (len(ctx.records), verdict.findings) if verdict is ruled else None
        in_vain = found and found == ctx.sent_back and ctx.of_this_release and reply.stop_reason != "length"
        if verdict.verdict == "blocked" or ctx.corrections >= ctx.request.limits.corrections or in_vain:
            # of a run that was kept from going on, only what it claims can be wrong with its answer
            missing = verdict.claims if verdict.ending == "blocked" else verdict.findings
            return _End(verdict.ending, reply.text, verdict.reason, missing, verdict.remarks)
        ctx.corrections += 1
        ctx.sent_back = found
        ctx.remarked, ctx.standing = True, None
        correction = prompt.what_is_missing(verdict.findings, verdict.remarks, prompt.about_what_went_out(ctx))
        ctx.add(UserMessage(text=correction, host=True))
        return None

    async def _last_words(self, run: Run, why: str, ending: Ending) -> _End:
        """Let the model answer once more without tools, because of `why`; the ending stays, whatever it says."""
        await run.recorder.emit(events.LimitReached, f"turn-{run.ctx.turn}/limit", limit=why)
        run.ctx.add(UserMessage(text=prompt.stop_now(why), host=True))
        compact_messages(run.ctx)
        try:
            reply = await request_reply(run, words_only=True)
        except ModelError:
            return _End(ending, reason=why)
        reply = reply.model_copy(update={"text": quoted_as_sent(reply.text, run.ctx)})
        verdict = await run.off_the_loop(partial(judge, reply, run.ctx))
        return _End(ending, reply.text, why, verdict.claims)

    async def _finish(self, run: Run, end: _End) -> RunResult:
        ctx, recorder = run.ctx, run.recorder
        out_of_reach = ctx.out_of_reach or (
            why_unavailable(ctx.catalog.missing(ctx.absent_providers)) if end.ending == "declined" else ""
        )
        if out_of_reach and end.ending in ("blocked", "exhausted", "declined", "unanswered"):
            ending: Ending = "exhausted" if end.ending == "exhausted" else "blocked"  # the model is not to blame
            end = replace(end, ending=ending, reason=out_of_reach, unavailable=True)
        end = replace(end, text=with_what_was_sent(end.text, ctx))
        await recorder.emit(
            events.RunFinished,
            "finished",
            ending=end.ending,
            reason=end.reason,
            remarked=len(end.remarks),
            unavailable=end.unavailable,
            turns=ctx.turn,
            calls=len(ctx.records),
            duration_s=ctx.elapsed_s,
            result_chars=len(end.text),
        )
        await recorder.flush()
        if end.ending == "completed" and ctx.request.job and (met := tools_that_met(ctx)):
            await self.services.need_memory.keep(ctx.request.tenant, ctx.request.job, met)
        ctx.memo.clear()  # it holds what holds the run: all that was read would stay until garbage is collected
        return RunResult(
            run_id=ctx.request.run_id,
            job=ctx.request.job,
            ending=end.ending,
            text=end.text,
            reason=end.reason,
            missing=end.missing,
            remarks=end.remarks,
            unread=end.unread,
            unavailable=end.unavailable,
            receipts=tuple(ctx.receipts),
            turns=ctx.turn,
            plan=ctx.plan,
            calls=tuple(ctx.records),
            usage=ctx.usage if ctx.turn or ctx.usage != Usage() else FREE,  # who asked no model, owes none
            started_at=ctx.started_at,
            duration_s=ctx.elapsed_s,
        )
