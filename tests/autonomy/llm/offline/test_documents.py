"""What a line of a document stands under: its heading, and the header of its own table."""

import pytest

from autonomy.llm.offline.lookup.documents import document_lines

TWO_TABLES = """\
# Rota

| week | on call |
|------|---------|
| 47   | Priya   |
| 48   | Magnus  |
{between}
| room | seats |
|:-----|------:|
| Oak  | 12    |

Ask in #rooms.
"""


@pytest.mark.parametrize(
    ("between", "heading"),
    [("", "# Rota"), ("\nThe rooms are booked apart.\n", "# Rota"), ("## Rooms", "## Rooms")],
    ids=["a blank line", "a paragraph", "a heading"],
)
def test_a_row_stands_under_the_header_of_its_own_table(between: str, heading: str) -> None:
    lines = {line.text: line for line in document_lines(TWO_TABLES.format(between=between))}
    assert [(line.text, line.columns, line.heading) for line in lines.values() if line.tells and line.columns] == [
        ("| 47   | Priya   |", "| week | on call |", "# Rota"),
        ("| 48   | Magnus  |", "| week | on call |", "# Rota"),
        ("| Oak  | 12    |", "| room | seats |", heading),
    ]
    assert not lines["| room | seats |"].tells
    assert not lines["|:-----|------:|"].tells
    assert lines["Ask in #rooms."] == ("Ask in #rooms.", heading, "")
    assert lines["Ask in #rooms."].tells


def test_no_line_of_a_document_without_a_table_has_columns() -> None:
    assert [(line.text, line.columns) for line in document_lines("# Rota\n\nPriya | Magnus\n")] == [
        ("# Rota", ""),
        ("Priya | Magnus", ""),
    ]
