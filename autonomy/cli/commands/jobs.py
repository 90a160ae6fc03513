"""`jiritsu jobs`: lists, creates, checks, pauses and resumes jobs."""

import shlex
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from autonomy.cli.completion_names import job_names, jobs_or_files, template_names
from autonomy.cli.terminal import AS_JSON, HOW_MANY, REASON, padded, print_json, say
from autonomy.cli.words.terminal_words import translate
from autonomy.cli.words.text_columns import columns_of
from discovery.text.near_names import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from autonomy.durable.scheduling.schedules import ScheduleState, ScheduleTick
    from autonomy.durable.scheduling.timetable import Timetable
    from autonomy.jobs.job import Job
    from autonomy.run_state.quiet_hours import QuietHours
    from autonomy.settings import Config, Settings
    from discovery.catalog import ToolSpec


@click.group()
def jobs() -> None:
    """List, create and check jobs; pause and resume their schedules.

    \b
    jiritsu jobs list
    jiritsu jobs next diary --count 3
    jiritsu jobs pause diary --reason "on holiday"
    """


@jobs.command("list")
@AS_JSON
@click.pass_context
def list_jobs(ctx: click.Context, as_json: bool) -> None:
    """List all jobs, and when each runs next."""
    from autonomy.cli.entry import run_async, settings_of

    config = settings_of(ctx)

    async def command() -> int:
        from autonomy.jobs.job import REPORT
        from autonomy.jobs.job_folders import job_folders
        from autonomy.jobs.job_loading import read_all
        from autonomy.jobs.job_runner import is_off, plan_of
        from autonomy.notifications.report_settings import report_settings
        from autonomy.settings_files import quiet_hours
        from autonomy.stores import open_stores
        from metrics.reporting.report_words import word

        quiet = quiet_hours(config)
        found, problems = read_all(job_folders(config.settings))
        for problem in problems.values():
            say(f"left out: {problem}", err=True)
        async with open_stores(config) as stores:
            standings = await stores.schedules.standings()
            waiting = {tick.job for tick in await stores.schedules.to_start()}
        rows = [
            _row(
                job.name,
                job.title,
                plan_of(job) if job.schedule else None,
                standings.get(job.name),
                off=is_off(job, standings.get(job.name)),
                started_by=started_by(job),
            )
            | _held_back(job.quiet(quiet) if job.name in waiting else None)
            for job in found
        ]
        rows += [
            {"job": name, "title": problem, "schedule": "", "state": "broken", "next": ""} for name, problem in problems.items()
        ]
        posted = report_settings(config)
        if posted.channel:
            rows.append(
                _row(REPORT, f"{word('title', config.settings.language)} → {posted.channel}", posted.plan, standings.get(REPORT))
                | _held_back(quiet if REPORT in waiting else None)
            )
        if as_json:
            print_json(rows)
            return 0
        states = [translate(row["next"] or row["state"]) for row in rows]
        width = max(26, *map(columns_of, states))  # how to enable a job is longer than a time
        for row, state in zip(rows, states, strict=True):
            say(f"{row['job']:<20} {row['schedule']:<34} {padded(state, width)}  {row['title']}")
        return 0

    run_async(command)


@jobs.command("show")
@click.argument("name", shell_complete=job_names)
@click.pass_context
def show_job(ctx: click.Context, name: str) -> None:
    """Show one job: its file, its inputs, its needs, its schedule."""
    from autonomy.cli.entry import run_async, settings_of

    config = settings_of(ctx)

    async def command() -> int:
        from autonomy.jobs.job import REPORT
        from autonomy.jobs.job_folders import job_folders
        from autonomy.jobs.job_loading import find
        from autonomy.notifications.report_settings import report_settings
        from autonomy.stores import open_stores

        job = report_settings(config) if name == REPORT else find(name, job_folders(config.settings))
        async with open_stores(config) as stores:
            standing = await stores.schedules.standing(getattr(job, "name", REPORT))
        print_json({**job.model_dump(mode="json"), "standing": standing.model_dump(mode="json") if standing else None})
        return 0

    run_async(command)


