"""A job's draft: posted as one, read, edited and approved by a person, and only then published."""

from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import anyio
import anyio.to_thread
import pytest
from mcp.server.mcpserver import MCPServer

from autonomy.durable.approval_store import Approvals
from autonomy.durable.store import Store
from autonomy.errors import ConfigError
from autonomy.jobs.job import Job
from autonomy.jobs.job_folders import BUILT_IN
from autonomy.jobs.job_loading import load
from autonomy.llm.offline.planner import OfflinePlanner
from autonomy.llm.scripted import calling
from autonomy.policy.operator_rules import PolicyRule
from autonomy.policy.policy import Policy
from autonomy.run_state.asking.approvals import ApprovalAnswer, ApprovalQuestion
from autonomy.run_state.asking.argument_form import edit_problems
from autonomy.run_state.run_values import RunRequest, RunResult
from autonomy.run_state.step import Step
from mcp_servers.esa.local import LocalTeam
from mcp_servers.esa.seed import seed_posts
from mcp_servers.esa.server import build_server
from mcp_servers.esa.team import PostChange, Search
from metrics.reporting.reason_words import reason_in
from tests.requirements import requirement
from tests.support.conversation import database
from tests.support.house import house

NOW = datetime(2026, 11, 20, 17, tzinfo=ZoneInfo("Asia/Tokyo"))
ESA = BUILT_IN / "diary" / "sample" / "esa"


@pytest.fixture
async def job() -> Job:
    return await anyio.to_thread.run_sync(load, BUILT_IN / "templates" / "ja" / "digest-draft.md")


@pytest.fixture
async def esa(tmp_path: Path) -> MCPServer:
    await anyio.to_thread.run_sync(seed_posts, ESA, tmp_path / "esa", NOW.date())
    return build_server(LocalTeam(tmp_path / "esa", "jiritsu", NOW.tzinfo or ZoneInfo("UTC"), lambda: NOW))


def asked_of(job: Job) -> RunRequest:
    return job.request("digest-1", {}, now=NOW, trigger="schedule")


def post_of(folder: Path) -> str:
    (file,) = (folder / "esa").rglob("第47週.md")
    return file.read_text(encoding="utf-8")


class Reader:
    """A person, or nobody, who answers in one way and remembers what was asked."""

    def __init__(self, answer: str, *, text: str = "", reason: str = "") -> None:
        self.answer, self.text, self.reason, self.asked = answer, text, reason, list[ApprovalQuestion]()

    async def __call__(self, question: ApprovalQuestion, step: Step) -> ApprovalAnswer:
        self.asked.append(question)
        edited = {**question.arguments, "body_md": self.text} if self.text else None
        return ApprovalAnswer.model_validate({"answer": self.answer, "by": "kenta", "reason": self.reason, "arguments": edited})


class Waiting:
    """Where a question waits: one knows when it stands there, and says when to look for the answer."""

    def __init__(self) -> None:
        self.asked, self.answered = anyio.Event(), anyio.Event()

    async def sleep(self, _seconds: float) -> None:
        self.asked.set()
        await self.answered.wait()


async def run_with(job: Job, esa: MCPServer, approver: Any, **means: Any) -> RunResult:
    planner = OfflinePlanner(today=lambda: NOW.date())
    async with house(esa, model=planner, approver=approver, clock=NOW.timestamp, **means) as home:
        return await home.executor.execute(asked_of(job))


