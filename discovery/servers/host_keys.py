"""Maps the keys of each host's server entries to ours.

Sources: the hosts' documentation as gathered in docs/servers-file.md.
"""

from collections.abc import Callable, Mapping
from math import inf
from typing import Any, Literal, NamedTuple

from discovery.schemas.schema_walk import is_number

Host = Literal[
    "jiritsu", "claude_desktop", "claude_code", "vscode", "copilot", "cursor", "windsurf", "gemini", "cline", "codex", "openclaw"
]

_SECONDS = {"cline", "codex"}
"""Hosts whose bare `timeout` counts seconds; every other counts milliseconds."""


class HostEntry(NamedTuple):
    """One server of a file, its keys already ours (`discovery.servers.server_config.ServerConfig`)."""

    name: str
    at: str
    """JSON path of the entry in its file, for messages."""
    values: dict[str, Any]
    spelled: dict[str, str]
    """Our key → the key the file uses, for messages."""
    unknown: tuple[str, ...]
    """Keys nobody here knows."""
    notes: tuple[str, ...] = ()


def read_entry(host: Host, name: str, at: str, raw: Any) -> HostEntry:
    """One server's entry; what is no object, and keys nobody knows, are noted rather than raised."""
    if not name.strip():
        return HostEntry(name, at, {"problem": "needs a name"}, {}, ())
    if not isinstance(raw, dict):
        return HostEntry(name, at, {"problem": f"must be an object, not {kind_of(raw)}"}, {}, ())
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
            if ours.endswith("timeout_s") and is_number(read) and not (0 if key == ours else 1) <= read < inf:
                notes.append(f"{at}.{key}: {value} is under one second in this file's unit, or for ever; the default applies")
                continue
            values[ours] = _joined(values.get(ours), read)
            spelled[ours] = key
    return HostEntry(name, at, values, spelled, tuple(unknown), tuple(notes))


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


Reader = Callable[[Any, Host, Mapping[str, Any]], dict[str, Any]]


def _as(field: str) -> Reader:
    return lambda value, host, raw: {field: value}


def _literal(field: str) -> Reader:
    """Codex has no templates: a `${` in its file is text."""
    return lambda value, host, raw: {field: _escaped(value) if host == "codex" else value}


def _variables(field: str) -> Reader:
    """Hosts take numbers and true or false for a variable's value, and null for none."""

    def read(value: Any, host: Host, raw: Mapping[str, Any]) -> dict[str, Any]:
        given = _escaped(value) if host == "codex" else value
        if not isinstance(given, dict):
            return {field: given}
        return {field: {name: _as_text(text) for name, text in given.items() if text is not None}}

    return read


def _as_text(value: Any) -> Any:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if is_number(value) else value


def _seconds(field: str, unit_s: float) -> Reader:
    return lambda value, host, raw: {field: value * unit_s if is_number(value) else value}


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
    """A bare `url` means the old SSE transport to Gemini (where `httpUrl` wins) and OpenClaw, and to all when its path ends in
    /sse."""
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
            "CLIENT_ID": "client_id", "CLIENT_SECRET": "client_secret", "clientId": "client_id", "clientSecret": "client_secret",
            "redirectUri": "redirect_uri", "scope": "scopes", "scopes": "scopes",
        }  # fmt: skip
        settings = {names.get(key, key): part for key, part in value.items()}
        if host != "jiritsu":  # others' settings of the flow itself, which the server tells us
            if settings.get("enabled") is False:
                return {}
            settings = {key: part for key, part in settings.items() if key in names.values()}
        if isinstance(settings.get("scopes"), str):
            settings["scopes"] = settings["scopes"].split()
        return {"oauth": settings}
    return {"oauth": {}} if value in ("oauth", True) else {}


def _bearer(value: Any, host: Host, raw: Mapping[str, Any]) -> dict[str, Any]:
    return {"headers": {"Authorization": f"Bearer ${{{value}}}"}}


def _env_headers(value: Any, host: Host, raw: Mapping[str, Any]) -> dict[str, Any]:
    return {"headers": {name: f"${{{variable}}}" for name, variable in value.items()} if isinstance(value, dict) else value}


def _env_names(value: Any, host: Host, raw: Mapping[str, Any]) -> dict[str, Any]:
    if not isinstance(value, list):
        return {"env": value}
    names = [item.get("name", "") if isinstance(item, dict) else item for item in value]
    return {"env": {str(name): f"${{{name}}}" for name in names}}


def _tools(value: Any, host: Host, raw: Mapping[str, Any]) -> dict[str, Any]:
    """A list of names; a table of settings by tool, as Codex has it, says nothing for us."""
    return {} if isinstance(value, dict) else {"include": value}


def _isolate(value: Any, host: Host, raw: Mapping[str, Any]) -> dict[str, Any]:
    """`true` grants nothing; an object says what is granted."""
    return {"isolate": {} if value is True else None if value is False else value}


_OURS = (
    "python", "max_concurrency", "effects", "description", "system_instruction", "response_instruction", "auto_context_tool",
    "disabled", "include", "exclude", "env_file", "cwd", "timeout_s", "connect_timeout_s", "sse",
    "rate_limit", "roots", "protocol_version",
)  # fmt: skip

_READERS: dict[str, Reader] = {
    **{key: _as(key) for key in _OURS},
    "command": _command,
    "args": _literal("args"),
    "env": _variables("env"),
    "environment": _variables("env"),
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
    "rateLimit": _as("rate_limit"),
    "isolate": _isolate,
    **dict.fromkeys(("allowedTools", "includeTools", "enabled_tools", "available_tools"), _as("include")),
    "tools": _tools,
    **dict.fromkeys(("blockedTools", "excludeTools", "disabledTools", "disabled_tools"), _as("exclude")),
    "toolFilter": _tool_filter,
    **dict.fromkeys(("autoApprove", "alwaysAllow"), _as("proposed_approvals")),
    "trust": _trust,
    "timeout": _timeout,
    "requestTimeoutMs": _seconds("timeout_s", 0.001),
    "connectionTimeoutMs": _seconds("connect_timeout_s", 0.001),
    "tool_timeout_sec": _seconds("timeout_s", 1.0),
    "startup_timeout_sec": _seconds("connect_timeout_s", 1.0),
    "startup_timeout_ms": _seconds("connect_timeout_s", 0.001),
    **dict.fromkeys(
        # settings of other hosts that change nothing for us
        ("dev", "sandbox", "sandboxEnabled", "gallery", "version", "name", "title", "default_tools_approval_mode", "codex",
         "authProviderType", "supportsParallelToolCalls", "experimental", "disabledReason", "alwaysLoad", "required"),
        _nothing,
    ),
}  # fmt: skip

KNOWN_KEYS = tuple(key for key, reader in _READERS.items() if reader is not _nothing)
"""The keys of an entry that change something here."""


def _escaped(value: Any) -> Any:
    if isinstance(value, str):
        return value.replace("${", "$${")
    if isinstance(value, list):
        return [_escaped(part) for part in value]
    return {key: _escaped(part) for key, part in value.items()} if isinstance(value, dict) else value


def kind_of(value: Any) -> str:
    """Name the kind of a JSON value, for a message."""
    return {"NoneType": "null", "str": "a string", "list": "a list", "int": "a number", "bool": "true or false"}.get(
        type(value).__name__, type(value).__name__
    )
