"""Jobs that a file, another job's end or a message starts: once each, and never by what was there before."""

import os
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import anyio.to_thread
import pytest
import sqlalchemy as sa

from autonomy.durable.records.run_records import RunRecords
from autonomy.durable.scheduling.trigger_memory import TriggerMemory
from autonomy.durable.store import Store
from autonomy.errors import ConfigError, StoreError
from autonomy.hr.timekeeping.month import JST
from autonomy.jobs import triggers
from autonomy.jobs.job_loading import load
from autonomy.jobs.job_templates import templates
from autonomy.jobs.starting import DaySpent, JobStart
from autonomy.jobs.trigger_settings import MessageTrigger
from autonomy.jobs.triggers import COMPLETED_WITHIN_S, REACH_S, STILL_S, TriggeredStart, TriggerWatch
from autonomy.run_state.run_values import RunRequest, RunResult
from discovery.catalog import Catalog, JsonObject, ToolOutput
from discovery.discovery_errors import ProviderUnavailable
from tests.requirements import requirement
from tests.support.durable import prepared
from tests.support.specs import catalog_of, tool

ANSWERING = {one: templates(one)["answer-in-channel"].read_text(encoding="utf-8") for one in ("en", "ja")}
WRITTEN = datetime(2026, 11, 20, 9, tzinfo=JST).timestamp()
"""When the job files were."""


class Queue:
    """A queue that notes what it is asked for, as the durable one does."""

    def __init__(self, records: RunRecords) -> None:
        self.records, self.requests, self.most = records, list[RunRequest](), 100

    async def enqueue(self, request: RunRequest, *, priority: int = 100) -> str:
        if len(self.requests) == self.most:
            raise StoreError("the database is away")
        self.requests.append(request)
        await self.records.begin(request, WRITTEN, "queued")
        return request.run_id


class Away:
    """A gateway whose server has gone between its listing and a call."""

    async def catalog(self) -> Catalog:
        return catalog_of(tool("slack_users"))

    async def call(self, name: str, arguments: JsonObject) -> ToolOutput:
        raise ProviderUnavailable("slack", "its process has ended")


class Office:
    """A folder of jobs, a clock, and a worker's look at what happened."""

    def __init__(self, folder: Path, engine: sa.Engine) -> None:
        self.folder, self.now, self.used = folder, WRITTEN + 60, DaySpent(0, 0, Decimal(0))
        self.engine = engine
        self.records, self.told = RunRecords(engine), list[tuple[str, str]]()
        self.queue = Queue(self.records)
        self.watch = self.restarted()

    def restarted(self) -> TriggerWatch:
        async def spent(_job: str, _since: float) -> DaySpent:
            return self.used

        async def alert(job: str, problem: str) -> None:
            self.told.append((job, problem))

        start = JobStart(Away(), spent)
        begin = TriggeredStart(start, self.records, self.queue, lambda: datetime.fromtimestamp(self.now, JST))
        return TriggerWatch([self.folder], begin, TriggerMemory(Store(self.engine)), alert, clock=lambda: self.now)

    def job(self, name: str, head: str) -> Path:
        file = self.folder / f"{name}.md"
        file.write_text(f"---\ninputs: {{it: {{default: none}}}}\n{head}\n---\nWork on {{{{inputs.it}}}}.\n", encoding="utf-8")
        os.utime(file, (WRITTEN, WRITTEN))
        return file

    def drop(self, name: str, at: float, text: str = "x") -> Path:
        file = self.folder / "inbox" / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
        os.utime(file, (at, at))
        return file

    async def begin(self, run_id: str, job: str, at: float, of_list: tuple[str, str, int] | None = None) -> None:
        request = {"run_id": run_id, "task": {"goal": f"x {of_list and of_list[1]}"}, "job": job}
        member = {"of_list": dict(zip(("start", "item", "size"), of_list, strict=True))} if of_list else {}
        await self.records.begin(RunRequest.model_validate(request | member), at)

    async def end(self, run_id: str, job: str, ending: str, at: float, answer: str = "") -> None:
        await self.begin(run_id, job, at)
        text = answer or f"{run_id} is done at last"
        told = {"run_id": run_id, "ending": ending, "started_at": at, "text": text, "reason": "of reasons"}
        await self.records.end(RunResult.model_validate(told))

    async def goals(self) -> list[str]:
        await self.watch.look()
        return [request.task.goal for request in self.queue.requests]


