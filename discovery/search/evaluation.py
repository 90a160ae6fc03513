"""Measures search on requests for which the right tools are known."""

import json
import statistics
from collections.abc import Callable, Iterable, Sequence
from typing import Annotated

from pydantic import Field, StringConstraints, ValidationError

from discovery.catalog import Frozen

DEPTHS = (1, 5, 10)
_PROBLEMS = {
    ("model_type",): 'is no object with "request" and "tools"',
    ("frozen_set_type", "tools"): "is not a list of the tools' full names",
    ("too_short", "tools"): "names no tool",
    ("string_too_short", "request"): "is empty",
}
"""Pydantic's kind of a mistake, and the key if there is one → what is wrong, in the words of the file."""


class LabelledRequest(Frozen):
    """A request and the full names of the tools it needed."""

    request: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
    tools: frozenset[str] = Field(min_length=1)


class SearchQuality(Frozen):
    """The quality of a search; shares are between 0 and 1, and means over the requests."""

    requests: int
    recall: dict[int, float]
    """Depth → the share of a request's tools among that many results."""
    offered: float
    """The share of a request's tools among those that a model is offered with the request."""
    missed: dict[str, int]
    """Tools that were not offered → the number of requests, the most missed first."""
    gone: int
    """The number of requests that were skipped because none of their tools exists any more."""
    unknown: tuple[str, ...] = ()
    """Names of tools that do not exist, sorted; they are ignored."""


def labelled_requests(text: str) -> tuple[LabelledRequest, ...]:
    """Parse JSON Lines of `{"request": …, "tools": [full names]}`. Raises ValueError that names the line and the key."""
    found = []
    for number, line in enumerate(text.split("\n"), 1):  # `splitlines` would cut a JSON text at U+2028
        if not line.strip():
            continue
        try:
            found.append(LabelledRequest.model_validate(json.loads(line)))
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            problem = _PROBLEMS.get((first["type"], *map(str, first["loc"][:1])), first["msg"])
            where = ".".join(map(str, first["loc"]))
            raise ValueError(": ".join(filter(None, (f"line {number}", where, problem)))) from error
        except (ValueError, RecursionError) as error:
            raise ValueError(f"line {number} is not JSON") from error
    return tuple(found)


def measure_search(
    requests: Iterable[LabelledRequest],
    there: frozenset[str],
    search: Callable[[str, int], Sequence[str]],
    offer: Callable[[str], frozenset[str]],
) -> SearchQuality:
    """Measure the search on these requests.

    `there` holds the full names of all tools. `search` takes a request and a number of results, and returns names, best first;
    `offer` returns the names that a model would be offered with a request.
    """
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
