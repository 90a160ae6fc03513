"""Exponential backoff with jitter for tool calls."""

import random

from discovery.catalog import Frozen


class Backoff(Frozen):
    """How long to wait: `first_s · 2ⁿ`, at most `most_s`, and up to half of it at random."""

    attempts: int = 4
    """The first try and three more (the source documents' maxRetries 3)."""
    first_s: float = 0.5
    most_s: float = 30.0
    delivery_s: float = 300.0
    """How long a write is tried while its provider is away and nothing was sent, however many attempts that takes."""

    def spent(self, attempts: int) -> bool:
        """Whether so many attempts are all that a call gets."""
        return attempts >= self.attempts

    def wait_s(self, attempt: int, asked_s: float | None = None) -> float:
        """Seconds before the next try after `attempt` tries; never less than the provider asked for."""
        usual = min(self.most_s, self.first_s * 2 ** (attempt - 1))
        jittered: float = usual * (0.5 + random.random() / 2)  # noqa: S311 - jitter, no secret
        return max(asked_s or 0.0, jittered)
