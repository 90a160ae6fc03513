"""Lists the names that a shell completes; unreadable files are left out silently."""

import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from autonomy.settings import Config

MOST = 100
"""How many of the newest runs are completed."""

_PLAIN = re.compile(r"[\w.:@%+=,/-]+")
"""A name that a shell takes as it stands: it puts a completion into its line unquoted, where `$(…)` would be carried out."""


def _completed_by(names_of: "Callable[[Config], Iterable[str]]") -> "Callable[[click.Context, click.Parameter, str], list[str]]":
    """Complete by the names, under the settings in force, that begin so and are plain."""

    def complete(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
        with suppress(Exception):
            return [name for name in names_of(_config(ctx)) if name.startswith(incomplete) and _PLAIN.fullmatch(name)]
        return []

    return complete


@_completed_by
def job_names(config: "Config") -> Iterable[str]:
    """The names of the jobs that there are."""
    from autonomy.jobs.job_folders import job_files, job_folders, name_of

    return map(name_of, job_files(job_folders(config.settings)))


@_completed_by
def template_names(config: "Config") -> Iterable[str]:
    """The names of the templates for new jobs."""
    from autonomy.jobs.job_templates import templates

    return templates(config.settings.language)


@_completed_by
def tool_names(config: "Config") -> Iterable[str]:
    """The names of the tools that the servers in force listed last; no server is started."""
    import anyio
    import anyio.to_thread

    from autonomy.settings_files import read_servers
    from autonomy.stores import open_stores
    from discovery.review.last_known import LastKnown
    from discovery.timing.clock import SYSTEM_CLOCK

    async def listed() -> list[str]:
        async with open_stores(config) as stores:
            listings = await anyio.to_thread.run_sync(
                LastKnown(stores.engine, SYSTEM_CLOCK).load, read_servers(config.settings).servers
            )
        return [tool.name for listing in listings.values() for tool in listing.tools]

    return sorted(anyio.run(listed))


@_completed_by
def server_names(config: "Config") -> Iterable[str]:
    """The names of the servers in force."""
    from autonomy.settings_files import read_servers

    return (one.name for one in read_servers(config.settings).servers)


@_completed_by
def run_ids(config: "Config") -> Iterable[str]:
    """The ids of the newest runs."""
    import anyio

    from autonomy.stores import open_stores

    async def ids() -> list[str]:
        async with open_stores(config) as stores:
            newest = await stores.runs.newest(tenant=stores.settings.tenant, limit=MOST)
            return [record.run_id for record in newest]

    return anyio.run(ids)


def jobs_or_files(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> "list[CompletionItem]":
    """The names of the jobs; where none fits, files and folders."""
    return _or_files(job_names(ctx, parameter, incomplete), incomplete)


def runs_or_files(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> "list[CompletionItem]":
    """The ids of the newest runs; where none fits, files and folders."""
    return _or_files(run_ids(ctx, parameter, incomplete), incomplete)


def _or_files(names: Sequence[str], incomplete: str) -> "list[CompletionItem]":
    """The names; where none fits, the order to the shell to complete files and folders by itself."""
    from click.shell_completion import CompletionItem

    return [CompletionItem(name) for name in names] or [CompletionItem(incomplete, type="file")]


def _config(ctx: click.Context) -> "Config":
    """The settings in force for the line so far, which may name a home, a settings file or a servers file. Raises `ConfigError`."""
    from autonomy.settings import load

    flags = ctx.find_root().params
    return load({"home": flags.get("home"), "servers": flags.get("servers"), "config": flags.get("settings_file")})