@pytest.fixture
async def office(tmp_path: Path) -> Office:
    engine = await anyio.to_thread.run_sync(prepared, f"sqlite:///{tmp_path / 'jiritsu.db'}")
    (tmp_path / "jobs").mkdir()
    return Office(tmp_path / "jobs", engine)


@requirement("Y3")
async def test_a_file_starts_one_run_however_often_it_is_looked_at_and_a_changed_one_another(office: Office) -> None:
    office.job("import", "on_file: {path: inbox/*.csv, input: it}")
    file = office.drop("a.csv", WRITTEN + 10)
    office.drop("notes.txt", WRITTEN + 10)
    office.drop(".hidden.csv", WRITTEN + 10)
    assert await office.goals() == [f"Work on {file}."]
    office.watch = office.restarted()
    assert len(await office.goals()) == 1
    office.drop("a.csv", WRITTEN + 30, "more")
    assert len(await office.goals()) == 2
    (first, _) = office.queue.requests
    assert (first.trigger, first.actor) == ("api", "file")


async def test_a_list_that_a_killed_worker_had_begun_is_completed_once_and_soon(office: Office) -> None:
    office.job("import", "on_file: {path: inbox/*.csv}\nfor_each: {input: it, items: [a, b, c]}")
    office.drop("a.csv", WRITTEN + 10)
    office.queue.most = 1
    with pytest.raises(StoreError):
        await office.watch.look()
    office.queue.most = 100
    office.watch = office.restarted()
    assert sorted(set(await office.goals())) == ["Work on a.", "Work on b.", "Work on c."]
    asked = len(office.queue.requests)
    await office.goals()
    office.watch = office.restarted()
    assert len(await office.goals()) == asked
    office.drop("b.csv", WRITTEN + 20)
    office.queue.most = asked + 1
    with pytest.raises(StoreError):
        await office.watch.look()
    office.queue.most, office.now = 100, office.now + COMPLETED_WITHIN_S + 1
    office.watch = office.restarted()
    assert len(await office.goals()) == asked + 1, "the others may have been forgotten since"


async def test_a_file_that_is_still_written_old_or_was_there_before_the_job_starts_nothing(office: Office) -> None:
    office.job("import", "on_file: {path: inbox/*.csv}")
    office.drop("before.csv", WRITTEN - 10)
    office.drop("growing.csv", office.now - STILL_S / 2)
    assert await office.goals() == []
    office.now += STILL_S
    assert len(await office.goals()) == 1
    office.drop("late.csv", office.now)
    office.now += REACH_S + 1
    assert len(await office.goals()) == 1


async def test_a_dropped_link_leads_to_no_file_elsewhere(office: Office, tmp_path: Path) -> None:
    """Whoever may put a file into a folder may put a link there, to what he himself may not read."""
    (tmp_path / "elsewhere").mkdir()
    secret = tmp_path / "elsewhere" / "secret.csv"
    secret.write_text("hers")
    os.utime(secret, (WRITTEN + 10, WRITTEN + 10))
    office.job("import", "on_file: {path: inbox/*.csv, input: it}")
    office.job("linked", "on_file: {path: ../jobs/way/*.csv, input: it}")
    file = office.drop("a.csv", WRITTEN + 10)
    file.with_name("link.csv").symlink_to(secret)
    file.with_name("chain.csv").symlink_to(file.with_name("link.csv"))
    (tmp_path / "jobs" / "way").symlink_to(file.parent)
    goals = await office.goals()
    assert len(goals) == 2, "a folder that is a link is the operator's own"
    assert all(goal.endswith("a.csv.") for goal in goals)


async def test_a_folder_that_is_not_there_is_told_once_and_harms_no_other_job(office: Office) -> None:
    office.job("import", "on_file: {path: nowhere/*.csv}")
    office.job("other", "on_file: {path: inbox/*.csv}")
    office.drop("a.csv", WRITTEN + 10)
    assert len(await office.goals()) == 1
    await office.goals()
    ((name, problem),) = office.told
    assert name == "import"
    assert "on_file.path" in problem
    assert "nowhere" in problem


