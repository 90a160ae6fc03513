"""Questions that stand in the database: answered once, expiring, for exactly the arguments that were shown."""

import time
from pathlib import Path

import anyio
import anyio.to_thread
import pytest

from autonomy.durable import approval_store
from autonomy.durable.approval_store import Approvals, id_of
from autonomy.durable.store import Store
from autonomy.errors import RunConflict, UnknownRun
from autonomy.run_state.asking.approvals import ApprovalAnswer, ApprovalQuestion, ApprovalTerms
from autonomy.run_state.step import inline
from metrics.events import ApprovalAnswered
from tests.requirements import requirement
from tests.support.durable import asked, box, prepared, workshop
from tests.support.postgres import NEEDED, Server


@requirement("S4")
async def test_an_answer_is_given_once_for_these_arguments_and_stands_in_the_journal(url: str, tmp_path: Path) -> None:
    async with workshop(url, box(tmp_path)) as shop:
        await shop.orders.enqueue(asked("run-1", "ask"))
        approval = await shop.question()
        assert approval.question.arguments == {"text": "run-1/1"}
        with pytest.raises(RunConflict, match="other arguments"):
            await shop.approvals.answer(approval.id, granted=True, by="haruka", sha256="0" * 64)
        with pytest.raises(UnknownRun):
            await shop.approvals.answer(approval.id, granted=True, by="mallory", tenant="other")
        await shop.approvals.answer(approval.id, granted=False, by="haruka", reason="not today")
        with pytest.raises(RunConflict, match="denied by haruka"):
            await shop.approvals.answer(approval.id, granted=True, by="kenta")
        with anyio.fail_after(240):
            result = await shop.runs.ended("run-1")
        (told,) = [event for event in await shop.journal.read(run_id="run-1") if isinstance(event, ApprovalAnswered)]
    assert (told.answer, told.by, told.reason) == ("denied", "haruka", "not today")
    assert "not today" in result.calls[0].result.text
    assert not (tmp_path / "risky.txt").exists()


