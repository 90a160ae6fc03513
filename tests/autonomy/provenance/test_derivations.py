"""A figure that follows from what was read needs no source of its own, and one that does not is told apart."""

from decimal import Decimal
from itertools import permutations
from operator import add, sub

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autonomy.provenance import Sources, attribute
from autonomy.provenance.reckoning import derivations
from autonomy.provenance.reckoning.derivations import follows
from autonomy.provenance.sources.tabular.columns import is_told_as
from autonomy.provenance.text.facts import Fact, FactKind, exact_facts_in
from tests.autonomy.provenance.unsourced import unsupported_facts, without_source
from tests.requirements import requirement

BUDGET = "item,owner,planned,spent\nHosting,Rin,1200,1180\nTravel,Otto,3000,3450\nTraining,Mei,800,150\n"
WEEK = {
    "events": [
        {"id": "e1", "summary": "Stand-up", "start": {"dateTime": "2027-03-08T09:30:00+09:00"}, "end": {"dateTime": "2027-03-08T09:45:00+09:00"}},
        {"id": "e2", "summary": "Review", "start": {"dateTime": "2027-03-09T14:00:00+09:00"}, "end": {"dateTime": "2027-03-09T15:30:00+09:00"}},
    ]
}  # fmt: skip


@requirement("V1")
@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("Travel is 450 over: 3,450 spent of 3,000 planned", BUDGET),
        ("5,000 were planned and 4,780 spent, so 220 are left", BUDGET),
        ("The meetings take 1 h 45 min together", WEEK),
        ("Review takes 90 minutes", WEEK),
        ("The issue is 13 days old", {"issues": [{"number": 41, "title": "The issue", "created_at": "2027-02-20T09:00:00Z"}]}),
        ("The course takes 12 days, from 1 to 12 April", "The course is from 1 April to 12 April."),
        ("An order is 540.00 on average", {"rows": [{"orders": 95, "revenue": 51300.0}, {"orders": 1, "revenue": 7.0}]}),
        ("The file has 1.8 KB", {"files": [{"name": "a.md", "size": 1840}, {"name": "b.md", "size": 12}]}),
    ],
)
def test_what_can_be_reckoned_has_a_source(text: str, result: object) -> None:
    assert without_source(text, result) == []


@requirement("V1")
@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("Travel is 470 over: 3,450 spent of 3,000 planned", BUDGET),
        ("The meetings take 2 h 15 min together", WEEK),
        ("The issue is 17 days old", {"issues": [{"number": 41, "title": "The issue", "created_at": "2027-02-20T09:00:00Z"}]}),
        ("An order is 612.00 on average", {"rows": [{"orders": 95, "revenue": 51300.0}, {"orders": 1, "revenue": 7.0}]}),
        ("The file has 2.9 KB", {"files": [{"name": "a.md", "size": 1840}, {"name": "b.md", "size": 12}]}),
    ],
)
def test_what_is_reckoned_wrongly_has_none(text: str, result: object) -> None:
    assert len(without_source(text, result)) == 1


def test_a_day_that_a_message_calls_by_its_relative_name_is_known_and_another_is_not() -> None:
    said = {"messages": [{"user": "misaki", "text": "We try it next Tuesday", "time": "2027-03-04T11:00:00+09:00"}]}
    assert without_source("They try it on 9 March", said) == []
    assert without_source("They try it on 10 March", said) == ["10 March"]


def test_a_span_of_a_rule_ends_from_a_day_that_another_line_tells() -> None:
    loans = {
        "rule": "A loan can be renewed once, for 14 days from the day it is due.",
        "loans": [{"title": "Kilns", "due": "2027-03-20"}],
    }
    assert without_source("Renewed, the loan of Kilns is due on 3 April 2027", loans) == []
    assert without_source("Renewed, the loan of Kilns is due on 5 April 2027", loans) == ["5 April 2027"]


def test_a_day_that_was_asked_for_is_known() -> None:
    assert without_source("Friday, 12 March has no events", WEEK, time_max="2027-03-12T23:59:00+09:00") == []


@given(st.decimals(min_value=-10_000, max_value=10_000, places=4, allow_nan=False), st.integers(0, 3))
def test_a_figure_is_told_as_itself_rounded_either_way(exact: Decimal, places: int) -> None:
    step = Decimal(1).scaleb(-places)
    below = (exact / step).to_integral_value(rounding="ROUND_FLOOR") * step
    assert is_told_as(exact, below.quantize(step)) or is_told_as(exact, (below + step).quantize(step))
    assert not is_told_as(exact, (below + 3 * step).quantize(step))


@requirement("V1")
@pytest.mark.parametrize("text", ["37 of the boxes are red, 63 blue, 100 in all", "100 boxes in all. 63 are blue. 37 are red."])
def test_inventions_that_add_up_do_not_prove_each_other(text: str) -> None:
    assert len(without_source(text, {"boxes": [{"name": "one", "weight": 12.5}]})) == 3


def test_a_total_over_pages_and_watt_hours_told_as_kilowatt_hours_follow_from_what_was_read() -> None:
    sources = Sources()
    for page, amounts in enumerate(((50, 120), (25, 200), (40, 300))):
        rows = [{"name": f"donor {page}{at}", "amount": amount} for at, amount in enumerate(amounts)]
        sources.add_result(f"c{page}", "list", {"rows": rows}, arguments={"page": page})
    sources.add_result("meter", "statistics", {"used": 3450, "unit": "Wh"}, arguments={})
    told = attribute("In all £735. 3.45 kWh were used.", sources)
    assert not unsupported_facts(told), unsupported_facts(told)
    altered = attribute("In all £736. 3.47 kWh were used.", sources)
    assert [fact.text for fact in unsupported_facts(altered)] == ["£736", "3.47 kWh"]


def euros(value: int) -> Fact:
    return Fact(FactKind.NUMBER, str(value), 0, 0, (str(value),), "EUR")


@requirement("V1")
@given(st.integers(-9, 9), st.lists(st.integers(-9, 9), max_size=5))
def test_a_figure_follows_from_two_others_as_if_all_pairs_were_tried(value: int, others: list[int]) -> None:
    pairs = list(permutations(dict.fromkeys(others), 2))
    is_sum, is_difference = (any(value == reckon(*pair) for pair in pairs) for reckon in (add, sub))
    expected = "sum" if is_sum else "difference" if is_difference else ""
    assert follows(euros(value), [euros(other) for other in others]) == expected


@requirement("K10")
def test_the_lines_near_a_list_of_figures_are_read_once_however_many_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    read = list[str]()
    monkeypatch.setattr(derivations, "exact_facts_in", lambda text: read.append(text) or exact_facts_in(text))
    derivations._numbers_in.cache_clear()
    without_source(", ".join(str(figure) for figure in range(1_000, 1_300)), BUDGET)
    assert sorted(set(read)) == sorted(read)
