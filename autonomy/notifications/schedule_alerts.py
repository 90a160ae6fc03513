"""Posts alerts about paused schedules, broken jobs and waiting jobs to a channel.

Alerts come from `durable.scheduling.alerts` and are posted by `notifications.posting`, so that a worker that dies while it posts
neither loses nor doubles one. No model is asked, because it may be what has failed.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import anyio.to_thread

from autonomy.calls.verification.effect_ledger import OutcomeUnknown
from autonomy.durable.scheduling.alerts import Alert, Alerts
from autonomy.errors import ConfigError, StoreError
from autonomy.jobs.job_loading import find
from autonomy.notifications.posting import GIVE_UP_S, Poster, send_once
from discovery.catalog import Frozen, JsonObject
from discovery.discovery_errors import DiscoveryError
from metrics.reporting.reason_words import reason_in
from metrics.reporting.report_slack import inert
from metrics.reporting.report_words import word

TEXTS = {
    "ja": "定期実行「{job}」を止めました。続けて {failures} 回失敗したためです({endings})。"
    "直したら `jiritsu jobs resume {job}` で再開します。最後の実行: `jiritsu runs show {run_id}`",
    "en": "The schedule of {job} is paused: its last {failures} runs have failed ({endings}). "
    "When it is mended: `jiritsu jobs resume {job}`. The last run: `jiritsu runs show {run_id}`",
}

BROKEN_TEXTS = {
    "ja": "ジョブ「{job}」のファイルが読めないため、実行されません（{endings}）。詳しくは `jiritsu doctor`",
    "en": "Job {job} does not run, for its file cannot be used: {endings}. `jiritsu doctor` says more.",
}

PUT_OFF_TEXTS = {
    "ja": "ジョブ「{job}」は、必要なものにつながらないため待っています（{endings}）。"
    "つながりしだい、または次の時刻に実行します。状況: `jiritsu doctor`",
    "en": "Job {job} waits, for what it needs cannot be reached ({endings}). "
    "It runs when that is back, or at its next time. "
    "See `jiritsu doctor`",
}

log = logging.getLogger(__name__)


class AlertSettings(Frozen):
    """`[alerts]`. A job's own `schedule.alert` takes precedence over the channel."""

    channel: str = ""
    """The channel that is told; empty: alerts stand in the log only."""
    tool: str = "slack_post_message"
    """A tool that posts `text` to `channel_id`."""


@dataclass(kw_only=True)
class ScheduleAlerter(Poster):
    """Posts waiting alerts."""

    alerts: Alerts
    settings: AlertSettings
    folders: Sequence[Path] = ()
    """Folders of job files, which may name channels."""
    language: Literal["ja", "en"] = "ja"

    async def look(self) -> bool:
        """Post waiting alerts. Returns whether none are left."""
        try:
            await self.alerts.each(self._tell)
            return not await self.alerts.waiting()
        except StoreError as error:
            log.warning("cannot look for alerts: %s", error)
            return False

    async def _tell(self, alert: Alert) -> str:
        """Post an alert. Returns where it was posted, in words; empty if it must be tried again later."""
        if self.is_quiet() and not (alert.failures and self.quiet and self.quiet.alerts == "pass"):
            return ""
        channel = await anyio.to_thread.run_sync(self._channel, alert.job)
        if not channel:
            return "in the log: no channel is set for alerts"
        if self.clock() - alert.raised_at > GIVE_UP_S:
            return f"in the log: {channel} could not be reached"
        spec = (await self.caller.catalog()).get(self.settings.tool)
        if spec is None:
            self.warn_once(f"there is no tool {self.settings.tool} to tell {channel} that job {alert.job} {alert.state}")
            return ""
        arguments: JsonObject = {"channel_id": channel, "text": self._text(alert)}
        key = f"{alert.run_id}/alert"
        try:
            await send_once(self.caller, self.ledger, spec, arguments, key=key, run_id=alert.run_id)
        except OutcomeUnknown:
            log.warning(
                "nobody knows whether %s was told that job %s %s: see `jiritsu effects list`", channel, alert.job, alert.state
            )
            return f"{channel}, perhaps"
        except DiscoveryError as error:
            self.warn_once(f"{channel} cannot be told that job {alert.job} {alert.state}: {error}")
            return ""
        return channel

    def _text(self, alert: Alert) -> str:
        if not alert.failures:
            # a server may have worded it, and this message is the host's own
            values = {**alert.model_dump(), "endings": inert(" ".join(reason_in(self.language, alert.endings).split()))}
            return (PUT_OFF_TEXTS if alert.put_off else BROKEN_TEXTS)[self.language].format(**values)
        endings = ("、" if self.language == "ja" else ", ").join(
            word(ending, self.language) for ending in alert.endings.split(", ")
        )
        return TEXTS[self.language].format(**{**alert.model_dump(), "endings": endings})

    def _channel(self, job: str) -> str:
        try:
            schedule = find(job, self.folders).schedule
        except ConfigError:  # its file may be missing or broken
            schedule = None
        return (schedule.alert if schedule else "") or self.settings.channel
