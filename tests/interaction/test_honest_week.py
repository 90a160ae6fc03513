"""A week of a team by a clock of its own: the shipped jobs on their own schedules, over the sample workspace, with nobody there."""

from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread
import pytest
from mcp.server.mcpserver import MCPServer

from autonomy.database import SchemaModule, migrate, open_engine
from autonomy.durable.durable_upgrades import DURABLE
from autonomy.durable.records.run_records import RunRecords
from autonomy.durable.scheduling.schedules import Schedules, ScheduleTick
from autonomy.durable.store import Store
from autonomy.hr import hr_tables
from autonomy.hr.backend import open_backend
from autonomy.hr.hr_audit import JournalAudit
from autonomy.hr.hr_server import hr_server
from autonomy.hr.hr_tenancy import HRTenancy
from autonomy.hr.tenants import Tenant
from autonomy.jobs.job import Job
from autonomy.jobs.job_folders import BUILT_IN
from autonomy.jobs.job_loading import load
from autonomy.jobs.job_runner import plan_of
from autonomy.llm.offline.planner import OfflinePlanner
from autonomy.run_state.asking.approvals import ApprovalAnswer, ApprovalQuestion
from autonomy.run_state.run_values import RunResult
from autonomy.run_state.step import Step
from autonomy.stores import METRICS
from mcp_servers.common.message_outbox import LocalMessenger, LocalSheets, Outbox
from mcp_servers.common.one_writer import OneWriter
from mcp_servers.common.server import Outlets
from mcp_servers.common.server import build_server as common_server
from mcp_servers.common.service_requests import HttpClient
from mcp_servers.common.write_ledger import Ledger
from mcp_servers.esa.local import LocalTeam
from mcp_servers.esa.seed import seed_posts
from mcp_servers.esa.server import build_server as esa_server
from mcp_servers.slack.export import ExportWorkspace
from mcp_servers.slack.server import build_server as slack_server
from metrics import events
from metrics.journal import Journal
from tests.gaming.world import ESA, SLACK, TOKYO, lines_of
from tests.requirements import requirement
from tests.support.house import House, house
from tests.support.sampling import only

MONDAY = datetime(2026, 11, 16, tzinfo=TOKYO)
"""The sample's last week. The Monday after it, the 23rd, is a holiday."""

TEMPLATES = BUILT_IN / "templates" / "ja"
KEY = "a secret of thirty-two characters"


