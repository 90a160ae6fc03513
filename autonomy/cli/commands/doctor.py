"""`jiritsu doctor`: checks whether everything is in place, and says how to fix what is not."""

import os
import sys
import time
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

import anyio
import anyio.to_thread
import click

from autonomy.cli.decorators import AS_JSON, pass_config
from autonomy.cli.terminal import print_json, say
from autonomy.cli.words.terminal_words import translate
from autonomy.settings import DECIDES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Engine

    from autonomy.cli.commands.live_servers import Check
    from autonomy.settings import Config, Settings


@click.command()
@AS_JSON
@click.option("--slack", is_flag=True, help="Check the Slack app's tokens and scopes, too.")
@click.option("--no-call", is_flag=True, help="Do not call the model; check only its key and address.")
@pass_config(calls_tools=True)
async def doctor(config: "Config", as_json: bool, slack: bool, no_call: bool) -> int:
    """Check that everything is in place; each line says what is wrong and how to fix it."""
    from autonomy.cli.commands.live_servers import server_checks
    from autonomy.cli.commands.slack import slack_checks
    from autonomy.cli.entry import EXIT_SETUP

    checks: list[Check] = []

    def tell(check: "Check") -> None:
        checks.append(check)
        if not as_json:
            _say(check)

    async def check_models() -> None:
        named = dict.fromkeys((*config.settings.model, *config.settings.judge_model))
        for model in named:  # one after the other: a local runtime would hold two models in memory
            tell(await model_check(config.settings, model, call=not no_call))

    async def check_slack() -> None:
        for check in await slack_checks(config):
            tell(check)

    for check in await anyio.to_thread.run_sync(lambda: list(_local_checks(config))):
        tell(check)
    is_away = any(name == "database" and status == "fail" for name, status, _, _ in checks)
    async with anyio.create_task_group() as side_by_side:
        side_by_side.start_soon(check_models)
        side_by_side.start_soon(partial(server_checks, config, tell, is_away=is_away))
        if slack:
            side_by_side.start_soon(check_slack)
    if as_json:
        print_json([dict(zip(("check", "status", "detail", "fix"), check, strict=True)) for check in checks])
    return EXIT_SETUP if any(status == "fail" for _, status, _, _ in checks) else 0


def _say(check: "Check") -> None:
    from autonomy.cli.words.terminal_words import config_problem

    name, status, detail, fix = check
    mark = {"ok": "✓", "warn": "!", "fail": "✗"}[status]
    details = [translate(detail)] if isinstance(detail, str) else map(config_problem, (detail, *detail.others))
    for one in details:
        say(f"{mark} {name}: {one}")
    if fix:
        say(f"    → {fix}")


def _local_checks(config: "Config") -> "Iterator[Check]":
    from autonomy.cli.data_directory import ends_with_container, open_to_others
    from autonomy.cli.settings_tables import missing_jobs, webhook_problems
    from autonomy.database import check_room
    from autonomy.durable.records.confirmed_time import MEND, noted_jump
    from autonomy.durable.records.worker_heartbeats import silence_of, silent_workers, wake
    from autonomy.errors import ConfigError, StoreError
    from autonomy.jobs.job_folders import job_files, job_folders, language_in
    from autonomy.jobs.job_loading import load, never_started
    from autonomy.stores import in_zone_of_schedules, open_store

    version = ".".join(map(str, sys.version_info[:3]))
    yield "python", "ok" if sys.version_info >= (3, 11) else "fail", version, "" if sys.version_info >= (3, 11) else "needs 3.11"
    try:
        engine = open_store(config)
        try:
            check_room(engine)
            now = time.time()
            silent, no_key = silent_workers(engine, now), _no_key(config, engine)
            zone = in_zone_of_schedules(config, engine).settings.timezone
            with engine.connect() as connection:
                jump = noted_jump(connection)
        finally:
            engine.dispose()
        yield "database", "ok", config.database_url.split("@")[-1], ""
        if config.database_url.startswith("postgresql") and (left := config.settings.home / "jiritsu.db").is_file():
            stays = f"{left} is not used any more: its runs, approvals and tenants stay there"
            yield "database", "warn", stays, f"`JIRITSU_DATABASE_URL=sqlite:///{left} jiritsu runs list` shows them"
        if no_key:
            yield "key", "fail", no_key, ""
        yield from _time_zone_checks(config.settings.timezone, zone)
        if jump:
            yield "clock", "warn", str(jump), MEND
        for sign in silent:
            yield "worker", "warn", silence_of(sign, now), wake(sign)
    except StoreError as error:
        yield "database", "fail", str(error), _mend_database(config, str(error))
    if shown := open_to_others(config.settings.home):
        yield "data directory", "warn", shown, f"chmod 700 {config.settings.home}"
    if ends := ends_with_container(config):
        yield "data directory", "warn", ends, "mount a volume there, or set JIRITSU_DATABASE_URL"
    yield from _settings_checks(config)
    folders = job_folders(config.settings)
    for file in job_files(folders):
        try:
            job = load(file, language_in(folders))
            problem = never_started(job, folders)
            yield f"job {job.name}", "warn" if problem else "ok", problem or str(file), "fix the file" if problem else ""
        except ConfigError as error:
            yield f"job file {file.name}", "fail", error, "fix the file"
    for problem in webhook_problems(config):
        yield "webhook", "warn", problem, "set it where `jiritsu worker --listen` runs"
    for missing in missing_jobs(config):
        yield "settings", "warn", missing, "write the name of a job that `jiritsu jobs list` shows"
    yield from _log_checks(config)


