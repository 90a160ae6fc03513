"""A figure that was read in one unit may be told in any other of the same measure, rounded as people round; another one may not."""

from decimal import Decimal
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autonomy.provenance import Sources, attribute
from autonomy.provenance.text.units import conversions, is_even, measure_alike, ratios
from tests.requirements import requirement

pytestmark = requirement("V4")
READ_AND_TOLD = [
    ("The case weighs 59 kg.", "The case weighs 130 lb.", "The case weighs 150 lb."),
    ("荷物は59 kgです。", "荷物は約130ポンドです。", "荷物は約150ポンドです。"),
    ("The walk is 12 km long.", "The walk is 7.5 miles long.", "The walk is 8.9 miles long."),
    ("The walk is 59 miles long.", "道のりは約95キロです。", "道のりは約85キロです。"),
    ("The kiln stood at 22.5 °C.", "The kiln stood at 72.5 °F.", "The kiln stood at 79.5 °F."),
    ("The kiln stood at 100 °F.", "窯は約38度でした。", "窯は約33度でした。"),
    ("The backup has 1536 MB.", "The backup has 1.5 GB.", "The backup has 1.9 GB."),
    ("The backup has 1536 MB.", "The backup has 1.54 GB.", "The backup has 1.84 GB."),
    ("The hall has 85 m² of floor.", "ホールの床は約26坪です。", "ホールの床は約36坪です。"),
    ("The tank holds 50 gallons.", "タンクには約190リットル入ります。", "タンクには約230リットル入ります。"),
    ("The wind blew at 30 knots.", "風は時速56 km/hでした。", "風は時速66 km/hでした。"),
]


def unsupported(read: str, told: str) -> list[str]:
    sources = Sources()
    sources.add_result("c1", "files_read", read)
    return [found.fact.text for found in attribute(told, sources).facts if not found.supported]


@pytest.mark.parametrize(("read", "told", "wrong"), READ_AND_TOLD)
def test_a_figure_told_in_another_unit_has_its_source_and_another_figure_has_none(read: str, told: str, wrong: str) -> None:
    assert unsupported(read, told) == []
    assert unsupported(read, wrong) != []


MEASURES = ["mm", "cm", "m", "km", "inch", "ft", "yd", "mi", "m2", "ha", "acre", "坪", "ml", "l", "gal", "g", "kg", "oz", "lb",
            "kj", "kcal", "km/h", "m/s", "mph", "kn", "kb", "mb", "gb", "kib", "gib", "度", "°f"]  # fmt: skip
ALIKE = [(one, other) for one, other in permutations(MEASURES, 2) if measure_alike(one, other)]


@given(st.sampled_from(ALIKE), st.decimals(-40, 5000, places=1))
def test_what_is_converted_there_and_back_is_the_same(units: tuple[str, str], figure: Decimal) -> None:
    one, other = units
    back = {round(again, 6) for there in conversions(figure, one, other) for again in conversions(there, other, one)}
    assert round(figure, 6) in back


@given(st.sampled_from(MEASURES), st.sampled_from(MEASURES), st.sampled_from(MEASURES))
def test_units_of_one_measure_are_alike_both_ways_and_through_a_third(one: str, other: str, third: str) -> None:
    assert measure_alike(one, other) == measure_alike(other, one) == bool(conversions(Decimal(1), one, other))
    assert not (measure_alike(one, other) and measure_alike(other, third)) or measure_alike(one, third)
    assert is_even(one, other) == is_even(other, one)
    assert len(ratios(one, other)) == len(ratios(other, one))


@given(st.sampled_from([(one, other) for one, other in ALIKE if not is_even(one, other)]), st.integers(20, 400))
def test_a_conversion_in_full_has_its_source_whatever_the_units(units: tuple[str, str], figure: int) -> None:
    one, other = units
    for exact in conversions(Decimal(figure), one, other):
        if 10 <= abs(exact) < 100_000:
            assert unsupported(f"The measured value was {figure} {one}.", f"The measured value was {round(exact)} {other}.") == []
