"""Ranking by meaning with the real encoder of the `embeddings` extra."""

import anyio.to_thread
import pytest
from sqlalchemy import Engine, func, select

from discovery.discovery_tables import embeddings as table
from discovery.hints.hints import make_hint
from discovery.search import embeddings
from discovery.search.embeddings import SentenceEncoder
from discovery.search.search_index import SearchIndex
from tests.requirements import requirement
from tests.support.clock import SetClock
from tests.support.specs import tool

pytestmark = pytest.mark.skipif(not embeddings.installed(), reason="needs the `embeddings` extra")

TOOLS = (
    tool("getforecast", "Get the weather forecast for a city"),
    tool("translate", "Translate a text into another language"),
    tool("playsong", "Play a song by an artist"),
)


@requirement("D18")
async def test_a_request_finds_a_tool_with_which_it_shares_no_word() -> None:
    encoder = SentenceEncoder()
    await encoder.prepare(TOOLS)
    index = await anyio.to_thread.run_sync(SearchIndex, TOOLS, make_hint, encoder)
    requests = ("外は暑いかな", "この文をフランス語にして", "put on some music")
    found = [(await anyio.to_thread.run_sync(index.search, request))[0].spec.name for request in requests]
    assert found == ["getforecast", "translate", "playsong"]


async def test_what_a_provider_says_of_itself_counts_for_its_tools() -> None:
    twins = (tool("find", "Find entries", provider="a"), tool("find_b", "Find entries", provider="b"))
    encoder = SentenceEncoder()
    await encoder.prepare(twins, {"a": "Recipes and cooking", "b": "Train timetables and tickets", "c": ""})
    recipes, trains = encoder.scores(twins, "時刻表を調べて") or ()
    assert trains > recipes


async def test_until_every_tool_is_encoded_there_are_no_scores() -> None:
    encoder = SentenceEncoder()
    await encoder.prepare(TOOLS[:2])
    assert encoder.scores(TOOLS, "x") is None
    assert encoder.scores((), "x") == ()


async def test_what_was_encoded_once_is_read_from_the_database(engine: Engine, clock: SetClock) -> None:
    first = SentenceEncoder(engine, clock)
    await first.prepare(TOOLS)
    await first.prepare(TOOLS)
    second = SentenceEncoder(engine, clock)
    await second.prepare(TOOLS)
    assert first.scores(TOOLS, "song") == second.scores(TOOLS, "song")
    with engine.connect() as connection:
        assert connection.execute(select(func.count()).select_from(table)).scalar() == 3


def test_two_processes_may_store_the_same_vectors(engine: Engine) -> None:
    vectors = embeddings._encoded({"d": "text"})
    embeddings._store(engine, vectors, 1.0)
    embeddings._store(engine, vectors, 2.0)
    assert embeddings._stored(engine, ["d", "unknown"])["d"].tolist() == vectors["d"].tolist()
