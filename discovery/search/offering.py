"""Chooses the tools that a model is offered with a goal or by search, within limits.

The budget is always filled: after what the run is known to need come the tools that fit the goal, those that most goals need
whatever they are about, those in daily use, and at last some of each provider. A goal's words alone decide little: of the tools
that people used for real requests, most that no ranking found were of the kind every request may need (docs/search.md).
"""

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import chain, islice, zip_longest

from pydantic import Field

from discovery.catalog import Catalog, Frozen, ToolSpec
from discovery.search.search_index import SearchIndex
from discovery.text.data_files import read_data

FULL_SHARE, KNOWN_SHARE, EVERYDAY_SHARE, USED_SHARE = 0.25, 0.5, 0.2, 0.1
"""Of the budget: the tools that fit best, with every word of theirs; what the run is known to need; what any goal may need; what
is in daily use. What one leaves over, the ranking gets."""
OF_EACH_NEED = 2
"""How many tools for each everyday need."""
UNKNOWN_CONTEXT_TOKENS = 120_000
"""What a model is taken to read that does not say how much it does."""
FOUND = 8
"""How many tools one search brings."""
SIBLINGS = 8
"""How many of the same servers it brings besides: where a search misses, it mostly finds another tool of the right server."""


class OfferLimits(Frozen):
    """How many tools a model is shown at the outset: the `[tools]` table of the settings."""

    share: float = Field(0.1, gt=0, le=0.5)
    """Of the model's context, at most this goes to tools."""
    most_tokens: int = Field(20_000, ge=500)
    """However large the context is: every turn pays for them."""
    most_tools: int = Field(128, ge=1)
    """What the strictest vendor takes."""

    def budget_tokens(self, context_tokens: int | None) -> int:
        """Tokens for the tools of a model with this context; None where it is unknown."""
        return min(self.most_tokens, int(self.share * (context_tokens or UNKNOWN_CONTEXT_TOKENS)))


class OfferedTools(Frozen):
    """The tools that go to the model with a goal, each list sorted by name."""

    full: tuple[ToolSpec, ...] = ()
    brief: tuple[ToolSpec, ...] = ()
    """Tools as they are; they are to be shown as `brief_tools.brief_form` makes them."""

    @property
    def specs(self) -> tuple[ToolSpec, ...]:
        """All of them, sorted by name."""
        return tuple(sorted((*self.full, *self.brief), key=lambda spec: spec.name))


class FoundTools(Frozen):
    """The result of one search."""

    best: tuple[ToolSpec, ...] = ()
    """Best first."""
    siblings: tuple[ToolSpec, ...] = ()
    """Other tools of the same servers, to be shown in few words."""


class _Basket:
    """The tools chosen so far, and the budget left."""

    def __init__(self, budget_tokens: int, most_tools: int) -> None:
        self.chosen: dict[str, ToolSpec] = {}
        self._budget, self._left, self._room = budget_tokens, budget_tokens, most_tools

    def fill(self, specs: Iterable[ToolSpec], price: dict[str, int], share: float = 1.0) -> tuple[ToolSpec, ...]:
        """Take them in this order for at most this share of the whole budget; gives those that are new."""
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
    """The tools that go to the model: all of them where they fit, else the best for this goal.

    `known` are full names of tools that the run is known to need, most needed first, `used` those in daily use, most used first.
    """
    specs = catalog.callable_tools
    if len(specs) <= most_tools and sum(index.costs[spec.name] for spec in specs) <= budget_tokens:
        return OfferedTools(full=specs)
    ranked = [found.spec for found in index.search(goal, limit=len(index.specs))]
    short = index.brief_costs
    basket = _Basket(budget_tokens, most_tools)
    full = basket.fill((spec for name in known if (spec := catalog.get(name))), index.costs, KNOWN_SHARE)
    full += basket.fill(ranked, index.costs, FULL_SHARE)
    brief = basket.fill(_everyday(index), short, EVERYDAY_SHARE)
    brief += basket.fill((spec for name in used if (spec := catalog.get(name))), short, USED_SHARE)
    brief += basket.fill(ranked, short)
    brief += basket.fill(_some_of_each(specs), short)
    return OfferedTools(full=_by_name(full), brief=_by_name(brief))


def find_more(index: SearchIndex, query: str, may_find: Callable[[ToolSpec], bool]) -> FoundTools:
    """The tools that fit a query best, of those that may be found, and some others of their servers: of each in turn the next
    best."""
    ranked = [found.spec for found in index.search(query, limit=len(index.specs)) if may_find(found.spec)]
    best = ranked[:FOUND]
    taken = {spec.name for spec in ranked}
    unranked = (spec for spec in index.specs if spec.name not in taken and may_find(spec))
    left: dict[str, list[ToolSpec]] = {spec.provider: [] for spec in best}
    for spec in chain(ranked[FOUND:], unranked):
        if spec.provider in left:
            left[spec.provider].append(spec)
    return FoundTools(best=tuple(best), siblings=tuple(islice(_in_turn(left.values()), SIBLINGS)))


def _by_name(specs: Iterable[ToolSpec]) -> tuple[ToolSpec, ...]:
    return tuple(sorted(specs, key=lambda spec: spec.name))


def _everyday(index: SearchIndex) -> Iterator[ToolSpec]:
    """The best tools for what any goal may need, the first of each need before the second of any."""
    found = [[one.spec for one in index.search(need, limit=OF_EACH_NEED)] for need in everyday_needs()]
    return _in_turn(found)


def _some_of_each(specs: Iterable[ToolSpec]) -> Iterator[ToolSpec]:
    """The first tool of each provider, then the second of each, …"""
    by_provider: defaultdict[str, list[ToolSpec]] = defaultdict(list)
    for spec in specs:
        by_provider[spec.provider].append(spec)
    return _in_turn(by_provider.values())


def _in_turn(lists: Iterable[Sequence[ToolSpec]]) -> Iterator[ToolSpec]:
    """The first of each, then the second of each, …"""
    return (spec for spec in chain.from_iterable(zip_longest(*lists)) if spec is not None)


@cache
def everyday_needs() -> tuple[str, ...]:
    """The tools that a goal may need whatever it is about, in English and Japanese."""
    return tuple(json.loads(read_data("everyday_needs.json")))
