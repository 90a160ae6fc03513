"""How results are looked through."""

from hypothesis import given
from hypothesis import strategies as st

from autonomy.llm.offline.result_items import first_value, next_cursor
from autonomy.llm.offline.vocabulary import FIELDS

LEAVES = st.none() | st.booleans() | st.sampled_from(["", "a", "b", 0, 7])
RESULTS = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([*FIELDS.cursor, "rows"]), inner, max_size=3),
    max_leaves=12,
)


@given(RESULTS)
def test_the_cursor_of_the_first_name_that_a_result_has_a_value_for_leads_on(result: object) -> None:
    assert next_cursor(result) == next(filter(None, (first_value(result, field) for field in FIELDS.cursor)), None)
