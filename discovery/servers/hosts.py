"""Finds, recognises and parses the servers files of all hosts.

Sources: docs/servers-file.md.
"""

import codecs
import json
import os
import stat
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from discovery.discovery_errors import ServersFileError
from discovery.servers import jsonc
from discovery.servers.host_keys import Host, HostEntry, kind_of, read_entry
from discovery.text.data_files import parse_toml

_USER_FILES = (
    ".claude.json", ".cursor/mcp.json", ".codeium/windsurf/mcp_config.json", ".gemini/settings.json", ".codex/config.toml",
    ".copilot/mcp-config.json", ".openclaw/openclaw.json",
)  # fmt: skip
"""Files below the home directory that belong to the person, not to a project."""
_PROJECT_FILES = (
    ".mcp.json", ".vscode/mcp.json", ".cursor/mcp.json", ".gemini/settings.json", ".roo/mcp.json", ".kilocode/mcp.json",
)  # fmt: skip
_BY_NAME: Mapping[str, Host] = {
    "claude_desktop_config.json": "claude_desktop", ".mcp.json": "claude_code", ".claude.json": "claude_code",
    "mcp-config.json": "copilot", "mcp_config.json": "windsurf", "cline_mcp_settings.json": "cline", "mcp_settings.json": "cline",
    "openclaw.json": "openclaw",
}  # fmt: skip
_BY_FOLDER: Mapping[str, Host] = {
    ".vscode": "vscode", ".cursor": "cursor", ".gemini": "gemini", ".roo": "cline", ".kilocode": "cline", ".codex": "codex",
}  # fmt: skip

MOST_BYTES = 16 << 20
"""The largest file: some hosts keep histories in it, and reading 80 MB with comments takes minutes."""


def parse(path: Path) -> dict[str, Any]:
    """Return the file's top-level object. Raises ServersFileError if it is unreadable, no JSON or TOML, or no object."""
    try:
        if not stat.S_ISREG((found := path.stat()).st_mode):
            raise ServersFileError(path, "", "cannot be read: it is no regular file")  # reading a pipe might never end
        if (size := found.st_size) > MOST_BYTES:
            raise ServersFileError(path, "", f"is {size:,} bytes large; at most {MOST_BYTES:,} are read")
        data = path.read_bytes()  # Windows' own editors write UTF-16
        text = data.decode("utf-16" if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "utf-8-sig")
        document = parse_toml(text) if path.suffix == ".toml" else jsonc.loads(text if text.strip() else "{}")
    except json.JSONDecodeError as error:
        is_entry = error.msg == "Extra data" and text.lstrip().startswith('"')
        why = 'an entry alone; put it into {"mcpServers": {…}}' if is_entry else error.msg
        raise ServersFileError(path, f"line {error.lineno}, column {error.colno}", why) from error
    except tomllib.TOMLDecodeError as error:
        raise ServersFileError(path, "", f"not TOML: {error}") from error
    except (OSError, ValueError, RecursionError, jsonc.RepeatedKey) as error:  # a number of 4,300 digits is a ValueError
        raise ServersFileError(path, "", f"cannot be read: {error}") from error
    if not isinstance(document, dict):
        raise ServersFileError(path, "", f"must hold an object, not a {type(document).__name__}")
    return document


def host_of(path: Path, document: Mapping[str, Any]) -> Host:
    """Return the host of a file, by its name and folder, else by its content."""
    if host := _BY_NAME.get(path.name) or _BY_FOLDER.get(path.parent.name):
        return host
    if "mcp_servers" in document:
        return "codex"
    in_vscode = "servers" in document or _inside(document, "mcp", "servers")
    return "vscode" if in_vscode and "mcpServers" not in document else "jiritsu"


def host_files(here: Path, home: Path) -> list[Path]:
    """Return the existing servers files of other hosts: of the projects from `here` up to `home`, then the person's own."""
    folders = [here, *(parent for parent in here.parents if parent.is_relative_to(home))]
    projects = [folder / name for folder in folders if folder != home for name in _PROJECT_FILES]
    person = [home / name for name in _USER_FILES]
    programs = ("Claude/claude_desktop_config.json", "Code/User/mcp.json")
    settings = [folder / name for folder in _settings_folders(home) for name in programs]
    return [file for file in [*projects, *person, *settings] if file.is_file()]


