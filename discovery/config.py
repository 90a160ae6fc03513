"""What we know of one MCP server before we connect to it, and the values it gets when we do."""

import hashlib
import json
import re
from collections.abc import Container, Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, ValidationError

from discovery.catalog import Effect, Frozen
from discovery.errors import ServersFileError
from discovery.hosts import Entry, Host, entries, host_of, is_project_file, parse
from discovery.variables import Expander, read_env_file

Transport = Literal["stdio", "http", "in_process"]


class EffectOverride(Frozen):
    """The operator's word on what a tool does; it stands above the server's annotations (S2)."""

    effect: Effect | None = None
    idempotent: bool | None = None


class OAuthSettings(Frozen):
    """How to sign in to a remote server (OAuth 2.1). Everything is optional: the server is asked first."""

    client_id: str = ""
    client_secret: str = Field("", repr=False)
    scopes: tuple[str, ...] = ()
    redirect_uri: str = ""


class Launch(Frozen):
    """A server's entry with every placeholder filled in, made at connect time and never stored, shown or logged."""

    command: str = ""
    args: tuple[str, ...] = Field((), repr=False)
    env: dict[str, str] = Field(default_factory=dict, repr=False)
    """Only what the entry says; the connection adds the few variables every process needs."""
    cwd: str = ""
    url: str = Field("", repr=False)
    headers: dict[str, str] = Field(default_factory=dict, repr=False)
    oauth: OAuthSettings | None = None
    missing: tuple[str, ...] = ()
    """Variables and files without which the server cannot start; non-empty means: do not connect."""

    @property
    def needs(self) -> str:
        """`needs A, B`, for the provider's reason; empty when nothing is missing."""
        return f"needs {', '.join(self.missing)}" if self.missing else ""


class ServerConfig(Frozen):
    """One server of a servers file. Strings keep their placeholders (`${TOKEN}`) until `launch` fills them."""

    name: str
    transport: Transport = "stdio"
    command: str = ""
    args: tuple[str, ...] = ()
    env: dict[str, str] = Field(default_factory=dict, repr=False)
    env_file: str = ""
    cwd: str = ""
    url: str = ""
    sse: bool = False
    """The HTTP+SSE transport of 2024, where the file asks for it; else Streamable HTTP."""
    headers: dict[str, str] = Field(default_factory=dict, repr=False)
    oauth: OAuthSettings | None = None
    python: str = ""
    """`package.module:toolset` of an in-process server."""

    timeout_s: float | None = None
    """Deadline of one call, in seconds; None takes the gateway's."""
    connect_timeout_s: float | None = None
    """Deadline of connecting and listing, in seconds; None takes the gateway's."""
    max_concurrency: int | None = None
    """How many calls may be under way at once; None is no limit."""

    disabled: bool = False
    include: tuple[str, ...] = ()
    """Globs of the tools to offer; empty offers all. `exclude` wins."""
    exclude: tuple[str, ...] = ()
    effects: dict[str, EffectOverride] = Field(default_factory=dict)
    """Tool glob → the operator's word; the first glob that fits a tool counts."""

    description: str = ""
    system_instruction: str = ""
    response_instruction: str = ""
    auto_context_tool: str = ""
    """The provider's own name of a tool that is asked before the first turn (D15)."""

    host: Host = "jiritsu"
    source: Path | None = None
    """The file the entry stands in."""
    trusted: bool = True
    """False for an entry of someone else's project file that nobody here has approved yet."""
    proposed_approvals: tuple[str, ...] = ()
    """Tools another host was told to run unasked. A proposal for the operator, never a grant."""
    problem: str = ""
    """Why the entry cannot be used as it stands; the provider is shown, parked with this sentence."""

    @property
    def obstacle(self) -> str:
        """Why the server must not be connected now, as a sentence; empty when it may."""
        if self.problem:
            return self.problem
        if self.disabled:
            return "disabled in the servers file"
        if not self.trusted:
            return f"comes from {self.source} and waits for `jiritsu servers trust {self.name}`"
        return ""

    @property
    def fingerprint(self) -> str:
        """SHA-256 over all that decides what runs, where it connects and what it is given.

        Values count too: a changed `PYTHONPATH` runs other code, a changed header sends another secret.
        """
        approved = [self.transport, self.command, self.args, self.env, self.env_file, self.cwd, self.url, self.headers, self.python]
        return hashlib.sha256(json.dumps(approved, sort_keys=True).encode()).hexdigest()

    def offers(self, tool: str) -> bool:
        """Whether the operator lets this tool of the provider into the catalog."""
        if any(fnmatchcase(tool, glob) for glob in self.exclude):
            return False
        return not self.include or any(fnmatchcase(tool, glob) for glob in self.include)

    def effect_of(self, tool: str, effect: Effect, idempotent: bool) -> tuple[Effect, bool]:
        """The effect and idempotence of a tool, given what its annotations say."""
        override = next((rule for glob, rule in self.effects.items() if fnmatchcase(tool, glob)), EffectOverride())
        return override.effect or effect, idempotent if override.idempotent is None else override.idempotent

    def launch(self, env: Mapping[str, str]) -> Launch:
        """The entry with its placeholders filled from `env`. Reads `env_file`, so not for the event loop's thread when that is set."""
        expander = Expander(env, source=self.source, bare=self.host == "gemini")
        merged = self._env(expander)
        return Launch(
            command=expander.expand(self.command),
            args=tuple(expander.expand(text) for text in self.args),
            env=merged,
            cwd=expander.expand(self.cwd),
            url=expander.expand(self.url),
            headers={name: expander.expand(text) for name, text in self.headers.items()},
            oauth=self.oauth and self._signing_in(self.oauth, expander),
            missing=tuple(dict.fromkeys(expander.missing)),
        )

    def _env(self, expander: Expander) -> dict[str, str]:
        stored: dict[str, str] = {}
        if self.env_file:
            file = expander.path(self.env_file)
            try:
                stored = read_env_file(file)
            except OSError:
                expander.missing.append(str(file))
        return stored | {name: expander.expand(text) for name, text in self.env.items()}

    @staticmethod
    def _signing_in(oauth: OAuthSettings, expander: Expander) -> OAuthSettings:
        return oauth.model_copy(
            update={
                "client_id": expander.expand(oauth.client_id),
                "client_secret": expander.expand(oauth.client_secret),
            }
        )


