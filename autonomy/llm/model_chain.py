"""Tries models in order: retries each while its vendor is unavailable, then falls back.

The one place that retries models. Every failure is told to the caller, who writes it
into the journal.
"""

import logging
import random
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Literal

import anyio
from tenacity import AsyncRetrying, RetryCallState, retry_if_exception_type

from autonomy.errors import ModelError, ModelGarbled, ModelUnavailable
from autonomy.llm.messages import AssistantMessage, UserMessage
from autonomy.llm.model import Bounded, Model, ModelRequest, OnText
from autonomy.retrying import retried
from discovery.catalog import Frozen

log = logging.getLogger(__name__)

CORRECTION = (
    "Your last reply could not be read ({problem}). Answer again: either words, or tool calls with arguments that are valid JSON."
)


class ModelFailureNote(Frozen):
    """One attempt at a model without a usable reply, and the reaction to it."""

    model: str
    error: str
    """The class of the error."""
    then: Literal["retry", "fallback", "correct", "give_up"]
    wait_s: float = 0.0


OnFailure = Callable[[ModelFailureNote], Awaitable[None]]


async def _untold(_failure: ModelFailureNote) -> None:
    """Tell nobody."""


@dataclass(frozen=True)
class ModelRetryPolicy:
    """How long one model is waited for: `first_s · 2ⁿ` between tries, at most `most_s`, up to half of it at random."""

    attempts: int = 3
    first_s: float = 0.5
    most_s: float = 8.0
    longest_asked_s: float = 30.0
    """A vendor that asks for a longer pause is not waited for: the next model is tried."""
    for_nobody_s: float = 120.0
    """The last model of the chain is waited for so long, however many tries that takes, where no person sits and waits."""
    jitter: Callable[[], float] = random.random
    sleep: Callable[[float], Awaitable[None]] = anyio.sleep

    def wait_s(self, attempt: int, asked_s: float | None) -> float:
        """Seconds before the next try after `attempt` tries; never less than the vendor asked for."""
        usual = min(self.most_s, self.first_s * 2.0 ** (attempt - 1))
        return max(asked_s or 0.0, usual * (0.5 + self.jitter() / 2))


@dataclass(frozen=True)
class Chain:
    """The configured model, and those to fall back to. It is used like a model."""

    models: Sequence[Model]
    patience: ModelRetryPolicy = field(default_factory=ModelRetryPolicy)

    @property
    def id(self) -> str:
        """The first model's: who should answer."""
        return self.models[0].id

    @property
    def context_tokens(self) -> int | None:
        """The smallest context among the models, as far as it is known: any of them may have to carry on."""
        return min((size for model in self.models if isinstance(model, Bounded) and (size := model.context_tokens)), default=None)

    async def complete(
        self,
        request: ModelRequest,
        on_text: OnText | None = None,
        on_failure: OnFailure = _untold,
        *,
        longest_s: float = 0.0,
    ) -> AssistantMessage:
        """The first usable reply; its `model` says whose it is.

        `longest_s`: seconds for which the last model may be waited for beyond the usual tries, at most `patience.for_nobody_s`.
        After a failure text may be written anew from its beginning: `on_failure` is called before. Raises the last model's error.
        """
        for number, model in enumerate(self.models, 1):
            is_last = number == len(self.models)
            wait_s = min(longest_s, self.patience.for_nobody_s) if is_last else 0.0
            try:
                return await retried(
                    partial(self._rules, model, on_failure, wait_s), self._corrected, model, request, on_text, on_failure
                )
            except ModelError as error:
                then: Literal["fallback", "give_up"] = "give_up" if is_last else "fallback"
                await on_failure(ModelFailureNote(model=model.id, error=type(error).__name__, then=then))
                if is_last:
                    raise
        raise ValueError("a chain of no models")

    async def aclose(self) -> None:
        """Close all models."""
        for model in self.models:
            await model.aclose()

    def _rules(self, model: Model, on_failure: OnFailure, wait_s: float) -> AsyncRetrying:
        """How often one model is tried, and how long between tries."""

        def is_last(state: RetryCallState) -> bool:
            upcoming_s = self.patience.wait_s(state.attempt_number, _asked_s(state))
            waited_s = max(state.idle_for, state.seconds_since_start or 0.0)  # a try that hangs is a part of the wait
            if waited_s + upcoming_s <= wait_s:
                return False
            return state.attempt_number >= self.patience.attempts or (_asked_s(state) or 0.0) > self.patience.longest_asked_s

        async def tell(state: RetryCallState) -> None:
            if state.attempt_number == self.patience.attempts:  # from here on a person would see nothing happen
                log.warning("%s; it is asked again for up to %.0f s", _error_of(state), wait_s)
            failure = type(_error_of(state)).__name__
            await on_failure(ModelFailureNote(model=model.id, error=failure, then="retry", wait_s=state.upcoming_sleep))

        return AsyncRetrying(
            sleep=self.patience.sleep,
            stop=is_last,
            wait=lambda state: self.patience.wait_s(state.attempt_number, _asked_s(state)),
            retry=retry_if_exception_type(ModelUnavailable),
            before_sleep=tell,
            reraise=True,
        )

    @staticmethod
    async def _corrected(model: Model, request: ModelRequest, on_text: OnText | None, on_failure: OnFailure) -> AssistantMessage:
        """One reply; one that cannot be read is asked for again once, saying what was wrong."""
        try:
            return await model.complete(request, on_text)
        except ModelGarbled as error:
            await on_failure(ModelFailureNote(model=model.id, error=type(error).__name__, then="correct"))
            remark = UserMessage(text=CORRECTION.format(problem=error.problem), host=True)
        return await model.complete(request.model_copy(update={"messages": (*request.messages, remark)}), on_text)


def _asked_s(state: RetryCallState) -> float | None:
    """How long the vendor asks to wait, if it does."""
    error = _error_of(state)
    return error.retry_after_s if isinstance(error, ModelUnavailable) else None


def _error_of(state: RetryCallState) -> BaseException | None:
    return state.outcome.exception() if state.outcome else None