@jobs.command("new")
@click.argument("template", required=False, shell_complete=template_names)
@click.option("--name", default="", help="The name of the job. Default: the template's.")
@click.option(
    "--dir",
    "folder",
    type=click.Path(path_type=Path),
    help="The folder to write to. Default: `jobs` of the settings, else of the data directory.",
)
@click.pass_context
def new_job(ctx: click.Context, template: str | None, name: str, folder: Path | None) -> None:
    """Make a job from a TEMPLATE; without one, list the templates. A file that exists is never touched."""
    from autonomy.cli.entry import settings_of, stop
    from autonomy.errors import ConfigError
    from autonomy.jobs.job_folders import own_folders
    from autonomy.jobs.job_loading import load
    from autonomy.jobs.job_templates import NAME, templates, write_new

    settings = settings_of(ctx).settings
    known = templates(settings.language)
    if template is None:
        for one, file in known.items():
            say(f"{one:<20} {load(file).title}")
        say("`jiritsu jobs new TEMPLATE --name NAME` makes a job of one", err=True)
        return
    if template not in known:
        raise click.UsageError(f"there is no template {template!r}; there are {', '.join(known)}{did_you_mean(template, known)}")
    name = name or template
    if not NAME.fullmatch(name):
        raise click.UsageError(f"--name {name!r}: letters, digits, - and _ only, since it names a file")
    try:
        target = write_new(folder or settings.jobs or settings.home / "jobs", name, known[template].read_text(encoding="utf-8"))
    except ConfigError as error:
        stop(error)
    say(f"wrote {target}")
    job = load(target)
    tried = "".join(f" -i {name}={shlex.quote(spec.example)}" for name, spec in job.inputs.items() if spec.example)
    if plan := job.schedule:
        folders = own_folders(settings)
        if target.parent.resolve() in [one.resolve() for one in folders]:
            say(f"a worker runs it on schedule ({plan.cron}); `jiritsu jobs pause {name}` prevents that")
        else:
            say(f"no worker reads that folder: put the file into {folders[0]} to run it on schedule ({plan.cron})")
    _tell_doubtful_lines(job)
    say(f"jiritsu jobs check {target}   # what each line does")
    say(f"jiritsu run {target} --sample {settings.language} --simulate{tried}   # a rehearsal on the sample")


@jobs.command("check")
@click.argument("file", shell_complete=jobs_or_files)
@click.option("--live", is_flag=True, help="Start the servers and look at their tools, in place of those listed last.")
@click.pass_context
def check_job(ctx: click.Context, file: str, live: bool) -> None:
    """Explain a job FILE, or a job by its name, line by line, and name the tools that serve it; or say what is wrong, and where."""
    from autonomy.cli.entry import EXIT_SETUP, run_async, settings_of, stop

    config = settings_of(ctx, calls_tools=live)
    from autonomy.errors import ConfigError
    from autonomy.jobs.explaining import explained
    from autonomy.jobs.job_folders import job_folders
    from autonomy.jobs.job_loading import find

    try:
        job = find(file, job_folders(config.settings))
        if job.for_each is not None:
            job.for_each.csv_rows(job.file, job.inputs)
    except ConfigError as error:
        stop(error)
    lines = list(explained(job))
    width = min(max(len(line.text) for line in lines), 48)
    for line in lines:
        text = line.text if len(line.text) <= width else line.text[: width - 1] + "…"
        say(f"{line.number or '':>4}  {padded(text, width)}  {translate(line.meaning)}", verbatim=True)
    say()
    _tell_doubtful_lines(job)

    async def command() -> int:
        import os

        from autonomy.jobs.serving import served
        from autonomy.jobs.webhook import webhook_problem

        if problem := webhook_problem(job.name, job.webhook, os.environ):
            say(f"  ! {problem}")
        specs, unknown = await (_live_tools(config) if live else _remembered_tools(config))
        servable = served(job, specs)
        for one in servable:
            if one.tools and one.unlike:
                say(f"  ? {one.what} → {', '.join(one.tools)}: none of them takes {', '.join(one.unlike)}")
            elif one.tools:
                say(f"  {padded(one.what, 12)} → {', '.join(one.tools)}")
        missing = [one for one in servable if one.required and not one.tools]
        if missing and unknown and not live:
            say(f"{job.name} is valid; whether the servers have the tools is not known yet:")
            say(f"not checked yet: {', '.join(unknown)}; `jiritsu jobs check {file} --live` starts them and checks")
            return 0
        for one in missing:
            named = f" ({one.wanted})" if one.wanted else ""
            say(f"  ✗ {one.what}{named}: no server here has a tool for it")
        if missing:
            say(f"{job.name} cannot be used here yet: add a server (`jiritsu servers add`)")
            return EXIT_SETUP
        writes = [need.id for need in job.needs if need.effect != "read"]
        say(
            f"{job.name} can be used: {len(job.needs)} needs, of which {', '.join(writes) or 'none'} change something; "
            f"{'proven by ' + ', '.join(job.delivery) if job.delivery else 'nothing is delivered'}."
        )
        return 0

    run_async(command)


