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

Settle = Callable[[bool], None]
"""Hears whether an answer went out."""


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
        """Whether somebody sent such a write, and nobody knows what came of it."""
        unsettled = await self.ledger.unsettled(tenant=self.tenant)
        return any((one.tool, one.arguments_sha256) == (tool, arguments_sha256) for one in unsettled)

    async def unanswered(self, client: str, tool: str, arguments_sha256: str) -> UnansweredWrite | None:
        """The last such write of this client that was done and of which it may not know."""
        answered = set(self._answered)  # may be written down while the ledger is read
        found = await self.ledger.unanswered(tool, arguments_sha256, since=self.clock() - LOOK_BACK_S)
        known = answered | self._under_way | set(self._answered)
        prefix = session_prefix(client, self.tenant)
        return next((one for one in found if one.key.startswith(prefix) and one.key not in known), None)

    async def stands_for_another(self, run_id: str, arguments_sha256: str) -> bool:
        """Whether a client's own key, under which this run is kept, was given to a write with other arguments before."""
        return any(one.arguments_sha256 != arguments_sha256 for one in await self.ledger.of_run(run_id))

    def begin(self, key: str) -> None:
        """A write is under way: its client waits for the answer."""
        self._under_way.add(key)

    def settle(self, key: str, answered: bool) -> None:
        """Its answer went out, or can't go out any more."""
        self._under_way.discard(key)
        if answered:
            self._answered.append(key)
            self.on_answered()

    async def write_down(self) -> None:
        """Let the ledger know what was answered. Raises `StoreError`."""
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
    """The answer to one request on its way out; those who have to know hear once whether it went out."""

    _waiting: list[Settle] = field(default_factory=list)
    _ended: bool = False

    def __bool__(self) -> bool:
        return bool(self._waiting)

    def owe(self, settle: Settle) -> None:
        """Tell this one too; at once when there is nobody left to answer."""
        if self._ended:
            settle(False)
        else:
            self._waiting.append(settle)

    def end(self, *, answered: bool) -> None:
        """The answer is out, or there is nobody left to answer."""
        self._ended = True
        while self._waiting:
            self._waiting.pop()(answered)
