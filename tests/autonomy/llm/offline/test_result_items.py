"""How results are looked through."""

import json
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autonomy.calls.results.result_truncation import truncate_result
from autonomy.llm.messages import ToolCall
from autonomy.llm.offline.result_items import answer_lines, content, first_value, moment_of, next_cursor
from autonomy.llm.offline.vocabulary import FIELDS
from autonomy.outcomes.classifier import classify
from discovery.catalog import ToolOutput
from tests.requirements import requirement
from tests.support.specs import tool

LEAVES = st.none() | st.booleans() | st.sampled_from(["", "a", "b", 0, 7])
RESULTS = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([*FIELDS.cursor, "rows"]), inner, max_size=3),
    max_leaves=12,
)


@given(RESULTS)
def test_the_cursor_of_the_first_name_that_a_result_has_a_value_for_leads_on(result: object) -> None:
    assert next_cursor(result) == next(filter(None, (first_value(result, field) for field in FIELDS.cursor)), None)


@requirement("V9")
def test_a_thing_without_words_is_told_by_its_fields_and_a_column_by_more_than_its_name() -> None:
    assert answer_lines({"date": "2026-11-21", "temp_min_c": -6}) == ["date: 2026-11-21, temp_min_c: -6"]
    assert answer_lines({"name": "price", "type": "REAL"}) == ["name: price, type: REAL"]
    assert answer_lines({"name": "Ann"}) == ["Ann"]


@pytest.mark.parametrize(("told", "zone"), [("0001-01-01T00:00:00Z", "America/New_York"), ("9999-12-31T23:59:59Z", "Asia/Tokyo")])
def test_a_moment_that_means_none_or_no_end_is_no_time_of_an_item(told: str, zone: str) -> None:
    assert moment_of({"created_at": told}, ZoneInfo(zone)) is None


@requirement("V9")
@pytest.mark.parametrize("instead", ["", "library_find"])
@pytest.mark.parametrize("text", ['{"books": []}', '{"books": [{"title": "Kitchen"}]}', "No book."])
def test_what_the_host_writes_above_a_result_is_no_part_of_it(text: str, instead: str) -> None:
    output, call = ToolOutput(text=text), ToolCall(id="1", name="library_search", arguments={})
    result = truncate_result(call, "turn-1/call-1", output, classify(output, tool("search")), answered_by=instead, is_write=False)
    assert content(result) == (json.loads(text) if text.startswith("{") else text)
    assert not any("holds no data" in line or "failed" in line for line in answer_lines(result))