class Servers(Frozen):
    """What a servers file and its imports say."""

    servers: tuple[ServerConfig, ...] = ()
    warnings: tuple[str, ...] = ()

    def get(self, name: str) -> ServerConfig | None:
        """The server of that name, or None."""
        return next((server for server in self.servers if server.name == name), None)


def load_servers(path: Path | str, *, env: Mapping[str, str], trusted: Container[str] = frozenset()) -> Servers:
    """The servers of a file, in the format of the host it belongs to; a file that is not there means no servers (D1).

    `env` gives `HOME`; `trusted` holds the fingerprints the operator approved (`discovery.trust`). An entry that cannot be used
    is kept with its `problem`, so that one slip never takes the other servers away. `imports` of our own file are read after
    its own entries, which win; an entry without a way to connect adds its keys to the imported server of its name. Raises
    ServersFileError when the file as a whole cannot be read.
    """
    path = Path(path)
    if not path.exists():
        return Servers()
    document = parse(path)
    host = host_of(path, document)
    reading = _Reading(path, host, env, trusted, document)
    servers = reading.servers()
    return Servers(servers=tuple(servers.values()), warnings=tuple(reading.warnings))


class _Reading:
    """One file on its way to a `Servers`."""

    def __init__(
        self, path: Path, host: Host, env: Mapping[str, str], trusted: Container[str], document: Mapping[str, Any]
    ) -> None:
        self.path, self.host, self.env, self.trusted, self.document = path, host, env, trusted, document
        self.warnings: list[str] = []

    def servers(self) -> dict[str, ServerConfig]:
        imported = self._imported() if self.host == "jiritsu" else {}
        own: dict[str, ServerConfig] = {}
        for entry in entries(self.path, self.host, self.document):
            if entry.name in own:
                self._warn(f"{entry.at}: {entry.name!r} is already declared above; this one is left out")
                continue
            own[entry.name] = self._server(entry, imported.get(entry.name))
        return own | {name: server for name, server in imported.items() if name not in own}

    def _imported(self) -> dict[str, ServerConfig]:
        imports = self.document.get("imports", [])
        if not isinstance(imports, list) or not all(isinstance(item, str) for item in imports):
            raise ServersFileError(self.path, "imports", f"must be a list of paths, not {imports!r}")
        found: dict[str, ServerConfig] = {}
        for at, item in enumerate(imports):
            file = Expander(self.env, source=self.path).path(item)
            if not file.exists():
                self._warn(f"imports[{at}]: {file} is not there")
                continue
            document = parse(file)
            host = host_of(file, document)
            reading = _Reading(file, host, self.env, self.trusted, {**document, "imports": []})
            found = reading.servers() | found
            self.warnings += reading.warnings
        return found

    def _server(self, entry: Entry, imported: ServerConfig | None) -> ServerConfig:
        for key in entry.unknown:
            self._warn(f"{entry.at}.{key}: unknown key, left out")
        for note in entry.notes:
            self._warn(note)
        if imported and not entry.values.keys() & {"command", "url", "python", "problem"}:
            fields = {name: getattr(imported, name) for name in ServerConfig.model_fields} | entry.values
        else:
            fields = {"host": self.host, "source": self.path, **entry.values}
        try:
            return self._checked(ServerConfig.model_validate({**fields, "name": entry.name}), entry)
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            problem = f"{_spelled(entry, first['loc'])}: {first['msg']}"
            return ServerConfig(name=entry.name, host=self.host, source=self.path, problem=f"{self.path}: {problem}")

    def _checked(self, server: ServerConfig, entry: Entry) -> ServerConfig:
        explicit = "transport" in entry.values
        transport = server.transport if explicit or server.host != self.host else _inferred(server)
        env, dropped = _without_loader_variables(server.env)
        for name in dropped:
            self._warn(f"{entry.at}.env.{name}: left out, it would change which code runs in the server")
        for place in _literal_secrets(server):
            self._warn(f"{entry.at}.{place}: looks like a secret; write ${{NAME}} and set the variable instead")
        server = server.model_copy(update={"transport": transport, "env": env})
        problem = server.problem or _misfit(server)
        trusted = not is_project_file(server.source or self.path, server.host, self.env) or server.fingerprint in self.trusted
        return server.model_copy(update={"problem": problem and f"{self.path}: {entry.at}: {problem}", "trusted": trusted})

    def _warn(self, sentence: str) -> None:
        self.warnings.append(f"{self.path}: {sentence}")


