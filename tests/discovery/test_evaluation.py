"""Measuring search on requests for which the right tools are known."""

import pytest

from discovery.search.evaluation import LabelledRequest, labelled_requests, measure_search
from tests.requirements import requirement


@requirement("Z13")
def test_recall_is_the_share_of_the_tools_that_are_still_there() -> None:
    asked = [
        LabelledRequest(request="one", tools=frozenset({"a", "b"})),
        LabelledRequest(request="two", tools=frozenset({"c", "gone"})),
        LabelledRequest(request="three", tools=frozenset({"gone"})),
    ]
    quality = measure_search(asked, frozenset("abcd"), lambda query, limit: list("adbc")[:limit], lambda query: frozenset("ab"))
    assert (quality.requests, quality.gone, quality.unknown) == (2, 1, ("gone",))
    assert quality.recall == {1: 0.25, 5: 1.0, 10: 1.0}
    assert (quality.offered, quality.missed) == (0.5, {"c": 1})


def test_nothing_to_measure_is_no_error() -> None:
    assert measure_search([], frozenset(), lambda query, limit: [], lambda query: frozenset()).requests == 0


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('\n{"request": "x"}', "line 2: tools: "),
        ('{"request": "", "tools": ["a"]}', "line 1: request: "),
        ('{"request": "x", "tools": "a"}', "line 1: tools: is not a list of the tools' full names"),
        ('{"request": " \\u3000", "tools": ["a"]}', "line 1: request: is empty"),
        ('{"request": "x", "tools": []}', "line 1: tools: names no tool"),
        ('[{"request": "x", "tools": ["a"]}]', 'line 1: is no object with "request" and "tools"'),
        ("nonsense", "line 1 is not JSON$"),
        ("[" * 100_000, "line 1 is not JSON"),
    ],
)
def test_a_line_that_cannot_be_used_is_named(text: str, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        labelled_requests(text)


def test_a_line_ends_where_json_lines_end_and_not_at_a_separator_within_a_text() -> None:
    (one, other) = labelled_requests('{"request": "a\u2028b", "tools": ["c"]}\r\n\r\n{"request": " d ", "tools": ["c"]}\r\n')
    assert (one.request, other.request) == ("a\u2028b", "d")