@requirement("Y3")
async def test_a_file_that_cannot_start_the_job_holds_up_none_of_the_others(office: Office) -> None:
    file = office.job("import", "on_file: {path: inbox/*, input: it}")
    file.write_text(file.read_text().replace("default: none", "type: person"), encoding="utf-8")
    os.utime(file, (WRITTEN, WRITTEN))
    office.drop("two, names", WRITTEN + 10)  # no name of one person
    office.drop("maya", WRITTEN + 20)
    assert len(await office.goals()) == 1
    ((name, problem),) = office.told
    assert (name, "two, names" in problem) == ("import", True)


@requirement("Y3")
async def test_the_end_of_another_job_starts_one_run_that_is_told_its_answer(office: Office) -> None:
    office.job("after", "after_job: {job: diary, input: it}")
    await office.end("diary-0", "diary", "completed", WRITTEN - 5)
    await office.end("diary-1", "diary", "completed", WRITTEN + 5)
    await office.end("diary-2", "diary", "failed", WRITTEN + 6)
    await office.end("else-1", "else", "completed", WRITTEN + 7)
    assert await office.goals() == ["Work on diary-1 is done at last."]
    office.watch = office.restarted()
    assert len(await office.goals()) == 1
    assert office.queue.requests[0].strange == ("diary-1 is done at last",)
    await office.end("diary-3", "diary", "completed", WRITTEN + 8, "Maya")
    assert len(await office.goals()) == 2
    assert office.queue.requests[1].strange == ("Maya",), "a model's wording is nobody's name"


