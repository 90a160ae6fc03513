"""A week of a team of ten by a clock of its own: every tick, person, absence, holiday, draft and quiet hour as it should be."""

from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import anyio
import anyio.to_thread
import pytest
from mcp.server.mcpserver import MCPServer

from autonomy.durable.records.run_records import RunRecords
from autonomy.durable.scheduling.schedules import Schedules
from autonomy.durable.store import Store
from autonomy.jobs.job_runner import JobRunner
from autonomy.jobs.starting import DaySpent, JobStart
from autonomy.llm.offline.planner import OfflinePlanner
from autonomy.run_state.asking.approvals import ApprovalAnswer, ApprovalQuestion
from autonomy.run_state.quiet_hours import QuietHours
from autonomy.run_state.run_values import RunRequest, RunResult
from autonomy.run_state.step import Step
from tests.requirements import requirement
from tests.support.durable import prepared
from tests.support.house import OUTWARD, READ, House, Listener, house

TOKYO = ZoneInfo("Asia/Tokyo")
MONDAY = datetime(2026, 11, 16, tzinfo=TOKYO)
"""The Monday after it, the 23rd, is a holiday."""
TEAM = ("haruka", "kenta", "mio", "ren", "yui", "sota", "aoi", "riku", "hina", "daiki")
LEFT = {"daiki": date(2026, 11, 18)}
"""Who left, and the last day."""
AWAY = {("mio", date(2026, 11, 17)), ("mio", date(2026, 11, 18)), ("ren", date(2026, 11, 20))}
NIGHT = QuietHours(start=time(20), end=time(8))

STANDUP = """---
title: 朝会
inputs:
  user: {type: person, required: true}
  date: {type: date, default: yesterday}
for_each: {input: user, of: {tool: team_members, value: "people[].name"}}
needs:
  - {id: said, description: その日の発言 (what a person said on a day), tools: [team_said], arguments: {user: "{{inputs.user}}", day: "{{inputs.date}}"}}
  - id: post
    description: 掲示板に出す (post to the board)
    tools: [team_post]
    effect: outward
    after: [said]
    arguments: {title: "朝会 {{inputs.user}} {{inputs.date}}", text: "{{result}}"}
sections: [{title: やったこと, source: said, empty: 記録はありませんでした。}]
schedule: {cron: "30 9 * * 1-5", holidays: skip}
budget: {runs_per_day: 40}
delivery: [post]
---
{{inputs.user}} の {{inputs.date}} をまとめて、掲示板に出してください。
"""
DIGEST = """---
title: 週報
inputs: {date: {type: date, default: today}}
needs:
  - {id: said, description: その日の発言 (what was said on a day), tools: [team_said], arguments: {user: haruka, day: "{{inputs.date}}"}}
  - id: post
    description: 掲示板に出す (post to the board)
    tools: [team_post]
    effect: outward
    after: [said]
    arguments: {title: "CALLED {{inputs.date}}", text: "{{result}}"}
sections: [{title: やったこと, source: said, empty: 記録はありませんでした。}]
schedule: {cron: "CRON", holidays: skip}
approval: {drafts: [post]}
delivery: [post]
---
{{inputs.date}} をまとめて、掲示板に出してください。
"""


@dataclass
class Team:
    """Ten people, a board, a lead who reads drafts, and the clock on the wall."""

    now: datetime = MONDAY
    board: list[dict[str, str]] = field(default_factory=list)
    asked: list[tuple[datetime, ApprovalQuestion]] = field(default_factory=list)
    results: dict[str, RunResult] = field(default_factory=dict)
    started: list[tuple[datetime, RunRequest]] = field(default_factory=list)
    home: House = field(init=False)
    records: RunRecords = field(init=False)

    def server(self) -> MCPServer:
        """What the jobs read and write."""
        server = MCPServer("team")

        @server.tool(annotations=READ)
        def members() -> dict[str, Any]:
            """Who is at work today."""
            today = self.now.date()
            here = [name for name in TEAM if today <= LEFT.get(name, today) and (name, today) not in AWAY]
            return {"people": [{"name": name} for name in here]}

        @server.tool(annotations=READ)
        def said(user: str, day: str) -> dict[str, Any]:
            """What a person said on a day."""
            quiet = date.fromisoformat(day).weekday() >= 5 or user == "kenta"
            return {"messages": [] if quiet else [{"user": user, "date": day, "text": f"{user} は予約画面の表示を直しました。"}]}

        @server.tool(annotations=OUTWARD)
        def post(title: str, text: str) -> dict[str, str]:
            """Post to the board."""
            self.board.append({"title": title, "text": text, "at": self.now.isoformat()})
            return {"url": f"https://board.example.test/{len(self.board)}"}

        return server

    async def lead(self, question: ApprovalQuestion, step: Step) -> ApprovalAnswer:
        """Reads drafts: approves the week's with a line of his own, and refuses the night's."""
        self.asked.append((self.now, question))
        if question.job == "nightly":
            return ApprovalAnswer(answer="denied", by="lead", reason="もう知っています")
        edited = {**question.arguments, "text": question.arguments["text"] + "\n\nよい一週間でした。"}
        return ApprovalAnswer(answer="granted", by="lead", arguments=edited)

    async def enqueue(self, request: RunRequest, *, priority: int = 100) -> str:
        """A queue with a worker that is never late."""
        self.started.append((self.now, request))
        await self.records.begin(request, self.now.timestamp())
        self.results[request.run_id] = await self.home.executor.execute(request)
        await self.records.end(self.results[request.run_id])
        return request.run_id

    async def spent(self, job: str, since: float) -> DaySpent:
        """As the database of a real house knows it."""
        mine = [request for at, request in self.started if request.job == job and at.timestamp() >= since]
        return DaySpent(len(mine), 0, Decimal(0))