@requirement("Y3")
async def test_a_draft_is_work_in_progress_until_a_person_approves_it_and_goes_out_as_edited(
    job: Job, esa: MCPServer, tmp_path: Path
) -> None:
    person = Reader("granted", text="## 書かれたこと\n\n- 設計の記事\n- 健太が一行足しました。")
    seen: list[str] = []

    async def looking(question: ApprovalQuestion, step: Step) -> ApprovalAnswer:
        seen.append(await anyio.to_thread.run_sync(post_of, tmp_path))
        return await person(question, step)

    result = await run_with(job, esa, looking)
    assert "published: false" in seen[0]
    (question,) = person.asked
    assert question.arguments["body_md"] in seen[0]
    published = await anyio.to_thread.run_sync(post_of, tmp_path)
    assert "published: true" in published
    assert "健太が一行足しました。" in published
    assert person.text in result.text
    assert question.arguments["body_md"] not in result.text, "what people read as delivered is what was delivered"
    assert (result.ending, result.reason) == ("completed", "")
    assert edit_problems(question, {**question.arguments, "body_md": person.text}) == ()
    lost = edit_problems(question, {**question.arguments, "body_md": "設計の記事だけです。"})
    assert lost == ("body_md: these sections are missing or empty: 書かれたこと",), "told while it can still be mended"


@requirement("Y3")
@pytest.mark.parametrize(
    ("answer", "reason", "told"),
    [
        ("denied", "", "a person said no"),
        ("denied", "もっと短く", "もっと短く"),
        ("expired", "", "nobody answered in time"),
    ],
)
async def test_a_draft_that_is_refused_or_that_nobody_reads_stays_one_and_the_run_says_so(
    job: Job, esa: MCPServer, tmp_path: Path, answer: str, reason: str, told: str
) -> None:
    result = await run_with(job, esa, Reader(answer, reason=reason))
    assert result.ending == "blocked"
    assert result.reason == f"a draft did not go out: {told}"
    assert not result.is_refuted, result.missing
    assert "下書きは公開されませんでした" in reason_in("ja", result.reason)
    assert "published: false" in await anyio.to_thread.run_sync(post_of, tmp_path)


@requirement("Y3")
async def test_no_rule_of_the_operator_lets_a_draft_out_unread(job: Job, esa: MCPServer) -> None:
    person = Reader("granted")
    lenient = Policy(rules=(PolicyRule(name="all", decision="allow"),), free_writes="allow")
    result = await run_with(job, esa, person, policy=lenient)
    assert [(one.tool, one.reason) for one in person.asked] == [
        ("esa_update_post", "publish is a draft until a person has read it")
    ]
    assert result.ending == "completed"


@requirement("Y3")
async def test_a_rule_that_allows_other_writes_is_no_way_around_the_draft(esa: MCPServer, tmp_path: Path) -> None:
    job = await anyio.to_thread.run_sync(load, BUILT_IN / "templates" / "en" / "digest-draft.md")
    posts = await LocalTeam(tmp_path / "esa", "haruka", ZoneInfo("Asia/Tokyo"), lambda: NOW).search(Search(q="wip:false"))
    published = posts.posts[0].number
    unread = calling(("esa_update_post", {"post_number": published, "body_md": "Nobody has read this."}))
    added = calling(("esa_append_post", {"post_number": published, "content": "Nor this."}))
    person = Reader("denied")
    lenient = Policy(rules=(PolicyRule(name="all", decision="allow"),))
    async with house(
        esa, script=[unread, added, *["That is all."] * 6], approver=person, clock=NOW.timestamp, policy=lenient
    ) as home:
        await home.executor.execute(job.request("digest-1", {}, now=NOW, trigger="schedule"))
    assert [one.tool for one in person.asked] == ["esa_update_post", "esa_append_post"]
    assert person.asked[0].reason == "esa_update_post is no write of this job's needs"


@requirement("Y3")
async def test_a_draft_is_called_one_first_also_where_an_operators_rule_asks(job: Job, esa: MCPServer) -> None:
    person = Reader("granted")
    strict = Policy(rules=(PolicyRule(name="careful", tool="esa_update_post", decision="ask"),))
    await run_with(job, esa, person, policy=strict)
    (question,) = person.asked
    first, _, other = question.reason.partition("; ")
    assert first == "publish is a draft until a person has read it"
    assert reason_in("ja", question.reason).startswith("publish は、人が読むまで下書きです")
    assert other == "" or "careful" in other


