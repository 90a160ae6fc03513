"""`jiritsu jobs`: lists, creates, checks and runs jobs."""

import os
import shlex
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from autonomy.cli.commands.job_schedules import held_back, history, moment, next_ticks, pause, resume, say_if_no_worker
from autonomy.cli.completion_names import job_names, jobs_or_files, template_names
from autonomy.cli.decorators import APPROVE_ALL, AS_JSON, pass_config, pass_stores
from autonomy.cli.parameter_types import INPUTS
from autonomy.cli.terminal import print_json, say, say_table, terminal_columns
from autonomy.cli.words.terminal_words import translate
from autonomy.cli.words.text_columns import cut, padded
from discovery.text.near_names import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from autonomy.durable.scheduling.schedules import ScheduleState
    from autonomy.durable.scheduling.timetable import Timetable
    from autonomy.jobs.job import Job
    from autonomy.settings import Config
    from autonomy.stores import Stores
    from discovery.catalog import ToolSpec


@click.group()
def jobs() -> None:
    """List, create and check jobs; pause and resume their schedules.

    \b
    jiritsu jobs list
    jiritsu jobs next diary --count 3
    jiritsu jobs pause diary --reason "on holiday"
    """


for _command in (next_ticks, history, pause, resume):
    jobs.add_command(_command)


@jobs.command("list")
@AS_JSON
@pass_stores
async def list_jobs(stores: "Stores", as_json: bool) -> None:
    """List all jobs, and when each runs next."""
    import anyio.to_thread

    from autonomy.cli.words.terminal_words import config_problem
    from autonomy.jobs.job import REPORT
    from autonomy.jobs.job_folders import job_folders
    from autonomy.jobs.job_loading import read_all
    from autonomy.jobs.job_runner import is_off, plan_of
    from autonomy.notifications.report_settings import report_settings
    from autonomy.settings_files import quiet_hours
    from autonomy.stores import in_zone_of_schedules
    from metrics.reporting.report_words import word

    config = await anyio.to_thread.run_sync(in_zone_of_schedules, stores.config, stores.engine)
    quiet, zone = quiet_hours(config), config.settings.timezone
    found, problems = read_all(job_folders(stores.settings))
    for problem in problems.values():
        say(f"left out: {config_problem(problem)}", err=True)
    standings = await stores.schedules.standings()
    waiting = {tick.job for tick in await stores.schedules.to_start()}
    rows = [
        _row(
            job.name,
            job.title,
            plan_of(job, zone) if job.schedule else None,
            standings.get(job.name),
            off=is_off(job, standings.get(job.name)),
            started_by=started_by(job),
        )
        | (held_back(job.quiet(quiet), plan_of(job, zone).timezone) if job.name in waiting and job.schedule else {})
        for job in found
    ]
    in_words = str if as_json else config_problem
    rows += [
        {"job": name, "title": in_words(problem), "schedule": "", "state": "broken", "next": ""}
        for name, problem in problems.items()
    ]
    posted = report_settings(config)
    if posted.channel:
        rows.append(
            _row(REPORT, f"{word('title', stores.settings.language)} → {posted.channel}", posted.plan, standings.get(REPORT))
            | (held_back(quiet, posted.plan.timezone) if REPORT in waiting else {})
        )
    if as_json:
        print_json(rows)
        return
    if zone != (own := stores.settings.timezone):
        say(
            f"schedules without a time zone go by {zone} on this database, and this machine is in {own}; "
            f'`timezone = "{own}"` in jiritsu.toml moves them',
            err=True,
        )
    told = [[row["next"] or row["state"]] if row["schedule"] else row["state"].split(", ") for row in rows]
    states = [", ".join(map(translate, parts)) for parts in told]
    say_table((row["job"], row["schedule"], state, row["title"]) for row, state in zip(rows, states, strict=True))
    if any(row["schedule"] and row["next"] for row in rows):
        await say_if_no_worker(stores)


@jobs.command("show")
@click.argument("name", shell_complete=job_names)
@pass_stores
async def show_job(stores: "Stores", name: str) -> None:
    """Show one job: its file, its inputs, its needs, its schedule."""
    from autonomy.jobs.job import REPORT
    from autonomy.jobs.job_folders import job_folders
    from autonomy.jobs.job_loading import find
    from autonomy.notifications.report_settings import report_settings

    job = report_settings(stores.config) if name == REPORT else find(name, job_folders(stores.settings))
    standing = await stores.schedules.standing(getattr(job, "name", REPORT))
    print_json({**job.model_dump(mode="json"), "standing": standing.model_dump(mode="json") if standing else None})


