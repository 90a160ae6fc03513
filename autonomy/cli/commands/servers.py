"""`jiritsu servers`: lists, adds, trusts and probes MCP servers."""

import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from autonomy.cli.completion_names import server_names
from autonomy.cli.terminal import AS_JSON, agreed, print_json, say
from discovery.text.near_names import did_you_mean

if TYPE_CHECKING:
    from autonomy.settings import Config
    from discovery.gateway import Gateway
    from discovery.servers.servers_file import ServerConfig, Servers
    from discovery.servers.trust import TrustStore


@click.group()
def servers() -> None:
    """List, add, trust and probe MCP servers.

    \b
    jiritsu servers list
    jiritsu servers add files -- npx -y @modelcontextprotocol/server-filesystem /some/folder
    jiritsu servers probe files
    """


@servers.command("list")
@AS_JSON
@click.pass_context
def list_servers(ctx: click.Context, as_json: bool) -> None:
    """List every server, where it comes from, and what keeps it from running."""
    from autonomy.cli.entry import settings_of

    config = settings_of(ctx)
    found = _read(config)
    if as_json:
        print_json([_summary(config, server) for server in found.servers])
        return
    for warning in found.warnings:
        say(f"warning: {warning}", err=True)
    if not found.servers:
        say("no servers; add one with `jiritsu servers add NAME -- COMMAND …` or `jiritsu servers import FILE`")
    for server in found.servers:
        row = _summary(config, server)
        say(f"{row['name']:<20} {row['transport']:<10} {row['status']:<10} {row['target']}")
        if row["reason"]:
            say(f"{'':<20} {row['reason']}")


@servers.command()
@click.argument("name", shell_complete=server_names)
@AS_JSON
@click.pass_context
def show(ctx: click.Context, name: str, as_json: bool) -> None:
    """Show one server's entry as it is understood. Variables stay placeholders, literal values of env and headers are hidden."""
    from autonomy.cli.entry import settings_of

    config = settings_of(ctx)
    entry = _server_as_json(config, _server_called(config, name))
    if as_json:
        print_json(entry)
        return
    for key, value in entry.items():
        if value not in ("", None, [], {}):
            say(f"{key:<20} {value}")


@servers.command(context_settings={"ignore_unknown_options": True})
@click.argument("name")
@click.argument("command", nargs=-1)
@click.option("--url", help="The address of a remote server, in place of a command.")
@click.option("--env", multiple=True, metavar="NAME=VALUE", help="A variable of the server; ${NAME} takes it from yours.")
@click.option("--header", multiple=True, metavar="NAME=VALUE", help="A header for a remote server.")
@click.pass_context
def add(
    ctx: click.Context, name: str, command: tuple[str, ...], url: str | None, env: tuple[str, ...], header: tuple[str, ...]
) -> None:
    """Add a server to our own file: `jiritsu servers add files -- npx -y some-server /folder`, or `--url https://…`."""
    from autonomy.cli.entry import settings_of
    from autonomy.settings_files import on_sample
    from discovery.servers.editing import put_server
    from discovery.servers.servers_file import is_web_address

    if bool(command) == bool(url):
        raise click.UsageError("give either a command after `--` or --url")
    if url and not is_web_address(url):
        raise click.UsageError(f"--url must be http or https, not {url!r}")
    config = settings_of(ctx)
    file = _own_file(config)
    if (known := _read(config, file).get(name)) is not None:
        raise click.UsageError(f"there is a server {name!r} in {known.source} already")
    entry: dict[str, Any] = {"type": "http", "url": url} if url else {"command": command[0], "args": list(command[1:])}
    entry |= {key: pairs for key, given in (("env", env), ("headers", header)) if (pairs := dict(map(_pair, given)))}
    sample = on_sample(config.settings)
    _change(put_server, file, name, entry)
    say(f"added {name} to {file}")
    if sample:
        say("these servers are now in place of the sample workspace; `--sample en` or `--sample ja` still runs on it")
    written = _read(config, file)
    if (server := written.get(name)) is not None:
        _change(partial(_trust_store(config).trust, at=time.time()), server)
    for warning in written.warnings:
        say(f"warning: {warning}", err=True)


