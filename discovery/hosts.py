"""The servers files of other hosts, each with its own keys, units and defaults, turned into one shape.

Called by `discovery.config.load_servers`. Sources: the hosts' documentation as gathered in docs/servers-file.md.
"""

import json
import os
import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Literal, NamedTuple

from discovery import jsonc
from discovery.errors import ServersFileError

Host = Literal[
    "jiritsu", "claude_desktop", "claude_code", "vscode", "copilot", "cursor", "windsurf", "gemini", "cline", "codex", "openclaw"
]

_USER_FILES = (
    ".claude.json",
    ".cursor/mcp.json",
    ".codeium/windsurf/mcp_config.json",
    ".gemini/settings.json",
    ".codex/config.toml",
    ".copilot/mcp-config.json",
    ".openclaw/openclaw.json",
)
"""Places below the home directory that belong to the person, not to a project."""
_PROJECT_FILES = (
    ".mcp.json",
    ".vscode/mcp.json",
    ".cursor/mcp.json",
    ".gemini/settings.json",
    ".roo/mcp.json",
    ".kilocode/mcp.json",
)
_SECONDS = {"cline", "codex"}
"""Hosts whose bare `timeout` counts seconds; every other counts milliseconds."""


class Entry(NamedTuple):
    """One server of a file, its keys already ours (`discovery.config.ServerConfig`)."""

    name: str
    at: str
    """JSON path of the entry in its file, for messages."""
    values: dict[str, Any]
    spelled: dict[str, str]
    """Our key → the key the file uses, for messages."""
    unknown: tuple[str, ...]
    """Keys nobody here knows."""
    notes: tuple[str, ...] = ()


def parse(path: Path) -> dict[str, Any]:
    """The file's top-level object. Raises ServersFileError for the operator: unreadable, not JSON/TOML, or not an object."""
    try:
        text = path.read_text(encoding="utf-8-sig")
        document = tomllib.loads(text) if path.suffix == ".toml" else jsonc.loads(text or "{}")
    except json.JSONDecodeError as error:
        raise ServersFileError(path, f"line {error.lineno}, column {error.colno}", error.msg) from error
    except tomllib.TOMLDecodeError as error:
        raise ServersFileError(path, "", f"not TOML: {error}") from error
    except (OSError, UnicodeDecodeError, RecursionError, jsonc.RepeatedKey) as error:
        raise ServersFileError(path, "", f"cannot be read: {error}") from error
    if not isinstance(document, dict):
        raise ServersFileError(path, "", f"must hold an object, not a {type(document).__name__}")
    return document


def host_of(path: Path, document: Mapping[str, Any]) -> Host:
    """Whose file it is, by its name and folder, else by what it holds."""
    by_name: dict[str, Host] = {
        "claude_desktop_config.json": "claude_desktop",
        ".mcp.json": "claude_code",
        ".claude.json": "claude_code",
        "mcp-config.json": "copilot",
        "mcp_config.json": "windsurf",
        "cline_mcp_settings.json": "cline",
        "mcp_settings.json": "cline",
        "openclaw.json": "openclaw",
    }
    by_folder: dict[str, Host] = {
        ".vscode": "vscode",
        ".cursor": "cursor",
        ".gemini": "gemini",
        ".roo": "cline",
        ".kilocode": "cline",
        ".codex": "codex",
    }
    if host := by_name.get(path.name) or by_folder.get(path.parent.name):
        return host
    if "mcp_servers" in document:
        return "codex"
    return "vscode" if "servers" in document and "mcpServers" not in document else "jiritsu"


def host_files(here: Path, home: Path) -> list[Path]:
    """The servers files of other hosts that exist: of the projects from `here` up to `home`, then the person's own."""
    folders = [here, *(parent for parent in here.parents if parent.is_relative_to(home))]
    projects = [folder / name for folder in folders if folder != home for name in _PROJECT_FILES]
    person = [home / name for name in _USER_FILES]
    programs = ("Claude/claude_desktop_config.json", "Code/User/mcp.json")
    settings = [folder / name for folder in _settings_folders(home) for name in programs]
    return [file for file in [*projects, *person, *settings] if file.is_file()]


def _settings_folders(home: Path) -> tuple[Path, ...]:
    """Where programs keep a person's settings, by system."""
    return home / ".config", home / "Library" / "Application Support", home / "AppData" / "Roaming"


def is_personal(path: Path, env: Mapping[str, str]) -> bool:
    """Whether the file lies where a program keeps the person's own settings. Any other came with somebody's project: whoever
    wrote it would run commands here, so it needs trust first."""
    home = Path(env.get("HOME") or Path.home())
    folders = [*_settings_folders(home), *([Path(env["XDG_CONFIG_HOME"])] if env.get("XDG_CONFIG_HOME") else [])]
    settings = [folder / program for folder in folders for program in ("Code", "Claude")]
    absolute = Path(os.path.abspath(path))  # noqa: PTH100 - `a/../b` must not pass for a folder it only goes through
    return absolute in {home / name for name in _USER_FILES} or any(map(absolute.is_relative_to, settings))


