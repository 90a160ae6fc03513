"""Dependencies as JSON, there and back."""

import logging
import sqlite3
import threading
import traceback
from contextlib import closing
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from decimal import Decimal
from enum import Enum
from typing import Any, Generic, Optional, TypeVar

import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field, SecretStr, ValidationError

from autonomy.bridge import DepsContext, TypeHintResolutionError, UnsupportedDepsTypeError, deserialize_deps, serialize_deps
from tests.requirements import requirement

T = TypeVar("T")


class Kind(Enum):
    STAFF = "staff"
    GUEST = "guest"


@dataclass
class Address:
    city: str
    since: date


@dataclass
class Box(Generic[T]):
    held: T


@dataclass
class Person:
    name: str
    kind: Kind
    salary: Decimal
    home: Address | None
    others: list[Address]
    by_day: dict[date, Address]
    age: int | str
    boxed: Box[timedelta]
    boss: Optional["Person"] = None
    tags: frozenset[str] = frozenset()
    pair: tuple[int, date] | None = None


class Account(BaseModel):
    owner: Person
    opened: datetime | None = None
    extra: dict[str, float] = {}


@dataclass
class Unresolved:
    value: "NoSuchType"  # noqa: F821 -- that it cannot be found is the point


@dataclass
class Base:
    a: int


@dataclass
class Derived(Base):
    b: int = 0


@dataclass
class HoldsBase:
    base: Base


@dataclass
class Loose:
    anything: Any


@dataclass(eq=False)
class Incomparable:
    inner: Address


dates = st.dates()
addresses = st.builds(Address, st.text(), dates)
simple_people = st.builds(
    Person,
    name=st.text(),
    kind=st.sampled_from(Kind),
    salary=st.decimals(allow_nan=False, allow_infinity=False),
    home=st.none() | addresses,
    others=st.lists(addresses, max_size=3),
    by_day=st.dictionaries(dates, addresses, max_size=3),
    age=st.integers() | st.text(),
    boxed=st.builds(Box, st.timedeltas(timedelta(days=-9999), timedelta(days=9999))),
    boss=st.none(),
    tags=st.frozensets(st.text(), max_size=3),
    pair=st.none() | st.tuples(st.integers(), dates),
)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@requirement("FR-008", "SC-009", "US4")
@given(simple_people, st.none() | simple_people)
def test_a_dataclass_comes_back_equal(person, boss):
    person.boss = boss
    assert deserialize_deps(serialize_deps(person), Person) == person


@requirement("FR-008", "SC-009", "US4")
@given(st.builds(Account, owner=simple_people, opened=st.none() | st.datetimes()))
def test_a_pydantic_model_comes_back_equal(account):
    text = serialize_deps(account)
    assert text == account.model_dump_json()
    assert deserialize_deps(text, Account) == account


@requirement("FR-007", "FR-008")
@given(json_values)
def test_plain_json_values_come_back_equal(value):
    restored = deserialize_deps(serialize_deps(value), type(value))
    assert restored == value
    assert type(restored) is type(value)


@given(
    st.recursive(
        json_values | dates | st.binary() | st.tuples(st.integers()) | st.sets(st.integers()) | st.floats(), lambda i: st.lists(i)
    )
)
def test_what_is_accepted_comes_back_equal_and_the_rest_is_refused(value):
    try:
        text = serialize_deps(value)
    except UnsupportedDepsTypeError:
        return
    assert deserialize_deps(text, type(value)) == value


def a_lock():
    return threading.Lock()


@requirement("FR-009", "SC-004", "US4")
@pytest.mark.parametrize(
    ("make", "path"),
    [
        (lambda: httpx2.AsyncClient(), "deps"),
        (lambda: {"api": {"client": httpx2.AsyncClient()}}, "deps['api']['client']"),
        (lambda: [1, threading.Condition()], "deps[1]"),
        (lambda: Loose(a_lock()), "deps.anything"),
        (lambda: Person("x", Kind.STAFF, Decimal(1), None, [], {}, 1, Box(lambda: 0)), "deps.boxed.held"),
        (lambda: Loose({"a": float("nan")}), "deps.anything['a']"),
        (lambda: {"when": date(2026, 1, 1)}, "deps['when']"),
        (lambda: {1: "one"}, "deps.key(1)"),
        (lambda: Loose(Address("東京", date(2026, 1, 1))), "deps.anything"),
        (lambda: HoldsBase(Derived(1, 2)), "deps.base"),
        (lambda: Loose(SecretStr("x")), "deps.anything"),
        (lambda: Loose({1, 2}), "deps.anything"),
    ],
)
def test_what_json_cannot_carry_is_refused_by_its_path(make, path):
    deps = make()
    with pytest.raises(UnsupportedDepsTypeError) as refused:
        serialize_deps(deps)
    assert refused.value.path == path
    assert path in str(refused.value)