def _tell_doubtful_lines(job: "Job") -> None:
    """Name what may not be meant, with its line: words that YAML reads as a comment, and ids of the sample's workspace."""
    from autonomy.jobs.explaining import values_of_sample
    from autonomy.jobs.job_front_matter import trailing_comments

    for one in trailing_comments(job.file):
        say(f"  ? line {one.line}: {one.text} behind {one.key} is a YAML comment; quote the value if it belongs to it")
    for value in values_of_sample(job):
        say(f"  ! line {value.line}: {value.value} is {value.name} of the sample; put one of your own workspace there")


async def _remembered_tools(config: "Config") -> "tuple[list[ToolSpec], list[str]]":
    """The tools that the configured servers listed last, with our own HR tools; and the servers that have never listed any."""
    import anyio.to_thread

    from autonomy.hr.tenants import TenantStore
    from autonomy.settings_files import read_servers
    from autonomy.stores import open_stores
    from discovery.review.last_known import LastKnown
    from discovery.timing.clock import SYSTEM_CLOCK

    servers = read_servers(config.settings).servers
    async with open_stores(config) as stores:
        known = await anyio.to_thread.run_sync(LastKnown(stores.engine, SYSTEM_CLOCK).load, servers)
        companies = await anyio.to_thread.run_sync(TenantStore(stores.engine).all)
    without_servers = replace(config, settings=config.settings.model_copy(update={"mcp_enabled": False}))
    own = (await _live_tools(without_servers))[0] if companies else []
    listed = [tool for listing in known.values() for tool in listing.tools]
    return [*listed, *own], [one.name for one in servers if one.name not in known]


async def _live_tools(config: "Config") -> "tuple[list[ToolSpec], list[str]]":
    """The tools that the servers list now, and the servers that did not answer."""
    from autonomy.app import open_app

    async with open_app(config) as app:
        await app.gateway.settle(timeout_s=20)
        catalog = await app.gateway.catalog()
        return list(catalog.callable_tools), [one.name for one in catalog.missing(["*"])]


@jobs.command("rules")
def show_rules() -> None:
    """Show every rule a job may declare under `complete:`, and what every run is asked besides, as Markdown."""
    from autonomy.completion.rules.rules_table import rules_table

    for line in rules_table().splitlines():
        say(line)


@jobs.command("run")
@click.argument("name", shell_complete=job_names)
@click.option("-i", "--input", "inputs", multiple=True, metavar="NAME=VALUE", help="An input of the job; repeat it for more.")
@click.option("--yes", is_flag=True, help="Approve every write that policy would ask about.")
@click.pass_context
def run_job(ctx: click.Context, name: str, inputs: tuple[str, ...], yes: bool) -> None:
    """Run a job now, beside its schedule; the same as `jiritsu run NAME`."""
    from autonomy.cli.commands.run import run
    from autonomy.cli.entry import settings_of, stop
    from autonomy.errors import ConfigError
    from autonomy.jobs.job_folders import job_folders
    from autonomy.jobs.job_loading import find

    try:
        find(name, job_folders(settings_of(ctx).settings))  # words that name no job are not meant as a goal here
    except ConfigError as error:
        stop(error)
    ctx.invoke(run, goal=name, inputs=inputs, yes=yes, simulate=False, as_json=False, quiet=False)


