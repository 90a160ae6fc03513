"""A circuit breaker with backoff for failed providers.

It counts only transport faults: a tool that reports a failure has proved that its provider can be reached.
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
        """Whether it failed so often that it should not be tried again until somebody asks."""
        return len(self._faults) >= self._settings.park_after

    def wait_s(self) -> float:
        """Return the backoff in seconds: doubled with each fault up to the cap, with jitter so that clients do not retry in
        step."""
        doubled = self._settings.retry_base_s * 2.0 ** (len(self._faults) - 1)
        return min(doubled, self._settings.retry_cap_s) * self._random.uniform(0.5, 1.0)
