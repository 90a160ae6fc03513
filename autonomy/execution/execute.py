"""The second stage of a tool call: make it happen, and bring back evidence.

Called by `calls` as one step for each prepared call; calls `discovery.gateway`. Retries by effect, then alternatives for reads, then
the failure itself as a result for the model. A write goes through the ledger and is read back where the provider can show it.
"""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Literal

from autonomy.execution import read_back, wording
from autonomy.execution.context import CallRecord, Receipt, ToolExecutionContext, Trouble
from autonomy.execution.lookup import look_up
from autonomy.execution.means import Means
from autonomy.execution.outcome import Reading, classify
from autonomy.execution.prepare import Prepared, able_needs, call_facts, circumstances, digest
from autonomy.execution.receipts import OutcomeUnknown, Seen, once
from autonomy.execution.recorder import Recorder
from autonomy.execution.retry import AnsweredBadly, persist
from autonomy.execution.shown import parts_kept, shown
from autonomy.llm.model import Need
from discovery.advice.substitutes import Substitute
from discovery.catalog import JsonObject, ToolOutput, ToolSpec
from discovery.errors import CallFailed, DiscoveryError, ProviderBusy
from discovery.rate_limits import Slot
from metrics import events
from metrics.trace_ids import within_call

ALTERNATIVES = 2
"""How many alternatives are tried for one failed read."""

MOST_PATIENCE_S = 900.0
"""How long a write waits for its provider's rate limit, if the run has that much time left."""


@dataclass
class _Try:
    """How one call is going."""

    prepared: Prepared
    ctx: ToolExecutionContext
    means: Means
    recorder: Recorder
    attempts: int = 0
    uncertain: bool = False
    """Whether any attempt ended so that nobody knows what it did: a later one that surely failed says nothing of it."""
    slot: Slot | None = None
    """Leave to send it now, where its provider has a rate limit; good for one attempt."""
    in_doubt: bool = False
    """Whether a process before this one sent it, and died before it knew what came of it."""
    found: bool = False
    """Whether it was looked up then, and had happened."""
    troubles: list[Trouble] = field(default_factory=list)
    _last: tuple[ToolOutput, Reading] | None = None

    began: float | None = None
    """When the first attempt was made, by the run's clock."""

    def seconds_left(self) -> float:
        """Of work until the run's deadline, what this call has taken so far taken off."""
        taken_s = 0.0 if self.began is None else self.means.clock() - self.began
        return max(0.0, self.ctx.seconds_left - taken_s)

    def read(self, output: ToolOutput) -> Reading:
        """What to make of the tool's answer; one that is looked at from several sides is read once."""
        if self._last is None or self._last[0] is not output:
            self._last = output, classify(output, self.prepared.spec)
        return self._last[1]


@dataclass(frozen=True)
class _Answer:
    """What a call came to: which tool answered, what, and what to make of it."""

    spec: ToolSpec
    arguments: JsonObject
    output: ToolOutput
    reading: Reading
    cured_by: Literal["", "retry", "alternative"] = ""


async def execute(prepared: Prepared, ctx: ToolExecutionContext, means: Means, recorder: Recorder) -> CallRecord:
    """Make one call. Raises nothing but cancellation: a failure is a record too."""
    started = means.clock()
    this = _Try(prepared, ctx, means, recorder)
    with (
        means.tenancy.acting(ctx.request, confirmed=prepared.confirmed),
        within_call(ctx.request.run_id, ctx.turn, prepared.call.id),
    ):
        answer = await _answer(this)
        receipt = await _receipt(this, answer)
    finished = means.clock()
    result = shown(
        prepared.call,
        prepared.key,
        answer.output,
        answer.reading,
        answered_by=answer.spec.name if answer.cured_by == "alternative" else "",
        is_write=not answer.spec.read_only,
    )
    return CallRecord(
        call_id=prepared.call.id,
        turn=ctx.turn,
        tool=answer.spec.name,
        asked=prepared.spec.name,
        provider=answer.spec.provider,
        effect=answer.spec.effect,
        arguments=answer.arguments,
        result=result,
        attempts=this.attempts,
        duration_s=finished - started - answer.output.waited_s,
        waited_s=answer.output.waited_s,
        finished_at=finished,
        cured_by=answer.cured_by,
        problem=answer.reading.problem,
        reason=answer.reading.reason,
        needs=tuple(need.id for need in _served(this, answer.spec.name)),
        troubles=tuple(this.troubles),
        receipt=receipt,
        whole=answer.output.text if result.handle else "",
        artefacts=parts_kept(answer.output),
    )


async def _answer(this: _Try) -> _Answer:
    spec, arguments = this.prepared.spec, this.prepared.call.arguments
    try:
        output = await _send(this, spec, arguments)
    except (AnsweredBadly, DiscoveryError, OutcomeUnknown) as error:
        output, reading = _failure(error)
        return await _alternative(this, reading.problem) or _Answer(spec, arguments, output, reading)
    reading = this.read(output)
    if reading.kind == "terminal" and spec.read_only and (other := await _alternative(this, reading.problem)):
        return other
    return _Answer(spec, arguments, output, reading, "retry" if this.troubles else "")


