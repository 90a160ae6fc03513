"""Is this call sent again? Retries by effect, with backoff, under limits and the effect ledger.

Read top to bottom: what may be repeated (`may_repeat`), and one call until its answer is final (`CallAttempt.send`). A read, an
idempotent call, or one under an idempotency key may be sent again after an unknown outcome; any other write only when surely
nothing happened.
"""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Literal

from tenacity import AsyncRetrying, RetryCallState, retry_if_exception

from autonomy.calls.circumstances import may_read
from autonomy.calls.prepare import Prepared
from autonomy.calls.run_handle import Run
from autonomy.calls.verification.effect_ledger import DONE_BEFORE, OutcomeUnknown, Seen, execute_once
from autonomy.calls.verification.remote_task_memory import CallTask
from autonomy.calls.verification.write_lookup import look_up_write
from autonomy.outcomes import error_patterns
from autonomy.outcomes.classifier import Classification, classify
from autonomy.retrying import retried
from autonomy.run_state.digests import digest
from autonomy.run_state.run_values import AttemptFailure
from autonomy.run_state.step import giving_up, inline
from discovery.catalog import JsonObject, ProviderState, ToolOutput, ToolSpec
from discovery.discovery_errors import CallFailed, CallTimedOut, DiscoveryError, ProviderBusy, ProviderUnavailable, TaskLost
from discovery.timing.rate_limits import Slot
from discovery.transport.asked_back import LONGEST_TIMES

LONGEST_RATE_LIMIT_WAIT_S = 900.0
"""How long a write waits for its provider's rate limit, if the run has that much time left: most vendors' windows are 15 minutes
or less."""

_COMING = (ProviderState.READY, ProviderState.CONNECTING, ProviderState.DEGRADED)
"""A provider in another state waits for a person, or for the next process."""


class SoftFailure(Exception):
    """The tool answered that it failed, perhaps not for long, or that nobody knows whether it did. Lives inside one call only."""

    def __init__(self, output: ToolOutput, classification: Classification) -> None:
        self.output, self.classification = output, classification
        super().__init__(classification.reason)


def may_repeat(error: BaseException, spec: ToolSpec) -> bool:
    """Whether sending the call again is allowed after this."""
    match error:
        case SoftFailure():
            return spec.repeatable
        case ProviderBusy() | ProviderUnavailable():
            return True  # nothing was sent
        case CallFailed():
            return spec.repeatable if error.outcome_unknown else False
        case _:
            return False


