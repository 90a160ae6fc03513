"""Answers what a server asks during a call: by a person, or by the job's settings."""

import json
from typing import Literal
from urllib.parse import urlsplit

from mcp_types import (
    INTERNAL_ERROR,
    INVALID_REQUEST,
    ClientCapabilities,
    CreateMessageRequestParams,
    ElicitationCapability,
    ElicitRequestFormParams,
    ElicitRequestParams,
    ElicitResult,
    ErrorData,
    FormElicitationCapability,
    ListRootsResult,
    LoggingMessageNotificationParams,
    RootsCapability,
    SamplingCapability,
    SamplingToolsCapability,
    UrlElicitationCapability,
)

from autonomy.calls.prepare import Prepared
from autonomy.calls.run_handle import Run
from autonomy.errors import ModelError
from autonomy.llm.messages import Usage
from autonomy.llm.model import ModelRequest
from autonomy.llm.sampling import SamplingRefused, model_request_of, request_text, sampling_result
from autonomy.policy.policy_words import policy_words, speaks_of_secrets
from autonomy.policy.sinks import Sink, sink_of
from autonomy.provenance.text.excerpts import excerpt
from autonomy.run_state.asking.approvals import ApprovalAnswer
from autonomy.run_state.digests import digest
from autonomy.run_state.step import inline
from discovery.catalog import JsonObject
from discovery.schemas.schema import validate
from discovery.schemas.schema_walk import as_object
from discovery.transport.answers import visible
from discovery.transport.asked_back import Sampled
from metrics import events

ASKING = "elicitation"
"""The effect of a question, where approvals are shown: nothing happens but that the server learns the answer."""
MOST_MESSAGE_CHARS = 2_000
SAMPLING = "sampling"
"""The effect of lending a reply of the model: nothing happens but that the server reads it, and that it costs."""
MOST_ASKED = 3
"""How often a person is asked who enters what does not fit the form."""
MOST_QUESTIONS = 10
"""Forms and pages during one call: a server that asks on and on waits for a yes that somebody gives to be left alone."""
MOST_NOES = 2
"""After which nobody is asked any more during this call, whether for an answer or for a reply of the model."""
MOST_SAMPLED = 20
"""Replies during one call: a server that wants more is at work with our model, not we with its tool."""
LONGEST_NOTE = 200
"""Characters of a server's question, of its answer and of the reason, each, in the note for the model."""
NO_PAGE = "only pages of the web (https://, http://) are shown"
TIRING = "this call's server has asked too often"
OPEN_IT = "open the page yourself, do there what it asks, and only then say yes; never enter secrets here"
NO_SECRETS = "it asks for a secret ({fields}), and those are entered on a page of its own, never in a form"
"""As MCP has it: whatever stands in a form is kept with the question, and goes through this program to the server."""
CAREFUL = "the server reads what you enter, and it is kept with this question: no password, key or code"
_ANSWERED = {"accept": "yes", "decline": "no", "cancel": "none in time"}