def _spelled(entry: Entry, location: tuple[int | str, ...]) -> str:
    """The JSON path of a value, with the key as the file has it: `mcpServers.slack.args[1]`."""
    first, *rest = location or ("",)
    path = f"{entry.at}.{entry.spelled.get(str(first), first)}"
    return path + "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in rest)


def _inferred(server: ServerConfig) -> Transport:
    if server.python:
        return "in_process"
    return "http" if server.url and not server.command else "stdio"


def _misfit(server: ServerConfig) -> str:
    """Why the entry's keys do not make a server, as the rest of a sentence."""
    if server.transport == "in_process":
        return "" if server.python else "an in-process server needs `python`"
    if server.command and server.url and server.transport != "http":
        return "names both `command` and `url`; say which with `type`"
    if server.transport == "stdio":
        return "" if server.command else "needs `command` (or `url` for a remote server)"
    if not server.url:
        return "needs `url`"
    return "" if server.url.startswith(("http://", "https://", "$")) else f"url must be http or https, not {server.url!r}"


_LOADER_VARIABLES = (
    "LD_", "DYLD_", "NODE_OPTIONS", "PYTHONSTARTUP", "PYTHONHOME", "BASH_ENV", "BASH_FUNC_", "PERL5OPT", "RUBYOPT",
    "JAVA_TOOL_OPTIONS", "GIT_SSH_COMMAND", "IFS",
)  # fmt: skip
"""Variables that load other code into a program: a servers file has no business setting them."""
_SECRET = re.compile(r"token|secret|passw|api_?key|authorization|credential|private_?key", re.IGNORECASE)


def _without_loader_variables(env: Mapping[str, str]) -> tuple[dict[str, str], list[str]]:
    dropped = [name for name in env if name.upper().startswith(_LOADER_VARIABLES)]
    return {name: value for name, value in env.items() if name not in dropped}, dropped


def _literal_secrets(server: ServerConfig) -> list[str]:
    return [
        f"{field}.{name}"
        for field, values in (("env", server.env), ("headers", server.headers))
        for name, value in values.items()
        if value and "$" not in value and _SECRET.search(name)
    ]
