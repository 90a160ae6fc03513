"""The configuration of one MCP server."""

import hashlib
import json
import logging
import os
import shlex
import shutil
import sys
from collections.abc import Mapping
from fnmatch import fnmatchcase
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
    """The operator's word on what a tool does; it stands above the server's annotations."""

    effect: Effect | None = None
    idempotent: bool | None = None
    lookup: Lookup | None = None
    """How to find out, after a crash, whether a call of this tool happened."""


class RateLimit(Frozen):
    """How many calls a provider takes: never more than `calls` start within any `per_s` seconds."""

    calls: int = Field(ge=1, le=10_000)
    per_s: float = Field(gt=0, le=86_400)


class OAuthSettings(Frozen):
    """The settings for signing in to a remote server (OAuth 2.1). Everything is optional: the server is asked first."""

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
    roots: tuple[str, ...] = ()
    """`file:` URIs of the folders it is told to work in."""
    secrets: tuple[str, ...] = Field((), repr=False)
    """What came out of the keyring and of variables with a secret's name, wherever the entry puts it."""
    missing: tuple[str, ...] = ()
    """Variables and files without which the server cannot start; non-empty means: do not connect."""

    @property
    def given(self) -> tuple[str, ...]:
        """The values that a log of the server hides: any variable or header may be secret, whatever it is called."""
        return (*self.env.values(), *self.headers.values(), *self.secrets, *secrets_in_arguments((*self.args, self.url)))

    @property
    def needs(self) -> str:
        """`needs A, B`, for the provider's reason; empty when nothing is missing."""
        return f"needs {', '.join(self.missing)}" if self.missing else ""

    @property
    def absent(self) -> str:
        """`no command NAME`, where this machine has no such program now; it may come later. Looks at the disk."""
        program = str(Path(self.cwd, self.command)) if os.sep in self.command else self.command
        found = not program or shutil.which(program, path=self.env.get("PATH"))
        return "" if found else f"no command {self.command}{self.advice}"

    @property
    def advice(self) -> str:
        """What to do about a command that is not there and holds its arguments, as a shell would take it. Looks at the disk."""
        program, blank, _ = self.command.partition(" ")
        is_program = os.sep not in program or Path(self.cwd, program).is_file()  # else a folder of a path may hold the blank
        return "; put its arguments into `args`" if blank and not self.args and is_program else ""


_BELIEVED = {"effects", "system_instruction", "response_instruction", "auto_context_tool"}
"""Keys by which an entry says what its tools do, and what the model is told."""
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
    """The HTTP+SSE transport of 2024, where the file asks for it; else Streamable HTTP."""
    headers: dict[str, str] = Field(default_factory=dict, repr=False)
    oauth: OAuthSettings | None = None
    python: str = ""
    """`package.module:toolset` of an in-process server."""

    timeout_s: float | None = None
    """Deadline of one call, in seconds; None takes the gateway's."""
    connect_timeout_s: float | None = None
    """Deadline of starting and greeting, in seconds; None takes the gateway's."""
    protocol_version: Literal["", "2025-11-25"] = ""
    """The newest revision of MCP to agree on; empty takes the newest that both sides know."""
    max_concurrency: int | None = None
    """How many calls may be under way at once; None is no limit."""
    rate_limit: RateLimit | None = None
    """How many calls may start within a time, those of all processes on one database together; None is no limit."""

    isolate: Isolation | None = None
    """How a stdio server is kept from this machine; None starts it like any program."""
    roots: tuple[str, ...] = ()
    """Folders the server is told to work in, where it asks (MCP roots). Telling is no fence: that is `isolate`."""
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
    """The provider's own name of a tool that is asked before the first turn."""

    host: Host = "jiritsu"
    source: Path | None = None
    """The file the entry stands in."""
    scripts: dict[str, str] = Field(default_factory=dict)
    """The files that an entry of someone else's project file starts there, with their SHA-256."""
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
            return f"comes from {self.source} and waits for `jiritsu servers trust {shlex.quote(self.name)}`"
        return ""

    @property
    def target(self) -> str:
        """The command or address, for people: placeholders as written, literal secrets hidden."""
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
        """Whether its entry says what stands in the Authorization header, so that nobody has to sign in."""
        return any(name.lower() == "authorization" for name in self.headers)

    @property
    def fingerprint(self) -> str:
        """SHA-256 over all that decides what runs, where it connects, what it is given and what is believed of it.

        Values count too: a changed `PYTHONPATH` runs other code, a changed header sends another secret, and a changed effect
        lets a write pass as a read. So does the content of a script or a file of variables that the project itself brings.
        """
        approved = [
            self.transport, self.command, self.args, self.env, self.env_file, self.cwd, self.url, self.headers, self.python,
        ]  # fmt: skip
        # an older approval of an entry without these still holds
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
        """The file it stands in. A file that is a link stays the link: its folder is where it would run."""
        return os.path.join(os.path.realpath(self.source.parent), self.source.name) if self.source else ""  # noqa: PTH118

    @property
    def approval(self) -> str:
        """What a person approves: this entry in this file, for `python server.py` is another program in another folder."""
        return f"{self.fingerprint} {self.place}"

    @property
    def ships_with_us(self) -> bool:
        """Whether it is a server of this very installation, whose definitions change only when the program is updated.

        `-P` keeps the working directory off the path. Variables of Python's (`PYTHONPATH`) change which code runs, and a file of
        variables might hold one.
        """
        if self.transport == "in_process":
            return self.python.startswith("autonomy.")
        is_module = self.command in ("${JIRITSU_PYTHON}", sys.executable) and self.args[:2] == ("-P", "-m")
        as_installed = not self.env_file and not any(name.upper().startswith("PYTHON") for name in self.env)
        return is_module and as_installed and len(self.args) == 3 and self.args[2].startswith("mcp_servers.")

    def offers(self, tool: str) -> bool:
        """Whether the operator lets this tool of the provider into the catalog."""
        if any(fnmatchcase(tool, glob) for glob in self.exclude):
            return False
        return not self.include or any(fnmatchcase(tool, glob) for glob in self.include)

    def effect_of(self, tool: str, effect: Effect, idempotent: bool) -> tuple[Effect, bool]:
        """The effect and idempotence of a tool, given what its annotations say."""
        override = self._override(tool) or EffectOverride()
        return override.effect or effect, idempotent if override.idempotent is None else override.idempotent

    def lookup_of(self, tool: str) -> Lookup | None:
        """The operator's declaration of how a write is looked up."""
        override = self._override(tool)
        return override.lookup if override else None

    def settles(self, tool: str) -> bool:
        """Whether the operator said what this tool does."""
        return self._override(tool) is not None

    def _override(self, tool: str) -> EffectOverride | None:
        return next((rule for glob, rule in self.effects.items() if fnmatchcase(tool, glob)), None)

    def launch(self, env: Mapping[str, str]) -> Launch:
        """The entry with its placeholders filled from `env`. Reads `env_file`, so not for the event loop's thread when that is
        set."""
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
            oauth=self.oauth and self._signing_in(self.oauth, expander),
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

    @staticmethod
    def _signing_in(oauth: OAuthSettings, expander: Expander) -> OAuthSettings:
        return oauth.model_copy(
            update={"client_id": expander.expand(oauth.client_id), "client_secret": expander.expand(oauth.client_secret)}
        )
