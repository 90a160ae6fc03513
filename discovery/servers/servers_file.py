"""Reads a servers file, whichever host it was written for, into `ServerConfig`s."""

import ipaddress
import os
import re
from collections.abc import Container, Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from discovery.catalog import Frozen
from discovery.discovery_errors import ServersFileError
from discovery.servers.host_keys import KNOWN_KEYS, Host, HostEntry
from discovery.servers.hosts import entries, host_of, is_personal, parse
from discovery.servers.local_scripts import local_scripts
from discovery.servers.server_config import ServerConfig
from discovery.servers.variables import KEYRING, Expander, without_loader_variables
from discovery.text.near_names import did_you_mean, near_key, near_names
from discovery.text.redaction import is_secret_name, redact

CONNECTING = frozenset({"command", "url", "httpUrl", "serverUrl"})
"""Keys of which every server's entry has one, whatever host it was written for."""


class Servers(Frozen):
    """The content of a servers file and its imports."""

    servers: tuple[ServerConfig, ...] = ()
    warnings: tuple[str, ...] = ()

    def get(self, name: str) -> ServerConfig | None:
        """Return the server of that name, or None."""
        return next((server for server in self.servers if server.name == name), None)


def load_servers(
    path: Path | str, *, env: Mapping[str, str], trusted: Container[str] = frozenset(), found: bool = False
) -> Servers:
    """Read the servers of a file, in the format of any host; a file that does not exist has none.

    `env` holds `HOME`; `trusted` what the operator approved (`discovery.servers.trust`). `found` says that the file was found in
    the working directory and not named by the operator, so that even one in our own format needs approval. An entry that cannot
    be used is kept with its `problem`, so that it does not prevent the others. Entries of our own file take precedence over its
    `imports`; an entry without command or address adds its keys to the imported server of its name. Raises ServersFileError if
    the file as a whole cannot be read.
    """
    path = Path(path)
    if not os.path.lexists(path):
        return Servers()
    document = parse(path)
    host = host_of(path, document)
    reading = _Reading(path, host, env, trusted, ours=(host == "jiritsu" and not found) or is_personal(path, env))
    imported = reading.imported(document.get("imports", [])) if host == "jiritsu" else {}
    servers = reading.servers(document, imported)
    return Servers(servers=tuple(servers.values()), warnings=tuple(reading.warnings))


