"""Runs found by words, in Japanese and English, on both databases."""

from collections.abc import Iterator
from pathlib import Path

import anyio
import anyio.to_thread
import pytest
import sqlalchemy as sa
from hypothesis import example, given
from hypothesis import strategies as st

from autonomy.database import SchemaModule, migrate, open_engine
from autonomy.durable.durable_tables import metadata, runs
from autonomy.durable.durable_upgrades import DURABLE
from autonomy.durable.records import run_search
from autonomy.durable.records.run_records import RunRecords
from autonomy.durable.records.run_search import find_runs, forget_words, index_run, tokens
from autonomy.llm.messages import ToolResult
from autonomy.run_state.run_values import CallRecord, RunResult
from tests.requirements import requirement
from tests.support.durable import asked
from tests.support.postgres import Server


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[sa.Engine]:
    if request.param == "sqlite":
        made = open_engine(f"sqlite:///{tmp_path / 'jiritsu.db'}")
    else:
        server: Server = request.getfixturevalue("postgres_server")
        made = open_engine(server.create("search"))
    migrate(made, [DURABLE])
    yield made
    made.dispose()


def found(engine: sa.Engine, words: str, **more: object) -> list[str]:
    with engine.connect() as connection:
        return [run_id for _, run_id in find_runs(connection, "default", words, limit=50, **more)]  # type: ignore[arg-type]


@requirement("U5")
async def test_runs_are_found_by_goal_result_tool_and_person_in_both_languages(engine: sa.Engine) -> None:
    records = RunRecords(engine)
    await records.begin(asked("run-1", "今日の天気を調べて", actor="haruka"), 1.0)
    await records.begin(asked("run-2", "Look up the river level", actor="kenta"), 2.0)
    call = CallRecord(
        call_id="1",
        turn=1,
        tool="lab_river",
        asked="lab_river",
        result=ToolResult(call_id="1", name="lab_river", text="水位は 1.4 m"),
    )
    await records.end(RunResult(run_id="run-2", ending="completed", text="The café is closed; O'Hara's", calls=(call,)))
    for words, expected in {
        "天気": ["run-1"], "天": ["run-1"], "気を": ["run-1"], "天気 調べ": ["run-1"], "気天": [], "HARUKA": ["run-1"], "水位": ["run-2"],
        "lab_river": ["run-2"], "riv lev": ["run-2"], "café": ["run-2"], "o'hara": ["run-2"], "run-": ["run-2", "run-1"], "天気 river": [],
        "ｒｉｖｅｒ": ["run-2"], "今日の天気": ["run-1"], "の天気を調": ["run-1"], "天気を今日": [],
    }.items():  # fmt: skip
        assert await anyio.to_thread.run_sync(found, engine, words) == expected, words


@requirement("U5")
@pytest.mark.parametrize("few", [2, run_search.FEW])
async def test_what_is_forgotten_is_found_no_more_and_filters_hold(
    engine: sa.Engine, monkeypatch: pytest.MonkeyPatch, few: int
) -> None:
    monkeypatch.setattr(run_search, "FEW", few)  # words of many runs and of few are sought in other ways
    records = RunRecords(engine)
    for number in range(5):
        await records.begin(asked(f"run-{number}", "river", job="a" if number % 2 else "b"), float(number))
    look = anyio.to_thread.run_sync
    assert await look(lambda: found(engine, "river", job="a")) == ["run-3", "run-1"]
    assert await look(lambda: found(engine, "river", states=["completed"])) == []

    def page_by_page() -> list[str]:
        with engine.begin() as connection:
            places = find_runs(connection, "default", "river", limit=2)
            assert find_runs(connection, "other", "river", limit=9) == []
            rest = find_runs(connection, "default", "river", before=places[-1][0], limit=9)
            forget_words(connection, ["run-4", "run-2"])
            return [run_id for _, run_id in rest]

    assert await look(page_by_page) == ["run-2", "run-1", "run-0"]
    assert await look(found, engine, "river") == ["run-3", "run-1", "run-0"]


@requirement("U5")
async def test_no_words_are_a_query_of_their_own(engine: sa.Engine) -> None:
    await RunRecords(engine).begin(asked("run-1", "quiet"), 1.0)
    for words in ("'", '"', "\\", "* OR 1", "NEAR(", "a:*|b", "') --", "words:x", "<->", "-", "^x", "\x00", "雨\x00"):
        assert await anyio.to_thread.run_sync(found, engine, words) == [], words


