"""`jiritsu backup`: copies the database while it is in use."""

from typing import TYPE_CHECKING

import click

from autonomy.cli.decorators import pass_stores
from autonomy.cli.terminal import say

if TYPE_CHECKING:
    from autonomy.stores import Stores


@click.command()
@click.argument("target", type=click.Path())
@pass_stores
async def backup(stores: "Stores", target: str) -> None:
    """Write a copy of the database to TARGET. Runs may go on meanwhile."""
    from pathlib import Path

    from anyio.to_thread import run_sync

    from autonomy.durable.storage.database_backup import back_up

    size = await run_sync(back_up, stores.engine, Path(target))
    say(f"{target}: {size / 1e6:.1f} MB", err=True)
