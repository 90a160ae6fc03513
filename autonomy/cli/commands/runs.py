"""`jiritsu runs`: lists and shows runs, and cancels, pauses, resumes and retries them."""

from collections.abc import Sequence
from typing import TYPE_CHECKING
from urllib.parse import unquote

import click

from autonomy.cli.completion_names import run_ids
from autonomy.cli.decorators import APPROVE_ALL, AS_JSON, confirmation, pass_config, pass_stores
from autonomy.cli.parameter_types import HOW_MANY, REASON, Moment, moment_of
from autonomy.cli.terminal import print_json, say, say_table, show
from autonomy.cli.words.terminal_words import terminal_language

if TYPE_CHECKING:
    from autonomy.durable.memory.sql_ledger import EffectRecord
    from autonomy.durable.records.run_records import RunRecord
    from autonomy.run_state.run_values import Receipt, RunResult
    from autonomy.settings import Config
    from autonomy.stores import Stores

WATCH_S = 0.5
"""How often `runs watch` looks: a call is seen well within a second of its start."""


@click.group()
def runs() -> None:
    """List runs, show what they did, follow, cancel, pause, resume and retry them.

    \b
    jiritsu runs list --job diary
    jiritsu runs show 20251121-09
    jiritsu runs resume 20251121-09
    """


@runs.command("list")
@click.option("--job", help="Only runs of this job.")
@click.option("--active", is_flag=True, help="Only runs that have not ended: at work, queued, paused, or waiting for a person.")
@click.option("--limit", type=HOW_MANY, default=20, show_default=True, help="The number of rows, newest first.")
@AS_JSON
@pass_stores
async def list_runs(stores: "Stores", job: str | None, active: bool, limit: int, as_json: bool) -> None:
    """List runs, the newest first."""
    from datetime import datetime
    from zoneinfo import ZoneInfo

    from metrics.reporting.report_words import ending_in

    newest = await stores.runs.newest(job=job, limit=limit + 1, tenant=stores.settings.tenant, active=active)
    found = newest[:limit]
    states = await _states(stores, found)
    if as_json:
        rows = [record.model_dump(mode="json", exclude={"request", "result"}) for record in found]
        remarks = [record.remarked for record in found]
        print_json([{**one, "state": state, "remarks": n} for one, state, n in zip(rows, states, remarks, strict=True)])
        return
    zone, language = ZoneInfo(stores.settings.timezone), terminal_language()
    say_table(
        (
            record.run_id,
            f"{datetime.fromtimestamp(record.asked_at, zone):%Y-%m-%d %H:%M}",
            ending_in(state, language, record.remarked),
            record.called,
        )
        for record, state in zip(found, states, strict=True)
    )
    if len(newest) > limit:
        say(f"these are the newest {limit}; `--limit` shows more", err=True)
    if "interrupted" in states:
        say("interrupted: its process is gone; `jiritsu runs resume ID` goes on, or a worker that is started", err=True)
    if not found:
        say("nothing is under way" if active else f"no runs of job {job!r}" if job else "no runs yet", err=True)


async def _meant(stores: "Stores", name: str) -> "RunRecord":
    """The run of that id or beginning of it; the newest of the job of that name, or of all. Raises `RunError`."""
    from autonomy.errors import RunError

    tenant = stores.settings.tenant
    newest = await stores.runs.newest(job=name or None, limit=1, tenant=tenant)
    if not (name or newest):
        raise RunError("no runs yet")
    return await stores.runs.get(newest[0].run_id if newest else name, tenant=tenant)


@runs.command("show")
@click.argument("run_id", required=False, default="", shell_complete=run_ids)
@click.option("--brief", is_flag=True, help="A line for each call, without arguments and results.")
@AS_JSON
@pass_stores
async def show_run(stores: "Stores", run_id: str, brief: bool, as_json: bool) -> None:
    """Show one run, by its id, the beginning of it, or its job; without one, the newest: its result, calls and measures."""
    import time

    from autonomy.cli.reports.run_result import marked_text, show_remarks
    from autonomy.cli.reports.transcript import TranscriptPrinter
    from autonomy.cli.rich_console import SafeConsole
    from metrics.reporting.reason_words import reason_in
    from metrics.reporting.report_data import explain
    from metrics.reporting.report_terminal import print_run
    from metrics.reporting.report_words import ending_in, problem_in, word

    language = terminal_language()
    record = await _meant(stores, run_id)
    (state,) = await _states(stores, [record])
    events = await stores.journal.read(run_id=record.run_id)
    transcript = await stores.transcripts.of(record)
    writes = await stores.ledger.of_run(record.run_id) if record.result and record.result.receipts else ()
    if as_json:
        facts = {"state": state, "events": [event.model_dump(mode="json") for event in events]}
        print_json({**record.model_dump(mode="json"), **facts, **transcript.model_dump(mode="json", exclude={"record"})})
        return
    ending = ending_in(state, terminal_language(), record.remarked)
    say(f"{record.run_id}  {record.called}  {ending}")
    if state in ("running", "waiting"):
        for line in await _silent_owner(stores, record.run_id):
            say(f"  {line}")
    quiet, zone = record.request.quiet, stores.settings.timezone
    if record.state == "waiting" and quiet and (ends := quiet.ends(time.time(), zone)):
        say(f"  its question is held back until {ends} (quiet hours); `jiritsu approvals list` shows it now")
    if (result := record.result) is not None:
        if not result.is_refuted:  # else why stands above its text
            say(reason_in(language, result.reason), nl=bool(result.reason))
        for call in result.calls if brief else ():
            cured = f" (cured by {call.cured_by})" if call.cured_by else ""
            say(
                f"  turn {call.turn}  {call.asked}  {problem_in(call.result.kind, terminal_language())}{cured}  {call.duration_s:.2f} s"
            )
        for receipt in result.receipts:
            seen = word(f"read_back_{receipt.read_back}", terminal_language())
            say(f"  receipt: {receipt.tool} → {unquote(receipt.target) or receipt.state} ({seen})")
            if since := _known_since(receipt, result, writes):
                say(f"    {since}")
        say()
        show(marked_text(result))
        show_remarks(result, language)
    if not brief:
        TranscriptPrinter(language, result.text if result else "").print_new(transcript)
    if events:
        print_run(explain(events), SafeConsole(), language, stores.settings.timezone)


