"""`jiritsu report`: reports how autonomous runs were, over a period or one by one."""

from datetime import datetime, tzinfo
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click
from click.core import ParameterSource

from autonomy.cli.completion_names import job_names, run_ids
from autonomy.cli.decorators import AS_JSON, pass_config
from autonomy.cli.parameter_types import LAST_UPGRADE, Moment, Since, moment_of
from autonomy.cli.terminal import agreed, print_json, say
from autonomy.cli.words.terminal_words import terminal_language

if TYPE_CHECKING:
    from autonomy.settings import Config, Settings
    from metrics.reporting.fitted_signs import SignFit


@click.group(invoke_without_command=True)
@click.option(
    "--since",
    type=Since(),
    default="7d",
    show_default=True,
    help="Only runs that began since this: 7d, 12h, 2w, a date, or last-upgrade.",
)
@click.option("--until", type=Moment(), help="Only runs that began before this. Default: now.")
@click.option("--job", shell_complete=job_names, help="Only this job.")
@click.option("--tenant", help="The tenant. Default: that of the settings.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["terminal", "json", "html", "markdown", "csv"]),
    default="terminal",
    show_default=True,
    help="The output form, on stdout.",
)
@click.option("--json", "form", flag_value="json", help="The same as --format json.")
@click.option(
    "--html", "file", type=click.Path(dir_okay=False, writable=True), help="Write one self-contained HTML page to this file."
)
@click.option("--lang", "language", type=click.Choice(["ja", "en"]), help="The language. Default: that of the settings.")
@click.option(
    "--post", metavar="CHANNEL", help="Post the summary in a Slack channel now; [report] in the settings does it on a schedule."
)
@click.option(
    "--import",
    "imported",
    multiple=True,
    metavar="PATH",
    help="Report other agents' runs instead: a trace file or a folder of them; may be given several times.",
)
@click.option("--explain", metavar="RUN", shell_complete=run_ids, help="Explain the score of one run, instead of a period.")
@click.pass_context
def report(
    ctx: click.Context,
    since: str,
    until: str | None,
    job: str | None,
    tenant: str | None,
    form: str,
    file: str | None,
    language: Literal["ja", "en"] | None,
    post: str | None,
    imported: tuple[str, ...],
    explain: str | None,
) -> None:
    """Report how autonomous runs were over a period: measures, lost points and their causes, and what to change.

    \b
    jiritsu report --since 30d
    jiritsu report --html report.html
    jiritsu report --explain 20251121-09
    jiritsu report --import ~/.claude/projects
    jiritsu report signs
    """
    if ctx.invoked_subcommand is not None:
        _refuse_options(ctx)
        return
    from zoneinfo import ZoneInfo

    import anyio.to_thread

    from autonomy.cli.entry import run_async, settings_of
    from autonomy.cli.reports.report_forms import Form, show_period, show_run
    from autonomy.cli.reports.sign_fit import read_fit
    from autonomy.stores import open_stores
    from metrics.reporting.report_data import Report, RunReport, read_report
    from metrics.reporting.report_data import explain as explained

    config = settings_of(ctx)
    settings, tz, whose = config.settings, ZoneInfo(config.settings.timezone), tenant or config.settings.tenant
    _check_choices(explain=explain is not None, post=post is not None, imported=bool(imported), form=form)
    if post is not None:
        from autonomy.cli.reports.report_posting import post_period
    here = terminal_language() if form == "terminal" and file is None else settings.language
    shown = Form(form, file, language or here, settings.timezone)
    if since == LAST_UPGRADE:
        since = datetime.fromtimestamp(_upgraded_at(config), tz).isoformat()
    begin, end = period(since, until, tz)

    def of_traces() -> Report:
        from autonomy.cli.reports.imported_report import imported_report

        is_given = ctx.get_parameter_source("since") is not ParameterSource.DEFAULT
        now = datetime.now(tz).timestamp()
        bounds = {"since": begin if is_given else None, "until": end if until else None}
        return imported_report(imported, now=now, tz=tz, job=job, **bounds)

    async def of_run(run_id: str) -> RunReport:
        async with open_stores(config) as stores:
            record = await stores.runs.get(run_id, tenant=whose)
            return explained(await stores.journal.read(run_id=record.run_id))

    async def of_period() -> Report:
        drawn = 6 if file or form == "html" else 0
        now = datetime.now(tz).timestamp()
        read = partial(read_report, since=begin, until=end, made_at=now, tz=tz, job=job, tenant=whose, pictures=drawn)
        fitted = await anyio.to_thread.run_sync(partial(read_fit, settings, tenant=whose))
        async with open_stores(config) as stores:
            return await read(stores.journal, fitted=fitted)

    async def command() -> int:
        if imported:
            return await anyio.to_thread.run_sync(lambda: show_period(of_traces(), shown))
        if post is not None:
            return await post_period(config, post, (begin, end), job=job or "", tenant=whose, language=shown.language)
        if explain is not None:
            return await anyio.to_thread.run_sync(show_run, await of_run(explain), shown)
        return await anyio.to_thread.run_sync(show_period, await of_period(), shown)

    run_async(command)


