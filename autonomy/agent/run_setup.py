"""Fixes the catalog snapshot, bindings and opening messages of a run before its first turn."""

from collections.abc import Mapping, Sequence
from functools import partial

from autonomy.agent import prompt
from autonomy.agent.availability import Availability, why_unavailable
from autonomy.calls.need_memory import key_of_need
from autonomy.calls.services import Services
from autonomy.llm.messages import ToolDefinition
from autonomy.llm.model_chain import Chain
from autonomy.policy.need_binding import candidates
from autonomy.run_state.context import ToolExecutionContext
from autonomy.run_state.digests import digest
from autonomy.run_state.event_recorder import EventRecorder
from autonomy.run_state.run_values import RunRequest, allowed_for
from autonomy.run_state.step import Step
from discovery.catalog import Catalog, Frozen, ProviderState
from discovery.search.offering import OfferedTools
from metrics import events

OF_EACH_NEED = 3
"""So many candidates of each need are shown whatever else is; each also has its part in the words that rank the others."""


class ShownTools(Frozen):
    """The tools that the model is shown from the start."""

    offered: tuple[str, ...]
    """Their names."""
    definitions: tuple[ToolDefinition, ...]
    spare: tuple[str, ...] = ()
    """The same, the last chosen first: they give way where a search finds more than a request may hold."""


class RunSetup(ShownTools):
    """The recorded result of a run's setup: catalog, offered tools, bindings and permissions."""

    catalog: Catalog
    to_be_cut: bool = False
    """Whether the model is asked for the steps of the goal, by which further tools are chosen."""
    to_confirm: frozenset[str] = frozenset()
    candidates: dict[str, tuple[str, ...]]
    strangers: frozenset[str] = frozenset()
    """Tools that could meet a need whose known tools, by which the job met it before, are all gone."""
    allowed: frozenset[str] = frozenset()
    lacking: tuple[str, ...] = ()
    """The missing providers without which a required need cannot be met."""
    unavailable: str = ""
    """Why the run cannot reach them, or any tool at all."""
    absent: tuple[str, ...] = ()
    """The providers that a goal without declared needs may have meant, and that were not there in time."""
    unseen: str = ""
    """Why the run ends if a required need stays unmet: servers whose tools are unknown may have been meant."""
    context_tokens: int | None = None
    """The smallest context of the models that may be asked."""
    most_tools: int | None = None
    """How many tools one request may hold; None in runs of earlier builds, which did not look."""


async def start_run(
    request: RunRequest, model: Chain, services: Services, recorder: EventRecorder, step: Step
) -> ToolExecutionContext:
    """Begin a run: emit its start, fix its catalog and tools, and open the conversation."""

    async def now() -> float:
        return services.clock()

    started_at = await step("start", now, float)
    task = request.task
    await recorder.emit(
        events.RunStarted,
        "started",
        trigger=request.trigger,
        actor=request.actor,
        goal_sha256=digest(task.goal),
        model=model.id,
        needs=tuple(need.id for need in task.needs if need.required),
        optional_needs=tuple(need.id for need in task.needs if not need.required),
        simulated=request.simulate,
    )
    setup = await step("catalog", lambda: _discover_tools(request, model, services, recorder), RunSetup)
    catalog, ctx = setup.catalog, _context_of(request, setup, started_at)
    ctx.add(*prompt.opening(request, catalog, ctx.began))
    await recorder.emit(
        events.CatalogTaken,
        "catalog",
        snapshot_id=catalog.snapshot_id,
        tools=len(catalog.tools),
        offered=len(ctx.offered),
        freshness=catalog.freshness,
        unavailable_providers=tuple(provider.name for provider in catalog.providers if not provider.available),
        starting_providers=tuple(one.name for one in catalog.providers if one.state is ProviderState.CONNECTING),
    )
    return ctx


def _context_of(request: RunRequest, setup: RunSetup, started_at: float) -> ToolExecutionContext:
    """The state in which a run begins that was set up so."""
    offered = frozenset(setup.offered)
    return ToolExecutionContext(
        request=request,
        catalog=setup.catalog,
        offered=tuple(spec for spec in setup.catalog.tools if spec.name in offered),
        definitions=setup.definitions,
        candidates=setup.candidates,
        strangers=setup.strangers,
        allowed=setup.allowed,
        missing_providers=setup.lacking,
        why_unavailable=setup.unavailable,
        why_perhaps_unavailable=setup.unseen,
        absent_providers=setup.absent,
        to_confirm=setup.to_confirm,
        context_tokens=setup.context_tokens,
        most_tools=setup.most_tools,
        spare=setup.spare,
        to_be_cut=setup.to_be_cut,
        started_at=started_at,
        now=started_at,
    )