@jobs.command("new")
@click.argument("template", required=False, shell_complete=template_names)
@click.option("--name", default="", help="The name of the job. Default: the template's.")
@click.option(
    "--dir",
    "folder",
    type=click.Path(path_type=Path),
    help="The folder to write to. Default: `jobs` of the settings, else of the data directory.",
)
@pass_config()
def new_job(config: "Config", template: str | None, name: str, folder: Path | None) -> None:
    """Make a job from a TEMPLATE; without one, list the templates. A file that exists is never touched."""
    from autonomy.jobs.job_folders import own_folders
    from autonomy.jobs.job_loading import load
    from autonomy.jobs.job_templates import NAME, in_timezone, templates, write_new

    settings = config.settings
    files = templates(settings.language)
    if template is None:
        say_table((one, load(file).title) for one, file in files.items())
        say("`jiritsu jobs new TEMPLATE --name NAME` makes a job of one", err=True)
        return
    if template not in files:
        raise click.UsageError(f"there is no template {template!r}; there are {', '.join(files)}{did_you_mean(template, files)}")
    name = name or template
    if not NAME.fullmatch(name):
        raise click.UsageError(f"--name {name!r}: letters, digits, - and _ only, since it names a file")
    text = in_timezone(files[template].read_text(encoding="utf-8"), settings.timezone)
    target = write_new(folder or settings.jobs or settings.home / "jobs", name, text)
    say(f"wrote {target}")
    job = load(target)
    tried = "".join(f" -i {name}={shlex.quote(spec.example)}" for name, spec in job.inputs.items() if spec.example)
    if plan := job.schedule:
        folders = own_folders(settings)
        if target.parent.resolve() in [one.resolve() for one in folders]:
            say(f"a worker runs it on schedule ({plan.cron} {plan.timezone}); `jiritsu jobs pause {name}` prevents that")
        else:
            say(
                f"no worker reads that folder: put the file into {folders[0]} to run it on schedule ({plan.cron} {plan.timezone})"
            )
    if heard := job.on_message:
        say(f"a message in {heard.channel} that holds {heard.words!r} starts it while `jiritsu serve` runs")
    _tell_doubtful_lines(job, is_new=True)
    at = shlex.quote(str(target))  # macOS keeps data under `Application Support`
    say(f"jiritsu jobs check {at}   # what each line does")
    say(f"jiritsu run {at} --sample {settings.language} --simulate{tried}   # a rehearsal on the sample")


@jobs.command("check")
@click.argument("file", shell_complete=jobs_or_files)
@click.option("--live", is_flag=True, help="Start the servers and look at their tools, in place of those listed last.")
@click.pass_context
def check_job(ctx: click.Context, file: str, live: bool) -> None:
    """Explain a job FILE, or a job by its name, line by line, and name the tools that serve it; or say what is wrong, and where."""
    from autonomy.cli.entry import EXIT_SETUP, run_async, settings_of

    config = settings_of(ctx, calls_tools=live)
    from autonomy.hr import PROVIDER
    from autonomy.jobs.explaining import explained
    from autonomy.jobs.job_folders import job_folders
    from autonomy.jobs.job_loading import find, never_started
    from autonomy.jobs.serving import served
    from autonomy.jobs.trigger_settings import message_problem
    from autonomy.jobs.webhook import webhook_problem

    tools_of = _tools_of(live=live)
    folders = job_folders(config.settings)
    job = find(file, folders)
    if job.for_each is not None:
        job.for_each.csv_rows(job.file, job.inputs)
    room = min(48, terminal_columns() - 8)
    say_table(((f"{one.number or '':>4}  {cut(one.text, room)}", translate(one.meaning)) for one in explained(job)), indent=14)
    say()
    _tell_time_zone(job, config)
    _tell_doubtful_lines(job)

    async def command() -> int:
        unheard = message_problem(job.name, job.on_message, os.environ)
        for problem in (webhook_problem(job.name, job.webhook, os.environ), unheard, never_started(job, folders)):
            if problem:
                say(f"  ! {problem}")
        specs, unknown = await tools_of(config)
        servable = served(job, specs)
        for one in servable:
            if one.tools and one.unlike:
                say(f"  ? {one.what} → {', '.join(one.tools)}: none of them takes {', '.join(one.unlike)}")
            elif one.tools:
                say(f"  {padded(one.what, 12)} → {', '.join(one.tools)}")
        _tell_silent_rules(job.name, [spec for spec in specs if any(spec.name in one.tools for one in servable)], config)
        missing = [one for one in servable if one.required and not one.tools]
        if missing and unknown and not live:
            say(f"{job.name} is valid; whether the servers have the tools is not known yet:")
            say(f"not checked yet: {', '.join(unknown)}; `jiritsu jobs check {file} --live` starts them and checks")
            return 0
        for one in missing:
            tool_names = f" ({one.wanted})" if one.wanted else ""
            there = [spec.name for spec in specs]
            say(f"  ✗ {one.what}{tool_names}: no server here has a tool for it{did_you_mean(one.wanted, there)}")
        if missing:
            if any(one.wanted.startswith(f"{PROVIDER}_") for one in missing):  # no server can offer them
                say(f"{job.name} cannot be used here yet: its HR tools need a company (`jiritsu tenants add`, docs/hr.md)")
            else:
                say(f"{job.name} cannot be used here yet: add a server (`jiritsu servers add`)")
            return EXIT_SETUP
        writes = [need.id for need in job.needs if need.effect != "read"]
        say(
            f"{job.name} can be used: {len(job.needs)} needs, of which {', '.join(writes) or 'none'} change something; "
            f"{'proven by ' + ', '.join(job.delivery) if job.delivery else 'nothing is delivered'}."
        )
        return 0

    run_async(command)


