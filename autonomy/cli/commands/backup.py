"""`jiritsu backup`: copies the database while it is in use."""

import click

from autonomy.cli.terminal import say


@click.command()
@click.argument("target", type=click.Path())
@click.pass_context
def backup(ctx: click.Context, target: str) -> None:
    """Write a copy of the database to TARGET. Runs may go on meanwhile."""
    from autonomy.cli.entry import run_async, settings_of

    config = settings_of(ctx)

    async def command() -> int:
        from pathlib import Path

        from anyio.to_thread import run_sync

        from autonomy.durable.storage.database_backup import back_up
        from autonomy.stores import open_stores

        async with open_stores(config) as stores:
            size = await run_sync(back_up, stores.engine, Path(target))
        say(f"{target}: {size / 1e6:.1f} MB", err=True)
        return 0

    run_async(command)
