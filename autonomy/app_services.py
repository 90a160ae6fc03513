"""Builds the services of a process over an open app: jobs, alerts, reports, console, gateway and chat.

Each is imported by the function that makes it: a run pays neither for the console nor for conversations.
"""

import functools
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import sqlalchemy as sa

from autonomy.app import App
from autonomy.durable.approval_store import Approvals
from autonomy.durable.memory.sql_ledger import SqlLedger
from autonomy.durable.records.run_records import RunRecords
from autonomy.durable.scheduling.schedules import Schedules
from autonomy.durable.store import Store
from autonomy.errors import ConfigError, RunConflict
from autonomy.jobs.job_folders import job_folders
from autonomy.llm.model import Task
from autonomy.locale_language import language_of_words
from autonomy.run_state.limits import Limits
from autonomy.run_state.run_values import RunRequest, RunResult, new_run_id
from autonomy.settings import Config, Settings
from autonomy.settings_files import (
    quiet_hours,
    server_entries,
    server_environment,
    server_logs,
    set_effect,
    switch_server,
    switch_tool,
)
from autonomy.stores import Stores, in_zone_of_schedules
from discovery.catalog import Catalog, JsonObject, ToolOutput
from discovery.gateway import open_gateway
from discovery.gateway_settings import GatewaySettings
from discovery.servers.server_config import ServerConfig

if TYPE_CHECKING:
    from autonomy.chat.chat_service import ChatService, RunBackend
    from autonomy.durable.durable_runs import DurableRuns
    from autonomy.hr.secrets.oauth_tokens import FreeeTokenManager
    from autonomy.jobs.job import RunDefaults
    from autonomy.jobs.job_runner import JobRunner
    from autonomy.jobs.starting import JobStart
    from autonomy.jobs.team_jobs import ReadingGateway
    from autonomy.jobs.triggers import TriggeredStart, TriggerWatch
    from autonomy.mcp_gateway.clients.profiles import GatewayClients
    from autonomy.mcp_gateway.job_tools import JobTools
    from autonomy.mcp_gateway.mcp_server import GatewayServer
    from autonomy.mcp_gateway.tasks.job_tasks import JobTasks
    from autonomy.notifications.schedule_alerts import ScheduleAlerter
    from autonomy.notifications.scheduled_report import Reporter
    from autonomy.web.visit import Console
    from discovery.transport.authorization.oauth import Browser
    from discovery.transport.authorization.sign_in import SignInOutcome


def run_defaults(settings: Settings) -> "RunDefaults":
    """The defaults that the settings give the runs of all jobs."""
    from autonomy.jobs.job import RunDefaults

    return RunDefaults(
        tenant=settings.tenant,
        limits=settings.limits,
        language=settings.language,
        location=settings.location,
        timezone=settings.timezone,
        second_opinion=settings.second_opinion,
    )


def job_runner(app: App) -> "JobRunner":
    """Build the runner that starts jobs on their schedules."""
    from autonomy.durable.scheduling.alerts import Alerts
    from autonomy.jobs.job_runner import JobRunner

    return JobRunner(
        app.job_folders,
        app.schedules,
        app.orders,
        app.journal,
        defaults=run_defaults(app.settings),
        starting=job_start(app),
        quiet=quiet_hours(app.config),
        alert=Alerts(Store(app.engine)).broken,
    )


def triggered_start(app: App) -> "TriggeredStart":
    """Build the object that starts a job for an event: a webhook, a file, another job's end, a message."""
    from autonomy.jobs.triggers import TriggeredStart

    return TriggeredStart(
        job_start(app),
        app.runs,
        app.orders,
        app.now,
        defaults=run_defaults(app.settings),
        quiet=quiet_hours(app.config),
    )


def trigger_watch(app: App) -> "TriggerWatch":
    """Build the watch for files, ended runs and messages that start jobs."""
    from autonomy.durable.scheduling.alerts import Alerts
    from autonomy.durable.scheduling.trigger_memory import TriggerMemory
    from autonomy.jobs.triggers import TriggerWatch

    store = Store(app.engine)
    return TriggerWatch(app.job_folders, triggered_start(app), TriggerMemory(store), alert=Alerts(store).broken)


def job_start(app: App) -> "JobStart":
    """Build the object that decides whether a job starts, and as how many runs."""
    return _job_start(_JobReads(app), app.runs, app.config.settings.tenant)


def _job_start(reads: "ReadingGateway", runs: RunRecords, tenant: str) -> "JobStart":
    from autonomy.jobs.starting import DaySpent, JobStart

    async def spent(job: str, since: float) -> DaySpent:
        return DaySpent(*await runs.spent(job, since, tenant=tenant))

    return JobStart(reads, spent, runs.known)