@pytest.fixture
async def team(tmp_path: Path) -> AsyncIterator[tuple[Team, JobRunner, Schedules]]:
    folder = tmp_path / "jobs"
    folder.mkdir()
    for name, text in {
        "standup": STANDUP,
        "digest": DIGEST.replace("CRON", "0 17 * * 5").replace("CALLED", "週報"),
        "nightly": DIGEST.replace("CRON", "0 23 * * 2").replace("CALLED", "夜報"),
    }.items():
        (folder / f"{name}.md").write_text(text, encoding="utf-8")
    engine = await anyio.to_thread.run_sync(prepared, f"sqlite:///{tmp_path / 'jiritsu.db'}")
    made = Team()
    made.records = RunRecords(engine)
    planner = OfflinePlanner(today=lambda: made.now.date())
    async with house(made.server(), model=planner, approver=made.lead, clock=lambda: made.now.timestamp()) as made.home:
        schedules = Schedules(Store(engine), clock=lambda: made.now.timestamp())
        start = JobStart(made.home.gateway, made.spent)
        runner = JobRunner([folder], schedules, made, Listener(), starting=start, quiet=NIGHT, clock=lambda: made.now.timestamp())
        yield made, runner, schedules
    await anyio.to_thread.run_sync(engine.dispose)


@requirement("Y3", "Y6", "J2")
async def test_a_week_of_ten_people(team: tuple[Team, JobRunner, Schedules]) -> None:
    here, runner, schedules = team
    for day in range(9):
        for clock in (time(7, 59), time(8), time(9, 30), time(17), time(23)):
            here.now = datetime.combine(MONDAY.date() + timedelta(days=day), clock, TOKYO)
            await runner.look()

    # the ticks: five mornings, a holiday, and the Tuesday after it; a Friday; two Tuesday nights, the last still held back
    handled = {
        name: [(tick.did, tick.reason) for tick in reversed(await schedules.history(name))] for name in ("standup", "digest")
    }
    assert handled["standup"] == [("run", "")] * 5 + [("skipped", "勤労感謝の日"), ("run", "")]
    assert handled["digest"] == [("run", "")]
    assert [tick.did for tick in await schedules.history("nightly")] == ["run", "run"]
    assert [tick.job for tick in await schedules.to_start()] == ["nightly"]

    # the people: each who was there that day, once; nobody who was away or had left
    per_day = Counter(at.date() for at, request in here.started if request.job == "standup")
    assert per_day == {
        date(2026, 11, 16): 10, date(2026, 11, 17): 9, date(2026, 11, 18): 9,
        date(2026, 11, 19): 9, date(2026, 11, 20): 8, date(2026, 11, 24): 9,
    }  # fmt: skip
    who = {(at.date(), request.task.inputs["user"]) for at, request in here.started if request.job == "standup"}
    assert not who & {(day, name) for name, day in AWAY}
    assert {day for day, name in who if name == "daiki"} == {date(2026, 11, 16), date(2026, 11, 17), date(2026, 11, 18)}

    # what came of it: every morning on the board once, about the day before; who said nothing is told as such
    endings = Counter((result.job, result.ending) for result in here.results.values())
    assert endings == {("standup", "completed"): 54, ("digest", "completed"): 1, ("nightly", "blocked"): 1}
    titles = [one["title"] for one in here.board]
    assert len(titles) == len(set(titles)) == 55
    assert "朝会 haruka 2026-11-23" in titles, "on the 24th the day before is the holiday"
    (silent,) = [one for one in here.board if one["title"] == "朝会 kenta 2026-11-18"]
    assert "記録はありませんでした。" in silent["text"]

    # the drafts: read by the lead when nobody sleeps, published as he left them, and not where he said no
    assert [(at.strftime("%a %H:%M"), one.job) for at, one in here.asked] == [("Wed 08:00", "nightly"), ("Fri 17:00", "digest")]
    (weekly,) = [one for one in here.board if one["title"].startswith("週報")]
    assert weekly["text"].endswith("よい一週間でした。")
    assert not [one for one in here.board if one["title"].startswith("夜報")]
    (night,) = [result for result in here.results.values() if result.job == "nightly"]
    assert night.reason == "a draft did not go out: もう知っています"
    (asked,) = [request for _, request in here.started if request.job == "nightly"]
    assert asked.task.inputs["date"] == "2026-11-17", "its day is that of the tick, though it began the next morning"

    # nothing went out in quiet hours
    assert [one for one in here.board if NIGHT.until(datetime.fromisoformat(one["at"]).timestamp()) is not None] == []
