"""`jiritsu jobs next|history|pause|resume`: the schedule of a job, or of the report."""

from typing import TYPE_CHECKING

import click

from autonomy.cli.completion_names import job_names
from autonomy.cli.decorators import AS_JSON, pass_stores
from autonomy.cli.parameter_types import HOW_MANY, REASON
from autonomy.cli.terminal import print_json, say, say_table
from autonomy.cli.words.terminal_words import terminal_language, translate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from autonomy.durable.scheduling.schedules import ScheduleTick
    from autonomy.durable.scheduling.timetable import Timetable
    from autonomy.run_state.quiet_hours import QuietHours
    from autonomy.settings import Config, Settings
    from autonomy.stores import Stores


@click.command("next")
@click.argument("name", shell_complete=job_names)
@click.option("--count", type=HOW_MANY, default=5, show_default=True, help="The number of times.")
@pass_stores
async def next_ticks(stores: "Stores", name: str, count: int) -> None:
    """Show when a job runs next, without starting it."""
    import time

    import anyio.to_thread

    from autonomy.durable.scheduling.timetable import HORIZON_YEARS
    from autonomy.errors import ConfigError
    from autonomy.stores import in_zone_of_schedules

    config = await anyio.to_thread.run_sync(in_zone_of_schedules, stores.config, stores.engine)
    plan = _plan(config, name)
    try:
        ticks = plan.next(time.time(), count)
    except ValueError as error:
        raise ConfigError(f"job {plan.job}", "schedule.cron", str(error)) from error
    if not ticks:
        say(f"{plan.job} does not run within {HORIZON_YEARS} years: {plan.cron}", err=True)
    quiet = _quiet_hours_of(config, name)
    for tick in ticks:
        held = quiet.ends(tick, plan.timezone) if quiet else ""
        say(moment(tick, plan.timezone) + (f"  {translate(f'held back until {held}')}" if held else ""))
    standing = await stores.schedules.standing(plan.job)
    if standing is not None and standing.paused:
        say(f"{plan.job} is paused, and does not run by itself: {standing.paused_because}", err=True)
    elif standing is None and _starts_off(stores.settings, plan.job):
        say(f"{plan.job} is off, and does not run by itself: `jiritsu jobs resume {plan.job}` enables it", err=True)
    elif ticks:
        await say_if_no_worker(stores)


@click.command("history")
@click.argument("name", shell_complete=job_names)
@click.option("--limit", type=HOW_MANY, default=20, show_default=True, help="The number of rows, newest first.")
@AS_JSON
@pass_stores
async def history(stores: "Stores", name: str, limit: int, as_json: bool) -> None:
    """Show the outcomes of the last ticks of a job's schedule."""
    import anyio.to_thread

    from autonomy.jobs.job import REPORT
    from autonomy.jobs.job_folders import job_folders
    from autonomy.jobs.job_loading import find
    from autonomy.stores import in_zone_of_schedules
    from metrics.reporting.reason_words import reason_in
    from metrics.reporting.report_words import ending_in, word

    language = terminal_language()
    ticks = await stores.schedules.history(name, limit=limit)
    skip = await stores.schedules.not_made_up(name)
    if ticks and skip is not None and skip not in ticks and skip.handled_at >= ticks[-1].handled_at:
        ticks += (skip,)  # of the absence whose other ticks fill the page
    job = None if ticks or name == REPORT else find(name, job_folders(stores.settings))  # says which jobs there are
    if as_json:
        print_json([tick.model_dump(mode="json") for tick in ticks])
        return
    latest = (
        await stores.runs.newest(tenant=stores.settings.tenant, job=name, limit=limit)
        if job is not None and job.schedule is None
        else []
    )
    if not ticks:
        none = "no tick of its schedule yet" if job is None or job.schedule else "it has no schedule, and no run yet"
        say("it has no schedule; its last runs:" if latest else none, err=True)
    own = stores.settings.timezone
    say_table((moment(one.asked_at, own), ending_in(one.state, language), one.run_id) for one in latest)
    states: dict[str, str] = {
        record.run_id: ending_in(record.state, language)
        for record in await stores.runs.newest(tenant=stores.settings.tenant, job=name, limit=limit * 2)
    }
    config = await anyio.to_thread.run_sync(in_zone_of_schedules, stores.config, stores.engine)
    states |= _waiting_ticks(config, name, await stores.schedules.to_start(name))
    zone = _zone(config, name)
    rows = []
    for tick in ticks:
        state = states.get(tick.run_id) or (await _of_list(stores, tick.run_id) if tick.did == "run" else "")
        outcome = ", ".join(filter(None, (reason_in(language, tick.reason), state)))
        rows.append((moment(tick.due, zone), word(f"tick_{tick.did}", language), translate(outcome), tick.run_id))
    say_table(rows)


