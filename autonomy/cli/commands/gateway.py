"""`jiritsu gateway`: serves all servers as one MCP entry, and moves another host's servers behind it."""

import os
from collections.abc import Callable
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

import click

from autonomy.cli.decorators import pass_config
from autonomy.cli.entry import settings_of
from autonomy.cli.terminal import agreed, say, show
from autonomy.errors import ConfigError
from autonomy.settings import OWN_SERVERS
from discovery.text.near_names import did_you_mean

if TYPE_CHECKING:
    from autonomy.mcp_gateway.clients.access_tokens import AccessTokens
    from autonomy.mcp_gateway.host_install import HostChange
    from autonomy.mcp_gateway.mcp_server import GatewayServer
    from autonomy.settings import Config, Settings

HOSTS = ("claude-code", "claude-desktop", "cursor", "vscode", "codex")


@click.group(invoke_without_command=True)
@click.option("--client", default="default", show_default=True, help="The profile of the stdio client: [gateway.clients.NAME].")
@click.option(
    "--http", "address", default="", metavar="HOST:PORT", help="Serve over HTTP at /mcp at this address, to clients with a token."
)
@click.pass_context
def gateway(ctx: click.Context, client: str, address: str) -> None:
    """Put every configured server behind one MCP entry, for other agents. See docs/gateway.md.

    \b
    jiritsu gateway                          for a desktop client, over stdio
    jiritsu gateway --http 127.0.0.1:8765    for a team; each client has a token
    jiritsu gateway install cursor           move Cursor's servers behind it
    """
    if ctx.invoked_subcommand is not None:
        return
    if address and ctx.get_parameter_source("client") is click.core.ParameterSource.COMMANDLINE:
        raise click.UsageError("--client is for stdio; over --http a client is known by its token")
    config = settings_of(ctx, calls_tools=True, serves="http" if address else "stdio")
    from autonomy.app_services import gateway_clients
    from autonomy.cli.entry import run_async

    clients, origin = gateway_clients(config), config.origins["gateway"]
    where = _where(address) if address else None
    try:
        tokens = clients.tokens(os.environ)
    except ValueError as error:
        raise ConfigError(origin, "gateway.clients", str(error)) from error
    access_tokens = clients.access_tokens()
    if where and not tokens and access_tokens is None:
        why = "no client has a token_env whose variable is set, nor an oauth_client beside [gateway.oauth]"
        raise ConfigError(origin, "gateway.clients", why)
    if not where and clients.named(client) is None:
        raise ConfigError(origin, f"gateway.clients.{client}", f"there is no such client{did_you_mean(client, clients.clients)}")
    works = any(one.jobs or one.ask for one in clients.clients.values())

    from autonomy.app import open_app  # reads files, so not on the event loop

    async def command() -> None:
        from autonomy.app_services import mcp_gateway

        async with AsyncExitStack() as stack:
            app = await stack.enter_async_context(open_app(config, approver=None, runs_goals=works))
            runs = await stack.enter_async_context(app.durable()) if works else None
            await _serve(mcp_gateway(app, runs, stdio_client=client), where, tokens, access_tokens)

    run_async(command, stays=True)


def _where(address: str) -> tuple[str, int]:
    """Host and port to serve at, which are free now. Raises `ConfigError`."""
    from autonomy.cli.listen import check_free, split_address  # brings an HTTP server, which a gateway over stdio does not need

    where = split_address("--http", address)
    check_free("--http", *where)
    return where


async def _serve(
    serving: "GatewayServer", where: tuple[str, int] | None, tokens: dict[str, str], access_tokens: "AccessTokens | None"
) -> None:
    from autonomy.mcp_gateway.transports.gateway_stdio import are_pipes, serve_stdio

    async with serving.open():
        if where is not None:
            await _serve_http(serving, where, tokens, access_tokens)
            return
        owed: dict[int | str, Callable[[bool], None]] = {}
        serving.owed = owed if are_pipes() else None
        await serve_stdio(serving.server(), owed)


async def _serve_http(
    serving: "GatewayServer", where: tuple[str, int], tokens: dict[str, str], access_tokens: "AccessTokens | None"
) -> None:
    from autonomy.cli.listen import host_and_port, serve_asgi
    from autonomy.mcp_gateway.transports.gateway_http import TokenAuthMiddleware
    from autonomy.mcp_gateway.transports.http_sessions import Sessions

    sessions = Sessions(serving.server(), where[0], serving.gone)
    async with sessions.run():
        say(f"jiritsu gateway: http://{host_and_port(*where)}/mcp", err=True)
        await serve_asgi(TokenAuthMiddleware(sessions.handle_request, tokens, access_tokens, sessions.end), *where, "--http")


@gateway.command("install")
@click.argument("host", type=click.Choice(HOSTS))
@click.option("--yes", is_flag=True, help="Do not ask.")
@pass_config()
def install(config: "Config", host: str, yes: bool) -> None:
    """Move a host's servers behind the gateway: shown as a diff first, with a backup beside its file."""
    _change(config.settings, host, yes, installing=True)


@gateway.command("uninstall")
@click.argument("host", type=click.Choice(HOSTS))
@click.option("--yes", is_flag=True, help="Do not ask.")
@pass_config()
def uninstall(config: "Config", host: str, yes: bool) -> None:
    """Restore a host's own servers, as they were before `install`."""
    _change(config.settings, host, yes, installing=False)


def _trust_what_was_taken(settings: "Settings", plan: "HostChange") -> None:
    """The person has just seen these servers in the diff, and used them before."""
    import time

    from autonomy.settings_files import servers_of
    from discovery.servers.trust import FILE, TrustStore

    written = {file.resolve() for file, _, _ in plan.writes}
    store = TrustStore(settings.home / FILE)
    for server in servers_of(settings, (settings.home / OWN_SERVERS).absolute()).servers:
        if server.source is not None and server.source.resolve() in written:
            store.trust(server, at=time.time())


def _change(settings: "Settings", host: str, yes: bool, *, installing: bool) -> None:
    from pathlib import Path

    from autonomy.mcp_gateway.host_install import plan_install, plan_uninstall
    from autonomy.settings_files import on_sample

    plan = (plan_install if installing else plan_uninstall)(host, Path.home(), settings.home)
    if plan is None:
        say(f"{host}: there is nothing to change")
        return
    show(plan.diff)
    if not yes and not agreed("Make these changes?", err=False):
        say("Nothing was changed.")
        return
    sample = installing and on_sample(settings)
    for line in tuple(plan.carry_out()):  # all of it, also where nobody reads what is said
        say(line)
    if installing:
        _trust_what_was_taken(settings, plan)
    if sample:
        say("these servers are now in place of the sample workspace; `--sample en` or `--sample ja` still runs on it")
