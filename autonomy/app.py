"""The composition root: builds gateway, models, journal and executor from the settings, and takes them down again.

Called by every command of `cli`. This is the only place where rooms are put together; none of them reads the environment, and what
is opened here is closed here, in the order of the `async with` lines.
"""

import os
import sys
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import anyio.to_thread
import sqlalchemy as sa
from pydantic import ValidationError

import discovery.tables
import metrics.tables
from autonomy.config import Config, Settings
from autonomy.database import Room, migrate, open_engine
from autonomy.durable import tables as durable_tables
from autonomy.durable.records import RunRecords
from autonomy.errors import ConfigError
from autonomy.execution.approvals import Approver, nobody
from autonomy.execution.executor import Executor
from autonomy.execution.means import Means
from autonomy.execution.policy import Policy, PolicyRule
from autonomy.jobs import job as jobs
from autonomy.llm.chain import Chain
from autonomy.llm.model import ModelOptions
from autonomy.llm.registry import open_model
from discovery.config import Servers, load_servers
from discovery.gateway import Gateway, open_gateway
from metrics.events import EventSink
from metrics.journal import Journal

OWN_SERVERS = "jiritsu.mcp.json"
SAMPLE = jobs.BUILT_IN / "diary"
"""The sample workspace: what runs when no servers file is there."""

ROOMS = (
    Room("discovery", discovery.tables.metadata),
    Room("metrics", metrics.tables.metadata),
    Room("durable", durable_tables.metadata),
)


@dataclass(frozen=True)
class App:
    """Everything a command may need, open."""

    config: Config
    servers: Servers
    engine: sa.Engine
    gateway: Gateway
    journal: Journal
    runs: RunRecords
    executor: Executor

    @property
    def settings(self) -> Settings:
        """The operator's settings."""
        return self.config.settings

    @property
    def job_folders(self) -> tuple[Path, ...]:
        """Where job files are looked for, the operator's first."""
        return job_folders(self.settings)

    def now(self) -> datetime:
        """The present moment in the operator's time zone."""
        return datetime.now(ZoneInfo(self.settings.timezone))


@asynccontextmanager
async def open_app(config: Config, *, watchers: Sequence[EventSink] = (), approver: Approver = nobody) -> AsyncIterator[App]:
    """Open everything. Raises `ConfigError`, `StoreError` or discovery's `ServersFileError` for what the operator must mend."""
    settings = config.settings
    servers = read_servers(settings)
    engine = await anyio.to_thread.run_sync(open_store, config)
    try:
        async with (
            open_gateway(servers.servers, engine=engine, env=server_environment(settings)) as gateway,
            open_chain(settings) as chain,
        ):
            journal = open_journal(settings, engine)
            means = Means(gateway, read_policy(settings), approver, journal=journal, watchers=watchers, clock=time.time)
            yield App(config, servers, engine, gateway, journal, RunRecords(engine), Executor(chain, means))
    finally:
        engine.dispose()


@asynccontextmanager
async def open_records(config: Config) -> AsyncIterator[tuple[RunRecords, Journal]]:
    """What was: the records of runs and the journal, without connecting to anything."""
    engine = await anyio.to_thread.run_sync(open_store, config)
    try:
        yield RunRecords(engine), open_journal(config.settings, engine)
    finally:
        engine.dispose()


def open_journal(settings: Settings, engine: sa.Engine) -> Journal:
    """The append-only log, sealed with the oldest key so that its chain outlives a rotation."""
    return Journal(engine, key=settings.key.get_secret_value().split(",")[-1].encode() or None)


def open_store(config: Config) -> sa.Engine:
    """The database, brought up to date. Raises `StoreError`."""
    engine = open_engine(config.database_url)
    migrate(engine, ROOMS)
    return engine


@asynccontextmanager
async def open_chain(settings: Settings) -> AsyncIterator[Chain]:
    """The configured models, first to last."""
    models = [open_model(name, model_options(settings, name)) for name in settings.model]
    try:
        yield Chain(models)
    finally:
        for model in models:
            await model.aclose()


def model_options(settings: Settings, name: str) -> ModelOptions:
    """The options of one model: its vendor's, and its own above them; the key comes from the usual variable when none is given."""
    vendor = name.partition(":")[0]
    options = {**settings.models.get(vendor, {}), **settings.models.get(name, {})}
    options.setdefault("api_key", os.environ.get(f"{vendor.upper()}_API_KEY", ""))
    try:
        return ModelOptions.model_validate(options)
    except ValidationError as error:
        raise ConfigError.of("settings", error, "models", name) from error


def read_servers(settings: Settings) -> Servers:
    """The servers file in force; none where tools are switched off (C3)."""
    if not settings.mcp_enabled:
        return Servers()
    file = servers_file(settings)
    return load_servers(file, env=server_environment(settings))


def servers_file(settings: Settings) -> Path:
    """Which servers file is in force. Raises `ConfigError` when the one that was named is not there."""
    if settings.servers is not None:
        if not settings.servers.is_file():
            raise ConfigError(settings.servers, "", "there is no such servers file")
        return settings.servers
    own = [folder / OWN_SERVERS for folder in (Path.cwd(), settings.home)]
    return next((file for file in own if file.is_file()), SAMPLE / "servers.json")


def server_environment(settings: Settings) -> Mapping[str, str]:
    """The variables that a servers file may refer to: the environment's, and where we and our sample data are."""
    own = {"JIRITSU_HOME": str(settings.home), "JIRITSU_PYTHON": sys.executable, "JIRITSU_SAMPLE": str(SAMPLE / "sample")}
    return {**os.environ, **own}


def read_policy(settings: Settings) -> Policy:
    """The operator's rules. Raises `ConfigError` naming the rule and the key."""
    rules = []
    for number, table in enumerate(settings.policy, 1):
        try:
            rules.append(PolicyRule.model_validate({"name": f"rule {number}", **table}))
        except ValidationError as error:
            raise ConfigError.of("settings", error, "policy", number) from error
    return Policy(rules=tuple(rules), free_writes=settings.writes)


def job_folders(settings: Settings) -> tuple[Path, ...]:
    """Where job files are looked for: the operator's folder, `jobs` in the data directory, the built-in ones."""
    own = (settings.jobs,) if settings.jobs else ()
    return (*own, settings.home / "jobs", jobs.BUILT_IN)
