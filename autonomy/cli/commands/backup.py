"""`jiritsu backup`: copies the database while it is in use."""

from typing import TYPE_CHECKING

import click

from autonomy.cli.decorators import pass_config
from autonomy.cli.terminal import say

if TYPE_CHECKING:
    from autonomy.settings import Config


@click.command()
@click.argument("target", type=click.Path())
@pass_config()
async def backup(config: "Config", target: str) -> None:
    """Write a copy of the database to TARGET, as it is. Runs may go on meanwhile."""
    from pathlib import Path

    from anyio.to_thread import run_sync

    from autonomy.durable.storage.database_backup import back_up
    from autonomy.stores import open_as_it_is

    engine = await run_sync(open_as_it_is, config)
    try:
        size = await run_sync(back_up, engine, Path(target))
    finally:
        engine.dispose()
    say(f"{target}: {size / 1e6:.1f} MB", err=True)
