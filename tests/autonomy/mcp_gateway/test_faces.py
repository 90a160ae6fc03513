"""Compact results: less to read, and the same data to the last sign."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autonomy.mcp_gateway.clients.profiles import ClientProfile
from autonomy.mcp_gateway.faces import FACE_TOKENS, compacted, in_lines, names_of
from autonomy.mcp_gateway.job_tools import own_names, tool_name
from discovery.catalog import Effect
from discovery.search.offering import FOUND, SIBLINGS, FoundTools
from discovery.text.token_estimates import estimate_tokens
from tests.autonomy.policy.test_attacks import tool
from tests.requirements import requirement

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
)


@requirement("N1")
@given(st.lists(VALUES, max_size=4) | st.dictionaries(st.text(max_size=6), VALUES, max_size=4), st.booleans(), st.integers(0, 4))
def test_json_loses_its_white_space_and_nothing_else(value: Any, escaped: bool, indent: int) -> None:
    text = compacted(json.dumps(value, ensure_ascii=escaped, indent=indent))
    assert text == json.dumps(value, ensure_ascii=escaped, separators=(",", ":"))


def test_numbers_and_repeated_keys_stay_as_they_were_written() -> None:
    assert compacted('{ "a": 1.10, "a": 1e5,\n "b": 9007199254740993 }') == '{"a":1.10,"a":1e5,"b":9007199254740993}'


@pytest.mark.parametrize("text", ["", "two  words", "[draft] not  json", '"one  string"', "{ broken", "[" * 100_000])
def test_what_is_no_json_document_stays_as_it_is(text: str) -> None:
    assert compacted(text) == text


@requirement("N4")
def test_no_job_is_run_by_the_tool_of_another() -> None:
    jobs = ("日記", "週報", "weekly-report", "w" * 60 + "a", "w" * 60 + "b")
    names = [tool_name(job) for job in jobs]
    assert len(set(names)) == len(jobs)
    assert names[2] == "run_job_weekly_report"
    assert all(len(name) <= 58 and name.isascii() for name in names)


@requirement("N1")
@pytest.mark.parametrize("own", [False, True])
def test_no_tool_of_a_server_is_hidden_behind_one_of_ours(own: bool) -> None:
    servers = [
        ("read", "result"),
        ("run", "job_diary"),
        ("x", "ask"),
        ("x", "read_result"),
        ("x", "search_tools"),
        ("x", "plain"),
    ]
    specs = [tool(provider, name, Effect.READ) for provider, name in servers]
    reserved = own_names(ClientProfile(jobs=("diary",), ask=True))
    named = names_of(specs, own=own, reserved=reserved)
    assert reserved == {"read_result", "run_job_diary", "ask"}
    assert not named.keys() & reserved
    assert sorted(spec.name for spec in named.values()) == sorted(spec.name for spec in specs)
    assert named["plain" if own else "x_plain"].tool == "plain"
    if not own:
        assert named["read_result_read"].provider == "read"
        assert named["x_read_result"].provider == "x"


@requirement("N1")
@pytest.mark.parametrize("words", ["It says more of itself than anybody reads. ", "誰も読まないほど長く自分のことを語ります。"])
def test_what_a_search_found_is_told_within_the_bound_siblings_by_name_alone(words: str) -> None:
    specs = [tool("shop", f"{'x' * 56}{at:03}", Effect.READ).model_copy(update={"description": words * 20}) for at in range(20)]
    told = in_lines(FoundTools(best=tuple(specs[:FOUND]), siblings=tuple(specs[FOUND : FOUND + SIBLINGS])))
    *best, siblings = told.splitlines()
    assert [line.split(" (read): ")[0] for line in best] == [spec.name for spec in specs[:FOUND]]
    named = [f"{spec.name} (read)" for spec in specs[FOUND : FOUND + SIBLINGS]]
    assert siblings == f"Others of the same servers: {', '.join(named)}"
    assert estimate_tokens(told) <= FACE_TOKENS


def test_a_search_without_siblings_says_nothing_of_them() -> None:
    assert in_lines(FoundTools(best=(tool("shop", "price", Effect.READ),))) == "shop_price (read): "
    assert in_lines(FoundTools()) == ""
