"""A list of alike objects is taken in columns, and gives what its objects give one by one."""

from datetime import date
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from autonomy.provenance import Sources
from autonomy.provenance.sources import leaves
from autonomy.provenance.sources.evidence_units import LONGEST_FIELD, are_lines, is_line
from autonomy.provenance.sources.result_rows import MOST_ROWS, rows_of
from autonomy.provenance.sources.tabular.columns import MOST_MEASURED

KEYS = ["id", "ts", "text", "title", "user_id", "user_name", "channel_name", "created_at", "merged", "amount", "url"]
KEYS += ["note", "timezone", "values", "2026-11-20", "weird key", "reply_count", "{}", ""]
TEXTS = [
    "会議の報告",
    "2026-11-20T10:00:00+09:00",
    "1795000000.000100",
    "12.50",
    "-5",
    "",
    "ok\nfine",
    "x" * 130,
    "Asia/Tokyo",
    " a ",
]
TEXTS += ["https://example.com/a%20b", "file:///a b/c", "https://example.com/x", "10:30", "2026-11-20", "open"]
COLUMNS = st.sampled_from(
    [
        st.sampled_from(TEXTS),
        st.sampled_from(["open", "closed"]),
        st.sampled_from(["2026-11-20T10:00:00Z", "2026-11-20T11:30:00-03:30"]),
        st.integers(-3, 2_000_000_000),
        st.floats(allow_nan=False),
        st.booleans(),
        st.none() | st.integers(0, 9) | st.sampled_from(TEXTS),
    ]
)


@st.composite
def results(draw: st.DrawFn) -> dict[str, Any]:
    names = draw(st.lists(st.sampled_from(KEYS), min_size=1, max_size=6, unique=True))
    kinds = [draw(COLUMNS) for _ in names]
    rows = [{name: draw(kind) for name, kind in zip(names, kinds, strict=True)} for _ in range(draw(st.integers(8, 12)))]
    return {"total": 2, "found": rows, "next": None}


def everything_of(result: Any, *, steered: bool) -> list[object]:
    """All that a run's sources keep of one result, in order."""
    sources = Sources(date(2026, 11, 22), ZoneInfo("Asia/Tokyo"))
    sources.add_result("c1", "list", result, steered=steered, arguments={"channel": "general"})
    texts = [(text.origin, text.moments, text.paths, text.keys, text.values) for text in sources._texts]
    told = texts, sources.figures(), sources.units, sources.counts(), sources.minutes_taken(), sources.column_figures()
    people = sources.identities.names_of("U07A"), sources.identities.names_of("open")
    return [*told, *people, sources._offsets, sources._zones, sources._spaced, [tuple(table) for table in sources.tables()]]


@example({"found": [{"text": "x" * 130, "ts": "1795000000.000100", "note": None} for _ in range(9)]}, True)
@example({"found": [{"amount": amount} for amount in (1.5, float("inf"), float("-inf"), *range(6))]}, False)  # they have no sum
@given(results(), st.booleans())
def test_alike_objects_give_what_they_give_one_by_one(result: dict[str, Any], steered: bool) -> None:
    in_columns = everything_of(result, steered=steered)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(leaves, "FEWEST_ALIKE", 1_000_000)
        assert everything_of(result, steered=steered) == in_columns


def test_of_a_long_list_the_last_rows_are_kept() -> None:
    rows = rows_of("c1", [{"number": at, "state": "open"} for at in range(MOST_ROWS + 5)])
    assert [rows[0].cells["number"], rows[-1].cells["number"], len(rows)] == [MOST_ROWS + 4, 5, MOST_ROWS]


def test_a_figure_in_another_unit_is_found_among_thousands_and_at_the_edge_of_rounding() -> None:
    sources = Sources()
    fields = [*range(1, 3_000, 7), 5_400, 10**19, float("nan"), float("inf")]
    sources.add_result("c1", "list", {"rows": [{"name": f"n{at}", "seconds": value} for at, value in enumerate(fields)]})
    measured = sources.measured()
    assert max(measured.figures) < MOST_MEASURED
    assert [len(measured.figures), measured.sizes] == [len(measured.sizes), sorted(measured.sizes)]


CELLS = st.one_of(st.text("ab\n.1", max_size=4), st.just("a" * (LONGEST_FIELD + 1)), st.none(), st.integers())


@given(st.lists(CELLS, min_size=1, max_size=4))
def test_a_column_of_lines_is_one_whose_values_are_each_a_line(column: list[Any]) -> None:
    assert are_lines(column) == all(isinstance(value, str) and is_line(value) for value in column)
