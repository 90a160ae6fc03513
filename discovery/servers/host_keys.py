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
"""Hosts whose bare `timeout` is in seconds; that of all others is in milliseconds."""


class HostEntry(NamedTuple):
    """One server of a file, with its keys converted to ours (`discovery.servers.server_config.ServerConfig`)."""

    name: str
    at: str
    """JSON path of the entry in its file, for messages."""
    values: dict[str, Any]
    spelled: dict[str, str]
    """Our key → the key in the file, for messages."""
    unknown: tuple[str, ...]
    """Keys that we do not know."""
    notes: tuple[str, ...] = ()


def read_entry(host: Host, name: str, at: str, raw: Any) -> HostEntry:
    """Convert one server's entry. An entry that is no object, and unknown keys, are noted in the result; nothing is raised."""
    if not name.strip():
        return HostEntry(name, at, {"problem": "needs a name"}, {}, ())
    if not isinstance(raw, dict):
        return HostEntry(name, at, {"problem": f"must be an object, not {kind_of(raw)}"}, {}, ())
    values: dict[str, Any] = {}
    spelled: dict[str, str] = {}
    unknown: list[str] = []
    notes: list[str] = []
    ours = raw.get("x-jiritsu")  # our own keys may stand in there, so that the file stays valid for stricter hosts
    flat = {key: value for key, value in raw.items() if key != "x-jiritsu"} | (ours if isinstance(ours, dict) else {})
    for key, value in flat.items():
        reader = _READERS.get(key)
        if reader is None:
            unknown.append(key)
            continue
        for field, read in reader(value, host, raw).items():
            if field.endswith("timeout_s") and is_number(read) and not (0 if key == field else 1) <= read < inf:
                notes.append(
                    f"{at}.{key}: {value} means {read:g} s here, under 1 s or endless; the default applies (`timeout_s`: seconds)"
                )
                continue
            values[field] = _joined(values.get(field), read)
            spelled[field] = key
    return HostEntry(name, at, values, spelled, tuple(unknown), tuple(notes))


def _joined(before: Any, value: Any) -> Any:
    """Join the values of two keys for the same field (`env` and `env_vars`): objects and lists add up, others are replaced."""
    if isinstance(before, dict) and isinstance(value, dict):
        return before | value
    if isinstance(before, list) and isinstance(value, list):
        return before + value
    return value


Reader = Callable[[Any, Host, Mapping[str, Any]], dict[str, Any]]
"""Converts the value of a key, given the host and the whole entry, into fields of `ServerConfig`."""


def _as(field: str) -> Reader:
    return lambda value, host, raw: {field: value}


def _literal(field: str) -> Reader:
    """Read a text with placeholders, but literally in Codex's file, which knows none."""
    return lambda value, host, raw: {field: _escaped(value) if host == "codex" else value}


def _env(value: Any, host: Host, raw: Mapping[str, Any]) -> dict[str, Any]:
    """Read variables: hosts allow numbers and booleans as values, and null for none."""
    given = _escaped(value) if host == "codex" else value
    if not isinstance(given, dict):
        return {"env": given}
    return {"env": {name: _as_text(text) for name, text in given.items() if text is not None}}


def _as_text(value: Any) -> Any:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if is_number(value) else value


def _seconds(field: str, unit_s: float) -> Reader:
    return lambda value, host, raw: {field: value * unit_s if is_number(value) else value}


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
    """Read a `url`. Without a type, it means the old SSE transport for Gemini (where `httpUrl` takes precedence) and OpenClaw,
    and for every host if its path ends in /sse."""
    if "httpUrl" in raw:
        return {}
    typed = "type" in raw or "transport" in raw
    ends_in_sse = isinstance(value, str) and value.split("?")[0].rstrip("/").endswith("/sse")
    url = _literal("url")(value, host, raw)
    return url if typed or not (ends_in_sse or host in ("gemini", "openclaw")) else {**url, "sse": True}


def _tool_filter(value: Any, host: Host, raw: Mapping[str, Any]) -> dict[str, Any]:
    if not isinstance(value, dict):
        return {"include": value}
    return {key: value[key] for key in ("include", "exclude") if key in value}