def _log_checks(config: "Config") -> "Iterator[Check]":
    """What the log is sealed with, and whether its anchors can be noted where the operator said."""
    from autonomy.cli.data_directory import why_not_writable
    from autonomy.hr.secrets.vault import SHORTEST_SECRET

    fix = "set JIRITSU_KEY to a secret of at least sixteen characters, then `jiritsu keys rotate`"
    if not config.settings.keys:
        yield "key", "warn", "no key is set: the log is chained but not sealed, credentials cannot be stored", fix
    elif any(len(key) < SHORTEST_SECRET for key in config.settings.keys):
        short = f"a secret is shorter than {SHORTEST_SECRET} characters: it can be guessed, and credentials cannot be stored"
        yield "key", "warn", short, fix
    anchors = config.settings.audit_anchors
    if anchors and (reason := why_not_writable(anchors)):
        problem = f"anchors cannot be noted in {anchors}: {reason}; an end that is cut off would not be found"
        yield "log", "warn", problem, f"fix audit_anchors in {config.origins['audit_anchors']}"


def _time_zone_checks(own: str, zone: str) -> "Iterator[Check]":
    """Whether schedules go by the `zone` that the database keeps, away from the machine's `own`, as on a laptop that travels."""
    if zone != own:
        moved = f"schedules without one go by {zone} on this database, and this machine is in {own}"
        yield "time zone", "warn", moved, f'`timezone = "{own}"` in jiritsu.toml moves them, `"{zone}"` keeps them quietly'


def _no_key(config: "Config", engine: "Engine") -> str:
    """Why nothing can be written to the log; empty where it can."""
    from autonomy.errors import StoreError
    from autonomy.stores import open_journal

    try:
        open_journal(config.settings, engine).require_key()
    except StoreError as error:
        return str(error)
    return ""


def _settings_checks(config: "Config") -> "Iterator[Check]":
    """Each file in force, what is ignored, and the tables that only some commands read."""
    from autonomy.cli.settings_tables import table_problems
    from autonomy.errors import ConfigError
    from autonomy.policy.rule_conflicts import rule_conflicts
    from autonomy.settings_files import read_policy
    from autonomy.web.web_settings import web_settings
    from discovery.servers.network import proxies_with_password

    for file in config.files:
        if config.held and file == config.held.file:
            yield "settings file", "warn", config.held.summary, config.held.fix
        elif file.is_file():
            yield "settings file", "ok", str(file), ""
    if withheld := ", ".join(proxies_with_password(os.environ)):
        fix = f'"env": {{"{withheld.partition(",")[0]}": …}} in the entry of one that may know it'
        yield "proxy", "warn", f"{withheld} holds a password, so servers of this machine are not told it", fix
    yield warm_check()
    yield _opinion_check(config.settings)
    for ignored in config.ignored:
        yield "settings", "warn", ignored, ""
    problems = {str(problem): problem for problem in table_problems(config)}
    try:
        web_settings(config.settings.web, config.origins["web"])
    except ConfigError as error:
        problems.setdefault(str(error), error)
    for problem in problems.values():
        yield "settings", "fail", problem, "fix the file"
    with suppress(ConfigError):  # it is among the problems
        for conflict in rule_conflicts(read_policy(config.settings, origin=config.origins["policy"]).rules):
            yield "policy", "warn", conflict.to_config_error(config.origins["policy"]), "mend the rule, or take it out"


