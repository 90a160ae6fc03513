"""`jiritsu servers`: lists, adds, trusts and probes MCP servers."""

import shlex
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from autonomy.cli.commands.server_entries import (
    FIRST_START_S,
    gateway_to,
    own_file,
    read_servers_of,
    say_entry,
    server_as_json,
    server_called,
    servers_to_ask,
    summary_of,
    trust_store,
)
from autonomy.cli.commands.server_trust import approve, review, trust
from autonomy.cli.completion_names import server_names
from autonomy.cli.decorators import AS_JSON, pass_config
from autonomy.cli.parameter_types import NAME_AND_VALUE, NonEmptyText
from autonomy.cli.terminal import print_json, say, terminal_columns
from autonomy.cli.words.terminal_words import translate
from autonomy.cli.words.text_columns import table_lines

if TYPE_CHECKING:
    from autonomy.settings import Config


class ServerCommands(click.Group):
    """The commands; whoever looks for a check is told of `probe`."""

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command."""
        if args and args[0] in _OTHER_NAMES_OF_PROBE:
            raise click.UsageError(f"No such command {args[0]!r}. Did you mean probe?", ctx)
        return super().resolve_command(ctx, args)


_OTHER_NAMES_OF_PROBE = ("check", "test", "start", "ping")
"""What other programs call it; no slip of the fingers leads from them to `probe`."""


@click.group(cls=ServerCommands)
def servers() -> None:
    """List, add, trust and probe MCP servers.

    \b
    jiritsu servers list
    jiritsu servers add files -- npx -y @modelcontextprotocol/server-filesystem /some/folder
    jiritsu servers probe files
    """


for _command in (trust, review, approve):
    servers.add_command(_command)


@servers.command("list")
@AS_JSON
@pass_config()
def list_servers(config: "Config", as_json: bool) -> None:
    """List every server, where it comes from, and what keeps it from running."""
    found = read_servers_of(config)
    if as_json:
        print_json([summary_of(config, server) for server in found.servers])
        return
    for warning in found.warnings:
        say(f"warning: {warning}", err=True)
    if not found.servers:
        say("no servers; add one with `jiritsu servers add NAME -- COMMAND …` or `jiritsu servers import FILE`")
    rows = [summary_of(config, server) for server in found.servers]
    table = table_lines(
        ([str(row[key]) for key in ("name", "transport", "status", "target")] for row in rows), terminal_columns()
    )
    for row, lines in zip(rows, table, strict=True):
        for line in lines:
            say(line, verbatim=True)
        for line in filter(None, (row["description"], row["reason"])):
            say(f"{'':<20} {line}")
    waiting = [one.name for one in found.servers if not (one.trusted or one.disabled or one.problem)]
    if len(waiting) > 1:
        say(f"`jiritsu servers trust {shlex.join(waiting)}` shows them all, and asks about each", err=True)


@servers.command()
@click.argument("name", shell_complete=server_names)
@AS_JSON
@pass_config()
def show(config: "Config", name: str, as_json: bool) -> None:
    """Show one server's entry as it is understood. Variables stay placeholders, literal values of env and headers are hidden."""
    entry = server_as_json(config, server_called(config, name))
    if as_json:
        print_json(entry)
        return
    for key, value in entry.items():
        if value not in ("", None, [], {}):
            say_entry(key, value, 20)


