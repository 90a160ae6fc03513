"""The settings of the scheduled report: where and when it is posted."""

from pydantic import Field

from autonomy.durable.scheduling.timetable import Timetable
from autonomy.jobs.job import REPORT, Schedule
from autonomy.settings import Config
from discovery.catalog import Frozen


class ReportSettings(Frozen):
    """`[report]`: naming a channel turns it on."""

    channel: str = ""
    schedule: Schedule = Schedule(cron="0 9 * * 1")
    days: int = Field(7, ge=1, le=366)
    """How far each report looks back, from its tick."""
    job: str = ""
    """Only the runs of this job."""
    tool: str = "slack_post_message"
    """A tool that posts `text` to `channel_id`."""

    @property
    def plan(self) -> Timetable:
        """The schedule of the report. It leaves no run under way that a tick could overlap with."""
        return Timetable(job=REPORT, **self.schedule.model_dump(exclude={"alert", "inputs", "overlap"}), overlap="queue")


def report_settings(config: Config) -> ReportSettings:
    """`[report]` of the settings, in their time zone unless it names another. Raises `ConfigError` naming the file."""
    report = config.table("report", ReportSettings)
    if "timezone" in report.schedule.model_fields_set:
        return report
    return report.model_copy(update={"schedule": report.schedule.model_copy(update={"timezone": config.settings.timezone})})
