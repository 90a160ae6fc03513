"""A name that nobody knows is answered with the one that was meant."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field

from autonomy.llm.messages import ToolDefinition
from autonomy.llm.offline.argument_filler import noun_of
from autonomy.policy.texts.sql_statements import carries_out_sql
from autonomy.provenance.sources.evidence_units import announces_text
from autonomy.provenance.sources.read_evidence import units_of_key
from autonomy.provenance.sources.result_rows import _calls_something
from discovery.text.near_names import did_you_mean, name_words, near_key, near_names, snake_case, split_at_case
from discovery.text.redaction import is_secret_name

JOBS = ("diary", "overtime", "weekly-digest")


@pytest.mark.parametrize(
    ("name", "known", "near"),
    [
        ("diaryy", JOBS, ("diary",)),
        ("DIARY", JOBS, ("diary",)),
        ("digest", JOBS, ("weekly-digest",)),
        ("weekly-digest-2", JOBS, ("weekly-digest",)),
        ("comand", ("command", "args"), ("command",)),
        ("weather", ("esa_list_posts", "weather_get_weather"), ("weather_get_weather",)),
        ("notes_find", ("find_notes",), ("find_notes",)),
        ("zzz", JOBS, ()),
        ("", JOBS, ()),
        ("an", ("an_apple",), ()),
        ("x" * 100_000, ("x" * 100_000,), ()),
    ],
)
def test_the_name_that_was_meant_is_found(name: str, known: tuple[str, ...], near: tuple[str, ...]) -> None:
    assert near_names(name, known) == near
    assert did_you_mean(name, known) == (f"; did you mean {near[0]}?" if near else "")


@given(st.text(max_size=30), st.lists(st.text(max_size=30)), st.integers(1, 3))
def test_only_known_names_are_offered_and_no_more_than_were_wanted(name: str, known: list[str], most: int) -> None:
    near = near_names(name, known, most=most)
    assert set(near) <= set(known)
    assert len(near) <= most


class Part(BaseModel):
    model_config = ConfigDict(extra="forbid")
    effect: str = ""


class Other(BaseModel):
    reason: str = ""


class Whole(BaseModel):
    needs: tuple[Part, ...] = ()
    by_name: dict[str, Part | Other] = Field(default={}, alias="byName")


@pytest.mark.parametrize(
    ("place", "near"),
    [
        (("needz",), "needs"),
        (("needs", 0, "efect"), "effect"),
        (("byName", "a", "Part", "efect"), "effect"),
        (("byName", "a", "Other", "reazon"), "reason"),
        (("by_nam",), "byName"),
    ],
)
def test_a_key_of_an_inner_table_is_held_against_that_tables_keys(place: tuple[int | str, ...], near: str) -> None:
    assert near_key(Whole, place) == f"; did you mean {near}?"


def test_a_key_is_not_held_against_the_keys_of_other_tables() -> None:
    assert near_key(Whole, ("needs", 0, "needz")).startswith("; there are effect")


NAMES = {
    "get_weather": "get_weather",
    "getWeather": "get_Weather",
    "getPDFReport": "get_PDF_Report",
    "OAuth2Token": "O_Auth2_Token",
    "runSQL": "run_SQL",
    "SQLQuery": "SQL_Query",
    "userID": "user_ID",
    "v2": "v2",
    "HTTP": "HTTP",
    "件数Total": "件数Total",
    "": "",
}


def test_a_name_is_split_at_its_case_alike_wherever_its_words_are_looked_up() -> None:
    """Nine places split before the first capital alone, so that `executeSQLQuery` and `HTMLText` were unknown to them; two
    took any letter for a capital, so that `paid` was an id."""
    assert {name: split_at_case(name).replace(" ", "_") for name in NAMES} == NAMES
    assert (snake_case("get-PDFReport"), name_words("getPDFReport_v2")) == ("get_pdf_report", ["get", "pdf", "report", "v"])
    assert [carries_out_sql(name) for name in ("execute_sql", "executeSQLQuery", "email_query")] == [True, True, False]
    assert [is_secret_name(name) for name in ("clientSecret", "dbAPIKey", "APIKey2", "keyboard")] == [True, True, True, False]
    assert [announces_text(name) for name in ("statusText", "HTMLText", "textures")] == [True, True, False]
    assert noun_of(ToolDefinition(name="get_issue", description="", input_schema={}), "JIRAIssueID") == "jira_issue"
    called = ("id", "user_id", "userId", "PRNumber", "order_no", "orderid", "zipcode", "telephone", "Phone", "伝票番号")
    assert [name for name in called if not _calls_something(name)] == []
    assert [name for name in ("paid", "unpaid", "bid", "valid", "piano", "hotel", "headphones") if _calls_something(name)] == []


def test_units_are_not_split_at_their_own_capitals() -> None:
    assert "kwh" in units_of_key("energyKWh")
