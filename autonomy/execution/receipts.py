"""Evidence of effects: the ledger that keeps a write from happening twice (J4).

Before a write the ledger claims its key, afterwards it settles it. A key that is already claimed and not settled means that an
earlier try died in between: unless sending again is harmless, the outcome is unknown, and nobody repeats it blindly.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Literal, Protocol

import anyio

from discovery.catalog import Frozen, ToolOutput, ToolSpec
from discovery.errors import CallFailed, ProviderBusy, ProviderUnavailable, UnknownTool


class Claim(Frozen):
    """How the ledger answers to a key: `new` is ours to do, the others were tried before."""

    state: Literal["new", "started", "done", "unknown"]
    output: ToolOutput | None = None
    """What came of it, when `done`."""


class EffectLedger(Protocol):
    """Remembers writes by key; atomic across processes where it is kept in a database (`durable.ledger`)."""

    async def claim(self, key: str, *, run_id: str, tool: str, arguments_sha256: str) -> Claim:
        """Take the key, or say how far it went before."""
        ...

    async def settle(self, key: str, state: Literal["done", "unknown", "failed"], output: ToolOutput | None) -> None:
        """Say what came of it; `failed` means that surely nothing happened, and frees the key."""
        ...


@dataclass
class MemoryLedger:
    """A ledger that lasts as long as its process."""

    _claims: dict[str, Claim] = field(default_factory=dict)

    async def claim(self, key: str, *, run_id: str, tool: str, arguments_sha256: str) -> Claim:
        """See `EffectLedger`."""
        known = self._claims.get(key)
        if known is None:
            self._claims[key] = Claim(state="started")
            return Claim(state="new")
        return known

    async def settle(self, key: str, state: Literal["done", "unknown", "failed"], output: ToolOutput | None) -> None:
        """See `EffectLedger`."""
        if state == "failed":
            self._claims.pop(key, None)
        else:
            self._claims[key] = Claim(state=state, output=output)


class OutcomeUnknown(Exception):
    """Nobody can say whether the write happened, and it must not be sent again. Lives inside one call only."""


async def once(
    ledger: EffectLedger,
    key: str,
    send: Callable[[], Awaitable[ToolOutput]],
    *,
    spec: ToolSpec,
    run_id: str,
    arguments_sha256: str,
) -> ToolOutput:
    """Send a write under its key, at most once unless the tool takes repeats. Raises what `send` raised, or `OutcomeUnknown`."""
    claim = await ledger.claim(key, run_id=run_id, tool=spec.name, arguments_sha256=arguments_sha256)
    if claim.state == "done" and claim.output is not None:
        return claim.output
    if claim.state != "new" and not spec.repeatable:
        await ledger.settle(key, "unknown", None)
        raise OutcomeUnknown(f"an earlier try of {spec.name} ended before its outcome was known")
    try:
        output = await send()
    except BaseException as error:
        with anyio.CancelScope(shield=True):
            await ledger.settle(key, "failed" if surely_nothing_happened(error) else "unknown", None)
        raise
    await ledger.settle(key, "done", output)
    return output


def surely_nothing_happened(error: BaseException) -> bool:
    """Whether an error proves that the provider did not act."""
    match error:
        case ProviderUnavailable() | ProviderBusy() | UnknownTool():
            return True
        case CallFailed():
            return not error.outcome_unknown
        case _:
            return False
