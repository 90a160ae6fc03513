"""What is told of several rows is held against them, whatever stands in their cells."""

import json

import pytest

from autonomy.provenance.sources.result_rows import rows_of
from autonomy.provenance.sources.row_states import ranked_wrongly
from autonomy.provenance.sources.tabular.tables import tables_of
from tests.requirements import requirement

pytestmark = requirement("V2")
SPENT = {"Hosting": 900, "Travel": 700, "Training": 500, "Books": 300}


def table(**odd: float) -> str:
    """What a server answers; Python's `json` writes and reads NaN and Infinity."""
    return json.dumps([{"item": item, "spent": spent} for item, spent in {**SPENT, **odd}.items()])


@pytest.mark.parametrize("odd", [float("nan"), float("inf"), float("-inf")])
@pytest.mark.parametrize(
    ("lines", "left_out"),
    [(["Hosting: 900", "Travel: 700", "Training: 500"], []), (["Hosting: 900", "Training: 500", "Books: 300"], ["700"])],
)
def test_a_cell_that_is_no_number_has_no_place_in_a_ranking(odd: float, lines: list[str], left_out: list[str]) -> None:
    tables = tables_of(rows_of("c1", json.loads(table(Postage=odd))))

    assert [figure for figure, _ in ranked_wrongly(lines, tables)] == left_out
