"""A figure that is reckoned from others of a text has them for its source, and one that they do not make has none."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autonomy.provenance.reckoning.expressions import MOST_TRIED, KnownFigure, is_expression
from autonomy.provenance.text.facts import Fact, FactKind, number_key
from tests.autonomy.provenance.unsourced import without_source
from tests.requirements import requirement

pytestmark = requirement("V1")
BILL = {"jan": 1288.80, "feb": 1210.00, "currency": "USD"}
RATES = {"base": "EUR", "rates": {"JPY": 163.42, "USD": 1.0871}}
HOURS = {"values": [["氏名", "部署", "1月", "2月"], ["浅野", "開発", "41:30", "46:15"], ["石川", "開発", "28:45", "31:00"]]}
SALES = " store |  jan  |  feb  \n-------+-------+-------\n Bath  | 19880 | 22310\n York  | 33975 | 30120\n(2 rows)"
LOG = "13:30 release\n14:27 recovered"
DEALS = [{"name": "Acme", "amount": 48000}, {"name": "Cobalt", "amount": 15500}, {"name": "Elm", "amount": 9800}]
TRACK = {"track": {"name": "Slow Satellite", "duration_ms": 301240}}
FLIGHT = {"itineraries": [{"duration": "PT3H50M"}]}
SOUP = "Serves 4.\n- 250 g red lentils\n- 1.2 litres stock\n- 1 can (400 g) chopped tomatoes"


@pytest.mark.parametrize(
    ("text", "wrong", "result", "goal"),
    [
        (
            "The bill fell by $78.80, from $1,288.80 to $1,210.00.",
            "The bill fell by $87.80, from $1,288.80 to $1,210.00.",
            BILL,
            "",
        ),
        ("It fell by 6.1%, from $1,288.80 to $1,210.00.", "It fell by 9.3%, from $1,288.80 to $1,210.00.", BILL, ""),
        ("480ドルはおよそ72,160円です。", "480ドルはおよそ78,160円です。", RATES, "480ドルは何円？"),
        (
            "浅野さんは46時間15分で、1月から4時間45分増えました。",
            "浅野さんは46時間15分で、1月から5時間45分増えました。",
            HOURS,
            "",
        ),
        ("開発の2月は77時間15分です。", "開発の2月は77時間25分です。", HOURS, ""),
        ("All stores slipped from 53,855 to 52,430.", "All stores slipped from 53,855 to 52,340.", SALES, ""),
        (
            "Released at 13:30, recovered at 14:27, after 57 minutes.",
            "Released at 13:30, recovered at 14:27, after 75 minutes.",
            LOG,
            "",
        ),
        (
            "Deals worth 73,300:\n- Acme 48,000\n- Cobalt 15,500\n- Elm 9,800",
            "Deals worth 74,300:\n- Acme 48,000\n- Cobalt 15,500\n- Elm 9,800",
            DEALS,
            "",
        ),
        ("*Slow Satellite* is 5:01 long.", "*Slow Satellite* is 5:31 long.", TRACK, ""),
        (
            "- 375 g red lentils\n- 600 g chopped tomatoes",
            "- 375 g red lentils\n- 450 g chopped tomatoes",
            SOUP,
            "The soup for six, please.",
        ),
        (
            "- Lentils 375 g\n- Tomatoes 600 g",
            "- Lentils 500 g\n- Tomatoes 800 g",
            "- Lentils 250 g\n- Tomatoes 400 g\n3 shops sell it, for 4 people",
            "The list for 6 people, please.",
        ),
        ("The flight takes 3 h 50 min.", "The flight takes 2 h 50 min.", FLIGHT, ""),
    ],
)
def test_what_is_reckoned_from_known_figures_has_a_source_and_what_is_not_has_none(
    text: str, wrong: str, result: object, goal: str
) -> None:
    assert without_source(text, result, goal) == []
    assert without_source(wrong, result, goal) != []


def figure(value: Decimal, unit: str = "") -> Fact:
    written = format(value, "f")
    return Fact(FactKind.NUMBER, written, 0, len(written), (number_key(value),), unit)


@given(st.integers(1_000, 99_999), st.integers(1_000, 99_999))
def test_the_sum_of_two_figures_is_an_expression_of_them(one: int, other: int) -> None:
    assert is_expression(figure(Decimal(one + other), "USD"), [KnownFigure(one, "USD"), KnownFigure(other, "USD")])


@given(st.lists(st.integers(10, 99), min_size=MOST_TRIED, max_size=MOST_TRIED, unique=True))
def test_a_short_figure_among_many_proves_nothing(known: list[int]) -> None:
    assert not is_expression(figure(Decimal(known[0] + known[1]), "件"), [KnownFigure(one, "件") for one in known])


@given(st.integers(10, 9_999), st.integers(10, 9_999))
def test_figures_of_different_measures_are_not_added(one: int, other: int) -> None:
    assert not is_expression(figure(Decimal(one + other), "kg"), [KnownFigure(one, "kg"), KnownFigure(other, "km")])


def test_a_share_of_nothing_is_no_source() -> None:
    assert without_source("It stays between -3 °C and 0 °C, and rain is 45 % likely.", "-3 °C to 0 °C, 12 °C inside", "") == [
        "45 %"
    ]
    assert not is_expression(figure(Decimal(45), "%"), [KnownFigure(-3.0, "度"), KnownFigure(0.0, "度")])


@given(
    st.integers(-500, 500).map(Decimal),
    st.lists(st.tuples(st.integers(-5, 5) | st.floats(-1e6, 1e6), st.sampled_from(["", "%", "度", "USD", "分"])), max_size=6),
    st.sampled_from(["", "%", "割", "度", "°f", "USD", "円", "分", "時間", "件"]),
)
def test_any_figures_can_be_reckoned_with(told: Decimal, known: list[tuple[float, str]], unit: str) -> None:
    figures = [KnownFigure(float(value), one) for value, one in known]
    assert isinstance(is_expression(figure(told, unit), figures), bool)
