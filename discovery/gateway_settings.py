"""Settings of the gateway; durations are in seconds."""

from pathlib import Path
from typing import Literal

from pydantic import SecretStr

from discovery.catalog import Frozen


class GatewaySettings(Frozen):
    """Limits and delays; the defaults suit an agent that works unattended."""

    ttl_s: float = 300.0
    """How long a catalog counts as fresh. A server's own `ttlMs` takes precedence, unless it is zero."""
    connect_timeout_s: float = 120.0
    """For starting a server and the handshake. It covers a cold package cache; only a caller that needs the server waits."""
    list_timeout_s: float = 20.0
    grace_s: float = 0.2
    """How long a catalog waits for slow providers once others have answered; they join later."""
    startup_s: float = 5.0
    """How long the first catalog waits when no provider has answered at all."""
    call_timeout_s: float = 30.0
    """One tool call, unless the provider's entry says otherwise."""
    health_interval_s: float = 60.0
    """A provider that was silent for this long gets a health check."""
    health_timeout_s: float = 5.0
    debounce_s: float = 0.2
    """Notifications of changed tools that arrive within this time lead to one listing."""
    retry_base_s: float = 0.5
    retry_cap_s: float = 60.0
    park_after: int = 8
    """A provider with this many transport faults within `fault_window_s` is parked until somebody asks for it."""
    fault_window_s: float = 300.0
    max_text_chars: int = 262_144
    """Longer text of one tool result is truncated, with a note."""
    hold_changed: bool = False
    """Whether a tool whose definition changed is held until the operator approves it."""
    language: Literal["ja", "en"] = "ja"
    """The language of hints and descriptions."""
    log_folder: Path | None = None
    """The folder of the servers' logs; None keeps no logs."""
    encryption_key: SecretStr | None = None
    """Fernet key(s), comma-separated, newest first, for tokens at rest; without one they live in memory only."""
