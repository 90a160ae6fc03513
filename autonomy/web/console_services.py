"""The stores and run controls that the console works with."""

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import sqlalchemy as sa

from autonomy.durable.approval_store import Approvals
from autonomy.durable.memory.sql_ledger import SqlLedger
from autonomy.durable.records.run_records import RunRecords
from autonomy.durable.records.transcripts import Transcripts
from autonomy.durable.run_control import RunControl
from autonomy.durable.scheduling.schedules import Schedules
from autonomy.durable.store import Store
from autonomy.jobs.job import RunDefaults
from autonomy.jobs.starting import JobStart
from discovery.catalog import Catalog, JsonObject, Provider, ToolOutput, ToolSpec
from discovery.hints.hints import Hint
from discovery.review.pins import DefinitionChange
from discovery.servers.server_config import ServerConfig
from discovery.transport.authorization.oauth import Browser
from discovery.transport.authorization.sign_in import SignInOutcome
from metrics.journal import Journal


class ConsoleTools(Protocol):
    """The servers of this process and their tools (`discovery.gateway.Gateway`)."""

    def status(self) -> Sequence[Provider]:
        """Each server's state."""

    def held(self) -> Sequence[DefinitionChange]:
        """Definitions that wait for a person."""

    async def approve(self, provider: str, seen: Collection[DefinitionChange], *, by: str) -> Sequence[str]:
        """Take held definitions as a person has seen them."""

    async def catalog(self) -> Catalog:
        """The tools there are now."""

    def wake(self, provider: str) -> None:
        """Look again at a server that waited for the operator. Raises `ProviderUnavailable` for one unknown when we started."""

    def hint(self, spec: ToolSpec) -> Hint:
        """The hint for a tool."""


@dataclass(frozen=True)
class ConsoleServices:
    """The services of a page."""

    engine: sa.Engine
    journal: Journal
    runs: RunRecords
    transcripts: Transcripts
    approvals: Approvals
    ledger: SqlLedger
    schedules: Schedules
    orders: Callable[[], RunControl]
    starting: JobStart
    """Decides whether a job starts that a person starts by hand, and as how many runs."""
    job_folders: Sequence[Path]
    defaults: RunDefaults
    """What the settings give each run; its tenant is the one that the page shows, and costs are held against its limits."""
    timezone: str = "Asia/Tokyo"
    keep_days: int = 90
    """How long runs are kept (`[keep] runs_days`); 0 is for ever."""
    by_hand: Callable[[str, JsonObject], Awaitable[ToolOutput]] | None = None
    """Calls a tool outside of any run, for the operator's tenant. Raises `DiscoveryError`."""
    switches: Callable[[str, str, str], None] | None = None
    """`trust`, `revoke`, `enable`, `disable` for a server by name, in its file; what is trusted is the version of its entry that
    was shown (`ServerConfig.approval`), else none. Raises `ConfigError`; blocks."""
    set_effect: Callable[[str, str, str], None] | None = None
    """Server, its own name of a tool, and what that tool does, into the servers file. Raises `ConfigError`; blocks."""
    switch_tool: Callable[[str, str, bool], None] | None = None
    """Server, its own name of a tool, and whether it is offered, into the servers file. Raises `ConfigError`; blocks."""
    entries: Callable[[], Mapping[str, ServerConfig]] | None = None
    """What the servers file says of each server. Raises `ConfigError`; blocks."""
    sign_in: Callable[[ServerConfig, Browser, float], Awaitable[SignInOutcome]] | None = None
    """Signs in to a remote server with a person's browser, within so many seconds. Raises `ConfigError` without a key."""
    in_japanese: Callable[[str], str] = str
    """What is wrong with a file, as the terminal says it."""
    keys: Sequence[str] = field(default=(), repr=False)
    """The operator's secrets, with which steps may be encrypted."""
    tools: ConsoleTools | None = None
    """The servers of this process; None where it has none (`jiritsu web` beside a worker)."""

    @property
    def tenant(self) -> str:
        """The tenant that the page shows."""
        return self.defaults.tenant

    @property
    def store(self) -> Store:
        """The database; a page says that it is away rather than wait for it."""
        return Store(self.engine, patience_s=0)
