"""`jiritsu restore`: puts a verified backup in the place of the database, and keeps the old one."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from autonomy.cli.decorators import pass_config
from autonomy.cli.terminal import say

if TYPE_CHECKING:
    from autonomy.settings import Config


@click.command()
@click.argument("source", type=click.Path(path_type=Path))
@pass_config()
async def restore(config: "Config", source: Path) -> None:
    """Put the copy SOURCE, made by `jiritsu backup`, in place of the database. Stop every worker first."""
    from anyio.to_thread import run_sync
    from sqlalchemy import make_url

    from autonomy.durable.storage.database_backup import bring_back
    from autonomy.stores import ROOMS, anchor_file, open_stores

    previous = await run_sync(bring_back, config.database_url, source, {room.name: room.version for room in ROOMS})
    anchors = anchor_file(config.settings, make_url(config.database_url))
    aside = await run_sync(anchors.set_aside, previous.name if previous else source.name)
    async with open_stores(config) as stores:  # brings an older copy up to date
        newest = await stores.runs.newest(limit=1)
    say(f"restored {source}" + (f"; what was there is kept as {previous}" if previous else ""), err=True)
    if aside:
        say(f"the anchors of the log that was there are kept as {aside}", err=True)
    say(f"newest run: {newest[0].run_id}" if newest else "it holds no runs", err=True)
    say("Runs that were under way in the copy go on when a worker starts: see `jiritsu runs list` first.", err=True)
