"""Asks a person about one call, or about one plan of writes, and takes the answer."""

from collections.abc import Mapping
from typing import Any

from autonomy.calls.run_handle import Run
from autonomy.policy.policy import Decision
from autonomy.run_state.approvals import ApprovalQuestion, NobodyAnswered
from autonomy.run_state.digests import digest
from discovery.catalog import JsonObject
from metrics import events

APPROVED = "approved"
"""The rule by which something goes ahead that a person was asked about."""


async def ask_person(question: ApprovalQuestion, run: Run, facts: Mapping[str, Any]) -> tuple[Decision, JsonObject | None]:
    """What the person says, and the arguments as changed by them (None: as they were). `facts` are those that every event about
    the call tells.

    Raises `NobodyAnswered` when time is up and the job's terms say that the run stops then.
    """
    recorder, request, key = run.recorder, run.ctx.request, question.key
    await recorder.emit(events.ApprovalRequested, f"{key}/asked", **facts, arguments_sha256=question.arguments_sha256)
    await recorder.flush()
    answer = await run.services.approver(question, run.step)
    told = answer.model_dump(exclude={"content", "arguments"})
    edited_sha256 = digest(answer.arguments) if answer.arguments is not None else ""
    await recorder.emit(events.ApprovalAnswered, f"{key}/answered", **facts, **told, edited_sha256=edited_sha256)
    if answer.answer == "granted":
        return Decision(decision="allow", rule=APPROVED, reason=answer.reason), answer.arguments
    if answer.answer == "expired" and request.approval.expired == "stop":
        raise NobodyAnswered(question.tool)
    reason = answer.reason or ("nobody answered in time" if answer.answer == "expired" else "a person said no")
    return Decision(decision="deny", rule=answer.answer, reason=reason), None
