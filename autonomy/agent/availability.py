"""Waits for the providers a run needs before its first turn, and names those it cannot do without."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import partial
from itertools import takewhile

from autonomy.calls.need_memory import key_of_need
from autonomy.llm.model import Need
from autonomy.policy.need_binding import NEAR, candidates
from autonomy.provenance.text.excerpts import excerpt
from autonomy.run_state.completion_rules import ToolUsed
from autonomy.run_state.event_recorder import EventRecorder
from autonomy.run_state.run_values import RunRequest, allowed_for
from discovery.catalog import Catalog, Provider, ToolSpec
from discovery.gateway import Gateway
from metrics import events

SLOWER = 3.0
"""How much longer than the slowest server that came up here a known one may take: on a busy machine all are slow."""

USEFUL_S = 30.0
"""How long a run waits for providers that may be of use: two cold starts of `npx`. What it cannot do without it waits for to its
limit."""

KNOWN_S = 10.0
"""The same, of a free goal for servers it knows whose tools do not fit its words: what a model will reach for nobody knows, and a
server that was there before is rarely later than that, unless all are slow here (`SLOWER`), or there is no tool at all."""

NEWCOMERS_S = 120.0
"""The same, of a job whose needs are said in words, and of half its time at most: on a machine that is full of work, a server may
well start for a minute, and who goes on without it takes another's tool for the one that was meant."""

LONGEST_S = 300.0
"""The same, of a run without a limit in seconds."""

CAUSES_CHARS, SHORTEST_CAUSE = 800, 60
"""What all missing providers are given to say why, and each at least: `jiritsu servers log NAME` has the rest."""