@servers.command()
@click.argument("name", shell_complete=server_names)
@click.pass_context
def remove(ctx: click.Context, name: str) -> None:
    """Remove a server from our own file."""
    from autonomy.cli.entry import settings_of
    from discovery.servers.editing import drop_server

    config = settings_of(ctx)
    server = _server_called(config, name)
    file = _own_file(config)
    if server.source != file:
        raise click.UsageError(
            f"{name} stands in {server.source}, which is not ours to change; `jiritsu servers disable {name}` switches it off"
        )
    _change(drop_server, file, name)
    _trust_store(config).revoke(name)
    say(f"removed {name} from {file}")


@servers.command("import")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path), required=False)
@click.pass_context
def import_file(ctx: click.Context, file: Path | None) -> None:
    """Read another host's servers file from now on (Claude, VS Code, Cursor, …); without FILE, show which are here."""
    from autonomy.cli.entry import settings_of
    from discovery.servers.editing import add_import
    from discovery.servers.hosts import host_files

    config = settings_of(ctx)
    if file is None:
        for found in host_files(Path.cwd(), Path.home()):
            say(f"jiritsu servers import {found}")
        return
    own = _own_file(config)
    imported = _read(config, file.absolute())
    _change(add_import, own, str(file.absolute()))
    for server in imported.servers:
        say(f"{server.name:<20} {server.obstacle or 'ready'}")
    proposed = [server.name for server in imported.servers if server.proposed_approvals]
    if proposed:
        say(f"the file lets tools of {', '.join(proposed)} run unasked; that is not taken over, write a [[policy]] rule for it")


@servers.command()
@click.argument("name", shell_complete=server_names)
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--revoke", is_flag=True, help="Revoke the approval.")
@click.option(
    "--effects",
    type=click.Choice(["review", "proposed", "strict"]),
    help="What its tools without annotations do: ask about our proposals (default), take them, or count all as writes (default with --yes).",
)
@click.pass_context
def trust(ctx: click.Context, name: str, yes: bool, revoke: bool, effects: str | None) -> None:
    """Approve a server: shows what would run and what its tools seem to do, and asks. A change of it needs approval again."""
    from autonomy.cli.entry import EXIT_FAILED, settings_of

    config = settings_of(ctx)
    server = _server_called(config, name)
    store = _trust_store(config)
    if revoke:
        say(f"{name} is no longer trusted" if store.revoke(name) else f"{name} was not trusted")
        return
    if server.trusted and effects is None:
        say(f"{name} is trusted already: nothing was changed")
        say(f"`jiritsu servers trust {name} --effects review` proposes what its tools without annotations do")
        return
    for key, value in _server_as_json(config, server).items():
        if key in ("target", "cwd", "env", "env_file", "headers", "source") and value:
            say(f"{key:<10} {value}")
    if server.trusted:
        say(f"{name} is trusted already")
    elif yes or agreed(f"Let {name} run?"):
        store.trust(server, at=time.time())
        say(f"{name} is trusted")
    else:
        say(f"{name} is not trusted: nothing was changed", err=True)
        ctx.exit(EXIT_FAILED)
    mode = effects or ("strict" if yes else "review")
    if mode != "strict":
        _settle_effects(config, _server_called(config, name), ask=mode == "review" and not yes)
    elif yes and not server.effects:
        say(
            f"its tools without annotations count as writes: `jiritsu servers trust {name} --effects review` proposes what they do"
        )


