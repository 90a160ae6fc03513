"""Long tables: a part of them whenever the tests run, all of them in the sweeps."""

from collections.abc import Collection, Iterable

import pytest
from _pytest.mark import ParameterSet


def in_part(values: Iterable[object], *, every: int) -> list[object]:
    """Parameters for pytest: the first of each `every` values runs always, the others only with `-m sweep`. A value may be a
    `pytest.param`, which keeps its id and marks."""
    return [value if number % every == 0 else _swept(value) for number, value in enumerate(values)]


def only(wanted: Collection[object], values: Iterable[object]) -> list[object]:
    """Parameters for pytest: the wanted ones run always, the others only with `-m sweep`."""
    return [value if value in wanted else _swept(value) for value in values]


def _swept(value: object) -> object:
    if isinstance(value, ParameterSet):
        return pytest.param(*value.values, id=value.id, marks=[*value.marks, pytest.mark.sweep])
    return pytest.param(value, marks=pytest.mark.sweep)