@dataclass
class Office:
    """A team's machines: the servers, the schedules, and the clock on the wall."""

    folder: Path
    now: datetime = MONDAY
    asked: list[ApprovalQuestion] = field(default_factory=list)
    results: dict[str, RunResult] = field(default_factory=dict)
    ticks: list[ScheduleTick] = field(default_factory=list)
    home: House = field(init=False)
    schedules: Schedules = field(init=False)
    records: RunRecords = field(init=False)

    @asynccontextmanager
    async def open(self) -> AsyncIterator["Office"]:
        """With nobody who could answer a question."""
        engine = await anyio.to_thread.run_sync(open_engine, f"sqlite:///{self.folder / 'jiritsu.db'}")
        rooms = [DURABLE, SchemaModule("hr", hr_tables.metadata), METRICS]
        await anyio.to_thread.run_sync(migrate, engine, rooms)
        hr = await anyio.to_thread.run_sync(
            partial(open_backend, engine, JournalAudit(Journal(engine)), home=self.folder, key=KEY, environ={})
        )
        await anyio.to_thread.run_sync(hr.tenants.save, Tenant(id="default", vendor="demo"))
        self.records = RunRecords(engine)
        self.schedules = Schedules(Store(engine), clock=lambda: self.now.timestamp())
        means: dict[str, Any] = {"approver": self.nobody, "clock": self.ticking, "tenancy": HRTenancy(hr.tools)}
        servers = [*await self._servers(), hr_server(hr.tools)]
        try:
            async with house(*servers, model=OfflinePlanner(today=lambda: self.now.date()), **means) as self.home:
                yield self
        finally:
            await anyio.to_thread.run_sync(engine.dispose)

    async def _servers(self) -> Sequence[MCPServer]:
        await anyio.to_thread.run_sync(seed_posts, ESA, self.folder / "esa", MONDAY.date())
        workspace = ExportWorkspace(SLACK, self.folder / "slack.jsonl", TOKYO, lambda: self.now)
        outlets = Outlets(
            LocalSheets(Outbox(self.folder / "sheets.jsonl"), lambda: self.now.astimezone(UTC)),
            LocalMessenger(Outbox(self.folder / "dm.jsonl"), lambda: self.now.astimezone(UTC)),
            Ledger(self.folder / "ledger.sqlite3"),
            OneWriter(self.folder / "rows.lock"),
            OneWriter(self.folder / "messages.lock"),
        )
        team = LocalTeam(self.folder / "esa", "jiritsu", TOKYO, lambda: self.now)
        return [
            slack_server(workspace, TOKYO, lambda: self.now), esa_server(team), common_server(outlets, HttpClient())
        ]  # fmt: skip

    async def nobody(self, question: ApprovalQuestion, step: Step) -> ApprovalAnswer:
        """Remembers what it was asked."""
        self.asked.append(question)
        return ApprovalAnswer(answer="expired")

    def ticking(self) -> float:
        """The clock of the runs: a thousandth of a second later at each look."""
        self.now += timedelta(milliseconds=1)
        return self.now.timestamp()

    async def pass_until(self, then: datetime, *jobs: Job, **given: str) -> None:
        """Let the time go by in halves of an hour, on which all schedules stand, and run what comes due."""
        while self.now < then:
            for job in jobs:
                for tick in await self.schedules.handle(plan_of(job, "Asia/Tokyo")):
                    self.ticks.append(tick)
                    if tick.did == "run":
                        await self.run(job, tick.run_id, {**(job.schedule.inputs if job.schedule else {}), **given})
            half = self.now.replace(second=0, microsecond=0, minute=self.now.minute // 30 * 30)
            self.now = half + timedelta(minutes=30)

    async def run(self, job: Job, run_id: str, given: dict[str, Any]) -> RunResult:
        """A run of a job as its schedule starts it."""
        request = job.request(run_id, given, now=self.now, trigger="schedule")
        await self.records.begin(request, self.now.timestamp())
        self.results[run_id] = await self.home.executor.execute(request)
        await self.records.end(self.results[run_id])
        return self.results[run_id]

    def refused(self) -> list[str]:
        """Calls that the policy denied or asked about."""
        decided = self.home.heard.of(events.CallDecided)
        return [f"{one.run_id} {one.tool}: {one.decision} {one.reason}" for one in decided if one.decision != "allow"]


async def job_in(file: Path) -> Job:
    """The shipped job of that file."""
    return await anyio.to_thread.run_sync(load, file)


@pytest.fixture
async def office(tmp_path: Path) -> AsyncIterator[Office]:
    async with Office(tmp_path).open() as opened:
        yield opened


@requirement("K4", "J2")
@pytest.mark.parametrize("first", only([19], [16, 19]))
async def test_a_week_of_diaries_stand_ups_and_a_digest_asks_nobody_anything(office: Office, first: int) -> None:
    """From its Monday, or from its Thursday on, to the holiday after it."""
    office.now, days = MONDAY.replace(day=first), range(first, 21)
    jobs = [
        await job_in(file) for file in (BUILT_IN / "diary" / "job.md", TEMPLATES / "standup.md", TEMPLATES / "weekly-digest.md")
    ]
    await office.pass_until(MONDAY + timedelta(days=7, hours=20), *jobs)
    assert office.asked == []
    assert office.refused() == []
    assert {run_id: result.reason for run_id, result in office.results.items() if result.ending != "completed"} == {}
    handled = Counter((tick.job, tick.did, tick.reason) for tick in office.ticks)
    assert handled == {
        ("diary", "run", ""): len(days),
        ("standup", "run", ""): len(days),
        ("weekly-digest", "run", ""): 1,
        ("diary", "skipped", "勤労感謝の日"): 1,
        ("standup", "skipped", "勤労感謝の日"): 1,
    }
    diaries = sorted(file.parent.name for file in (office.folder / "esa").rglob("2026/11/*/harukaの日記.md"))
    assert diaries == [str(day) for day in days]
    posted = [line for line in lines_of(office.folder / "slack.jsonl") if line["channel"] == "C07GENERAL"]
    assert len(posted) == len(days)


@requirement("V2")
async def test_a_quiet_day_is_told_as_one_and_somebody_who_is_not_there_gets_no_diary(office: Office) -> None:
    diary = await job_in(BUILT_IN / "diary" / "job.md")
    office.now = MONDAY - timedelta(days=1) + timedelta(hours=18, minutes=30)
    quiet = await office.run(diary, "sunday", {"user": "haruka"})
    absent = await office.run(diary, "nobody", {"user": "sakura-who-left"})
    assert (quiet.ending, office.asked, office.refused()) == ("completed", [], [])
    (file,) = (office.folder / "esa").rglob("2026/11/15/harukaの日記.md")
    assert "記録に残る作業はありませんでした" in file.read_text(encoding="utf-8")
    assert absent.ending != "completed"
    assert [receipt for receipt in absent.receipts if receipt.state == "done"] == []


@requirement("K4")
async def test_the_months_overtime_asks_nobody_anything_where_slack_is_there_too(office: Office) -> None:
    given = {"month": "2026-10", "department": "開発部", "spreadsheet": "SHEET1", "manager": "U07KENTA"}
    told = await office.run(await job_in(BUILT_IN / "overtime" / "job.md"), "overtime-2026-10", given)
    assert (told.ending, told.reason, office.asked) == ("completed", "", [])
    assert len(lines_of(office.folder / "dm.jsonl")) == 1
