"""Full names: prefixed, valid for every vendor, unique, stable."""

import re

from hypothesis import given
from hypothesis import strategies as st

from discovery.names import HOUSE_NAMES, LONGEST, full_names
from tests.requirements import requirement

VALID = re.compile(r"[A-Za-z0-9_-]{1,64}")


def name_of(provider: str, tool: str) -> str:
    return full_names([(provider, tool)])[provider, tool]


@requirement("D8")
def test_a_tool_is_prefixed_by_its_provider() -> None:
    assert name_of("weather", "get_weather") == "weather_get_weather"


@requirement("D8")
def test_a_prefix_that_is_there_already_is_not_doubled() -> None:
    assert name_of("slack", "slack_get_users") == "slack_get_users"
    assert name_of("slack", "slack-get-users") == "slack-get-users"
    assert name_of("slack", "slack") == "slack"
    assert name_of("slack", "slackbot_ping") == "slack_slackbot_ping"


def test_characters_that_no_vendor_takes_become_underscores() -> None:
    assert name_of("my files", "fs.read/text") == "my_files_fs_read_text"


def test_a_name_in_japanese_gets_a_suffix_that_tells_it_from_others() -> None:
    names = full_names([("メモ", "書く"), ("メモ", "読む")])
    assert len(set(names.values())) == 2
    assert all(VALID.fullmatch(name) for name in names.values())


def test_a_long_name_is_cut_and_stays_unique() -> None:
    first, second = "x" * 80 + "1", "x" * 80 + "2"
    names = full_names([("p", first), ("p", second)])
    assert len(set(names.values())) == 2
    assert {len(name) for name in names.values()} == {LONGEST}


def test_where_two_meet_neither_keeps_the_plain_name() -> None:
    names = full_names([("a", "b_c"), ("a_b", "c")])
    assert "a_b_c" not in names.values()
    assert len(set(names.values())) == 2


def test_no_provider_passes_for_a_tool_of_the_house() -> None:
    assert name_of("search", "tools") not in HOUSE_NAMES


@given(st.lists(st.tuples(st.text(min_size=1, max_size=90), st.text(min_size=1, max_size=90)), max_size=20))
def test_names_are_valid_unique_and_do_not_depend_on_order(tools: list[tuple[str, str]]) -> None:
    names = full_names(tools)
    assert all(VALID.fullmatch(name) for name in names.values())
    assert len(set(names.values())) == len(set(tools))
    assert full_names(reversed(tools)) == names


def test_the_hosts_own_tools_are_the_names_that_nobody_else_may_have() -> None:
    from autonomy.calls.own_tools import host_tools

    assert host_tools._OWN.keys() <= HOUSE_NAMES
    assert name_of("read", "result") not in HOUSE_NAMES