@requirement("S4")
async def test_a_yes_is_good_for_no_other_arguments_and_no_other_run(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = await anyio.to_thread.run_sync(prepared, url)
    question = ApprovalQuestion(
        run_id="run-1", key="turn-1/call-1", tenant="default", job="", tool="box_note", effect="outward", reason="a write",
        arguments={"text": "hello"}, arguments_sha256="1" * 64,
    )  # fmt: skip

    async def yes(_question: ApprovalQuestion) -> ApprovalAnswer:
        return ApprovalAnswer(answer="granted", by="haruka")

    assert (await Approvals(Store(engine), ask_here=yes)(question, inline)).answer == "granted"
    later = Approvals(Store(engine))  # as a process that takes the run up again asks
    assert (await later(question, inline)).answer == "granted"
    other = question.model_copy(update={"arguments": {"text": "all of it"}, "arguments_sha256": "2" * 64})
    refused = await later(other, inline)
    assert (refused.answer, refused.reason) == ("denied", "the answer was for other arguments")
    monkeypatch.setattr(approval_store, "ID_DIGITS", 8)  # as the last release asked it
    waiting = question.model_copy(update={"run_id": "run-3"})
    await Approvals(Store(engine), ask_here=yes)(waiting, inline)
    monkeypatch.undo()
    assert (await later(waiting, inline)).answer == "granted", "it is the same question, under the same id"
    assert len(id_of(waiting)) > len((await later.listed(state="granted"))[-1].id)
    monkeypatch.setattr(approval_store, "id_of", lambda _question: id_of(question))  # of two runs the ids may be the same
    elsewhere = await later(question.model_copy(update={"run_id": "run-2"}), inline)
    assert elsewhere.answer == "denied"
    await anyio.to_thread.run_sync(engine.dispose)


@requirement("S4")
@pytest.mark.postgres
@NEEDED
async def test_on_postgresql_a_question_stands_though_another_machines_clock_is_ahead(
    postgres_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = await anyio.to_thread.run_sync(postgres_server.create, "clocks")
    engine = await anyio.to_thread.run_sync(prepared, url)
    question = ApprovalQuestion(
        run_id="run-1", key="turn-1/call-1", tenant="default", job="", tool="box_note", effect="outward", reason="a write",
        arguments={"text": "hello"}, arguments_sha256="1" * 64, wait_s=600.0,
    )  # fmt: skip
    actual = time.time
    async with anyio.create_task_group() as group:
        group.start_soon(Approvals(Store(engine), poll_s=0.02), question, inline)
        with anyio.fail_after(240):
            while not (waiting := await Approvals(Store(engine)).listed()):
                await anyio.to_thread.run_sync(lambda: None)
        monkeypatch.setattr(time, "time", lambda: actual() + 3600)
        answered = await Approvals(Store(engine)).answer(waiting[0].id, granted=True, by="haruka")
    assert answered.state == "granted"
    assert answered.answered_at == pytest.approx(actual(), abs=200)
    await anyio.to_thread.run_sync(engine.dispose)


@requirement("S4")
async def test_what_a_terminal_asks_waits_for_everybody_and_the_first_decision_counts(url: str) -> None:
    engine = await anyio.to_thread.run_sync(prepared, url)
    question = ApprovalQuestion(
        run_id="run-1", key="turn-1/call-1", tenant="default", job="", tool="box_note", effect="outward", reason="a write",
        arguments={"text": "hello"}, arguments_sha256="1" * 64,
    )  # fmt: skip
    console = Approvals(Store(engine))

    async def prompt(_question: ApprovalQuestion) -> ApprovalAnswer:
        (waiting,) = await console.listed()
        await console.answer(waiting.id, granted=False, by="haruka")
        return ApprovalAnswer(answer="granted", by="terminal")

    answer = await Approvals(Store(engine), ask_here=prompt)(question, inline)
    assert (answer.answer, answer.by) == ("denied", "haruka")
    await anyio.to_thread.run_sync(engine.dispose)


@requirement("S4")
@pytest.mark.parametrize(("expired", "ending"), [("go_on", "completed"), ("stop", "blocked")])
async def test_a_question_nobody_answers_expires_which_is_no_denial_and_the_job_says_what_then(
    url: str, tmp_path: Path, expired: str, ending: str
) -> None:
    terms = ApprovalTerms(wait_s=0.1, expired=expired)
    async with workshop(url, box(tmp_path)) as shop:
        with anyio.fail_after(240):
            result = await shop.runs.run(asked("run-1", "ask", approval=terms))
        (told,) = [event for event in await shop.journal.read(run_id="run-1") if isinstance(event, ApprovalAnswered)]
        assert (told.answer, told.by) == ("expired", "")
        (approval,) = await shop.approvals.listed(state="expired")
        with pytest.raises(RunConflict, match="expired"):
            await shop.approvals.answer(approval.id, granted=True, by="late")
    assert result.ending == ending
    assert (tmp_path / "note.txt").exists() is (ending == "completed")


async def test_waiting_for_a_person_does_not_use_up_the_time_of_the_run(url: str, tmp_path: Path) -> None:
    now = [1000.0]

    async def a_day(_seconds: float) -> None:
        now[0] += 3600.0
        await anyio.lowlevel.checkpoint()

    approvals = {"clock": lambda: now[0], "sleep": a_day, "wait_s": 7200.0}
    async with workshop(url, box(tmp_path), approvals=approvals, clock=lambda: now[0]) as shop:
        with anyio.fail_after(240):
            result = await shop.runs.run(asked("run-1", "ask"))
    assert result.ending == "completed"
    assert result.duration_s >= 7200


async def test_of_two_who_answer_at_once_one_decides(url: str, tmp_path: Path) -> None:
    async with workshop(url, box(tmp_path)) as shop:
        await shop.orders.enqueue(asked("run-1", "ask"))
        approval = await shop.question()
        won: list[str] = []

        async def answer(by: str) -> None:
            try:
                await Approvals(Store(shop.engine)).answer(approval.id, granted=by != "kenta", by=by)
            except RunConflict:
                return
            won.append(by)

        async with anyio.create_task_group() as group:
            for name in ("haruka", "kenta", "mio"):
                group.start_soon(answer, name)
        (answered,) = await shop.approvals.listed(state=None)
    assert won == [answered.answered_by]
    assert answered.state == ("denied" if won == ["kenta"] else "granted")
