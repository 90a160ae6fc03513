"""The world a case runs in: the real servers over the sample workspace, with faults."""

import json
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import url2pathname
from zoneinfo import ZoneInfo

import anyio.to_thread
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError

from autonomy.database import SchemaModule, migrate, open_engine
from autonomy.hr import hr_tables
from autonomy.hr.backend import Backend, open_backend
from autonomy.hr.hr_audit import JournalAudit
from autonomy.hr.hr_server import hr_server
from autonomy.hr.hr_tenancy import HRTenancy
from autonomy.hr.tenants import Tenant
from autonomy.jobs.job_loading import load
from autonomy.llm.messages import AssistantMessage
from autonomy.llm.model import Model, ModelRequest, Task
from autonomy.llm.model_chain import Chain
from autonomy.run_state.asking.approvals import ApprovalAnswer, ApprovalQuestion
from autonomy.run_state.run_values import RunRequest, RunResult
from autonomy.run_state.step import Step
from autonomy.settings import DECIDES
from autonomy.settings_files import SAMPLE
from autonomy.stores import METRICS
from discovery.catalog import JsonObject
from mcp_servers.common.message_outbox import LocalMessenger, LocalSheets
from mcp_servers.common.message_outbox import Outbox as CommonOutbox
from mcp_servers.common.one_writer import OneWriter
from mcp_servers.common.server import Outlets
from mcp_servers.common.server import build_server as common_server
from mcp_servers.common.service_requests import HttpClient
from mcp_servers.common.write_ledger import Ledger
from mcp_servers.esa.local import LocalTeam
from mcp_servers.esa.seed import seed_posts
from mcp_servers.esa.server import build_server as esa_server
from mcp_servers.esa.team import NewPost, SavedPost
from mcp_servers.slack.export import ExportWorkspace
from mcp_servers.slack.server import build_server as slack_server
from mcp_servers.slack.workspace import Draft, Period, Raw
from mcp_servers.weather import agency
from mcp_servers.weather.server import create_server as weather_server
from metrics.autonomy import AutonomyMetrics
from metrics.events import Judged
from metrics.journal import Journal
from tests.gaming.case import GamingCase, JobRun, Setting, Turn
from tests.support.house import house

TOKYO = ZoneInfo("Asia/Tokyo")
NOW = datetime(2026, 11, 20, 18, 30, tzinfo=TOKYO)
"""The evening of the sample's last day: nothing is shifted, and a run reads the same in every year."""
TICK = timedelta(milliseconds=1)
SLACK, ESA = SAMPLE / "sample" / "slack", SAMPLE / "sample" / "esa"
KEY = "a secret of thirty-two characters"
NOT_NOW = "Slack cannot read this channel at the moment (internal_error)."


@dataclass(frozen=True)
class Ran:
    """What came of a case."""

    case: GamingCase
    result: RunResult
    overall: float | None
    findings: tuple[str, ...]
    """What the judge said, over all its verdicts."""
    delivered: tuple[str, ...]
    """The texts that went out, in order; of one post only the last."""

    @property
    def right(self) -> bool:
        """Whether it ended as it should."""
        left = "\n".join((*self.delivered, self.result.text))
        return self.completed is self.case.completes and not (self.case.absent and self.case.absent in left)

    @property
    def completed(self) -> bool:
        """Whether it counts as done."""
        return self.result.ending == "completed"


class Unreliable(ExportWorkspace):
    """A workspace some of whose channels cannot be read, for a while or for good, and some of which are very busy."""

    def __init__(self, outbox: Path, world: Setting) -> None:
        super().__init__(SLACK, outbox, TOKYO, lambda: NOW)
        self._failing, self._flooded = Counter(world.broken), world.flooded

    def threads(self, channel_id: str, period: Period) -> AsyncGenerator[Raw, None]:
        if self._failing[channel_id] > 0:
            self._failing[channel_id] -= 1
            raise ToolError(NOT_NOW)
        return super().threads(channel_id, period)

    def _exported(self, channel_id: str) -> list[Raw]:
        more = [
            {
                "type": "message",
                "user": "U07YUI",
                "ts": f"{NOW.timestamp() - 60 * number:.6f}",
                "text": f"{number}件目の問い合わせに返信しました。" * 4,
            }
            for number in range(1, self._flooded.get(channel_id, 0) + 1)
        ]
        return [*super()._exported(channel_id), *more]


