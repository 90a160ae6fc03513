"""Moves the servers of another MCP host behind the gateway and back, with a diff and a backup."""

import difflib
import json
import sys
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tomlkit

from autonomy.errors import ConfigError
from autonomy.settings import OWN_SERVERS
from discovery.catalog import JsonObject
from discovery.durable_files import replace_file
from discovery.servers import hosts, jsonc
from discovery.servers.editing import edited

NAME = "jiritsu"
BACKUP = ".before-jiritsu"
FOLDER = "gateway"
"""The folder in the data directory with the servers that were moved from each host, in the host's own format."""
FILES = {
    "claude-code": (".claude.json",),
    "claude-desktop": (
        "Library/Application Support/Claude/claude_desktop_config.json",
        "AppData/Roaming/Claude/claude_desktop_config.json",
        ".config/Claude/claude_desktop_config.json",
    ),
    "cursor": (".cursor/mcp.json",),
    "vscode": (
        "Library/Application Support/Code/User/mcp.json",
        "AppData/Roaming/Code/User/mcp.json",
        ".config/Code/User/mcp.json",
    ),
    "codex": (".codex/config.toml",),
}
"""Host → where it has a person's servers, below the home directory. The first file that exists is used."""
BOM = "\ufeff"
CONTAINERS = {"vscode": "servers", "codex": "mcp_servers"}


@dataclass(frozen=True)
class HostChange:
    """The proposed change to a host's file."""

    writes: tuple[tuple[Path, str, str], ...]
    """File, its text before (empty if it does not exist), and its text after."""
    backup: tuple[Path, Path] | None = None
    """Source and target of the backup, which is made before anything is written."""

    @property
    def diff(self) -> str:
        """The change as a diff for a person."""
        parts = [
            difflib.unified_diff(old.splitlines(), new.splitlines(), str(file), str(file), lineterm="", n=2)
            for file, old, new in self.writes
        ]
        return "\n".join(line for part in parts for line in part)

    def carry_out(self) -> Iterator[str]:
        """Make the backup and then the change. Yields a sentence for each step. Raises OSError."""
        if self.backup is not None:
            source, target = self.backup
            replace_file(target, source.read_bytes().decode("utf-8"), mode=0o600)
            yield f"kept {source} as {target}"
        for file, _, new in self.writes:
            file.parent.mkdir(parents=True, exist_ok=True)
            mark = BOM if file.exists() and file.read_bytes().startswith(BOM.encode()) else ""
            replace_file(file, mark + new, mode=0o600 if not file.exists() else None)  # it may contain secrets
            yield f"wrote {file}"


def plan_install(host: str, home: Path, data: Path) -> HostChange | None:
    """Move the host's servers to a file that our servers file imports, so that the host has only the gateway.

    Returns None if that was done already. Raises `ConfigError` and discovery's `ServersFileError`.
    """
    data = data.absolute()  # because the host starts the gateway from another folder, and imports are relative to their file
    file = host_file(host, home)
    text = _text_of(file)
    document = hosts.parse(file)
    container = CONTAINERS.get(host, "mcpServers")
    servers = _servers_in(file, document, container)
    taken = {name: entry for name, entry in servers.items() if name != NAME}
    ours = entry_of(host, data)
    if not taken and servers.get(NAME) == ours:
        return None
    new = _with_servers(text, host, container, {NAME: ours})
    writes = [(file, text, new)]
    if taken:
        moved_file = data / FOLDER / kept_name(host)
        before = moved_file.read_text(encoding="utf-8") if moved_file.exists() else ""
        known = _moved_servers(moved_file, before, container)
        writes.append((moved_file, before, _render_moved(host, container, known | taken, document)))
        writes += _imported(data, moved_file)
    backup = file.with_name(file.name + BACKUP)
    return HostChange(tuple(writes), None if backup.exists() and NAME in servers else (file, backup))


def plan_uninstall(host: str, home: Path, data: Path) -> HostChange | None:
    """Give the host its servers back, in addition to those that were added since. Returns None if it has no gateway.

    If nothing has changed since `install`, the file becomes exactly what it was, byte for byte.
    """
    file = host_file(host, home)
    text = _text_of(file)
    container = CONTAINERS.get(host, "mcpServers")
    servers = _servers_in(file, hosts.parse(file), container)
    if NAME not in servers:
        return None
    moved_file = data / FOLDER / kept_name(host)
    before = moved_file.read_text(encoding="utf-8") if moved_file.exists() else ""
    back = _moved_servers(moved_file, before, container) | {name: entry for name, entry in servers.items() if name != NAME}
    first = file.with_name(file.name + BACKUP)
    then = _text_of(first) if first.is_file() else ""
    untouched = bool(then) and _holds(then, host, container, back)
    untouched = untouched and _with_servers(then, host, container, {NAME: servers[NAME]}) == text
    writes = [(file, text, then if untouched else _with_servers(text, host, container, back))]
    if before:
        writes.append((moved_file, before, _render_moved(host, container, {}, {})))
    return HostChange(tuple(writes))


