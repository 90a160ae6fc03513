"""Units that measure the same quantity, and figures of one told in another."""

from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

_SIZES = {
    "time": {"ms": "0.001", "秒": "1", "分": "60", "時間": "3600", "日": "86400", "週間": "604800"},
    "months": {"か月": "1", "年": "12"},
    "length": {
        "mm": "0.001", "cm": "0.01", "m": "1", "km": "1000", "inch": "0.0254", "ft": "0.3048", "yd": "0.9144", "mi": "1609.344",
    },
    "area": {"m2": "1", "km2": "1000000", "ha": "10000", "acre": "4046.8564224", "ft2": "0.09290304", "坪": "3.305785"},
    "volume": {"ml": "0.001", "l": "1", "gal": "3.785411784"},
    "mass": {"mg": "0.000001", "g": "0.001", "kg": "1", "t": "1000", "oz": "0.028349523125", "lb": "0.45359237"},
    "energy": {"wh": "1", "kwh": "1000", "mwh": "1000000", "gwh": "1000000000"},
    "food energy": {"kj": "1", "kcal": "4.184"},
    "power": {"w": "1", "kw": "1000"},
    "pressure": {"hpa": "1", "kpa": "10", "mmhg": "1.33322387415"},
    "speed": {"km/h": "1", "m/s": "3.6", "mph": "1.609344", "kn": "1.852"},
    "data": {"b": "1", "kb": "1000", "mb": "1000000", "gb": "1000000000", "tb": "1000000000000"},
    "binary data": {"b": "1", "kb": "1024", "mb": "1048576", "gb": "1073741824", "tb": "1099511627776",
                    "kib": "1024", "mib": "1048576", "gib": "1073741824"},
    "temperature": {"度": "1", "°f": "1"},
}  # fmt: skip
"""The units of each kind of measure, with how many of one of them each is. Sizes of data count in thousands or in 1,024s."""


class _Kind(NamedTuple):
    name: str
    size: Decimal


_KINDS_OF: dict[str, tuple[_Kind, ...]] = {
    unit: tuple(_Kind(kind, Decimal(units[unit])) for kind, units in _SIZES.items() if unit in units)
    for unit in dict.fromkeys(unit for units in _SIZES.values() for unit in units)
}


@lru_cache(maxsize=2_000)  # asked for each measured field of a large result
def ratios(one: str, other: str) -> tuple[Decimal, ...]:
    """How many of another unit make one of this, by each way to count; none where they are not so many of each other."""
    sizes = {kind: size for kind, size in _KINDS_OF.get(other, ()) if kind != "temperature" or one == other}
    return tuple(dict.fromkeys(size / sizes[kind] for kind, size in _KINDS_OF.get(one, ()) if kind in sizes))


def ratio(one: str, other: str) -> Decimal | None:
    """How many of another unit make one of this, in plain thousands; None where they are not so many of each other."""
    return next(iter(ratios(one, other)), None)


def conversions(figure: Decimal, one: str, other: str) -> tuple[Decimal, ...]:
    """What a figure of one unit is in another one, by each way to count; nothing where they do not measure the same."""
    if (one, other) == ("°f", "度"):
        return ((figure - 32) * 5 / 9,)
    if (one, other) == ("度", "°f"):
        return (figure * 9 / 5 + 32,)
    return tuple(figure * many for many in ratios(one, other))


def measure_alike(one: str, other: str) -> bool:
    """Whether two units measure the same quantity."""
    return bool({kind for kind, _ in _KINDS_OF.get(one, ())} & {kind for kind, _ in _KINDS_OF.get(other, ())})


def is_even(one: str, other: str) -> bool:
    """Whether one unit is so many whole ones of the other, so that people need not round: minutes and hours, metres and km."""
    greater = [max(each) for each in zip(ratios(one, other), ratios(other, one), strict=True)]
    return bool(greater) and all(many == many.to_integral_value() for many in greater)


@lru_cache(maxsize=500)
def uneven_to(unit: str) -> frozenset[str]:
    """The units that measure the same and are no whole number of this one, or this one of them."""
    return frozenset(other for other in _KINDS_OF if measure_alike(unit, other) and not is_even(unit, other))


def units_like(unit: str) -> list[str]:
    """The other units that measure the same, of more than a letter: a letter stands in any text."""
    alike = (other for kind, _ in _KINDS_OF.get(unit, ()) for other in _SIZES[kind])
    return [other for other in dict.fromkeys(alike) if other != unit and len(other) > 1]
