"""Opens the database for commands that need no engine, servers or models."""

import contextlib
import os
import stat
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import anyio.to_thread
import sqlalchemy as sa

import metrics.metrics_tables
from autonomy.chat import chat_tables
from autonomy.database import SchemaModule, is_current, migrate, open_engine
from autonomy.durable.durable_upgrades import DURABLE
from autonomy.durable.records.run_records import RunRecords
from autonomy.durable.store import Store
from autonomy.errors import ConfigError, StoreError
from autonomy.hr import hr_tables
from autonomy.settings import Config, Settings
from discovery import discovery_tables
from discovery.text.redaction import redact
from metrics.metrics_tables import keep_costs_apart, name_tenants_of_costs

if TYPE_CHECKING:  # each command pays for what it looks at, and none for the engine unless it gives an order
    from autonomy.durable.approval_store import Approvals
    from autonomy.durable.memory.sql_ledger import SqlLedger
    from autonomy.durable.records.anchor_file import AnchorFile
    from autonomy.durable.records.transcripts import Transcripts
    from autonomy.durable.retention import Retention
    from autonomy.durable.run_control import RunControl
    from autonomy.durable.scheduling.schedules import Schedules
    from metrics.journal import Journal


METRICS = SchemaModule("metrics", metrics.metrics_tables.metadata, [name_tenants_of_costs, keep_costs_apart])

DISCOVERY = SchemaModule(
    "discovery",
    discovery_tables.metadata,
    [discovery_tables.keep_what_calls_showed, discovery_tables.keep_when_limits_were_written],
)

ROOMS = (
    DISCOVERY,
    METRICS,
    DURABLE,
    SchemaModule("hr", hr_tables.metadata),
    SchemaModule("chat", chat_tables.metadata),
)


@dataclass(frozen=True)
class Stores:
    """The stored data of runs, without anything that executes them."""

    config: Config
    engine: sa.Engine
    runs: RunRecords

    @property
    def settings(self) -> Settings:
        """The operator's settings."""
        return self.config.settings

    @cached_property
    def journal(self) -> "Journal":
        """The events of each run."""
        return open_journal(self.config.settings, self.engine)

    @property
    def ledger(self) -> "SqlLedger":
        """The writes."""
        from autonomy.durable.memory.sql_ledger import SqlLedger

        return SqlLedger(Store(self.engine))

    @property
    def approvals(self) -> "Approvals":
        """The questions to people."""
        from autonomy.durable.approval_store import Approvals

        return Approvals(Store(self.engine))

    @property
    def schedules(self) -> "Schedules":
        """The schedules of jobs."""
        from autonomy.durable.scheduling.schedules import Schedules

        return Schedules(Store(self.engine))

    @property
    def transcripts(self) -> "Transcripts":
        """The transcripts of runs."""
        from autonomy.durable.records.transcripts import Transcripts

        return Transcripts(self.engine, self.journal, keys=self.config.settings.keys)

    @property
    def orders(self) -> "RunControl":
        """Orders about runs."""
        from autonomy.durable.run_control import RunControl

        return RunControl(self.engine, self.runs, self.ledger, self.journal, keys=self.config.settings.keys)


@asynccontextmanager
async def open_stores(config: Config) -> AsyncIterator[Stores]:
    """The stores, for commands that look things up or give orders. Raises `StoreError`."""
    engine = await anyio.to_thread.run_sync(partial(open_store, config, for_runs=False))
    try:
        yield Stores(config, engine, RunRecords(engine, keys=config.settings.keys))
    finally:
        engine.dispose()


def open_journal(settings: Settings, engine: sa.Engine) -> "Journal":
    """The append-only log, sealed with the oldest key until `jiritsu keys rotate` changes it, its end noted outside the
    database."""
    from metrics.journal import Journal

    key = settings.key.get_secret_value().split(",")[-1].encode() or None
    return Journal(
        engine,
        key=key,
        keys=[key.encode() for key in settings.keys],
        redact=redact,
        anchors=anchor_file(settings, engine.url),
        refusal=StoreError,
    )