def _settle_effects(config: "Config", server: "ServerConfig", *, ask: bool) -> None:
    """Show what the tools without annotations seem to do, and put it into our servers file once a person agrees."""
    from autonomy.cli.entry import run_async
    from discovery.review.effect_proposals import GUESSED, propose
    from discovery.servers.editing import put_key

    async def command() -> int:
        import anyio.to_thread

        async with _gateway(config, [server]) as gateway:
            (provider,) = await gateway.settle(timeout_s=20)
            held = {one.tool for one in gateway.held()}
            undeclared = [spec for spec in (await gateway.catalog()).tools if not spec.declared and spec.tool not in held]
        if not provider.available:
            later = f"`jiritsu servers trust {server.name} --effects review`"
            say(f"what its tools do is asked later, with {later}: {provider.reason or 'no answer'}")
            return 0
        table = {spec.tool: propose(spec) for spec in undeclared}
        known = {tool: one for tool, one in table.items() if one.confidence > GUESSED}
        for tool, one in sorted(table.items()):
            say(f"{tool:<32} {one.effect.value:<12} {one.confidence:.0%}  {'; '.join(one.evidence)}")
        for tool in sorted(held):
            say(f"{tool:<32} held: its words are not believed, see `jiritsu servers review {server.name}`")
        if known and (not ask or await anyio.to_thread.run_sync(agreed, f"Take these {len(known)} effects?")):
            entries = {tool: rule.model_dump(mode="json", exclude_none=True) for tool, rule in server.effects.items()}
            settled = {tool: {"effect": one.effect.value} for tool, one in known.items()}
            _change(put_key, _own_file(config), server.name, "effects", {**entries, **settled})
            say(f"{len(known)} effects are set in {_own_file(config)}")
        return 0

    run_async(command)


@servers.command()
@click.argument("name", required=False, shell_complete=server_names)
@AS_JSON
@click.pass_context
def review(ctx: click.Context, name: str | None, as_json: bool) -> None:
    """Show which tools wait for a person, and the words and rules why; `approve` takes them."""
    from autonomy.cli.entry import run_async, settings_of

    config = settings_of(ctx)
    entries = (_server_called(config, name),) if name else _read(config).servers

    async def command() -> int:
        async with _gateway(config, entries) as gateway:
            await gateway.settle(timeout_s=20)
            held = gateway.held()
        if as_json:
            print_json([one.model_dump(mode="json") for one in held])
            return 0
        for one in held:
            say(f"{one.provider} {one.tool}  [{one.kind}]", bold=True)
            for line in (*one.change.lines, *(flag.in_words(config.settings.language) for flag in one.flags)):
                say(f"    {line}")
        say(f"{len(held)} wait; `jiritsu servers approve NAME [TOOL …]` takes them as they are" if held else "nothing waits")
        return 0

    run_async(command)


@servers.command()
@click.argument("name", shell_complete=server_names)
@click.argument("tools", nargs=-1)
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.pass_context
def approve(ctx: click.Context, name: str, tools: tuple[str, ...], yes: bool) -> None:
    """Show which tools of a server changed their definition and are held, and take them as they are now."""
    from autonomy.cli.entry import run_async, settings_of, who

    config = settings_of(ctx, calls_tools=True)
    _server_called(config, name)

    async def command() -> int:
        import anyio.to_thread

        from autonomy.app import open_app

        async with open_app(config) as app:
            await app.gateway.settle(timeout_s=20)
            held = [one for one in app.gateway.held() if one.provider == name and (not tools or one.tool in tools)]
            for one in held:
                say(f"{one.tool}: {one.summary}")
            if not held:
                say(f"no tool of {name} is held")
                return 0
            if yes or await anyio.to_thread.run_sync(agreed, f"Take {len(held)} as they are now?"):
                done = await app.gateway.approve(name, [one.tool for one in held], by=who())
                say(f"approved: {', '.join(done)}")
        return 0

    run_async(command)


@servers.command()
@click.argument("name", shell_complete=server_names)
@click.option("--tool", help="The server's own name of a tool.")
@click.pass_context
def enable(ctx: click.Context, name: str, tool: str | None) -> None:
    """Switch a server on, or with --tool one tool of it."""
    _switch(ctx, name, tool, disabled=False)


@servers.command()
@click.argument("name", shell_complete=server_names)
@click.option("--tool", help="The server's own name of a tool.")
@click.pass_context
def disable(ctx: click.Context, name: str, tool: str | None) -> None:
    """Switch a server off, also one of an imported file; its entry stays. With --tool, only that tool of it."""
    _switch(ctx, name, tool, disabled=True)


