"""The composition root: builds every room from the settings and closes them in reverse order.

This is the only place where rooms are put together; none of them reads the environment, and what is opened here is closed here,
in the order of the `async with` lines.
"""

import functools
import gc
import os
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AbstractContextManager, asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import anyio.to_thread
import sqlalchemy as sa
from pydantic import ValidationError

from autonomy.agent.loop import Executor
from autonomy.calls.services import OnRunText, Services
from autonomy.calls.tenancy import NoTenancy, Tenancy
from autonomy.database import check_open_files
from autonomy.durable.approval_store import Approvals, AskHere
from autonomy.durable.memory.sql_ledger import SqlLedger
from autonomy.durable.memory.sql_long_results import SqlLongResults
from autonomy.durable.memory.sql_need_memory import SqlNeedMemory
from autonomy.durable.memory.sql_remote_tasks import SqlRemoteTasks
from autonomy.durable.records.live_text import LiveText
from autonomy.durable.records.run_records import RunRecords
from autonomy.durable.scheduling.schedules import Schedules
from autonomy.durable.store import PatientSink, Store
from autonomy.errors import ConfigError
from autonomy.hr.tenants import TenantStore
from autonomy.jobs.job_folders import job_folders
from autonomy.llm.model import Model, Task
from autonomy.llm.model_chain import Chain
from autonomy.llm.model_registry import open_model
from autonomy.mcp_gateway.profiles import GatewayClients
from autonomy.run_state.asking.approvals import Approver, nobody
from autonomy.run_state.limits import Limits
from autonomy.run_state.run_values import RunRequest, RunResult, new_run_id
from autonomy.settings import Config, Settings
from autonomy.settings_files import (
    check_limits,
    check_models,
    model_options,
    offer_limits,
    on_sample,
    quiet_hours,
    read_policy,
    read_servers,
    server_entries,
    server_entry_now,
    server_environment,
    server_logs,
    set_effect,
    switch_server,
    switch_tool,
)
from autonomy.stores import Stores, open_journal, open_store
from autonomy.warm.leases import leases
from discovery.catalog import Catalog, JsonObject, ToolOutput
from discovery.gateway import Gateway, InProcess, open_gateway
from discovery.gateway_settings import GatewaySettings
from discovery.names import may_offer
from discovery.servers.servers_file import ServerConfig, Servers
from discovery.text.redaction import redact
from metrics.events import EventSink
from metrics.journal import Journal

if TYPE_CHECKING:  # each is loaded by the function that makes it: a run pays neither for the console nor for conversations
    from autonomy.chat.chat_service import ChatService, RunBackend
    from autonomy.durable.durable_runs import DurableRuns
    from autonomy.durable.run_control import RunControl
    from autonomy.jobs.job_runner import JobRunner
    from autonomy.jobs.starting import JobStart
    from autonomy.jobs.triggers import TriggeredStart, TriggerWatch
    from autonomy.mcp_gateway.mcp_server import GatewayServer
    from autonomy.notifications.schedule_alerts import ScheduleAlerter
    from autonomy.notifications.scheduled_report import Reporter
    from autonomy.web.visit import Console
    from discovery.transport.authorization.oauth import Browser
    from discovery.transport.authorization.sign_in import SignInOutcome


