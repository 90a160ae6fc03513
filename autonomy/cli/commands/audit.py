"""`jiritsu audit`: verifies and shows the append-only log."""

from datetime import datetime
from typing import TYPE_CHECKING

import click

from autonomy.cli.completion_names import run_ids
from autonomy.cli.decorators import AS_JSON, confirmation, pass_stores
from autonomy.cli.parameter_types import HOW_MANY, REASON, Moment, moment_of
from autonomy.cli.terminal import print_json, say, say_table
from autonomy.cli.words.terminal_words import terminal_language

if TYPE_CHECKING:
    from autonomy.stores import Stores


@click.group()
def audit() -> None:
    """Verify and show the append-only log.

    \b
    jiritsu audit verify
    jiritsu audit show --limit 20
    """


@audit.command("verify")
@click.option("--anchor", "anchors", multiple=True, help="An anchor noted earlier (`audit anchor`); finds a truncated end.")
@AS_JSON
@pass_stores
async def verify_log(stores: "Stores", anchors: tuple[str, ...], as_json: bool) -> int:
    """Check every row of the log; exit code 1 when anything was changed, removed or cut off."""
    from metrics.hash_chain import ChainLink

    try:
        links = [ChainLink.parse(anchor) for anchor in anchors]
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--anchor") from error

    from autonomy.cli.words.terminal_words import translate

    found = await stores.journal.verify(links)
    findings = [finding._asdict() for finding in found.findings]
    if as_json:
        summary = {
            "intact": found.intact,
            "rows": found.rows,
            "erased": found.erased,
            "keyed": found.keyed,
            "head": str(found.head),
            "anchored": found.anchored,
            "unchecked": found.unchecked,
            "lost": found.lost,
        }
        print_json({**summary, "findings": findings})
    else:
        say(f"{'intact' if found.intact else 'NOT INTACT'}: {found.rows} rows, {found.erased} erased, head {found.head}")
        for finding in found.findings:
            say(f"  row {finding.seq}: {finding.kind}: {translate(finding.detail)}")
        if found.intact and found.anchored < found.head.seq:
            newest = f"newest row with an anchor outside the database: {found.anchored}; what was cut off later could not be told"
            none = "no row has an anchor outside the database; what was cut off later could not be told"
            say(newest if found.anchored else none, err=True)
        if found.unchecked:
            say(
                f"{found.unchecked} rows are under an earlier key that is not among JIRITSU_KEY: sealed since the key was changed, "
                "not checked one by one",
                err=True,
            )
        if found.lost:
            say(f"the rows up to {found.lost} were sealed without their key, which was lost: they cannot be checked", err=True)
        if not found.keyed:
            say("no key is set (JIRITSU_KEY): a skilful edit could not be told", err=True)
        elif any(finding.kind == "edited" for finding in found.findings):
            say("rows whose key was taken out of JIRITSU_KEY look edited, too: put it back behind the new one", err=True)
    return 0 if found.intact else 1


@audit.command("anchor")
@pass_stores
async def anchor(stores: "Stores") -> None:
    """Print an anchor of the log's end: kept elsewhere, it reveals a later truncation."""

    say(str(await stores.journal.anchor()))


@audit.command("show")
@click.option("--after", type=click.IntRange(0, 2**63 - 1), default=0, show_default=True, help="Only rows after this number.")
@click.option("--limit", type=HOW_MANY, default=50, show_default=True, help="The number of rows.")
@click.option("--run", "run_id", shell_complete=run_ids, help="Only the rows of this run, by its id or the beginning of it.")
@AS_JSON
@pass_stores
async def show_log(stores: "Stores", after: int, limit: int, run_id: str | None, as_json: bool) -> None:
    """Show the log's rows in order; of one run first how it ended, why, and what it called."""
    from zoneinfo import ZoneInfo

    from autonomy.errors import UnknownRun

    rows = await stores.journal.rows(after=after, limit=limit, run=run_id or "")
    if run_id and not rows and not await stores.journal.rows(after=0, limit=1, run=run_id):
        raise UnknownRun(run_id)
    if as_json:
        print_json([{**row._asdict(), "digest": row.digest.hex(), "mac": row.mac.hex()} for row in rows])
        return
    of_one_run = bool(run_id) and len({row.run_id for row in rows}) == 1
    if of_one_run:
        say(rows[0].run_id)
    if run_id and rows:
        from autonomy.cli.reports.run_in_lines import run_in_lines  # its words are of no use to the rows alone

        events = await stores.journal.read(run_id=rows[0].run_id)
        for line in run_in_lines(events, terminal_language()):
            say(line)
    zone = ZoneInfo(stores.settings.timezone)
    say_table(
        (
            f"{row.seq:>7}",
            f"{datetime.fromtimestamp(row.at, zone):%Y-%m-%d %H:%M:%S}",
            row.mac.hex()[:12],
            row.type,
            *(() if of_one_run else (row.run_id,)),
            row.key,
        )
        for row in rows
    )


@audit.command("erase")
@click.argument("run_id")
@click.option("--reason", type=REASON, required=True, help="The reason; it is logged.")
@click.option("--by", default="", help="Who asks for it; it is logged.")
@confirmation("The bodies of this run's events will be gone for good. Go on?")
@pass_stores
async def erase(stores: "Stores", run_id: str, reason: str, by: str) -> int:
    """Remove what the log holds of one run, leaving the digests, so that the log still verifies."""

    count = await stores.journal.erase(run_id, by=by, reason=reason)
    say(f"{count} events erased" if count else f"the log keeps nothing of a run whose whole id is {run_id}", err=not count)
    return 0 if count else 1


@audit.command("prune")
@click.option("--before", type=Moment(), required=True, help="Remove rows older than this: 90d, or a date.")
@confirmation("Older rows will be gone for good. Go on?")
@pass_stores
async def prune(stores: "Stores", before: str) -> None:
    """Cut off the oldest rows; the rest still verifies."""

    now = stores.settings.now()
    count = await stores.journal.prune(moment_of(before, now).timestamp())
    say(f"{count} rows removed")
