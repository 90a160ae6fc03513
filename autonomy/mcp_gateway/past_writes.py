"""Finds a client's earlier writes: with an unknown outcome, or with an answer that may be lost.

A client that got no answer makes its call again. Whether an answer went out is known by the transport, and is written down soon
after, many together: a gateway that is killed leaves those of its last quarter of a second unanswered.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from autonomy.durable.memory.sql_ledger import SqlLedger, UnansweredWrite
from autonomy.run_state.digests import digest

LOOK_BACK_S = 86_400.0
"""A call that is made again after a day is meant."""

OnDelivery = Callable[[bool], None]
"""Called once with whether an answer went out."""


@dataclass(eq=False)
class PastWrites:
    """The writes of all gateway processes on this database, as one process knows them."""

    ledger: SqlLedger
    tenant: str
    clock: Callable[[], float]
    on_answered: Callable[[], None] = lambda: None
    """Hears that something waits to be written down."""
    _under_way: set[str] = field(default_factory=set)
    _answered: list[str] = field(default_factory=list)

    async def in_doubt(self, tool: str, arguments_sha256: str) -> bool:
        """Whether such a write was sent whose outcome is unknown."""
        unsettled = await self.ledger.unsettled(tenant=self.tenant)
        return any((one.tool, one.arguments_sha256) == (tool, arguments_sha256) for one in unsettled)

    async def unanswered(self, client: str, tool: str, arguments_sha256: str) -> UnansweredWrite | None:
        """The last such write of this client that was done, and whose answer it may not have."""
        answered = set(self._answered)  # may be written down while the ledger is read
        found = await self.ledger.unanswered(tool, arguments_sha256, since=self.clock() - LOOK_BACK_S)
        known = answered | self._under_way | set(self._answered)
        prefix = session_prefix(client, self.tenant)
        return next((one for one in found if one.key.startswith(prefix) and one.key not in known), None)

    async def stands_for_another(self, run_id: str, arguments_sha256: str) -> bool:
        """Whether the client's own key, which this run id stands for, belongs to a write with other arguments."""
        return any(one.arguments_sha256 != arguments_sha256 for one in await self.ledger.of_run(run_id))

    def begin(self, key: str) -> None:
        """Note that a write is under way and its client waits for the answer."""
        self._under_way.add(key)

    def settle(self, key: str, answered: bool) -> None:
        """Note that its answer went out, or never will."""
        self._under_way.discard(key)
        if answered:
            self._answered.append(key)
            self.on_answered()

    async def write_down(self) -> None:
        """Record in the ledger which writes were answered. Raises `StoreError`."""
        if keys := list(self._answered):
            await self.ledger.answered(keys)
            self._answered = [key for key in self._answered if key not in keys]  # not before: who asks meanwhile looks here


def session_prefix(client: str, tenant: str) -> str:
    """How the run ids of a client's sessions begin; a client of another tenant may go by the same name."""
    return f"gateway-{tenant_digest(tenant, client)[:8]}-"


def tenant_digest(tenant: str, value: object) -> str:
    """The digest of a tenant's value. That of `default` bears no tenant, as before there were others: what an older gateway
    wrote is found again."""
    return digest(value if tenant == "default" else [tenant, value])


@dataclass(eq=False)
class Delivery:
    """The answer to one request on its way out."""

    _listeners: list[OnDelivery] = field(default_factory=list)
    _ended: bool = False

    def __bool__(self) -> bool:
        return bool(self._listeners)

    def add(self, on_delivery: OnDelivery) -> None:
        """Add a listener; it is called at once when the delivery has ended."""
        if self._ended:
            on_delivery(False)
        else:
            self._listeners.append(on_delivery)

    def end(self, *, answered: bool) -> None:
        """End the delivery: the answer is out, or there is nobody left to answer."""
        self._ended = True
        while self._listeners:
            self._listeners.pop()(answered)
