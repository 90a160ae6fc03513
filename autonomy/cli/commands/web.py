"""`jiritsu web`: serves the console."""

from typing import TYPE_CHECKING

import click

from autonomy.cli.decorators import pass_config
from autonomy.cli.terminal import say

if TYPE_CHECKING:
    from autonomy.app import App
    from autonomy.settings import Config
    from autonomy.stores import Stores
    from autonomy.web.web_settings import WebSettings


@click.command()
@click.option(
    "--listen", default="", metavar="HOST:PORT", help="The address to listen on. Default: [web] listen, else 127.0.0.1:8484."
)
@pass_config(calls_tools=True, stays=True)
async def web(config: "Config", listen: str) -> None:
    """Show runs live, and decide what waits, in a browser.

    Prints a link that signs its first reader in. Beyond this machine it takes [web] password or proxy_header; see
    docs/console.md.
    """
    from autonomy.cli.process_log import announce_problems
    from autonomy.cli.settings_tables import table_problems
    from autonomy.stores import open_stores

    announce_problems(*table_problems(config))
    async with open_stores(config) as stores:
        await serve_console(stores, listen)


async def serve_console(stores: "App | Stores", listen: str = "") -> None:
    """Serve the console until cancelled, and say where. Raises `ConfigError` for an address that is taken or not allowed."""
    import anyio.to_thread

    from autonomy.app_services import console
    from autonomy.cli.entry import who
    from autonomy.cli.listen import check_free, serve_asgi
    from autonomy.cli.process_log import announce
    from autonomy.cli.words.terminal_words import in_japanese
    from autonomy.web.access import LINK_MINUTES
    from autonomy.web.console import console_app, get_ready, keep_counted

    opened = await anyio.to_thread.run_sync(lambda: console(stores, listen, owner=who(), in_japanese=in_japanese))
    settings = opened.authenticator.settings
    check_free("--listen", settings.host, settings.port)
    served = await anyio.to_thread.run_sync(console_app, opened)
    base = f"http://{_reached_as(settings)}"
    if not settings.password.get_secret_value() and not settings.proxy_header:
        say(f"jiritsu console: {opened.authenticator.new_link(base)}", err=True)
        say(f"The link signs in once, within {LINK_MINUTES} minutes; start anew for another.", err=True)
    else:
        announce(f"jiritsu console: {base}")
    async with anyio.create_task_group() as group:
        group.start_soon(get_ready, opened)
        group.start_soon(keep_counted, opened)
        await serve_asgi(served, settings.host, settings.port, "--listen")


def _reached_as(settings: "WebSettings") -> str:
    """Where a browser finds it: a name beyond loopback is a proxy's, on the proxy's port."""
    from autonomy.web.web_settings import LOOPBACK

    if not settings.hosts:
        return settings.listen
    name = settings.hosts[0]
    return f"{name}:{settings.port}" if name in LOOPBACK else name
