"""Entries for the servers of `tests/support/servers`, as a servers file would give them."""

import json
import sys
from pathlib import Path
from typing import Any

from discovery.gateway_settings import GatewaySettings
from discovery.servers.server_config import ServerConfig

SERVERS = Path(__file__).parent / "servers"

PATIENT = GatewaySettings(grace_s=60, startup_s=60, connect_timeout_s=60, list_timeout_s=60, call_timeout_s=60, retry_base_s=0.05)
"""For servers that come, however busy the machine is: a catalog waits for all of them. Where a bound shall be felt, a test sets
that one alone."""


def stdio_server(name: str, *, entry: dict[str, Any] | None = None, **options: Any) -> ServerConfig:
    """The scriptable stdio server with these options; `entry` are further keys of its `ServerConfig`."""
    script = str(SERVERS / "stdio_server.py")
    return ServerConfig(name=name, command=sys.executable, args=("-I", "-S", script, json.dumps(options)), **(entry or {}))


def task_server(folder: Path, **options: Any) -> ServerConfig:
    """The stdio server whose tools are tasks, over files in a folder."""
    given = json.dumps({"folder": str(folder), **options})
    return ServerConfig(name="far", command=sys.executable, args=("-I", "-S", str(SERVERS / "task_server.py"), given))