async def _send(this: _Try, spec: ToolSpec, arguments: JsonObject) -> ToolOutput:
    """Attempts until the tool has answered for good."""
    run_id, key = this.ctx.request.run_id, f"{this.ctx.request.run_id}/{this.prepared.key}"

    async def attempt(number: int) -> ToolOutput:
        this.attempts += 1
        slot, this.slot = this.slot, None
        timeout_s = min(spec.timeout_s or this.ctx.request.limits.call_timeout_s, max(1.0, this.seconds_left()))
        try:
            output = await this.means.gateway.call(
                spec.name, arguments, timeout_s=timeout_s, idempotency_key="" if spec.read_only else key, slot=slot
            )
        except CallFailed as error:
            this.uncertain |= error.outcome_unknown
            raise
        reading = this.read(output)
        this.uncertain |= reading.kind == "unknown_outcome" or (reading.kind == "retryable" and wording.is_timeout(output.text))
        passing = reading.kind == "retryable" and spec.repeatable and number < this.means.backoff.attempts
        if passing or reading.kind == "unknown_outcome":
            raise AnsweredBadly(output, reading)
        return output

    async def attempts() -> ToolOutput:
        this.began = this.means.clock()
        return await persist(
            attempt,
            spec,
            backoff=this.means.backoff,
            retries_left=lambda: this.ctx.retries_left,
            seconds_left=this.seconds_left,
            sleep=this.means.sleep,
            on_failure=lambda number, error, wait_s, retrying: _troubled(this, number, error, wait_s, retrying),
        )

    if spec.read_only:
        return await attempts()
    with suppress(ProviderBusy):  # the attempt will say so, once the ledger has said whether an earlier one is in doubt
        # before the claim: a process that dies while it waits leaves nothing in doubt
        this.slot = await this.means.gateway.slot(spec, patience_s=min(this.ctx.seconds_left, MOST_PATIENCE_S))
    return await once(
        this.means.ledger,
        key,
        lambda in_doubt: _write(this, spec, attempts, in_doubt),
        lambda: _look_up(this, spec, arguments, key),
        spec=spec,
        run_id=run_id,
        arguments_sha256=digest(arguments),
    )


async def _write(this: _Try, spec: ToolSpec, attempts: Callable[[], Awaitable[ToolOutput]], in_doubt: bool) -> ToolOutput:
    """Attempts at a write. Once one of them may have happened, only success says what is; raises `OutcomeUnknown` otherwise."""
    this.in_doubt = in_doubt
    this.uncertain |= in_doubt
    try:
        output = await attempts()
    except (AnsweredBadly, DiscoveryError) as error:
        if this.uncertain and _failure(error)[1].kind != "unknown_outcome":
            raise OutcomeUnknown(f"{spec.name} may have happened; the last try failed: {error}") from error
        raise
    if this.uncertain and this.read(output).kind in ("retryable", "terminal"):
        raise OutcomeUnknown(f"{spec.name} may have happened; the last try failed: {output.text}")
    return output


async def _look_up(this: _Try, spec: ToolSpec, arguments: JsonObject, key: str) -> Seen:
    """Whether a write happened that an earlier process sent, as far as the receiver can show it."""

    async def read(reader: ToolSpec, given: JsonObject) -> ToolOutput | None:
        if not _may_read(this, reader.name, given):
            return None
        timeout_s = this.ctx.request.limits.call_timeout_s
        try:
            return await persist(
                lambda _: this.means.gateway.call(reader.name, given, timeout_s=timeout_s),
                reader,
                backoff=this.means.backoff,
                retries_left=lambda: this.ctx.retries_left,
                seconds_left=this.seconds_left,
                sleep=this.means.sleep,
            )
        except DiscoveryError:
            return None

    seen = await look_up(spec, arguments, key, this.ctx.catalog, read, this.means.sleep)
    this.found = seen == "found"
    return seen


async def _troubled(this: _Try, number: int, error: BaseException, wait_s: float, retrying: bool) -> None:
    trouble = Trouble(
        attempt=number,
        tool=this.prepared.spec.name,
        error=_name_of(error),
        problem=_failure(error)[1].problem,
        wait_s=wait_s,
        retrying=retrying,
    )
    this.troubles.append(trouble)
    if retrying:
        this.ctx.retried.add((this.prepared.call.id, number))
    facts = call_facts(this.prepared.call, this.ctx.turn, this.prepared.spec)
    await emit_trouble(this.recorder, this.prepared.key, trouble, facts)


