"""Finds a client's earlier writes: with an unknown outcome, or with an answer that may be lost.

A client that got no answer repeats its call. The transport knows whether an answer was sent, and that is stored soon after, many
together. If the gateway is killed, the answers of its last quarter of a second therefore count as not sent.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from autonomy.durable.memory.sql_ledger import SqlLedger, UnansweredWrite
from autonomy.run_state.digests import digest

LOOK_BACK_S = 86_400.0
"""A call that is repeated later than this (a day) is meant as a new one."""

OnDelivery = Callable[[bool], None]
"""Called once, with whether an answer was sent."""


@dataclass(eq=False)
class PastWrites:
    """The writes of all gateway processes on this database, as far as one process knows them."""

    ledger: SqlLedger
    tenant: str
    clock: Callable[[], float]
    on_answered: Callable[[], None] = lambda: None
    """Called when answers wait to be stored."""
    _under_way: set[str] = field(default_factory=set)
    _answered: list[str] = field(default_factory=list)

    async def in_doubt(self, tool: str, arguments_sha256: str) -> bool:
        """Whether the same write was sent before with an unknown outcome."""
        unsettled = await self.ledger.unsettled(tenant=self.tenant)
        return any((one.tool, one.arguments_sha256) == (tool, arguments_sha256) for one in unsettled)

    async def unanswered(self, client: str, tool: str, arguments_sha256: str, *, keyed: bool) -> UnansweredWrite | None:
        """Return the last such write of this client that was done and whose answer the client may not have; None if none.

        `keyed`: whether the tool knows its calls by a key.
        """
        answered = set(self._answered)  # these may be stored, and removed here, while the ledger is read
        found = await self.ledger.unanswered(tool, arguments_sha256, since=self.clock() - LOOK_BACK_S, keyed=keyed)
        known = answered | self._under_way | set(self._answered)
        prefix = session_prefix(client, self.tenant)
        return next((one for one in found if one.key.startswith(prefix) and one.key not in known), None)

    async def left_open(self, client: str, tool: str, arguments_sha256: str) -> str:
        """Return the key of this client's last such write whose outcome is unknown, of the last day and not under way here; empty
        if none.

        Under that key the receiver, or the ledger, knows a repetition again.
        """
        open_now = await self._open(client, tool, arguments_sha256)
        # one that ended while the ledger was read is no longer under way: what the ledger tells from now on is its outcome
        still_open = await self._open(client, tool, arguments_sha256) if open_now else ()
        return next((key for key in open_now if key in still_open), "")

    async def _open(self, client: str, tool: str, arguments_sha256: str) -> tuple[str, ...]:
        """Return the keys of this client's writes of one call that ledger and process hold for open, the last one first."""
        prefix, since = session_prefix(client, self.tenant), self.clock() - LOOK_BACK_S
        unsettled = await self.ledger.unsettled(tenant=self.tenant)
        same_call = (one for one in reversed(unsettled) if (one.tool, one.arguments_sha256) == (tool, arguments_sha256))
        own = (one for one in same_call if one.key.startswith(prefix) and one.started_at >= since)
        return tuple(one.key for one in own if one.key not in self._under_way)

    async def stands_for_another(self, run_id: str, arguments_sha256: str) -> bool:
        """Whether a client's own key, for which this run id stands, was used for a write with other arguments."""
        return any(one.arguments_sha256 != arguments_sha256 for one in await self.ledger.of_run(run_id))

    def begin(self, key: str) -> None:
        """Note that a write is under way and that its client waits for the answer."""
        self._under_way.add(key)

    def settle(self, key: str, answered: bool) -> None:
        """Note that the answer about a write was sent, or never will be."""
        self._under_way.discard(key)
        if answered:
            self._answered.append(key)
            self.on_answered()

    async def write_down(self) -> None:
        """Store in the ledger which writes were answered. Raises `StoreError`."""
        if keys := list(self._answered):
            await self.ledger.answered(keys)
            self._answered = [key for key in self._answered if key not in keys]  # only now, because `unanswered` reads it


def session_prefix(client: str, tenant: str) -> str:
    """Return the beginning of the run ids of a client's sessions. It depends on the tenant as well, because clients of two
    tenants may have the same name."""
    return f"gateway-{tenant_digest(tenant, client)[:8]}-"


def tenant_digest(tenant: str, value: object) -> str:
    """Return the digest of a tenant's value. That of `default` does not contain the tenant, so that what older versions, which
    had no tenants, stored is still found."""
    return digest(value if tenant == "default" else [tenant, value])


@dataclass(eq=False)
class Delivery:
    """The sending of the answer to one request."""

    _listeners: list[OnDelivery] = field(default_factory=list)
    _ended: bool = False

    def __bool__(self) -> bool:
        return bool(self._listeners)

    def add(self, on_delivery: OnDelivery) -> None:
        """Add a listener. It is called at once if the delivery has ended."""
        if self._ended:
            on_delivery(False)
        else:
            self._listeners.append(on_delivery)

    def end(self, *, answered: bool) -> None:
        """End the delivery, because the answer was sent or the client has gone."""
        self._ended = True
        while self._listeners:
            self._listeners.pop()(answered)