@jobs.command("next")
@click.argument("name", shell_complete=job_names)
@click.option("--count", type=HOW_MANY, default=5, show_default=True, help="The number of times.")
@click.pass_context
def next_ticks(ctx: click.Context, name: str, count: int) -> None:
    """Show when a job runs next, without starting it."""
    from autonomy.cli.entry import run_async, settings_of

    config = settings_of(ctx)

    async def command() -> int:
        import time

        from autonomy.durable.scheduling.timetable import HORIZON_YEARS
        from autonomy.errors import ConfigError
        from autonomy.stores import open_stores

        plan = _plan(config, name)
        try:
            ticks = plan.next(time.time(), count)
        except ValueError as error:
            raise ConfigError(f"job {plan.job}", "schedule.cron", str(error)) from error
        if not ticks:
            say(f"{plan.job} does not run within {HORIZON_YEARS} years: {plan.cron}", err=True)
        quiet = _quiet_hours_of(config, name)
        for tick in ticks:
            held = quiet.ends(tick) if quiet else ""
            say(_moment(tick, plan.timezone) + (f"  {translate(f'held back until {held}')}" if held else ""))
        async with open_stores(config) as stores:
            standing = await stores.schedules.standing(plan.job)
        if standing is not None and standing.paused:
            say(f"{plan.job} is paused, and does not run by itself: {standing.paused_because}", err=True)
        elif standing is None and _starts_off(config.settings, plan.job):
            say(f"{plan.job} is off, and does not run by itself: `jiritsu jobs resume {plan.job}` enables it", err=True)
        return 0

    run_async(command)


@jobs.command("history")
@click.argument("name", shell_complete=job_names)
@click.option("--limit", type=HOW_MANY, default=20, show_default=True, help="The number of rows, newest first.")
@AS_JSON
@click.pass_context
def history(ctx: click.Context, name: str, limit: int, as_json: bool) -> None:
    """Show the outcomes of the last ticks of a job's schedule."""
    from autonomy.cli.entry import run_async, settings_of

    config = settings_of(ctx)

    async def command() -> int:
        from autonomy.jobs.job import REPORT
        from autonomy.jobs.job_folders import job_folders
        from autonomy.jobs.job_loading import find
        from autonomy.stores import open_stores
        from metrics.reporting.reason_words import reason_in

        async with open_stores(config) as stores:
            ticks = await stores.schedules.history(name, limit=limit)
            job = None if ticks or name == REPORT else find(name, job_folders(config.settings))  # says which jobs there are
            latest = await stores.runs.newest(job=name, limit=limit) if job is not None and job.schedule is None else []
            if not ticks and not as_json:
                none = "no tick of its schedule yet" if job is None or job.schedule else "it has no schedule, and no run yet"
                say("it has no schedule; its last runs:" if latest else none, err=True)
            for record in () if as_json else latest:
                say(f"{_moment(record.asked_at, config.settings.timezone)}  {record.state:<10}  {record.run_id}")
            states: dict[str, str] = {
                record.run_id: record.state for record in await stores.runs.newest(job=name, limit=limit * 2)
            }
            states |= _waiting_ticks(config, name, await stores.schedules.to_start(name))
        if as_json:
            print_json([tick.model_dump(mode="json") for tick in ticks])
        for tick in () if as_json else ticks:
            state = states.get(tick.run_id) or _of_several(states, tick.run_id)
            why = reason_in(config.settings.language, tick.reason)
            say(f"{_moment(tick.due, config.settings.timezone)}  {tick.did:<8} {why or state}  {tick.run_id}")
        return 0

    run_async(command)


@jobs.command("pause")
@click.argument("name", shell_complete=job_names)
@click.option("--reason", type=REASON, default="by hand", show_default=True, help="The reason, shown in `jobs list`.")
@click.pass_context
def pause(ctx: click.Context, name: str, reason: str) -> None:
    """Pause a job's schedule."""
    _turn(ctx, name, reason)


@jobs.command("resume")
@click.argument("name", shell_complete=job_names)
@click.pass_context
def resume(ctx: click.Context, name: str) -> None:
    """Resume a job's schedule."""
    _turn(ctx, name, None)


def _waiting_ticks(config: "Config", name: str, ticks: "Sequence[ScheduleTick]") -> dict[str, str]:
    """What to say of the ticks of a job that were due and have not begun, by their runs' ids."""
    held = _held_back(_quiet_hours_of(config, name)) if ticks else {}
    return {tick.run_id: translate(held.get("next", "queued")) for tick in ticks}


