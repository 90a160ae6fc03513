"""The effect ledger: keeps one entry per write, so that no write is sent twice blindly.

Before a write the ledger claims its key, afterwards it settles it. A key that is already claimed and not settled means that an
earlier try died in between: it is looked up where the tool declares how, sent again where that is harmless, and otherwise its
outcome is unknown, and nobody repeats it blindly.
"""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Literal, Protocol

import anyio

from autonomy.errors import StoreError, WriteNotSent
from discovery.catalog import Frozen, ToolOutput, ToolSpec
from discovery.discovery_errors import CallFailed, ProviderBusy, ProviderUnavailable, UnknownTool


class LedgerEntry(Frozen):
    """The ledger's answer to a key: a `new` one is ours to execute, the others were tried before."""

    state: Literal["new", "started", "done", "unknown"]
    output: ToolOutput | None = None
    """What came of it, when `done`; None when a person says so."""
    age_s: float = 0.0
    """Seconds since it was first claimed."""


KEYS_LAST_S = 20 * 3600.0
"""How long a receiver is trusted to know a key again: our Slack server looks back a day."""

UNDO_S = 5.0
"""How long a claim is waited for whose write is not sent: the database may be away. One that stays counts as an earlier try."""

FOUND = "found by read-back"
"""The ledger's note on a write that was looked up after a crash and had happened."""
DONE_BEFORE = ToolOutput(text="This was done before; it was looked up and found.")
"""What stands for the answer to such a write."""

Seen = Literal["found", "absent", "unclear"]
"""What a look at the receiver told of a write."""


class EffectLedger(Protocol):
    """Remembers writes by key; atomic across processes where it is kept in a database (`durable.memory.sql_ledger`)."""

    async def claim(self, key: str, *, run_id: str, tool: str, arguments_sha256: str) -> LedgerEntry:
        """Take the key, or say how far it went before; until it is awaited, another write to the same database may take it
        along."""
        ...

    async def settle(
        self, key: str, state: Literal["done", "unknown", "failed"], output: ToolOutput | None, *, note: str = ""
    ) -> None:
        """Record the outcome; `failed` means that surely nothing happened, and frees the key. `note`: how that is known."""
        ...


@dataclass
class MemoryLedger:
    """A ledger that lasts as long as its process."""

    _claims: dict[str, LedgerEntry] = field(default_factory=dict)

    async def claim(self, key: str, *, run_id: str, tool: str, arguments_sha256: str) -> LedgerEntry:
        """See `EffectLedger`."""
        known = self._claims.get(key)
        if known is None:
            self._claims[key] = LedgerEntry(state="started")
            return LedgerEntry(state="new")
        return known

    async def settle(
        self, key: str, state: Literal["done", "unknown", "failed"], output: ToolOutput | None, *, note: str = ""
    ) -> None:
        """See `EffectLedger`."""
        if state == "failed":
            self._claims.pop(key, None)
        else:
            self._claims[key] = LedgerEntry(state=state, output=output)


class OutcomeUnknown(Exception):
    """The write may have happened, and must not be sent again. Lives inside one call only."""


async def execute_once(
    ledger: EffectLedger,
    key: str,
    send: Callable[[bool], Awaitable[ToolOutput]],
    look: Callable[[], Awaitable[Seen]],
    *,
    spec: ToolSpec,
    run_id: str,
    arguments_sha256: str,
    nothing_sent: Callable[[], bool] = lambda: False,
    still_running: Callable[[], Awaitable[bool]] | None = None,
    keeps_running: Callable[[], bool] = lambda: False,
    flush: Callable[[], Awaitable[None]] | None = None,
) -> ToolOutput:
    """Send a write under its key, at most once unless its tool takes repeats. Raises what `send` raised, `OutcomeUnknown`,
    `WriteNotSent`, or `StoreError` if the outcome could not be noted.

    - `send` gets whether an earlier attempt may have happened; `look` tells in that case whether it did.
    - `still_running`: whether the receiver still works on the earlier attempt, for which `send` then waits.
    - `nothing_sent`: of a cancelled `send`, whether it only waited for its next attempt, which leaves nothing in doubt.
    - `keeps_running`: of a cancelled `send`, whether the receiver works on, so that the key stays claimed for whoever resumes.
    - `flush` stores the events before anything is sent, if possible in the transaction of the claim.
    """
    claiming = ledger.claim(key, run_id=run_id, tool=spec.name, arguments_sha256=arguments_sha256)
    try:
        claim = await (claiming if flush is None else _flush_and_claim(ledger, key, flush, claiming))
    except StoreError as error:
        raise WriteNotSent(str(error)) from error
    if claim.state == "done":
        return claim.output or ToolOutput(text="A person looked: this was done.")
    in_doubt = claim.state != "new"
    if in_doubt and not (still_running is not None and await still_running()):
        seen = await look()
        if seen == "found":
            await ledger.settle(key, "done", DONE_BEFORE, note=FOUND)
            return DONE_BEFORE
        may_be_sent_again = spec.read_only or spec.idempotent or (spec.keyed and claim.age_s < KEYS_LAST_S)
        if seen != "absent" and not may_be_sent_again:
            await ledger.settle(key, "unknown", None)
            raise OutcomeUnknown(f"an earlier try of {spec.name} ended before its outcome was known")
    try:
        output = await send(in_doubt)
    except BaseException as error:
        if isinstance(error, anyio.get_cancelled_exc_class()) and keeps_running():
            raise
        only_waited = isinstance(error, anyio.get_cancelled_exc_class()) and not in_doubt and nothing_sent()
        with anyio.CancelScope(shield=True):
            await ledger.settle(key, "failed" if only_waited or surely_nothing_happened(error) else "unknown", None)
        raise
    await ledger.settle(key, "done", output)
    return output


async def _flush_and_claim(
    ledger: EffectLedger, key: str, flush: Callable[[], Awaitable[None]], claiming: Awaitable[LedgerEntry]
) -> LedgerEntry:
    """Both, by one transaction where they are kept in one database. Where the first fails, nothing is sent: a key that was new is
    free again."""
    try:
        await flush()
    except BaseException:
        with anyio.move_on_after(UNDO_S, shield=True), suppress(Exception):
            if (await claiming).state == "new":
                await ledger.settle(key, "failed", None)
        raise
    return await claiming


def surely_nothing_happened(error: BaseException) -> bool:
    """Whether an error proves that the provider did not act."""
    match error:
        case ProviderUnavailable() | ProviderBusy() | UnknownTool():
            return True
        case CallFailed():
            return not error.outcome_unknown
        case _:
            return False