@servers.command()
@click.argument("name", required=False, shell_complete=server_names)
@click.option("--timeout", "timeout_s", default=20.0, show_default=True, help="Seconds to wait for each server.")
@AS_JSON
@click.pass_context
def probe(ctx: click.Context, name: str | None, timeout_s: float, as_json: bool) -> None:
    """Connect to one server, or to all, and say what came back."""
    from autonomy.cli.entry import EXIT_FAILED, run_async, settings_of

    config = settings_of(ctx)
    entries = (_server_called(config, name),) if name else _read(config).servers

    async def command() -> int:
        started = time.monotonic()
        async with _gateway(config, entries) as gateway:
            await gateway.settle(timeout_s=timeout_s)
            catalog = await gateway.catalog()
        rows = [
            {"name": one.name, "state": one.state.value, "reason": one.reason, "tools": len(catalog.of(one.name)),
             "quarantined": len(one.quarantined), "protocol": one.protocol_version, "server": one.server_name}
            for one in catalog.providers
        ]  # fmt: skip
        if as_json:
            print_json(rows)
        else:
            for row, one in zip(rows, catalog.providers, strict=True):
                late = f"not up after {timeout_s:g} s" if one.state == "connecting" else ""
                say(
                    f"{row['name']:<20} {row['state']:<10} {row['tools']} tools  {row['protocol']} {row['reason'] or late}".rstrip()
                )
                for out in one.quarantined:
                    say(f"{'':<20} ⊘ {out.tool}: {out.reason}")
            say(f"in {time.monotonic() - started:.1f} s")
        return 0 if all(provider.available for provider in catalog.providers) else EXIT_FAILED

    run_async(command)


@servers.command("log")
@click.argument("name", shell_complete=server_names)
@click.option("--lines", "-n", default=50, show_default=True, type=click.IntRange(0, 1_000_000), help="The number of last lines.")
@click.option("--follow", "-f", is_flag=True, help="Follow the log until Ctrl-C.")
@click.pass_context
def show_log(ctx: click.Context, name: str, lines: int, follow: bool) -> None:
    """Show what a server said on stderr and in log messages, with the time (UTC) and the process that ran it."""
    from autonomy.cli.entry import run_async, settings_of
    from autonomy.settings_files import server_logs
    from discovery.transport.server_log import followed, last_lines, log_file

    config = settings_of(ctx)
    file = log_file(server_logs(config.settings), _server_called(config, name).name)

    async def command() -> int:
        import anyio.to_thread

        found = await anyio.to_thread.run_sync(last_lines, file, lines)
        for line in found:
            say(line)
        if not found and not follow:
            say(f"{name} has said nothing yet: {file}", err=True)
        if follow:
            async for line in followed(file):
                say(line)
        return 0

    run_async(command)


@servers.command("sign-in")
@click.argument("name", shell_complete=server_names)
@click.option("--timeout", "timeout_s", default=600.0, show_default=True, help="Seconds to wait for the sign-in.")
@click.pass_context
def sign_in(ctx: click.Context, name: str, timeout_s: float) -> None:
    """Sign in to a remote server with a browser; what it grants is kept, encrypted with the key of the settings."""
    from autonomy import app_services
    from autonomy.cli.entry import EXIT_FAILED, run_async, settings_of
    from autonomy.stores import open_store
    from discovery.transport.authorization.sign_in import loopback_browser

    config = settings_of(ctx)
    server = _server_called(config, name)
    if server.transport != "http":
        raise click.UsageError(f"{name} runs here; only a remote server has a sign-in")

    async def command() -> int:
        import anyio.to_thread

        opened: list[str] = []

        def ask(address: str) -> None:
            opened.append(address)
            say("Open this address and sign in:")
            say(address)

        engine = await anyio.to_thread.run_sync(open_store, config)
        try:
            async with loopback_browser(ask) as browser:
                found = await app_services.sign_in(config, engine, server, browser, timeout_s)
        finally:
            engine.dispose()
        if found.available:
            say(f"{name}: {'signed in' if opened else 'asked for no sign-in'}, {found.tools} tools")
            return 0
        late = f"nobody signed in within {timeout_s:g} s" if opened else f"no answer within {timeout_s:g} s"
        say(f"{name}: {found.reason or late}")
        return EXIT_FAILED

    run_async(command)


