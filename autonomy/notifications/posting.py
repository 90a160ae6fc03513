"""Posts a message with a tool exactly once, under the effect ledger and without a model.

It is the common part of `schedule_alerts` and `scheduled_report`.
"""

import logging
import time
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import anyio

from autonomy.calls.verification.effect_ledger import KEYS_LAST_S, EffectLedger, Seen, execute_once
from autonomy.outcomes.classifier import classify
from autonomy.run_state.digests import digest
from autonomy.run_state.quiet_hours import QuietHours, is_quiet
from discovery.catalog import JsonObject, ToolOutput, ToolSpec
from discovery.discovery_errors import CallFailed, CallTimedOut

if TYPE_CHECKING:
    from discovery.gateway import Gateway

LOOK_EVERY_S, AGAIN_EVERY_S = 2.0, 60.0

GIVE_UP_S = KEYS_LAST_S
"""After this time a message is no longer posted, because it is old and the receiver may have forgotten its key."""

log = logging.getLogger(__name__)


@dataclass(kw_only=True)
class Poster(ABC):
    """Regularly looks for messages to post."""

    caller: "Gateway"
    ledger: EffectLedger
    quiet: QuietHours | None = None
    """Messages wait until these hours have ended."""
    clock: Callable[[], float] = time.time
    sleep: Callable[[float], Awaitable[None]] = anyio.sleep
    _warned: set[str] = field(default_factory=set)

    async def keep(self) -> None:
        """Post messages until cancelled. Look less often while something cannot be posted."""
        while True:
            await self.sleep(LOOK_EVERY_S if await self.look() else AGAIN_EVERY_S)

    @abstractmethod
    async def look(self) -> bool:
        """Post waiting messages. Returns whether none are left."""

    def is_quiet(self) -> bool:
        """Whether these are quiet hours."""
        return is_quiet(self.quiet, self.clock())

    def warn_once(self, problem: str) -> None:
        """Log a problem, but only the first time."""
        if problem not in self._warned:
            self._warned.add(problem)
            log.error("%s", problem)


async def send_once(
    caller: "Gateway", ledger: EffectLedger, spec: ToolSpec, arguments: JsonObject, *, key: str, run_id: str
) -> ToolOutput:
    """Call a tool that sends a message, unless it was sent with this key before.

    Raises `OutcomeUnknown` if an earlier attempt may have sent it and the tool does not accept repeats, and `DiscoveryError` if
    it cannot be sent.
    """

    async def send(_in_doubt: bool) -> ToolOutput:
        output = await caller.call(spec.name, arguments, idempotency_key=key)
        if output.is_error:
            failed = CallTimedOut if classify(output, spec).kind == "unknown_outcome" else CallFailed
            raise failed(spec.provider, spec.tool, output.text)
        return output

    async def look() -> Seen:
        return "unclear"

    return await execute_once(ledger, key, send, look, spec=spec, run_id=run_id, arguments_sha256=digest(arguments))