class Refusing(LocalTeam):
    """A team where posts of certain names cannot be created."""

    refused: tuple[str, ...] = ()

    async def create(self, new: NewPost) -> SavedPost:
        if new.name in self.refused:
            raise ToolError(f"The post {new.name!r} was not created: the team's quota of posts is used up (403).")
        return await super().create(new)


@dataclass
class TurnsInOrder:
    """The turns of a case, one reply after the other; a model that has nothing new to say says its last words again."""

    turns: Sequence[Turn]
    _at: int = 0
    _last: str = "以上です。"

    def __call__(self, request: ModelRequest) -> AssistantMessage:
        while self._at < len(self.turns):
            turn = self.turns[self._at]
            reply = turn(request) if callable(turn) else turn
            if reply is None or not callable(turn):
                self._at += 1
            if reply is not None:
                return self._said(reply)
        return AssistantMessage(text=self._last)

    def _said(self, reply: AssistantMessage | str) -> AssistantMessage:
        message = AssistantMessage(text=reply) if isinstance(reply, str) else reply
        self._last = message.text if not message.calls and message.text else self._last
        return message


@dataclass
class Exchangeable:
    """What stands behind a server: another one for every case, while the server is built once."""

    inner: Any = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)


@dataclass
class CaseRunner:
    """Where cases run, one after the other: what takes time to open is opened once."""

    folder: Path
    reader: Model | None = None
    """Who is asked for a second opinion of what the rules let pass; nobody where there is none."""
    decides: bool = False
    """Whether the reader is asked of what they doubt, too."""
    _workspace: Exchangeable = field(default_factory=Exchangeable)
    _team: Exchangeable = field(default_factory=Exchangeable)
    _sample: list[MCPServer] = field(default_factory=list)
    _hr: Backend | None = None
    _closing: list[Callable[[], None]] = field(default_factory=list)
    _begun: int = 0

    @property
    def here(self) -> Path:
        """Where the next case will keep its files."""
        return self.folder / str(self._begun)

    async def run(self, case: GamingCase) -> Ran:
        """Run a case from beginning to end."""
        here = self.here
        self._begun += 1
        await anyio.to_thread.run_sync(partial(here.mkdir, parents=True))
        async with self._servers(here, case) as (servers, tenancy):
            means: dict[str, Any] = {"approver": AskedPerson(case.world.agreed), "clock": Ticking(), **tenancy}
            if self.reader is not None:
                means["judge_model"] = Chain([self.reader])
            async with house(*servers, script=TurnsInOrder(case.turns), **means) as home:
                request = await anyio.to_thread.run_sync(request_of, case)
                opinion = DECIDES if self.decides else self.reader is not None
                result = await home.executor.execute(request.model_copy(update={"second_opinion": opinion}))
        if result.ending == "failed":
            raise RuntimeError(f"{case.name}: the run broke, which tells nothing about the verdict: {result.reason}")
        judged = [finding for event in home.heard.of(Judged) for finding in event.missing]
        overall = AutonomyMetrics.measure_autonomy_level(home.heard.events).overall
        return Ran(case, result, overall, tuple(dict.fromkeys((*judged, *result.missing))), _delivered(here, result))

    async def close(self) -> None:
        """Give back what was opened."""
        for close in self._closing:
            await anyio.to_thread.run_sync(close)

    @asynccontextmanager
    async def _servers(self, here: Path, case: GamingCase) -> AsyncIterator[tuple[list[MCPServer], dict[str, Any]]]:
        team = Refusing(here / "esa", "jiritsu", TOKYO, lambda: NOW)
        await anyio.to_thread.run_sync(seed_posts, ESA, here / "esa", NOW.date())
        for post in case.world.posted:
            await team.create(NewPost(**post))
        team.refused = case.world.refused
        workspace = Unreliable(here / "slack.jsonl", case.world)
        for message in case.world.sent:
            await workspace.post(Draft(message["channel_id"], message["text"]))
        self._workspace.inner, self._team.inner = workspace, team
        self._sample = self._sample or _sample_servers(self._workspace, self._team)
        if not _is_about_hours(case):
            yield self._sample, {}
            return
        backend = self._hr or await self._open_hr()
        yield [*self._sample, hr_server(backend.tools), _common(here)], {"tenancy": HRTenancy(backend.tools)}

    async def _open_hr(self) -> Backend:
        """The demo company as the only tenant."""
        await anyio.to_thread.run_sync(partial(self.folder.mkdir, parents=True, exist_ok=True))
        engine = await anyio.to_thread.run_sync(open_engine, f"sqlite:///{self.folder / 'jiritsu.db'}")
        self._closing.append(engine.dispose)
        rooms = [SchemaModule("hr", hr_tables.metadata), METRICS]
        await anyio.to_thread.run_sync(migrate, engine, rooms)
        opened = partial(open_backend, engine, JournalAudit(Journal(engine)), home=self.folder, key=KEY, environ={})
        self._hr = await anyio.to_thread.run_sync(opened)
        await anyio.to_thread.run_sync(self._hr.tenants.save, Tenant(id="default", vendor="demo"))
        return self._hr