class _Reading:
    """Reads one file; `ours` tells that the operator wrote it, so that its commands need no approval."""

    def __init__(self, path: Path, host: Host, env: Mapping[str, str], trusted: Container[str], *, ours: bool) -> None:
        self.path, self.host, self.env, self.trusted, self.ours = path, host, env, trusted, ours
        self.warnings: list[str] = []

    def imported(self, imports: Any) -> dict[str, ServerConfig]:
        """Read the servers of other files; the first file takes precedence. A file that cannot be read leads to a warning."""
        if not isinstance(imports, list) or not all(isinstance(item, str) for item in imports):
            raise ServersFileError(self.path, "imports", f"must be a list of paths, not {imports!r}")
        found: dict[str, ServerConfig] = {}
        for at, item in enumerate(imports):
            file = Expander(self.env, source=self.path).path(item)
            try:
                document = parse(file)
                reading = _Reading(file, host_of(file, document), self.env, self.trusted, ours=is_personal(file, self.env))
                found = reading.servers(document, {}) | found
            except ServersFileError as error:
                self._warn(f"imports[{at}]: {error}")
            else:
                self.warnings += reading.warnings
        return found

    def servers(self, document: Mapping[str, Any], imported: Mapping[str, ServerConfig]) -> dict[str, ServerConfig]:
        """Return the servers of a parsed file by name; its own take precedence over imported ones."""
        own: dict[str, ServerConfig] = {}
        others = [key for key in document if key not in ("mcpServers", "imports")] if self.host == "jiritsu" else []
        for key in ("mcpServers", "imports"):
            if others and key not in document and (near := near_names(key, others)):
                self._warn(f"{near[0]}: unknown key, left out; did you mean {key}?")
        if self.host == "jiritsu":
            for name, value in document.items():
                if name not in ("mcpServers", "imports") and isinstance(value, Mapping) and value.keys() & CONNECTING:
                    self._warn(f'{name}: stands outside of mcpServers, left out: put it into {{"mcpServers": {{…}}}}')
        for entry in entries(self.path, self.host, document):
            unknown = [f"{entry.at}.{key}: unknown key, left out{did_you_mean(key, KNOWN_KEYS)}" for key in entry.unknown]
            for sentence in (*unknown, *entry.notes):
                self._warn(sentence)
            if entry.name in own:
                self._warn(f"{entry.at}: {entry.name!r} is already declared above; this one is left out")
                continue
            connects = entry.values.keys() & {"command", "url", "python", "problem"}
            base = None if connects else imported.get(entry.name)
            own[entry.name] = self._server(entry) if base is None else self._overlaid(entry, base)
        return {**imported, **own}

    def _server(self, entry: HostEntry) -> ServerConfig:
        if problem := entry.values.get("problem"):
            return self._unusable(entry, problem)
        server = self._validated(entry, {"host": self.host, "source": self.path})
        if server.problem:
            return server
        if key := _unspeakable({"name": entry.name, **entry.values}):
            why = f"{entry.spelled.get(key, key)} has a NUL or half a character, which no program can be given"
            return self._unusable(entry, why)
        if "transport" not in entry.values:
            inferred = "in_process" if server.python else "http" if server.url and not server.command else "stdio"
            server = server.model_copy(update={"transport": inferred})
        server = self._checked(server, entry)
        problem = _misfit(server)
        trusted = self.ours or server.approval in self.trusted
        return server.model_copy(update={"trusted": trusted, "problem": problem and f"{self.path}: {entry.at}: {problem}"})

    def _unusable(self, entry: HostEntry, problem: str) -> ServerConfig:
        return ServerConfig(name=entry.name, host=self.host, source=self.path, problem=f"{self.path}: {entry.at}: {problem}")

    def _overlaid(self, entry: HostEntry, base: ServerConfig) -> ServerConfig:
        """Apply the keys of this file to an imported server; objects like `env` add up.

        If this file is a project's and does more than disable the server, the result counts as an entry of this file and needs
        approval.
        """
        is_theirs = not self.ours and entry.values not in ({}, {"disabled": True})
        original = base.model_copy(update={"source": self.path}) if is_theirs else base
        fields = {name: getattr(original, name) for name in ServerConfig.model_fields}
        added = {
            key: {**fields[key], **value} for key, value in entry.values.items() if isinstance(value, dict) and fields.get(key)
        }
        server = self._validated(entry._replace(values={**entry.values, **added}), fields)
        if server.problem:
            return server
        server = self._checked(server, entry)
        trusted = (base.trusted and not is_theirs) or server.approval in self.trusted
        return server.model_copy(update={"trusted": trusted})

    def _validated(self, entry: HostEntry, fields: Mapping[str, Any]) -> ServerConfig:
        try:
            return ServerConfig.model_validate({**fields, **entry.values, "name": entry.name})
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            from discovery.text.fault_words import fault_words  # late: needed only after a mistake

            words = fault_words(first)
            if words == "must be an object":
                words += near_key(ServerConfig, (*first["loc"], ""))
            if first["type"] == "extra_forbidden":
                words = f"there is no such key{near_key(ServerConfig, first['loc'])}"
            if first["loc"] == ("transport",):
                words = "must be 'stdio', 'http' or 'sse'"  # as the key is documented; the field itself knows no `sse`
            problem = f"{self.path}: {_spelled(entry, first['loc'])}: {words}"
            return ServerConfig(name=entry.name, host=self.host, source=self.path, problem=problem)

    def _checked(self, server: ServerConfig, entry: HostEntry) -> ServerConfig:
        """Remove variables that change which code runs, warn of literal secrets, and compute digests of a project's files."""
        env, dropped = without_loader_variables(server.env)
        for name in dropped:
            self._warn(f"{entry.at}.env.{name}: left out, it would change which code runs in the server")
        for field, values in (("env", server.env), ("headers", server.headers)):
            for name, value in values.items():
                if value and "$" not in value and is_secret_name(name):
                    self._warn(f"{entry.at}.{field}.{name}: looks like a secret; write ${{NAME}} and set the variable instead")
        if sends_secrets_openly(server):
            self._warn(f"{entry.at}.url: what signs in there could be read on the way, because it is not https")
        if self.ours:
            return server.model_copy(update={"env": env})
        expander = Expander(self.env, source=self.path, bare=self.host == "gemini")
        words = [
            expander.expand(word) for word in (server.command, *server.args, server.env_file) if word and KEYRING not in word
        ]
        project, cwd = expander.path(""), expander.expand(server.cwd)
        scripts = local_scripts(words, (project / cwd, Path.cwd() / cwd), project)
        return server.model_copy(update={"env": env, "scripts": scripts})

    def _warn(self, sentence: str) -> None:
        self.warnings.append(f"{self.path}: {sentence}")


