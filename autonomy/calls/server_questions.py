"""Answers what a server asks during a call, by a person or by the job's terms."""

import json
from typing import Any

from mcp_types import ElicitRequestFormParams, ElicitRequestParams, ElicitResult

from autonomy.calls.prepare import Prepared, call_facts
from autonomy.calls.run_handle import Run
from autonomy.run_state.approvals import ApprovalAnswer, ApprovalQuestion
from autonomy.run_state.digests import digest
from autonomy.run_state.step import inline
from discovery.catalog import JsonObject
from discovery.schemas.schema import validate
from metrics import events

ASKING = "elicitation"
"""The effect of a question, where approvals are shown: nothing happens but that the server learns the answer."""
MOST_MESSAGE_CHARS = 2_000


class RunListener:
    """A `CallListener` beside one call of a run."""

    def __init__(self, prepared: Prepared, run: Run) -> None:
        self._prepared, self._run = prepared, run
        self._asked = 0

    async def elicit(self, provider: str, tool: str, params: ElicitRequestParams) -> ElicitResult:
        """Ask a person, unless the job's terms say what is answered. An answer that does not fit the form declines."""
        self._asked += 1
        terms = self._run.ctx.request.approval.questions
        form = params.requested_schema if isinstance(params, ElicitRequestFormParams) else None
        if terms == "decline" or (terms == "defaults" and form is None):
            return ElicitResult(action="decline")
        if terms == "defaults":
            return _filled(form or {}, {})
        answer = await self._ask(provider, _shown(params))
        if answer.answer == "expired":
            return ElicitResult(action="cancel")
        if answer.answer == "denied":
            return ElicitResult(action="decline")
        return ElicitResult(action="accept") if form is None else _filled(form, answer.content or _written(answer.reason))

    async def progress(self, progress: float, total: float | None, message: str | None) -> None:
        """Progress needs no telling in a run: it has prolonged the call's deadline already."""

    async def _ask(self, provider: str, shown: JsonObject) -> ApprovalAnswer:
        request, recorder = self._run.ctx.request, self._run.recorder
        key, sha256 = f"{self._prepared.key}/question-{self._asked}", digest(shown)
        facts = call_facts(self._prepared.call, self._run.ctx.turn, self._prepared.spec)
        await recorder.emit(events.ApprovalRequested, f"{key}/asked", **facts, arguments_sha256=sha256)
        await recorder.flush()
        question = ApprovalQuestion(
            run_id=request.run_id,
            key=key,
            tenant=request.tenant,
            job=request.job,
            tool=self._prepared.spec.name,
            effect=ASKING,
            arguments=shown,
            arguments_sha256=sha256,
            reason=f"server {provider} asks a question before it goes on",
            asked_for_by=request.actor,
            wait_s=request.approval.wait_s,
        )
        answer = await self._run.services.approver(question, inline)  # inside the call's own step, so no step of its own
        told = answer.model_dump(exclude={"content", "arguments"})  # what was entered is the server's business, not the journal's
        await recorder.emit(events.ApprovalAnswered, f"{key}/answered", **facts, **told)
        return answer


def _shown(params: ElicitRequestParams) -> JsonObject:
    """A question as a person is shown it."""
    if isinstance(params, ElicitRequestFormParams):
        return {"message": params.message[:MOST_MESSAGE_CHARS], "form": params.requested_schema}
    return {"message": params.message[:MOST_MESSAGE_CHARS], "url": params.url}


def _written(reason: str) -> JsonObject:
    """The fields of a form, where the answer came as words that are a JSON object (`jiritsu approvals approve ID --reason
    '{…}'`)."""
    try:
        written = json.loads(reason)
    except ValueError:
        return {}
    return written if isinstance(written, dict) else {}


def _filled(form: JsonObject, entered: JsonObject) -> ElicitResult:
    """The form with its defaults and what was entered (SEP-1034); declined when that does not fit it."""
    fields: dict[str, Any] = form.get("properties", {})
    defaults = {name: field["default"] for name, field in fields.items() if isinstance(field, dict) and "default" in field}
    content = defaults | {name: value for name, value in entered.items() if name in fields}
    return ElicitResult(action="decline") if validate(form, content) else ElicitResult(action="accept", content=content)