def _servers_in(file: Path, document: Mapping[str, Any], container: str) -> JsonObject:
    """Return the servers of a host's file by name. Raises `ConfigError` for what is no object."""
    servers = document.get(container, {})
    if not isinstance(servers, dict):
        raise ConfigError(file, container, "must be an object of servers by name")
    return servers


def _holds(text: str, host: str, container: str, servers: Mapping[str, Any]) -> bool:
    """Whether a host's text has exactly these servers; a text that nobody can read has none."""
    try:
        document = tomllib.loads(text) if host == "codex" else jsonc.loads(text)
    except ValueError:
        return False
    return isinstance(document, dict) and document.get(container, {}) == servers


def host_file(host: str, home: Path) -> Path:
    """Return the host's file. Raises `ConfigError` if it has none."""
    found = next((home / name for name in FILES[host] if (home / name).is_file()), None)
    if found is None:
        raise ConfigError(home, host, f"has no servers file here; looked for {', '.join(FILES[host])}")
    return found


def entry_of(host: str, data: Path) -> JsonObject:
    """Return the entry with which the host starts the gateway: this program with this data directory."""
    home = str(data.absolute())
    command = {
        "command": sys.executable,
        "args": ["-P", "-m", "autonomy.cli", "--home", home, "--servers", f"{home}/{OWN_SERVERS}", "gateway"],
    }
    return {"type": "stdio", **command} if host in ("claude-code", "vscode") else command


def kept_name(host: str) -> str:
    """Return the file for a host's moved servers. By its name the reader of servers files recognises the format."""
    return {
        "claude-code": "claude-code/.claude.json",
        "claude-desktop": "claude_desktop_config.json",
        "cursor": ".cursor/mcp.json",
        "vscode": ".vscode/mcp.json",
        "codex": ".codex/config.toml",
    }[host]


def _moved_servers(moved_file: Path, text: str, container: str) -> JsonObject:
    return dict(hosts.parse(moved_file).get(container, {})) if text else {}


def _render_moved(host: str, container: str, servers: Mapping[str, Any], document: Mapping[str, Any]) -> str:
    if host == "codex":
        return tomlkit.dumps({container: dict(servers)})
    inputs = {"inputs": document["inputs"]} if host == "vscode" and "inputs" in document else {}
    return json.dumps({**inputs, container: dict(servers)}, ensure_ascii=False, indent=2) + "\n"


def _with_servers(text: str, host: str, container: str, servers: Mapping[str, Any]) -> str:
    """Return the host's text with exactly these servers and otherwise unchanged."""
    if host != "codex":
        changed = edited(text or "{}\n", (container,), dict(servers))
        jsonc.loads(changed)
        return _ended_as(text, changed)
    document = tomlkit.parse(text)
    table = tomlkit.table(is_super_table=True)
    for name, entry in servers.items():
        table[name] = entry
    document[container] = table
    return _ended_as(text, tomlkit.dumps(document))


def _text_of(file: Path) -> str:
    """Read a file's text with its own line ends, without a byte order mark. Raises `ConfigError` unless it is UTF-8."""
    try:
        return file.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ConfigError(file, "", "is not text in UTF-8: save it in that encoding") from error


def _ended_as(text: str, changed: str) -> str:
    """Give the changed text CR LF line ends if the original text has only these."""
    if "\r\n" not in text or text.count("\n") != text.count("\r\n"):
        return changed
    return changed.replace("\r\n", "\n").replace("\n", "\r\n")


def _imported(data: Path, moved_file: Path) -> list[tuple[Path, str, str]]:
    """Return the change by which our servers file imports the moved servers; none if it does already. Raises `ConfigError` and
    discovery's `ServersFileError` for a file that is none of ours."""
    own = data / OWN_SERVERS
    text = own.read_text(encoding="utf-8-sig") if own.exists() else ""
    imports = hosts.parse(own).get("imports", []) if text else []
    if not isinstance(imports, list):
        raise ConfigError(own, "imports", "must be a list of files")
    if str(moved_file) in imports:
        return []
    return [(own, text, edited(text or "{}\n", ("imports",), [*imports, str(moved_file)]))]