@dataclass(frozen=True)
class App:
    """Everything a command may need, open."""

    config: Config
    servers: Servers
    engine: sa.Engine
    gateway: Gateway
    journal: Journal
    runs: RunRecords
    ledger: SqlLedger
    approvals: Approvals
    schedules: Schedules
    executor: Executor

    def durable(
        self, *, takes_work: bool = False, executor_id: str = "", grace_s: float = 10.0, kind: str = "worker"
    ) -> AbstractAsyncContextManager["DurableRuns"]:
        """The engine that runs survive in; `takes_work` also runs what others enqueued or left behind (see `open_runs`).

        `grace_s`: how long running calls may go on when it is left. `kind`: what it is called where workers are listed.
        """
        from autonomy.durable.durable_runs import open_runs
        from autonomy.durable.engine import ConcurrencyLimits, Liveness

        try:
            concurrency = ConcurrencyLimits.model_validate(self.settings.workers)
        except ValidationError as error:
            raise ConfigError.of(self.config.origins["workers"], error, "workers") from error
        keys = self.settings.keys
        liveness = Liveness(grace_s=grace_s)
        return open_runs(
            self.engine,
            self.executor,
            self.runs,
            keys=keys,
            takes_work=takes_work,
            executor_id=executor_id,
            concurrency=concurrency,
            liveness=liveness,
            kind=kind,
        )

    @property
    def orders(self) -> "RunControl":
        """Orders about runs. The engine must have been started once on this database."""
        from autonomy.durable.run_control import RunControl

        return RunControl(self.engine, self.runs, self.ledger, self.journal, keys=self.settings.keys)

    @property
    def settings(self) -> Settings:
        """The operator's settings."""
        return self.config.settings

    @property
    def job_folders(self) -> tuple[Path, ...]:
        """Where job files are looked for, the operator's first."""
        return job_folders(self.settings)

    def acting_by_hand(self) -> AbstractContextManager[object]:
        """For a tool that is called outside a run: it works for the operator's tenant, who has thereby confirmed the call."""
        request = RunRequest(run_id="by-hand", task=Task(goal=""), tenant=self.settings.tenant, actor="operator")
        return self.executor.services.tenancy.acting(request, confirmed=True)

    def acting_for_jobs(self) -> AbstractContextManager[object]:
        """For what decides about a job's start: it works for the operator's tenant, and nobody has confirmed the call."""
        request = RunRequest(run_id="job-start", task=Task(goal=""), tenant=self.settings.tenant, actor="jobs")
        return self.executor.services.tenancy.acting(request, confirmed=False)

    def now(self) -> datetime:
        """The present moment in the operator's time zone."""
        return datetime.now(ZoneInfo(self.settings.timezone))


@asynccontextmanager
async def open_app(
    config: Config,
    *,
    watchers: Sequence[EventSink] = (),
    approver: Approver | None = nobody,
    ask_here: AskHere | None = None,
    on_text: OnRunText | None = None,
    tool: str = "",
) -> AsyncIterator[App]:
    """Open everything. Raises `ConfigError`, `StoreError` or discovery's `ServersFileError` for what the operator must mend.

    `approver`: None lets questions stand in the database until anybody answers; `ask_here` then asks whoever is present first.
    `on_text`: hears text as models write it. `tool`: only the servers that may offer a tool of this full name are started.
    """
    freeze_imported_modules()
    settings = config.settings
    check_open_files()
    check_limits(config)
    check_models(config)
    quiet_hours(config)
    tools = offer_limits(config)
    servers = await anyio.to_thread.run_sync(read_servers, settings)
    if tool:
        servers = servers.model_copy(update={"servers": tuple(one for one in servers.servers if may_offer(one.name, tool))})
    engine = await anyio.to_thread.run_sync(open_store, config)
    journal = open_journal(settings, engine)
    try:
        own = await anyio.to_thread.run_sync(own_providers, settings, servers, engine, journal)
        async with (
            telemetry() as exporters,
            open_gateway(
                own.others,
                in_process=own.in_process,
                engine=engine,
                settings=GatewaySettings(
                    hold_changed=settings.hold_changed,
                    come_with_us=on_sample(settings),
                    language=settings.language,
                    encryption_key=settings.key if settings.keys else None,
                    log_folder=server_logs(settings),
                ),
                env=server_environment(settings),
                asks_back=True,
                spares=leases(),
                reread=partial(server_entry_now, settings),
            ) as gateway,
            open_chain(settings) as chain,
        ):
            store = Store(engine)
            ledger, approvals = SqlLedger(store), Approvals(store, ask_here=ask_here)
            services = Services(
                gateway,
                read_policy(settings, origin=config.origins["policy"]),
                approver or approvals,
                ledger=ledger,
                remote_tasks=SqlRemoteTasks(store),
                journal=PatientSink(journal.within(store.together), store),
                watchers=(*watchers, *exporters),
                on_text=on_text,
                listener=LiveText(Store(engine, patience_s=0)).listener,
                tenancy=own.tenancy,
                model=chain,
                need_memory=SqlNeedMemory(store),
                long_results=SqlLongResults(store),
                offer_limits=tools,
            )
            executor, records = Executor(chain, services), RunRecords(engine, keys=settings.keys)
            yield App(config, servers, engine, gateway, journal, records, ledger, approvals, Schedules(store), executor)
    finally:
        engine.dispose()


