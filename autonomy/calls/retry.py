"""Whether a failed attempt is made again, and when (X11): decided by what failed and by the tool's effect.

The one place that retries calls. A read, an idempotent call, or one under an idempotency key may be sent again even when nobody
knows whether the last try took effect; any other write only when surely nothing happened.
"""

import random
from collections.abc import Awaitable, Callable
from typing import TypeVar

from tenacity import AsyncRetrying, RetryCallState, retry_if_exception

from autonomy.outcomes.classifier import Classification
from autonomy.retrying import attempts_of, failure_of, tried_again
from discovery.catalog import Frozen, ToolOutput, ToolSpec
from discovery.discovery_errors import CallFailed, DiscoveryError, ProviderBusy, ProviderUnavailable

T = TypeVar("T")


class Backoff(Frozen):
    """How long to wait: `first_s · 2ⁿ`, at most `most_s`, and up to half of it at random."""

    attempts: int = 4
    """The first try and three more (P7: maxRetries 3)."""
    first_s: float = 0.5
    most_s: float = 8.0

    def wait_s(self, attempt: int, asked_s: float | None = None) -> float:
        """Seconds before the next try after `attempt` tries; never less than the provider asked for."""
        usual = min(self.most_s, self.first_s * 2 ** (attempt - 1))
        jittered: float = usual * (0.5 + random.random() / 2)  # noqa: S311 - jitter, no secret
        return max(asked_s or 0.0, jittered)


class SoftFailure(Exception):
    """The tool answered that it failed, perhaps not for long, or that nobody knows whether it did. Lives inside one call only."""

    def __init__(self, output: ToolOutput, reading: Classification) -> None:
        self.output, self.reading = output, reading
        super().__init__(reading.reason)


def may_repeat(error: BaseException, spec: ToolSpec) -> bool:
    """Whether sending the call again is allowed after this."""
    match error:
        case SoftFailure():
            return spec.repeatable
        case ProviderBusy() | ProviderUnavailable():
            return True
        case CallFailed():
            return spec.repeatable if error.outcome_unknown else False
        case _:
            return False


def asked_wait_s(error: BaseException | None) -> float | None:
    """How long the provider asked us to wait, in seconds."""
    return error.retry_after_s if isinstance(error, ProviderBusy | CallFailed) else None


async def call_with_retry(
    attempt: Callable[[int], Awaitable[T]],
    spec: ToolSpec,
    *,
    backoff: Backoff,
    retries_left: Callable[[], int],
    seconds_left: Callable[[], float],
    sleep: Callable[[float], Awaitable[None]],
    on_failure: Callable[[int, BaseException, float, bool], Awaitable[None]] | None = None,
) -> T:
    """Make attempts until one succeeds or must be the last; raises what the last one raised.

    `attempt` is told its number, from 1. `retries_left()` is asked each time, since calls that run together share it.
    `on_failure(attempt, error, wait_s, retrying)` hears of each failure. A wait longer than `seconds_left()` is not begun.
    """

    def is_last(state: RetryCallState) -> bool:
        spent = state.attempt_number >= backoff.attempts or retries_left() <= 0
        return spent or state.upcoming_sleep >= seconds_left()

    async def tell(state: RetryCallState) -> None:
        if on_failure is not None and (error := failure_of(state)) is not None:
            await on_failure(state.attempt_number, error, state.upcoming_sleep, True)

    retrying = AsyncRetrying(
        sleep=sleep,
        stop=is_last,
        wait=lambda state: backoff.wait_s(state.attempt_number, asked_wait_s(failure_of(state))),
        retry=retry_if_exception(lambda error: may_repeat(error, spec)),
        before_sleep=tell,
        reraise=True,
    )
    try:
        return await tried_again(attempt, (SoftFailure, DiscoveryError), retrying)
    except (SoftFailure, DiscoveryError) as error:
        if on_failure is not None:
            await on_failure(attempts_of(retrying), error, 0.0, False)
        raise
