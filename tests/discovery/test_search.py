"""Search: the right tools among thousands, in Japanese and English."""

import gzip
import json
import tracemalloc
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discovery.catalog import ToolSpec
from discovery.hints.hints import Hint, make_hint
from discovery.hints.usage import ToolUsage
from discovery.search.ranked_text import MOST_PARTS, OwnWords, request_parts
from discovery.search.search_index import QUERY_CHARS, SearchIndex
from tests.requirements import requirement
from tests.support.sampling import only
from tests.support.specs import TOOLS, tool


def index() -> SearchIndex:
    return SearchIndex(TOOLS, make_hint)


@requirement("D18")
@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("明日の東京の天気は？", "get_weather"),
        ("今日は傘が必要？", "get_weather"),
        ("weather forecast", "get_weather"),
        ("最近の発言を集めて", "slack_get_channel_history"),
        ("channel messages history", "slack_get_channel_history"),
        ("チャンネルに投稿して", "slack_post_message"),
        ("過去の日記を読みたい", "esa_list_posts"),
        ("ファイルの内容を読んで", "read_text_file"),
        ("ＦＩＬＥ を読む", "read_text_file"),
        ("new repositories", "createRepository"),
    ],
)
def test_a_request_in_either_language_finds_the_tool(query: str, name: str) -> None:
    assert index().search(query)[0].spec.name == name


def test_nothing_in_common_finds_nothing_and_nothing_breaks() -> None:
    assert index().search("zzz") == ()
    assert index().search("") == ()
    assert SearchIndex(()).search("weather") == ()


@requirement("X17")
def test_of_two_equal_tools_the_one_that_works_comes_first() -> None:
    twins = (tool("fetch_a", "Fetch a web page"), tool("fetch_b", "Fetch a web page"))

    def hint(spec: ToolSpec) -> Hint:
        fails = spec.name == "fetch_a"
        return make_hint(spec, ToolUsage(tool=spec.name, at=0, ok=0.0 if fails else 9.0, failed=9.0 if fails else 0.0))

    assert [ranked.spec.name for ranked in SearchIndex(twins, hint).search("web page")] == ["fetch_b", "fetch_a"]


@requirement("X17")
def test_of_two_equal_tools_the_one_that_served_such_a_request_before_comes_first() -> None:
    twins = (tool("fetch_a", "Fetch a web page"), tool("fetch_b", "Fetch a web page"))

    def served(request: str) -> dict[str, float]:
        return {twins[1].fingerprint: 0.5} if "web page" in request else {}

    assert [ranked.spec.name for ranked in SearchIndex(twins, served=served).search("web page")] == ["fetch_b", "fetch_a"]
    assert [ranked.spec.name for ranked in SearchIndex(twins, served=served).search("fetch")] == ["fetch_a", "fetch_b"]


def test_a_plain_word_of_a_description_stays_though_another_tool_is_called_it() -> None:
    about = tool("bake", "Use search before list_items.")
    words = OwnWords((tool("search", provider="x"), tool("list_items", provider="x"), about))
    assert words.of(about, 99) == "Use search before  ."


def test_of_a_long_request_the_first_and_the_last_steps_are_searched() -> None:
    steps = [f"step number {number}" for number in range(MOST_PARTS + 4)]
    half = MOST_PARTS // 2
    assert request_parts(". ".join(steps)) == (*steps[:half], *steps[-half:])


def test_what_a_server_says_of_itself_counts_for_its_tools_but_only_its_beginning() -> None:
    specs = (tool("search", "Search", provider="a"), tool("search_b", "Search", provider="b"))
    about = {"b": "Biomedical articles and trials.", "a": "x " * 200 + "biomedical"}
    found = SearchIndex(specs, about=about).search("biomedical search")
    assert [ranked.spec.provider for ranked in found] == ["b", "a"]
    assert found[0].score > 1.5 * found[1].score


def test_likeness_is_between_tools_and_never_to_itself() -> None:
    found = index().like(TOOLS[1])
    assert found[0].spec.name == "slack_post_message"
    assert all(0 < ranked.score <= 1 and ranked.spec != TOOLS[1] for ranked in found)


class FirstIsNearest:
    """An encoder for which earlier tools are always nearer."""

    def scores(self, specs: Sequence[ToolSpec], query: str) -> list[float]:
        return [1 - at / 20 for at in range(len(specs))]


def test_an_encoder_finds_what_words_do_not_and_words_still_count() -> None:
    with_meaning = SearchIndex(TOOLS, make_hint, FirstIsNearest())
    assert with_meaning.search("zzz")[0].spec == TOOLS[0]
    assert with_meaning.search("slack_get_channel_history")[0].spec == TOOLS[1]