async def _discover_tools(request: RunRequest, model: Chain, services: Services, recorder: EventRecorder) -> RunSetup:
    gateway = services.gateway
    tools_before = await services.need_memory.recall(request.tenant, request.job) if request.job else {}
    availability = Availability(request, gateway, tools_before)
    catalog = await availability.catalog(recorder) if request.tools else Catalog()
    lacking, held = availability.lacking(catalog), availability.held(catalog)
    out_of_reach = lacking or (() if catalog.callable_tools or request.task.needs else catalog.missing(request.tools))
    unseen = availability.unseen(catalog)
    permissions = await services.tenancy.permissions(request.tenant)
    denied = {name for name, permission in permissions.items() if permission == "deny"}
    allowed = catalog.only(allowed_for(request, catalog, hidden=denied))

    def candidates_by_need() -> dict[str, tuple[str, ...]]:
        """Need → the names of the tools that could meet it, best first."""
        search = partial(gateway.advisor.search, allowed, limit=len(allowed.tools))
        return {need.id: candidates(need, allowed.tools, search) for need in request.task.needs}

    fitting = await gateway.with_meaning(allowed, candidates_by_need)
    by_need, strangers = _prefer_known_tools(request, fitting, tools_before)
    context_tokens = model.context_tokens
    shown = await gateway.with_meaning(allowed, partial(_offer, request, allowed, by_need, services, context_tokens))
    has_more = len(shown.specs) < len(allowed.callable_tools)
    return RunSetup(
        catalog=catalog,
        **dict(_as_sent(shown, services)),
        to_be_cut=has_more and _takes_steps(request, model, services),
        to_confirm=frozenset(name for name, permission in permissions.items() if permission == "requires_confirmation"),
        candidates=by_need,
        strangers=strangers,
        allowed=frozenset(allowed.names),
        lacking=(*(one.name for one in lacking), *(spec.name for spec in held)),
        unavailable=why_unavailable((*out_of_reach, *unseen) if out_of_reach else (), held),  # whoever mends one mends all
        unseen=why_unavailable(unseen),
        absent=tuple(one.name for one in availability.absent(catalog)),
        context_tokens=context_tokens,
        most_tools=services.offer_limits.most_tools,
    )


def _takes_steps(request: RunRequest, model: Chain, services: Services) -> bool:
    """Whether the model is to cut the goal: needs that a job declares are its steps already."""
    return services.offer_limits.steps and not request.task.needs and not model.id.startswith("planner:")


async def show_tools(ctx: ToolExecutionContext, services: Services, steps: Sequence[str]) -> ShownTools:
    """The tools that a run's goal and these steps of it bring, in place of those that its goal brought alone."""
    allowed = ctx.catalog.only(ctx.allowed)
    choose = partial(_offer, ctx.request, allowed, ctx.candidates, services, ctx.context_tokens, steps)
    return _as_sent(await services.gateway.with_meaning(allowed, choose), services)


def _as_sent(shown: OfferedTools, services: Services) -> ShownTools:
    brief = {spec.name for spec in shown.brief}
    return ShownTools(
        offered=tuple(spec.name for spec in shown.specs),
        definitions=tuple(services.define(spec, brief=spec.name in brief) for spec in shown.specs),
        spare=tuple(spec.name for spec in reversed((*shown.full, *shown.brief))),
    )


def _offer(
    request: RunRequest,
    allowed: Catalog,
    fitting: Mapping[str, tuple[str, ...]],
    services: Services,
    context_tokens: int | None,
    steps: Sequence[str] = (),
) -> OfferedTools:
    """The tools that the model is shown from the start: among them the best for each need, and what always runs first."""
    words = " ".join([request.task.goal, *(need.description for need in request.task.needs)])
    words = "\n".join([words, *steps])
    auto_context = [provider.auto_context_tool for provider in allowed.providers if provider.available]
    known = [*auto_context, *(name for names in fitting.values() for name in names[:OF_EACH_NEED])]
    return services.gateway.advisor.offer(allowed, words, services.offer_limits, context_tokens=context_tokens, known=known)


def _prefer_known_tools(
    request: RunRequest, fitting: dict[str, tuple[str, ...]], before: Mapping[str, frozenset[str]]
) -> tuple[dict[str, tuple[str, ...]], frozenset[str]]:
    """Need → candidates: only the tools that met it `before`, if any is there; else all. And the tools that never met it."""
    chosen, strangers = dict(fitting), set[str]()
    for need in request.task.needs:
        if need.tools or not (tools_before := before.get(key_of_need(need))):
            continue
        chosen[need.id] = tuple(name for name in fitting[need.id] if name in tools_before) or fitting[need.id]
        strangers.update(set(chosen[need.id]) - tools_before)
    return chosen, frozenset(strangers)
