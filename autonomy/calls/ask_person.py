"""Asks a person about the calls of one turn, or about a plan of writes, and takes the answer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from autonomy.calls.run_handle import Run
from autonomy.policy.decision_table import Decision
from autonomy.run_state.asking.approvals import ApprovalAnswer, ApprovalQuestion, NobodyAnswered
from autonomy.run_state.digests import digest
from discovery.catalog import Effect, JsonObject
from metrics import events

APPROVED = "approved"
"""The rule by which something goes ahead that a person was asked about."""


@dataclass(frozen=True)
class Asked:
    """A call that a person is asked about, with the fields of every event about it."""

    question: ApprovalQuestion
    facts: Mapping[str, Any]


async def ask_person(calls: Sequence[Asked], run: Run) -> list[tuple[Decision, JsonObject | None]]:
    """Ask a person one question about these calls of one turn; gives the decision on each, and its arguments as changed (None:
    unchanged).

    Raises `NobodyAnswered` when the time is up and the job's terms say that the run stops then.
    """
    recorder, questions = run.recorder, [call.question for call in calls]
    question = questions[0] if len(calls) == 1 else _list_of(questions)
    for number, call in enumerate(calls):
        request_facts = {"arguments_sha256": call.question.arguments_sha256, "asked_with": questions[0].key if number else ""}
        await recorder.emit(events.ApprovalRequested, f"{call.question.key}/asked", **call.facts, **request_facts)
    await recorder.flush()
    answer = await run.services.approver(question, run.step)
    answers = [answer] if len(calls) == 1 else [_of_call(answer, label, one) for label, one in question.by_label.items()]
    for number, (call, own) in enumerate(zip(calls, answers, strict=True)):
        answered = own.model_dump(exclude={"content", "arguments"}) | (
            {"waited_s": 0.0} if number else {}
        )  # they waited together
        edited_sha256 = digest(own.arguments) if own.arguments is not None else ""
        await recorder.emit(
            events.ApprovalAnswered, f"{call.question.key}/answered", **call.facts, **answered, edited_sha256=edited_sha256
        )
    return [_take_answer(own, one, run) for one, own in zip(questions, answers, strict=True)]


def _list_of(questions: Sequence[ApprovalQuestion]) -> ApprovalQuestion:
    """One question about several calls of a turn, whose arguments are those of each call under its place in the reply and its
    tool."""
    turn = questions[0].key.partition("/")[0]
    arguments = {f"{question.key.rpartition('-')[2]}. {question.tool}": question.arguments for question in questions}
    return questions[0].model_copy(
        update={
            "key": f"{turn}/list",
            "tool": ", ".join(dict.fromkeys(question.tool for question in questions)),
            "title": "",
            "effect": max((question.effect for question in questions), key=_GRAVEST.index),
            "arguments": arguments,
            "arguments_sha256": digest(arguments),
            "reason": f"{len(questions)} calls of one reply are asked about together, and each can be left out",
            "traced": (),
            "input_schema": {},
            "calls": tuple(questions),
        }
    )


_GRAVEST = ("", *(effect.value for effect in (Effect.READ, Effect.WRITE, Effect.OUTWARD, Effect.DESTRUCTIVE)))


def _of_call(answer: ApprovalAnswer, label: str, call: ApprovalQuestion) -> ApprovalAnswer:
    """The answer to a list as the answer to one of its calls: what was left out is denied."""
    if answer.arguments is None:
        return answer
    if label not in answer.arguments:
        return answer.model_copy(update={"answer": "denied", "reason": "a person left it out", "arguments": None})
    changed = answer.arguments[label]
    return answer.model_copy(update={"arguments": changed if changed != call.arguments else None})


def _take_answer(answer: ApprovalAnswer, question: ApprovalQuestion, run: Run) -> tuple[Decision, JsonObject | None]:
    request = run.ctx.request
    if answer.answer == "granted":
        return Decision(decision="allow", rule=APPROVED, reason=answer.reason), answer.arguments
    if answer.answer == "expired" and request.approval.expired == "stop":
        raise NobodyAnswered(question.tool)
    reason = answer.reason or ("nobody answered in time" if answer.answer == "expired" else "a person said no")
    return Decision(decision="deny", rule=answer.answer, reason=reason), None
