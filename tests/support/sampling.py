"""Long tables: a part of them whenever the tests run, all of them in the sweeps."""

from collections.abc import Collection, Iterable

import pytest


def in_part(values: Iterable[object], *, every: int) -> list[object]:
    """Parameters for pytest: the first of each `every` values runs always, the others only with `-m sweep`."""
    return [value if number % every == 0 else _swept(value) for number, value in enumerate(values)]


def only(wanted: Collection[object], values: Iterable[object]) -> list[object]:
    """Parameters for pytest: the wanted ones run always, the others only with `-m sweep`."""
    return [value if value in wanted else _swept(value) for value in values]


def _swept(value: object) -> object:
    return pytest.param(value, marks=pytest.mark.sweep)
