"""Writes audit entries of HR tool executions, without personal data."""

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
    """One entry of the audit. An execution has two, `before` and `after`, with the same id; a refused call has one, `refused`."""

    execution_id: str
    phase: Phase
    at: float
    """Seconds since the epoch."""
    tenant_id: str
    actor: str
    run_id: str | None = None
    tool: str
    vendor: str | None = None
    arguments: dict[str, str]
    """Name → digest of the value, so that calls about the same person can be matched but the person cannot be identified."""
    outcome: Literal["ok", "error", "refused"] | None = None
    reason: str = ""
    """A fixed word for why it failed or was refused. It is never a vendor's text, because that may name people."""
    counts: dict[str, int] = Field(default_factory=dict)
    """The lengths of the lists in the answer."""
    duration_ms: int | None = None


class AuditSink(Protocol):
    """The destination of audit entries. If an entry cannot be stored, the tool is not executed or its answer is withheld."""

    async def record(self, entry: AuditEntry) -> None:
        """Store an entry permanently, or raise."""


class LogAudit:
    """Writes entries to the log, for development without a journal."""

    async def record(self, entry: AuditEntry) -> None:
        """Log the entry as one line of JSON at INFO."""
        log.info("%s", entry.model_dump_json(exclude_none=True))


class JournalAudit:
    """Writes entries to the journal of the runs, as `DataAccessed` events."""

    def __init__(self, journal: EventSink) -> None:
        self._journal = journal

    async def record(self, entry: AuditEntry) -> None:
        """Write one event. A call outside any run appears as a run of its own."""
        await self._journal.write([as_event(entry)])


def as_event(entry: AuditEntry) -> DataAccessed:
    """Convert an entry to an event. A refused call is one that ended before it read anything."""
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
    """Replace each value by the first 16 hex digits of its HMAC-SHA256 with the tenant's key."""

    def of(value: Any) -> str:
        return hmac.new(key, json.dumps(value, sort_keys=True).encode(), hashlib.sha256).hexdigest()[:16]

    return {name: of(value) for name, value in sorted(arguments.items())}


def count(payload: dict[str, Any]) -> dict[str, int]:
    """Return the lengths of the lists in an answer."""
    return {name: len(value) for name, value in payload.items() if isinstance(value, list)}