@servers.command(context_settings={"ignore_unknown_options": True})
@click.argument("name", type=NonEmptyText("say what to call it"))
@click.argument("command", nargs=-1)
@click.option("--url", help="The address of a remote server, in place of a command.")
@click.option(
    "--env",
    type=NAME_AND_VALUE,
    multiple=True,
    metavar="NAME=VALUE",
    help="A variable of the server; ${NAME} takes it from yours.",
)
@click.option("--header", type=NAME_AND_VALUE, multiple=True, metavar="NAME=VALUE", help="A header for a remote server.")
@pass_config()
def add(
    config: "Config",
    name: str,
    command: tuple[str, ...],
    url: str | None,
    env: tuple[tuple[str, str], ...],
    header: tuple[tuple[str, str], ...],
) -> None:
    """Add a server to our own file: `jiritsu servers add files -- npx -y some-server /folder`, or `--url https://…`."""
    from autonomy.settings_files import on_sample
    from discovery.servers.editing import put_server
    from discovery.servers.servers_file import is_web_address

    if bool(command) == bool(url):
        raise click.UsageError("give either a command after `--` or --url")
    if url and not is_web_address(url):
        raise click.UsageError(f"--url must be http or https, not {url!r}")
    file = own_file(config)
    if (existing := read_servers_of(config, file).get(name)) is not None:
        raise click.UsageError(f"there is a server {name!r} in {existing.source} already")
    entry: dict[str, Any] = {"type": "http", "url": url} if url else {"command": command[0], "args": list(command[1:])}
    entry |= {key: pairs for key, given in (("env", env), ("headers", header)) if (pairs := dict(given))}
    sample = on_sample(config.settings)
    put_server(file, name, entry)
    say(f"added {name} to {file}")
    if sample:
        say("these servers are now in place of the sample workspace; `--sample en` or `--sample ja` still runs on it")
    written = read_servers_of(config, file)
    if (server := written.get(name)) is not None:
        trust_store(config).trust(server, at=time.time())
    for warning in written.warnings:
        say(f"warning: {warning}", err=True)


@servers.command()
@click.argument("name", shell_complete=server_names)
@pass_config()
def remove(config: "Config", name: str) -> None:
    """Remove a server from our own file."""
    from discovery.servers.editing import drop_server

    server = server_called(config, name)
    file = own_file(config)
    if server.source != file:
        raise click.UsageError(
            f"{name} stands in {server.source}, which is not ours to change; `jiritsu servers disable {shlex.quote(name)}` switches it off"
        )
    drop_server(file, name)
    trust_store(config).revoke(name)
    say(f"removed {name} from {file}")


@servers.command("import")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path), required=False)
@pass_config()
def import_file(config: "Config", file: Path | None) -> None:
    """Read another host's servers file from now on (Claude, VS Code, Cursor, …); without FILE, show which are here."""
    from discovery.servers.editing import add_import
    from discovery.servers.hosts import host_files

    if file is None:
        for found in host_files(Path.cwd(), Path.home()):
            say(f"jiritsu servers import {found}")
        return
    own = own_file(config)
    imported = read_servers_of(config, file.absolute())
    add_import(own, str(file.absolute()))
    for server in imported.servers:
        say(f"{server.name:<20} {server.obstacle or 'ready'}")
    proposed = [server.name for server in imported.servers if server.proposed_approvals]
    if proposed:
        say(f"the file lets tools of {', '.join(proposed)} run unasked; that is not taken over, write a [[policy]] rule for it")


@servers.command()
@click.argument("name", shell_complete=server_names)
@click.option("--tool", help="The server's own name of a tool.")
@pass_config()
def enable(config: "Config", name: str, tool: str | None) -> None:
    """Switch a server on, or with --tool one tool of it."""
    _switch(config, name, tool, disabled=False)


@servers.command()
@click.argument("name", shell_complete=server_names)
@click.option("--tool", help="The server's own name of a tool.")
@pass_config()
def disable(config: "Config", name: str, tool: str | None) -> None:
    """Switch a server off, also one of an imported file; its entry stays. With --tool, only that tool of it."""
    _switch(config, name, tool, disabled=True)


@servers.command()
@click.argument("name", required=False, shell_complete=server_names)
@click.option("--timeout", "timeout_s", default=FIRST_START_S, show_default=True, help="Seconds to wait for each server.")
@AS_JSON
@pass_config()
async def probe(config: "Config", name: str | None, timeout_s: float, as_json: bool) -> int:
    """Connect to one server, or to all, and say what came back."""
    from autonomy.cli.entry import EXIT_FAILED

    entries = await servers_to_ask(config, name)

    started = time.monotonic()
    async with gateway_to(config, entries) as gateway:
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
        if not rows:
            say("no servers are configured", err=True)
        for row, one in zip(rows, catalog.providers, strict=True):
            late = (
                f"not up after {timeout_s:g} s; a first start may install it: probe it again" if one.state == "connecting" else ""
            )
            why = translate(str(row["reason"] or late))
            tools = f"{row['tools']} {translate('tool' if row['tools'] == 1 else 'tools')}"
            say(f"{row['name']:<20} {row['state']:<10} {tools}  {row['protocol']} {why}".rstrip(), verbatim=True)
            for out in one.quarantined:
                say(f"{'':<20} ⊘ {out.line}")
        say(f"in {time.monotonic() - started:.1f} s")
    return 0 if all(provider.available for provider in catalog.providers) else EXIT_FAILED


