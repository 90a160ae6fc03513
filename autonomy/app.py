"""The composition root: builds every package from the settings and closes them in reverse order.

Rooms are put together here and in `app_services` alone; none of them reads the environment, and what is opened here is closed
here, in the order of the `async with` lines.
"""

import functools
import gc
import os
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AbstractContextManager, ExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import anyio.to_thread
import sqlalchemy as sa

from autonomy.calls.services import RunListener, Services
from autonomy.calls.tenancy import NoTenancy, Tenancy
from autonomy.database import check_open_files, end_lock_waits
from autonomy.durable.approval_store import Approvals, AskHere
from autonomy.durable.memory.sql_ledger import SqlLedger
from autonomy.durable.memory.sql_long_results import SqlLongResults
from autonomy.durable.memory.sql_need_memory import SqlNeedMemory
from autonomy.durable.memory.sql_remote_tasks import SqlRemoteTasks
from autonomy.durable.records.live_text import LiveText
from autonomy.durable.records.run_records import RunRecords
from autonomy.durable.scheduling.schedules import Schedules
from autonomy.durable.store import Store
from autonomy.errors import ConfigError
from autonomy.hr.tenants import TenantStore
from autonomy.jobs.job_folders import job_folders
from autonomy.llm.model import Model, Task
from autonomy.llm.model_chain import Chain
from autonomy.llm.model_registry import open_model
from autonomy.run_state.asking.approvals import Approver, nobody
from autonomy.run_state.limits import Limits
from autonomy.run_state.run_values import RunRequest
from autonomy.settings import Config, Settings
from autonomy.settings_files import (
    check_models,
    model_options,
    own_files,
    quiet_hours,
    read_policy,
    read_servers,
    server_entry_now,
    server_environment,
    server_logs,
)
from autonomy.stores import in_zone_of_schedules, open_journal, open_store
from autonomy.warm.leases import leases
from discovery.gateway import Gateway, open_gateway
from discovery.gateway_settings import GatewaySettings
from discovery.names import may_offer
from discovery.search.offering import OfferLimits
from discovery.servers.server_config import ServerConfig
from discovery.servers.servers_file import Servers
from discovery.text.redaction import PROCESS_SECRETS
from discovery.timing.background_tasks import background_tasks
from discovery.transport.in_process import InProcess
from metrics.events import EventSink
from metrics.journal import Journal

if TYPE_CHECKING:  # loaded where they are needed: what only looks at a run starts no engine
    from autonomy.agent.loop import Executor
    from autonomy.durable.durable_runs import DurableRuns
    from autonomy.durable.run_control import RunControl


@dataclass(frozen=True)
class App:
    """Everything a command may need, opened."""

    config: Config
    servers: Servers
    engine: sa.Engine
    gateway: Gateway
    journal: Journal
    runs: RunRecords
    ledger: SqlLedger
    approvals: Approvals
    schedules: Schedules
    services: Services
    models: Chain
    """Empty unless opened with `runs_goals`."""

    @functools.cached_property
    def executor(self) -> "Executor":
        """Carries out runs; opened with `runs_goals`."""
        from autonomy.agent.loop import Executor

        return Executor(self.models, self.services)

    def durable(
        self, *, takes_work: bool = False, executor_id: str = "", grace_s: float = 10.0, kind: str = "worker"
    ) -> AbstractAsyncContextManager["DurableRuns"]:
        """The engine that runs survive in; `takes_work` also runs what others enqueued or left behind (see `open_runs`).

        `grace_s`: how long running calls may go on when it is left. `kind`: what it is called where workers are listed.
        """
        from autonomy.durable.durable_runs import open_runs
        from autonomy.durable.engine import ConcurrencyLimits, Liveness

        concurrency = self.config.table("workers", ConcurrencyLimits)
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
        """The folders that are searched for job files, the operator's first."""
        return job_folders(self.settings)

    def acting_by_hand(self) -> AbstractContextManager[object]:
        """For a tool called outside a run: act for the operator's tenant, who has thereby confirmed the call."""
        request = RunRequest(run_id="by-hand", task=Task(goal=""), tenant=self.settings.tenant, actor="operator")
        return self.services.tenancy.acting(request, confirmed=True)

    def acting_for_jobs(self) -> AbstractContextManager[object]:
        """For decisions about a job's start: act for the operator's tenant, with no call confirmed."""
        request = RunRequest(run_id="job-start", task=Task(goal=""), tenant=self.settings.tenant, actor="jobs")
        return self.services.tenancy.acting(request, confirmed=False)

    def now(self) -> datetime:
        """The present moment in the operator's time zone."""
        return self.settings.now()