async def emit_trouble(recorder: Recorder, key: str, trouble: Trouble, facts: dict[str, object]) -> None:
    """Tell of a trouble: live when it happens, and again for the record (the second time changes nothing)."""
    if trouble.alternative:
        told = {"alternative": trouble.alternative, "ok": trouble.cured, "source": trouble.source}
        await recorder.emit(events.AlternativeTried, f"{key}/instead-{trouble.alternative}", **facts, **told)
    else:
        told = trouble.model_dump(include={"attempt", "error", "wait_s", "retrying"})
        await recorder.emit(events.AttemptFailed, f"{key}/attempt-{trouble.attempt}", **facts, **told)


async def _alternative(this: _Try, problem: str) -> _Answer | None:
    """Another tool's answer in place of a failed read's (X12); None when none helps. `problem`: the kind of failure."""
    spec, ctx = this.prepared.spec, this.ctx
    if not spec.read_only:
        return None
    found = this.means.gateway.substitutes(ctx.catalog, spec, this.prepared.call.arguments)
    reads = [other for other in found if other.spec.read_only and other.spec.available]
    alike = [other for other in reads if not this.prepared.serving or _served(this, other.spec.name)]
    fitting = [other for other in alike if _may_read(this, other.spec.name, other.arguments)]
    for substitute in fitting[:ALTERNATIVES]:
        answer = await _try_instead(this, substitute, problem)
        if answer is not None:
            return answer
    return None


def _served(this: _Try, tool: str) -> tuple[Need, ...]:
    """The needs of the call that the answer of this tool meets: an answer of another kind meets none."""
    if tool == this.prepared.spec.name:
        return this.prepared.serving
    return tuple(need for need in this.prepared.serving if tool in this.ctx.candidates.get(need.id, ()))


def _may_read(this: _Try, tool: str, arguments: JsonObject) -> bool:
    """Whether a read may happen that the model did not ask for: the run may use the tool, and no person would have to be asked."""
    spec = this.ctx.catalog.get(tool)
    if spec is None or tool not in this.ctx.allowed:
        return False
    given = circumstances(this.ctx, able_needs(tool, this.ctx))
    return this.means.policy.decide(spec, arguments, given).decision == "allow"


async def _try_instead(this: _Try, substitute: Substitute, problem: str) -> _Answer | None:
    this.attempts += 1
    try:
        output = await this.means.gateway.call(
            substitute.spec.name, substitute.arguments, timeout_s=this.ctx.request.limits.call_timeout_s
        )
        reading = classify(output, substitute.spec)
    except DiscoveryError as error:
        output, reading = _failure(error)
    cured = reading.kind == "ok"
    trouble = Trouble(
        attempt=this.attempts,
        tool=this.prepared.spec.name,
        error=reading.reason,
        problem=problem,
        alternative=substitute.spec.name,
        source=substitute.source,
        cured=cured,
    )
    this.troubles.append(trouble)
    await emit_trouble(
        this.recorder, this.prepared.key, trouble, call_facts(this.prepared.call, this.ctx.turn, this.prepared.spec)
    )
    return _Answer(substitute.spec, substitute.arguments, output, reading, "alternative") if cured else None


async def _receipt(this: _Try, answer: _Answer) -> Receipt | None:
    """For a write: what is known of it, read back where the provider can show it (X10)."""
    spec, reading = answer.spec, answer.reading
    if spec.read_only or reading.kind in ("terminal", "retryable"):
        return None
    needs = tuple(need.id for need in this.prepared.serving)
    if reading.kind == "unknown_outcome":
        return Receipt(call_id=this.prepared.call.id, tool=spec.name, state="unknown", needs=needs)
    check = read_back.find(this.ctx.catalog, spec, answer.arguments, answer.output)
    seen: Literal["confirmed", "absent", "not_declared"] = "confirmed" if this.found else "not_declared"
    if check is not None and _may_read(this, check.tool, check.arguments):
        try:
            shown = await this.means.gateway.call(check.tool, check.arguments, timeout_s=this.ctx.request.limits.call_timeout_s)
            seen = "confirmed" if read_back.shows(shown, answer.arguments) else "absent"
        except DiscoveryError:
            seen = "absent"
    target = read_back.target_of(answer.output)
    state: Literal["done", "reconciled"] = "reconciled" if this.in_doubt or this.found else "done"
    return Receipt(call_id=this.prepared.call.id, tool=spec.name, state=state, read_back=seen, target=target, needs=needs)


def _failure(error: BaseException) -> tuple[ToolOutput, Reading]:
    if isinstance(error, AnsweredBadly):
        return error.output, error.reading
    unknown = isinstance(error, OutcomeUnknown) or (isinstance(error, CallFailed) and error.outcome_unknown)
    kind: Literal["unknown_outcome", "retryable"] = "unknown_outcome" if unknown else "retryable"
    return ToolOutput(text=str(error), is_error=True), Reading(kind=kind, problem="transport", reason=str(error))


def _name_of(error: BaseException) -> str:
    return error.reading.reason if isinstance(error, AnsweredBadly) else type(error).__name__