def entries(path: Path, host: Host, document: Mapping[str, Any]) -> Iterator[Entry]:
    """The servers of a parsed file, in its order. Raises ServersFileError when the container is not an object."""
    for at, container in _containers(path, host, document):
        if not isinstance(container, dict):
            raise ServersFileError(path, at, f"must be an object of servers by name, not {_kind(container)}")
        defaults = _input_defaults(document) if host == "vscode" else {}
        for name, raw in container.items():
            yield _entry(host, name, f"{at}.{name}", _with_defaults(raw, defaults))


def _containers(path: Path, host: Host, document: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Where a host keeps its servers; what stands first wins over a later one of the same name."""
    if host == "codex":
        keys = ["mcp_servers"]
    elif host == "vscode":
        keys = ["servers", "mcpServers"]
    else:
        keys = ["mcpServers"]
    if host == "openclaw":
        yield "mcp.servers", _inside(document, "mcp", "servers")
    if path.name == ".claude.json":
        here = str(Path.cwd())
        yield f"projects.{here}.mcpServers", _inside(document, "projects", here, "mcpServers")
    for key in keys:
        if key in document:
            yield key, document[key]


def _inside(document: Mapping[str, Any], *path: str) -> Any:
    """The value at a path of objects; an empty object where the path ends early."""
    value: Any = document
    for key in path:
        value = value.get(key, {}) if isinstance(value, dict) else {}
    return value


def _entry(host: Host, name: str, at: str, raw: Any) -> Entry:
    if not isinstance(raw, dict):
        return Entry(name, at, {"problem": f"must be an object, not {_kind(raw)}"}, {}, ())
    values: dict[str, Any] = {}
    spelled: dict[str, str] = {}
    unknown: list[str] = []
    notes: list[str] = []
    for key, value in _flat(raw).items():
        reader = _READERS.get(key)
        if reader is None:
            unknown.append(key)
            continue
        for ours, read in reader(value, host, raw).items():
            if ours.endswith("timeout_s") and isinstance(read, int | float) and 0 < read < 1 and key != ours:
                notes.append(f"{at}.{key}: {value} is under one second in this file's unit; the default applies")
                continue
            values[ours] = _joined(values.get(ours), read)
            spelled[ours] = key
    return Entry(name, at, values, spelled, tuple(unknown), tuple(notes))


def _flat(raw: Mapping[str, Any]) -> dict[str, Any]:
    """Our own extras may stand in `x-jiritsu`, so that a file stays valid for stricter hosts."""
    ours = raw.get("x-jiritsu")
    return {key: value for key, value in raw.items() if key != "x-jiritsu"} | (ours if isinstance(ours, dict) else {})


def _joined(before: Any, value: Any) -> Any:
    """Two keys may mean the same field (`env` and `env_vars`): objects and lists add up, anything else is replaced."""
    if isinstance(before, dict) and isinstance(value, dict):
        return before | value
    if isinstance(before, list) and isinstance(value, list):
        return before + value
    return value


# ── reading one key ─────────────────────────────────────────────────────────────────────────────────────────────────────

Reader = Callable[[Any, Host, Mapping[str, Any]], dict[str, Any]]


def _as(field: str) -> Reader:
    return lambda value, host, raw: {field: value}


def _literal(field: str) -> Reader:
    """Codex has no templates: a `${` in its file is text."""
    return lambda value, host, raw: {field: _escaped(value) if host == "codex" else value}


def _seconds(field: str, unit_s: float) -> Reader:
    return lambda value, host, raw: {field: value * unit_s if _is_number(value) else value}


def _timeout(value: Any, host: Host, raw: Mapping[str, Any]) -> dict[str, Any]:
    return _seconds("timeout_s", 1.0 if host in _SECONDS else 0.001)(value, host, raw)


def _nothing(value: Any, host: Host, raw: Mapping[str, Any]) -> dict[str, Any]:
    return {}


def _command(value: Any, host: Host, raw: Mapping[str, Any]) -> dict[str, Any]:
    if isinstance(value, list) and value and all(isinstance(part, str) for part in value):
        return {"command": value[0], "args": value[1:]}
    return _literal("command")(value, host, raw)


def _transport(value: Any, host: Host, raw: Mapping[str, Any]) -> dict[str, Any]:
    spelling = str(value).lower().replace("_", "-")
    if spelling == "sse":
        return {"transport": "http", "sse": True}
    known = {"local": "stdio", "remote": "http", "streamable-http": "http", "streamablehttp": "http", "in-process": "in_process"}
    return {"transport": known.get(spelling, spelling)}


def _url(value: Any, host: Host, raw: Mapping[str, Any]) -> dict[str, Any]:
    """A bare `url` means the old SSE transport to Gemini (where `httpUrl` wins) and OpenClaw, and to all when its path ends in /sse."""
    if "httpUrl" in raw:
        return {}
    typed = "type" in raw or "transport" in raw
    ends_in_sse = isinstance(value, str) and value.split("?")[0].rstrip("/").endswith("/sse")
    url = _literal("url")(value, host, raw)
    return url if typed or not (ends_in_sse or host in ("gemini", "openclaw")) else {**url, "sse": True}


def _http_url(value: Any, host: Host, raw: Mapping[str, Any]) -> dict[str, Any]:
    return {"url": value, "sse": False}


def _enabled(value: Any, host: Host, raw: Mapping[str, Any]) -> dict[str, Any]:
    return {"disabled": not value if isinstance(value, bool) else value}


def _tool_filter(value: Any, host: Host, raw: Mapping[str, Any]) -> dict[str, Any]:
    if not isinstance(value, dict):
        return {"include": value}
    return {key: value[key] for key in ("include", "exclude") if key in value}


def _trust(value: Any, host: Host, raw: Mapping[str, Any]) -> dict[str, Any]:
    return {"proposed_approvals": ["*"]} if value else {}


def _auth(value: Any, host: Host, raw: Mapping[str, Any]) -> dict[str, Any]:
    if isinstance(value, dict):
        names = {
            "CLIENT_ID": "client_id",
            "CLIENT_SECRET": "client_secret",
            "clientId": "client_id",
            "clientSecret": "client_secret",
        }
        names |= {"redirectUri": "redirect_uri", "scope": "scopes"}
        settings = {names.get(key, key): part for key, part in value.items()}
        if isinstance(settings.get("scopes"), str):
            settings["scopes"] = settings["scopes"].split()
        return {"oauth": settings}
    return {"oauth": {}} if value in ("oauth", True) else {}


def _bearer(value: Any, host: Host, raw: Mapping[str, Any]) -> dict[str, Any]:
    return {"headers": {"Authorization": f"Bearer ${{{value}}}"}}


def _env_headers(value: Any, host: Host, raw: Mapping[str, Any]) -> dict[str, Any]:
    return {"headers": {name: f"${{{variable}}}" for name, variable in value.items()} if isinstance(value, dict) else value}


def _env_names(value: Any, host: Host, raw: Mapping[str, Any]) -> dict[str, Any]:
    return {"env": {str(name): f"${{{name}}}" for name in value} if isinstance(value, list) else value}


_OURS = (
    "python", "max_concurrency", "effects", "description", "system_instruction", "response_instruction", "auto_context_tool",
    "disabled", "include", "exclude", "env_file", "cwd", "timeout_s", "connect_timeout_s", "sse",
)  # fmt: skip

_READERS: dict[str, Reader] = {
    **{key: _as(key) for key in _OURS},
    "command": _command,
    "args": _literal("args"),
    "env": _literal("env"),
    "environment": _as("env"),
    "env_vars": _env_names,
    "envFile": _as("env_file"),
    "type": _transport,
    "transport": _transport,
    "url": _url,
    "serverUrl": _url,
    "baseUrl": _url,
    "uri": _url,
    "httpUrl": _http_url,
    "headers": _literal("headers"),
    "http_headers": _literal("headers"),
    "env_http_headers": _env_headers,
    "bearer_token_env_var": _bearer,
    "auth": _auth,
    "oauth": _auth,
    "enabled": _enabled,
    "maxConcurrency": _as("max_concurrency"),
    **dict.fromkeys(("allowedTools", "includeTools", "enabled_tools", "available_tools", "tools"), _as("include")),
    **dict.fromkeys(("blockedTools", "excludeTools", "disabledTools", "disabled_tools"), _as("exclude")),
    "toolFilter": _tool_filter,
    **dict.fromkeys(("autoApprove", "alwaysAllow"), _as("proposed_approvals")),
    "trust": _trust,
    "timeout": _timeout,
    "requestTimeoutMs": _seconds("timeout_s", 0.001),
    "connectionTimeoutMs": _seconds("connect_timeout_s", 0.001),
    "tool_timeout_sec": _seconds("timeout_s", 1.0),
    "startup_timeout_sec": _seconds("connect_timeout_s", 1.0),
    **dict.fromkeys(
        # settings of other hosts that change nothing for us
        ("dev", "sandbox", "sandboxEnabled", "gallery", "version", "name", "title", "default_tools_approval_mode", "codex",
         "supportsParallelToolCalls", "experimental", "disabledReason", "alwaysLoad", "required"),
        _nothing,
    ),
}  # fmt: skip


def _escaped(value: Any) -> Any:
    if isinstance(value, str):
        return value.replace("${", "$${")
    if isinstance(value, list):
        return [_escaped(part) for part in value]
    return {key: _escaped(part) for key, part in value.items()} if isinstance(value, dict) else value


def _input_defaults(document: Mapping[str, Any]) -> dict[str, str]:
    """VS Code's `inputs` may name a default for what it would ask the person."""
    inputs = document.get("inputs", [])
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


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _kind(value: Any) -> str:
    return {"NoneType": "null", "str": "a string", "list": "a list", "int": "a number", "bool": "true or false"}.get(
        type(value).__name__, type(value).__name__
    )
