"""The inbox page: pending approvals and unknown effects, and their answers."""

from collections.abc import Iterable, Mapping, MutableMapping, Sequence

import anyio.to_thread
from cachetools import FIFOCache
from pydantic import Field
from starlette.responses import Response

from autonomy.durable.approval_store import Approval
from autonomy.durable.memory.sql_ledger import EffectRecord
from autonomy.durable.records.transcripts import Transcript
from autonomy.durable.suggested_rules import SuggestedRule, suggested_rules
from autonomy.errors import RunConflict, StoreError, UnknownRun
from autonomy.jobs.job_folders import job_files, name_of
from autonomy.run_state.asking.approvals import ApprovalQuestion
from autonomy.run_state.asking.argument_form import PREFIX, ArgumentField, form_of, read_form
from autonomy.run_state.asking.question_view import question_view, seen, suggested_rule, support_lines
from autonomy.web import markup
from autonomy.web.annotations import AnnotatedText, DiffLine, ValueOrigin, diff, earlier_version, origins_of, texts_of
from autonomy.web.visit import Page, Visit, record_by_hand
from discovery.catalog import Frozen, JsonObject, Provider
from discovery.review.pins import DefinitionChange
from metrics.events import Intervention

UNSETTLED_S = 600.0
"""A write that has been under way for so long will not be heard of again by itself."""
EXPLAINED = 20
"""Approvals whose values are traced on one page, which takes a part of a second each; the rest are shown without."""


class Explanation(Frozen):
    """Where the arguments of one call come from, worked out once: what is asked about does not change."""

    origins: dict[str, ValueOrigin] = Field(default_factory=dict)
    """The source of each argument's value, by name."""
    diffs: dict[str, tuple[DiffLine, ...]] = Field(default_factory=dict)
    """What a new version of a text changes in the one that the run has read."""
    texts: dict[str, AnnotatedText] = Field(default_factory=dict)
    """The texts with the sources of their sentences, by argument."""


class AskedCall(Frozen):
    """One call that is asked about, with the sources of its values."""

    label: str
    """Its place in a list of calls; empty where it is asked about alone."""
    question: ApprovalQuestion
    arguments: JsonObject
    """What is unusual first."""
    unusual: dict[str, tuple[str, ...]]
    """Arguments that nobody who may decide gave, with where the policy found their values to come from."""
    support: dict[str, tuple[str, ...]]
    """How far the sentences of each text rest on what was read, in the reader's language."""
    explanation: Explanation = Explanation()


class ApprovalCard(Frozen):
    """A question with what one has to know to answer it."""

    approval: Approval
    calls: tuple[AskedCall, ...]
    fields: tuple[ArgumentField, ...]
    goal: str = ""
    """The words of the goal, on one line; empty for a job, whose name says it, and where they are forgotten."""
    suggested: str
    """The button that may stand out and comes first: approving never, once anything comes from text that was read."""
    rule: SuggestedRule | None = None
    """What would answer it from now on, where people approved this shape in several runs."""
    refused: str = ""
    """Why an edit of it was not taken just now; `fields` are then as they were filled in."""
    note: str = ""
    """What was to be noted with that edit."""


class UnknownWrite(Frozen):
    """A write of which nobody knows whether it happened, with what it would have written."""

    effect: EffectRecord
    arguments: JsonObject | None
    goal: str = ""
    """Its job, or the words of the goal."""
    asked_by: str = ""


async def inbox_page(visit: Visit) -> Response:
    """The page of everything that waits."""
    return await _inbox(visit)


async def _inbox(visit: Visit, refused_id: str = "", why: str = "") -> Response:
    """The page; `refused_id`: of the question whose edited form was sent and not taken, and why."""
    services = visit.services
    waiting = [one for one in await services.approvals.listed(tenant=services.tenant) if one.expires_at > visit.console.clock()]
    answered = await services.approvals.listed(tenant=services.tenant, state=None) if waiting else ()
    rules = {one.rule: one for one in suggested_rules(answered)}
    if services.tools and services.by_hand is None:  # what another process left: nobody but us reads it
        await services.tools.catalog()
    providers = tuple(services.tools.status()) if services.tools else ()
    standings, job_names = await services.schedules.standings(), set(await _jobs(visit))
    unsettled = await services.ledger.unsettled(tenant=services.tenant, older_than_s=UNSETTLED_S)
    cards = [await _card(visit, approval, rules, explained=at < EXPLAINED) for at, approval in enumerate(waiting)]
    return visit.page(
        "inbox.html.j2",
        409 if refused_id else 200,
        approvals=[_as_filled_in(card, visit, why) if card.approval.id == refused_id else card for card in cards],
        writes=[await _write(visit, effect) for effect in unsettled],
        paused=[standing for name, standing in standings.items() if name in job_names and standing.paused],
        held=by_provider(services.tools.held()) if services.tools else {},
        failing=failing(providers),
        mark_of=mark_of,
        annotated=markup.annotated,
    )