class _NoReads:
    """In place of `_JobReads` where no servers run: a list in the file and a budget need none."""

    async def catalog(self) -> Catalog:
        """Raises `RunConflict`."""
        raise RunConflict(
            "a tool decides whether or for whom this job starts, and this console runs no servers: "
            "use that of `jiritsu worker --web`, or `jiritsu run NAME`"
        )

    async def call(self, name: str, arguments: JsonObject) -> ToolOutput:
        """Raises `RunConflict`; nobody calls what no catalog has."""
        raise RunConflict(name)


@dataclass(frozen=True)
class _JobReads:
    """Reads for a job's condition and its list, as a run of it would."""

    app: App

    async def catalog(self) -> Catalog:
        """The current catalog."""
        return await self.app.gateway.catalog()

    async def call(self, name: str, arguments: JsonObject) -> ToolOutput:
        """Call one for the operator's tenant. Raises `DiscoveryError`."""
        with self.app.acting_for_jobs():
            return await self.app.gateway.call(name, arguments)


def freee_tokens(app: App) -> "FreeeTokenManager | None":
    """The tokens of the tenants that are connected to freee, or None without a tenant or our registration with freee.

    Raises `StoreError`. It blocks.
    """
    from autonomy.hr.tenants import TenantStore

    if app.settings.sample_only or not TenantStore(app.engine).all():
        return None
    from autonomy.hr.backend import freee_app
    from autonomy.hr.secrets.credential_store import CredentialStore
    from autonomy.hr.secrets.oauth_tokens import FreeeTokenManager
    from autonomy.hr.secrets.vault import Vault

    registration = freee_app(os.environ)
    if not registration.client_id:
        return None
    vault = Vault.open(app.settings.home, app.settings.key.get_secret_value())
    return FreeeTokenManager(CredentialStore(app.engine, vault), registration)


def schedule_alerter(app: App) -> "ScheduleAlerter":
    """Build the alerter that reports schedules that paused themselves. Raises `ConfigError`."""
    from autonomy.durable.scheduling.alerts import Alerts
    from autonomy.notifications.schedule_alerts import AlertSettings, ScheduleAlerter

    settings, alert_settings = app.settings, app.config.table("alerts", AlertSettings)
    return ScheduleAlerter(
        alerts=Alerts(Store(app.engine)),
        caller=app.gateway,
        ledger=app.ledger,
        settings=alert_settings,
        folders=app.job_folders,
        language=settings.language,
        quiet=quiet_hours(app.config),
    )


def reporter(app: App) -> "Reporter":
    """Build the object that posts the report. Raises `ConfigError`."""
    from autonomy.durable.liveness.process_locks import alone
    from autonomy.notifications.report_settings import report_settings
    from autonomy.notifications.scheduled_report import Reporter

    settings = app.settings
    return Reporter(
        settings=report_settings(app.config),
        schedules=app.schedules,
        alone=partial(alone, app.engine, "(reporting)"),
        journal=app.journal,
        caller=app.gateway,
        ledger=app.ledger,
        policy=app.services.policy,
        tenant=settings.tenant,
        timezone=settings.timezone,
        language=settings.language,
        quiet=quiet_hours(app.config),
    )


def console(stores: "App | Stores", listen: str = "", *, owner: str, in_japanese: Callable[[str], str] = str) -> "Console":
    """The console over these stores. Raises `ConfigError`."""
    from autonomy.durable.records.transcripts import Transcripts
    from autonomy.durable.retention import KeepSettings
    from autonomy.web.access import Authenticator
    from autonomy.web.console_services import ConsoleServices
    from autonomy.web.visit import Console
    from autonomy.web.web_settings import web_settings
    from discovery.stored_tools import StoredTools

    config = in_zone_of_schedules(stores.config, stores.engine)
    settings = config.settings
    web = web_settings(settings.web, config.origins["web"], listen)
    keep = config.table("keep", KeepSettings)
    entries = partial(server_entries, settings)
    store = Store(stores.engine, patience_s=0)  # a reader is told that the database is away, and a page comes back by itself
    runs = RunRecords(stores.engine, patience_s=0, keys=settings.keys)
    services = ConsoleServices(
        engine=stores.engine,
        journal=stores.journal,
        runs=runs,
        starting=_job_start(_JobReads(stores) if isinstance(stores, App) else _NoReads(), runs, settings.tenant),
        transcripts=Transcripts(stores.engine, stores.journal, keys=settings.keys),
        approvals=Approvals(store),
        ledger=SqlLedger(store),
        schedules=Schedules(store),
        orders=functools.cache(lambda: stores.orders),  # one client of the engine for all pages
        job_folders=job_folders(settings),
        defaults=run_defaults(settings),
        timezone=settings.timezone,
        keep_days=keep.runs_days,
        tools=stores.gateway if isinstance(stores, App) else StoredTools(stores.engine, entries, settings.language),
        by_hand=partial(_by_hand, stores) if isinstance(stores, App) else None,
        switches=partial(switch_server, settings),
        set_effect=partial(set_effect, settings),
        switch_tool=lambda name, tool, on: switch_tool(settings, name, tool, on=on),
        entries=entries,
        sign_in=partial(_sign_in, stores),
        keys=settings.keys,
        in_japanese=in_japanese,
    )
    return Console(services, Authenticator(web, owner))


