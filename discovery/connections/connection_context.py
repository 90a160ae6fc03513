"""The settings, stores and callbacks that all connections of a gateway share."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from mcp.client.session import ElicitationFnT

from discovery.connections.server_lists import ListingReview
from discovery.connections.server_requests import OnServerLog
from discovery.gateway_settings import GatewaySettings
from discovery.servers.server_config import ServerConfig
from discovery.timing.clock import Clock
from discovery.transport.authorization.sign_ins import SignInStore
from discovery.transport.local.child import Spares

if TYPE_CHECKING:  # brings an HTTP client
    from discovery.transport.authorization.oauth import Browser

OnResourceUpdated = Callable[[str, str], Awaitable[None]]
"""Called with a provider's name and the URI of a subscribed resource that has changed."""
OnPageDone = Callable[[str, str], Awaitable[None]]
"""Called with a provider's name and the id of an elicitation whose page a person has finished with."""
Reread = Callable[[str], ServerConfig | None]
"""Reads a provider's entry anew, by name; None if it cannot be read. Blocks."""


@dataclass(frozen=True)
class ConnectionContext:
    """The settings, stores and callbacks of one gateway."""

    settings: GatewaySettings
    clock: Clock
    env: Mapping[str, str]
    random: Random
    review: ListingReview
    sign_ins: SignInStore
    browser: "Browser | None" = None
    """Lets a person sign in to a server; without it, a server that needs a sign-in is parked."""
    elicit: ElicitationFnT | None = None
    """Answers questions of a server that belong to no call with a listener (`asked_back`)."""
    asks_back: bool = False
    """Whether servers are told that they may ask a person; otherwise, without `elicit`, a call that asks back fails."""
    on_log: OnServerLog | None = None
    """Receives log messages of servers that belong to no call with a listener."""
    on_updated: OnResourceUpdated | None = None
    spares: Spares | None = None
    """Stdio servers that were started ahead."""
    reread: Reread | None = None
    """Without it, a provider keeps the entry that it was opened with."""
    on_page_done: OnPageDone | None = None
    slowest_start_s: Callable[[], float] = lambda: 0.0
    """Returns the seconds that the slowest server of this process took to list its tools."""
    on_stillness: Callable[[str], Awaitable[None]] | None = None
    """Called with the name of a provider that is starting and whose process does nothing."""
