"""JSON that is nested too deep is cut there, and nowhere else."""

import json
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discovery.transport.message_limits import CUT, DEEPEST_READ, cut_where_too_deep

VALUES = st.recursive(
    st.none() | st.integers() | st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=20
)


@given(VALUES)
def test_what_is_no_deeper_than_is_read_stays_byte_for_byte(value: Any) -> None:
    message = json.dumps(value).encode()
    assert cut_where_too_deep(message) == message


@pytest.mark.parametrize("depth", [DEEPEST_READ, DEEPEST_READ + 1, 900, 100_000])
def test_what_is_below_is_a_text_in_its_place_and_its_neighbours_stay(depth: int) -> None:
    message = b'{"a":%s"x]}\\"{"%s,"b":[1]}' % (b"[" * depth, b"]" * depth)
    found = json.loads(cut_where_too_deep(message))
    assert found["b"] == [1]
    assert (CUT in cut_where_too_deep(message)) is (depth + 1 > DEEPEST_READ)


def test_what_never_closes_stays_as_it_is_and_is_found_in_one_pass() -> None:
    for part in (b"[", b"]", b'"', b'{"a":', b'\\"', b'"\\'):
        start = time.process_time()
        assert cut_where_too_deep(part * 200_000)
        assert time.process_time() - start < 20, "quadratic: a minute and more"