def _auth(value: Any, host: Host, raw: Mapping[str, Any]) -> dict[str, Any]:
    if isinstance(value, dict):
        names = {
            "CLIENT_ID": "client_id", "CLIENT_SECRET": "client_secret", "clientId": "client_id", "clientSecret": "client_secret",
            "redirectUri": "redirect_uri", "scope": "scopes", "scopes": "scopes",
        }  # fmt: skip
        settings = {names.get(key, key): part for key, part in value.items()}
        if host != "jiritsu":  # other hosts also have settings of the flow, which we learn from the server
            if settings.get("enabled") is False:
                return {}
            settings = {key: part for key, part in settings.items() if key in names.values()}
        if isinstance(settings.get("scopes"), str):
            settings["scopes"] = settings["scopes"].split()
        return {"oauth": settings}
    return {"oauth": {}} if value in ("oauth", True) else {}


def _env_headers(value: Any, host: Host, raw: Mapping[str, Any]) -> dict[str, Any]:
    return {"headers": {name: f"${{{variable}}}" for name, variable in value.items()} if isinstance(value, dict) else value}


def _env_names(value: Any, host: Host, raw: Mapping[str, Any]) -> dict[str, Any]:
    if not isinstance(value, list):
        return {"env": value}
    names = [item.get("name", "") if isinstance(item, dict) else item for item in value]
    return {"env": {str(name): f"${{{name}}}" for name in names}}


_OURS = (
    "python", "max_concurrency", "effects", "description", "system_instruction", "response_instruction", "auto_context_tool",
    "disabled", "include", "exclude", "env_file", "cwd", "timeout_s", "connect_timeout_s", "sse",
    "rate_limit", "roots", "protocol_version",
)  # fmt: skip

_READERS: dict[str, Reader] = {
    **{key: _as(key) for key in _OURS},
    "command": _command,
    "args": _literal("args"),
    "env": _env,
    "environment": _env,
    "env_vars": _env_names,
    "envFile": _as("env_file"),
    "type": _transport,
    "transport": _transport,
    "url": _url,
    "serverUrl": _url,
    "baseUrl": _url,
    "uri": _url,
    "httpUrl": lambda value, host, raw: {"url": value, "sse": False},
    "headers": _literal("headers"),
    "http_headers": _literal("headers"),
    "env_http_headers": _env_headers,
    "bearer_token_env_var": lambda value, host, raw: {"headers": {"Authorization": f"Bearer ${{{value}}}"}},
    "auth": _auth,
    "oauth": _auth,
    "enabled": lambda value, host, raw: {"disabled": not value if isinstance(value, bool) else value},
    "maxConcurrency": _as("max_concurrency"),
    "rateLimit": _as("rate_limit"),
    # `true` grants nothing; an object tells what is granted
    "isolate": lambda value, host, raw: {"isolate": {} if value is True else None if value is False else value},
    **dict.fromkeys(("allowedTools", "includeTools", "enabled_tools", "available_tools"), _as("include")),
    # a list of names; Codex's settings by tool have no meaning here
    "tools": lambda value, host, raw: {} if isinstance(value, dict) else {"include": value},
    **dict.fromkeys(("blockedTools", "excludeTools", "disabledTools", "disabled_tools"), _as("exclude")),
    "toolFilter": _tool_filter,
    **dict.fromkeys(("autoApprove", "alwaysAllow"), _as("proposed_approvals")),
    "trust": lambda value, host, raw: {"proposed_approvals": ["*"]} if value else {},
    "timeout": lambda value, host, raw: _seconds("timeout_s", 1.0 if host in _SECONDS else 0.001)(value, host, raw),
    "requestTimeoutMs": _seconds("timeout_s", 0.001),
    "connectionTimeoutMs": _seconds("connect_timeout_s", 0.001),
    "tool_timeout_sec": _seconds("timeout_s", 1.0),
    "startup_timeout_sec": _seconds("connect_timeout_s", 1.0),
    "startup_timeout_ms": _seconds("connect_timeout_s", 0.001),
    **dict.fromkeys(
        # settings of other hosts that have no meaning here
        ("dev", "sandbox", "sandboxEnabled", "gallery", "version", "name", "title", "default_tools_approval_mode", "codex",
         "authProviderType", "supportsParallelToolCalls", "experimental", "disabledReason", "alwaysLoad", "required"),
        _nothing,
    ),
}  # fmt: skip

KNOWN_KEYS = tuple(key for key, reader in _READERS.items() if reader is not _nothing)
"""The keys of an entry that have a meaning here."""


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
