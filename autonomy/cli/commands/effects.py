"""`jiritsu effects`: lists writes with an unknown outcome, and records what a person found out."""

from typing import TYPE_CHECKING

import click

from autonomy.cli.decorators import AS_JSON, pass_stores
from autonomy.cli.terminal import print_json, say

if TYPE_CHECKING:
    from autonomy.stores import Stores

UNDER_WAY_S = 600.0
"""So long whoever sent a write may still be waiting for its answer."""


@click.group(invoke_without_command=True)
@click.pass_context
def effects(ctx: click.Context) -> None:
    """List writes whose outcome is unknown, and resolve them.

    \b
    jiritsu effects list
    jiritsu effects resolve KEY --did-not-happen --note "not in the channel"
    """
    if ctx.invoked_subcommand is None:
        ctx.invoke(list_effects)


@effects.command("list")
@AS_JSON
@pass_stores
async def list_effects(stores: "Stores", as_json: bool) -> None:
    """List what is unknown, oldest first, with what to look for."""
    import time
    from datetime import datetime
    from zoneinfo import ZoneInfo

    found = await stores.ledger.unsettled(tenant=stores.settings.tenant)
    if as_json:
        print_json([effect.model_dump(mode="json") for effect in found])
        return
    for effect in found:
        when = datetime.fromtimestamp(effect.started_at, ZoneInfo(stores.settings.timezone))
        if effect.state == "started" and time.time() - effect.started_at < UNDER_WAY_S:
            say(f"{effect.key}  {effect.tool}  sent {when:%Y-%m-%d %H:%M:%S}, not confirmed yet; it may still be under way")
            continue
        say(f"{effect.key}  {effect.tool}  sent {when:%Y-%m-%d %H:%M:%S}, never confirmed")
        say(f"  look at the receiving side whether it is there, then: jiritsu effects resolve {effect.key} --happened")
    if not found:
        say("every write's outcome is known", err=True)


@effects.command("resolve")
@click.argument("key")
@click.option("--happened/--did-not-happen", required=True, default=None, help="What you saw at the receiving side.")
@click.option("--note", default="", help="What you saw, for whoever reads it later.")
@pass_stores
async def resolve(stores: "Stores", key: str, happened: bool, note: str) -> None:
    """Record the outcome of a write; a write that did not happen may then be tried again."""
    import time

    import anyio.to_thread

    from autonomy.cli.entry import who
    from metrics.events import Intervention

    await anyio.to_thread.run_sync(stores.journal.require_key)
    effect = await stores.ledger.resolve(key, happened=happened, by=who(), note=note, tenant=stores.settings.tenant)
    now = time.time()
    event = Intervention(
        run_id=effect.run_id,
        key=f"resolved-{key}-{now:.3f}",  # one that did not happen may be tried, and resolved, again
        at=now,
        tenant=stores.settings.tenant,
        kind="resolve_effect",
        by=who(),
    )
    await stores.journal.write([event])
    say(f"{key}: {'it happened' if happened else 'it did not happen, and may be tried again'}", err=True)