def _opinion_check(settings: "Settings") -> "Check":
    """Whether a model reads finished answers, too, and whether anybody has measured how well."""
    from autonomy.llm.vendor_list import needs_key

    name = "second opinion"
    if settings.judge_model and not settings.second_opinion:
        return name, "warn", "off, so `judge_model` gives none", "write `second_opinion = true`"
    if not settings.second_opinion:
        return name, "ok", "off: only rules judge an answer (`second_opinion = true` lets a model read it, too)", ""
    judge = (settings.judge_model or settings.model)[0]
    if judge.startswith("planner:"):
        return name, "warn", "on, but the offline planner has no opinion", "choose a language model; see docs/models.md"
    if settings.second_opinion == DECIDES:
        on = f"on: {judge} reads each finished answer once more, and settles what the checks of texts doubt"
        if not needs_key(judge.partition(":")[0]):
            unmeasured = "; how well a model of its size does that nobody has measured"
            return (
                name,
                "warn",
                f"{on}{unmeasured}",
                "write `second_opinion = true`, or name a large hosted model as `judge_model`",
            )
        own = "; it reads its own answers, which was measured of one large model alone" if judge in settings.model else ""
        return name, "ok", f"{on}{own}", ""
    return name, "ok", f"on: {judge} reads each finished answer once more", ""


def warm_check() -> "Check":
    """Whether commands start warm, and where from."""
    from autonomy.cli.commands.warm import ask
    from autonomy.warm import warm_home
    from autonomy.warm.warm_socket import STATUS, supported

    if not supported():
        return "warm starts", "ok", f"off: {sys.platform} lacks what they need", ""
    answer = ask(STATUS)
    if answer is None:
        return "warm starts", "ok", "off: commands start from scratch", ""
    return "warm starts", "ok", f"on: process {answer['pid']} in {warm_home()}", ""


async def model_check(settings: "Settings", model: str, *, call: bool = True) -> "Check":
    """Check a model: its address, whether it answers and calls tools, and how much it reads; `call` false only looks at the
    settings."""
    from autonomy.errors import ConfigError
    from autonomy.llm.live_check import check_model, in_a_sentence, remedy
    from autonomy.llm.model_registry import open_model
    from autonomy.settings_files import model_options

    name, vendor = f"model {model}", model.partition(":")[0]
    if vendor in ("planner", "scripted"):
        return name, "ok", "the built-in offline planner: no language model" if vendor == "planner" else "a test double", ""
    try:
        options = model_options(settings, model)
        opened = await anyio.to_thread.run_sync(open_model, model, options)
    except ConfigError as error:
        return (
            name,
            "fail",
            error,
            f"set {error.key} to a key of {_usual_address(vendor)}"
            if error.where == "environment"
            else "fix the settings; see docs/models.md",
        )
    where = options.base_url or _usual_address(vendor)
    try:
        found = await check_model(opened) if call else None
    finally:
        await opened.aclose()
    if found is None:
        return name, "ok", f"{where}, not called", ""
    if not found.ok:
        return name, "fail", f"{where}: {in_a_sentence(model, found)}", remedy(model, found)
    size = f"reads {found.context_tokens:,} tokens" if found.context_tokens else "context size unknown"
    answered = f"{where} answered in {found.seconds:.1f} s"
    if found.tools_refused and found.called_the_tool:
        summary = f"{answered}, refuses tools ({found.tools_refused}) and calls those written into its prompt, {size}"
        return name, "warn", summary, "choose a model that supports tools: one that does not calls them worse"
    if found.called_the_tool:
        shorten = f"write `context_tokens` under [models.{vendor}]: long runs are then shortened in time"
        return name, "ok", f"{answered}, calls tools, {size}", "" if found.context_tokens else shorten
    why = f"refuses tools ({found.tools_refused})" if found.tools_refused else "did not call the tool it was asked to"
    return name, "warn", f"{answered}, {why}, {size}", "choose a model that supports tools: without them it can only talk"


def _usual_address(vendor: str) -> str:
    from autonomy.llm.vendor_list import chat_vendors
    from autonomy.llm.vendors import anthropic_messages, openai_sdk

    own = {"openai": openai_sdk.BASE_URL, "anthropic": anthropic_messages.BASE_URL}
    return own.get(vendor) or chat_vendors()[vendor].base_url


def _mend_database(config: "Config", why: str) -> str:
    if "`" in why:  # it says so itself
        return ""
    if "no room" in why or "disk is full" in why:
        return "make room on its disk"
    if not config.database_url.startswith(("postgresql", "sqlite")):
        return f"fix database_url in {config.origins['database_url']}"
    if config.database_url.startswith("postgresql"):
        return "name the primary in JIRITSU_DATABASE_URL" if "read-only" in why else "start it, or fix JIRITSU_DATABASE_URL"
    if "not a database" in why or "malformed" in why:
        return "put a copy in its place (`jiritsu restore FILE`), or move it away: the next start makes an empty one"
    return "choose another directory with JIRITSU_HOME, or fix its permissions"