def _tell_time_zone(job: "Job", config: "Config") -> None:
    """Name the time zone of a schedule whose file names none: another installation would run it at other hours."""
    from autonomy.errors import StoreError
    from autonomy.stores import in_zone_of_schedules, open_store

    if not job.schedule or job.zone_named:
        return
    own = zone = config.settings.timezone
    with suppress(StoreError):  # a file is explained without a database, too
        engine = open_store(config, for_runs=False)
        try:
            zone = in_zone_of_schedules(config, engine).settings.timezone
        finally:
            engine.dispose()
    if zone == own:
        say(f"  its times are those of {zone}, the time zone of the settings")
    else:
        say(f"  its times are those of {zone}, the time zone of the schedules on this database; this machine is in {own}")


def _tell_doubtful_lines(job: "Job", *, is_new: bool = False) -> None:
    """Name what may not be meant, with its line: words that YAML reads as a comment, inputs that are not inserted, and values of
    the sample's workspace; of a file that `is_new` its people, too."""
    from autonomy.jobs.explaining import inputs_left_open, values_of_sample
    from autonomy.jobs.job_front_matter import trailing_comments

    for one in trailing_comments(job.file):
        say(f"  ? line {one.line}: {one.text} behind {one.key} is a YAML comment; quote the value if it belongs to it")
    for line, name in inputs_left_open(job):
        say(f"  ? line {line}: {{{{{name}}}}} stays as it is; {{{{inputs.{name}}}}} inserts the input")
    for value in values_of_sample(job, people=is_new):
        say(f"  ! line {value.line}: {value.value} is {value.name} of the sample; put one of your own workspace there")


def _tell_silent_rules(job: str, specs: "Sequence[ToolSpec]", config: "Config") -> None:
    """Name the operator's rules that never decide on a call of this job's tools, because another one goes before them."""
    from autonomy.policy.rule_conflicts import shadowed_rules
    from autonomy.settings_files import read_policy

    origin = config.origins["policy"]
    for conflict in shadowed_rules(read_policy(config.settings, origin=origin).rules, specs, job):
        say(f"  ! {translate(str(conflict.to_config_error(origin)))}")


def _tools_of(*, live: bool) -> "Callable[[Config], Awaitable[tuple[list[ToolSpec], list[str]]]]":
    if not live:
        return _remembered_tools
    from autonomy.cli.commands.live_servers import live_tools  # reads files, so not on the event loop

    return live_tools


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
        listings = await anyio.to_thread.run_sync(LastKnown(stores.engine, SYSTEM_CLOCK).load, servers)
        companies = await anyio.to_thread.run_sync(TenantStore(stores.engine).all)
    listed = [tool for listing in listings.values() for tool in listing.tools]
    if companies:
        from autonomy.cli.commands.live_servers import (
            live_tools,
        )  # few have a company, and everybody else would wait for the imports

        without_servers = replace(config, settings=config.settings.model_copy(update={"mcp_enabled": False}))
        listed += (await live_tools(without_servers))[0]
    return listed, [one.name for one in servers if one.name not in listings]


@jobs.command("rules")
def show_rules() -> None:
    """Show every rule a job may declare under `complete:`, and what every run is asked besides, as Markdown."""
    from autonomy.completion.rules.rules_table import rules_table

    for line in rules_table().splitlines():
        say(line)


@jobs.command("run")
@click.argument("name", shell_complete=job_names)
@INPUTS
@APPROVE_ALL
@click.pass_context
def run_job(ctx: click.Context, name: str, inputs: tuple[tuple[str, str], ...], yes: bool) -> None:
    """Run a job now, beside its schedule; the same as `jiritsu run NAME`."""
    from autonomy.cli.commands.run import run
    from autonomy.cli.entry import settings_of
    from autonomy.jobs.job_folders import job_folders
    from autonomy.jobs.job_loading import find

    find(name, job_folders(settings_of(ctx).settings))  # words that name no job are not meant as a goal here
    ctx.invoke(run, goal=name, inputs=inputs, yes=yes, simulate=False, as_json=False, quiet=False)


def _row(
    name: str, title: str, plan: "Timetable | None", standing: "ScheduleState | None", *, off: bool = False, started_by: str = ""
) -> dict[str, str]:
    """The row of a job, by column, as `jobs list` shows it.

    `off`: whether its schedule waits for somebody to enable it; `started_by`: what starts it beside a schedule.
    """
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
        "next": moment(ticks[0], plan.timezone) if ticks else "" if paused else "never",
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