def gateway_clients(config: Config) -> "GatewayClients":
    """`[gateway]`. Raises `ConfigError`."""
    from autonomy.mcp_gateway.clients.profiles import GatewayClients

    return config.table("gateway", GatewayClients)


def mcp_gateway(app: App, runs: "DurableRuns | None", *, stdio_client: str) -> "GatewayServer":
    """The gateway for other agents over this app; `runs` carries out the jobs they order, None if they may order none.

    Raises `ConfigError`.
    """
    from autonomy.mcp_gateway.mcp_server import GatewayServer
    from autonomy.mcp_gateway.past_writes import PastWrites

    clients, tenant, clock = gateway_clients(app.config), app.settings.tenant, app.services.clock
    jobs, tasks = _jobs_of_clients(app, runs) if runs else (None, None)
    past = PastWrites(app.ledger, tenant, clock)
    return GatewayServer(app.services, clients, tenant, stdio_client, jobs=jobs, tasks=tasks, past=past)


def _jobs_of_clients(app: App, runs: "DurableRuns") -> "tuple[JobTools, JobTasks]":
    from autonomy.jobs.job import Job
    from autonomy.jobs.job_loading import find
    from autonomy.mcp_gateway.job_tools import JobTools
    from autonomy.mcp_gateway.tasks.job_tasks import JobTasks

    settings = app.settings

    def order(job_or_goal: Job | str, inputs: Mapping[str, str], client: str) -> RunRequest:
        now = app.now()
        tenant, actor = settings.tenant, f"gateway:{client}"
        run_id = new_run_id(now)
        if isinstance(job_or_goal, Job):
            return job_or_goal.request(
                run_id,
                inputs,
                now=now,
                trigger="api",
                defaults=run_defaults(settings),
                actor=actor,
            )
        spoken = language_of_words(job_or_goal, settings.language)
        task = Task(goal=job_or_goal, inputs={"location": settings.location}, language=spoken)
        return RunRequest(
            run_id=run_id,
            task=task,
            trigger="api",
            timezone=settings.timezone,
            limits=Limits.model_validate(settings.limits),
            second_opinion=settings.second_opinion,
            tenant=tenant,
            actor=actor,
        )

    async def carry_out(request: RunRequest) -> RunResult:
        await app.runs.begin(request, app.now().timestamp(), "queued")
        return await runs.run(request)

    tools = JobTools(lambda name: find(name, app.job_folders), order, carry_out)
    clock = app.services.clock
    return tools, JobTasks(app.runs, app.orders, carry_out, settings.tenant, runs.executor_id, clock, runs.going)


async def _by_hand(app: App, name: str, arguments: JsonObject) -> ToolOutput:
    """Call a tool from the console."""
    with app.acting_by_hand():
        return await app.gateway.call(name, arguments)


async def _sign_in(stores: "App | Stores", server: ServerConfig, browser: "Browser", timeout_s: float) -> "SignInOutcome":
    """Sign in to a remote server, then have the gateway of this process look again."""
    found = await sign_in(stores.config, stores.engine, server, browser, timeout_s)
    if isinstance(stores, App) and found.available:
        await stores.gateway.catalog(refresh=True)
    return found


async def sign_in(
    config: Config, engine: sa.Engine, server: ServerConfig, browser: "Browser", timeout_s: float
) -> "SignInOutcome":
    """Sign in to a remote server over a gateway of its own, with a person's browser. Raises `ConfigError` without a key."""
    from discovery.transport.authorization.sign_in import SignInOutcome

    settings = config.settings
    if not settings.keys:
        raise ConfigError("settings", "key", "is not set: without it a sign-in cannot be kept")
    # a minute more than the person has: what follows the sign-in takes its time, too
    patient = GatewaySettings(encryption_key=settings.key, connect_timeout_s=timeout_s + 60, log_folder=server_logs(settings))
    env = server_environment(settings)
    async with open_gateway([server], engine=engine, settings=patient, env=env, browser=browser) as gateway:
        (provider,) = await gateway.settle(timeout_s=timeout_s)
        tools = len((await gateway.catalog()).callable_tools)
    return SignInOutcome(available=provider.available, tools=tools, reason=provider.reason)


def chat_service(app: App, runs: "RunBackend") -> "ChatService":
    """Conversations over the app; `runs` carries out what is asked in them."""
    from autonomy.chat.chat_service import ChatConfig, ChatService
    from autonomy.chat.conversation_history import ConversationHistory

    settings = app.settings
    chat_config = ChatConfig(
        **dict(run_defaults(settings)),
        tools=("*",) if settings.mcp_enabled else (),
        job_folders=app.job_folders,
        quiet_hours=quiet_hours(app.config),
    )
    return ChatService(runs, ConversationHistory(Store(app.engine), settings.tenant), chat_config, now=app.now)