class RunListener:
    """A `CallListener` beside one call of a run."""

    def __init__(self, prepared: Prepared, run: Run) -> None:
        self._prepared, self._run = prepared, run
        self._asked = 0
        self._questions = 0
        self._noes = 0
        self._sampled = 0
        self.usage: Usage | None = None
        """What the replies cost that the server was lent."""
        self.notes: list[str] = []
        """What the server asked that no person answered with yes, and what it got, for the model and the record."""

    @property
    def capabilities(self) -> ClientCapabilities:
        """Sampling only where a model could be lent."""
        lends = self._run.services.model is not None and self._run.ctx.request.approval.sampling != "deny"
        form, url = FormElicitationCapability(), UrlElicitationCapability()
        return ClientCapabilities(
            elicitation=ElicitationCapability(form=form, url=url),
            sampling=SamplingCapability(tools=SamplingToolsCapability()) if lends else None,
            roots=RootsCapability(),
        )

    @property
    def caller(self) -> str:
        """The run."""
        return self._run.ctx.request.run_id

    @property
    def asks_for_pages(self) -> bool:
        """A person of the run opens them, and says when he is done."""
        return True

    async def elicit(self, provider: str, tool: str, params: ElicitRequestParams) -> ElicitResult:
        """Ask a person, unless the job's terms say what is answered. What does not fit the form is asked again, with why."""
        terms = self._run.ctx.request.approval.questions
        form = params.requested_schema if isinstance(params, ElicitRequestFormParams) else None
        if secrets := _secret_fields(form or {}):
            return self._note_answer(params, ElicitResult(action="decline"), NO_SECRETS.format(fields=", ".join(secrets)))
        if terms == "decline" or (terms == "defaults" and form is None):
            return self._note_answer(params, ElicitResult(action="decline"), f"the job's terms (approval.questions: {terms})")
        if terms == "defaults":
            answered, problems = _fill_form(form or {}, {})
            return self._note_answer(params, answered, "; ".join(problems) or "the job's terms (approval.questions: defaults)")
        if form is None and not _is_web_page(params):
            return self._note_answer(params, ElicitResult(action="decline"), NO_PAGE)
        self._questions += 1
        if self._questions > MOST_QUESTIONS or self._noes >= MOST_NOES:
            return self._note_answer(params, ElicitResult(action="decline"), TIRING)
        shown = _question_fields(params)
        for _ in range(MOST_ASKED):
            answer = await self._ask(provider, shown, fields=form and {**form, "additionalProperties": True})
            if answer.answer != "granted":
                self._noes += 1
                action: Literal["cancel", "decline"] = "cancel" if answer.answer == "expired" else "decline"
                return self._note_answer(params, ElicitResult(action=action), answer.reason or "a person said no")
            if form is None:
                return ElicitResult(action="accept")
            beside = {name: value for name, value in (answer.arguments or {}).items() if name not in shown}
            entered = answer.content or beside or _written(answer.reason)
            answered, problems = _fill_form(form, entered)
            if not problems:
                return answered
            shown = _name_fields({"problem": f"the last answer does not fit: {'; '.join(problems)}"}, form) | _question_fields(
                params
            )
        return self._note_answer(params, answered, "; ".join(problems))

    def _note_answer(self, params: ElicitRequestParams, result: ElicitResult, why: str) -> ElicitResult:
        question = visible(" ".join(params.message.split()))[:LONGEST_NOTE]
        what = _ANSWERED[result.action] if result.content is None else json.dumps(result.content, ensure_ascii=False)
        what, why = excerpt(what, LONGEST_NOTE), excerpt(why, LONGEST_NOTE)
        self._note(f"(Its server asked {question!r} meanwhile; the answer was {what}: {why})")
        return result

    def _note(self, note: str) -> None:
        """Add a note for the model, unless it has seen by now that its server asks: notes are not truncated as results are."""
        if len(self.notes) < MOST_QUESTIONS:
            self.notes.append(note)

    async def sample(self, provider: str, tool: str, params: CreateMessageRequestParams) -> Sampled:
        """Ask the run's models, within the run's limits, if its terms or a person allow it. The server's words are no
        instruction to the run: they go to the model alone, without its conversation and its tools."""
        self._sampled += 1
        try:
            request = model_request_of(params)
            refused = self._why_refused() or await self._why_declined(provider, params, request)
        except SamplingRefused as error:
            refused = str(error)
        model = self._run.services.model
        if refused or model is None:
            self._note(f"(Its server asked for a reply of the model meanwhile, and got none: {excerpt(refused, LONGEST_NOTE)})")
            return ErrorData(code=INVALID_REQUEST, message=refused or "no model is lent here")
        started = self._run.services.measure()
        try:
            reply = await model.complete(request)
        except ModelError as error:
            return ErrorData(code=INTERNAL_ERROR, message=f"the model gave no reply: {error.problem}")
        self.usage = reply.usage if self.usage is None else self.usage + reply.usage
        key, took_s = f"{self._prepared.key}/sampled-{self._sampled}", self._run.services.measure() - started
        await self._run.emit_reply(key, reply, took_s, model=model.id, calls=0)
        return sampling_result(reply, request)

    async def roots(self, provider: str, *, kept: bool) -> ListRootsResult | None:
        """The roots in the server's entry."""
        return None

    async def logged(self, provider: str, params: LoggingMessageNotificationParams) -> None:
        """A server's log is for the operator (`jiritsu servers log`), not for the run."""

    async def progress(self, provider: str, progress: float, total: float | None, message: str | None) -> None:
        """Progress needs no telling in a run: it has prolonged the call's deadline already."""

    async def became_task(self) -> None:
        """A run waits for a task as for any other call."""

    def _why_refused(self) -> str:
        """Why the server gets no reply whatever a person says; empty when it may."""
        ctx = self._run.ctx
        if ctx.request.approval.sampling == "deny" or self._run.services.model is None:
            return "the run's terms lend no model"
        if self._noes >= MOST_NOES:
            return TIRING
        if self._sampled > MOST_SAMPLED:
            return f"one call gets {MOST_SAMPLED} replies"
        spent = ctx.spent
        used = self.usage or Usage()
        usd = None if spent.usd is None else spent.usd + (used.cost_usd or 0)
        limit = ctx.request.limits.reached(
            spent._replace(turns=0, tokens=spent.tokens + used.input_tokens + used.output_tokens, usd=usd)
        )
        return f"{limit} is used up" if limit else ""

    async def _why_declined(self, provider: str, params: CreateMessageRequestParams, request: ModelRequest) -> str:
        """Why the person does not want it, where the terms say that one is asked."""
        if self._run.ctx.request.approval.sampling == "allow":
            return ""
        shown: JsonObject = {"message": request_text(params), "max_tokens": params.max_tokens}  # whole: all of it is allowed
        if params.system_prompt:
            shown["system_prompt"] = visible(params.system_prompt)
        if request.tools:
            shown["tools"] = {tool.name: tool.model_dump(mode="json", exclude={"name"}) for tool in request.tools}
        answer = await self._ask(provider, shown, SAMPLING)
        self._noes += answer.answer != "granted"
        return "" if answer.answer == "granted" else "nobody allowed it"

    async def _ask(
        self, provider: str, shown: JsonObject, effect: str = ASKING, fields: JsonObject | None = None
    ) -> ApprovalAnswer:
        """Ask a person; `fields` is the schema of what he may enter."""
        request, recorder = self._run.ctx.request, self._run.recorder
        self._asked += 1
        key, sha256 = f"{self._prepared.key}/question-{self._asked}", digest(shown)
        facts = self._run.call_facts(self._prepared.call, self._prepared.spec)
        await recorder.emit(events.ApprovalRequested, f"{key}/asked", **facts, arguments_sha256=sha256)
        await recorder.flush()
        reason = f"server {provider} asks {'a question' if effect == ASKING else 'for a reply of the model'} before it goes on"
        question = request.question(key, self._prepared.spec.name, effect, shown, reason, input_schema=fields or {})
        answer = await self._run.services.approver(question, inline)  # inside the call's own step, so no step of its own
        # what was entered is the server's business, not the journal's
        answered = answer.model_dump(exclude={"content", "arguments"})
        await recorder.emit(events.ApprovalAnswered, f"{key}/answered", **facts, **answered)
        return answer


