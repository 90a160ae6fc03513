"""Ends a run that no process finishes, because it was cancelled or given up.

It ends as any other: told once, its questions withdrawn, what it began to write in doubt.
"""

from autonomy.completion.judge import outcome_unknown
from autonomy.durable.approval_store import Approvals
from autonomy.durable.memory.sql_ledger import EffectRecord, SqlLedger
from autonomy.durable.records.run_records import RunRecord, RunRecords
from autonomy.durable.store import Store
from autonomy.run_state.run_values import Receipt, RunResult
from metrics.endings import Ending
from metrics.events import EventSink, RunFinished


async def end_from_outside(
    record: RunRecord,
    ending: Ending,
    reason: str,
    *,
    records: RunRecords,
    journal: EventSink | None,
    now: float,
    nobody_has_it: bool,
) -> None:
    """End a run with this ending and reason; doing it twice changes nothing.

    `now`: seconds since the epoch. `nobody_has_it`: whether no process has a call of it under way that may still finish.
    Raises `StoreError`.
    """
    doubtful = await close_open_items(record.run_id, records.store, nobody_has_it=nobody_has_it)
    made = [one for one in await SqlLedger(records.store).of_run(record.run_id) if one.state == "done"]
    receipts = tuple(
        Receipt(call_id=one.key.removeprefix(f"{record.run_id}/"), tool=one.tool, state="done" if one in made else "unknown")
        for one in (*made, *doubtful)
    )
    why = "; ".join(filter(None, (reason, outcome_unknown(receipts))))
    duration_s = max(0.0, now - record.asked_at)
    if journal is not None:
        fields = {"run_id": record.run_id, "key": "finished", "at": now, "tenant": record.tenant, "job": record.job}
        await journal.write([RunFinished(ending=ending, reason=why, duration_s=duration_s, **fields)])
    result = RunResult(
        run_id=record.run_id,
        job=record.job,
        ending=ending,
        reason=why,
        receipts=receipts,
        started_at=record.asked_at,
        duration_s=duration_s,
    )
    await records.end(result)


async def close_open_items(run_id: str, store: Store, *, nobody_has_it: bool = True) -> tuple[EffectRecord, ...]:
    """Withdraw the open questions of a run that has ended; gives its writes of unknown outcome.

    `nobody_has_it`: as above; else its started writes are left to the process that has it. Raises `StoreError`.
    """
    await Approvals(store).withdraw(run_id)
    return await SqlLedger(store).leave_in_doubt(run_id) if nobody_has_it else ()