def failing(providers: Iterable[Provider]) -> list[Provider]:
    """The sources that do not come back by themselves: they wait for a sign-in or an operator, or fail again and again."""
    return [one for one in providers if one.missing in ("needs_sign_in", "needs_operator", "failed") or one.overdue]


def by_provider(changes: Sequence[DefinitionChange]) -> dict[str, list[DefinitionChange]]:
    """Held definitions, server by server."""
    found: dict[str, list[DefinitionChange]] = {}
    for change in changes:
        found.setdefault(change.provider, []).append(change)
    return found


def mark_of(change: DefinitionChange) -> str:
    """A held definition as a form names it: the tool, and which version of its definition the page showed."""
    return f"{change.tool} {change.fingerprint}"


async def approve_tools(visit: Visit) -> Response:
    """Take held definitions as they are now, as `jiritsu servers approve` does: those that the page showed, and no newer ones."""
    tools, provider = visit.services.tools, visit.request.path_params["provider"]
    names = {str(value) for name, value in visit.form.multi_items() if name == "tool"}
    if tools is None:
        raise RunConflict("this console is connected to no servers")
    still = {mark_of(one): one for one in tools.held() if one.provider == provider}
    if not names or not names <= still.keys():
        raise RunConflict("these definitions have changed since the page was made: look again")
    await record_by_hand(visit, f"definitions-{provider}")
    await tools.approve(provider, [still[name] for name in sorted(names)], by=visit.session.name)
    return visit.back("/inbox", "resolved")


async def answer(visit: Visit) -> Response:
    """Approve or deny, with exactly the arguments that the page showed; or change them and approve that.

    An edit that cannot be taken is shown again with its fields as they were filled in.
    """
    granted, approval_id = visit.form.get("answer"), visit.request.path_params["approval_id"]
    if granted not in ("granted", "denied", "edited"):
        raise RunConflict("neither approved nor denied")
    asked = await visit.services.approvals.get(approval_id, visit.services.tenant)
    if asked is None:
        raise UnknownRun(approval_id, "approval")
    try:
        edited = read_form(visit.form, asked.question) if granted == "edited" else None
        approval = await visit.services.approvals.answer(
            approval_id,
            granted=granted != "denied",
            by=visit.session.name,
            reason=str(visit.form.get("note", ""))[:2000],
            tenant=visit.services.tenant,
            sha256=str(visit.form.get("sha256", "")) or "none",
            arguments=edited,
        )
    except RunConflict as error:
        if granted != "edited" or asked.state != "pending" or visit.form.get("sha256") != asked.question.arguments_sha256:
            raise
        return await _inbox(visit, approval_id, await anyio.to_thread.run_sync(visit.describe, str(error)))
    return visit.back("/inbox", "edited" if edited is not None else approval.state)


def _as_filled_in(card: ApprovalCard, visit: Visit, why: str) -> ApprovalCard:
    """The card with the form that was sent instead of a new one, so that nothing has to be written again."""
    sent = {name.removeprefix(PREFIX): value for name, value in visit.form.items() if isinstance(value, str)}
    fields = [
        field if field.kind == "item" else field.model_copy(update={"value": sent.get(field.name, field.value)})
        for field in card.fields
    ]
    return card.model_copy(update={"fields": tuple(fields), "refused": why, "note": sent.get("note", "")})


async def resolve(visit: Visit) -> Response:
    """Say what became of a write, as `jiritsu effects resolve` does."""
    key, happened = str(visit.form.get("key", "")), visit.form.get("happened")
    if happened not in ("yes", "no"):
        raise RunConflict("neither happened nor not")
    services, by = visit.services, visit.session.name
    effect = await services.ledger.resolve(
        key, happened=happened == "yes", by=by, note=str(visit.form.get("note", ""))[:2000], tenant=services.tenant
    )
    now = visit.console.clock()
    event = Intervention(
        run_id=effect.run_id,
        key=f"resolved-{key}-{now:.3f}",  # one that did not happen may be tried, and resolved, again
        at=now,
        tenant=services.tenant,
        kind="resolve_effect",
        by=by,
    )
    await services.journal.write([event])
    return visit.back("/inbox", "resolved")


