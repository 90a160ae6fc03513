"""Ranking by meaning with the real encoder of the `embeddings` extra."""

import importlib.util
from collections.abc import Mapping, Sequence

import anyio
import anyio.to_thread
import pytest
from sqlalchemy import Engine, func, select

from autonomy.cli.commands import discover
from discovery.advisor import Advisor
from discovery.catalog import ToolSpec
from discovery.discovery_tables import embeddings as table
from discovery.gateway import open_gateway
from discovery.hints.hints import make_hint
from discovery.search import embeddings
from discovery.search.embeddings import SentenceEncoder
from discovery.search.search_index import SearchIndex
from tests.requirements import requirement
from tests.support.clock import SetClock
from tests.support.specs import catalog_of, tool

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


@pytest.mark.parametrize("broken", ["\ud83d weather", "\udcff"], ids=["half a pair", "a byte of no UTF-8"])
async def test_a_request_that_is_no_utf_8_is_ranked_like_any_other(broken: str) -> None:
    encoder = SentenceEncoder()
    await encoder.prepare(TOOLS)
    index = await anyio.to_thread.run_sync(SearchIndex, TOOLS, make_hint, encoder)
    assert await anyio.to_thread.run_sync(index.search, broken)
    assert await anyio.to_thread.run_sync(index.explain, broken)


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


class LazyModel:
    """A model that reads its weights at its first text, as both encoders do in part."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def encode(self, texts: Sequence[str]) -> object:
        self.texts += texts
        return embeddings.model().encode(texts)


async def test_the_weights_are_read_in_the_background_even_if_no_tool_is_new(engine: Engine, clock: SetClock) -> None:
    await SentenceEncoder(engine, clock).prepare(TOOLS)
    lazy = LazyModel()
    encoder = SentenceEncoder(engine, clock, load=lambda: lazy)
    await encoder.prepare(TOOLS)
    read_before_a_request, stacked = len(lazy.texts), encoder._matrix
    encoder.scores(TOOLS, "song")
    assert (read_before_a_request, lazy.texts[1:]) == (1, ["song"])
    assert encoder._matrix is stacked


@pytest.mark.parametrize(
    ("asked", "encoded"),
    [
        (["Play a song."], ["Play a song."]),
        (["Play a song. Find entries."], ["Play a song. Find entries.", "Play a song", "Find entries"]),
        (["Play a song. Find entries.", "Find entries, then rot13"], ["Find entries, then rot13", "rot13"]),
    ],
)
async def test_a_request_of_one_step_is_encoded_once_and_a_step_of_an_earlier_request_not_again(
    asked: list[str], encoded: list[str]
) -> None:
    lazy = LazyModel()
    encoder = SentenceEncoder(load=lambda: lazy)
    await encoder.prepare(TOOLS)
    index = await anyio.to_thread.run_sync(SearchIndex, TOOLS, make_hint, encoder)
    for request in asked:
        lazy.texts.clear()
        await anyio.to_thread.run_sync(index.search, request)
    assert lazy.texts == encoded


def test_two_processes_may_store_the_same_vectors(engine: Engine) -> None:
    vectors = SentenceEncoder()._encoded({"d": "text"})
    embeddings._store(engine, "one", vectors, 1.0)
    embeddings._store(engine, "one", vectors, 2.0)
    assert embeddings._stored_vectors(engine, "one", ["d", "unknown"])["d"].tolist() == vectors["d"].tolist()
    assert not embeddings._stored_vectors(engine, "other", ["d"])


@requirement("Z12")
async def test_naming_other_providers_tools_does_not_change_what_a_tool_means() -> None:
    plain = tool("rot", "Rotates letters.", provider="x")
    naming = plain.model_copy(update={"description": "Rotates letters. play_song, get_forecast"})
    others = (tool("play_song", "Play a song", provider="a"), tool("get_forecast", "Forecast", provider="b"))
    near = []
    for spec in (plain, naming):
        encoder = SentenceEncoder()
        await encoder.prepare((spec, *others))
        near.append((encoder.scores((spec, *others), "play a song") or ())[0])
    assert near[1] == pytest.approx(near[0], abs=0.05)


class SlowEncoder:
    """An encoder whose work ends when it is told to."""

    def __init__(self) -> None:
        self.done, self.ready = anyio.Event(), False

    async def prepare(self, specs: Sequence[ToolSpec], about: Mapping[str, str]) -> None:
        await self.done.wait()
        self.ready = True

    def scores(self, specs: Sequence[ToolSpec], query: str) -> Sequence[float] | None:
        return [float(spec.name == "tool_7") for spec in specs] if self.ready else None


@requirement("Z11")
async def test_a_search_among_many_tools_waits_for_their_meanings_but_only_so_long_and_only_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    catalog = catalog_of(*(tool(f"tool_{at}", "Does something") for at in range(120)))
    advisor, encoder = Advisor(None, SetClock()), SlowEncoder()
    monkeypatch.setattr(advisor, "_encoder", encoder)

    def first() -> str:
        return advisor.search(catalog, "zzz something", limit=1)[0].spec.name

    async with anyio.create_task_group() as tasks:
        await advisor.prepare(catalog)
        tasks.start_soon(advisor.encode, catalog)
        monkeypatch.setattr("discovery.advisor.MEANING_WAIT_S", 0.01)
        assert await advisor.once_encoded(first) != "tool_7"
        monkeypatch.setattr("discovery.advisor.MEANING_WAIT_S", 1e9)
        with anyio.fail_after(240):
            assert await advisor.once_encoded(first) != "tool_7"  # nobody waits a second time
        await advisor.prepare(catalog)
        tasks.start_soon(advisor.encode, catalog)
        found: list[str] = []

        async def waiting() -> None:
            found.append(await advisor.once_encoded(first))

        tasks.start_soon(waiting)
        await anyio.wait_all_tasks_blocked()
        assert not found
        encoder.done.set()
    assert found == ["tool_7"]


@requirement("Z13")
async def test_a_person_who_asks_by_hand_waits_for_the_meanings_and_is_told_when_they_are_not_there(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    catalog = catalog_of(*(tool(f"tool_{at}", "Does something") for at in range(120)))
    async with open_gateway([]) as gateway:
        advisor, encoder = gateway.advisor, SlowEncoder()
        monkeypatch.setattr(advisor, "_encoder", encoder)
        monkeypatch.setattr("discovery.advisor.MEANING_WAIT_S", 0.01)

        async def first() -> str:
            found = await discover._searching(gateway, catalog, lambda: gateway.advisor.search(catalog, "zzz something", limit=1))
            return found[0].spec.name

        async with anyio.create_task_group() as tasks:
            await advisor.prepare(catalog)
            tasks.start_soon(advisor.encode, catalog)
            monkeypatch.setattr(discover, "MEANING_WAIT_S", 0.01)
            assert await first() != "tool_7"
            assert "by words alone: the meanings of 120 tools are not ready" in capsys.readouterr().err
            monkeypatch.setattr(discover, "MEANING_WAIT_S", 1e9)
            found: list[str] = []

            async def waiting() -> None:
                found.append(await first())

            tasks.start_soon(waiting)
            await anyio.wait_all_tasks_blocked()
            assert not found
            encoder.done.set()
        assert found == ["tool_7"]
    assert capsys.readouterr().err == ""


async def test_the_encoder_keeps_to_one_thread_of_its_own_library() -> None:
    """Else a query of 6 ms spins for 200 on a busy machine."""
    assert importlib.util.find_spec("threadpoolctl") is not None