@asynccontextmanager
async def _gateway(config: "Config", servers: Sequence["ServerConfig"]) -> AsyncIterator["Gateway"]:
    """A gateway to these servers alone, as runs have it: with their sign-ins, and with Python toolsets."""
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
            encryption_key=config.settings.key if config.settings.keys else None, log_folder=server_logs(config.settings)
        )
        env = server_environment(config.settings)
        async with open_gateway(others, in_process=in_process, engine=engine, settings=settings, env=env) as gateway:
            yield gateway
    finally:
        engine.dispose()


def _switch(ctx: click.Context, name: str, tool: str | None, *, disabled: bool) -> None:
    from autonomy.cli.entry import settings_of, stop
    from autonomy.errors import ConfigError
    from autonomy.settings_files import switch_tool
    from discovery.servers.editing import put_key

    config = settings_of(ctx)
    _server_called(config, name)
    file = _own_file(config)
    if tool:
        try:
            switch_tool(config.settings, name, tool, on=not disabled)
        except ConfigError as error:
            stop(error)
        say(f"{name}: {tool} is {'not offered any more' if disabled else 'offered'}, by {file}")
        return
    _change(put_key, file, name, "disabled", True if disabled else None)
    say(f"{name} is {'disabled' if disabled else 'enabled'} in {file}")


def _read(config: "Config", file: Path | None = None) -> "Servers":
    """The servers of a file, else of the one in force; ends the process with one line when it cannot be used."""
    from autonomy.cli.entry import stop
    from autonomy.errors import ConfigError
    from autonomy.settings_files import servers_file, servers_of
    from discovery.discovery_errors import ServersFileError

    try:
        return servers_of(config.settings, file or servers_file(config.settings))
    except (ServersFileError, ConfigError) as error:
        stop(error)


def _server_called(config: "Config", name: str) -> "ServerConfig":
    found = _read(config)
    server = found.get(name)
    if server is None:
        known = ", ".join(one.name for one in found.servers) or "none"
        raise click.UsageError(
            f"there is no server {name!r}; known: {known}{did_you_mean(name, (one.name for one in found.servers))}"
        )
    return server


def _own_file(config: "Config") -> Path:
    """The file of ours that is in force, else a new one here. Another host's file is never written."""
    from autonomy.cli.entry import stop
    from autonomy.errors import ConfigError
    from autonomy.settings_files import OWN_SERVERS, on_sample, own_servers_file, servers_file

    try:
        servers_file(config.settings)
    except ConfigError as error:
        stop(error)
    if on_sample(config.settings):
        return Path.cwd() / OWN_SERVERS
    try:
        return own_servers_file(config.settings)
    except ConfigError as error:
        raise click.UsageError(str(error)) from error


def _trust_store(config: "Config") -> "TrustStore":
    from discovery.servers.trust import FILE, TrustStore

    return TrustStore(config.settings.home / FILE)


def _change(change: Any, *arguments: Any) -> None:
    from autonomy.cli.entry import stop
    from discovery.discovery_errors import ServersFileError

    try:
        change(*arguments)
    except (ServersFileError, OSError) as error:
        stop(error)


def _pair(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise click.UsageError(f"{text!r} must be NAME=VALUE")
    return name, value


def _summary(config: "Config", server: "ServerConfig") -> dict[str, Any]:
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
        "host": server.host,
        "source": str(server.source or ""),
    }


def _server_as_json(config: "Config", server: "ServerConfig") -> dict[str, Any]:
    """The entry for reading: a value that is no placeholder may be a secret."""
    entry = server.model_dump(mode="json", exclude={"oauth", "command", "args", "url", "python"}) | {"target": server.target}
    for key in ("env", "headers"):
        entry[key] = {name: value if "$" in value else "(hidden)" for name, value in entry[key].items()}
    summary = _summary(config, server)
    return {**entry, "status": summary["status"], "reason": summary["reason"], "fingerprint": server.fingerprint}