def test_a_line_is_split_alike_whether_all_of_it_is_ascii() -> None:
    text = "Tea_time at 3.5 h\r, x-1 ÅÉ\nKyoto支社の café\tno.1\nplain: A1b2" + "c" * 600
    each = ["tea", "time", "at", "3", "5", "h", "x", "1", "åé", "kyoto", "支社", "社の", "の", "café", "no", "1", "plain"]
    assert [*tokens(text)][:-1] == each
    for line in text.split("\n"):
        assert [*tokens(line)] == [*tokens(f"{line} é")][:-1]


@requirement("U5")
async def test_a_word_of_any_length_is_indexed_and_found_by_its_beginning(engine: sa.Engine) -> None:
    """PostgreSQL takes no word of more than 2,046 bytes."""
    word = "𝑎é" + "f0" * 5_000
    await RunRecords(engine).begin(asked("run-1", f"what is {word}?"), 1.0)
    for words in (word, word[:40], word[:3_000]):
        assert await anyio.to_thread.run_sync(found, engine, words) == ["run-1"]


@requirement("U5")
@example(text="ꙮ ⅷ² 𝔘ber-naïve ﬁ ё 東京都 ㌔ ｶﾞ ท้องฟ้า नमस्ते")
@given(text=st.text(max_size=30))
def test_a_text_is_found_by_each_of_its_own_words(engine: sa.Engine, text: str) -> None:
    words = list(tokens(text))
    assert all(word and word == word.casefold() and "'" not in word for word in words)
    row = {"run_id": "run-1", "job": "", "tenant": "default", "actor": "", "state": "completed", "asked_at": 1.0, "request": "{}"}
    with engine.connect() as connection:  # and no change of it stays
        connection.execute(runs.insert().values(row))
        index_run(connection, "run-1", "default", text)
        assert [word for word in words if not find_runs(connection, "default", word, limit=1)] == []


@requirement("U5", "R5")
async def test_a_database_of_the_first_release_gets_its_columns_and_its_index(tmp_path: Path) -> None:
    engine = await anyio.to_thread.run_sync(open_engine, f"sqlite:///{tmp_path / 'old.db'}")

    def old() -> None:
        migrate(engine, [SchemaModule("durable", metadata)])
        with engine.begin() as connection:
            for statement in (
                "DROP TABLE durable_search", "DROP TABLE durable_search_keys", "DROP INDEX durable_runs_state", "DROP INDEX durable_runs_job",
                "ALTER TABLE durable_approvals DROP COLUMN edited",
            ):  # fmt: skip
                connection.exec_driver_sql(statement)
            row = {"run_id": "run-1", "job": "", "tenant": "default", "actor": "", "state": "completed", "asked_at": 1.0}
            connection.execute(runs.insert().values(**row, request=asked("run-1", "river").model_dump_json()))
        migrate(engine, [DURABLE])

    await anyio.to_thread.run_sync(old)
    assert await anyio.to_thread.run_sync(found, engine, "river") == ["run-1"]
    names = await anyio.to_thread.run_sync(lambda: {one["name"] for one in sa.inspect(engine).get_indexes("durable_runs")})
    assert {"durable_runs_state", "durable_runs_job"} <= names
    engine.dispose()


def test_among_the_runs_of_a_rare_state_the_words_are_searched_for_once_and_not_for_each_run(tmp_path: Path) -> None:
    """Each of 900 failed runs took a search of its own: 1.5 s of a page."""
    engine, sent = open_engine(f"sqlite:///{tmp_path / 'jiritsu.db'}"), []
    migrate(engine, [DURABLE])
    for number in (1, 2):
        anyio.run(RunRecords(engine).begin, asked(f"run-{number}", "Look up the river level"), float(number))
    with engine.begin() as connection:
        connection.execute(sa.update(runs).where(runs.c.run_id == "run-1").values(state="failed"))
    sa.event.listen(engine, "before_cursor_execute", lambda *call: sent.append(call[2:4]))
    assert found(engine, "river", states=["failed"]) == ["run-1"]
    (search,) = [one for one in sent if "MATCH" in one[0]]
    with engine.connect() as connection:
        plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {search[0]}", search[1]).all()
    engine.dispose()
    (scan,) = [row.detail for row in plan if "VIRTUAL TABLE" in row.detail]
    assert not scan.rpartition(":")[2].startswith("="), "a search for each place"
