"""Stores approval requests in the database until they are answered or expire.

`Approvals` is the `Approver` of the runs (`calls.prepare`), and what the command line, Slack and the dashboard answer through. An
answer is good for exactly the arguments that were shown; `expired` is no `denied`.
"""

import hashlib
import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Literal, cast

import anyio
import sqlalchemy as sa

from autonomy.durable.durable_tables import approvals, runs
from autonomy.durable.store import Store, insert_unless_there, time_of
from autonomy.errors import RunConflict, UnknownRun
from autonomy.run_state.asking.approvals import ApprovalAnswer, ApprovalQuestion
from autonomy.run_state.step import Step
from discovery.catalog import Frozen, JsonObject

Settled = Literal["granted", "denied", "expired"]
State = Literal["pending", "granted", "denied", "expired"]


class Approval(Frozen):
    """One question and how it stands."""

    id: str
    """Short enough to type; the same for the same place of the same run."""
    question: ApprovalQuestion
    state: State
    asked_at: float
    """Seconds since the epoch."""
    expires_at: float
    answered_at: float | None = None
    answered_by: str = ""
    reason: str = ""
    edited: JsonObject | None = None
    """The arguments as the person changed them before granting; None when they were granted as they stood."""


RUN_ENDED = "the run has ended"
"""The reason of a question that is closed because nobody waits for its answer any more."""

AskHere = Callable[[ApprovalQuestion], Awaitable[ApprovalAnswer | None]]
"""Asks whoever is present in this process, e.g. at its terminal; None when nobody is."""


class Approvals:
    """Approval requests in the database."""

    def __init__(
        self,
        store: Store,
        *,
        wait_s: float = 86_400.0,
        poll_s: float = 0.5,
        ask_here: AskHere | None = None,
        clock: Callable[[], float] | None = None,
        sleep: Callable[[float], Awaitable[None]] = anyio.sleep,
    ) -> None:
        """`wait_s`: how long a question stands when its job says nothing of it."""
        self._store, self._wait_s, self._poll_s = store, wait_s, poll_s
        self._ask_here, self._clock, self._sleep = ask_here, clock, sleep

    async def __call__(self, question: ApprovalQuestion, step: Step) -> ApprovalAnswer:
        """Ask, and wait for the answer; a restart in between goes on waiting for the same question."""
        return await step(f"{question.key}/approval", lambda: self._ask(question), ApprovalAnswer)

    async def listed(self, *, tenant: str | None = None, state: State | None = "pending") -> tuple[Approval, ...]:
        """The questions, oldest first."""
        condition = approvals.c.state == state if state else sa.true()
        return await self._store(lambda connection: _select(connection, condition, tenant))

    async def get(self, approval_id: str, tenant: str) -> Approval | None:
        """The question of an id; None when there is none."""
        found = await self._store(lambda connection: _select(connection, approvals.c.id == approval_id, tenant))
        return found[0] if found else None

    async def answer(
        self,
        approval_id: str,
        *,
        granted: bool,
        by: str,
        reason: str = "",
        tenant: str | None = None,
        sha256: str = "",
        arguments: JsonObject | None = None,
    ) -> Approval:
        """Answer once; whoever is first decides. `sha256`: the arguments that were shown, where they may have changed since.

        `arguments`: grant these instead of the ones that were asked about. The run holds them against its policy once more.
        Raises `UnknownRun` for an id that is not there, `RunConflict` when the question is answered, expired or another by now,
        or when the changed arguments do not fit the tool's schema; the question then stands as before.
        """
        values: dict[str, Any] = {
            "state": "granted" if granted else "denied",
            "answered_by": by,
            "reason": reason,
        }
        if granted and arguments is not None:
            values["edited"] = arguments

        def settle(connection: sa.Connection) -> Approval:
            now = time_of(connection, self._clock)
            return _answer(connection, approval_id, {**values, "answered_at": now}, now, tenant, sha256)

        approval = await self._store(settle)
        if approval.state == "expired":
            raise RunConflict(f"approval {approval_id} has expired")
        return approval

    async def withdraw(self, run_id: str) -> None:
        """Expire the pending questions of a run that has ended."""
        pending = approvals.update().where(approvals.c.run_id == run_id, approvals.c.state == "pending")
        expired = pending.values(state="expired", reason=RUN_ENDED)
        await self._store(lambda connection: connection.execute(expired.values(answered_at=time_of(connection, self._clock))))

    async def _ask(self, question: ApprovalQuestion) -> ApprovalAnswer:
        approval_id = await self._store(
            lambda connection: _insert_question(connection, question, time_of(connection, self._clock), self._wait_s)
        )
        if self._ask_here is not None and (answer := await self._ask_here(question)) is not None:
            await self._record_local_answer(approval_id, answer)
        while True:
            approval = await self._store(lambda connection: _current(connection, approval_id, time_of(connection, self._clock)))
            if not _is_same(approval.question, question):
                return ApprovalAnswer(answer="denied", reason="the answer was for other arguments")
            if approval.state != "pending":
                await self._store(lambda connection: _change_run_state(connection, question.run_id, "waiting", "running"))
                return _answer_of(approval)
            await self._sleep(self._poll_s)

    async def _record_local_answer(self, approval_id: str, answer: ApprovalAnswer) -> None:
        values: dict[str, object] = {"state": answer.answer, "answered_by": answer.by, "reason": answer.reason}
        if answer.arguments is not None:
            values["edited"] = answer.arguments
        await self._store(
            lambda connection: _settle(connection, approval_id, {**values, "answered_at": time_of(connection, self._clock)})
        )


