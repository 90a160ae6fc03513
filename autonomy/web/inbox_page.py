"""The inbox page: pending approvals and unknown effects, and their answers."""

from collections.abc import Mapping

from starlette.responses import Response

from autonomy.durable.sql_ledger import EffectRecord
from autonomy.errors import RunConflict, UnknownRun
from autonomy.jobs.job import job_files, name_of
from autonomy.web.visit import Page, Visit
from discovery.catalog import Frozen, JsonObject
from metrics.events import Intervention

UNSETTLED_S = 600.0
"""A write that has been under way for so long will not be heard of again by itself."""


class UnknownWrite(Frozen):
    """A write of which nobody knows whether it happened, with what it would have written."""

    effect: EffectRecord
    arguments: JsonObject | None


async def inbox_page(visit: Visit) -> Response:
    """All that waits."""
    services = visit.services
    waiting = await services.approvals.listed(tenant=services.tenant)
    now = visit.console.clock()
    unsettled = await services.ledger.unsettled(tenant=services.tenant, older_than_s=UNSETTLED_S)
    return visit.page(
        "inbox.html.j2",
        approvals=[approval for approval in waiting if approval.expires_at > now],
        writes=[await _write(visit, effect) for effect in unsettled],
        paused=[
            standing for name in await _jobs(visit) if (standing := await services.schedules.standing(name)) and standing.paused
        ],
    )


async def answer(visit: Visit) -> Response:
    """Approve or deny, with exactly the arguments that the page showed."""
    granted = visit.form.get("answer")
    if granted not in ("granted", "denied"):
        raise RunConflict("neither approved nor denied")
    approval = await visit.services.approvals.answer(
        visit.request.path_params["approval_id"],
        granted=granted == "granted",
        by=visit.session.name,
        reason=str(visit.form.get("note", ""))[:2000],
        tenant=visit.services.tenant,
        sha256=str(visit.form.get("sha256", "")) or "none",
    )
    return visit.back("/inbox", approval.state)


async def resolve(visit: Visit) -> Response:
    """Say what became of a write, as `jiritsu effects resolve` does."""
    key, happened = str(visit.form.get("key", "")), visit.form.get("happened")
    if happened not in ("yes", "no"):
        raise RunConflict("neither happened nor not")
    services, by = visit.services, visit.session.name
    effect = await services.ledger.resolve(
        key, happened=happened == "yes", by=by, note=str(visit.form.get("note", ""))[:2000], tenant=services.tenant
    )
    told = Intervention(
        run_id=effect.run_id,
        key=f"resolved-{key}",
        at=visit.console.clock(),
        tenant=services.tenant,
        kind="resolve_effect",
        by=by,
    )
    await services.journal.write([told])
    return visit.back("/inbox", "resolved")


PAGES: Mapping[str, Page] = {"/inbox": inbox_page}
CHANGES: Mapping[str, Page] = {"/inbox/approvals/{approval_id}": answer, "/inbox/effects": resolve}


async def _write(visit: Visit, effect: EffectRecord) -> UnknownWrite:
    """The write with its arguments, where its run still has them."""
    try:
        record = await visit.services.runs.get(effect.run_id, tenant=visit.services.tenant)
    except UnknownRun:
        return UnknownWrite(effect=effect, arguments=None)
    call = (await visit.services.transcripts.of(record)).call(effect.key.removeprefix(f"{effect.run_id}/"))
    return UnknownWrite(effect=effect, arguments=call.arguments if call else None)


async def _jobs(visit: Visit) -> list[str]:
    import anyio.to_thread

    return await anyio.to_thread.run_sync(lambda: [name_of(file) for file in job_files(visit.services.job_folders)])
