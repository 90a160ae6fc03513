"""The rows of a result are found in the wrappings of other people's interfaces."""

from autonomy.provenance.sources.result_rows import rows_of
from autonomy.provenance.sources.tabular.text_tables import with_rows
from tests.requirements import requirement

pytestmark = requirement("V1")


def test_the_fields_of_an_issue_are_cells_of_its_row() -> None:
    issue = {"key": "SHOP-84", "fields": {"summary": "Rounding", "status": {"name": "Done"}, "assignee": None, "story_points": 3}}
    (row,) = rows_of("c1", {"issues": [issue]})
    assert row.cells == {"key": "SHOP-84", "summary": "Rounding", "status": "Done", "story_points": 3}
    assert row.empty == {"assignee"}


def test_a_value_in_an_object_of_its_type_is_a_cell() -> None:
    properties = {
        "Name": {"type": "title", "title": [{"plain_text": "Press kit"}]},
        "Due": {"type": "date", "date": {"start": "2027-03-12", "end": None}},
        "Owner": {"type": "people", "people": [{"name": "Tom"}]},
        "Budget": {"type": "number", "number": 800},
    }
    (row,) = rows_of("c1", [{"id": "p2", "properties": properties}])
    assert row.cells == {"id": "p2", "Name": "Press kit", "Due": "2027-03-12", "Owner": "Tom", "Budget": 800}


def test_the_moment_beside_a_name_is_a_cell_and_what_stands_outside_counts_first() -> None:
    commit = {"author": {"name": "Ken", "date": "2027-03-04T23:10:00Z"}, "message": "Fix"}
    (row,) = rows_of("c1", [{"sha": "9f1c2ab", "commit": commit, "author": {"login": "kmori"}}])
    assert row.cells == {"sha": "9f1c2ab", "author": "kmori", "message": "Fix", "date": "2027-03-04T23:10:00Z"}


def test_what_a_terminal_prints_in_columns_is_rows_and_prose_is_none() -> None:
    rows = with_rows("Filesystem  Size  Used Use% Mounted on\n/dev/sda1   234G  198G  90% /\n/dev/sdb1   1.8T  612G  36% /data\n")
    assert rows is not None
    assert [(row["Use%"], row["Mounted on"]) for row in rows] == [("90%", "/"), ("36%", "/data")]
    assert with_rows("We met at 9\nWe left at 5\nWe were 3 there") is None
