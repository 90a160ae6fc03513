"""The templates of job arguments: tables with a figure that decides, and minutes as people say them."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autonomy.llm.templates import format_hours, read_figure, table_of, tables_in
from tests.requirements import requirement


@requirement("Y3")
def test_a_table_names_its_fields_what_is_told_in_hours_and_which_rows_count() -> None:
    table = table_of("hours[name, total_overtime_minutes:hours where total_overtime_minutes > 45 h]")
    assert table is not None
    assert (table.need, table.fields, table.as_hours) == ("hours", ("name", "total_overtime_minutes"), {"total_overtime_minutes"})
    assert [table.counts({"total_overtime_minutes": minutes}) for minutes in (2701, 2700, None, True, "2701")] == [
        True,
        *[False] * 4,
    ], "a figure that nobody knows is above nothing"
    assert table.cell("total_overtime_minutes", 2715, "en") == "45 h 15 min"
    assert table.cell("name", "Maya", "en") == "Maya"


def test_a_table_without_a_condition_counts_every_row() -> None:
    (table,) = tables_in({"rows": "{{hours[month, name]}}", "user": "{{inputs.user}}", "text": "{{result}}", "n": 3})
    assert (table.fields, table.as_hours, table.counts({})) == (("month", "name"), frozenset(), True)


@pytest.mark.parametrize("wrong", ["hours[name where minutes > many]", "hours[name, minutes:days]", "hours[a where b > 45 d]"])
def test_a_table_that_cannot_be_read_says_what_it_should_say(wrong: str) -> None:
    with pytest.raises(ValueError, match=r"\(say "):
        table_of(wrong)


@pytest.mark.parametrize("language", ["ja", "en"])
@given(st.integers(0, 100_000))
def test_no_minute_is_lost_between_minutes_and_hours(language: str, minutes: int) -> None:
    told = {"h": 60, "時間": 60, "min": 1, "分": 1}
    figures = {unit: number for number, unit in re.findall(r"(\d+) ?(h|min|時間|分)", format_hours(minutes, language))}
    assert sum(int(number) * told[unit] for unit, number in figures.items()) == minutes


@given(st.integers(0, 10_000))
def test_hours_of_a_figure_are_minutes(hours: int) -> None:
    assert read_figure(f" {hours} h") == read_figure(f"{hours}H") == hours * 60
    assert read_figure(str(hours)) == hours
