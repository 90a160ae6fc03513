"""Retries a call with tenacity, which is entered only after a first failure."""

from collections.abc import Awaitable, Callable
from typing import ParamSpec, TypeVar

from tenacity import AsyncRetrying

P = ParamSpec("P")
T = TypeVar("T")


async def retried(rules: Callable[[], AsyncRetrying], fn: Callable[P, Awaitable[T]], *args: P.args, **kwargs: P.kwargs) -> T:
    """Call until it works, or the rules say that it was the last attempt; raises the last attempt's error.

    `rules` are asked after a first failure alone, as tenacity makes an object for each use, builds its list of actions, and
    inspects each of them before and after every attempt: 0.15 ms, a tenth of a tool call that answers at once.
    """
    failed: list[Exception] = []
    try:
        return await fn(*args, **kwargs)
    except Exception as error:  # noqa: BLE001  # whichever it is, the rules say what comes of it
        failed.append(error)

    async def attempt() -> T:
        if failed:
            raise failed.pop()  # the first attempt is made already
        return await fn(*args, **kwargs)

    return await rules()(attempt)
