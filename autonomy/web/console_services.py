"""The stores and orders the console works with."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import sqlalchemy as sa

from autonomy.durable.approval_store import Approvals
from autonomy.durable.run_control import RunControl
from autonomy.durable.run_records import RunRecords
from autonomy.durable.scheduling.schedules import Schedules
from autonomy.durable.sql_ledger import SqlLedger
from autonomy.durable.transcripts import Transcripts
from autonomy.web.annotations import Annotate, unannotated
from discovery.catalog import Provider
from metrics.journal import Journal


@dataclass(frozen=True)
class ConsoleServices:
    """Everything a page may need."""

    engine: sa.Engine
    journal: Journal
    runs: RunRecords
    transcripts: Transcripts
    approvals: Approvals
    ledger: SqlLedger
    schedules: Schedules
    orders: Callable[[], RunControl]
    job_folders: Sequence[Path]
    tenant: str
    language: Literal["ja", "en"] = "ja"
    timezone: str = "Asia/Tokyo"
    keep_days: int = 90
    """How long runs are kept (`[keep] runs_days`); 0 is for ever."""
    providers: Callable[[], Sequence[Provider]] | None = None
    """The servers of this process; None where it has none (`jiritsu web` beside a worker)."""
    annotate: Annotate = unannotated
