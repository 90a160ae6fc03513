"""How many are told to lie above a limit is held against the rows that were read, in hours and minutes."""

import pytest

from autonomy.provenance.records.beyond_limits import miscounted
from autonomy.provenance.sources.result_rows import rows_of
from autonomy.provenance.sources.tabular.table_rows import other_figures
from autonomy.provenance.sources.tabular.tables import tables_of

HOURS = {
    "employees": [
        {"name": "Rin", "overtime_minutes": 2115, "leave_days": 3},
        {"name": "Sota", "overtime_minutes": 1950, "leave_days": 40},
        {"name": "Mei", "overtime_minutes": 600, "leave_days": 50},
    ]
}


@pytest.mark.parametrize(
    ("said", "counts"),
    [
        ("Two people were above 30 hours in October.", True),
        ("Three people were above 30 hours in October.", False),
        ("Nobody was above 30 hours.", False),
        ("Nobody was above 45 hours.", True),
        ("30時間を超えたのは2名です。", True),
        ("30時間を超えたのは1名です。", False),
        ("30時間を超えた人はいませんでした。", False),
        ("45時間を超えた人はいませんでした。", True),
        ("1日8時間を超えたのは月曜（1時間30分）です。", True),  # no number of people is told
        ("Three people were above 30 percent.", True),  # no column of that measure
        ("30時間を超えたのは、1名です。", False),
        ("The release took over 2 hours, and nobody was hurt.", True),  # nobody of another clause
        ("Nobody complained, although it took over 2 hours.", True),
        ("作業は2時間を超えましたが、けがをした人はいませんでした。", True),
        ("会議は2時間を超え、5名が参加しました。", True),
    ],
)
def test_a_count_above_a_limit_is_that_of_some_column_of_its_unit(said: str, counts: bool) -> None:
    tables = tables_of(rows_of("call-1", HOURS))
    assert (not list(miscounted(said, tables))) is counts


@pytest.mark.parametrize("figure", [float("nan"), 1e300, 10**40])
def test_a_figure_that_measures_nothing_stops_no_comparison_of_rows(figure: float) -> None:
    rows = [{"name": "Rin", "overtime_hours": figure, "age": 40}, {"name": "Sota", "overtime_hours": 35, "age": 41}]
    tables = tables_of(rows_of("call-1", {"employees": rows}))
    assert not list(miscounted("Two people were above 30 hours.", tables))
    assert list(other_figures("Rin has 35 points.", tables))