def _known_since(receipt: "Receipt", result: "RunResult", writes: "Sequence[EffectRecord]") -> str:
    """What became known of a write in doubt after its run had ended: a person looked, or a late answer came."""
    from autonomy.run_state.digests import digest

    if receipt.state != "unknown":
        return ""
    sent = [(f"{result.run_id}/turn-{c.turn}/", digest(c.arguments)) for c in result.calls if c.receipt == receipt]
    whole = f"{result.run_id}/{receipt.call_id}"  # of a run that was ended from outside, whose calls nobody knows
    same = [
        one
        for one in writes
        if one.tool == receipt.tool
        and (one.key == whole or any(one.key.startswith(turn) and one.arguments_sha256 == what for turn, what in sent))
    ]
    if any(one.state != "done" for one in same):
        return ""
    if not same:
        return "known since: it did not happen"
    return f"known since: it happened ({same[0].resolved_by})" if same[0].resolved_by else "known since: its answer came late"


@runs.command("watch")
@click.argument("run_id", required=False, default="", shell_complete=run_ids)
@pass_stores
async def watch(stores: "Stores", run_id: str) -> int:
    """Follow a run that any process works on, by id or job, else the newest; Ctrl-C stops following and leaves it alone."""
    import anyio

    from autonomy.cli.entry import EXIT_OF
    from autonomy.cli.reports.transcript import WATCHED_LINES, TranscriptPrinter
    from metrics.reporting.reason_words import reason_in
    from metrics.reporting.report_words import ending_in

    language = terminal_language()
    printer, version = TranscriptPrinter(language, lines=WATCHED_LINES), ""
    record = await _meant(stores, run_id)
    say(f"{record.run_id}  {record.called}")
    while True:
        if (now := await stores.transcripts.version(record.run_id)) != version:
            version, record = now, await stores.runs.get(record.run_id)
            printer.print_new(await stores.transcripts.of(record))
        if (result := record.result) is not None:
            why = reason_in(language, result.reason)
            ending = ending_in(result.ending, terminal_language(), len(result.remarks))
            say(f"{ending}: {why}" if why else ending)
            return EXIT_OF[result.ending]
        await anyio.sleep(WATCH_S)


@runs.command("cancel")
@click.argument("run_id", shell_complete=run_ids)
@click.option("--reason", default="", help="The reason, for the audit log.")
@pass_stores
async def cancel(stores: "Stores", run_id: str, reason: str) -> None:
    """Cancel a run for good; the current call may finish."""
    from autonomy.cli.entry import who

    record = await stores.orders.cancel(run_id, by=who(), reason=reason, tenant=stores.settings.tenant)
    say(f"{record.run_id}: cancelled")


@runs.command("pause")
@click.argument("run_id", shell_complete=run_ids)
@pass_stores
async def pause(stores: "Stores", run_id: str) -> None:
    """Pause a run after the current step; `runs resume` continues it."""
    from autonomy.cli.entry import who

    record = await stores.orders.pause(run_id, by=who(), tenant=stores.settings.tenant)
    say(f"{record.run_id}: paused; `jiritsu runs resume {record.run_id}` goes on")


@runs.command("resume")
@click.argument("run_id", shell_complete=run_ids)
@click.option("--detach", is_flag=True, help="Leave it to a worker.")
@APPROVE_ALL
def resume(run_id: str, detach: bool, yes: bool) -> None:
    """Continue a run that was paused, or whose process died, from its last step."""
    if detach:
        _leave_to_worker(run_id)
    else:
        _resume_here(run_id, yes)