def _quiet_hours_of(config: "Config", name: str) -> "QuietHours | None":
    """The quiet hours that hold back a job, or the report."""
    from autonomy.jobs.job import REPORT
    from autonomy.jobs.job_folders import job_folders
    from autonomy.jobs.job_loading import find
    from autonomy.settings_files import quiet_hours

    quiet = quiet_hours(config)
    return quiet if name == REPORT else find(name, job_folders(config.settings)).quiet(quiet)


def _of_several(states: "Mapping[str, str]", run_id: str) -> str:
    """The outcome of a tick that started one run per item of a list."""
    mine = [state for known, state in states.items() if known.startswith(f"{run_id}.")]
    return f"{len(mine)} runs: " + ", ".join(f"{mine.count(one)} {one}" for one in dict.fromkeys(mine)) if mine else ""


def _turn(ctx: click.Context, name: str, reason: str | None) -> None:
    from autonomy.cli.entry import run_async, settings_of

    config = settings_of(ctx)

    async def command() -> int:
        from autonomy.stores import open_stores

        job = _plan(config, name).job
        async with open_stores(config) as stores:
            await (stores.schedules.resume(job) if reason is None else stores.schedules.pause(job, reason))
        say(f"{job}: {'resumed' if reason is None else f'paused: {reason}'}", err=True)
        return 0

    run_async(command)


def _plan(config: "Config", name: str) -> "Timetable":
    """The schedule of a job, or of the report. Raises `ConfigError` where there is none."""
    from autonomy.errors import ConfigError
    from autonomy.jobs.job import REPORT
    from autonomy.jobs.job_folders import job_folders
    from autonomy.jobs.job_loading import find
    from autonomy.jobs.job_runner import plan_of
    from autonomy.notifications.report_settings import report_settings

    if name != REPORT:
        return plan_of(find(name, job_folders(config.settings)))
    posted = report_settings(config)
    if not posted.channel:
        raise ConfigError(config.origins["report"], "report.channel", "is not set; naming a channel turns the report on")
    return posted.plan


def _starts_off(settings: "Settings", name: str) -> bool:
    """Whether a schedule that no worker has seen waits for somebody to enable it."""
    from autonomy.jobs.job import REPORT
    from autonomy.jobs.job_folders import job_folders
    from autonomy.jobs.job_loading import find

    return name != REPORT and find(name, job_folders(settings)).built_in


def _row(
    name: str, title: str, plan: "Timetable | None", standing: "ScheduleState | None", *, off: bool = False, started_by: str = ""
) -> dict[str, str]:
    """`off`: whether its schedule waits for somebody to enable it; `started_by`: what starts it beside a schedule."""
    import time

    if plan is None:
        return {"job": name, "title": title, "schedule": "", "state": started_by or "by hand", "next": ""}
    if off:
        state = f"off: `jiritsu jobs resume {name}` enables it"
        return {"job": name, "title": title, "schedule": f"{plan.cron} {plan.timezone}", "state": state, "next": ""}
    paused = standing is not None and standing.paused
    ticks = [] if paused else plan.next(time.time(), 1)
    return {
        "job": name,
        "title": title,
        "schedule": f"{plan.cron} {plan.timezone}",
        "state": f"paused: {standing.paused_because}" if paused and standing else "on",
        "next": _moment(ticks[0], plan.timezone) if ticks else "" if paused else "never",
    }


def started_by(job: "Job") -> str:
    """The triggers of a job beside its schedule and a person; empty if there are none."""
    ways = [
        "by webhook" if job.webhook else "",
        f"by file {job.on_file.path}" if job.on_file else "",
        f"after {job.after_job.job}" if job.after_job else "",
        f"by message in {job.on_message.channel}" if job.on_message else "",
    ]
    return ", ".join(filter(None, ways))


def _held_back(quiet: "QuietHours | None") -> dict[str, str]:
    """The text for a tick that waits for the quiet hours to end."""
    import time

    ends = quiet.ends(time.time()) if quiet else ""
    return {"state": "held back", "next": f"held back until {ends}"} if ends else {}


def _moment(at: float, timezone: str) -> str:
    from datetime import datetime
    from zoneinfo import ZoneInfo

    return f"{datetime.fromtimestamp(at, ZoneInfo(timezone)):%Y-%m-%d %H:%M %a %z}"