def anchor_file(settings: Settings, database: sa.URL) -> "AnchorFile":
    """The file of the journal's anchors."""
    from autonomy.durable.records.anchor_file import AnchorFile, anchor_file_of

    named = settings.audit_anchors
    return AnchorFile(named or anchor_file_of(database, settings.home), required=named is not None)


def open_as_it_is(config: Config) -> sa.Engine:
    """The database, neither made nor migrated: a copy made before an upgrade leads back. Raises `ConfigError`, `StoreError`."""
    _check_it_names_a_file(config)
    url = sa.make_url(config.database_url)
    if url.get_backend_name() == "sqlite" and url.database and not Path(url.database).exists():
        raise ConfigError("backup", url.database, "is not there")
    return open_engine(config.database_url)


def _check_it_names_a_file(config: Config) -> None:
    if config.database_url.partition("?")[0].rstrip("/").endswith(("sqlite:", ":memory:")):
        raise ConfigError(config.origins["database_url"], "database_url", f"{config.database_url!r} names no file")


def open_store(config: Config, *, for_runs: bool = True) -> sa.Engine:
    """The database, brought up to date; for runs it must also be possible to write. Raises `StoreError`."""
    _check_it_names_a_file(config)
    close_to_others(config.settings.home)
    engine = open_engine(config.database_url)
    try:
        if for_runs or not is_current(engine, ROOMS):
            migrate(engine, ROOMS)
    except BaseException:
        engine.dispose()
        raise
    return engine


def in_zone_of_schedules(config: Config, engine: sa.Engine, *, runs_schedules: bool = False) -> Config:
    """The settings in the time zone by which schedules without one go on this database, whatever machine this is. Blocks.

    `runs_schedules`: whether this process looks after them; the first that does settles the zone, and one named in the settings
    is settled anew.
    """
    from autonomy.durable.scheduling.schedule_zone import settle_zone, stored_zone

    own = config.settings.timezone
    if runs_schedules:
        zone = settle_zone(engine, own, named=config.names_timezone)
    else:
        zone = own if config.names_timezone else stored_zone(engine) or own
    if zone == own:
        return config
    settings = config.settings.model_copy(update={"timezone": zone})
    return replace(config, settings=settings, origins={**config.origins, "timezone": "the database"})


def close_to_others(home: Path) -> None:
    """Take everybody else off a data directory that was made before us, as its files are the owner's alone, too.

    It stays as it is where it holds more than ours or is shared on purpose: the folder one works in, one with the person's own
    home below it, a repository, one with the sticky or set-group bit, and one of another owner. `doctor` tells of these.
    """
    if os.name != "posix":
        return
    with contextlib.suppress(OSError):  # not there yet: it is made closed
        found, place = home.stat(), home.resolve()
        shared = found.st_uid != os.getuid() or found.st_mode & (stat.S_ISVTX | stat.S_ISGID)
        lived_in = place == Path.cwd() or Path.home().is_relative_to(place) or (place / ".git").exists()
        if found.st_mode & 0o077 and not shared and not lived_in:
            place.chmod(0o700)


class RetentionStores(Protocol):
    """The stores that deleting old runs needs."""

    @property
    def config(self) -> Config:
        """The settings in force."""
        ...

    @property
    def engine(self) -> sa.Engine:
        """The database."""
        ...

    @property
    def journal(self) -> "Journal":
        """The append-only log."""
        ...


def retention(stores: RetentionStores) -> "Retention":
    """The retention that deletes old runs. Raises `ConfigError`."""
    from autonomy.chat.conversation_history import forget_runs
    from autonomy.durable.retention import KeepSettings, Retention

    keep = stores.config.table("keep", KeepSettings)
    return Retention(stores.engine, stores.journal, keep, others=[forget_runs])
