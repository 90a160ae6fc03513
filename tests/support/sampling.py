"""Long tables: a part of them whenever the tests run, all of them in the sweeps."""

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from typing import Any

import pytest
from _pytest.mark import ParameterSet


def in_part(values: Iterable[object], *, every: int, alike: Callable[[Any], Hashable] = lambda _: None) -> list[object]:
    """Parameters for pytest: of the values for which `alike` says the same, the first of each `every` runs always, the others only with
    `-m sweep`; so each kind has one that runs. A value may be a `pytest.param`, which keeps its id and marks; those with marks, which are
    expected to fail, are a kind of their own."""
    values = list(values)
    kinds = ((alike(value.values[0]), bool(value.marks)) if isinstance(value, ParameterSet) else alike(value) for value in values)
    return _first_of_each(every, zip(values, kinds, strict=True))


def rows_in_part(
    rows: Iterable[tuple[object, ...]], *, every: int, alike: Callable[..., Hashable] = lambda *_: None
) -> list[object]:
    """The same for rows of several values, all of which `alike` gets; a row may be a `pytest.param` too."""
    named = [row if isinstance(row, ParameterSet) else pytest.param(*row) for row in rows]
    return _first_of_each(every, ((row, (alike(*row.values), bool(row.marks))) for row in named))


def only(wanted: Collection[object], values: Iterable[object]) -> list[object]:
    """Parameters for pytest: the wanted ones run always, the others only with `-m sweep`."""
    return [value if value in wanted else _swept(value) for value in values]


def in_shares(values: Sequence[object], *, of: int) -> list[object]:
    """Parameters for pytest, each a list of values that one test takes together: every `of`-th value always, the rest only with
    `-m sweep`."""
    first, *others = (values[number::of] for number in range(of))
    return [pytest.param(first, id="share"), *(_swept(pytest.param(other, id=f"share{n}")) for n, other in enumerate(others, 2))]


def _first_of_each(every: int, values: Iterable[tuple[object, Hashable]]) -> list[object]:
    """Of values with their kinds."""
    seen: Counter[Hashable] = Counter()
    parameters = []
    for value, kind in values:
        parameters.append(_swept(value) if seen[kind] % every else value)
        seen[kind] += 1
    return parameters


def _swept(value: object) -> object:
    if isinstance(value, ParameterSet):
        return pytest.param(*value.values, id=value.id, marks=[*value.marks, pytest.mark.sweep])
    return pytest.param(value, marks=pytest.mark.sweep)
