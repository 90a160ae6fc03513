"""The settings of the scheduled report: where, when and about what it is posted."""

from pydantic import Field

from autonomy.durable.scheduling.timetable import Timetable
from autonomy.jobs.job import REPORT, Schedule
from autonomy.settings import Config
from discovery.catalog import Frozen


class ReportSettings(Frozen):
    """`[report]`. Without a channel no report is posted."""

    channel: str = ""
    """The channel that the report is posted to."""
    schedule: Schedule = Schedule(cron="0 9 * * 1")
    """When it is posted: Mondays at 9."""
    days: int = Field(7, ge=1, le=366)
    """How many days each report covers, up to its tick."""
    job: str = ""
    """Report on the runs of this job only."""
    tool: str = "slack_post_message"
    """A tool that posts `text` to `channel_id`."""

    @property
    def plan(self) -> Timetable:
        """The timetable of the report. A tick never overlaps with another one, because it starts no run."""
        return Timetable(job=REPORT, **self.schedule.model_dump(exclude={"alert", "inputs", "overlap"}), overlap="queue")


def report_settings(config: Config) -> ReportSettings:
    """Return `[report]` of the settings, with their time zone if it names none. Raises `ConfigError` naming the file."""
    report = config.table("report", ReportSettings)
    if "timezone" in report.schedule.model_fields_set:
        return report
    return report.model_copy(update={"schedule": report.schedule.model_copy(update={"timezone": config.settings.timezone})})
