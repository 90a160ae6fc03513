"""Units that measure the same quantity, and their conversion factors."""

from decimal import Decimal
from functools import lru_cache

_SIZES = {
    "time": {"ms": "0.001", "秒": "1", "分": "60", "時間": "3600", "日": "86400", "週間": "604800"},
    "months": {"か月": "1", "年": "12"},
    "length": {"mm": "0.001", "cm": "0.01", "m": "1", "km": "1000", "inch": "0.0254", "ft": "0.3048", "mi": "1609.344"},
    "mass": {"mg": "0.000001", "g": "0.001", "kg": "1", "t": "1000", "oz": "0.028349523125", "lb": "0.45359237"},
    "energy": {"wh": "1", "kwh": "1000", "mwh": "1000000", "gwh": "1000000000"},
    "speed": {"km/h": "1", "m/s": "3.6", "mph": "1.609344", "kn": "1.852"},
}
"""The units of each kind of measure, with how many of one of them each is."""
_SIZE_OF = {unit: (kind, Decimal(size)) for kind, units in _SIZES.items() for unit, size in units.items()}


@lru_cache(maxsize=2_000)  # asked for each measured field of a large result
def ratio(one: str, other: str) -> Decimal | None:
    """How many of another unit make one of this; None where they do not measure the same."""
    (kind, size), (other_kind, other_size) = (_SIZE_OF.get(unit, ("", Decimal(1))) for unit in (one, other))
    return size / other_size if kind and kind == other_kind else None


def converted(figure: Decimal, one: str, other: str) -> Decimal | None:
    """A figure of one unit in another one; None where they do not measure the same."""
    if (one, other) == ("°f", "度"):
        return (figure - 32) * 5 / 9
    if (one, other) == ("度", "°f"):
        return figure * 9 / 5 + 32
    many = ratio(one, other)
    return None if many is None else figure * many


def is_even(one: str, other: str) -> bool:
    """Whether one unit is so many whole ones of the other, so that people need not round: minutes and hours, metres and km."""
    return not {one, other} & _UNEVEN


_UNEVEN = frozenset({"inch", "ft", "mi", "oz", "lb", "km/h", "m/s", "mph", "kn"})


def units_like(unit: str) -> list[str]:
    """The other units that measure the same, of more than a letter: a letter stands in any text."""
    kind, _ = _SIZE_OF.get(unit, ("", Decimal(1)))
    return [other for other in _SIZES.get(kind, ()) if other != unit and len(other) > 1]