async def question_in_inbox(visit: Visit) -> Response:
    """Where a question stands, for whoever comes back to the address that an edit was sent to."""
    return visit.back(f"/inbox#approval-{visit.request.path_params['approval_id']}")


PAGES: Mapping[str, Page] = {"/inbox": inbox_page, "/inbox/approvals/{approval_id}": question_in_inbox}
CHANGES: Mapping[str, Page] = {
    "/inbox/approvals/{approval_id}": answer,
    "/inbox/effects": resolve,
    "/inbox/definitions/{provider}": approve_tools,
}


async def _card(visit: Visit, approval: Approval, rules: Mapping[str, SuggestedRule], *, explained: bool) -> ApprovalCard:
    question, services = approval.question, visit.services
    try:
        record = await services.runs.get(question.run_id, tenant=services.tenant)
    except (UnknownRun, StoreError):  # the question stands even where its run cannot be read
        record = None
    by_label = question.by_label or {"": question}
    card = ApprovalCard(
        approval=approval,
        calls=tuple(
            sorted((_asked_call(label, one, visit.language) for label, one in by_label.items()), key=lambda one: not one.unusual)
        ),
        fields=form_of(question, visit.language),
        goal=record.goal_line if record and not question.job else "",
        suggested=question_view(question).suggested,
        rule=rules.get(suggested_rule(question)),
    )
    if not explained or record is None:
        return card
    try:
        transcript = await services.transcripts.of(record)
    except (UnknownRun, StoreError):  # nor where its steps cannot
        return card
    explanations = await _explanations(visit, approval, transcript)
    calls = [one.model_copy(update={"explanation": explanations[one.question.key]}) for one in card.calls]
    return card.model_copy(update={"calls": tuple(calls)})


async def _explanations(visit: Visit, approval: Approval, transcript: Transcript) -> Mapping[str, Explanation]:
    """The explanation of each call of a question, by its place in the run."""
    cached: MutableMapping[str, Mapping[str, Explanation]]
    cached = visit.console.memory.setdefault("explanations", FIFOCache(EXPLAINED))
    if approval.id not in cached:
        calls = [approval.question, *approval.question.calls]
        timezone = visit.services.timezone
        explained = await anyio.to_thread.run_sync(lambda: {one.key: _explained(one, transcript, timezone) for one in calls})
        cached[approval.id] = explained
    return cached[approval.id]


def _asked_call(label: str, question: ApprovalQuestion, language: str) -> AskedCall:
    items = {item.argument: item for item in question_view(question, language).items}
    unusual = {name: items[seen(name)].because for name in question.arguments if items[seen(name)].unusual}
    arguments = dict(sorted(question.arguments.items(), key=lambda pair: pair[0] not in unusual))
    support = {name: tuple(support_lines(text, language)) for name, text in question.texts.items()}
    return AskedCall(label=label, question=question, arguments=arguments, unusual=unusual, support=support)


def _explained(question: ApprovalQuestion, transcript: Transcript, timezone: str) -> Explanation:
    call, arguments = transcript.call(question.key), question.arguments
    if call is None:
        return Explanation()
    earlier = {name: earlier_version(transcript, call, name) for name in arguments}
    return Explanation(
        origins=origins_of(transcript, call, timezone),
        diffs={name: diff(old, arguments[name]) for name, old in earlier.items() if old is not None},
        texts=texts_of(transcript, call, timezone) if question.texts else {},
    )


async def _write(visit: Visit, effect: EffectRecord) -> UnknownWrite:
    """The write with its arguments, where its run still has them."""
    try:
        record = await visit.services.runs.get(effect.run_id, tenant=visit.services.tenant)
    except (UnknownRun, StoreError):  # the write stands even where its run cannot be read
        return UnknownWrite(effect=effect, arguments=None)
    try:
        call = (await visit.services.transcripts.of(record)).call(effect.key.removeprefix(f"{effect.run_id}/"))
    except (UnknownRun, StoreError):  # nor where its steps cannot
        call = None
    return UnknownWrite(
        effect=effect,
        arguments=call.arguments if call else None,
        goal=record.called if record.job else record.goal_line,
        asked_by=record.actor,
    )


async def _jobs(visit: Visit) -> list[str]:
    return await anyio.to_thread.run_sync(lambda: [name_of(file) for file in job_files(visit.services.job_folders)])
