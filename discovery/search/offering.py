"""Chooses the tools that a model is offered with a goal or by search, within limits.

The budget is always filled: first with the tools that the run is known to need, then with those that match the goal, those that
any goal may need, those in daily use, and finally some of each provider. The goal's words are not enough: most of the tools that
people used for real requests and that no ranking found were of the kind that any request may need (docs/search.md).
"""

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, cached_property
from itertools import chain, islice, zip_longest
from operator import attrgetter

from pydantic import Field

from discovery.catalog import Catalog, Frozen, ToolSpec
from discovery.search.search_index import SearchIndex
from discovery.text.data_files import read_data

FULL_SHARE, KNOWN_SHARE, EVERYDAY_SHARE, USED_SHARE = 0.25, 0.5, 0.2, 0.1
"""Shares of the budget: for the best matches in full, for what the run is known to need, for what any goal may need, and for
what is in daily use. What remains goes to further matches in brief form."""
OF_EACH_NEED = 2
"""How many tools are offered for each everyday need."""
UNKNOWN_CONTEXT_TOKENS = 120_000
"""The context size that is assumed of a model with an unknown one."""
FOUND = 8
"""How many tools one search returns."""
SIBLINGS = 8
"""How many others of the same servers it returns: a search that misses the tool mostly finds another one of the right server."""


HOST_TOOLS = 5
"""How many tools of its own the host may show beside them (`autonomy.calls.own_tools.host_tools`)."""


class OfferLimits(Frozen):
    """The `[tools]` table of the settings: how many tools a model is offered with the goal."""

    share: float = Field(0.1, gt=0, le=0.5)
    """The share of the model's context that tools may take."""
    most_tokens: int = Field(20_000, ge=500)
    """The most tokens that tools may take in any context, because each turn costs them again."""
    most_tools: int = Field(128, ge=1)
    """The most tools of one request, the host's own among them. The default is the limit of the strictest vendor."""
    steps: bool = False
    """Whether the model is first asked which steps a free goal takes, where not all tools fit: one short request more a run."""

    @property
    def most_offered(self) -> int:
        """How many tools of servers may be offered, so that the host's own have room beside them."""
        return max(1, self.most_tools - HOST_TOOLS)

    def budget_tokens(self, context_tokens: int | None) -> int:
        """Return the tokens for the tools of a model with this context size; None if it is unknown."""
        return min(self.most_tokens, int(self.share * (context_tokens or UNKNOWN_CONTEXT_TOKENS)))


class OfferedTools(Frozen):
    """The tools that go to the model with a goal, in the order in which they were chosen."""

    full: tuple[ToolSpec, ...] = ()
    brief: tuple[ToolSpec, ...] = ()
    """Tools that are to be shown in their `brief_tools.brief_form`."""

    @cached_property
    def specs(self) -> tuple[ToolSpec, ...]:
        """All of them, sorted by name but for the last chosen: these give way first to what a search finds, and stand at the end,
        so that a vendor still finds those before them in its cache."""
        chosen = (*self.full, *self.brief)
        stay = max(len(self.full), len(chosen) - FOUND - SIBLINGS)
        return (*_by_name(chosen[:stay]), *chosen[stay:])


class FoundTools(Frozen):
    """The result of one search."""

    best: tuple[ToolSpec, ...] = ()
    """Best first."""
    siblings: tuple[ToolSpec, ...] = ()
    """Other tools of the same servers, to be shown in brief."""
    refused: tuple[str, ...] = ()
    """The names of those that rank among the best and were not to be found."""


class _Basket:
    """The tools chosen so far, and the budget left."""

    def __init__(self, budget_tokens: int, most_tools: int) -> None:
        self.chosen: dict[str, ToolSpec] = {}
        self._budget, self._left, self._room = budget_tokens, budget_tokens, most_tools

    def fill(self, specs: Iterable[ToolSpec], price: dict[str, int], share: float = 1.0) -> tuple[ToolSpec, ...]:
        """Add tools in this order, for at most this share of the whole budget; return those that were added."""
        may_spend, taken = min(self._left, int(share * self._budget)), list[ToolSpec]()
        for spec in specs:
            if len(self.chosen) >= self._room:
                break
            if spec.available and spec.name not in self.chosen and price[spec.name] <= may_spend:
                self.chosen[spec.name] = spec
                taken.append(spec)
                may_spend -= price[spec.name]
                self._left -= price[spec.name]
        return tuple(taken)


def offer(
    index: SearchIndex,
    catalog: Catalog,
    goal: str,
    *,
    budget_tokens: int,
    most_tools: int = 128,
    known: Sequence[str] = (),
    used: Iterable[str] = (),
) -> OfferedTools:
    """Choose the tools that are given to the model: all if they fit, else the best for this goal.

    `known` holds the full names of tools that the run is known to need, `used` those in daily use, both with the first first.
    """
    specs = catalog.callable_tools
    if len(specs) <= most_tools and sum(index.costs[spec.name] for spec in specs) <= budget_tokens:
        return OfferedTools(full=specs)
    ranked = [found.spec for found in index.search(goal, limit=len(index.specs))]
    short = index.brief_costs
    basket = _Basket(budget_tokens, most_tools)
    full = basket.fill((spec for name in known if (spec := catalog.get(name))), index.costs, KNOWN_SHARE)
    full += basket.fill(ranked, index.costs, FULL_SHARE)
    everyday = ([one.spec for one in index.search(need, limit=OF_EACH_NEED)] for need in everyday_needs())
    brief = basket.fill(_in_turn(everyday), short, EVERYDAY_SHARE)
    brief += basket.fill((spec for name in used if (spec := catalog.get(name))), short, USED_SHARE)
    brief += basket.fill(ranked, short)
    by_provider = defaultdict[str, list[ToolSpec]](list)
    for spec in specs:
        by_provider[spec.provider].append(spec)
    brief += basket.fill(_in_turn(by_provider.values()), short)
    return OfferedTools(full=full, brief=brief)


def find_more(index: SearchIndex, query: str, may_find: Callable[[ToolSpec], bool]) -> FoundTools:
    """Return the best matches among the tools that `may_find` accepts, and others of their servers, the next best of each in
    turn."""
    everything = [found.spec for found in index.search(query, limit=len(index.specs))]
    ranked = [spec for spec in everything if may_find(spec)]
    best = ranked[:FOUND]
    refused = [spec.name for spec in everything[:FOUND] if spec not in best]
    taken = {spec.name for spec in ranked}
    unranked = (spec for spec in index.specs if spec.name not in taken and may_find(spec))
    left: dict[str, list[ToolSpec]] = {spec.provider: [] for spec in best}
    for spec in chain(ranked[FOUND:], unranked):
        if spec.provider in left:
            left[spec.provider].append(spec)
    siblings = islice(_in_turn(left.values()), SIBLINGS)
    return FoundTools(best=tuple(best), siblings=tuple(siblings), refused=tuple(refused))


def _by_name(specs: Iterable[ToolSpec]) -> tuple[ToolSpec, ...]:
    return tuple(sorted(specs, key=attrgetter("name")))


def _in_turn(lists: Iterable[Sequence[ToolSpec]]) -> Iterator[ToolSpec]:
    """Yield the first of each list, then the second of each, and so on."""
    return (spec for spec in chain.from_iterable(zip_longest(*lists)) if spec is not None)


@cache
def everyday_needs() -> tuple[str, ...]:
    """Return searches for tools that any goal may need, in English and Japanese."""
    return tuple(json.loads(read_data("everyday_needs.json")))