def _spelled(entry: HostEntry, location: tuple[int | str, ...]) -> str:
    """Return the JSON path of a value, with the key as in the file: `mcpServers.slack.args[1]`."""
    first, *rest = location or ("",)
    path = f"{entry.at}.{entry.spelled.get(str(first), first)}"
    return path + "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in rest)


def _unspeakable(values: Mapping[str, Any]) -> str:
    """Return the first key with a text that cannot be passed to a process or a server; empty if there is none."""
    handed_on = {key: value for key, value in values.items() if key != "env_file"}
    return next((key for key, value in handed_on.items() if any(map(_UNSPEAKABLE.search, _texts(value)))), "")


def _texts(value: Any) -> Iterator[str]:
    match value:
        case str():
            yield value
        case Mapping():
            yield from (text for pair in value.items() for part in pair for text in _texts(part))
        case list() | tuple():
            yield from (text for part in value for text in _texts(part))


_UNSPEAKABLE = re.compile("[\0\ud800-\udfff]")


def _misfit(server: ServerConfig) -> str:
    """Say why the entry's keys do not make a server, as the rest of a sentence; empty if they do."""
    if server.transport == "in_process":
        return "" if server.python else "an in-process server needs `python`"
    if server.command and server.url and server.transport != "http":
        return "names both `command` and `url`; say which with `type`"
    if server.transport == "stdio":
        return "" if server.command else "needs `command` (or `url` for a remote server)"
    if not server.url:
        return "needs `url`"
    return "" if is_web_address(server.url) else f"url must be http or https, not {server.target!r}"


def is_web_address(url: str) -> bool:
    """Whether a URL is HTTP(S), or a variable whose value is not known yet."""
    return url.startswith(("http://", "https://", "$")) and not _CONTROL.search(url)


_CONTROL = re.compile("[\x00-\x1f\x7f]")


def sends_secrets_openly(server: ServerConfig) -> bool:
    """Whether a key, token or password of an entry goes to another machine without encryption."""
    scheme, _, rest = server.url.partition("://")
    host = re.split("[/?#]", rest, maxsplit=1)[0].rpartition("@")[2]
    if scheme.lower() != "http" or is_loopback(host) or "$" in host:  # where a variable leads to is not known yet
        return False
    is_secret = any(map(is_secret_name, server.headers)) or redact(server.url) != server.url
    return is_secret or server.oauth is not None


def is_loopback(host: str) -> bool:
    """Whether a host, with its port or without, is this machine."""
    name = host.partition("]")[0].lstrip("[") if host.startswith("[") else host.partition(":")[0]
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return name.lower() == "localhost" or name.lower().endswith(".localhost")
