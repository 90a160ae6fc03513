"""Attempts at one tool call until it has answered for good: reads and writes, under a rate limit, through the ledger.

Called by `execute`; calls `discovery.gateway`. Retries by effect (`retry`); a write that an earlier process sent is looked up first.
"""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Literal

from autonomy.calls.effect_ledger import OutcomeUnknown, Seen, execute_once
from autonomy.calls.prepare import Prepared, able_needs, call_facts, circumstances, digest
from autonomy.calls.retry import SoftFailure, call_with_retry
from autonomy.calls.services import Services
from autonomy.calls.write_lookup import look_up_write
from autonomy.outcomes import error_patterns
from autonomy.outcomes.classifier import Classification, classify
from autonomy.run_state.context import AttemptFailure, ToolExecutionContext
from autonomy.run_state.event_recorder import EventRecorder
from discovery.catalog import JsonObject, ToolOutput, ToolSpec
from discovery.discovery_errors import CallFailed, DiscoveryError, ProviderBusy
from discovery.rate_limits import Slot
from metrics import events

MOST_PATIENCE_S = 900.0
"""How long a write waits for its provider's rate limit, if the run has that much time left."""


@dataclass
class CallAttempt:
    """How one call is going."""

    prepared: Prepared
    ctx: ToolExecutionContext
    means: Services
    recorder: EventRecorder
    attempts: int = 0
    uncertain: bool = False
    """Whether any attempt ended so that nobody knows what it did: a later one that surely failed says nothing of it."""
    slot: Slot | None = None
    """Leave to send it now, where its provider has a rate limit; good for one attempt."""
    in_doubt: bool = False
    """Whether a process before this one sent it, and died before it knew what came of it."""
    found: bool = False
    """Whether it was looked up then, and had happened."""
    troubles: list[AttemptFailure] = field(default_factory=list)
    _last: tuple[ToolOutput, Classification] | None = None

    began: float | None = None
    """When the first attempt was made, by the run's clock."""

    def seconds_left(self) -> float:
        """Of work until the run's deadline, what this call has taken so far taken off."""
        taken_s = 0.0 if self.began is None else self.means.clock() - self.began
        return max(0.0, self.ctx.seconds_left - taken_s)

    def read(self, output: ToolOutput) -> Classification:
        """What to make of the tool's answer; one that is looked at from several sides is read once."""
        if self._last is None or self._last[0] is not output:
            self._last = output, classify(output, self.prepared.spec)
        return self._last[1]


async def send(this: CallAttempt, spec: ToolSpec, arguments: JsonObject) -> ToolOutput:
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
        this.uncertain |= reading.kind == "unknown_outcome" or (
            reading.kind == "retryable" and error_patterns.is_timeout(output.text)
        )
        passing = reading.kind == "retryable" and spec.repeatable and number < this.means.backoff.attempts
        if passing or reading.kind == "unknown_outcome":
            raise SoftFailure(output, reading)
        return output

    async def attempts() -> ToolOutput:
        this.began = this.means.clock()
        return await call_with_retry(
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
    return await execute_once(
        this.means.ledger,
        key,
        lambda in_doubt: _write(this, spec, attempts, in_doubt),
        lambda: _look_up(this, spec, arguments, key),
        spec=spec,
        run_id=run_id,
        arguments_sha256=digest(arguments),
    )


async def _write(this: CallAttempt, spec: ToolSpec, attempts: Callable[[], Awaitable[ToolOutput]], in_doubt: bool) -> ToolOutput:
    """Attempts at a write. Once one of them may have happened, only success says what is; raises `OutcomeUnknown` otherwise."""
    this.in_doubt = in_doubt
    this.uncertain |= in_doubt
    try:
        output = await attempts()
    except (SoftFailure, DiscoveryError) as error:
        if this.uncertain and failure_of(error)[1].kind != "unknown_outcome":
            raise OutcomeUnknown(f"{spec.name} may have happened; the last try failed: {error}") from error
        raise
    if this.uncertain and this.read(output).kind in ("retryable", "terminal"):
        raise OutcomeUnknown(f"{spec.name} may have happened; the last try failed: {output.text}")
    return output


async def _look_up(this: CallAttempt, spec: ToolSpec, arguments: JsonObject, key: str) -> Seen:
    """Whether a write happened that an earlier process sent, as far as the receiver can show it."""

    async def read(reader: ToolSpec, given: JsonObject) -> ToolOutput | None:
        if not may_read(this, reader.name, given):
            return None
        timeout_s = this.ctx.request.limits.call_timeout_s
        try:
            return await call_with_retry(
                lambda _: this.means.gateway.call(reader.name, given, timeout_s=timeout_s),
                reader,
                backoff=this.means.backoff,
                retries_left=lambda: this.ctx.retries_left,
                seconds_left=this.seconds_left,
                sleep=this.means.sleep,
            )
        except DiscoveryError:
            return None

    seen = await look_up_write(spec, arguments, key, this.ctx.catalog, read, this.means.sleep)
    this.found = seen == "found"
    return seen


async def _troubled(this: CallAttempt, number: int, error: BaseException, wait_s: float, retrying: bool) -> None:
    trouble = AttemptFailure(
        attempt=number,
        tool=this.prepared.spec.name,
        error=_name_of(error),
        problem=failure_of(error)[1].problem,
        wait_s=wait_s,
        retrying=retrying,
    )
    this.troubles.append(trouble)
    if retrying:
        this.ctx.retried.add((this.prepared.call.id, number))
    facts = call_facts(this.prepared.call, this.ctx.turn, this.prepared.spec)
    await emit_trouble(this.recorder, this.prepared.key, trouble, facts)


async def emit_trouble(recorder: EventRecorder, key: str, trouble: AttemptFailure, facts: dict[str, object]) -> None:
    """Tell of a trouble: live when it happens, and again for the record (the second time changes nothing)."""
    if trouble.alternative:
        told = {"alternative": trouble.alternative, "ok": trouble.cured, "source": trouble.source}
        await recorder.emit(events.AlternativeTried, f"{key}/instead-{trouble.alternative}", **facts, **told)
    else:
        told = trouble.model_dump(include={"attempt", "error", "wait_s", "retrying"})
        await recorder.emit(events.AttemptFailed, f"{key}/attempt-{trouble.attempt}", **facts, **told)


def may_read(this: CallAttempt, tool: str, arguments: JsonObject) -> bool:
    """Whether a read may happen that the model did not ask for: the run may use the tool, and no person would have to be asked."""
    spec = this.ctx.catalog.get(tool)
    if spec is None or tool not in this.ctx.allowed:
        return False
    given = circumstances(this.ctx, able_needs(tool, this.ctx))
    return this.means.policy.decide(spec, arguments, given).decision == "allow"


def failure_of(error: BaseException) -> tuple[ToolOutput, Classification]:
    """A failure as the model is told of it, and what to make of it."""
    if isinstance(error, SoftFailure):
        return error.output, error.reading
    unknown = isinstance(error, OutcomeUnknown) or (isinstance(error, CallFailed) and error.outcome_unknown)
    kind: Literal["unknown_outcome", "retryable"] = "unknown_outcome" if unknown else "retryable"
    return ToolOutput(text=str(error), is_error=True), Classification(kind=kind, problem="transport", reason=str(error))


def _name_of(error: BaseException) -> str:
    return error.reading.reason if isinstance(error, SoftFailure) else type(error).__name__
