"""A circuit breaker with backoff for failed providers.

It counts transport faults alone: a tool that answers "that did not work" has proved that its provider can be reached.
"""

from collections import deque
from random import Random

from discovery.gateway_settings import GatewaySettings


class Breaker:
    """The recent transport faults of one provider."""

    def __init__(self, settings: GatewaySettings, random: Random) -> None:
        self._settings, self._random = settings, random
        self._faults: deque[float] = deque()

    def fault(self, now: float) -> None:
        """Note a fault at `now`, in monotonic seconds; those older than the window no longer count."""
        self._faults.append(now)
        while now - self._faults[0] > self._settings.fault_window_s:
            self._faults.popleft()

    def forget(self) -> None:
        """Start over, because someone asked for the provider again."""
        self._faults.clear()

    @property
    def parked(self) -> bool:
        """Whether it failed so often that trying again by ourselves would only do harm."""
        return len(self._faults) >= self._settings.park_after

    def wait_s(self) -> float:
        """How long to leave it alone now: doubling up to the cap, with jitter so that many do not come back in step."""
        doubled = self._settings.retry_base_s * 2.0 ** (len(self._faults) - 1)
        return min(doubled, self._settings.retry_cap_s) * self._random.uniform(0.5, 1.0)
