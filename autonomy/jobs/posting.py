"""A post of the host's own, made by no run: sent by a tool under the effect ledger, so that it is neither lost nor doubled.

Called by `jobs.alarm` and `jobs.report`, which calls `discovery.gateway`. No model is asked.
"""

from typing import Protocol

from autonomy.execution.outcome import classify
from autonomy.execution.prepare import digest
from autonomy.execution.receipts import EffectLedger, Seen, once
from discovery.catalog import Catalog, JsonObject, ToolOutput, ToolSpec
from discovery.errors import CallFailed, CallTimedOut


class Caller(Protocol):
    """Whoever calls tools (`discovery.gateway.Gateway`)."""

    async def catalog(self) -> Catalog:
        """All tools there are."""
        ...

    async def call(self, name: str, arguments: JsonObject, *, idempotency_key: str = "") -> ToolOutput:
        """Call one. Raises `DiscoveryError`."""
        ...


async def send_once(
    caller: Caller, ledger: EffectLedger, spec: ToolSpec, arguments: JsonObject, *, key: str, run_id: str
) -> ToolOutput:
    """Send it, unless it was sent under this key before.

    Raises `OutcomeUnknown` when an earlier try may have sent it and the tool takes no repeats, and `DiscoveryError` when it cannot be sent.
    """

    async def send(_in_doubt: bool) -> ToolOutput:
        output = await caller.call(spec.name, arguments, idempotency_key=key)
        if output.is_error:
            failed = CallTimedOut if classify(output, spec).kind == "unknown_outcome" else CallFailed
            raise failed(spec.provider, spec.tool, output.text)
        return output

    async def look() -> Seen:
        return "unclear"

    return await once(ledger, key, send, look, spec=spec, run_id=run_id, arguments_sha256=digest(arguments))
