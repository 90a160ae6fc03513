"""Decides whether a job starts now, and as how many runs: by budget, condition and list."""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import NamedTuple
from zoneinfo import ZoneInfo

from autonomy.jobs.job import Job
from autonomy.jobs.team_jobs import ReadingGateway
from autonomy.run_state.limits import HELD_BY_BUDGET, midnight
from autonomy.run_state.run_values import ListMember


class DaySpent(NamedTuple):
    """The amounts that the runs of a job have used since a moment."""

    runs: int
    calls: int
    usd: Decimal | None
    """None when the price of some run is unknown."""


class PlannedRun(NamedTuple):
    """One run that is to start."""

    run_id: str
    inputs: dict[str, str]
    of_list: ListMember | None = None


@dataclass(frozen=True)
class JobStart:
    """Decides about starts: by the database for the budget, by tools for the condition and the list."""

    gateway: ReadingGateway
    spent: Callable[[str, float], Awaitable[DaySpent]]
    """Of a job, by name, since a moment in seconds since the epoch (`durable.records.run_records.RunRecords.spent`)."""
    known: Callable[[str], Awaitable[bool]] | None = None
    """Whether a run of an id, or of an item under it, was asked for (`RunRecords.known`): what has begun is not held back."""

    async def why_not(self, job: Job, inputs: Mapping[str, str], now: datetime) -> str:
        """Why the job may not start now, or "". Raises `ConfigError` and `DiscoveryError` when that cannot be determined."""
        if job.budget.is_set:
            zone = ZoneInfo(job.zone_named) if job.zone_named else now.tzinfo
            spent = await self.spent(job.name, midnight(now.astimezone(zone)))
            if used_up := job.budget.used_up(*spent) or await self._too_many(job, spent.runs, inputs):
                return f"{HELD_BY_BUDGET}{used_up}"
        if job.when is None:
            return ""
        if job.for_each is None:
            job.require(inputs)
        return await job.condition(job.when, inputs, now).why_not(self.gateway, job.file)

    async def _too_many(self, job: Job, made: int, inputs: Mapping[str, str]) -> str:
        """Why a list exceeds the day's remaining runs, or "": half a list would silently leave people out."""
        most = job.budget.runs_per_day
        if most is None or job.for_each is None:
            return ""
        count = len(await job.for_each.inputs(self.gateway, job.file, job.inputs, inputs))
        return f"the list has {count}, and {most - made} of {most} runs of the day are left" if made + count > most else ""

    async def runs(self, job: Job, run_id: str, inputs: Mapping[str, str]) -> list[PlannedRun]:
        """The runs of one start: one, or one for each item of the list, or for the item that `inputs` name.

        The same list gives the same ids. Raises as `why_not`.
        """
        each = [{}] if job.for_each is None else await job.for_each.inputs(self.gateway, job.file, job.inputs, inputs)
        if each == [{}]:
            return [PlannedRun(run_id, dict(inputs))]
        return [
            PlannedRun(
                f"{run_id}.{slug}",
                {**inputs, **{name: text for name, text in row.items() if text or name not in inputs}},
                ListMember(start=run_id, item=next(iter(row.values())), size=len(each)),
            )
            for slug, row in zip(_slugs(each), each, strict=True)
        ]


def _slugs(rows: Sequence[Mapping[str, str]]) -> list[str]:
    """A name for each row of a list, that of no other row: a run under an id that is taken already would never start."""
    short = [_slug(row, _DIGITS) for row in rows]
    times = Counter(short)
    return [slug if times[slug] == 1 else _slug(row, _MORE_DIGITS) for slug, row in zip(short, rows, strict=True)]


_DIGITS, _MORE_DIGITS = 6, 16
"""Of the digest in a name: of 500 names without a Latin letter, two share six in one list of a hundred."""


def _slug(row: Mapping[str, str], digits: int) -> str:
    """A name of a row, readable where its first cell is, with so many hexadecimal digits of its digest."""
    slug = re.sub(r"[^A-Za-z0-9_-]+", "", next(iter(row.values()), ""))[:24]
    return f"{slug}-{hashlib.sha256(json.dumps(row, sort_keys=True).encode()).hexdigest()[:digits]}".lstrip("-")
