"""The configured models as one: retries what may pass, then falls back to the next model (L7). The one place that does either.

Called by `execution.executor` inside a step; each `Model` below makes one attempt and says what went wrong.
"""

import random
from collections.abc import Awaitable, Callable, Sequence
from typing import Literal

import anyio

from autonomy.errors import ModelError, ModelGarbled, ModelRejected, ModelUnavailable
from autonomy.llm.messages import AssistantMessage, UserMessage
from autonomy.llm.model import Model, ModelRequest, OnText
from discovery.catalog import Frozen

CORRECTION = "Your last reply could not be read. Answer again: words, or tool calls whose arguments are one JSON object."


class Failure(Frozen):
    """One attempt that gave no usable reply, and what was done then."""

    model: str
    error: str
    """The class of the error."""
    then: Literal["retry", "fallback", "correct", "give_up"]
    wait_s: float = 0.0


class Chain:
    """Asks the first model; what passes is retried, what is garbled is corrected once, and then the next model is asked."""

    def __init__(
        self,
        models: Sequence[Model],
        *,
        attempts: int = 3,
        first_wait_s: float = 0.5,
        most_wait_s: float = 20.0,
        sleep: Callable[[float], Awaitable[None]] = anyio.sleep,
    ) -> None:
        self._models, self._attempts, self._sleep = tuple(models), attempts, sleep
        self._first_wait_s, self._most_wait_s = first_wait_s, most_wait_s

    @property
    def id(self) -> str:
        """The model that is asked first."""
        return self._models[0].id

    async def complete(
        self, request: ModelRequest, *, on_text: OnText | None = None, on_failure: Callable[[Failure], None] = lambda _: None
    ) -> AssistantMessage:
        """One reply. Raises the last model's error when none of them gave one."""
        for model in self._models[:-1]:
            try:
                return await self._ask(model, request, on_text, on_failure)
            except ModelError as error:
                on_failure(Failure(model=model.id, error=type(error).__name__, then="fallback"))
        last = self._models[-1]
        try:
            return await self._ask(last, request, on_text, on_failure)
        except ModelError as error:
            on_failure(Failure(model=last.id, error=type(error).__name__, then="give_up"))
            raise

    async def _ask(
        self, model: Model, request: ModelRequest, on_text: OnText | None, on_failure: Callable[[Failure], None]
    ) -> AssistantMessage:
        attempt, corrected = 1, False
        while True:
            try:
                return await model.complete(request, on_text)
            except ModelRejected:
                raise
            except ModelGarbled as error:
                if corrected:
                    raise
                corrected = True
                request = request.model_copy(update={"messages": (*request.messages, UserMessage(text=CORRECTION, host=True))})
                on_failure(Failure(model=model.id, error=type(error).__name__, then="correct"))
            except ModelUnavailable as error:
                wait_s = self._wait_s(attempt, error.retry_after_s)
                if attempt >= self._attempts or wait_s > self._most_wait_s:
                    raise
                on_failure(Failure(model=model.id, error=type(error).__name__, then="retry", wait_s=wait_s))
                await self._sleep(wait_s)
                attempt += 1

    def _wait_s(self, attempt: int, asked_s: float | None) -> float:
        usual = min(self._most_wait_s, self._first_wait_s * 2 ** (attempt - 1))
        return max(asked_s or 0.0, usual * (0.5 + random.random() / 2))  # noqa: S311 - jitter, no secret
