"""Posts the autonomy report to a channel on a schedule.

Each tick of `[report]` is handled once (`durable.scheduling.schedules`). The policy decides on the post, which is written to the
journal and then made by `notifications.posting`. It is not a run, so it does not count in measures.
"""

import logging
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal
from zoneinfo import ZoneInfo

import anyio.to_thread

from autonomy.calls.verification.effect_ledger import OutcomeUnknown
from autonomy.durable.scheduling.schedules import Schedules, ScheduleTick
from autonomy.errors import StoreError
from autonomy.jobs.job import REPORT
from autonomy.llm.model import Need
from autonomy.notifications.posting import GIVE_UP_S, Poster, send_once
from autonomy.notifications.report_settings import ReportSettings
from autonomy.policy.decision_circumstances import Circumstances
from autonomy.policy.decision_table import Decision
from autonomy.policy.policy import Policy
from autonomy.run_state.digests import digest
from discovery.catalog import JsonObject
from discovery.discovery_errors import DiscoveryError, ProviderUnavailable, UnknownTool
from metrics.events import CallDecided, ReceiptRecorded
from metrics.journal import Journal
from metrics.reporting.report_data import read_report
from metrics.reporting.report_slack import slack_text

log = logging.getLogger(__name__)


@dataclass(kw_only=True)
class Reporter(Poster):
    """Posts reports."""

    settings: ReportSettings
    schedules: Schedules
    alone: Callable[[], AbstractAsyncContextManager[bool]]
    """Yields whether no other process posts reports now."""
    journal: Journal
    policy: Policy
    tenant: str = "default"
    timezone: str = "Asia/Tokyo"
    language: Literal["ja", "en"] = "ja"

    async def keep(self) -> None:
        """Post reports until cancelled, if a channel is set."""
        if self.settings.channel:
            await super().keep()

    async def look(self) -> bool:
        """Post due reports. Returns whether none are left, or another process posts them."""
        try:
            await self.schedules.handle(self.settings.plan)
            if self.is_quiet() or not await self.schedules.to_start(REPORT):
                return True
            async with self.alone() as is_holder:
                for tick in await self.schedules.to_start(REPORT) if is_holder else ():
                    if await self._handle(tick):
                        await self.schedules.started(tick)
                return not is_holder or not await self.schedules.to_start(REPORT)
        except StoreError as error:
            log.warning("cannot look after the report's schedule: %s", error)
            return False

    async def post(self, run_id: str, channel: str, since: float, until: float) -> Decision:
        """Post the report on the runs of `since ≤ t < until` once for this id, if the policy allows it. Returns the decision.

        Raises `OutcomeUnknown`, and `DiscoveryError` if it cannot be sent.
        """
        catalog = await self.caller.catalog()
        spec = catalog.get(self.settings.tool)
        if spec is None and (missing := catalog.missing([self.settings.tool])):
            raise ProviderUnavailable(missing[0].name, missing[0].cause)
        if spec is None:
            raise UnknownTool(self.settings.tool)
        arguments: JsonObject = {"channel_id": channel, "text": await self._text(since, until)}
        # the operator's rules come first; otherwise the settings permit the post, as a job file permits a job's writes
        need = Need(id=REPORT, description="Post the report", effect="outward", arguments=arguments)
        context = Circumstances(tenant=self.tenant, job=REPORT, writes=(need,), able=(need,), known=arguments["text"])
        decision = self.policy.decide(spec, arguments, context)
        call = {"turn": 0, "call_id": "post", "tool": spec.name, "provider": spec.provider, "effect": spec.effect}
        about = {"run_id": run_id, "at": self.clock(), "tenant": self.tenant, "job": REPORT, **call}
        event = CallDecided(key="post/decided", arguments_sha256=digest(arguments), **decision.model_dump(), **about)
        await self.journal.write([event])
        if decision.decision == "allow":
            try:
                await send_once(self.caller, self.ledger, spec, arguments, key=f"{run_id}/post", run_id=run_id)
            except OutcomeUnknown:
                await self.journal.write([ReceiptRecorded(key="post/receipt", state="unknown", **about)])
                raise
            await self.journal.write([ReceiptRecorded(key="post/receipt", state="done", target=channel, **about)])
        return decision

    async def _handle(self, tick: ScheduleTick) -> bool:
        """Post the report of a tick. Returns whether the tick is finished."""
        channel = self.settings.channel
        if self.clock() - tick.due > GIVE_UP_S:
            log.error("the report of %s was not posted: %s could not be reached", tick.run_id, channel)
            return True
        try:
            decision = await self.post(tick.run_id, channel, self.since(tick.due), tick.due)
        except OutcomeUnknown:
            log.warning("nobody knows whether the report was posted in %s: see `jiritsu effects list`", channel)
            return True
        except DiscoveryError as error:
            self.warn_once(f"the report cannot be posted in {channel}: {error}")
            return False
        if decision.decision != "allow":
            self.warn_once(f"the report is not posted in {channel}: rule {decision.rule!r} says {decision.decision}")
        return True

    def since(self, until: float) -> float:
        """Return where the report of a tick begins: at the same time of day, also across a change of the clocks."""
        local = datetime.fromtimestamp(until, ZoneInfo(self.settings.plan.timezone))
        return (local - timedelta(days=self.settings.days)).timestamp()

    async def _text(self, since: float, until: float) -> str:
        tz, job = ZoneInfo(self.timezone), self.settings.job or None
        found = await read_report(
            self.journal, since=since, until=until, made_at=self.clock(), tz=tz, job=job, tenant=self.tenant
        )
        return await anyio.to_thread.run_sync(slack_text, found, self.language)
