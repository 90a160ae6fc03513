"""Tables in plain text are read as rows, and prose is left alone."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autonomy.provenance.sources.tabular.text_tables import typed, with_named_cells, with_rows
from tests.requirements import requirement

WORDS = st.text(alphabet="abcdefghij ,;\"'\n日本", min_size=0, max_size=12).map(str.strip)


@requirement("V1")
@given(st.lists(st.tuples(WORDS, st.integers(-10_000, 10_000), WORDS), min_size=2, max_size=20))
def test_every_cell_of_a_csv_file_is_found_in_its_row(rows: list[tuple[str, int, str]]) -> None:
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(["item", "spent", "note"])
    writer.writerows((word.replace("\n", " "), figure, note.replace("\n", " ")) for word, figure, note in rows)
    found = with_rows(file.getvalue())
    assert found is not None
    assert [row["spent"] for row in found] == [figure for _, figure, _ in rows]


@requirement("V1")
def test_columns_beside_one_another_are_rows() -> None:
    daily = {"time": ["2027-03-06", "2027-03-07", "2027-03-08"], "rain": [10, None, 85], "sky": ["clear", "clear", "rain"]}
    assert with_named_cells({"zone": "Asia/Tokyo", "daily": daily})["daily"] == {
        "rows": [
            {"time": "2027-03-06", "rain": 10, "sky": "clear"},
            {"time": "2027-03-07", "rain": None, "sky": "clear"},
            {"time": "2027-03-08", "rain": 85, "sky": "rain"},
        ]
    }


@requirement("V1")
@pytest.mark.parametrize(
    "lists",
    [
        {"labels": ["bug", "ui", "web"], "assignees": ["rin", "otto", "kai"]},
        {"names": ["a", "b", "b"], "figures": [1, 2, 3]},
        {"names": ["a", "b"], "figures": [1, 2]},
        {"names": ["a", "b", "c"], "figures": [1, 2]},
        {"names": ["a", "b", "c"], "rows": [{"n": 1}, {"n": 2}, {"n": 3}]},
    ],
)
def test_lists_that_belong_to_one_thing_are_no_columns(lists: dict[str, list[object]]) -> None:
    assert with_named_cells({"issue": lists}) == {"issue": lists}


def test_a_markdown_table_is_rows_and_the_lines_around_it_stay() -> None:
    assert with_rows("# Hours\n\n| Who | Hours |\n|:--|--:|\n| Rin | 31.5 |\n| Otto | 1,028 |\n\nThat was all.") == [
        {"Who": "Rin", "Hours": 31.5},
        {"Who": "Otto", "Hours": 1028},
        "# Hours\n\n\nThat was all.",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Bread, milk, eggs\nRin, Otto and two more come at eight\nParis is too far",
        "Yes, it is.\nNo, it is not.\nWell, perhaps.",
        "one line, alone",
        "1, 2, 3\n4, 5, 6\n7, 8, 9",
        "a | b\nno rule below",
        '"unclosed, quote\nnext, line\nlast, one',
    ],
)
def test_prose_is_no_table(text: str) -> None:
    assert with_rows(text) is None


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        ("1,200", 1200),
        ("-3.50", -3.5),
        ("007", "007"),
        ("0", 0),
        ("0.5", 0.5),
        ("12:30", "12:30"),
        ("1,2", "1,2"),
        ("", ""),
        ("9" * 400, "9" * 400),
    ],
)
def test_a_cell_is_a_number_only_where_it_is_one(cell: str, value: object) -> None:
    assert typed(cell) == value


def test_a_table_of_millions_of_characters_is_left_alone() -> None:
    assert with_rows("a,b,c\n" + "1,2,3\n" * 400_000) is None