@dataclass(frozen=True)
class Availability:
    """The providers that one run needs, by what is known of their tools."""

    request: RunRequest
    gateway: Gateway
    tools_before: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """The tools that met a need in earlier runs of the job, by `key_of_need`. Where one is there, only they will be asked."""

    async def catalog(self, recorder: EventRecorder) -> Catalog:
        """The catalog, once the providers that the run needs are there, have failed, or its limits are reached."""

        async def tell(awaited: tuple[Provider, ...], *, most_s: float) -> None:
            for one in awaited:
                facts = {"provider": one.name, "cause": one.cause, "since": one.since, "most_s": most_s}
                await recorder.show(events.ProviderAwaited, f"catalog/awaited-{one.name}", **facts)

        async def wait(needed: Callable[[Catalog], Collection[str]], wait_s: float) -> Catalog:
            return await self.gateway.catalog(needed=needed, wait_s=wait_s, on_wait=partial(tell, most_s=wait_s))

        most_s = self.request.limits.wall_s or LONGEST_S
        briefly_s = min(USEFUL_S, most_s)
        if self.request.task.needs:
            briefly_s = max(briefly_s, min(NEWCOMERS_S, most_s / 2))
        else:
            waited_s = min(KNOWN_S, briefly_s)
            seen = await wait(self._missing_but_listed, waited_s)
            slow_s = SLOWER * self.gateway.slowest_start_s() if any(seen.callable_tools) else briefly_s
            longer_s = min(slow_s, briefly_s) - waited_s
            if longer_s > 0:
                await wait(self._missing_but_listed, longer_s)
        await wait(self._useful, briefly_s)
        return await wait(self._indispensable, most_s - briefly_s)

    def lacking(self, catalog: Catalog) -> tuple[Provider, ...]:
        """The missing providers without which a required need surely cannot be met."""
        lost = [need for need in self._unmet_required_needs(catalog) if need.tools or self._candidates(need, catalog)]
        names = [*self._unlisted_globs_of_rules(catalog), *(name for need in lost for name in self._providers_for(need, catalog))]
        return catalog.missing(names)

    def held(self, catalog: Catalog) -> tuple[ToolSpec, ...]:
        """The tools without which a required need cannot be met, and whose changed definitions wait for a person."""
        missing = {one.name for one in catalog.missing(self.request.tools)}
        waiting = {spec.name for spec in catalog.tools if not spec.available and spec.provider not in missing}
        if not waiting:  # mostly; to know what is unmet, each need ranks all tools
            return ()
        found = [spec for need in self._unmet_required_needs(catalog) for spec in self._candidates(need, catalog)]
        return tuple(spec for spec in found if spec.name in waiting)

    def unseen(self, catalog: Catalog) -> tuple[Provider, ...]:
        """The missing providers nobody has seen the tools of, one of which a required need in words may have meant."""
        in_words = any(need.required and not need.tools for need in self.request.task.needs)
        return tuple(self._missing_never_listed(catalog)) if in_words else ()

    def absent(self, catalog: Catalog) -> list[Provider]:
        """The missing providers that a goal without declared needs may have meant; its answer names them."""
        if self.request.task.needs:
            return []
        fitting = {*self._promising(catalog)}
        return [one for one in catalog.missing(self.request.tools) if one.name in fitting or one.listed_at is None]

    def _missing_but_listed(self, catalog: Catalog) -> Sequence[str]:
        return [one.name for one in catalog.missing(self.request.tools) if one.listed_at is not None]

    def _useful(self, catalog: Catalog) -> Sequence[str]:
        """The providers that may be useful: for a goal without declared needs, all that are not known to be useless."""
        if not self.request.task.needs:
            return (*self._promising(catalog), *self._globs_of_rules)
        globs = list(self._globs_of_rules)
        all_met = True
        for need in self.request.task.needs:
            found = self._candidates(need, catalog)
            met = any(spec.available for spec in found)
            all_met = all_met and met
            if need.tools:
                globs += () if met else need.tools
            else:
                globs += [spec.provider for spec in takewhile(lambda spec: not spec.available, found)]
                globs += self.tools_before.get(key_of_need(need), ())
        if not all(need.tools or self._is_served_as_before(need, catalog) for need in self.request.task.needs):
            # nobody knows yet whether a stranger's tools fit better
            globs += [one.name for one in self._missing_never_listed(catalog) if not (one.overdue and all_met)]
        return globs

    def _is_served_as_before(self, need: Need, catalog: Catalog) -> bool:
        known = self.tools_before.get(key_of_need(need), frozenset())
        return any(spec.available and spec.name in known for spec in self._candidates(need, catalog))

    def _promising(self, catalog: Catalog) -> list[str]:
        """The missing providers that a free goal waits for: those whose tools fit its words, and newcomers.

        One that was waited for in vain before it ever listed a tool may hang for ever: it would hold up every goal.
        """
        missing = catalog.missing(self.request.tools)
        if not any(one.listed_at for one in missing):
            return [one.name for one in missing if not one.overdue]
        allowed = catalog.only(allowed_for(self.request, catalog))
        ranked = self.gateway.advisor.search(allowed, self.request.task.goal, limit=len(allowed.tools))
        fitting = {found.spec.provider for found in ranked if found.score >= ranked[0].score * NEAR}
        return [one.name for one in missing if one.name in fitting or (one.listed_at is None and not one.overdue)]

    def _indispensable(self, catalog: Catalog) -> Sequence[str]:
        if not self.request.task.needs:
            allowed = allowed_for(self.request, catalog)
            return () if any(spec.name in allowed for spec in catalog.callable_tools) else self.request.tools
        return [
            *self._unlisted_globs_of_rules(catalog),
            *(name for need in self._unmet_required_needs(catalog) for name in self._providers_for(need, catalog)),
        ]

    @property
    def _globs_of_rules(self) -> list[str]:
        return [rule.tool for rule in self.request.rules if isinstance(rule, ToolUsed)]

    def _unlisted_globs_of_rules(self, catalog: Catalog) -> list[str]:
        """The providers among them that have never been listed."""
        return [glob for glob in self._globs_of_rules if not any(fnmatchcase(spec.name, glob) for spec in catalog.callable_tools)]

    def _unmet_required_needs(self, catalog: Catalog) -> list[Need]:
        required = [need for need in self.request.task.needs if need.required]
        return [need for need in required if not any(spec.available for spec in self._candidates(need, catalog))]

    def _providers_for(self, need: Need, catalog: Catalog) -> Sequence[str]:
        providers = [spec.provider for spec in self._candidates(need, catalog)]
        return need.tools or providers or [one.name for one in self._missing_never_listed(catalog)]

    def _missing_never_listed(self, catalog: Catalog) -> list[Provider]:
        return [one for one in catalog.missing(self.request.tools) if one.listed_at is None]

    def _candidates(self, need: Need, catalog: Catalog) -> list[ToolSpec]:
        allowed = catalog.only(allowed_for(self.request, catalog))
        names = candidates(
            need, allowed.tools, lambda words: self.gateway.advisor.search(allowed, words, limit=len(allowed.tools))
        )
        return [spec for name in names if (spec := allowed.get(name)) is not None]


def why_unavailable(missing: Sequence[Provider], held: Sequence[ToolSpec] = ()) -> str:
    """Name these providers and tools with the cause of each, as the reason why a run ends; empty where there are none."""
    told = {one.name: one.cause for one in missing} | {spec.name: spec.unavailable_because for spec in held}
    share = CAUSES_CHARS // max(len(told), 1)
    causes = {name: excerpt(" ".join(cause.split()), max(share, SHORTEST_CAUSE)) for name, cause in told.items()}
    return "; ".join(f"unavailable: {name} ({cause})" for name, cause in causes.items())