@functools.cache
def freeze_imported_modules() -> None:
    """Once per process: the garbage collector need not look at modules ever again, which stopped the event loop for a tenth of a
    second."""
    gc.freeze()


@asynccontextmanager
async def telemetry() -> AsyncIterator[Sequence[EventSink]]:
    """Where spans and metrics go, when the standard variable names an OTLP endpoint. Raises `ConfigError` without the extra."""
    if not os.environ.get("OTEL_EXPORTER_OTLP_ENDPOINT"):
        yield ()
        return
    try:
        from metrics.telemetry.telemetry_export import open_telemetry
    except ImportError as error:
        raise ConfigError("environment", "OTEL_EXPORTER_OTLP_ENDPOINT", "needs the extra: pip install 'jiritsu[otel]'") from error
    with open_telemetry(latest=os.environ.get("JIRITSU_GENAI_SEMCONV") == "latest", redact=redact) as sink:
        yield (sink,)


def job_runner(app: App) -> "JobRunner":
    """What starts jobs by their schedules."""
    from autonomy.durable.scheduling.alerts import Alerts
    from autonomy.jobs.job_runner import JobRunner

    settings = app.settings
    return JobRunner(
        app.job_folders,
        app.schedules,
        app.orders,
        app.journal,
        tenant=settings.tenant,
        limits=settings.limits,
        language=settings.language,
        location=settings.location,
        starting=job_start(app),
        quiet=quiet_hours(app.config),
        alert=Alerts(Store(app.engine)).broken,
    )


def triggered_start(app: App) -> "TriggeredStart":
    """What starts a job for something that happened: a webhook, a file, another job's end, a message."""
    from autonomy.jobs.triggers import TriggeredStart

    settings = app.settings
    return TriggeredStart(
        job_start(app),
        app.runs,
        app.orders,
        app.now,
        tenant=settings.tenant,
        limits=settings.limits,
        language=settings.language,
        location=settings.location,
        quiet=quiet_hours(app.config),
    )


def trigger_watch(app: App) -> "TriggerWatch":
    """What looks for files and ended runs that start jobs, and hears messages."""
    from autonomy.durable.scheduling.alerts import Alerts
    from autonomy.durable.scheduling.trigger_memory import TriggerMemory
    from autonomy.jobs.triggers import TriggerWatch

    store = Store(app.engine)
    return TriggerWatch(app.job_folders, triggered_start(app), TriggerMemory(store), alert=Alerts(store).broken)


def job_start(app: App) -> "JobStart":
    """What decides whether a job starts, and as how many runs."""
    from autonomy.jobs.starting import DaySpent, JobStart

    async def spent(job: str, since: float) -> DaySpent:
        return DaySpent(*await app.runs.spent(job, since, tenant=app.config.settings.tenant))

    return JobStart(_JobReads(app), spent, app.runs.known)


@dataclass(frozen=True)
class _JobReads:
    """Reads for a job's condition and its list, as a run of it would."""

    app: App

    async def catalog(self) -> Catalog:
        """All tools there are."""
        return await self.app.gateway.catalog()

    async def call(self, name: str, arguments: JsonObject) -> ToolOutput:
        """Call one for the operator's tenant. Raises `DiscoveryError`."""
        with self.app.acting_for_jobs():
            return await self.app.gateway.call(name, arguments)


