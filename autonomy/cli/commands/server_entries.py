"""What the commands on servers share: the entries in force, our own file, and a gateway to some of them."""

import json
import shlex
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from autonomy.cli.terminal import say
from autonomy.cli.words.terminal_words import terminal_language, translate
from autonomy.cli.words.text_columns import padded
from discovery.text.near_names import did_you_mean

if TYPE_CHECKING:
    from autonomy.settings import Config
    from discovery.catalog import Catalog, Provider, ToolSpec
    from discovery.gateway import Gateway
    from discovery.servers.server_config import ServerConfig
    from discovery.servers.servers_file import Servers
    from discovery.servers.trust import TrustStore

ARRIVAL_S = 20.0
"""How long the next of the servers that are starting is waited for; many on few cores come one by one."""
FIRST_START_S = 60.0
"""How long a server is waited for: `npx -y` and `uvx` install it first. Of 50 public ones 18 took over 20 s on a busy machine."""


def read_servers_of(config: "Config", file: Path | None = None) -> "Servers":
    """The servers of a file, else of the one in force. Raises `ConfigError` and `ServersFileError`."""
    from autonomy.settings_files import servers_file, servers_of

    return servers_of(config.settings, file or servers_file(config.settings))


def server_called(config: "Config", name: str) -> "ServerConfig":
    """The server of a name; ends the command with the names that there are."""
    found = read_servers_of(config)
    server = found.get(name)
    if server is None:
        names = ", ".join(one.name for one in found.servers) or "none"
        raise click.UsageError(
            f"there is no server {name!r}; known: {names}{did_you_mean(name, (one.name for one in found.servers))}"
        )
    return server


async def servers_to_ask(config: "Config", name: str | None) -> Sequence["ServerConfig"]:
    """The server of a name, or all where none is given."""
    import anyio.to_thread

    if name:
        return (await anyio.to_thread.run_sync(server_called, config, name),)
    return (await anyio.to_thread.run_sync(read_servers_of, config)).servers


def own_file(config: "Config") -> Path:
    """The file of ours that is in force, else a new one here. Another host's file is never written. Raises `ConfigError`."""
    from autonomy.errors import ConfigError
    from autonomy.settings import OWN_SERVERS
    from autonomy.settings_files import on_sample, own_servers_file, servers_file

    servers_file(config.settings)  # raises for one that is named and not there
    if on_sample(config.settings):
        return Path.cwd() / OWN_SERVERS
    try:
        return own_servers_file(config.settings)
    except ConfigError as error:
        raise click.UsageError(str(error)) from error


def trust_store(config: "Config") -> "TrustStore":
    """The store of the servers that a person has approved."""
    from discovery.servers.trust import FILE, TrustStore

    return TrustStore(config.settings.home / FILE)


@asynccontextmanager
async def gateway_to(config: "Config", servers: Sequence["ServerConfig"]) -> AsyncIterator["Gateway"]:
    """A gateway to these servers alone, as runs have it: a server may list some of its tools only to a client that it can ask."""
    import anyio.to_thread

    def imported() -> None:
        """Import the SDK, its web server and their word lists in a thread, because reading them takes a while."""
        import autonomy.stores  # noqa: F401
        import discovery.gateway  # noqa: F401

    await anyio.to_thread.run_sync(imported)
    from autonomy.bridge.toolset_provider import python_providers
    from autonomy.settings_files import server_environment, server_logs
    from autonomy.stores import open_store
    from discovery.gateway import open_gateway
    from discovery.gateway_settings import GatewaySettings

    engine = await anyio.to_thread.run_sync(open_store, config)
    try:
        others, in_process = await anyio.to_thread.run_sync(python_providers, servers)
        settings = GatewaySettings(
            hold_changed=config.settings.hold_changed,
            encryption_key=config.settings.key if config.settings.keys else None,
            log_folder=server_logs(config.settings),
        )
        env = server_environment(config.settings)
        async with open_gateway(
            others, in_process=in_process, engine=engine, settings=settings, env=env, asks_back=True
        ) as gateway:
            yield gateway
    finally:
        engine.dispose()


