"""Defines the configuration of one MCP server."""

import hashlib
import json
import logging
import os
import shlex
import shutil
import sys
from collections.abc import Mapping
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path
from typing import Literal

from pydantic import Field

from discovery.catalog import Effect, Frozen, JsonObject, Lookup
from discovery.servers.host_keys import Host
from discovery.servers.isolation import Isolation, isolated
from discovery.servers.variables import Expander, read_env_file, without_loader_variables
from discovery.text.redaction import redact_address, redact_arguments, secrets_in_arguments

Transport = Literal["stdio", "http", "in_process"]

_log = logging.getLogger(__name__)


class EffectOverride(Frozen):
    """The operator's declaration of a tool's effect; it takes precedence over the server's annotations."""

    effect: Effect | None = None
    idempotent: bool | None = None
    lookup: Lookup | None = None
    """How to find out, after a crash, whether a call of this tool happened."""


class RateLimit(Frozen):
    """A provider's rate limit: no more than `calls` calls start within any `per_s` seconds."""

    calls: int = Field(ge=1, le=10_000)
    per_s: float = Field(gt=0, le=86_400)


class OAuthSettings(Frozen):
    """The settings for signing in to a remote server (OAuth 2.1). All are optional: the server's metadata has the defaults."""

    client_id: str = ""
    client_secret: str = Field("", repr=False)
    issuer: str = ""
    """The authorization server that the client was registered at; empty is the one of the first sign-in."""
    scopes: tuple[str, ...] = ()
    redirect_uri: str = ""


class Launch(Frozen):
    """A server's entry with all placeholders filled in. It is made at connect time, and never stored, shown or logged."""

    command: str = ""
    args: tuple[str, ...] = Field((), repr=False)
    env: dict[str, str] = Field(default_factory=dict, repr=False)
    """Only the entry's own variables; the connection adds the few that every process needs."""
    cwd: str = ""
    url: str = Field("", repr=False)
    headers: dict[str, str] = Field(default_factory=dict, repr=False)
    oauth: OAuthSettings | None = None
    roots: tuple[str, ...] = ()
    """`file:` URIs of the folders that it is told to work in."""
    secrets: tuple[str, ...] = Field((), repr=False)
    """Values from the keyring and from variables with a secret's name, wherever the entry uses them."""
    missing: tuple[str, ...] = ()
    """Missing variables and files, without which the server must not be started."""

    @property
    def given(self) -> tuple[str, ...]:
        """The values to redact from the server's log: all variables and headers, because any of them may be secret."""
        return (*self.env.values(), *self.headers.values(), *self.secrets, *secrets_in_arguments((*self.args, self.url)))

    @property
    def needs(self) -> str:
        """`needs A, B`, as the reason why it is parked; empty if nothing is missing."""
        return f"needs {', '.join(self.missing)}" if self.missing else ""

    @property
    def absent(self) -> str:
        """`no command NAME`, or `no folder NAME`, and what to do, if this machine has none now; else empty. Reads the disk."""
        if self._lacks_folder:
            return f"no folder {self.cwd}{self.advice}"
        program = str(Path(self.cwd, self.command)) if os.sep in self.command else self.command
        found = not program or shutil.which(program, path=self.env.get("PATH"))
        return "" if found else f"no command {self.command}{self.advice}"

    @property
    def advice(self) -> str:
        """What to do about a command that cannot be started, after a semicolon; else empty. Reads the disk."""
        if self._lacks_folder:
            return "; mend its `cwd`"
        if bringer := _BROUGHT_BY.get(self.command):
            return f"; install {bringer}, which brings it"
        program, blank, _ = self.command.partition(" ")
        is_program = os.sep not in program or Path(self.cwd, program).is_file()  # else the blank may be part of a folder's name
        return "; put its arguments into `args`" if blank and not self.args and is_program else ""

    @property
    def _lacks_folder(self) -> bool:
        return bool(self.cwd) and not Path(self.cwd).is_dir()


_BROUGHT_BY = {"uvx": "uv", "uv": "uv", "npx": "Node.js", "node": "Node.js", "bunx": "Bun", "docker": "Docker"}
"""What the documentation of a server starts it with → the program that a newcomer installs for that."""