class NotReady:
    """An encoder that is still at work."""

    def scores(self, specs: Sequence[ToolSpec], query: str) -> None:
        return None


def test_until_the_encoder_is_ready_words_decide() -> None:
    assert SearchIndex(TOOLS, make_hint, NotReady()).search("天気") == index().search("天気")


# No text more than once: of many copies the last stand behind what fits less.
@given(st.lists(st.text(max_size=40), max_size=8, unique_by=lambda text: " ".join(text.split()).casefold()), st.text(max_size=40))
def test_any_words_can_be_searched_for_among_any_tools(texts: list[str], query: str) -> None:
    specs = [tool(f"t{at}", text, provider=text) for at, text in enumerate(texts)]
    found = SearchIndex(specs, make_hint).search(query, limit=5)
    assert len(found) <= 5
    scores = [ranked.score for ranked in found]
    assert scores == sorted(scores, reverse=True)


@requirement("D18")
@pytest.mark.parametrize("count", only([800], [800, 5_000]))
def test_thousands_of_tools_fit_in_memory(count: int) -> None:
    description = "Create, read and list the things of a workspace, with filters and pages. " * 3
    specs = [tool(f"tool_{at}", f"{description} number{at}", provider=f"p{at % 70}") for at in range(count)]
    tracemalloc.start()
    try:
        large = SearchIndex(specs, make_hint)
        held, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert large.search("number432")[0].spec.name == "tool_432"
    assert held < 12_000 * count


with gzip.open(Path(__file__).parent / "data" / "labelled_tools.jsonl.gz", "rt", encoding="utf-8") as _file:
    REAL = tuple(
        tool(f"{row['server']}_{row['tool']}"[:64], row["description"], provider=row["server"]).model_copy(
            update={"tool": row["tool"], "input_schema": row["input_schema"]}
        )
        for row in map(json.loads, _file)
        if row.get("description") and row["source"] == "livemcpbench"
    )
REQUESTS = (
    "Find the cheapest flight and a hotel near the station",
    "Get the income statement of a listed company",
    "Write a summary of this paper into a Word document",
    "Read the web page and save it in a file",
    "What will the weather be tomorrow",
    "Search clinical trials for a disease",
    "List the open issues of the repository",
    "明日の天気を調べてファイルに書いて",
)
HONEST = tool("zz_rot13", "Rotate the letters of a text by thirteen places", provider="zz", required=("text",))


def mean_place(specs: tuple[ToolSpec, ...]) -> float:
    """The mean place of the tool of the provider `zz` that stands first, over the requests."""
    found = SearchIndex(specs, make_hint)
    names = [[one.spec.provider for one in found.search(request, limit=len(specs))] for request in REQUESTS]
    return sum(places.index("zz") if "zz" in places else len(specs) for places in names) / len(names)


@requirement("Z12")
@pytest.mark.parametrize(
    "boast",
    [
        " ".join(f"{spec.tool}, {spec.name}" for spec in REAL),
        " better than " + " ".join(spec.tool for spec in reversed(REAL) if "_" in spec.tool),
        " " * 700 + " ".join(REQUESTS),
    ],
    ids=["names of others", "names of others, reversed", "requests, late"],
)
def test_a_tool_gains_hardly_a_place_by_what_it_claims_beside_its_purpose(boast: str) -> None:
    boasting = HONEST.model_copy(update={"description": f"{HONEST.description}. {boast}"})
    assert mean_place((*REAL, boasting)) >= mean_place((*REAL, HONEST)) - 0.01 * len(REAL)


@requirement("Z12")
def test_saying_a_word_fifty_times_is_worth_no_more_than_saying_it_where_others_do() -> None:
    once = HONEST.model_copy(update={"description": "Get the weather forecast of a place"})
    often = HONEST.model_copy(update={"description": "weather forecast " * 50})
    plain = tool("aa_weather", "Get the weather forecast of a place", provider="aa", required=("place",))
    others = (*REAL, plain)
    scores = {
        spec.description[:9]: {one.spec.name: one.score for one in SearchIndex((*others, spec)).search("weather forecast")}
        for spec in (once, often)
    }
    assert scores["weather f"][HONEST.name] <= 1.3 * scores["Get the w"][HONEST.name]


@requirement("Z12")
def test_copies_of_a_description_do_not_push_the_others_out() -> None:
    text = "Search papers by words and give their abstracts"
    copies = tuple(tool(f"copy{at}_papers", text, provider=f"copy{at}") for at in range(30))
    other = tool("zz_scholar", "Find scholarly papers", provider="zz")
    found = [one.spec for one in SearchIndex((*copies, other)).search("search papers", limit=8)]
    assert other in found[:3]
    assert len(found) == 8


