"""Every cell of the table, the page that shows it, and the classes of arguments."""

from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autonomy.policy.decision_table import COLUMNS, TABLE, Reach, SourceClass, TracedValue, cell, worst_of
from autonomy.policy.sinks import WHO_OR_WHERE, Sink, is_caption, sink_of
from discovery.catalog import JsonObject
from tests.requirements import requirement

PAGE = Path(__file__).parents[3] / "docs" / "policy.md"
MARKS = {".": "allow", "?": "ask", "!": "deny"}
WORSE = {"allow": 0, "ask": 1, "deny": 2}


def page_rows(reach: Reach) -> dict[str, str]:
    """The marks of one reach in the table of the page."""
    table = PAGE.read_text(encoding="utf-8").split("## Table\n", 1)[1].split("\n#", 1)[0]
    rows = [[part.strip(" `") for part in line.strip("|").split("|")] for line in table.splitlines() if line.startswith("| `")]
    place = ("read", "write", "destructive").index(reach)
    return {sink: " ".join(marks[place] for marks in cells) for sink, *cells in rows}


@requirement("K1")
@pytest.mark.parametrize("reach", list(TABLE))
def test_the_page_shows_the_table_that_decides(reach: Reach) -> None:
    assert page_rows(reach) == {sink.value: TABLE[reach][sink] for sink in Sink}


@requirement("K1")
@pytest.mark.parametrize("reach", list(TABLE))
def test_each_cell_says_what_its_mark_says_and_no_weaker_source_gets_more(reach: Reach) -> None:
    rows = page_rows(reach)
    for sink, source in product(Sink, SourceClass):
        verdict = cell(reach, sink, source)
        assert verdict == MARKS[rows[sink.value].split()[COLUMNS.index(source)]], (sink, source)
        if source is SourceClass.WORDS:
            assert verdict == "allow", sink
        if source is SourceClass.NOWHERE:
            assert WORSE[verdict] >= WORSE[cell(reach, sink, SourceClass.TEXT)] >= WORSE[cell(reach, sink, SourceClass.FIELD)], (
                sink
            )
        if reach == "write":
            assert WORSE[cell("destructive", sink, source)] >= WORSE[verdict], (sink, source)
        if reach != "read" and sink in WHO_OR_WHERE and source in (SourceClass.TEXT, SourceClass.NOWHERE, SourceClass.OWN):
            assert verdict != "allow", (sink, source)


@requirement("K1")
@pytest.mark.parametrize(
    ("name", "schema", "sink"),
    [
        ("recipient", {}, Sink.RECIPIENT),
        ("channel_id", {}, Sink.RECIPIENT),
        ("toRecipients", {}, Sink.RECIPIENT),
        ("宛先", {}, Sink.RECIPIENT),
        ("x", {"format": "email"}, Sink.RECIPIENT),
        ("channel", {"enum": ["a", "b"]}, Sink.RECIPIENT),
        ("channel_name", {}, Sink.RECIPIENT),
        ("user_name", {}, Sink.IDENTITY),
        ("file_name", {}, Sink.RECIPIENT),
        ("category", {}, Sink.NAME),
        ("カテゴリー", {}, Sink.NAME),
        ("hotel_name", {}, Sink.NAME),
        ("mentions", {"type": "array"}, Sink.RECIPIENT),
        ("wallet", {}, Sink.RECIPIENT),
        ("notify", {"type": "string"}, Sink.RECIPIENT),
        ("notify", {"type": "boolean"}, Sink.FLAG),
        ("on_behalf_of", {}, Sink.IDENTITY),
        ("post_as", {}, Sink.IDENTITY),
        ("fromName", {}, Sink.IDENTITY),
        ("visibility", {"type": "string"}, Sink.FLAG),
        ("redirect", {}, Sink.HOST),
        ("投稿先", {}, Sink.RECIPIENT),
        ("差出人", {}, Sink.IDENTITY),
        ("優先度", {}, Sink.NAME),
        ("webhook_url", {}, Sink.HOST),
        ("x", {"format": "uri"}, Sink.HOST),
        ("api_key", {}, Sink.SECRET),
        ("new_password", {}, Sink.SECRET),
        ("パスワード", {}, Sink.SECRET),
        ("user", {}, Sink.IDENTITY),
        ("社員", {}, Sink.IDENTITY),
        ("event_id", {}, Sink.ID),
        ("total_amount", {"type": "number"}, Sink.AMOUNT),
        ("金額", {}, Sink.AMOUNT),
        ("start_time", {}, Sink.TIME),
        ("開始日", {}, Sink.TIME),
        ("body_md", {}, Sink.TEXT),
        ("件名", {}, Sink.TEXT),
        ("search_query", {}, Sink.QUERY),
        ("city", {}, Sink.PLACE),
        ("hotel", {}, Sink.NAME),
        ("mode", {"enum": ["a"]}, Sink.FLAG),
        ("public", {"type": "boolean"}, Sink.FLAG),
        ("zzz", {}, Sink.NAME),
        ("", {}, Sink.NAME),
        ("zzz", {"type": "integer"}, Sink.AMOUNT),
        ("zzz", {"title": "Recipient"}, Sink.RECIPIENT),
    ],
)
def test_an_argument_is_classed_by_choices_format_and_name_in_two_languages(name: str, schema: JsonObject, sink: Sink) -> None:
    assert sink_of(name, schema) is sink


@requirement("K1")
def test_a_name_that_somebody_gave_himself_is_his_wording_whatever_it_names() -> None:
    assert all(map(is_caption, ("name", "display_name", "user_name", "sender_name", "userName", "title")))
    assert not any(map(is_caption, ("user", "username", "email", "channel_id")))


@requirement("K1")
@given(st.text(max_size=300), st.dictionaries(st.sampled_from(["type", "format", "title", "enum"]), st.text(max_size=20)))
def test_whatever_a_schema_says_an_argument_has_a_class(name: str, schema: JsonObject) -> None:
    assert sink_of(name, schema) in Sink


@requirement("K1")
def test_the_worst_cell_decides_and_is_told_with_where_its_values_came_from() -> None:
    def traced(argument: str, sink: Sink, source: SourceClass) -> TracedValue:
        return TracedValue(argument=argument, path="$", value="x", sink=sink, source=source)

    key, body = traced("key", Sink.SECRET, SourceClass.TEXT), traced("body", Sink.TEXT, SourceClass.TEXT)
    receivers = [traced(f"to{number}", Sink.RECIPIENT, SourceClass.TEXT) for number in range(7)]
    told = "; ".join(f"to{number} (recipient) from text that was read: x" for number in range(5))
    assert worst_of([body], "write") == ("allow", "")
    assert worst_of([body, *receivers], "write") == ("ask", told)
    assert worst_of([*receivers, key], "write") == ("deny", "key (secret) from text that was read: x")
    assert worst_of(receivers, "read") == ("allow", "")
