"""Detects a run that makes no progress or nears a limit, and warns the model.

Everything follows from the run's records, so that a replay decides the same.
"""

from collections.abc import Sequence

from autonomy.calls.run_handle import Run
from autonomy.llm.messages import UserMessage
from autonomy.run_state.context import ToolExecutionContext
from autonomy.run_state.run_values import CallRecord
from discovery.catalog import JsonObject
from metrics import events

AGAIN = (
    "You have made this very call before, with the same result. Do not make it again: "
    "take another way, or answer with what you have."
)


async def warn(run: Run) -> None:
    """Tell the model, once, that a limit is near; emit, once, that the USD limit cannot be held, since a price is unknown."""
    ctx, recorder = run.ctx, run.recorder
    limits, spent = ctx.request.limits, ctx.spent
    if (near := limits.near(spent)) and "near" not in ctx.warned:
        ctx.warned.add("near")
        ctx.add(UserMessage(text=f"{near} are used up. Come to an end: do what matters most, then answer.", host=True))
        await recorder.emit(events.LimitReached, f"turn-{ctx.turn}/limit-near", limit=near, warning=True)
    if limits.usd is not None and ctx.turn and spent.usd is None and "usd" not in ctx.warned:
        ctx.warned.add("usd")
        unknown = f"the limit of {limits.usd:g} USD cannot be held: the price of a reply is unknown"
        await recorder.emit(events.LimitReached, f"turn-{ctx.turn}/limit-unknown", limit=unknown, warning=True)


def check_progress(ctx: ToolExecutionContext) -> str:
    """Check the progress after the calls of a turn; gives why the run should stop, or "".

    A turn that only repeats earlier calls adds a message to the model.
    """
    most = ctx.request.limits.failures
    if ctx.failed_turns >= most:
        return f"{ctx.failed_turns} turns in a row in which nothing worked"
    circling = repeated_turns(ctx.records)
    if circling >= most:
        return f"{circling} turns in a row that only repeated earlier calls, with the same results"
    if circling:
        ctx.add(UserMessage(text=AGAIN, host=True))
    return ""


def repeated_turns(records: Sequence[CallRecord]) -> int:
    """How many of the last turns, without a gap, held nothing but calls made before with the same result."""
    circling = 0
    for turn in sorted({record.turn for record in records}, reverse=True):
        before = [_call_key(record) for record in records if record.turn < turn]
        if not all(_call_key(record) in before for record in records if record.turn == turn):
            break
        circling += 1
    return circling


def _call_key(record: CallRecord) -> tuple[str, JsonObject, str]:
    return record.asked, record.arguments, record.result.text