def summary_of(config: "Config", server: "ServerConfig") -> dict[str, Any]:
    """A server as it is listed: where it comes from, and what keeps it from running."""
    from autonomy.settings_files import server_environment

    launch = server.launch(server_environment(config.settings))
    reason = server.obstacle or launch.needs or launch.absent
    status = "ready" if not reason else "disabled" if server.disabled else "blocked"
    return {
        "name": server.name,
        "transport": server.transport,
        "status": status,
        "reason": reason,
        "target": server.target,
        "description": " ".join(server.description.split()),
        "host": server.host,
        "source": str(server.source or ""),
    }


def server_as_json(config: "Config", server: "ServerConfig") -> dict[str, Any]:
    """A server's entry as JSON, its values hidden but for placeholders: any other may be a secret."""
    entry = server.for_reading
    summary = summary_of(config, server)
    return {**entry, "status": summary["status"], "reason": summary["reason"], "fingerprint": server.fingerprint}


async def show_wait(awaited: Sequence["Provider"]) -> None:
    """Print which servers the person at the terminal waits for, and why."""
    for one in awaited if sys.stderr.isatty() else ():
        say(f"waiting for {one.name}: {one.cause}", err=True)


async def tell_as_they_come(
    gateway: "Gateway", tell: "Callable[[Catalog, Provider], None]", reported: set[str], settled: Awaitable[object]
) -> "Catalog":
    """Tell of each server that is not among the `reported`: when it came up or failed, once all `settled` of those that did neither."""
    from discovery.timing.background_tasks import background_tasks

    def tell_of(catalog: "Catalog", *, starting: bool) -> None:
        for provider in catalog.providers:
            if provider.name not in reported and (starting or provider.state != "connecting"):
                reported.add(provider.name)
                tell(catalog, provider)

    async def keep_telling() -> None:
        while True:
            tell_of(await gateway.catalog(), starting=False)
            await gateway.next_change()

    async with background_tasks() as tasks:
        tasks.start_soon(keep_telling)
        await settled
    catalog = await gateway.catalog()
    tell_of(catalog, starting=True)
    return catalog


def undeclared_effects(tools: Sequence["ToolSpec"]) -> str:
    """How many of a server's tools count as writes only because nobody says what they do; empty where none does."""
    unsaid = sum(not spec.declared for spec in tools)
    if not unsaid:
        return ""
    return f"nothing says whether {unsaid} of {len(tools)} tools only read, so they count as writes"


def stray_effects(effects: Iterable[str], tools: Sequence["ToolSpec"]) -> list[str]:
    """What an entry's `effects` says of tools that the server does not have: it holds for none. A pattern may be for later ones."""
    from discovery.text.near_names import did_you_mean

    names = dict.fromkeys(spec.tool for spec in tools)
    strays = [name for name in effects if tools and name not in names and not any(mark in name for mark in "*?[")]
    return [f"its `effects` name {name!r}, and it has no such tool{did_you_mean(name, names)}" for name in strays]


def settle_effects(server: str) -> str:
    """The command line by which a person settles what a server's tools do."""
    return f"`jiritsu servers trust {shlex.quote(server)} --effects review` proposes what they do"


def say_entry(key: str, value: object, columns: int) -> None:
    """Print what an entry says under a key; a table has a line for each tool or variable, without what nobody set."""
    for at, line in enumerate(_lines_of(value)):
        say(f"{padded('' if at else translate(key), columns)} {line}", verbatim=True)


def _lines_of(value: object) -> Iterator[str]:
    from metrics.reporting.report_words import effect_in

    if not isinstance(value, dict):
        yield str(value)
        return
    for name, one in value.items():
        fields = {key: part for key, part in one.items() if part is not None} if isinstance(one, dict) else {}
        effect = fields.pop("effect", None)
        parts = [effect_in(effect, terminal_language())] if effect else []
        parts += [f"{key} {json.dumps(part, ensure_ascii=False)}" for key, part in fields.items()]
        yield f"{name}: {', '.join(parts) or one}"