def id_of(question: ApprovalQuestion) -> str:
    """The id of a question: the same however often the run asks it anew."""
    return hashlib.sha256(f"{question.run_id}/{question.key}".encode()).hexdigest()[:ID_DIGITS]


ID_DIGITS, ID_DIGITS_BEFORE = 12, 8
"""Few enough to type, and enough that of a million questions hardly two share one; the last release had fewer."""


def _is_same(earlier: ApprovalQuestion, question: ApprovalQuestion) -> bool:
    """Whether the stored question of this id is the same one: asked anew, a run may ask about other arguments."""
    return (earlier.run_id, earlier.key, earlier.arguments_sha256) == (question.run_id, question.key, question.arguments_sha256)


def _answer_of(approval: Approval) -> ApprovalAnswer:
    waited_s = (approval.answered_at or approval.expires_at) - approval.asked_at
    return ApprovalAnswer(
        answer=cast("Settled", approval.state),
        by=approval.answered_by,
        reason=approval.reason,
        waited_s=waited_s,
        arguments=approval.edited,
    )


def _insert_question(connection: sa.Connection, question: ApprovalQuestion, now: float, wait_s: float) -> str:
    """Insert a question unless it was there before a restart, and return its id; its run waits either way."""
    new_id = id_of(question)
    of_last_release = (approvals.c.id == new_id[:ID_DIGITS_BEFORE], approvals.c.run_id == question.run_id)
    if earlier := connection.scalar(sa.select(approvals.c.id).where(*of_last_release)):
        new_id = earlier
    row = {
        "id": new_id,
        "run_id": question.run_id,
        "key": question.key,
        "tenant": question.tenant,
        "question": question.model_dump_json(),
        "arguments_sha256": question.arguments_sha256,
        "state": "pending",
        "asked_at": now,
        "expires_at": ((question.quiet and question.quiet.until(now)) or now) + (question.wait_s or wait_s),
        "answered_by": "",
        "reason": "",
    }
    insert_unless_there(connection, approvals, row)
    _change_run_state(connection, question.run_id, "running", "waiting")
    return new_id


def _current(connection: sa.Connection, approval_id: str, now: float) -> Approval:
    """A question as it stands now; a pending one whose time is up is expired."""
    (approval,) = _select(connection, approvals.c.id == approval_id, None)
    if approval.state != "pending" or approval.expires_at > now:
        return approval
    _settle(connection, approval_id, {"state": "expired", "answered_at": approval.expires_at})
    (approval,) = _select(connection, approvals.c.id == approval_id, None)
    return approval


def _already_answered(approval: Approval) -> RunConflict:
    """Tells whoever came second what was decided, and by whom."""
    return RunConflict(f"approval {approval.id} was {approval.state} by {approval.answered_by or 'nobody'} before")


def _answer(
    connection: sa.Connection, approval_id: str, values: Mapping[str, object], now: float, tenant: str | None, sha256: str
) -> Approval:
    found = _select(connection, approvals.c.id == approval_id, tenant)
    if not found:
        raise UnknownRun(approval_id, "approval")
    approval = _current(connection, approval_id, now)
    if approval.state == "expired":
        return approval  # written down here; raised by the caller, so that the transaction stands
    if approval.state != "pending":
        raise _already_answered(approval)
    if sha256 and sha256 != approval.question.arguments_sha256:
        raise RunConflict(f"approval {approval_id} is for other arguments than those that were shown")
    edited = cast("JsonObject | None", values.get("edited"))
    if edited is not None and (problems := _edit_problems(approval.question, edited)):
        raise RunConflict(f"the changed arguments do not fit {approval.question.tool}: {'; '.join(problems)}")
    if not _settle(connection, approval_id, values):
        raise _already_answered(_current(connection, approval_id, now))  # somebody was quicker by a moment
    return approval.model_copy(update=values)


def _edit_problems(question: ApprovalQuestion, edited: JsonObject) -> tuple[str, ...]:
    from autonomy.run_state.asking.argument_form import edit_problems  # whoever only looks needs no forms

    return edit_problems(question, edited)


def _settle(connection: sa.Connection, approval_id: str, values: Mapping[str, object]) -> bool:
    open_still = (approvals.c.id == approval_id, approvals.c.state == "pending")
    if "edited" in values:
        values = {**values, "edited": json.dumps(values["edited"], ensure_ascii=False)}
    return connection.execute(approvals.update().where(*open_still).values(values)).rowcount == 1


def _change_run_state(connection: sa.Connection, run_id: str, before: str, after: str) -> None:
    connection.execute(runs.update().where(runs.c.run_id == run_id, runs.c.state == before).values(state=after))


def _select(connection: sa.Connection, condition: sa.ColumnElement[bool], tenant: str | None) -> tuple[Approval, ...]:
    columns = [approvals.c[name] for name in Approval.model_fields]
    query = sa.select(*columns).where(condition).order_by(approvals.c.asked_at, approvals.c.id)
    if tenant is not None:
        query = query.where(approvals.c.tenant == tenant)
    rows = connection.execute(query).mappings()
    return tuple(_approval(row) for row in rows)


def _approval(row: sa.RowMapping) -> Approval:
    read: dict[str, Any] = {"question": ApprovalQuestion.model_validate_json(row["question"])}
    if row["edited"] is not None:
        read["edited"] = json.loads(row["edited"])
    return Approval.model_validate({**row, **read})