def _question_fields(params: ElicitRequestParams) -> JsonObject:
    """A question as a person is shown it."""
    if isinstance(params, ElicitRequestFormParams):
        form = params.requested_schema
        shown: JsonObject = {"message": _shortened(params.message), "form": form}
        return _name_fields(shown | ({"next": CAREFUL} if _speaks_of_secrets(params) else {}), form)
    host = urlsplit(params.url).hostname or ""
    return {"message": _shortened(params.message), "url": params.url, "host": _as_ascii(host), "next": OPEN_IT}


def _is_web_page(params: ElicitRequestParams) -> bool:
    """Whether a person can be asked to open it: no script, file, program or phone."""
    address = "" if isinstance(params, ElicitRequestFormParams) else params.url
    try:
        return urlsplit(address).scheme in ("https", "http") and bool(urlsplit(address).hostname)
    except ValueError:
        return False


def _shortened(message: str) -> str:
    """The words of a question as a person reads them: where they are cut, they say so."""
    surplus = len(message) - MOST_MESSAGE_CHARS
    return message if surplus <= 0 else f"{message[:MOST_MESSAGE_CHARS]} … ({surplus} more characters)"


def _secret_fields(form: JsonObject) -> list[str]:
    """The fields of a form into which somebody would write a password, key or code."""
    fields = as_object(form.get("properties"))
    return [name for name, field in fields.items() if isinstance(field, dict) and _is_secret(name, field)]


def _is_secret(name: str, field: JsonObject) -> bool:
    kinds, names = field.get("type", "string"), (name, str(field.get("title", "")))
    kinds = [kind for kind in (kinds if isinstance(kinds, list) else [kinds]) if isinstance(kind, str)]
    if "string" in kinds:
        return any(sink_of(one, field) is Sink.SECRET for one in names)
    # a figure is a secret by its whole name alone: `pin`, and not `max_tokens`
    return bool({"integer", "number"}.intersection(kinds)) and any(
        one.lower() in policy_words("latin")["secret"] for one in names
    )


def _speaks_of_secrets(params: ElicitRequestFormParams) -> bool:
    """Whether the words of a question do, whatever its fields are called."""
    fields = as_object(params.requested_schema.get("properties")).values()
    words = " ".join([params.message, *(str(field.get("description", "")) for field in fields if isinstance(field, dict))])
    return speaks_of_secrets(words[:MOST_MESSAGE_CHARS])


def _as_ascii(host: str) -> str:
    """A host by the letters that the network knows it by: nobody sees what else looks like them."""
    try:
        return host.encode("idna").decode()
    except UnicodeError:
        return ascii(host)


def _name_fields(shown: JsonObject, form: JsonObject) -> JsonObject:
    """The context shown beside a form's fields, under names that differ from theirs."""
    return {f"({name})" if name in as_object(form.get("properties")) else name: value for name, value in shown.items()}


def _written(reason: str) -> JsonObject:
    """The fields of a form, where the answer came as words that are a JSON object (`jiritsu approvals approve ID --reason
    '{…}'`)."""
    try:
        written = json.loads(reason)
    except ValueError:
        return {}
    return written if isinstance(written, dict) else {}


def _fill_form(form: JsonObject, entered: JsonObject) -> tuple[ElicitResult, tuple[str, ...]]:
    """The form with its defaults and what was entered (SEP-1034); declined when that does not fit it, and why it does not."""
    fields = as_object(form.get("properties"))
    defaults = {name: field["default"] for name, field in fields.items() if isinstance(field, dict) and "default" in field}
    content = defaults | {name: value for name, value in entered.items() if name in fields}
    problems = validate(form, content)
    return (ElicitResult(action="decline") if problems else ElicitResult(action="accept", content=content)), problems
