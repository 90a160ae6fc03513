"""What calls showed of an effect: it makes a proposal stricter by itself, and gains a server nothing without a person."""

import gzip
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import anyio.to_thread
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import Engine

from autonomy.database import migrate, open_engine
from autonomy.stores import DISCOVERY
from discovery.advisor import Advisor
from discovery.catalog import Catalog, Effect, ToolSpec
from discovery.hints.shown_effects import ENOUGH_CALLS, ShownEffect
from discovery.hints.usage import UsageBook, UsageSample, hashed_answer
from discovery.review.effect_proposals import GUESSED, LIKELY, SURE, propose
from discovery.review.effects_shown import OPEN, propose_seen, tells_of_change
from tests.requirements import requirement
from tests.support.clock import SetClock
from tests.support.specs import tool

DUMP = Path(__file__).parents[1] / "autonomy" / "durable" / "data" / "database-0.1.sql.gz"
QUIET = ShownEffect(calls=40, unchanged=9, alike=20, answers={"a": "1", "b": "2", "c": "3"})


def unsaid(name: str, description: str = "", **more: object) -> ToolSpec:
    return tool(name, description, effect=Effect.WRITE, **more)  # type: ignore[arg-type]


counts = st.builds(
    ShownEffect,
    calls=st.integers(0, 300),
    changed=st.integers(0, 3),
    otherwise=st.integers(0, 3),
    unchanged=st.integers(0, 300),
    told=st.integers(0, 300),
    read_back=st.integers(0, 3),
    alike=st.integers(0, 300),
    unlike=st.integers(0, 3),
    answers=st.dictionaries(st.sampled_from("abcdefgh"), st.sampled_from("12345678")),
)
specs = st.sampled_from(
    [
        unsaid("get_note", "Gets a note."),
        unsaid("note", "Shows a note."),
        unsaid("delete_note", "Deletes a note."),
        unsaid("send_note", "Sends a note."),
        unsaid("get_report", "Gets a report and saves it to a file."),
        unsaid("frobnicate"),
        unsaid("frobnicate", properties={"size": {"type": "number"}}),
    ]
)


@requirement("Z3")
@given(specs, counts)
def test_what_calls_showed_never_makes_a_read_of_what_words_call_a_change_and_takes_none_by_itself(
    spec: ToolSpec, shown: ShownEffect
) -> None:
    by_words, seen = propose(spec), propose_seen(spec, shown)
    if seen.effect is Effect.READ and by_words.effect is not Effect.READ:
        assert (by_words.confidence, seen.confidence) == (GUESSED, OPEN), "a person is asked about it apart from the others"
        assert shown.is_quiet
    if by_words.effect is not Effect.READ:
        assert seen.effect in (by_words.effect, Effect.READ)
    assert not (seen.effect is Effect.READ and shown.is_change)


@requirement("Z3")
def test_a_server_that_behaves_for_long_gains_nothing_that_a_person_does_not_give() -> None:
    spec = unsaid("frobnicate")
    seen = propose_seen(spec, QUIET)
    assert (seen.effect, seen.confidence) == (Effect.READ, OPEN)
    assert propose_seen(unsaid("delete_note", "Deletes a note."), QUIET).effect is Effect.DESTRUCTIVE
    turned = QUIET.after(("changed",), None, is_call=True)
    assert propose_seen(spec, turned).effect is Effect.WRITE


@requirement("Z3")
@pytest.mark.parametrize(
    ("name", "description", "shown", "effect", "confidence"),
    [
        ("get_note", "Gets a note.", ShownEffect(calls=90, changed=1), Effect.WRITE, LIKELY),
        ("get_note", "Gets a note.", ShownEffect(calls=3, told=2), Effect.WRITE, LIKELY),
        ("get_note", "Gets a note.", ShownEffect(calls=90, told=2), Effect.READ, OPEN),
        ("get_note", "Gets a note.", ShownEffect(calls=1, told=1), Effect.READ, OPEN),
        ("get_note", "Gets a note.", ShownEffect(calls=9, otherwise=3), Effect.READ, SURE),
        ("note", "Shows a note.", QUIET, Effect.READ, SURE),
        ("note", "Shows a note and saves it.", ShownEffect(calls=1, read_back=1), Effect.WRITE, SURE),
        ("frobnicate", "", QUIET.model_copy(update={"unlike": 1}), Effect.WRITE, GUESSED),
        ("frobnicate", "", QUIET.model_copy(update={"unchanged": 0}), Effect.WRITE, GUESSED),
        ("frobnicate", "", QUIET.model_copy(update={"calls": ENOUGH_CALLS - 1}), Effect.WRITE, GUESSED),
        ("frobnicate", "", QUIET.model_copy(update={"answers": {"a": "1", "b": "1", "c": "1"}}), Effect.WRITE, GUESSED),
    ],
)
def test_what_calls_showed_raises_or_lowers_the_confidence(
    name: str, description: str, shown: ShownEffect, effect: Effect, confidence: float
) -> None:
    seen = propose_seen(unsaid(name, description), shown)
    assert (seen.effect, seen.confidence) == (effect, confidence)
    assert any(line.startswith("calls: ") for line in seen.evidence)