def alarm(app: App) -> "ScheduleAlerter":
    """What tells people of schedules that paused themselves. Raises `ConfigError`."""
    from autonomy.durable.scheduling.alerts import Alerts
    from autonomy.notifications.schedule_alerts import AlertSettings, ScheduleAlerter

    settings = app.settings
    try:
        alert_settings = AlertSettings.model_validate(settings.alerts)
    except ValidationError as error:
        raise ConfigError.of(app.config.origins["alerts"], error, "alerts") from error
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
    """What posts the report. Raises `ConfigError`."""
    from autonomy.durable.liveness.process_locks import alone
    from autonomy.notifications.report_settings import report_settings
    from autonomy.notifications.scheduled_report import Reporter

    settings = app.settings
    return Reporter(
        settings=report_settings(settings),
        schedules=app.schedules,
        alone=partial(alone, app.engine, "(reporting)"),
        journal=app.journal,
        caller=app.gateway,
        ledger=app.ledger,
        policy=app.executor.services.policy,
        tenant=settings.tenant,
        timezone=settings.timezone,
        language=settings.language,
        quiet=quiet_hours(app.config),
    )


def console(stores: "App | Stores", listen: str = "", *, owner: str) -> "Console":
    """The console over these stores. Raises `ConfigError`."""
    from autonomy.durable.records.transcripts import Transcripts
    from autonomy.durable.retention import KeepSettings
    from autonomy.web.access import Authenticator
    from autonomy.web.console_services import ConsoleServices
    from autonomy.web.visit import Console
    from autonomy.web.web_settings import web_settings
    from discovery.stored_tools import StoredTools

    settings, origins = stores.config.settings, stores.config.origins
    web = web_settings(settings.web, origins["web"], listen)
    try:
        keep = KeepSettings.model_validate(settings.keep)
    except ValidationError as error:
        raise ConfigError.of(origins["keep"], error, "keep") from error
    entries = partial(server_entries, settings)
    store = Store(stores.engine, patience_s=0)  # a reader is told that the database is away, and a page comes back by itself
    services = ConsoleServices(
        engine=stores.engine,
        journal=stores.journal,
        runs=RunRecords(stores.engine, patience_s=0, keys=settings.keys),
        transcripts=Transcripts(stores.engine, stores.journal, keys=settings.keys),
        approvals=Approvals(store),
        ledger=SqlLedger(store),
        schedules=Schedules(store),
        orders=functools.cache(lambda: stores.orders),  # one client of the engine for all pages
        job_folders=job_folders(settings),
        tenant=settings.tenant,
        language=settings.language,
        location=settings.location,
        timezone=settings.timezone,
        keep_days=keep.runs_days,
        limits=settings.limits,
        tools=stores.gateway if isinstance(stores, App) else StoredTools(stores.engine, entries, settings.language),
        by_hand=partial(_by_hand, stores) if isinstance(stores, App) else None,
        switches=partial(switch_server, settings),
        set_effect=partial(set_effect, settings),
        switch_tool=lambda name, tool, on: switch_tool(settings, name, tool, on=on),
        entries=entries,
        sign_in=partial(_sign_in, stores),
        keys=settings.keys,
    )
    return Console(services, Authenticator(web, owner))


def gateway_clients(config: Config) -> GatewayClients:
    """`[gateway]`. Raises `ConfigError`."""
    try:
        return GatewayClients.model_validate(config.settings.gateway)
    except ValidationError as error:
        raise ConfigError.of(config.origins["gateway"], error, "gateway") from error