@click.command("pause")
@click.argument("name", shell_complete=job_names)
@click.option("--reason", type=REASON, default="by hand", show_default=True, help="The reason, shown in `jobs list`.")
@pass_stores
async def pause(stores: "Stores", name: str, reason: str) -> None:
    """Pause a job's schedule."""

    job = _plan(stores.config, name).job
    await stores.schedules.pause(job, reason)
    say(f"{job}: paused: {reason}", err=True)


@click.command("resume")
@click.argument("name", shell_complete=job_names)
@pass_stores
async def resume(stores: "Stores", name: str) -> None:
    """Resume a job's schedule."""
    import time

    import anyio.to_thread

    from autonomy.stores import in_zone_of_schedules

    config = await anyio.to_thread.run_sync(in_zone_of_schedules, stores.config, stores.engine)
    plan = _plan(config, name)
    await stores.schedules.resume(plan.job)
    try:
        first = plan.next(time.time(), 1)
    except ValueError:  # `jobs next` says what is wrong with its cron line
        first = []
    say(f"{plan.job}: resumed; next {moment(first[0], plan.timezone)}" if first else f"{plan.job}: resumed", err=True)
    await say_if_no_worker(stores)


async def say_if_no_worker(stores: "Stores") -> None:
    """Say that what is due waits where no worker is running."""
    import anyio.to_thread

    from autonomy.durable.records.worker_heartbeats import any_worker

    if not await anyio.to_thread.run_sync(any_worker, stores.engine):
        say("no worker is running: what is due waits for `jiritsu worker` or `jiritsu serve`", err=True)


def _waiting_ticks(config: "Config", name: str, ticks: "Sequence[ScheduleTick]") -> dict[str, str]:
    """What to say of the ticks of a job that were due and have not begun, by their runs' ids."""
    from metrics.reporting.report_words import word

    held = held_back(_quiet_hours_of(config, name), _plan(config, name).timezone) if ticks else {}
    state = translate(held["next"]) if held else word("queued", terminal_language())
    return dict.fromkeys((tick.run_id for tick in ticks), state)


def _quiet_hours_of(config: "Config", name: str) -> "QuietHours | None":
    """The quiet hours that hold back a job, or the report."""
    from autonomy.jobs.job import REPORT
    from autonomy.jobs.job_folders import job_folders
    from autonomy.jobs.job_loading import find
    from autonomy.settings_files import quiet_hours

    quiet = quiet_hours(config)
    return quiet if name == REPORT else find(name, job_folders(config.settings)).quiet(quiet)


async def _of_list(stores: "Stores", run_id: str) -> str:
    """What to say of the runs of a tick that started one for each item of a list; "" where there are none."""
    from metrics.reporting.report_words import ending_in

    language, tenant = terminal_language(), stores.settings.tenant
    of_tick = [one for one in await stores.runs.of_start(run_id) if one.request.tenant == tenant]
    run_states = [ending_in(one.state, language) for one in of_tick]
    counts = ", ".join(f"{run_states.count(state)} {state}" for state in dict.fromkeys(run_states))
    return translate(f"{len(run_states)} runs: {counts}") if run_states else ""


def _plan(config: "Config", name: str) -> "Timetable":
    """The schedule of a job, or of the report. Raises `ConfigError` where there is none."""
    from autonomy.errors import ConfigError
    from autonomy.jobs.job import REPORT
    from autonomy.jobs.job_folders import job_folders
    from autonomy.jobs.job_loading import find
    from autonomy.jobs.job_runner import plan_of
    from autonomy.notifications.report_settings import report_settings

    if name != REPORT:
        return plan_of(find(name, job_folders(config.settings)), config.settings.timezone)
    posted = report_settings(config)
    if not posted.channel:
        raise ConfigError(config.origins["report"], "report.channel", "is not set; naming a channel turns the report on")
    return posted.plan


def _zone(config: "Config", name: str) -> str:
    """The time zone of a job's schedule, as `jobs next` shows it; that of the settings where its file is gone."""
    from autonomy.errors import ConfigError

    try:
        return _plan(config, name).timezone
    except ConfigError:
        return config.settings.timezone


def _starts_off(settings: "Settings", name: str) -> bool:
    """Whether a schedule that no worker has seen waits for somebody to enable it."""
    from autonomy.jobs.job import REPORT
    from autonomy.jobs.job_folders import job_folders
    from autonomy.jobs.job_loading import find

    return name != REPORT and find(name, job_folders(settings)).built_in


def held_back(quiet: "QuietHours | None", timezone: str) -> dict[str, str]:
    """The text for a tick that waits for the quiet hours to end."""
    import time

    ends = quiet.ends(time.time(), timezone) if quiet else ""
    return {"state": "held back", "next": f"held back until {ends}"} if ends else {}


def moment(at: float, timezone: str) -> str:
    """A time as schedules are told."""
    from datetime import datetime
    from zoneinfo import ZoneInfo

    due = datetime.fromtimestamp(at, ZoneInfo(timezone))
    weekday = "月火水木金土日"[due.weekday()] if terminal_language() == "ja" else f"{due:%a}"
    return f"{due:%Y-%m-%d %H:%M} {weekday} {due:%z}"