_BELIEVED = {"effects", "system_instruction", "response_instruction", "auto_context_tool"}
"""Keys that declare what the tools do and what the model is told."""
_APPROVED = ("target", "scripts", "cwd", "env", "env_file", "headers", "oauth", "roots", *sorted(_BELIEVED), "source")
"""What a person sees of an entry before it may run."""


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
    """Whether to use the HTTP+SSE transport of revision 2024-11-05 instead of Streamable HTTP."""
    headers: dict[str, str] = Field(default_factory=dict, repr=False)
    oauth: OAuthSettings | None = None
    python: str = ""
    """`package.module:toolset` of an in-process server."""

    timeout_s: float | None = None
    """The timeout of one call, in seconds; None means the gateway's."""
    connect_timeout_s: float | None = None
    """The timeout of starting the server and the handshake, in seconds; None means the gateway's."""
    protocol_version: Literal["", "2025-11-25"] = ""
    """The newest revision of MCP to agree on; empty means the newest that both sides know."""
    max_concurrency: int | None = None
    """How many calls may be under way at once; None means no limit."""
    rate_limit: RateLimit | None = None
    """The limit for the calls of all processes on one database together; None means no limit."""

    isolate: Isolation | None = None
    """What an isolated stdio server may use; None starts it without isolation."""
    roots: tuple[str, ...] = ()
    """Folders that the server is told to work in (MCP roots). That does not restrict it; `isolate` does."""
    disabled: bool = False
    include: tuple[str, ...] = ()
    """Globs of the tools to offer; empty offers all. `exclude` wins."""
    exclude: tuple[str, ...] = ()
    effects: dict[str, EffectOverride] = Field(default_factory=dict)
    """Tool glob → the operator's declaration; the first glob that matches a tool counts."""

    description: str = ""
    system_instruction: str = ""
    response_instruction: str = ""
    auto_context_tool: str = ""
    """The provider's own name of a tool that is called before the first turn."""

    host: Host = "jiritsu"
    source: Path | None = None
    """The file that contains the entry."""
    scripts: dict[str, str] = Field(default_factory=dict)
    """The project files that an entry of a project's servers file runs, with their SHA-256."""
    trusted: bool = True
    """False for an entry of a project's servers file that the operator has not approved."""
    proposed_approvals: tuple[str, ...] = ()
    """Tools that another host may call without asking. Here that is a proposal for the operator, never a permission."""
    problem: str = ""
    """Why the entry cannot be used; its provider is shown as parked for this reason."""

    @property
    def obstacle(self) -> str:
        """Why the server must not be connected now, as a sentence; empty if it may."""
        if self.problem:
            return self.problem
        if self.disabled:
            return "disabled in the servers file"
        if not self.trusted:
            return f"comes from {self.source} and waits for `jiritsu servers trust {shlex.quote(self.name)}`"
        return ""

    @property
    def target(self) -> str:
        """The command or address for people: with placeholders, and with literal secrets redacted."""
        return self.python or redact_address(self.url) or " ".join([self.command, *redact_arguments(self.args)])

    @property
    def for_reading(self) -> JsonObject:
        """The entry as people may read it: a value that is no placeholder may be a secret."""
        entry = self.model_dump(mode="json", exclude={"oauth", "command", "args", "url", "python"}) | {"target": self.target}
        for key in ("env", "headers"):
            entry[key] = {name: value if "$" in value else "(hidden)" for name, value in entry[key].items()}
        if self.oauth is not None:
            given = self.oauth.model_dump(mode="json", exclude_defaults=True)
            entry["oauth"] = given | ({"client_secret": "(hidden)"} if "$" not in given.get("client_secret", "$") else {})
        return entry

    @property
    def to_approve(self) -> JsonObject:
        """All that a person has to see of it before it may run; nothing of what is not set."""
        entry = self.for_reading
        return {key: entry[key] for key in _APPROVED if entry.get(key)}

    @property
    def signs_itself_in(self) -> bool:
        """Whether the entry sets the Authorization header, so that nobody has to sign in."""
        return any(name.lower() == "authorization" for name in self.headers)

    @property
    def fingerprint(self) -> str:
        """SHA-256 over everything that decides what runs, where it connects, what it is given and which declarations count.

        Values count too: another `PYTHONPATH` runs other code, another header sends another secret, and another effect lets a
        write pass as a read. So does the content of the project's own scripts and its file of variables.
        """
        approved = [
            self.transport, self.command, self.args, self.env, self.env_file, self.cwd, self.url, self.headers, self.python,
        ]  # fmt: skip
        # added only if set, so that older approvals of entries without them stay valid
        if self.scripts:
            approved.append(self.scripts)
        if self.isolate is not None:
            approved.append(self.isolate.model_dump())
        believed = self.model_dump(mode="json", include=_BELIEVED, exclude_defaults=True)
        if believed:
            approved.append(believed)
        # both may hold variables, which are filled in and sent to the server, or to where it has people sign in
        given = self.model_dump(mode="json", include={"oauth", "roots"}, exclude_defaults=True)
        if given:
            approved.append(given)
        return hashlib.sha256(json.dumps(approved, sort_keys=True).encode()).hexdigest()

    @property
    def place(self) -> str:
        """The path of the entry's file, with links resolved in its folder only: a linked file runs in the folder of the link."""
        return os.path.join(os.path.realpath(self.source.parent), self.source.name) if self.source else ""  # noqa: PTH118

    @property
    def approval(self) -> str:
        """What a person approves: this entry in this file, because `python server.py` is another program in another folder."""
        return f"{self.fingerprint} {self.place}"

    @property
    def ships_with_us(self) -> bool:
        """Whether it is a server of this installation, whose definitions change only with an update.

        It must run with `-P`, which ignores modules in the working directory, and without variables like `PYTHONPATH`, which
        change what code runs and which an `env_file` might contain.
        """
        if self.transport == "in_process":
            return self.python.startswith("autonomy.")
        is_module = self.command in ("${JIRITSU_PYTHON}", sys.executable) and self.args[:2] == ("-P", "-m")
        as_installed = not self.env_file and not any(name.upper().startswith("PYTHON") for name in self.env)
        return is_module and as_installed and len(self.args) == 3 and self.args[2].startswith("mcp_servers.")

    def offers(self, tool: str) -> bool:
        """Whether the operator admits this tool to the catalog."""
        if any(fnmatchcase(tool, glob) for glob in self.exclude):
            return False
        return not self.include or any(fnmatchcase(tool, glob) for glob in self.include)

    def effect_of(self, tool: str, effect: Effect, idempotent: bool) -> tuple[Effect, bool]:
        """Return effect and idempotence of a tool, given those of its annotations."""
        override = self._override(tool) or EffectOverride()
        return override.effect or effect, idempotent if override.idempotent is None else override.idempotent

    def lookup_of(self, tool: str) -> Lookup | None:
        """Return the operator's declaration of how a call of this tool is looked up."""
        override = self._override(tool)
        return override.lookup if override else None

    def settles(self, tool: str) -> bool:
        """Whether the operator has declared something about this tool."""
        return self._override(tool) is not None

    def _override(self, tool: str) -> EffectOverride | None:
        keys = [key for key in (self._literal.get(tool), self._glob_of(tool)) if key is not None]
        return self.effects[min(keys)[1]] if keys else None

    def _glob_of(self, tool: str) -> tuple[int, str] | None:
        return next((found for found in self._globs if fnmatchcase(tool, found[1])), None)

    @cached_property
    def _globs(self) -> tuple[tuple[int, str], ...]:
        """The few keys of `effects` that may match several tools, with their places."""
        return tuple((place, key) for place, key in enumerate(self.effects) if any(mark in key for mark in "*?["))

    @cached_property
    def _literal(self) -> Mapping[str, tuple[int, str]]:
        """The other keys, each of one tool: thousands where `servers trust` declared what each of them does."""
        globs = dict(self._globs)
        return {key: (place, key) for place, key in enumerate(self.effects) if place not in globs}

    def launch(self, env: Mapping[str, str]) -> Launch:
        """Fill the entry's placeholders from `env`. Reads files: call it in a thread."""
        expander = Expander(env, source=self.source, bare=self.host == "gemini")
        merged = self._env(expander)
        command, args = expander.expand(self.command), tuple(expander.expand(text) for text in self.args)
        if self.isolate is not None and self.transport == "stdio":
            folders = self.isolate.model_copy(
                update={key: tuple(str(expander.path(one)) for one in getattr(self.isolate, key)) for key in ("read", "write")}
            )
            command, args, lacking = isolated(folders, command, args, cwd=expander.expand(self.cwd), env={**env, **merged})
            expander.missing += [lacking] if lacking else []
        return Launch(
            command=command,
            args=args,
            env=merged,
            cwd=expander.expand(self.cwd),
            url=expander.expand(self.url),
            headers={name: expander.expand(text) for name, text in self.headers.items()},
            oauth=self.oauth
            and self.oauth.model_copy(
                update={key: expander.expand(getattr(self.oauth, key)) for key in ("client_id", "client_secret")}
            ),
            roots=tuple(expander.path(folder).absolute().as_uri() for folder in self.roots),
            secrets=tuple(dict.fromkeys(expander.secrets)),
            missing=tuple(dict.fromkeys(expander.missing)),
        )

    def _env(self, expander: Expander) -> dict[str, str]:
        stored: dict[str, str] = {}
        if self.env_file:
            file = expander.path(self.env_file)
            try:
                stored, dropped = without_loader_variables(read_env_file(file))
            except (OSError, ValueError):
                expander.missing.append(str(file))
            else:
                for name in dropped:
                    _log.warning("%s: %s is left out, it would change which code runs in %s", file, name, self.name)
        return stored | {name: expander.expand(text) for name, text in self.env.items()}
