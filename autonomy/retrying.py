"""The one way into tenacity, taken when a first try has failed: most go well, and need not pay for it.

Called by `execution.retry` for tools and by `llm.chain` for models; they say what is tried again, when, and how often.
"""

from collections.abc import Awaitable, Callable
from typing import TypeVar

from tenacity import AsyncRetrying, RetryCallState

T = TypeVar("T")


async def tried_again(
    attempt: Callable[[int], Awaitable[T]], failures: type[Exception] | tuple[type[Exception], ...], retrying: AsyncRetrying
) -> T:
    """Make attempts, numbered from 1, as `retrying` has it; its rules see the first failure like any later one.

    `failures`: those that may be followed by another attempt. Raises what the last attempt raised, if `retrying` is to reraise.
    """
    try:
        return await attempt(1)
    except failures as error:
        first = error

    async def once() -> T:
        number = attempts_of(retrying)
        if number == 1:
            raise first
        return await attempt(number)

    return await retrying(once)


def attempts_of(retrying: AsyncRetrying) -> int:
    """How many attempts were made, the first one included, once that has failed."""
    return int(retrying.statistics["attempt_number"])


def failure_of(state: RetryCallState) -> BaseException | None:
    """What the attempt raised that has just been made."""
    return state.outcome.exception() if state.outcome else None
