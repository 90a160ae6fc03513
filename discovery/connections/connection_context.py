"""What all connections of a gateway share."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from random import Random

from mcp.client.session import ElicitationFnT

from discovery.connections.server_lists import ListingReview
from discovery.connections.server_requests import OnServerLog
from discovery.gateway_settings import GatewaySettings
from discovery.servers.server_config import ServerConfig
from discovery.timing.clock import Clock
from discovery.transport.authorization.oauth import Browser
from discovery.transport.authorization.sign_ins import SignInStore
from discovery.transport.local.child import Spares

OnResourceUpdated = Callable[[str, str], Awaitable[None]]
"""Hears a provider's name, and the URI of a resource that somebody has subscribed to and that is another now."""
OnPageDone = Callable[[str, str], Awaitable[None]]
"""Hears of a provider and the id under which it asked for a page that was used to the end."""
Reread = Callable[[str], ServerConfig | None]
"""Gives a provider's entry as it stands now, by name; None when it cannot be read. Blocks."""


@dataclass(frozen=True)
class ConnectionContext:
    """The settings, stores and listeners of one gateway."""

    settings: GatewaySettings
    clock: Clock
    env: Mapping[str, str]
    random: Random
    review: ListingReview
    sign_ins: SignInStore
    browser: Browser | None = None
    """Lets a person sign in to a server; without one a server that needs it is parked."""
    elicit: ElicitationFnT | None = None
    """Answers what a server asks when nobody stands beside the call (`asked_back`)."""
    asks_back: bool = False
    """Whether servers are told that they may ask a person; else, without `elicit`, a call that asks back fails."""
    on_log: OnServerLog | None = None
    """Hears what servers log when nobody stands beside a call."""
    on_updated: OnResourceUpdated | None = None
    spares: Spares | None = None
    """Where stdio servers may be had that were started ahead."""
    reread: Reread | None = None
    """Without it a provider keeps the entry that it was opened with."""
    on_page_done: OnPageDone | None = None