def _refuse_options(ctx: click.Context) -> None:
    """Refuse what was said of a period before the name of another command, which would not heed it; a usage error."""
    if any(ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE for name in ctx.params):
        raise click.UsageError("the options of a report do not go with a command; leave them out")


def _check_choices(*, explain: bool, post: bool, imported: bool, form: str) -> None:
    """Refuse options that say two things; a usage error."""
    if explain and post:
        raise click.UsageError("a run's explanation is not posted; --post is for a period")
    if explain and form == "csv":
        raise click.UsageError("one run has no CSV form; use terminal, json, html or markdown")
    if imported and (post or explain):
        raise click.UsageError("imported runs are reported as a period; without --post and --explain")


@report.command("signs")
@click.option("--write", is_flag=True, help="Rank the runs worth a look by these points from now on, after you confirm.")
@click.option("--remove", is_flag=True, help="Go back to the shipped ranking, after you confirm.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@AS_JSON
@pass_config()
def signs(config: "Config", write: bool, remove: bool, yes: bool, as_json: bool) -> None:
    """Show which lost points go with results that people here disliked, and fit the runs worth a look to it.

    It takes 100 runs with a vote, 10 of each kind. Without --write nothing changes.
    """
    from autonomy.cli.entry import run_async
    from autonomy.cli.reports.sign_fit import file_of_fit

    if write and remove:
        raise click.UsageError("--write and --remove exclude each other")
    if remove:
        _remove_fit(file_of_fit(config.settings), yes=yes)
    else:
        run_async(partial(_fit_signs, config, write=write, yes=yes, as_json=as_json))


async def _fit_signs(config: "Config", *, write: bool, yes: bool, as_json: bool) -> int:
    import anyio.to_thread

    from autonomy.stores import open_stores
    from metrics.reporting.fitted_signs import fit_signs, voted_runs

    settings = config.settings
    async with open_stores(config) as stores:
        fit = fit_signs(await voted_runs(stores.journal, tenant=settings.tenant))
    if fit.too_few:
        say(fit.too_few, err=True)
        return 1
    _show_fit(fit, as_json=as_json)
    then = partial(_write_fit, settings, fit, yes=yes, as_json=as_json) if write else partial(_tell_fit_in_force, settings)
    return await anyio.to_thread.run_sync(then)


def _show_fit(fit: "SignFit", *, as_json: bool) -> None:
    import dataclasses

    from autonomy.cli.reports.sign_fit import fit_in_lines

    if as_json:
        print_json({**dataclasses.asdict(fit), "doubtful_from": fit.doubtful_from})
        return
    for line in fit_in_lines(fit):
        say(line)


def _tell_fit_in_force(settings: "Settings") -> int:
    """Say what ranks the runs as yet, if it is not the shipped ranking; the exit code."""
    from autonomy.cli.reports.sign_fit import file_of_fit, read_fit

    fitted = read_fit(settings, tenant=settings.tenant)
    if fitted is not None:
        say(f"in force: fitted to {fitted.votes} of your own votes on {fitted.fitted_on} ({file_of_fit(settings)})", err=True)
    return 0


def _write_fit(settings: "Settings", fit: "SignFit", *, yes: bool, as_json: bool) -> int:
    """Rank by a fit from now on, once a person agrees; the exit code."""
    from autonomy.cli.reports.sign_fit import file_of_fit, write_fit

    file = file_of_fit(settings)
    if not yes and not agreed(f"Rank the runs worth a look by these points ({file})?", err=as_json):
        return 1
    write_fit(settings, fit, on=settings.now().date())
    say(f"{file} has the points; jiritsu report signs --remove goes back to the shipped ranking", err=True)
    return 0


def _remove_fit(file: Path, *, yes: bool) -> None:
    """Go back to the shipped ranking, once a person agrees."""
    if not file.exists():
        raise click.ClickException("the ranking is the shipped one already")
    if not yes and not agreed(f"Remove {file}, and rank as shipped?"):
        raise click.exceptions.Exit(1)
    file.unlink()
    say("the ranking is the shipped one again", err=True)


def _upgraded_at(config: "Config") -> float:
    """The time at which this release first opened the database, in seconds since the epoch."""
    from autonomy.database import last_upgrade
    from autonomy.errors import StoreError
    from autonomy.stores import open_store

    try:
        engine = open_store(config)
    except StoreError as error:
        raise click.ClickException(str(error)) from error
    try:
        return last_upgrade(engine)
    finally:
        engine.dispose()


def period(since: str, until: str | None, tz: tzinfo) -> tuple[float, float]:
    """The bounds of a period in seconds since the epoch; a usage error when it ends before it begins."""
    now = datetime.now(tz)
    begin, end = moment_of(since, now), moment_of(until, now) if until else now
    if begin >= end:
        raise click.BadParameter(f"the period from {begin:%Y-%m-%d %H:%M} to {end:%Y-%m-%d %H:%M} is empty", param_hint="--since")
    return begin.timestamp(), end.timestamp()
