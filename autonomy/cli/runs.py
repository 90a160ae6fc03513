"""`jiritsu runs`: what was asked and what came of it."""

import click


@click.group()
def runs() -> None:
    """List runs and show what they did."""


@runs.command("list")
@click.option("--job", help="Only runs of this job.")
@click.option("--limit", default=20, show_default=True, help="How many, newest first.")
@click.option("--json", "as_json", is_flag=True)
@click.pass_context
def list_runs(ctx: click.Context, job: str | None, limit: int, as_json: bool) -> None:
    """The newest runs first."""
    from autonomy.cli.entry import print_json, run_async, settings_of

    config = settings_of(ctx)

    async def command() -> int:
        from datetime import datetime

        from autonomy.app import open_records

        async with open_records(config) as (records, _):
            found = await records.newest(job=job, limit=limit, tenant=config.settings.tenant)
        if as_json:
            print_json([record.model_dump(mode="json", exclude={"request", "result"}) for record in found])
        for record in () if as_json else found:
            when = datetime.fromtimestamp(record.asked_at).astimezone()
            what = record.job or record.request.task.goal
            click.echo(f"{record.run_id}  {when:%Y-%m-%d %H:%M}  {record.state:<10} {what}")
        if not found and not as_json:
            click.echo("no runs yet", err=True)
        return 0

    run_async(command)


@runs.command("show")
@click.argument("run_id")
@click.option("--json", "as_json", is_flag=True)
@click.pass_context
def show_run(ctx: click.Context, run_id: str, as_json: bool) -> None:
    """One run, by its id or the beginning of it: its result, its calls and its measures."""
    from autonomy.cli.entry import print_json, run_async, settings_of

    config = settings_of(ctx)

    async def command() -> int:
        from rich.console import Console

        from autonomy.app import open_records
        from metrics.report import explain
        from metrics.report_terminal import print_run

        async with open_records(config) as (records, journal):
            record = await records.get(run_id, tenant=config.settings.tenant)
            events = await journal.read(run_id=record.run_id)
        if as_json:
            print_json({**record.model_dump(mode="json"), "events": [event.model_dump(mode="json") for event in events]})
            return 0
        click.echo(f"{record.run_id}  {record.job or record.request.task.goal}  {record.state}")
        if (result := record.result) is not None:
            click.echo(result.reason or "", nl=bool(result.reason))
            for call in result.calls:
                cured = f" (cured by {call.cured_by})" if call.cured_by else ""
                click.echo(f"  turn {call.turn}  {call.asked}  {call.result.kind}{cured}  {call.duration_s:.2f} s")
            for receipt in result.receipts:
                click.echo(f"  receipt: {receipt.tool} → {receipt.target or receipt.state} ({receipt.read_back})")
            click.echo(f"\n{result.text}")
        if events:
            print_run(explain(events), Console(highlight=False), config.settings.language, config.settings.timezone)
        return 0

    run_async(command)