@requirement("Y3")
async def test_the_question_about_a_draft_is_still_there_after_a_restart_once(job: Job, esa: MCPServer, tmp_path: Path) -> None:
    async with database(tmp_path) as engine:
        with anyio.fail_after(240):
            dying = Waiting()
            async with anyio.create_task_group() as process:
                process.start_soon(run_with, job, esa, Approvals(Store(engine), sleep=dying.sleep))
                await dying.asked.wait()
                process.cancel_scope.cancel()
            (before,) = await Approvals(Store(engine)).listed()
            waiting, results = Waiting(), list[RunResult]()
            after = Approvals(Store(engine), sleep=waiting.sleep)

            async def again() -> None:
                results.append(await run_with(job, esa, after))

            async with anyio.create_task_group() as process:
                process.start_soon(again)
                await waiting.asked.wait()
                assert [one.id for one in await after.listed(state=None)] == [before.id]
                await after.answer(before.id, granted=True, by="kenta", sha256=before.question.arguments_sha256)
                waiting.answered.set()
    assert results[0].ending == "completed"
    assert "published: true" in await anyio.to_thread.run_sync(post_of, tmp_path)


@requirement("Y3")
async def test_what_somebody_wrote_into_the_draft_meanwhile_is_kept(job: Job, esa: MCPServer, tmp_path: Path) -> None:
    async def editing(question: ApprovalQuestion, step: Step) -> ApprovalAnswer:
        haruka = LocalTeam(tmp_path / "esa", "haruka", ZoneInfo("Asia/Tokyo"), lambda: NOW)
        await haruka.append(question.arguments["post_number"], "遥の追記です。", "", None)
        return ApprovalAnswer(answer="granted", by="kenta")

    await run_with(job, esa, editing)
    published = await anyio.to_thread.run_sync(post_of, tmp_path)
    assert "published: true" in published
    assert "遥の追記です。" in published


@requirement("Y3")
async def test_where_somebody_changed_the_same_lines_meanwhile_the_draft_stays_one(
    job: Job, esa: MCPServer, tmp_path: Path
) -> None:
    async def editing(question: ApprovalQuestion, step: Step) -> ApprovalAnswer:
        haruka = LocalTeam(tmp_path / "esa", "haruka", ZoneInfo("Asia/Tokyo"), lambda: NOW)
        text = question.arguments["body_md"].replace("- ", "- 誰も読んでいない ")
        await haruka.update(question.arguments["post_number"], PostChange(body_md=text))
        return ApprovalAnswer(answer="granted", by="kenta", arguments={**question.arguments, "body_md": edited})

    edited = "## 書かれたこと\n\n- 設計の記事を健太が書き換えました。"
    result = await run_with(job, esa, editing)
    assert "published: false" in await anyio.to_thread.run_sync(post_of, tmp_path), "what nobody approved is not published"
    assert result.ending != "completed"


@requirement("Y3")
def test_a_draft_that_is_no_write_of_the_job_is_refused_when_the_file_is_read(tmp_path: Path) -> None:
    text = (BUILT_IN / "templates" / "en" / "digest-draft.md").read_text(encoding="utf-8")
    file = tmp_path / "x.md"
    file.write_text(text.replace("drafts: [publish]", "drafts: [posts]"), encoding="utf-8")
    with pytest.raises(ConfigError, match="'posts' is no need with a write effect; those are draft, publish"):
        load(file)


@pytest.mark.parametrize("language", ["ja", "en"])
async def test_a_rehearsal_of_a_draft_ends_as_one_though_publishing_it_takes_what_only_a_real_draft_returns(
    esa: MCPServer, language: str
) -> None:
    job = await anyio.to_thread.run_sync(load, BUILT_IN / "templates" / language / "digest-draft.md")
    asked = job.request("digest-1", {}, now=NOW, simulate=True)
    async with house(esa, model=OfflinePlanner(today=lambda: NOW.date())) as home:
        result = await home.executor.execute(asked)
    assert (result.ending, result.missing) == ("simulated", ())
    assert [record.tool for record in result.calls if record.simulated] == ["esa_create_post"]
    assert asked.task.needs[2].shown in result.text
