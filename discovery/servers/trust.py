"""Stores which project servers the operator trusts on this machine.

It is a file in the data directory and not in the database, because trust in a command is trust in a program on this machine.
"""

import json
from pathlib import Path
from typing import Any

from discovery.discovery_errors import ServersFileError
from discovery.durable_files import replace_file
from discovery.servers.server_config import ServerConfig

FILE = "trusted-servers.json"


class TrustStore:
    """The approved servers (`ServerConfig.approval`); a change of command, arguments, address or file needs a new approval."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def approvals(self) -> frozenset[str]:
        """Return the approvals, for the argument `trusted` of `load_servers`. Raises ServersFileError if the file is damaged."""
        # an older release stored the place beside the key instead of in it
        return frozenset(key if " " in key else f"{key} {entry.get('source')}" for key, entry in self._read().items())

    def trust(self, server: ServerConfig, *, at: float) -> None:
        """Approve a server as it is now; `at` is in seconds since the epoch. Raises OSError."""
        same = (server.name, server.place)
        entries = {key: entry for key, entry in self._read().items() if (entry.get("name"), entry.get("source")) != same}
        self._write({**entries, server.approval: {"name": server.name, "source": server.place, "at": at}})

    def revoke(self, name: str) -> bool:
        """Revoke the approvals of a name; return whether there was any. Raises OSError."""
        entries = self._read()
        remaining = {key: entry for key, entry in entries.items() if entry.get("name") != name}
        if len(remaining) < len(entries):
            self._write(remaining)
        return len(remaining) < len(entries)

    def _read(self) -> dict[str, dict[str, Any]]:
        try:
            entries = json.loads(self.file.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return {}
        except (OSError, ValueError) as error:
            raise ServersFileError(self.file, "", f"cannot be read: {getattr(error, 'strerror', None) or error}") from error
        if not isinstance(entries, dict) or not all(isinstance(entry, dict) for entry in entries.values()):
            raise ServersFileError(self.file, "", "must hold an object of objects")
        return entries

    def _write(self, entries: dict[str, dict[str, Any]]) -> None:
        replace_file(self.file, json.dumps(entries, ensure_ascii=False, indent=2) + "\n", mode=0o600)
