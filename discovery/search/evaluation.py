"""Measures search on requests for which the right tools are known."""

import json
import statistics
from collections.abc import Callable, Iterable, Sequence

from pydantic import Field, ValidationError
from pydantic_core import ErrorDetails

from discovery.catalog import Frozen

DEPTHS = (1, 5, 10)


class LabelledRequest(Frozen):
    """A request and the full names of the tools it needed."""

    request: str = Field(min_length=1)
    tools: frozenset[str] = Field(min_length=1)


class SearchQuality(Frozen):
    """The quality of a search, as shares between 0 and 1; means over the requests."""

    requests: int
    recall: dict[int, float]
    """Depth → the share of a request's tools among the first so many found."""
    offered: float
    """The share among the tools that a model is shown at the outset."""
    missed: dict[str, int]
    """Tools that were not offered → for how many requests, the most missed first."""
    gone: int
    """Requests left out because none of their tools is there any more."""
    unknown: tuple[str, ...] = ()
    """Names of tools that are not there, sorted; what is left of such a request is measured."""


def labelled_requests(text: str) -> tuple[LabelledRequest, ...]:
    """JSON Lines of `{"request": …, "tools": [full names]}`. Raises ValueError naming the line and the key."""
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            found.append(LabelledRequest.model_validate(json.loads(line)))
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            raise ValueError(f"line {number}: {'.'.join(map(str, first['loc']))}: {_problem(first)}") from error
        except (ValueError, RecursionError) as error:
            raise ValueError(f"line {number} is not JSON") from error
    return tuple(found)


def _problem(error: ErrorDetails) -> str:
    return "is not a list of the tools' full names" if error["type"] == "frozen_set_type" else error["msg"]


def measure_search(
    requests: Iterable[LabelledRequest],
    there: frozenset[str],
    search: Callable[[str, int], Sequence[str]],
    offer: Callable[[str], frozenset[str]],
) -> SearchQuality:
    """Ask for each request; `there` are the full names of all tools, `search` gives names best first, `offer` those shown."""
    labelled = tuple(requests)
    cases = [(one.request, expected) for one in labelled if (expected := one.tools & there)]
    recall: dict[int, list[float]] = {depth: [] for depth in DEPTHS}
    offered, missed = list[float](), dict[str, int]()
    for request, expected in cases:
        found, shown = search(request, max(DEPTHS)), offer(request)
        for depth in DEPTHS:
            recall[depth].append(len(expected.intersection(found[:depth])) / len(expected))
        offered.append(len(expected & shown) / len(expected))
        for name in expected - shown:
            missed[name] = missed.get(name, 0) + 1
    return SearchQuality(
        requests=len(cases),
        recall={depth: _mean(values) for depth, values in recall.items()},
        offered=_mean(offered),
        missed=dict(sorted(missed.items(), key=lambda item: (-item[1], item[0]))),
        gone=len(labelled) - len(cases),
        unknown=tuple(sorted(frozenset[str]().union(*(one.tools for one in labelled)) - there)),
    )


def _mean(values: Sequence[float]) -> float:
    return statistics.mean(values) if values else 0.0
