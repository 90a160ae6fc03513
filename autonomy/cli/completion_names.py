"""Lists the names that a shell completes; unreadable files are left out silently."""

import re
from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from autonomy.settings import Config

MOST = 100
"""Of runs: the newest."""

_PLAIN = re.compile(r"[\w.:@%+=,/-]+")
"""A name that a shell takes as it stands: it puts a completion into its line unquoted, where `$(…)` would be carried out."""


def job_names(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    """Jobs there are."""
    from autonomy.jobs.job_folders import job_files, job_folders, name_of

    with suppress(Exception):
        return _fitting(map(name_of, job_files(job_folders(_config(ctx).settings))), incomplete)
    return []


def jobs_or_files(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> "list[CompletionItem]":
    """Jobs there are, and files and folders, which the shell completes by itself."""
    from click.shell_completion import CompletionItem

    names = [CompletionItem(name) for name in job_names(ctx, parameter, incomplete)]
    return names or [CompletionItem(incomplete, type="file")]


def template_names(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    """The names of the templates for new jobs."""
    from autonomy.jobs.job_templates import templates

    with suppress(Exception):
        return _fitting(templates(_config(ctx).settings.language), incomplete)
    return []


def tool_names(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    """Tools that the servers of the file in force listed last; none is started."""
    import anyio
    import anyio.to_thread

    from autonomy.settings_files import read_servers
    from autonomy.stores import open_stores
    from discovery.review.last_known import LastKnown
    from discovery.timing.clock import SYSTEM_CLOCK

    async def listed() -> list[str]:
        config = _config(ctx)
        async with open_stores(config) as stores:
            listings = await anyio.to_thread.run_sync(
                LastKnown(stores.engine, SYSTEM_CLOCK).load, read_servers(config.settings).servers
            )
        return [tool.name for listing in listings.values() for tool in listing.tools]

    with suppress(Exception):
        return sorted(_fitting(anyio.run(listed), incomplete))
    return []


def server_names(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    """Servers of the file in force."""
    from autonomy.settings_files import read_servers

    with suppress(Exception):
        return _fitting((one.name for one in read_servers(_config(ctx).settings).servers), incomplete)
    return []


def run_ids(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    """The newest runs."""
    import anyio

    from autonomy.stores import open_stores

    async def newest() -> list[str]:
        async with open_stores(_config(ctx)) as stores:
            return [record.run_id for record in await stores.runs.newest(limit=MOST)]

    with suppress(Exception):
        return _fitting(anyio.run(newest), incomplete)
    return []


def runs_or_files(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> "list[CompletionItem]":
    """The newest runs, and files and folders, which the shell completes by itself."""
    from click.shell_completion import CompletionItem

    runs = [CompletionItem(run_id) for run_id in run_ids(ctx, parameter, incomplete)]
    return runs or [CompletionItem(incomplete, type="file")]


def _fitting(names: Iterable[str], incomplete: str) -> list[str]:
    """The names that begin so, and that are plain."""
    return [name for name in names if name.startswith(incomplete) and _PLAIN.fullmatch(name)]


def _config(ctx: click.Context) -> "Config":
    """The settings in force for the line so far, which may name a home, a settings file or a servers file. Raises `ConfigError`."""
    from autonomy.settings import load

    flags = ctx.find_root().params
    return load({"home": flags.get("home"), "servers": flags.get("servers"), "config": flags.get("settings_file")})