@dataclass
class Numbers:
    count: int
    each: list[int]


@pytest.mark.parametrize(
    ("deps", "path"),
    [
        (Numbers("seven", []), "deps.count"),
        (Numbers(True, []), "deps.count"),
        (Numbers(7, (1, 2)), "deps.each"),
        ({"inner": [1, {"a": (1,)}]}, "deps['inner'][1]['a']"),
        (Numbers(7, [1, "s3cret"]), "deps.each[1]"),
    ],
)
def test_a_value_that_does_not_fit_its_field_is_refused_without_being_shown(deps, path):
    with pytest.raises(UnsupportedDepsTypeError) as refused:
        serialize_deps(deps)
    assert refused.value.path == path
    assert "s3cret" not in "".join(traceback.format_exception(refused.value))


def test_a_database_connection_is_refused():
    with (
        closing(sqlite3.connect(":memory:")) as connection,
        pytest.raises(UnsupportedDepsTypeError, match=r"deps\['db'\]: sqlite3"),
    ):
        serialize_deps({"db": connection})


def test_a_circle_is_refused():
    deps = Loose([])
    deps.anything.append(deps)
    with pytest.raises(UnsupportedDepsTypeError, match=r"deps\.anything\[0\]: refers back"):
        serialize_deps(deps)


def test_bytes_that_are_no_text_are_refused():
    with pytest.raises(UnsupportedDepsTypeError, match="utf-8"):
        serialize_deps(Loose(b"\xff"))


def test_a_dataclass_without_equality_is_compared_by_its_parts():
    text = serialize_deps(Incomparable(Address("京都", date(2026, 1, 1))))
    assert deserialize_deps(text, Incomparable).inner == Address("京都", date(2026, 1, 1))


def test_an_alias_survives():
    class Aliased(BaseModel):
        key: str = Field(alias="API-KEY")

    deps = Aliased.model_validate({"API-KEY": "k"})
    assert deserialize_deps(serialize_deps(deps), Aliased) == deps


def test_a_secret_does_not_stand_in_the_refusal():
    class Guarded(BaseModel):
        model_config = {"arbitrary_types_allowed": True}
        code: str = Field(serialization_alias="code", default="")

        def model_dump_json(self, **_more):
            return '{"code": {"secret-value": 1}}'

    with pytest.raises(UnsupportedDepsTypeError) as refused:
        serialize_deps(Guarded(code="x"))
    assert "secret-value" not in str(refused.value)


@requirement("US4")
def test_an_unresolved_forward_reference_is_warned_about_and_written(caplog):
    with caplog.at_level(logging.WARNING, "autonomy.bridge"):
        assert serialize_deps(Unresolved(1)) == '{"value":1}'
    assert "NoSuchType" in caplog.text


@requirement("US4")
def test_an_unresolved_forward_reference_cannot_be_read_back():
    with pytest.raises(TypeHintResolutionError, match="NoSuchType"):
        deserialize_deps('{"value":1}', Unresolved)


def test_a_type_that_is_no_data_cannot_be_read():
    with pytest.raises(UnsupportedDepsTypeError, match="Thread is not a type of data"):
        deserialize_deps("{}", threading.Thread)


def test_text_of_another_type_is_refused_by_field():
    with pytest.raises(ValidationError, match="since"):
        deserialize_deps('{"city": "x"}', Address)


@requirement("FR-010", "US3")
def test_a_context_has_deps_and_says_what_it_has_not():
    context = DepsContext(Address("東京", date(2026, 1, 1)))
    assert context.deps.city == "東京"
    with pytest.raises(AttributeError, match="has deps, but no 'usage'"):
        _ = context.usage


@requirement("FR-009", "FR-010")
def test_a_context_refuses_what_is_not_serialisable():
    with pytest.raises(UnsupportedDepsTypeError):
        DepsContext(httpx2.AsyncClient())


def test_a_context_does_not_show_its_values():
    @dataclass
    class Key:
        secret: str = field(default="s3cret")

    assert "s3cret" not in repr(DepsContext(Key()))