@requirement("Z12")
@pytest.mark.parametrize(
    "query", ["weather " * 1_250, "天気を調べて。" * 1_500, "🦊" * 10_000, "a" * 10_000, "\u202eweather\x00", "/" * 10_000]
)
def test_a_request_of_any_length_and_script_is_searched_in_bounds(query: str) -> None:
    asked: list[str] = []

    class Counting:
        def scores(self, specs: Sequence[ToolSpec], query: str) -> list[float]:
            asked.append(query)
            return [0.0] * len(specs)

    SearchIndex(TOOLS, make_hint, Counting()).search(query)
    assert len(asked) <= 9
    assert all(len(text) <= QUERY_CHARS + 1 for text in asked)


class TestParts:
    """A request cut into its steps."""

    @pytest.mark.parametrize(
        ("request_text", "parts"),
        [
            ("Write a report and save it in /root/notes/a.md", ("Write a report", "save it in file")),
            ("天気を調べて、https://example.com/x に投稿して", ("天気を調べて", "web page に投稿して")),
            ("結果を/root/notes/a.mdに保存して、maya@example.comに送って", ("結果を file に保存して", "e-mail address に送って")),
            ("https://example.com/xを開く", ("web page を開く",)),
            ("What is 3.5 km in miles?", ("What is 3.5 km in miles?",)),
            ("Track GBP/USD, then sum debit/credit", ("Track GBP/USD", "sum debit/credit")),
            ("午前/午後の予定、明日の天気", ("午前/午後の予定", "明日の天気")),
            ("weather", ("weather",)),
            ("", ()),
        ],
    )
    def test_values_are_named_by_kind(self, request_text: str, parts: tuple[str, ...]) -> None:
        assert request_parts(request_text) == parts


@requirement("Z13")
def test_a_ranking_is_explained_by_words_meaning_step_and_history() -> None:
    served = {TOOLS[2].fingerprint: 0.5}
    with_all = SearchIndex(TOOLS, make_hint, FirstIsNearest(), served=lambda query: served)
    request = "read the channel history and post a message"
    reasons = with_all.explain(request)
    assert [one.spec for one in reasons] == [one.spec for one in with_all.search(request)]
    by_name = {one.spec.name: one for one in reasons}
    assert by_name["slack_post_message"].served == 0.5
    assert {"post", "messag"} <= set(by_name["slack_post_message"].words)
    assert by_name["get_weather"].meaning == 1.0
    assert by_name["get_weather"].step == "read the channel history"


class LooseStep:
    """An encoder for which one step is near to every tool, and another to a single one."""

    def scores(self, specs: Sequence[ToolSpec], query: str) -> list[float]:
        if query == "make it good":
            return [0.5 + 0.1 * (spec == TOOLS[0]) for spec in specs]
        return [0.4 * (spec == TOOLS[1] and query == "look at the past") for spec in specs]


@requirement("Z11")
def test_a_step_that_is_near_to_everything_says_less_than_one_in_which_a_tool_stands_out() -> None:
    index = SearchIndex(TOOLS, encoder=LooseStep())
    first, second = index.explain("look at the past, make it good", limit=2)
    assert (first.spec, first.step) == (TOOLS[1], "look at the past")
    assert (second.spec, second.step) == (TOOLS[0], "make it good")
    mean = (0.5 * len(TOOLS) + 0.1) / len(TOOLS)
    assert second.step_meaning == pytest.approx(0.6 - mean)
    assert second.score == pytest.approx(second.step_meaning)


@requirement("Z11")
def test_a_tool_that_served_such_requests_before_comes_first() -> None:
    before = {TOOLS[1].fingerprint: 1.0, TOOLS[0].fingerprint: 0.5}
    plain, learned = SearchIndex(TOOLS, make_hint), SearchIndex(TOOLS, make_hint, served=lambda query: before)
    names = [[one.spec.name for one in each.search("post a message")] for each in (plain, learned)]
    assert names[0][0] == "slack_post_message"
    assert "get_weather" not in names[0]
    assert "get_weather" in names[1]
    assert names[1][0] == "slack_post_message"


@requirement("Z11")
def test_words_weigh_by_how_much_of_the_request_they_cover() -> None:
    specs = (tool("zz_first", "Alpha beta"), tool("zz_second", "Play music"), tool("zz_third", "Gamma"))
    index = SearchIndex(specs, encoder=FirstIsNearest())
    covered = {one.spec.name: one.score for one in index.search("play music")}
    by_chance = {one.spec.name: one.score for one in index.search("tell her about old rivers bridges boats and music")}
    assert covered["zz_second"] - covered["zz_first"] > 2 * (by_chance["zz_second"] - by_chance["zz_first"])
    parts = index.explain("play music")[0].words
    assert sum(parts.values()) == pytest.approx(covered["zz_second"] - (1 - 1 / 20))