@dataclass
class CallAttempt:
    """One call of a run until its answer is final, however many attempts that takes."""

    prepared: Prepared
    run: Run
    attempts: int = 0
    uncertain: bool = False
    """Whether any attempt ended with an unknown outcome: a later one that surely failed does not settle it."""
    sending: bool = False
    """Whether an attempt is under way: one that is cut short may have happened."""
    slot: Slot | None = None
    """Leave to send it now, where its provider has a rate limit; good for one attempt."""
    in_doubt: bool = False
    """Whether a process before this one sent it, and died before it knew what came of it."""
    seen: Seen = "unclear"
    """What was seen when it was looked up then."""
    cut_short: bool = False
    """Whether the run's own deadline ended the last attempt: its provider had less time than it is given else."""
    failures: list[AttemptFailure] = field(default_factory=list)
    began: float | None = None
    """When the first attempt was made, by the clock that measures."""
    _last: tuple[ToolOutput, Classification] | None = None

    def __post_init__(self) -> None:
        run = self.run
        lasting = run.step is not inline  # else nobody takes up what is broken off
        self._task = CallTask(run.services.remote_tasks, self._idempotency_key, run.ctx.request.run_id, lasting)

    async def send(self) -> ToolOutput:
        """Send the call until its answer is final. Raises `SoftFailure`, `DiscoveryError` or `OutcomeUnknown`."""
        spec, arguments = self.prepared.spec, self.prepared.call.arguments
        ends = giving_up.get()
        if spec.read_only:
            if ends:
                return await self._refuse(in_doubt=False)
            if spec.task_support:
                await self._task.load()
            output = await self._send_with_retry()
            await self._task.forget()
            return output
        with suppress(ProviderBusy):  # the attempt will say so, once the ledger has said whether an earlier one is in doubt
            # before the claim: a process that dies while it waits leaves nothing in doubt
            longest_s = min(self.run.ctx.seconds_left, LONGEST_RATE_LIMIT_WAIT_S)
            self.slot = None if ends else await self.run.services.gateway.slot(spec, patience_s=longest_s)
        output = await execute_once(
            self.run.services.ledger,
            self._idempotency_key,
            self._refuse if ends else self._send_write,
            self._look_up,
            spec=spec,
            run_id=self.run.ctx.request.run_id,
            arguments_sha256=digest(arguments),
            nothing_sent=lambda: not (self.sending or self.uncertain),
            still_running=self._task.load if spec.task_support else None,
            keeps_running=lambda: self._task.left_running,
            flush=self.run.recorder.flush if self.run.recorder.has_news else None,
        )
        await self._task.forget()  # the answer is known, and kept by the ledger: the task need not be remembered
        return output

    async def _send_write(self, in_doubt: bool) -> ToolOutput:
        """Send a write. Once an attempt may have happened, only success settles it; raises `OutcomeUnknown` otherwise."""
        self.in_doubt = in_doubt
        self.uncertain |= in_doubt
        name = self.prepared.spec.name
        try:
            output = await self._send_with_retry()
        except (SoftFailure, DiscoveryError) as error:
            if in_doubt and isinstance(error, TaskLost) and await self._look_up() == "found":
                return DONE_BEFORE
            if self.uncertain and failure_of(error)[1].kind != "unknown_outcome":
                raise OutcomeUnknown(f"{name} may have happened; the last try failed: {error}") from error
            raise
        if self.uncertain and self.classify(output).kind in ("retryable", "terminal"):
            raise OutcomeUnknown(f"{name} may have happened; the last try failed: {output.text}")
        return output

    async def _refuse(self, in_doubt: bool) -> ToolOutput:
        """Send nothing, because the run is only ended. Raises `OutcomeUnknown` where an earlier try may have happened."""
        spec, self.cut_short = self.prepared.spec, True
        if in_doubt and self.seen != "absent":
            raise OutcomeUnknown(f"an earlier try of {spec.name} ended before its outcome was known")
        raise CallFailed(spec.provider, spec.tool, "not called, the run is given up")

    async def _send_with_retry(self) -> ToolOutput:
        """Make attempts until one succeeds or must be the last, and note each failure."""

        async def note_retry(state: RetryCallState) -> None:
            if state.outcome is not None and (error := state.outcome.exception()) is not None:
                await self._note_failure(state.attempt_number, error, state.upcoming_sleep, retrying=True)

        self.began = self.run.services.measure()
        try:
            return await retried(partial(self._rules, self.prepared.spec, note_retry), self._attempt)
        except SoftFailure as error:
            if error.classification.kind == "retryable" and self.run.services.backoff.spent(self.attempts):
                return error.output  # the tool's own last word
            await self._note_failure(self.attempts, error, 0.0, retrying=False)
            raise
        except DiscoveryError as error:
            await self._note_failure(self.attempts, error, 0.0, retrying=False)
            raise

    async def _attempt(self) -> ToolOutput:
        """Send the call once. Raises `SoftFailure` for an answer that may be followed by another attempt, or is in doubt."""
        self.attempts += 1
        spec, limits = self.prepared.spec, self.run.ctx.request.limits
        slot, self.slot = self.slot, None
        given_s = spec.timeout_s or limits.call_timeout_s
        left_s = max(1.0, self.seconds_left())
        timeout_s = min(given_s, left_s)
        self.sending, self.cut_short = True, False
        resumed = bool(self._task.known)
        try:
            output = await self.run.services.gateway.call(
                spec.name,
                self.prepared.call.arguments,
                timeout_s=timeout_s,
                idempotency_key="" if spec.read_only else self._idempotency_key,
                slot=slot,
                longest_s=min(max(1.0, LONGEST_TIMES * given_s), left_s),
                keeper=self._task,
            )
        except DiscoveryError as error:
            self.sending = False
            self.uncertain |= isinstance(error, CallFailed) and error.outcome_unknown
            if resumed and isinstance(error, CallFailed):  # whatever its server said of it: another attempt is another task
                self.uncertain = error.outcome_unknown
                await self._task.forget()
            self.cut_short = isinstance(error, CallTimedOut) and timeout_s < given_s
            raise
        self.sending = False
        if resumed:  # the earlier try has ended, and this is what came of it
            self.uncertain, self._task.known = False, ""
        kind = self.classify(output).kind
        self.uncertain |= kind == "unknown_outcome" or (kind == "retryable" and error_patterns.is_timeout(output.text))
        if kind == "unknown_outcome" or (kind == "retryable" and spec.repeatable):
            raise SoftFailure(output, self.classify(output))
        return output

    def _rules(self, spec: ToolSpec, before_sleep: Callable[[RetryCallState], Awaitable[None]] | None = None) -> AsyncRetrying:
        """The retry rules of one tool: how often, how long between attempts, after which errors."""
        backoff, ctx = self.run.services.backoff, self.run.ctx

        def is_last(state: RetryCallState) -> bool:
            # calls that run together share the run's retries, so they are counted anew each time;
            # a wait that outlasts the run's deadline is not begun
            spent = (backoff.spent(state.attempt_number) and not self._may_deliver(spec, state)) or ctx.retries_left <= 0
            return spent or state.upcoming_sleep >= self.seconds_left()

        def wait_s(state: RetryCallState) -> float:
            error = state.outcome.exception() if state.outcome else None
            asked_s = error.retry_after_s if isinstance(error, ProviderBusy | CallFailed) else None  # Retry-After
            return backoff.wait_s(state.attempt_number, asked_s)

        return AsyncRetrying(
            sleep=self.run.services.sleep,
            stop=is_last,
            wait=wait_s,
            retry=retry_if_exception(lambda error: may_repeat(error, spec)),
            before_sleep=before_sleep,
            reraise=True,
        )

    def _may_deliver(self, spec: ToolSpec, state: RetryCallState) -> bool:
        """Whether a write is tried beyond the usual attempts: nothing was sent, and its provider may come back by itself."""
        error = state.outcome.exception() if state.outcome else None
        if spec.read_only or self.uncertain or not isinstance(error, ProviderBusy | ProviderUnavailable):
            return False
        provider = next((one for one in self.run.services.gateway.status() if one.name == spec.provider), None)
        coming = provider is not None and provider.state in _COMING
        return coming and self.taken_s() + state.upcoming_sleep < self.run.services.backoff.delivery_s

    async def _look_up(self) -> Seen:
        """Whether a write happened that an earlier process sent, as far as the receiver can show it."""
        ctx, gateway = self.run.ctx, self.run.services.gateway

        async def read(reader: ToolSpec, arguments: JsonObject) -> ToolOutput | None:
            if not may_read(self.run, reader.name, arguments):
                return None
            try:
                return await retried(
                    partial(self._rules, reader),
                    gateway.call,
                    reader.name,
                    arguments,
                    timeout_s=ctx.request.limits.call_timeout_s,
                )
            except DiscoveryError:
                return None

        spec, arguments = self.prepared.spec, self.prepared.call.arguments
        seen = await look_up_write(spec, arguments, self._idempotency_key, ctx.catalog, read, self.run.services.sleep)
        self.seen = seen
        return seen

    async def _note_failure(self, number: int, error: BaseException, wait_s: float, *, retrying: bool) -> None:
        failure = AttemptFailure(
            attempt=number,
            tool=self.prepared.spec.name,
            error=error.classification.reason if isinstance(error, SoftFailure) else type(error).__name__,
            problem=failure_of(error)[1].problem,
            status=(error.status if isinstance(error, CallFailed) else None) or 0,
            wait_s=wait_s,
            retrying=retrying,
        )
        self.failures.append(failure)
        if retrying:
            self.run.ctx.retried.add((self.prepared.call.id, number))
        await self.run.emit_failure(self.prepared.key, failure, self.prepared.call, self.prepared.spec)

    @property
    def _idempotency_key(self) -> str:
        """The same when the run is played again, so that a write is known by it."""
        return self.run.ctx.repeats or f"{self.run.ctx.request.run_id}/{self.prepared.key}"

    def seconds_left(self) -> float:
        """Seconds until the run's deadline, less what this call has taken."""
        return max(0.0, self.run.ctx.seconds_left - self.taken_s())

    def taken_s(self) -> float:
        """Seconds since the first attempt."""
        return 0.0 if self.began is None else self.run.services.measure() - self.began

    def classify(self, output: ToolOutput) -> Classification:
        """Classify the tool's answer, once for each output."""
        if self._last is None or self._last[0] is not output:
            self._last = output, classify(output, self.prepared.spec)
        return self._last[1]


PROTOCOL_ERROR = "jiritsu/error"
"""In the `_meta` of what stands for an answer: code and data of the JSON-RPC error that came in its place."""


def failure_of(error: BaseException) -> tuple[ToolOutput, Classification]:
    """A failure as output for the model, and its classification."""
    if isinstance(error, SoftFailure):
        return error.output, error.classification
    unknown = isinstance(error, OutcomeUnknown) or (isinstance(error, CallFailed) and error.outcome_unknown)
    kind: Literal["unknown_outcome", "retryable"] = "unknown_outcome" if unknown else "retryable"
    meta = {PROTOCOL_ERROR: error.error} if isinstance(error, CallFailed) and error.error else {}
    return ToolOutput(text=str(error), is_error=True, meta=meta), Classification(
        kind=kind, problem="transport", reason=str(error)
    )