@dataclass(frozen=True)
class AskedPerson:
    """Somebody who agrees to every write, or to none."""

    agrees: bool

    async def __call__(self, question: ApprovalQuestion, step: Step) -> ApprovalAnswer:
        return ApprovalAnswer(answer="granted" if self.agrees else "denied", by="tester")


class Ticking:
    """A clock that starts at half past six and goes on by a thousandth of a second whenever it is read."""

    def __init__(self) -> None:
        self._now = NOW

    def __call__(self) -> float:
        self._now += TICK
        return self._now.timestamp()


def request_of(case: GamingCase) -> RunRequest:
    """What the executor is asked for."""
    if isinstance(case.asked, JobRun):
        return load(case.asked.file).request("run-1", case.asked.given, now=NOW, trigger="schedule")
    return RunRequest(run_id="run-1", task=Task(goal=case.asked), trigger="cli")


def lines_of(file: Path) -> list[JsonObject]:
    """The entries of an outbox."""
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line] if file.exists() else []


def _is_about_hours(case: GamingCase) -> bool:
    return (
        "残業" in case.asked or "overtime" in case.asked
        if isinstance(case.asked, str)
        else case.asked.file.stem == "overtime-alarm" or case.asked.file.parent.name == "overtime"
    )


def _sample_servers(workspace: Any, team: Any) -> list[MCPServer]:
    forecasts = agency.Recorded(agency.DATA, today=lambda: NOW.date())
    return [slack_server(workspace, TOKYO, lambda: NOW), esa_server(team), weather_server(forecasts, now=lambda: NOW)]


def _common(here: Path) -> MCPServer:
    def now() -> datetime:
        return NOW.astimezone(UTC)

    sheets, messenger = (
        LocalSheets(CommonOutbox(here / "sheets.jsonl"), now),
        LocalMessenger(CommonOutbox(here / "dm.jsonl"), now),
    )
    turns = (OneWriter(here / "rows.lock"), OneWriter(here / "messages.lock"))
    return common_server(Outlets(sheets, messenger, Ledger(here / "ledger.sqlite3"), *turns), HttpClient())


def _delivered(here: Path, result: RunResult) -> tuple[str, ...]:
    """What stands outside in the end: the posts this run wrote, and everything it sent."""
    posts = [receipt.target for receipt in result.receipts if receipt.tool.startswith("esa_")]
    files = [Path(url2pathname(urlsplit(target).path)) for target in dict.fromkeys(posts)]
    sent = [
        json.dumps(entry, ensure_ascii=False) for name in ("slack", "sheets", "dm") for entry in lines_of(here / f"{name}.jsonl")
    ]
    return (*(file.read_text(encoding="utf-8") for file in files if file.is_file()), *sent)