@runs.command("retry")
@click.argument("run_id", shell_complete=run_ids)
@click.option("--from", "step", default="", help="The step to begin at (`--steps` lists them); default: the last turn.")
@click.option("--again", is_flag=True, help="Allow writes that were made after that step to be made again.")
@click.option("--steps", is_flag=True, help="List the steps and do nothing.")
@pass_stores
async def retry(stores: "Stores", run_id: str, step: str, again: bool, steps: bool) -> None:
    """Run an ended run again as a new run, from a step on; a worker runs it."""
    from autonomy.cli.entry import who

    tenant = stores.settings.tenant
    if steps:
        for name in await stores.orders.steps(run_id, tenant=tenant):
            say(name)
        return
    old = await stores.runs.get(run_id, tenant=tenant)
    now = stores.settings.now()
    new, _ = await stores.orders.retry(old.run_id, by=who(), now=now, step=step, again=again, tenant=tenant)
    say(f"{new} does {old.run_id} again: a worker runs it, and `jiritsu runs show {new}` tells how it goes")


@runs.command("forget")
@click.argument("run_id", shell_complete=run_ids)
@click.option("--reason", type=REASON, required=True, help="The reason; the audit log keeps it with your name.")
@confirmation("What this run was asked, did and brought will be gone for good. Go on?")
@pass_stores
async def forget(stores: "Stores", run_id: str, reason: str) -> None:
    """Delete all that is kept of an ended run, for a person's sake; the audit log still verifies."""
    from autonomy.cli.entry import who
    from autonomy.stores import retention

    forgotten = await retention(stores).forget(run_id, by=who(), reason=reason, tenant=stores.settings.tenant)
    say(f"{forgotten}: forgotten")


@runs.command("prune")
@click.option(
    "--before", type=Moment(), help="Delete runs that ended before this: 90d, or a date. Default: [keep] of the settings."
)
@confirmation("Older runs will be gone for good. Go on?")
@pass_stores
async def prune(stores: "Stores", before: str | None) -> None:
    """Delete old runs now, as a worker does once a day. Whatever still waits for a person stays."""
    from datetime import datetime
    from zoneinfo import ZoneInfo

    from autonomy.durable.records.confirmed_time import MEND
    from autonomy.stores import retention

    keeper = retention(stores)
    now, jump = await keeper.time()
    if jump:
        say(str(jump))
        say(f"    → {MEND}")
    today = datetime.fromtimestamp(now, ZoneInfo(stores.settings.timezone))
    gone = await keeper.prune(now, moment_of(before, today).timestamp() if before else None)
    say(
        f"{gone.runs} runs and {gone.log_rows} rows of the log deleted"
        + (f"; {gone.held} stay, for something about them waits for a person" if gone.held else "")
    )


async def _states(stores: "Stores", records: "Sequence[RunRecord]") -> list[str]:
    """The state of each run, as people are told it: one whose process is gone is interrupted, whatever it said last."""
    from autonomy.durable.interrupted_runs import interrupted

    gone = await interrupted(stores.engine, records)
    return ["interrupted" if record.run_id in gone else record.state for record in records]


async def _silent_owner(stores: "Stores", run_id: str) -> list[str]:
    """Why a run stands still whose worker is alive, and how to mend it."""
    import time

    from anyio.to_thread import run_sync

    from autonomy.durable.engine_tables import owner_of, row_of
    from autonomy.durable.records.worker_heartbeats import silence_of, silent_workers, wake

    def look() -> list[str]:
        now, row = time.time(), row_of(stores.engine, run_id)
        its = [sign for sign in silent_workers(stores.engine, now) if row is not None and sign.name == owner_of(row)]
        return [line for sign in its for line in (silence_of(sign, now), wake(sign))]

    return await run_sync(look)


@pass_stores
async def _leave_to_worker(stores: "Stores", run_id: str) -> None:
    from autonomy.cli.entry import who

    record = await stores.orders.resume(run_id, by=who(), tenant=stores.settings.tenant)
    say(f"{record.run_id}: a worker goes on with it")


@pass_config(calls_tools=True)
async def _resume_here(config: "Config", run_id: str, yes: bool) -> int:
    from autonomy.app import open_app
    from autonomy.cli.entry import EXIT_OF, attended_engine, who
    from autonomy.cli.reports.run_progress import Progress
    from autonomy.cli.reports.run_result import show_result
    from autonomy.cli.rich_console import SafeConsole
    from autonomy.cli.terminal_approver import TerminalApprover
    from autonomy.stores import open_stores

    watchers = (Progress(SafeConsole(stderr=True)),)
    ask_here = TerminalApprover(approve_all=yes).ask
    async with open_stores(config) as stores:  # a run that is not there starts no server
        record = await stores.runs.get(run_id, tenant=config.settings.tenant)
    async with open_app(config, watchers=watchers, approver=None, ask_here=ask_here) as app:
        async with attended_engine(app, record.run_id) as engine:
            await app.orders.resume(record.run_id, by=who(), owner=engine.executor_id)
            result = await engine.ended(record.run_id)
        await show_result(app, result, as_json=False, quiet=False)
        return EXIT_OF[result.ending]
