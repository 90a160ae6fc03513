"""What is learned of a tool: from outcomes, forgetting, bounded, and free of anybody's data."""

import json
import sys
import threading
from typing import Any, get_args

import anyio
import anyio.lowlevel
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import Engine, select

from discovery.advisor import HINTS_STAND_S, Advisor
from discovery.catalog import JsonObject
from discovery.discovery_tables import usage as table
from discovery.gateway import open_gateway
from discovery.hints.shown_effects import KEPT_ANSWERS, Sign
from discovery.hints.usage import HALF_LIFE_S, KEPT, ToolUsage, UsageBook, UsageSample, hashed_terms, recovery
from tests.requirements import requirement
from tests.support.clock import SetClock
from tests.support.specs import tool
from tests.support.statements import counted

HISTORY = tool(
    "history",
    required=("channel",),
    properties={"limit": {"type": "integer"}, "order": {"enum": ["old", "new"]}, "raw": {"type": "boolean"}},
)


def lesson(arguments: JsonObject | None = None, **more: Any) -> UsageSample:
    return UsageSample.of(HISTORY, arguments or {"channel": "C1"}, **{"ok": True, "duration_s": 0.1, **more})


async def learned(*lessons: UsageSample, book: UsageBook | None = None) -> ToolUsage:
    book = book or UsageBook(clock=SetClock())
    for one in lessons:
        book.learn(one)
    known = book.of(HISTORY)
    assert known is not None
    return known


@requirement("X17")
async def test_outcomes_durations_arguments_errors_and_what_cured_them_are_counted(clock: SetClock) -> None:
    known = await learned(
        lesson(ok=False, duration_s=30.0, error_class="NotFound", alternative="search"),
        lesson({"channel": "C2", "limit": 20}, cured_by="~channel,+limit", cured_error="NotFound", followed="list_channels"),
        lesson({"channel": "C2", "limit": 20}, duration_s=0.2),
        book=UsageBook(clock=clock),
    )
    assert (known.ok, known.failed, known.reliability) == (2.0, 1.0, 3 / 5)
    assert known.duration_s(0.5) == pytest.approx(0.128)
    assert known.arguments == {"channel": 2.0, "limit": 2.0}
    assert known.errors == {"NotFound": 1.0}
    assert known.cures == {"NotFound → ~channel,+limit": 1.0}
    assert (known.alternatives, known.followed) == ({"search": 1.0}, {"list_channels": 1.0})


@requirement("S7")
async def test_only_values_that_say_nothing_about_anyone_are_kept() -> None:
    secret = {"channel": "C-secret", "limit": 20, "order": "new", "raw": True, "sk-token-as-a-name": "x"}
    known = await learned(lesson(secret, ok=True))
    assert known.choices == {"limit=20": 1.0, 'order="new"': 1.0, "raw=true": 1.0}
    assert "secret" not in known.model_dump_json()
    assert "sk-token" not in known.model_dump_json()


@pytest.mark.parametrize(("name", "value"), [("limit", 90_001), ("order", "yuki@example.com"), ("salary", 400), ("note", "hi")])
async def test_values_beyond_that_are_not(name: str, value: Any) -> None:
    spec = tool("t", properties={name: {"type": ["integer", "string"]}})
    assert UsageSample.of(spec, {name: value}, ok=True, duration_s=0).choices == {}


async def test_an_error_or_cure_that_is_a_sentence_is_not_kept_word_for_word() -> None:
    known = await learned(
        lesson(ok=False, error_class="no user yuki@example.com"),
        lesson(cured_by="ask yuki@example.com", cured_error="X", followed="yuki@example.com"),
    )
    assert known.errors == {"Error": 1.0}
    assert (known.cures, known.followed) == ({}, {})


def test_a_cure_names_what_changed_and_no_value() -> None:
    assert recovery({"a": 1, "b": 2, "c": 3}, {"b": 9, "c": 3, "d": "secret"}, "abcd") == "+d,-a,~b"
    assert recovery({"a": 1}, {"a": 1}, "a") == "retry"
    assert recovery({"a": 1}, {"a": 2, "mail_all_to_U_EVIL": 1}, "a") == "~a"
    assert recovery({"a": 1}, {"a": 1, "mail_all_to_U_EVIL": 1}, "a") == "", "not by trying again"


