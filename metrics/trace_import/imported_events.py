"""Converts an imported run to our events; docs/import.md lists the mapping and its losses."""

import hashlib
import json
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any

from metrics.events import (
    CallFinished,
    CallStarted,
    Ending,
    ModelAnswered,
    Outcome,
    RunEvent,
    RunFinished,
    RunStarted,
    TurnStarted,
)
from metrics.trace_import.imported_run import ImportedCall, ImportedRun

Classify = Callable[[ImportedCall], tuple[Outcome, str]]
"""Returns the outcome of a call and the kind of its problem, as the host does for its own tools."""

MODEL_ANSWERED_AT = 0.001
"""Seconds between the replies of a trace without times, to keep their order."""


def events_of(run: ImportedRun, classify: Classify, tenant: str) -> Iterator[RunEvent]:
    """Yield the events of one run, in order. The run's id is made from the trace's own, so reading a file twice counts once."""
    run_id = f"{run.source}:{run.run_id}"
    common: dict[str, Any] = {"run_id": run_id, "tenant": tenant, "job": run.task}
    yield RunStarted(
        **common,
        key="started",
        at=run.started_at,
        trigger="import",
        model=run.model,
        goal_sha256=_sha256(run.goal) if run.goal else "",
    )
    seen = dict[tuple[str, str], str]()
    replies = {reply.turn: reply for reply in run.replies}
    calls = defaultdict[int, list[ImportedCall]](list)
    for call in run.calls:
        calls[call.turn].append(call)
    for turn in sorted({*replies, *calls}):
        yield TurnStarted(**common, key=f"turn-{turn}/turn", at=run.started_at, turn=turn)
        if (reply := replies.get(turn)) is not None:
            yield ModelAnswered(
                **common,
                key=f"turn-{turn}/model-answered",
                at=reply.at or run.started_at + turn * MODEL_ANSWERED_AT,
                turn=turn,
                model=reply.model or run.model,
                duration_s=reply.duration_s,
                input_tokens=reply.input_tokens,
                output_tokens=reply.output_tokens,
                cached_tokens=reply.cached_tokens,
                cost_usd=reply.cost_usd,
                stop_reason=reply.stop_reason,
                calls=reply.calls,
            )
        for number, call in enumerate(calls.get(turn, ()), 1):
            yield from _call_events(call, f"turn-{turn}/call-{number}", common, seen, classify)
    ending, reason = ending_of(run)
    yield RunFinished(
        **common,
        key="finished",
        at=run.started_at + run.duration_s,
        ending=ending,
        reason=reason,
        turns=len(run.replies),
        calls=len(run.calls),
        duration_s=run.duration_s,
        result_chars=len(run.final),
    )


def _call_events(
    call: ImportedCall, key: str, common: dict[str, Any], seen: dict[tuple[str, str], str], classify: Classify
) -> Iterator[RunEvent]:
    provider = call.tool.partition("/")[0] if "/" in call.tool else ""
    about: dict[str, Any] = {**common, "turn": call.turn, "call_id": call.call_id, "tool": call.tool, "provider": provider}
    outcome, problem = classify(call) if call.answered else ("unknown_outcome", "transport")
    arguments, result = _sha256(call.arguments), _sha256(call.result)
    repeated = seen.get((call.tool, arguments)) == result
    seen[call.tool, arguments] = result
    yield CallStarted(**about, key=f"{key}/started", at=call.started_at)
    yield CallFinished(
        **about,
        key=f"{key}/finished",
        at=call.started_at + call.duration_s,
        outcome=outcome,
        problem=problem,
        duration_s=call.duration_s,
        repeated=repeated,
        arguments_sha256=arguments,
        result_sha256=result,
        result_chars=len(call.result),
    )


def ending_of(run: ImportedRun) -> tuple[Ending, str]:
    """Return the ending of an imported run and the reason: by the trace's own verdict, else by whether there is an answer.

    Our judge has not seen the run, so `completed` means only that the agent answered, or that the trace's check passed.
    """
    if run.verdict:
        return ("completed", "") if run.verdict == "success" else ("failed", "the trace says that it failed")
    if run.error:
        return "failed", run.error[:300]
    return ("completed", "") if run.final.strip() or run.answered else ("exhausted", "the trace ends without an answer")


def _sha256(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, sort_keys=True, ensure_ascii=False, default=str)
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()