@requirement("Y3")
async def test_a_run_that_waited_for_long_starts_the_job_after_it_although_newer_ones_have_ended(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(triggers, "MOST_AT_ONCE", 2)
    office.job("after", "after_job: {job: diary, input: it}")
    await office.begin("waited", "diary", WRITTEN + 1)
    for number in range(3):
        await office.end(f"diary-{number}", "diary", "failed", WRITTEN + 2 + number)
    assert await office.goals() == []
    await office.end("waited", "diary", "completed", WRITTEN + 30)
    assert await office.goals() == ["Work on waited is done at last."]


@requirement("Y3")
async def test_a_job_after_a_list_starts_once_when_all_of_the_list_have_ended_and_is_told_of_each(office: Office) -> None:
    office.job("after", "after_job: {job: diaries, input: it}")
    office.job("every", "after_job: {job: diaries, input: it, each: true}")
    for at, item in enumerate(("ann", "bo")):  # the third has not been asked for yet: a start that a crash cut short
        await office.begin(f"d-1.{item}-0", "diaries", WRITTEN + at, ("d-1", item, 3))
    await office.end("d-1.ann-0", "diaries", "completed", WRITTEN + 5)
    await office.end("d-1.bo-0", "diaries", "blocked", WRITTEN + 6)
    assert await office.goals() == ["Work on d-1.ann-0 is done at last."]
    await office.begin("d-1.cy-0", "diaries", WRITTEN + 7, ("d-1", "cy", 3))
    assert len(await office.goals()) == 1
    await office.end("d-1.cy-0", "diaries", "completed", WRITTEN + 8)
    told = "ann: 完了\nd-1.ann-0 is done at last\n\nbo: 続行不能\nof reasons\n\ncy: 完了\nd-1.cy-0 is done at last"
    assert (await office.goals())[1:] == [f"Work on {told}.", "Work on d-1.cy-0 is done at last."]
    await office.begin("retried", "diaries", WRITTEN + 9, ("d-1", "bo", 3))
    await office.end("retried", "diaries", "completed", WRITTEN + 10)
    office.watch = office.restarted()
    assert (await office.goals())[3:] == ["Work on retried is done at last."]


@requirement("Y3")
async def test_a_list_longer_than_what_is_looked_at_starts_the_job_after_it_too(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(triggers, "MOST_AT_ONCE", 2)
    office.job("after", "after_job: {job: diaries, input: it}")
    for at, item in enumerate(("ann", "bo", "cy")):
        await office.begin(f"d-1.{item}-0", "diaries", WRITTEN + at, ("d-1", item, 3))
    for at, item in enumerate(("ann", "bo")):
        await office.end(f"d-1.{item}-0", "diaries", "completed", WRITTEN + 5 + at)
    assert await office.goals() == [], "the third is under way"
    await office.end("d-1.cy-0", "diaries", "completed", WRITTEN + 7)
    (goal,) = await office.goals()
    assert [f"{item}: 完了" in goal for item in ("ann", "bo", "cy")] == [True] * 3
    assert len(await office.goals()) == 1


async def test_a_list_of_which_no_run_ended_as_it_should_starts_nothing_after_it(office: Office) -> None:
    office.job("after", "after_job: {job: diaries}")
    await office.begin("d-1.ann-0", "diaries", WRITTEN, ("d-1", "ann", 1))
    await office.end("d-1.ann-0", "diaries", "failed", WRITTEN + 5)
    assert await office.goals() == []


async def test_jobs_that_start_each_other_in_a_circle_are_refused(office: Office) -> None:
    office.job("a", "after_job: {job: b}")
    office.job("b", "after_job: {job: a}")
    await office.end("a-1", "a", "completed", WRITTEN + 5)
    assert await office.goals() == []
    assert all("again and again" in problem for _, problem in office.told)
    assert {name for name, _ in office.told} == {"a", "b"}


async def test_what_a_budget_holds_back_waits_and_is_not_lost(office: Office) -> None:
    office.job("import", "on_file: {path: inbox/*.csv}\nbudget: {runs_per_day: 1}")
    office.drop("a.csv", WRITTEN + 10)
    office.used = DaySpent(1, 0, Decimal(0))
    assert await office.goals() == []
    office.used = DaySpent(0, 0, Decimal(0))
    assert await office.goals() == []
    office.now += 61
    assert len(await office.goals()) == 1


@requirement("Y3")
async def test_a_message_in_the_channel_with_the_words_starts_one_run(office: Office) -> None:
    office.job("hear", "on_message: {channel: C09DEV, words: deployed, input: it}")
    assert await office.watch.heard("C09DEV", "1.0", "U1", "Ｄeployed v2") == ["hear-message-C09DEV-1.0"]
    assert await office.watch.heard("C09DEV", "2.0", "U1", "hello") == []
    assert await office.watch.heard("C0ELSE", "3.0", "U1", "deployed") == []
    (request,) = office.queue.requests
    assert (request.trigger, request.actor, request.task.inputs["it"]) == ("message", "U1", "Ｄeployed v2")
    for language, channel, asked in (("en", "C09DEV", "How do we release?"), ("ja", "C07DEV", "リリースの手順は？")):
        (office.folder / f"{language}.md").write_text(ANSWERING[language], encoding="utf-8")
        assert await office.watch.heard(channel, "4.0", "U1", asked) == [f"{language}-message-{channel}-4.0"]
        assert office.queue.requests[-1].task.goal.rstrip().endswith(asked), "the question reaches the model"


@requirement("Y3")
async def test_an_edited_job_file_loses_nothing_that_it_has_not_started_yet(office: Office) -> None:
    file = office.job("import", "on_file: {path: inbox/*.csv, input: it}\nbudget: {runs_per_day: 1}")
    office.job("after", "after_job: {job: diary, input: it}\nbudget: {runs_per_day: 1}")
    office.used = DaySpent(1, 0, Decimal(0))
    office.drop("a.csv", WRITTEN + 10)
    await office.end("diary-1", "diary", "completed", WRITTEN + 11)
    assert await office.goals() == []
    for edited in (file, office.folder / "after.md"):
        edited.write_text(edited.read_text().replace("Work on", "Look at"), encoding="utf-8")
        os.utime(edited, (WRITTEN + 40, WRITTEN + 40))
    office.used = DaySpent(0, 0, Decimal(0))
    office.watch = office.restarted()
    assert sorted(await office.goals()) == [
        f"Look at {office.folder / 'inbox' / 'a.csv'}.",
        "Look at diary-1 is done at last.",
    ]


async def test_another_pattern_begins_with_what_comes_after_it(office: Office) -> None:
    file = office.job("import", "on_file: {path: inbox/*.csv}")
    office.drop("old.txt", WRITTEN + 10)
    assert await office.goals() == []
    office.job("import", "on_file: {path: inbox/*.txt}")
    os.utime(file, (WRITTEN + 40, WRITTEN + 40))
    assert await office.goals() == []
    office.drop("new.txt", WRITTEN + 50)
    assert len(await office.goals()) == 1


@requirement("Y3")
async def test_a_message_that_a_budget_holds_back_waits_over_a_restart_and_starts_once(office: Office) -> None:
    office.job("hear", "on_message: {channel: C09DEV, input: it}\nbudget: {runs_per_day: 1}")
    office.used = DaySpent(1, 0, Decimal(0))
    assert await office.watch.heard("C09DEV", "1.0", "U1", "deployed") == []
    assert await office.goals() == []
    (waiting,) = await office.watch.memory.held()
    assert (waiting.job, waiting.actor, waiting.reason) == ("hear", "U1", "budget: 1 of 1 runs of the day are used up")
    office.watch, office.now, office.used = office.restarted(), office.now + 86_400, DaySpent(0, 0, Decimal(0))
    assert await office.goals() == ["Work on deployed."]
    assert len(await office.goals()) == 1
    assert (office.queue.requests[0].trigger, office.queue.requests[0].actor) == ("message", "U1")
    assert await office.watch.memory.held() == ()


@requirement("Y3", "R1")
async def test_a_message_that_comes_while_a_server_is_away_waits_and_starts_the_other_jobs(office: Office) -> None:
    office.job("a-list", "on_message: {channel: C09DEV}\nfor_each: {input: it, of: {tool: slack_users, value: 'users[]'}}")
    office.job("hear", "on_message: {channel: C09DEV, input: it}")
    assert await office.watch.heard("C09DEV", "1.0", "U1", "deployed") == ["hear-message-C09DEV-1.0"]
    (waiting,) = await office.watch.memory.held()
    assert (waiting.job, "slack" in waiting.reason) == ("a-list", True)


@requirement("Y3", "R1")
@pytest.mark.parametrize("where", ["the files", "what is held"])
async def test_a_database_that_is_away_ends_no_watch_and_is_no_fault_of_the_job(
    office: Office, where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    office.job("read", "on_file: {path: 'inbox/*.csv', input: it}")
    office.drop("new.csv", WRITTEN + 50)
    looks = list[float]()

    async def away(*_: object) -> None:
        raise StoreError("the database cannot be used: the connection was refused")

    async def sleep(seconds: float) -> None:
        looks.append(seconds)
        monkeypatch.undo()
        if len(looks) == 2:
            raise _Enough

    monkeypatch.setattr(TriggerMemory, "since" if where == "the files" else "held", away)
    office.watch.sleep = sleep
    with pytest.raises(_Enough):
        await office.watch.keep()
    assert len(office.queue.requests) == 1
    assert office.told == []


class _Enough(Exception):
    """Ends the watch."""


async def test_a_message_that_waited_for_a_week_is_given_up_and_told(office: Office) -> None:
    office.job("hear", "on_message: {channel: C09DEV, input: it}\nbudget: {runs_per_day: 1}")
    office.used = DaySpent(1, 0, Decimal(0))
    await office.watch.heard("C09DEV", "1.0", "U1", "deployed")
    office.now += REACH_S + 1
    assert await office.goals() == []
    ((name, problem),) = office.told
    assert name == "hear"
    assert "gives up" in problem
    assert await office.watch.memory.held() == ()


@pytest.mark.parametrize(
    ("head", "key"),
    [
        ("on_file: {path: 'in*/x.csv'}", "on_file.path"),
        ("on_file: {path: x.csv, input: nope}", "on_file.input"),
        ("after_job: {job: me}", "after_job.job"),
        ("after_job: {job: x, endings: [great]}", "after_job.endings"),
        ("on_message: {channel: general}", "on_message.channel"),
    ],
)
def test_a_wrong_trigger_is_named_with_its_key(tmp_path: Path, head: str, key: str) -> None:
    file = tmp_path / "me.md"
    file.write_text(f"---\n{head}\n---\nGoal.\n", encoding="utf-8")
    with pytest.raises(ConfigError, match=key.replace(".", r"\.")):
        load(file)


def test_words_fit_in_whatever_case_and_width() -> None:
    trigger: Any = MessageTrigger(channel="C1AB", words="ＤＥＰＬＯＹ")
    assert trigger.fits("C1AB", "a deploy")
    assert not trigger.fits("C1AB", "release")
