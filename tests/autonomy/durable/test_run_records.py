"""The rows of runs: which of them a question gets, and what of a run's result its row keeps."""

import pytest
import sqlalchemy as sa

from autonomy.durable.durable_tables import effects
from autonomy.durable.memory.sql_ledger import SqlLedger
from autonomy.durable.records.run_records import RunRecords
from autonomy.durable.store import Store
from autonomy.errors import RunConflict, UnknownRun
from autonomy.llm.messages import ToolResult
from autonomy.run_state.run_values import CallRecord, Receipt, RunResult, UserRemark
from discovery.catalog import ToolOutput
from tests.support.durable import asked


async def test_a_question_for_runs_gets_those_of_its_tenant_job_person_and_time_and_of_too_many_the_latest(
    engine: sa.Engine,
) -> None:
    records = RunRecords(engine)
    for run_id, at, ended_at, more in (
        ("run-a", 10, 90, {"job": "diary", "actor": "haruka"}),
        ("run-b", 20, 40, {"job": "diary", "actor": "kenta"}),
        ("run-c", 30, 60, {"job": "diary", "actor": "haruka"}),
        ("run-d", 50, None, {"job": "report", "actor": "haruka"}),
        ("run-e", 55, 95, {"job": "diary", "actor": "haruka", "tenant": "other"}),
    ):
        await records.begin(asked(run_id, **more), at)
        if ended_at is not None:
            await records.end(RunResult(run_id=run_id, ending="completed", started_at=at, duration_s=ended_at - at))

    async def since(at: float, limit: int = 9) -> list[str]:
        return [one.run_id for one in await records.ended_since("diary", at, tenant="default", limit=limit)]

    assert await since(60) == ["run-a", "run-c"], "one that was asked for before has ended since"
    assert await since(0, limit=2) == ["run-a", "run-c"], "those that ended last, in the order of asking"
    assert await records.of_actor("haruka", 15, tenant="default") == {"run-c", "run-d"}
    assert [one.run_id for one in await records.newest(tenant="default", job="diary", actor="haruka")] == ["run-c", "run-a"]
    assert [one.run_id for one in await records.newest(active=True)] == ["run-d"]


async def test_the_beginning_of_an_id_is_taken_by_its_letters(engine: sa.Engine) -> None:
    records = RunRecords(engine)
    await records.begin(asked("alone"), 1.0)
    with pytest.raises(UnknownRun):
        await records.get("")  # the beginning of all ids, and so of the only one
    for run_id in ("runs_1", "runs-2", "runs_1.a", "other.b"):
        await records.begin(asked(run_id), 1.0)
    assert (await records.get("runs_1")).run_id == "runs_1", "a whole id is no beginning"
    assert (await records.get("runs-")).run_id == "runs-2"
    with pytest.raises(RunConflict, match="several runs begin"):
        await records.get("runs")
    with pytest.raises(UnknownRun):
        await records.get("run%")
    assert [await records.known(name) for name in ("other", "othe", "o%", "runs_1")] == [True, False, False, True]
    assert [one.run_id for one in await records.of_start("runs_1")] == ["runs_1.a"]


async def test_a_run_that_has_ended_is_not_taken_up_and_a_fork_keeps_what_was_said_when_it_was_asked_for(
    engine: sa.Engine,
) -> None:
    records, said = RunRecords(engine), UserRemark(turn=2, text="In #random, please.")
    await records.begin(asked("run-1", remarks=(said,)), 1.0, "queued")
    assert (await records.take_up(asked("run-1"), 2.0)).remarks == (said,)
    assert (await records.get("run-1")).state == "running"
    await records.end(RunResult(run_id="run-1", ending="completed"))
    await records.take_up(asked("run-1"), 3.0)
    assert ((await records.get("run-1")).state, (await records.get("run-1")).asked_at) == ("completed", 1.0)


async def test_a_row_leaves_out_texts_that_steps_keep_and_the_ledger_then_forgets_what_was_surely_done(engine: sa.Engine) -> None:
    records, store = RunRecords(engine), Store(engine)
    ledger, calls, receipts = SqlLedger(store), list[CallRecord](), list[Receipt]()
    await records.begin(asked("run-1"), 1.0)
    for call_id, state in (("kept", "done"), ("left", "done"), ("doubt", "unknown")):
        await ledger.claim(call_id, run_id="run-1", tool="post", arguments_sha256="a")
        await ledger.settle(call_id, state, ToolOutput(text=f"said {call_id}"))
        receipt = Receipt(call_id=call_id, tool="post", state=state)
        result = ToolResult(call_id=call_id, name="post", text=f"said {call_id}")
        calls.append(CallRecord(call_id=call_id, turn=1, tool="post", asked="post", result=result, receipt=receipt))
        receipts.append(receipt)
    await records.end(
        RunResult(run_id="run-1", ending="completed", calls=tuple(calls), receipts=tuple(receipts)), in_steps=["left"]
    )
    (record,) = await records.newest()
    assert record.result is not None
    assert [call.result.text for call in record.result.calls] == ["said kept", "", "said doubt"]
    outputs = await store(lambda connection: connection.execute(sa.select(effects.c.key, effects.c.output)).all())
    assert {row.key for row in outputs if row.output} == {"doubt"}
