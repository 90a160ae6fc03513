"""Entries for the servers of `tests/support/servers`, as a servers file would give them."""

import json
import sys
from pathlib import Path
from typing import Any

from discovery.servers.servers_file import ServerConfig

SERVERS = Path(__file__).parent / "servers"


def stdio_server(name: str, *, entry: dict[str, Any] | None = None, **options: Any) -> ServerConfig:
    """The scriptable stdio server with these options; `entry` are further keys of its `ServerConfig`."""
    script = str(SERVERS / "stdio_server.py")
    return ServerConfig(name=name, command=sys.executable, args=("-I", "-S", script, json.dumps(options)), **(entry or {}))


def task_server(folder: Path, **options: Any) -> ServerConfig:
    """The stdio server whose tools are tasks, over files in a folder."""
    given = json.dumps({"folder": str(folder), **options})
    return ServerConfig(name="far", command=sys.executable, args=("-I", "-S", str(SERVERS / "task_server.py"), given))
