"""`jiritsu run`: runs one job or goal, with live progress, its result and its score."""

import re
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING
from urllib.parse import unquote

import click

from autonomy.cli.completion_names import jobs_or_files
from autonomy.cli.decorators import APPROVE_ALL, pass_config
from autonomy.cli.parameter_types import GOAL, INPUTS
from autonomy.cli.sample import CHOSEN_SAMPLE, ON_SAMPLE, SAMPLE, with_company
from autonomy.cli.terminal import in_a_line, print_json, say, show
from autonomy.cli.words.terminal_words import set_terminal_language, terminal_language, translate
from autonomy.locale_language import language_of_words

if TYPE_CHECKING:
    from autonomy.app import App
    from autonomy.cli.reports.run_progress import Progress
    from autonomy.durable.durable_runs import DurableRuns
    from autonomy.jobs.job import Job
    from autonomy.run_state.run_values import RunRequest, RunResult
    from autonomy.settings import Config, Settings


_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
"""What looks like the name of a job: `weekly-digest`."""


@click.command()
@click.argument("goal", type=GOAL, shell_complete=jobs_or_files)
@INPUTS
@SAMPLE
@APPROVE_ALL
@click.option("--simulate", is_flag=True, help="Rehearse: show every write, and send none.")
@click.option("--plan", is_flag=True, help="Make a plan, check it, then execute it. Needs a language model.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON on stdout.")
@click.option("-q", "--quiet", is_flag=True, help="Print only the result, without progress.")
@pass_config(calls_tools=True)
def run(
    config: "Config",
    goal: str,
    inputs: tuple[tuple[str, str], ...],
    yes: bool,
    simulate: bool,
    plan: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    """Run GOAL: the name of a job, a job file (*.md), or a goal in your own words.

    \b
    jiritsu run diary
    jiritsu run diary --sample en
    jiritsu run diary -i user=kenta -i date=yesterday
    jiritsu run "東京の天気を教えて"
    """
    from autonomy.cli.entry import run_async

    config = with_company(config, goal)
    values = dict(inputs)
    ready = request_without_tools(config, goal, values, simulate=simulate, plan=plan)  # what is refused starts no server
    if ready is not None and not ready.job:
        set_terminal_language(language_of_words(goal, config.settings.language))

    from autonomy.app import open_app  # reads files, so not on the event loop

    async def command() -> int:
        from autonomy.cli.entry import EXIT_OF, attended_engine, told_how_it_goes_on
        from autonomy.cli.reports.run_progress import Progress, causes_in
        from autonomy.cli.reports.run_result import show_result
        from autonomy.cli.rich_console import SafeConsole
        from autonomy.cli.terminal_approver import TerminalApprover

        console = SafeConsole(stderr=True)
        progress = Progress(console)
        watchers = () if quiet else (progress,)
        ask_here = TerminalApprover(approve_all=yes).ask
        async with open_app(config, watchers=watchers, approver=None, ask_here=ask_here) as app:
            progress.causes = partial(causes_in, app.gateway)
            requests, why_not = ([ready], "") if ready else await requests_of(app, goal, values, simulate=simulate)
            if why_not:
                say(f"jiritsu: {'it would not start now' if requests else 'nothing to do'}: {why_not}", err=True)
            if not requests:
                return 0
            requests = [with_plan(one, requested=plan, models=config.settings.model) for one in requests]
            if len(requests) > 1:
                return await run_each(app, requests, job_of(app.settings, goal), progress, as_json=as_json)
            (request,) = requests
            if not quiet:
                console.print(_heading(app, request, goal), soft_wrap=True)
            async with told_how_it_goes_on(app, request.run_id):
                await app.runs.begin(request, app.now().timestamp(), "queued")
                async with attended_engine(app) as engine:
                    result = await engine.run(request)
            await show_result(app, result, as_json=as_json, quiet=quiet)
            if not (as_json or quiet) and lacks_the_sample(app, result, goal):
                say(f"`jiritsu run {goal} --sample {terminal_language()}` runs it on the sample workspace", err=True)
            if not (as_json or quiet) and is_of_the_other_sample(app, result):
                say(f"`--sample {terminal_language()}` asks the sample in this language", err=True)
            return EXIT_OF[result.ending]

    run_async(command)


def request_without_tools(
    config: "Config", goal: str, inputs: dict[str, str], *, simulate: bool, plan: bool
) -> "RunRequest | None":
    """The one run that a job or goal starts as; None where tools must be asked first whether it starts, as what, and for whom.
    Raises `ConfigError`."""
    from autonomy.run_state.limits import Limits
    from autonomy.settings_files import on_sample

    settings = config.settings
    config.table("limits", Limits)
    job = job_of(settings, goal)
    if job is not None and (is_decided_by_tools(job) or (job.lacking(inputs) and on_sample(settings))):
        return None
    request = request_for(settings, goal, job, inputs, simulate=simulate)
    return with_plan(request, requested=plan, models=settings.model)


def is_decided_by_tools(job: "Job") -> bool:
    """Whether a job's condition, list or budget decides at its start whether it runs, and as how many runs."""
    return bool(job.when or job.for_each or job.budget.model_dump(exclude_none=True))


def request_for(settings: "Settings", goal: str, job: "Job | None", inputs: dict[str, str], *, simulate: bool) -> "RunRequest":
    """A run of a job, or else of the words themselves as the goal. Raises `ConfigError`."""
    from autonomy.app_services import run_defaults
    from autonomy.errors import ConfigError
    from autonomy.jobs.job_folders import job_folders, job_names
    from autonomy.jobs.job_loading import find
    from autonomy.llm.model import Task
    from autonomy.run_state.limits import Limits
    from autonomy.run_state.run_values import RunRequest, new_run_id

    now = settings.now()
    run_id = new_run_id(now)
    if job is not None:
        return job.request(
            run_id,
            inputs,
            now=now,
            defaults=run_defaults(settings),
            simulate=simulate,
        )
    if not goal.strip():
        raise ConfigError("goal", "", "is empty")
    if _NAME.fullmatch(goal):
        # one plain word is meant as a job: say which there are
        find(goal, job_folders(settings), otherwise="; write a goal as a sentence")
    task = Task(
        goal=goal,
        inputs={"location": settings.location, **inputs},
        language=language_of_words(goal, settings.language),
        jobs=job_names(job_folders(settings)),
    )
    return RunRequest(
        run_id=run_id,
        task=task,
        tenant=settings.tenant,
        timezone=settings.timezone,
        limits=Limits.model_validate(settings.limits),
        second_opinion=settings.second_opinion,
        simulate=simulate,
    )


async def requests_of(app: "App", goal: str, inputs: dict[str, str], *, simulate: bool) -> "tuple[list[RunRequest], str]":
    """The runs that a job or goal starts as; or none, and why. A rehearsal shows what would be done whether or not the job's
    condition holds now. Raises `ConfigError`, `DiscoveryError`."""
    from autonomy.app_services import job_start
    from autonomy.run_state.limits import HELD_BY_BUDGET
    from autonomy.run_state.run_values import new_run_id

    job = job_of(app.settings, goal)
    if job is not None and job.for_each is None and job.lacking(inputs):
        await require_tools_of_sample(app, job)
    if job is None or not is_decided_by_tools(job):
        return [request_for(app.settings, goal, job, inputs, simulate=simulate)], ""
    start = job_start(app)
    await app.gateway.settle(timeout_s=20)
    why_not = await start.why_not(job, inputs, app.now())
    if why_not and (not simulate or why_not.startswith(HELD_BY_BUDGET)):
        return [], why_not
    root = new_run_id(app.now())
    requests = []
    for run in await start.runs(job, root, inputs):
        request = request_for(app.settings, goal, job, run.inputs, simulate=simulate)
        request = with_optional_writes(request) if why_not else request
        requests.append(request.model_copy(update={"run_id": run.run_id, "of_list": run.of_list}))
    return requests, why_not


def with_optional_writes(request: "RunRequest") -> "RunRequest":
    """The rehearsal of a job whose condition does not hold now: who says so, and sends nothing, is right as well."""
    from autonomy.policy.need_binding import is_write
    from autonomy.run_state.completion_rules import Evidence

    needs = request.task.needs
    writes = {need.id for need in needs if is_write(need.effect)}
    optional = tuple(need.model_copy(update={"required": need.required and need.id not in writes}) for need in needs)
    rules = tuple(rule for rule in request.rules if not (isinstance(rule, Evidence) and rule.need in writes))
    return request.model_copy(update={"task": request.task.model_copy(update={"needs": optional}), "rules": rules})


def lacks_the_sample(app: "App", result: "RunResult", goal: str) -> bool:
    """Whether a job that ships with us found no tools among a person's own servers, as after the first `jiritsu init`."""
    from autonomy.jobs.job_folders import BUILT_IN
    from autonomy.settings_files import on_sample

    if result.calls or result.ending not in ("declined", "blocked") or on_sample(app.settings):
        return False  # the file is not read again, which may have been edited meanwhile
    job = job_of(app.settings, goal)
    return job is not None and job.file.is_relative_to(BUILT_IN)


def is_of_the_other_sample(app: "App", result: "RunResult") -> bool:
    """Whether somebody asked the sample of one language in the other, about whom or what it may not know."""
    from autonomy.settings_files import on_sample

    return (
        not result.job
        and result.ending == "declined"
        and terminal_language() != app.settings.language
        and on_sample(app.settings)
    )


async def require_tools_of_sample(app: "App", job: "Job") -> None:
    """Say of a job that wants inputs that the sample cannot serve it, before anybody looks for them. Raises `ConfigError`."""
    from autonomy.errors import ConfigError
    from autonomy.jobs.serving import served
    from autonomy.settings_files import on_sample

    if not on_sample(app.settings):
        return
    await app.gateway.settle(timeout_s=20)
    tools = (await app.gateway.catalog()).tools
    if unserved := [one.what for one in served(job, tools) if one.required and (one.unlike or not one.tools)]:
        why = f"the sample has no tool for {', '.join(unserved)}: it runs with servers of yours; `jiritsu jobs new` has jobs for the sample"
        raise ConfigError(f"job {job.name}", "needs", why)


def job_of(settings: "Settings", goal: str) -> "Job | None":
    """The job that is meant, if one is. Raises `ConfigError`."""
    from autonomy.jobs.job_folders import job_files, job_folders, name_of
    from autonomy.jobs.job_loading import find, is_job_file

    folders = job_folders(settings)
    names_job = is_job_file(goal) or goal in {name_of(file) for file in job_files(folders)}
    return find(goal, folders) if names_job else None


async def run_each(
    app: "App", requests: Sequence["RunRequest"], job: "Job | None", progress: "Progress", *, as_json: bool
) -> int:
    """Execute the runs of a list, some at once, print what each brought and a summary; gives the exit code of the worst ending."""
    import anyio

    from autonomy.cli.entry import EXIT_OF, attended_engine
    from autonomy.cli.reports.run_result import FAILURE_CHARS, marked_text
    from metrics.reporting.report_words import ending_in, word

    def name_of_item(request: "RunRequest") -> str:
        return request.of_list.item if request.of_list else request.run_id

    at_once = anyio.CapacityLimiter(job.for_each.at_once if job and job.for_each else 1)
    results: dict[str, RunResult] = {}

    async def run_one(engine: "DurableRuns", request: "RunRequest") -> None:
        async with at_once:
            result = results[request.run_id] = await engine.run(request)
            made = unquote(next((receipt.target for receipt in result.receipts if receipt.target), ""))
            refusal = " ".join(result.text.split())[:FAILURE_CHARS] if result.ending == "declined" else ""
            why = refusal or translate(result.reason)  # a refusal says in its text what it did not find
            succeeded = EXIT_OF[result.ending] == 0
            shown = (made,) if succeeded else (why, made)
            line = ": ".join(
                part for part in (ending_in(result.ending, terminal_language(), len(result.remarks)), *shown) if part
            )
            say(f"{'✓' if succeeded else '✗'} {name_of_item(request)}: {line}", err=True, verbatim=True)

    progress.names = {request.run_id: in_a_line(name_of_item(request)) for request in requests}
    for request in requests:
        await app.runs.begin(request, app.now().timestamp(), "queued")
    async with attended_engine(app) as engine, anyio.create_task_group() as group:
        for request in requests:
            group.start_soon(run_one, engine, request)
    endings = [results[request.run_id].ending for request in requests]
    if as_json:
        print_json([results[request.run_id].model_dump(mode="json") for request in requests])
    else:
        for request in requests:
            show(f"# {name_of_item(request)}  {request.run_id}\n\n{marked_text(results[request.run_id])}\n")
    say(
        f"{len(endings)} runs: "
        + ", ".join(f"{endings.count(one)} {word(one, terminal_language())}" for one in dict.fromkeys(endings)),
        err=True,
    )
    return max(EXIT_OF[ending] for ending in endings)


def with_plan(request: "RunRequest", *, requested: bool, models: Sequence[str]) -> "RunRequest":
    """The request with a plan, where the job or the person asks for one. Raises `ConfigError` where none of the models can make
    it."""
    from autonomy.errors import ConfigError

    if not (requested or request.plan):
        return request
    if all(name.startswith("planner:") for name in models):
        raise ConfigError("settings", "model", f"{models[0]} cannot plan first; name a language model (docs/models.md)")
    return request.model_copy(update={"plan": True})


def _heading(app: "App", request: "RunRequest", goal: str) -> str:
    from autonomy.jobs.job_folders import hidden_by_sample
    from autonomy.settings_files import on_sample
    from discovery.text.redaction import redact

    what = f"job {request.job}" if request.job else f"goal {redact(request.task.goal)!r}"
    sample = CHOSEN_SAMPLE if app.settings.sample_only else ON_SAMPLE if on_sample(app.settings) else ""
    where = "\n" + translate(sample) if sample else ""
    offline = (
        "\n" + translate("The model is the built-in offline planner: no key, no network, no language model.")
        if "planner" in app.settings.model[0]
        else ""
    )
    own = hidden_by_sample(app.settings, goal)
    hidden = "\n" + translate(f"This is the job {goal} of the sample; your own is meant by its file: {own}") if own else ""
    return translate(f"Run {request.run_id}  {what}") + where + offline + hidden
