"""Audit events of HR tool executions, without personal data."""

import hashlib
import hmac
import json
import logging
from typing import Any, Literal, Protocol

from pydantic import Field

from discovery.catalog import Frozen
from metrics.events import DataAccessed, EventSink

log = logging.getLogger(__name__)

Phase = Literal["before", "after", "refused"]


class AuditEntry(Frozen):
    """One line of the audit. `before` and `after` of an execution share its id; a call that was not let through has one
    `refused`."""

    execution_id: str
    phase: Phase
    at: float
    """Seconds since 1970."""
    tenant_id: str
    actor: str
    run_id: str | None = None
    tool: str
    vendor: str | None = None
    arguments: dict[str, str]
    """Name → digest of the value: two calls about the same person can be matched, the person cannot be read."""
    outcome: Literal["ok", "error", "refused"] | None = None
    reason: str = ""
    """A fixed word for why it failed or was refused; never a vendor's text, which may name people."""
    counts: dict[str, int] = Field(default_factory=dict)
    """How many of each thing were in the answer."""
    duration_ms: int | None = None


class AuditSink(Protocol):
    """The destination of audit entries. An entry that cannot be recorded raises, and the execution does not take place or its
    answer is withheld."""

    async def record(self, entry: AuditEntry) -> None:
        """Keep the entry for good."""


class LogAudit:
    """Writes entries to the log: for development, where no journal is at hand."""

    async def record(self, entry: AuditEntry) -> None:
        """One line of JSON at INFO."""
        log.info("%s", entry.model_dump_json(exclude_none=True))


class JournalAudit:
    """Writes entries as `DataAccessed` events: the append-only log of the runs is the log of what the tools looked at, too."""

    def __init__(self, journal: EventSink) -> None:
        self._journal = journal

    async def record(self, entry: AuditEntry) -> None:
        """One event. A call outside any run is a run of its own in the log."""
        await self._journal.write([as_event(entry)])


def as_event(entry: AuditEntry) -> DataAccessed:
    """The entry in the words of the journal; a refused call is one that ended before it read anything."""
    wrong = {"refused": f"refused: {entry.reason}", "error": entry.reason}
    return DataAccessed(
        run_id=entry.run_id or f"hr-{entry.execution_id}",
        key=f"data/{entry.execution_id}/{entry.phase}",
        at=entry.at,
        tenant=entry.tenant_id,
        tool=entry.tool,
        phase="before" if entry.phase == "before" else "after",
        arguments_sha256=hashlib.sha256(json.dumps(entry.arguments, sort_keys=True).encode()).hexdigest(),
        records=sum(entry.counts.values()) if entry.outcome == "ok" else None,
        fields=tuple(entry.counts),
        error=wrong.get(entry.outcome or "", ""),
    )


def digest(key: bytes, arguments: dict[str, Any]) -> dict[str, str]:
    """Each value → the first 16 hex digits of its HMAC-SHA256 under the tenant's key."""

    def of(value: Any) -> str:
        return hmac.new(key, json.dumps(value, sort_keys=True).encode(), hashlib.sha256).hexdigest()[:16]

    return {name: of(value) for name, value in sorted(arguments.items())}


def count(payload: dict[str, Any]) -> dict[str, int]:
    """How long the lists of an answer are."""
    return {name: len(value) for name, value in payload.items() if isinstance(value, list)}