def _settings_folders(home: Path) -> tuple[Path, ...]:
    """Return the folders of personal settings on Linux, macOS and Windows."""
    return home / ".config", home / "Library" / "Application Support", home / "AppData" / "Roaming"


def is_personal(path: Path, env: Mapping[str, str]) -> bool:
    """Whether the file lies where a program keeps the person's own settings. Any other may have come with a project, whose author
    could run commands here, so it needs trust first."""
    home = Path(env.get("HOME") or Path.home())
    folders = [*_settings_folders(home), *([Path(env["XDG_CONFIG_HOME"])] if env.get("XDG_CONFIG_HOME") else [])]
    settings = [folder / program for folder in folders for program in ("Code", "Claude")]
    absolute = Path(os.path.abspath(path))  # noqa: PTH100 - resolves `a/../b`, which is not inside `a`
    return absolute in {home / name for name in _USER_FILES} or any(map(absolute.is_relative_to, settings))


def entries(path: Path, host: Host, document: Mapping[str, Any]) -> Iterator[HostEntry]:
    """Yield the servers of a parsed file, in its order. Raises ServersFileError if their container is no object."""
    for at, container in _containers(path, host, document):
        if not isinstance(container, dict):
            raise ServersFileError(path, at, f"must be an object of servers by name, not {kind_of(container)}")
        defaults = _input_defaults(document) if host == "vscode" else {}
        for name, raw in container.items():
            entry = read_entry(host, name, f"{at}.{name}", _with_defaults(raw, defaults))
            if host == "gemini" and _is_left_out(document, name):
                entry.values["disabled"] = True
            yield entry


def _is_left_out(document: Mapping[str, Any], name: str) -> bool:
    """Whether Gemini's lists `mcp.allowed` and `mcp.excluded` disable a server."""
    allowed, excluded = _inside(document, "mcp", "allowed"), _inside(document, "mcp", "excluded")
    return (isinstance(allowed, list) and name not in allowed) or (isinstance(excluded, list) and name in excluded)


def _containers(path: Path, host: Host, document: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the objects in which a host keeps its servers; the first takes precedence over later ones of the same name."""
    if host == "openclaw" or (host == "vscode" and "mcp" in document):  # VS Code's `settings.json`
        yield "mcp.servers", _inside(document, "mcp", "servers")
    if path.name == ".claude.json":
        here = str(Path.cwd())
        yield f"projects.{here}.mcpServers", _inside(document, "projects", here, "mcpServers")
    for key in {"codex": ("mcp_servers",), "vscode": ("servers", "mcpServers")}.get(host, ("mcpServers",)):
        if key in document:
            yield key, document[key]


def _inside(document: Mapping[str, Any], *path: str) -> Any:
    """Return the value at a path of objects; an empty object if the path ends early."""
    value: Any = document
    for key in path:
        value = value.get(key, {}) if isinstance(value, dict) else {}
    return value


def _input_defaults(document: Mapping[str, Any]) -> dict[str, str]:
    """Return the defaults of VS Code's `inputs`, for which VS Code would ask the person, by their ids."""
    inputs = document.get("inputs") or _inside(document, "mcp", "inputs")
    found = [item for item in inputs if isinstance(item, dict)] if isinstance(inputs, list) else []
    return {
        item["id"]: item["default"] for item in found if isinstance(item.get("id"), str) and isinstance(item.get("default"), str)
    }


def _with_defaults(value: Any, defaults: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        for identifier, default in defaults.items():
            value = value.replace(f"${{input:{identifier}}}", f"${{input:{identifier}:-{default}}}")
        return value
    if isinstance(value, list):
        return [_with_defaults(part, defaults) for part in value] if defaults else value
    if isinstance(value, dict) and defaults:
        return {key: _with_defaults(part, defaults) for key, part in value.items()}
    return value