@asynccontextmanager
async def open_app(
    config: Config,
    *,
    watchers: Sequence[EventSink] = (),
    approver: Approver | None = nobody,
    ask_here: AskHere | None = None,
    listeners: Sequence[RunListener] = (),
    tool: str = "",
    only_looks: bool = False,
    runs_schedules: bool = False,
    runs_goals: bool = True,
) -> AsyncIterator[App]:
    """Open everything. Raises `ConfigError`, `StoreError` or discovery's `ServersFileError` for what the operator must mend.

    `approver`: None lets questions stand in the database until anybody answers; `ask_here` then asks whoever is present first.
    `listeners`: hear text as models write it. `tool`: only the servers that may offer a tool of this full name are started.
    `only_looks`: whether nothing is logged or run, so that the log's key need not be known. `runs_schedules`: whether this
    process looks after schedules (`stores.in_zone_of_schedules`). `runs_goals`: whether runs may be carried out; otherwise no
    model is opened, nor what runs are made of imported.
    """
    freeze_imported_modules()
    settings, carries_out = config.settings, runs_goals and not only_looks
    check_open_files()
    if carries_out:
        await anyio.to_thread.run_sync(import_module, "autonomy.agent.loop")  # a hundred files
    config.table("limits", Limits)
    check_models(config)
    quiet_hours(config)
    tools = config.table("tools", OfferLimits)
    servers = await anyio.to_thread.run_sync(read_servers, settings)
    if tool:
        servers = servers.model_copy(update={"servers": tuple(one for one in servers.servers if may_offer(one.name, tool))})
    guarded = await anyio.to_thread.run_sync(own_files, config)
    engine = await anyio.to_thread.run_sync(open_store, config)
    if runs_schedules:
        config = await anyio.to_thread.run_sync(partial(in_zone_of_schedules, config, engine, runs_schedules=True))
        settings = config.settings
    journal = open_journal(settings, engine)
    with ExitStack() as opened:
        opened.callback(engine.dispose)
        if not only_looks:
            await anyio.to_thread.run_sync(journal.require_key)
        exporters = opened.enter_context(telemetry())
        own = await anyio.to_thread.run_sync(own_providers, settings, servers, engine, journal)
        async with (
            _hurried_when_told_to_stop(engine),
            open_gateway(
                own.others,
                in_process=own.in_process,
                engine=engine,
                settings=GatewaySettings(
                    hold_changed=settings.hold_changed,
                    language=settings.language,
                    encryption_key=settings.key if settings.keys else None,
                    log_folder=server_logs(settings),
                ),
                env=server_environment(settings),
                asks_back=True,
                spares=leases(),
                reread=partial(server_entry_now, settings),
            ) as gateway,
            open_chain(settings, settings.model if carries_out else ()) as chain,
            open_chain(settings, settings.judge_model if carries_out else ()) as judges,
        ):
            records = RunRecords(engine, keys=settings.keys)
            store = records.store  # one for all: what waits at the same time is one transaction
            ledger, approvals = SqlLedger(store), Approvals(store, ask_here=ask_here)
            services = Services(
                gateway,
                read_policy(settings, origin=config.origins["policy"]).model_copy(update={"own_files": guarded}),
                approver or approvals,
                ledger=ledger,
                remote_tasks=SqlRemoteTasks(store),
                journal=journal.within(store.together),  # outlasts the database's absence: it is the run's memory
                watchers=(*watchers, *exporters),
                listeners=(*listeners, LiveText(Store(engine, patience_s=0)).listener),
                tenancy=own.tenancy,
                model=chain if carries_out else None,
                judge_model=judges if judges.models else None,
                need_memory=SqlNeedMemory(store),
                over_budget=records.over_budget,
                long_results=SqlLongResults(store),
                offer_limits=tools,
            )
            async with store.keeping_connected():
                yield App(
                    config, servers, engine, gateway, journal, records, ledger, approvals, Schedules(store), services, chain
                )


@asynccontextmanager
async def _hurried_when_told_to_stop(engine: sa.Engine) -> AsyncIterator[None]:
    """Once everything in here is cancelled, what is still written waits for other processes for a moment only."""

    async def hurry() -> None:
        try:
            await anyio.sleep_forever()
        finally:
            end_lock_waits(engine)

    async with background_tasks() as tasks:
        tasks.start_soon(hurry)
        yield


@functools.cache
def freeze_imported_modules() -> None:
    """Once per process: the garbage collector need not look at modules ever again, which stopped the event loop for a tenth of a
    second."""
    gc.freeze()


@dataclass(frozen=True)
class OwnProviders:
    """The providers that run in this process, and those that do not."""

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
    from autonomy.hr import PROVIDER
    from autonomy.hr.backend import open_backend
    from autonomy.hr.hr_audit import JournalAudit
    from autonomy.hr.hr_server import hr_provider
    from autonomy.hr.hr_tenancy import HRTenancy

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


@contextmanager
def telemetry() -> Iterator[Sequence[EventSink]]:
    """The destination of spans and metrics, if the standard variable names an OTLP endpoint. Raises `ConfigError` without the
    extra."""
    if not os.environ.get("OTEL_EXPORTER_OTLP_ENDPOINT"):
        yield ()
        return
    try:
        from metrics.telemetry.telemetry_export import open_telemetry
    except ImportError as error:
        raise ConfigError("environment", "OTEL_EXPORTER_OTLP_ENDPOINT", "needs the extra: pip install 'jiritsu[otel]'") from error
    with open_telemetry(latest=os.environ.get("JIRITSU_GENAI_SEMCONV") == "latest", redact=PROCESS_SECRETS.redact) as sink:
        yield (sink,)


@asynccontextmanager
async def open_chain(settings: Settings, names: Sequence[str]) -> AsyncIterator[Chain]:
    """These models with the options of the settings, first to last."""

    if not names:
        yield Chain([])
        return

    def models_of_settings() -> list[Model]:  # imports their vendors' SDKs, so it blocks
        return [open_model(name, model_options(settings, name)) for name in names]

    models = await anyio.to_thread.run_sync(models_of_settings)
    try:
        yield Chain(models)
    finally:
        for model in models:
            await model.aclose()
