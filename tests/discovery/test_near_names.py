"""A name that nobody knows is answered with the one that was meant."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field

from discovery.text.near_names import did_you_mean, near_key, near_names

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