@servers.command("log")
@click.argument("name", shell_complete=server_names)
@click.option("--lines", "-n", default=50, show_default=True, type=click.IntRange(0, 1_000_000), help="The number of last lines.")
@click.option("--follow", "-f", is_flag=True, help="Follow the log until Ctrl-C.")
@pass_config()
async def show_log(config: "Config", name: str, lines: int, follow: bool) -> None:
    """Show what a server said on stderr and in log messages, with the time (UTC) and the process that ran it."""
    import anyio.to_thread

    from autonomy.settings_files import server_logs
    from discovery.transport.local.server_log import followed, last_lines, log_file

    (server,) = await servers_to_ask(config, name)
    file = log_file(server_logs(config.settings), server.name)
    found = await anyio.to_thread.run_sync(last_lines, file, lines)
    for line in found:
        say(line)
    if not found and not follow:
        say(f"{name} has said nothing yet: {file}", err=True)
    if follow:
        async for line in followed(file):
            say(line)


@servers.command("sign-in")
@click.argument("name", shell_complete=server_names)
@click.option("--timeout", "timeout_s", default=600.0, show_default=True, help="Seconds to wait for the sign-in.")
@pass_config()
async def sign_in(config: "Config", name: str, timeout_s: float) -> int:
    """Sign in to a remote server with a browser; what it grants is kept, encrypted with the key of the settings."""
    import anyio.to_thread

    from autonomy import app_services
    from autonomy.cli.entry import EXIT_FAILED
    from autonomy.cli.listen import check_free
    from autonomy.errors import ConfigError
    from autonomy.stores import open_store
    from discovery.transport.authorization.sign_in import loopback_browser, loopback_place

    (server,) = await servers_to_ask(config, name)
    if server.transport != "http":
        raise click.UsageError(f"{name} runs here; only a remote server has a sign-in")
    back = server.oauth.redirect_uri if server.oauth else ""
    key = f"mcpServers.{name}.auth.redirect_uri"
    if back:
        if (place := loopback_place(back)) is None:
            raise ConfigError(
                server.source or "", key, f"{back} leads to no address of this machine, as http://127.0.0.1:PORT/ does"
            )
        check_free(f"{server.source}: {key}", *place)
    opened: list[str] = []

    def ask(address: str) -> None:
        opened.append(address)
        say("Open this address and sign in:")
        say(address)

    engine = await anyio.to_thread.run_sync(open_store, config)
    try:
        async with loopback_browser(ask, redirect_uri=back) as browser:
            found = await app_services.sign_in(config, engine, server, browser, timeout_s)
    finally:
        engine.dispose()
    if found.available:
        say(f"{name}: {'signed in' if opened else 'asked for no sign-in'}, {found.tools} tools")
        return 0
    late = f"nobody signed in within {timeout_s:g} s" if opened else f"no answer within {timeout_s:g} s"
    say(f"{name}: {found.reason or late}")
    return EXIT_FAILED


def _switch(config: "Config", name: str, tool: str | None, *, disabled: bool) -> None:
    from autonomy.settings_files import switch_tool
    from discovery.servers.editing import put_key

    server_called(config, name)
    file = own_file(config)
    if tool:
        switch_tool(config.settings, name, tool, on=not disabled)
        say(f"{name}: {tool} is {'not offered any more' if disabled else 'offered'}, by {file}")
        return
    put_key(file, name, "disabled", True if disabled else None)
    say(f"{name} is {'disabled' if disabled else 'enabled'} in {file}")