def mcp_gateway(app: App, runs: "DurableRuns | None", *, stdio_client: str) -> "GatewayServer":
    """The gateway for other agents over this app; `runs` carries out the jobs they order. Raises `ConfigError`."""
    from autonomy.jobs.job import Job, find
    from autonomy.mcp_gateway.job_tools import JobTools
    from autonomy.mcp_gateway.mcp_server import GatewayServer
    from autonomy.mcp_gateway.past_writes import PastWrites
    from autonomy.mcp_gateway.tasks.job_tasks import JobTasks

    settings = app.settings

    def order(wanted: Job | str, inputs: Mapping[str, str], client: str) -> RunRequest:
        now = app.now()
        tenant, actor = settings.tenant, f"gateway:{client}"
        run_id = new_run_id(now)
        if isinstance(wanted, Job):
            return wanted.request(
                run_id,
                inputs,
                now=now,
                trigger="api",
                limits=settings.limits,
                tenant=tenant,
                actor=actor,
                language=settings.language,
                location=settings.location,
            )
        task = Task(goal=wanted, inputs={"location": settings.location}, language=settings.language)
        return RunRequest(
            run_id=run_id,
            task=task,
            trigger="api",
            timezone=settings.timezone,
            limits=Limits.model_validate(settings.limits),
            tenant=tenant,
            actor=actor,
        )

    async def carry_out(request: RunRequest) -> RunResult:
        if runs is None:
            return await app.executor.execute(request)
        await app.runs.begin(request, app.now().timestamp(), "queued")
        return await runs.run(request)

    return GatewayServer(
        app.executor.services,
        gateway_clients(app.config),
        settings.tenant,
        stdio_client,
        jobs=JobTools(lambda name: find(name, app.job_folders), order, carry_out),
        tasks=JobTasks(app.runs, app.orders, carry_out, runs.executor_id, app.executor.services.clock) if runs else None,
        past=PastWrites(app.ledger, settings.tenant, app.executor.services.clock),
    )


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
        tenant=settings.tenant,
        language=settings.language,
        location=settings.location,
        timezone=settings.timezone,
        tools=("*",) if settings.mcp_enabled else (),
        limits=settings.limits,
        job_folders=app.job_folders,
    )
    return ChatService(runs, ConversationHistory(Store(app.engine), settings.tenant), chat_config, now=app.now)


@dataclass(frozen=True)
class OwnProviders:
    """What runs in this process, and the servers that do not."""

    others: Sequence[ServerConfig]
    in_process: Mapping[str, InProcess]
    tenancy: Tenancy


def own_providers(settings: Settings, servers: Servers, engine: sa.Engine, journal: Journal) -> OwnProviders:
    """Python toolsets that the servers file names, and the HR tools where a tenant has a vendor. Imports user code: it blocks."""
    others: Sequence[ServerConfig] = servers.servers
    in_process: dict[str, InProcess] = {}
    if any(one.python for one in servers.servers):
        from autonomy.bridge.toolset_provider import python_providers

        others, in_process = python_providers(servers.servers)
    if not (settings.sample_company if settings.sample_only else TenantStore(engine).all()):
        return OwnProviders(others, in_process, NoTenancy())
    from autonomy.hr.backend import open_backend
    from autonomy.hr.hr_audit import JournalAudit
    from autonomy.hr.hr_server import hr_provider
    from autonomy.hr.hr_tenancy import PROVIDER, HRTenancy

    key = settings.key.get_secret_value()
    backend = open_backend(
        engine,
        JournalAudit(journal),
        home=settings.home,
        key=key,
        environ=os.environ,
        language=settings.language,
        sample=settings.sample_only,
    )
    return OwnProviders(others, {**in_process, PROVIDER: hr_provider(backend.tools)}, HRTenancy(backend.tools))


@asynccontextmanager
async def open_chain(settings: Settings) -> AsyncIterator[Chain]:
    """The configured models, first to last."""
    models = await anyio.to_thread.run_sync(open_models, settings)
    try:
        yield Chain(models)
    finally:
        for model in models:
            await model.aclose()


def open_models(settings: Settings) -> list[Model]:
    """The models of the chain. Imports their vendors' SDKs, so it blocks."""
    return [open_model(name, model_options(settings, name)) for name in settings.model]