async def test_lessons_fade_and_a_changed_definition_starts_afresh(clock: SetClock) -> None:
    book = UsageBook(clock=clock)
    book.learn(lesson())
    clock.advance(HALF_LIFE_S)
    known = await learned(lesson(), book=book)
    assert known.ok == pytest.approx(1.5)
    assert book.of(tool("history", "now another")) is None


async def test_what_one_process_learns_the_next_one_knows(engine: Engine, clock: SetClock) -> None:
    first = UsageBook(engine, clock)
    await learned(lesson(), lesson(followed="list_channels"), book=first)
    await first.store()
    book = UsageBook(engine, clock)
    await book.load()
    known = book.of(HISTORY)
    assert known is not None
    assert (known.ok, book.followers("list_channels")) == (2.0, ("history",))


async def test_a_revision_moves_with_what_is_known_of_a_tool_and_of_who_follows_it_and_with_nothing_else(
    engine: Engine, clock: SetClock
) -> None:
    book = UsageBook(engine, clock)

    def revisions() -> list[int]:
        return [book.revision(name) for name in ("history", "list_channels", "search")]

    assert revisions() == [0, 0, 0]
    book.learn(lesson(followed="list_channels"))
    assert (before := revisions()) == [1, 1, 0]
    await book.store()
    assert revisions() == before  # what is stored is what was known
    book.learn(lesson(ok=False, error_class="NotFound"))
    assert revisions() == [2, 2, 0]


async def test_two_processes_that_learn_at_once_lose_nothing(engine: Engine, clock: SetClock) -> None:
    books = [UsageBook(engine, clock) for _ in range(4)]
    async with anyio.create_task_group() as tasks:
        for book in books:
            for _ in range(5):
                book.learn(lesson())
            tasks.start_soon(book.store)
    with engine.connect() as connection:
        (stored,) = connection.execute(select(table.c.learned)).scalars().all()
    assert stored["ok"] == pytest.approx(20.0)


async def test_what_is_learned_while_others_are_stored_is_not_forgotten(engine: Engine, clock: SetClock) -> None:
    book = UsageBook(engine, clock)
    book.learn(lesson())
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(book.store)
        await anyio.lowlevel.checkpoint()
        book.learn(lesson())
    assert (await learned(book=book)).ok == 2.0
    await book.store()
    assert (await learned(book=book)).ok == 2.0


async def test_the_last_lessons_are_stored_when_the_gateway_closes(engine: Engine, clock: SetClock) -> None:
    async with open_gateway([], engine=engine) as gateway:
        gateway.advisor.learn(lesson())
    book = UsageBook(engine, clock)
    await book.load()
    assert (await learned(book=book)).ok == 1.0


def test_a_hint_stands_for_a_second_and_then_tells_what_was_learned(clock: SetClock) -> None:
    advisor = Advisor(None, clock)
    before = advisor.hint(HISTORY)
    for _ in range(3):
        advisor.learn(lesson())
    assert advisor.hint(HISTORY) is before
    clock.advance(HINTS_STAND_S)
    assert (before.reliability, advisor.hint(HISTORY).reliability) == (None, 0.8)
    described = HISTORY.model_copy(update={"description": "Reads what was said."})
    assert advisor.hint(described).reliability is None  # another definition waits for nothing


lessons = st.builds(
    UsageSample,
    tool=st.just("history"),
    fingerprint=st.just("f"),
    ok=st.booleans(),
    duration_s=st.floats(0, 1e6),
    error_class=st.text(max_size=20),
    argument_names=st.lists(st.text(max_size=8), max_size=30).map(tuple),
    choices=st.dictionaries(st.sampled_from("abcdefgh"), st.sampled_from("12345678"), max_size=8),
    cured_by=st.text(max_size=10) | st.just("+a"),
    cured_error=st.text(max_size=10),
    alternative=st.text(max_size=10),
    followed=st.text(max_size=10),
    signs=st.lists(st.sampled_from(get_args(Sign)), max_size=3).map(tuple),
    answered=st.none() | st.tuples(st.text(max_size=2), st.text(max_size=2)),
    is_call=st.booleans(),
)


@given(st.lists(st.tuples(lessons, st.floats(0, 1e7)), max_size=40))
def test_whatever_is_learned_stays_bounded_and_can_be_stored(steps: list[tuple[UsageSample, float]]) -> None:
    known, now = ToolUsage(tool="history", at=0.0), 0.0
    for one, passed in steps:
        now += passed
        known = known.after([(one, now)])
    shown = json.loads(known.shown.model_dump_json(exclude_defaults=True))
    assert ToolUsage.model_validate({**json.loads(known.model_dump_json()), "shown": shown}) == known
    assert len(known.shown.answers) <= KEPT_ANSWERS
    assert 0 < known.reliability < 1
    assert all(len(value) <= KEPT for value in known.model_dump().values() if isinstance(value, dict))