def test_numbers_and_choices_leave_no_room_for_what_could_be_stored() -> None:
    shown = QUIET.model_copy(update={"unchanged": 0})
    closed = unsaid("frobnicate", properties={"size": {"type": "number"}, "kind": {"enum": ["a", "b"]}})
    assert propose_seen(closed, shown).effect is Effect.READ
    assert propose_seen(unsaid("frobnicate", required=("text",)), shown).effect is Effect.WRITE


@pytest.mark.parametrize(
    ("answer", "tells"),
    [
        ("Note saved", True),
        ("Created issue #5", True),
        ("OK: message sent to #general", True),
        ("The record has been updated.", True),
        ("Successfully deleted 3 rows", True),
        ('{"deleted": true}', True),
        ('{"ok": true, "message": "Note saved"}', True),
        ("削除しました。", True),
        ("42", False),
        ("3 results found", False),
        ("List of deleted notes", False),
        ("Created issues:\n" + "a row\n" * 80, False),
        ('{"closed": false}', False),
        ('{"id": 7, "created_at": "2026-01-01"}', False),
        ("{broken", False),
        ("[1]", False),
        ("", False),
    ],
)
def test_a_short_answer_tells_of_a_change(answer: str, tells: bool) -> None:
    assert tells_of_change(answer) is tells


def test_a_long_answer_to_many_arguments_is_compared_by_its_beginning() -> None:
    many = {"rows": [f"row number {at}" for at in range(50_000)]}
    began = time.process_time()
    assert hashed_answer(many, "x" * 1_000_000) == hashed_answer(many, "x" * 900_000)
    assert time.process_time() - began < 2.0


@given(st.text(max_size=400))
def test_any_answer_is_read(answer: str) -> None:
    assert tells_of_change(answer) in (True, False)


def test_equal_calls_are_compared_without_what_an_answer_repeats() -> None:
    def sample(text: str, answer: str) -> UsageSample:
        given = {"text": text}
        return UsageSample.of(spec, given, ok=True, duration_s=0.1, answered=hashed_answer(given, answer))

    spec, book = unsaid("frobnicate", required=("text",)), UsageBook(clock=SetClock())
    for text, answer in (("milk", "noted: milk"), ("bread", "noted: bread"), ("milk", "noted: milk"), ("milk", "noted: milk #2")):
        book.learn(sample(text, answer))
    shown = book.shown(spec)
    assert (shown.calls, shown.alike, shown.unlike, len(set(shown.answers.values()))) == (4, 1, 1, 2)
    assert "milk" not in shown.model_dump_json()


def test_a_change_that_a_call_showed_marks_the_tool_in_the_next_catalog_unless_its_effect_is_declared() -> None:
    marked = list[int]()
    advisor = Advisor(None, SetClock())
    advisor.on_marked = lambda: marked.append(1)
    spec, settled = unsaid("frobnicate"), unsaid("settled", declared=True)
    for one in (spec, spec, settled):
        advisor.learn(UsageSample.of_signs(one, "changed"))
    assert len(marked) == 2, "once for each"
    catalog = advisor.marked(Catalog(tools=(spec, settled)))
    assert [one.seen_to_change for one in catalog.tools] == [True, False]
    assert "seen_to_change" not in catalog.tools[0].model_dump()
    assert catalog.tools[0].fingerprint == spec.fingerprint


def _upgraded(file: Path) -> Engine:
    """A database that release 0.1 left, brought up to date."""
    with closing(sqlite3.connect(file)) as database:
        database.executescript(gzip.decompress(DUMP.read_bytes()).decode())
    engine = open_engine(f"sqlite:///{file}")
    for _ in range(2):
        migrate(engine, [DISCOVERY])
    with engine.connect() as connection:
        kept = connection.exec_driver_sql("SELECT tool, shown FROM discovery_usage").all()
    assert [tuple(row) for row in kept] == [("weather_get_weather", None)]
    return engine


@requirement("Z3")
async def test_what_calls_showed_is_kept_in_a_database_of_the_first_release(tmp_path: Path) -> None:
    engine = await anyio.to_thread.run_sync(_upgraded, tmp_path / "jiritsu.db")
    spec = unsaid("frobnicate")
    for _ in range(2):  # a new row, then the same one again
        book = UsageBook(engine, SetClock())
        await book.load()
        book.learn(UsageSample.of_signs(spec, "told"))
        await book.store()
    after = UsageBook(engine, SetClock())
    await after.load()
    assert after.shown(spec) == ShownEffect(told=2)
    assert after.changes(spec)
    engine.dispose()
