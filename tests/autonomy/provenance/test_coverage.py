"""What was listed and not read to the end is missing, however the server pages."""

from typing import Any

import pytest

from autonomy.provenance import CallView, coverage_of
from autonomy.provenance.coverage import totals_not_listed, unread_calls
from autonomy.provenance.sources.leaves import ResultContent
from discovery.catalog import Effect
from metrics.text.phrases import read_phrases
from tests.requirements import requirement

SAYS_CUT = [one for told in read_phrases("autonomy.provenance")["says_cut"].examples.values() for one in told]


def call(tool: str, arguments: dict[str, Any], result: Any, *more: Any, **marks: Any) -> CallView:
    return CallView(tool, arguments, ResultContent(result), *more, **marks)


LISTED = call(
    "list_channels",
    {},
    {"channels": [{"id": "C1", "name": "dev"}, {"id": "C2", "name": "general"}, {"id": "C3", "name": "雑談"}]},
)


def read(channel: str, result: Any = None, **more: Any) -> CallView:
    return call(
        "history", {"channel_id": channel, **more.pop("arguments", {})}, {"messages": []} if result is None else result, **more
    )


@requirement("V2")
def test_one_of_three_channels_is_a_third() -> None:
    (found,) = coverage_of([LISTED, read("C1")])
    assert (found.kind, found.visited, found.missing) == ("channel_id", ("C1",), ("C2", "C3"))
    assert dict(found.names)["C2"] == "general"


def test_all_channels_by_id_or_by_name_are_all() -> None:
    (found,) = coverage_of([LISTED, read("C1"), read("#general"), read("雑談")])
    assert found.missing == ()


def test_what_was_read_before_it_was_listed_is_read() -> None:
    (found,) = coverage_of([read("C1"), read("#general"), LISTED, read("C3")])
    assert (set(found.visited), found.missing) == ({"C1", "C2", "C3"}, ())
    (found,) = coverage_of([read("C1"), read("C3", is_error=True), LISTED])
    assert found.missing == ("C2", "C3")


def test_a_number_alone_visits_what_is_listed_only_after_the_listing() -> None:
    listed, page = call("list_issues", {}, {"issues": [{"id": 2}, {"id": 3}]}), call("search", {"page": 2}, {"hits": []})
    assert coverage_of([page, listed]) == ()
    (found,) = coverage_of([page, listed, call("get_issue", {"number": 3}, {"title": "Rain"})])
    assert (found.kind, found.missing) == ("number", ("2",))


@requirement("V2")
@pytest.mark.parametrize(
    "left",
    [
        read("C3", is_error=True),
        read("C3", {"messages": [], "next_cursor": "abc"}),
        read("C3", {"messages": [], "has_more": True}),
        read("C3", {"messages": [], "response_metadata": {"next_cursor": "abc"}}),
        read("C3", truncated=True),
        read("C3", {"messages": [], "truncated": True}),
    ],
)
def test_an_error_an_unread_page_and_a_cut_result_are_not_read(left: CallView) -> None:
    (found,) = coverage_of([LISTED, read("C1"), read("C2"), left])
    assert found.missing == ("C3",)


def test_what_one_read_left_is_missing_whatever_other_reads_did_except_one_that_goes_on_from_there() -> None:
    threads = call("threads", {"channel_id": "C3"}, {"threads": [], "has_more": True})
    first, failed = read("C3", {"next_cursor": "abc"}), read("C3", arguments={"cursor": "abc"}, is_error=True)
    for reads in ([read("C3"), threads], [first, failed]):
        (found,) = coverage_of([LISTED, read("C1"), read("C2"), *reads])
        assert found.missing == ("C3",)
    again = read("C3", {"next_cursor": "abc"}, arguments={"cursor": "abc"})
    pages = [call("logs", {"page": at}, {"lines": ["an error"], "has_more": True}) for at in (1, 2)]
    last, none = read("C1", {"next_cursor": 0}), read("C2", {"next_cursor": ""})
    for calls, left in (([again], (0,)), (pages, (1,)), ([last, none], ())):
        assert unread_calls(calls) == left
    about_itself = call("thread", {"message_id": "m1"}, {"messages": [{"id": "m1"}, {"id": "m2"}]})
    assert coverage_of([about_itself]) == ()


def test_a_total_is_more_than_what_all_reads_of_the_tool_listed() -> None:
    for results, told in (
        ([{"total": 3, "items": ["a", "b", "c"]}], []),
        ([{"total": 3, "items": ["a", "b"]}], [(3, 2)]),
        ([{"total": 3, "items": ["a", "b"]}, {"total": 3, "items": ["c"]}], []),
        ([{"showing": "1-2 of 34", "items": ["a", "b"]}], [(34, 2)]),
        ([{"total": 3, "items": []}], []),
        ([{"total": 3, "items": ["a"]}, {"total": 4, "items": ["a"]}], []),  # nobody knows which
    ):
        assert list(totals_not_listed([call("search", {}, result) for result in results])) == told


@pytest.mark.parametrize("end", SAYS_CUT)
def test_a_text_that_says_at_its_end_that_it_goes_on_is_not_read_to_its_end(end: str) -> None:
    text = "a line\n" * 100
    assert unread_calls([read("C1", text + end), read("C2", f"{end} {text}")]) == (0,)


def test_a_cursor_that_was_followed_to_the_end_leaves_nothing() -> None:
    pages = [read("C3", {"next_cursor": "abc"}), read("C3", {"next_cursor": ""}, arguments={"cursor": "abc"})]
    (found,) = coverage_of([LISTED, read("C1"), read("C2"), *pages])
    assert found.missing == ()


def test_a_failed_read_that_was_tried_again_is_read() -> None:
    (found,) = coverage_of([LISTED, read("C1"), read("C2"), read("C3", is_error=True), read("C3")])
    assert found.missing == ()


def test_a_listing_with_further_pages_has_no_share() -> None:
    open_listing = LISTED._replace(result=ResultContent({**LISTED.result.data, "next_cursor": "more"}))
    (found,) = coverage_of([open_listing, read("C1"), read("C2"), read("C3")])
    assert found.open_listing
    assert unread_calls([open_listing]) == (0,)


def test_writes_visit_nothing_and_what_nobody_visits_is_no_listing_of_interest() -> None:
    write = call("post", {"channel_id": "C1"}, {"id": "m1"}, Effect.OUTWARD)
    assert coverage_of([LISTED, write]) == ()
    assert coverage_of([]) == ()


def test_a_text_that_is_json_counts_like_its_data() -> None:
    listed = call("list", {}, '{"items": [{"id": 7, "name": "a"}, {"id": 8, "name": "b"}]}')
    (found,) = coverage_of([listed, call("get", {"item": 7}, "…")])
    assert found.missing == ("8",)


@pytest.mark.parametrize(
    ("pages", "left"),
    [
        ([{"page": 1, "pages": 9}], (0,)),
        ([{"page": 9, "pages": 9}], ()),
        ([{"page": 1, "pages": 2}, {"page": 2, "pages": 2}], ()),
        ([{"meta": {"current_page": 1, "last_page": 3}}], (0,)),
        ([{"pages": 9, "title": "a book"}], ()),  # no page is named: nine pages of a thing
    ],
)
def test_a_page_before_the_last_one_leaves_the_others(pages: list[dict[str, Any]], left: tuple[int, ...]) -> None:
    calls = [call("logs", {"page": at}, {**page, "lines": ["an error"]}) for at, page in enumerate(pages, 1)]
    assert unread_calls(calls) == left