few = st.builds(
    UsageSample,
    tool=st.just("history"),
    fingerprint=st.just("f"),
    ok=st.booleans(),
    duration_s=st.sampled_from([0.1, 1.0, 10.0]),
    error_class=st.sampled_from(["", "Timeout"]),
    argument_names=st.lists(st.sampled_from("abc"), unique=True).map(tuple),
    followed=st.sampled_from(["", "other"]),
)


@given(st.lists(st.tuples(few, st.floats(0, 1e7)), min_size=1, max_size=8))
def test_what_is_learned_at_once_is_what_is_learned_one_after_the_other(steps: list[tuple[UsageSample, float]]) -> None:
    taught = [(one, sum(passed for _, passed in steps[: at + 1])) for at, (one, _) in enumerate(steps)]
    together = single = ToolUsage(tool="history", at=0.0)
    for one in taught:
        single = single.after([one])
    together = together.after(taught)
    for name, value in single.model_dump().items():
        assert together.model_dump()[name] == (pytest.approx(value) if name != "tool" else value)


async def test_lessons_of_many_tools_are_one_transaction(engine: Engine, clock: SetClock) -> None:
    book = UsageBook(engine, clock)
    for round_ in ("insert", "update"):
        for number in range(40):
            book.learn(lesson().model_copy(update={"fingerprint": f"{number:064}"}))
        with counted() as sent:
            await book.store()
        assert (len(sent.statements), sent.commits) == ({"insert": 3, "update": 2}[round_], 1)


@requirement("Z11")
def test_a_tool_is_known_again_by_the_words_of_the_requests_it_served_and_by_no_other() -> None:
    book = UsageBook(clock=SetClock())
    spec, other = tool("post_note", "Post"), tool("find_note", "Find")
    goal = "Write the minutes of the board meeting for Keiko Mori"
    book.learn(UsageSample.of(spec, {}, ok=True, duration_s=1, served=hashed_terms(goal)))
    book.learn(UsageSample.of(other, {}, ok=False, duration_s=1, served=hashed_terms(goal)))
    assert book.served("write minutes of the board meeting") == {spec.fingerprint: 1.0}
    assert book.served("write a poem about winter snow") == {}
    known = book.of(spec)
    assert known is not None
    assert "keiko" not in known.model_dump_json().lower()
    assert len(hashed_terms("word " + " ".join(map(str, range(10_000))))) <= 64


def test_words_of_requests_that_a_tool_no_longer_stands_for_are_forgotten_in_memory_too(clock: SetClock) -> None:
    book = UsageBook(clock=clock)
    for number in range(300):
        book.learn(lesson(served=hashed_terms(f"request{number} about subject{number}")))
        clock.advance(3600)
    known = book.of(HISTORY)
    assert known is not None
    assert book.served("request299 about subject299") == {HISTORY.fingerprint: pytest.approx(1.0, abs=0.1)}
    assert book.served("request0 subject0") == {}
    assert set(book._served) == set(known.served)


def test_a_large_catalog_is_searched_in_a_thread_while_calls_teach(clock: SetClock) -> None:
    book, errors, every_s = UsageBook(clock=clock), list[BaseException](), sys.getswitchinterval()
    specs = [tool(f"tool{number}") for number in range(300)]
    done = threading.Event()

    def search() -> None:
        try:
            while not done.is_set():
                book.served("tidy up the list")
                book.followers("list_channels")
        except BaseException as error:
            errors.append(error)

    searching = [threading.Thread(target=search) for _ in range(3)]
    sys.setswitchinterval(1e-6)
    try:
        for thread in searching:
            thread.start()
        for spec in specs:
            sample = UsageSample.of(
                spec, {}, ok=True, duration_s=0.1, served=hashed_terms("tidy up the list"), followed="list_channels"
            )
            book.learn(sample)
            book.of(spec)
    finally:
        done.set()
        for thread in searching:
            thread.join()
        sys.setswitchinterval(every_s)
    assert errors == []
    assert len(book.served("tidy up the list")) == len(specs)
