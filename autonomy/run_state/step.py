"""The step protocol: every effect of the loop is one named, checkpointable step.

The executor never awaits a model, a tool, a clock or a catalog directly: it goes through a `Step`, so that
`durable.durable_runs` can record the result and hand it back after a crash, while `inline` simply runs it. Names and order of
steps are an interface.
"""

from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from typing import Protocol, TypeVar

T = TypeVar("T")


class Interrupted(BaseException):
    """A run cannot go on here and now, and is not over: whoever runs it takes it up again later.

    Raised by a step whose store failed for good. No `Exception`, so that nothing on the way mistakes it for an ending.
    """


class RunGivenUp(BaseException):
    """A run is played once more only to be ended: it has come to where nothing more is begun.

    Raised by a step. No `Exception`, so that nothing on the way mistakes it for a failure of what the step does.
    """


current_run: ContextVar[str] = ContextVar("current_run", default="")
"""The run of the current task, for log lines only."""

giving_up: ContextVar[bool] = ContextVar("giving_up", default=False)
"""Whether the calls of a step are only there for an end: what was sent is looked up, and nothing is sent."""


class Step(Protocol):
    """Runs an effect once and remembers what came of it."""

    async def __call__(self, name: str, effect: Callable[[], Awaitable[T]], returns: type[T]) -> T:
        """Run `effect` under `name`; `returns` is the type its result is restored to after a crash (any pydantic type)."""
        ...


async def inline(name: str, effect: Callable[[], Awaitable[T]], returns: type[T]) -> T:
    """Run the effect here and now, remembering nothing."""
    return await effect()
