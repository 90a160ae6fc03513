"""Substitutes: another tool for a failed one, its arguments carried over, and never a write by surprise."""

import gzip
import json
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discovery.catalog import Catalog, Effect, JsonObject, ToolSpec
from discovery.hints.usage import ToolUsage
from discovery.schemas.schema import validate
from discovery.search import tool_kinds
from discovery.search.argument_mapping import GUESS, fill, mapped
from discovery.search.fallback_tools import FallbackRule, FallbackTool, find_fallback_tools
from discovery.search.search_index import SearchIndex
from discovery.search.tool_kinds import same_kind
from discovery.text.search_terms import normalized
from tests.requirements import requirement
from tests.support.specs import catalog_of, tool

DATA = Path(__file__).parent / "data"
PAIRS = json.loads((DATA / "alternative_pairs.json").read_text(encoding="utf-8"))
with gzip.open(DATA / "labelled_tools.jsonl.gz", "rt", encoding="utf-8") as _file:
    LABELLED = [row for row in map(json.loads, _file) if "description" in row]


def as_spec(row: dict[str, Any]) -> ToolSpec:
    return tool(row["tool"], row["description"], provider=row["server"])


SEARCH = tool("web_search", "Search the web and return links", required=("query",), properties={"limit": {"type": "integer"}})
BING = tool(
    "bing_search",
    "Search the web with Bing and return links",
    provider="bing",
    required=("q",),
    properties={"count": {"type": "string"}},
)
WEATHER = tool("get_weather", "Weather forecast for a place", provider="weather", required=("location",))
POST = tool("post_links", "Search the web and post links", provider="x", required=("query",), effect=Effect.OUTWARD)


def of(catalog: Catalog, failed: ToolSpec, arguments: JsonObject, **more: Any) -> tuple[FallbackTool, ...]:
    return find_fallback_tools(catalog, failed, arguments, index=SearchIndex(catalog.tools), **more)


@requirement("X12")
def test_a_tool_like_the_failed_one_gets_its_arguments_in_its_own_terms() -> None:
    (found,) = of(catalog_of(SEARCH, BING, WEATHER, POST), SEARCH, {"query": "esa", "limit": 5})
    assert (found.spec, found.arguments, found.source) == (BING, {"q": "esa", "count": "5"}, "ranked")
    assert 0 < found.score <= 1


@requirement("X12", "Z4")
def test_what_answers_another_question_is_no_substitute_however_alike() -> None:
    history = tool("slack_get_channel_history", "Messages", provider="slack", required=("channel_id",))
    users = tool("slack_get_users", "People", provider="slack")
    posts, members = tool("esa_list_posts", "Posts", provider="esa"), tool("esa_get_members", "Team", provider="esa")
    catalog = catalog_of(history, users, posts, members)
    assert of(catalog, history, {"channel_id": "C1"}) == ()
    assert of(catalog, posts, {}) == ()


@requirement("Z4")
def test_what_is_a_providers_own_is_asked_of_no_other_provider() -> None:
    ours = tool("search_messages", "Search messages.", provider="a", required=("query",))
    theirs = tool("search_messages", "Search messages.", provider="b", required=("query",))
    learned = ToolUsage(tool="search_messages", at=0, failed=5.0, alternatives={"b_search_messages": 9.0})
    other = theirs.model_copy(update={"name": "b_search_messages"})
    assert of(catalog_of(ours, other), ours, {"query": "x"}, usage=lambda spec: learned if spec == ours else None) == ()


HISTORY = ("get_price_history", "Get historical stock prices for a stock symbol.", "y")


@requirement("Z4")
@pytest.mark.parametrize(
    ("one", "other", "required"),
    [
        (HISTORY, ("calculate_aroon", "Calculate the Aroon Indicator for a trading pair using OHLCV data of stocks", "x"), ()),
        (HISTORY, ("get_stock_ohlcv", "Retrieves OHLCV data of a stock.", "kospi-kosdaq"), ()),
        (HISTORY, ("time_series_monthly", "Fetches monthly OHLCV time series for a given stock.", "a"), ()),
        (("get_hourly_weather", "Weather of each hour.", "h"), ("get_weather", "Weather forecast for a place.", "w"), ()),
        (
            ("get_weather", "Weather forecast for a place.", "w"),
            ("get_weather", "Weather of an activity.", "run"),
            ("activity_id",),
        ),
        (("get_current_time", "Get current time.", "t"), ("top", "The current user's tracks over a given time range.", "m"), ()),
        (("get_news", "News of a stock ticker.", "n"), ("search", "Search for stocks, symbols and news.", "s"), ()),
        (("web_search", "Search the web.", "w"), ("search_files", "Search for files with web methods.", "n"), ()),
        (("web_search", "Search the web.", "w"), ("extract", "Retrieves pages of the web for research.", "t"), ()),
        (("web_search", "Search the web.", "w"), ("search_wiki", "Prefer this to web search for questions on policy.", "t"), ()),
        (("fetch", "Fetches a web page.", "f"), ("stop", "Get the performance trace of the web page.", "c"), ()),
        (("get_weather", "Weather for a city.", "w"), ("get_images", "Get weather imagery for a location.", "r"), ()),
        (("get_weather", "Weather for a city.", "w"), ("check_status", "Check the status of the weather API.", "s"), ()),
        (
            ("current_weather", "Get the weather for a city.", "w"),
            ("get_it", "Get the 7-day weather forecast for a city.", "f"),
            (),
        ),
        (("get_weather", "Weather for a city.", "w"), ("get_weather_advice", "基於天氣資訊提供建議", "a"), ()),
        (("web_search", "Search the web.", "w"), ("search_books", "Search for books using DuckDuckGo's books search.", "d"), ()),
        (("search_arxiv", "Search arXiv.", "a"), ("arxiv_search_trending", "Search the most recent papers of arXiv.", "t"), ()),
        (
            ("get_transcript", "Transcript of a YouTube video.", "v"),
            ("languages", "List all transcript languages for a video.", "l"),
            (),
        ),
        (
            ("get_transcript", "Transcript of a YouTube video.", "v"),
            ("list_transcripts", "List all transcript languages.", "l"),
            (),
        ),
        (("fetch_url", "Fetch a URL as text.", "f"), ("summarize_url", "Fetch a URL and summarize its text.", "s"), ()),
        (("fetch_url", "Fetch a URL as text.", "f"), ("fetch_content", "Fetch the text content of a LinkedIn URL.", "s"), ()),
        (("get_weather", "Weather for a city.", "w"), ("get_weather", "Weather for U.S. cities.", "n"), ()),
        (("get_weather", "Weather for a city.", "w"), ("get_weather", "查询城市天气", "a"), ()),
        (("get_weather", "Weather for a city.", "w"), ("get_weather", "Get marine weather for a location.", "m"), ()),
        (("get_forecast", "Weather forecast for a city.", "w"), ("get_weather", "Get weather information for a city.", "m"), ()),
        (("get_weather", "Weather for a city.", "w"), ("天気警報", "天気の警報を返す。", "j"), ()),
        (
            ("get_prices", "Get prices of multiple crypto coins.", "b"),
            ("crypto_price", "Get the price of a crypto coin.", "c"),
            (),
        ),
        (
            ("get_rate", "Get the exchange rate of two currencies.", "e"),
            ("get_rate", "Get exchange rates of Norges Bank.", "n"),
            (),
        ),
    ],
)
def test_tools_that_share_their_words_and_not_their_question_are_of_different_kinds(
    one: tuple[str, str, str], other: tuple[str, str, str], required: tuple[str, ...]
) -> None:
    failed = tool(one[0], one[1], provider=one[2])
    assert same_kind(failed, failed)
    assert not same_kind(failed, tool(other[0], other[1], provider=other[2], required=required))


@requirement("Z4")
def test_who_knows_more_countries_or_times_stands_in_and_not_the_other_way() -> None:
    ours, world = tool("get_weather", "Weather in Japan.", provider="j"), tool("get_weather", "Weather for a city.", provider="w")
    now = tool("get_current_weather", "Get the current weather of a city.", provider="n")
    both = tool("get_weather", "Get current weather and forecast for a place.", provider="b")
    silent = tool("get_weather", "Weather for a city.\nReturns: current weather and forecast data", provider="s")
    assert same_kind(ours, world)
    assert not same_kind(world, ours)
    assert all(same_kind(now, one) and not same_kind(one, now) for one in (both, silent))
    alerts = tool("get_alerts", "Get alerts for a US state.", provider="w")
    plain = world.model_copy(update={"provider": "p"})
    assert same_kind(plain, world)
    assert not same_kind(plain, world, [alerts])
    assert same_kind(world, plain, [alerts])


def test_neither_a_long_description_nor_a_large_provider_is_read_whole() -> None:
    read = list[int]()
    shouting = tool("get_weather", "Weather for a city. " + "BEST WEATHER! " * 10_000, provider="loud")
    crowd = [tool(f"get_{at}", f"Weather for Japan, {at}.", provider="loud") for at in range(3 * tool_kinds.MOST_SIBLINGS)]
    regions = mock.Mock(side_effect=tool_kinds._regions)
    with (
        mock.patch.object(tool_kinds, "normalized", side_effect=lambda text: read.append(len(text)) or normalized(text)),
        mock.patch.object(tool_kinds, "_regions", regions),
    ):
        assert not same_kind(WEATHER, shouting, crowd)
    assert max(read) <= tool_kinds.TOLD_CHARS
    assert regions.call_count <= tool_kinds.MOST_SIBLINGS + 2


@requirement("Z4")
def test_a_brand_at_the_beginning_of_a_name_tells_nothing_of_the_question() -> None:
    branded = tool("tavily-x-search", "Search the web.", provider="tavily-x-mcp")
    assert same_kind(branded, SEARCH)
    assert not same_kind(branded.model_copy(update={"provider": "other"}), SEARCH)


@requirement("Z4")
def test_daily_prices_stand_in_for_prices_and_a_public_video_id_is_nobodys_own_key() -> None:
    daily = tool("time_series_daily", "Fetches daily OHLCV time series for a given stock.", provider="a")
    transcripts = [tool("get_transcript", "Transcript of a YouTube video.", provider=at, required=("video_id",)) for at in "ab"]
    assert same_kind(tool(HISTORY[0], HISTORY[1], provider=HISTORY[2]), daily)
    assert same_kind(*transcripts)


@requirement("Z4")
def test_of_the_pairs_labelled_by_hand_those_we_take_are_of_the_same_kind() -> None:
    specs = {f"{row['server']}/{row['tool']}": row for row in LABELLED}
    pairs = [row for row in PAIRS if row["failed"] in specs and row["use"] in specs]
    taken = [row for row in pairs if same_kind(*(as_spec(specs[row[end]]) for end in ("failed", "use")))]
    right = [row for row in taken if row["same"]]
    assert len(pairs) >= 140
    assert len(right) >= 12
    assert len(right) >= 0.95 * len(taken)


@requirement("Z4")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("search_arxiv", "Search arXiv for papers."), ("papers_search", "Search papers on ArXiv by author.")),
        (("get_transcript", "Get the transcript of a YouTube video."), ("fetchTranscript", "Transcript of a youtube video.")),
        (("ddg", "Search with DuckDuckGo."), ("web_search", "Search the web.")),
        (("quote", "Get a real-time quote snapshot for a stock."), ("get_current_price", "Get current stock price data.")),
        (("get_balance_sheet", "Balance sheet of a company."), ("balance_sheets", "Get balance sheets for a ticker.")),
        (("getPaper", "Details of an arXiv paper."), ("get_paper", "Get information about an arXiv paper.")),
        (("get_alerts", "Get weather alerts for a US state."), ("alerts", "Active weather alerts of a US state.")),
        (("get_historical_weather", "Historical weather of a city."), ("history", "Get historical weather data for a place.")),
    ],
)
def test_a_name_with_a_capital_inside_is_one_word(one: tuple[str, str], other: tuple[str, str]) -> None:
    assert same_kind(tool(*one, provider="a"), tool(*other, provider="b"))


@requirement("Z4")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("get_products", "Get products."), ("get_products", "Get products.")),
        (("search-datasets", "Search for datasets."), ("search_datasets", "Search datasets by keyword.")),
        (("getStats", "Get statistics."), ("get_stats", "Get statistics.")),
        (("label_search", "Search labels for prescribing information."), ("ddg", "Search the web with DuckDuckGo.")),
        (("find_doc", "Finds text in a Google Doc."), ("ddg", "Search the web with DuckDuckGo.")),
        (("history", "Price history of a drug."), ("prices", "Historical stock prices.")),
        (("distance", "Distance of two locations by coordinates."), ("geocode", "Geocode an address.")),
    ],
)
def test_a_name_or_a_word_in_common_is_no_common_question(one: tuple[str, str], other: tuple[str, str]) -> None:
    assert not same_kind(tool(*one, provider="a"), tool(*other, provider="b"))


@requirement("X12")
def test_a_write_stands_in_for_nothing_and_nothing_for_a_write_unless_a_rule_says_so() -> None:
    other = tool("send_links", "Search the web and post links", provider="y", required=("query",), effect=Effect.OUTWARD)
    catalog = catalog_of(SEARCH, POST, other)
    assert of(catalog, SEARCH, {"query": "x"}) == ()
    assert of(catalog, POST, {"query": "x"}) == ()
    rule = FallbackRule(failed="post_links", use="send_links", arguments={"query": "{query}"})
    assert of(catalog, POST, {"query": "x"}, table=[rule]) == ()
    allowed = rule.model_copy(update={"writes": True})
    (found,) = of(catalog, POST, {"query": "x"}, table=[allowed])
    assert (found.spec, found.arguments, found.source) == (other, {"query": "x"}, "table")
    assert of(catalog, POST, {"query": "x"}, table=[allowed.model_copy(update={"arguments": {"words": "{query}"}})]) == ()


@requirement("X12", "X17")
def test_what_helped_before_comes_first() -> None:
    twin = BING.model_copy(update={"name": "duck_search", "tool": "duck_search", "provider": "duck"})
    usage = ToolUsage(tool="web_search", at=0, failed=5.0, alternatives={"duck_search": 4.0, "gone": 1.0, "post_links": 9.0})
    catalog = catalog_of(SEARCH, BING, twin, POST)
    found = of(catalog, SEARCH, {"query": "x"}, usage=lambda spec: usage if spec == SEARCH else None)
    assert [(one.spec.name, one.source) for one in found] == [("duck_search", "learned"), ("bing_search", "ranked")]


def test_a_tool_of_the_server_that_failed_is_less_of_a_substitute_than_anothers_that_is_less_alike() -> None:
    sibling = BING.model_copy(update={"name": "search_web", "tool": "search_web", "provider": SEARCH.provider})
    found = of(catalog_of(SEARCH, sibling, BING), SEARCH, {"query": "x"})
    assert [one.spec.provider for one in found] == ["bing", SEARCH.provider]


def test_a_tool_that_keeps_failing_is_a_worse_substitute() -> None:
    usage = ToolUsage(tool="bing_search", at=0, failed=9.0)
    catalog = catalog_of(SEARCH, BING)
    (plain,) = of(catalog, SEARCH, {"query": "x"})
    (worse,) = of(catalog, SEARCH, {"query": "x"}, usage=lambda spec: usage if spec == BING else None)
    assert worse.score < plain.score


def test_nothing_that_is_down_and_nothing_whose_arguments_are_missing() -> None:
    down = BING.model_copy(update={"available": False})
    needy = BING.model_copy(
        update={"input_schema": {"type": "object", "properties": {"q": {}, "site_id": {}}, "required": ["q", "site_id"]}}
    )
    assert of(catalog_of(SEARCH, down), SEARCH, {"query": "x"}) == ()
    assert of(catalog_of(SEARCH, needy), SEARCH, {"query": "x"}) == ()


class TestMapping:
    """Arguments carried from one tool to another."""

    @pytest.mark.parametrize(
        ("given_name", "wanted_name"),
        [("userId", "user_id"), ("q", "searchQuery"), ("city", "location"), ("since", "start_date"), ("file_path", "path")],
    )
    def test_names_that_mean_the_same(self, given_name: str, wanted_name: str) -> None:
        found = mapped(tool("a", required=(given_name,)), {given_name: "v"}, tool("b", required=(wanted_name,)))
        assert found is not None
        assert (found.arguments, found.coverage) == ({wanted_name: "v"}, 1.0)

    def test_the_only_required_text_on_both_sides_is_the_same_thing(self) -> None:
        found = mapped(tool("a", required=("company",)), {"company": "NIO"}, tool("b", required=("stock",)))
        assert found is not None
        assert found.arguments == {"stock": "NIO"}
        assert found.coverage == GUESS, "and a guess"

    def test_but_never_an_id_which_only_its_own_tools_know(self) -> None:
        assert mapped(tool("a", required=("company",)), {"company": "NIO"}, tool("b", required=("record_id",))) is None
        assert mapped(tool("a", required=("record_id",)), {"record_id": "7"}, tool("b", required=("company",))) is None

    def test_what_does_not_fit_the_type_is_not_carried(self) -> None:
        wanted = tool("b", properties={"limit": {"type": "integer", "maximum": 10}})
        found = mapped(tool("a"), {"limit": "500"}, wanted)
        assert found is not None
        assert (found.arguments, found.coverage) == ({}, 0.0)

    def test_optional_arguments_that_are_lost_count_half(self) -> None:
        failed = tool("a", required=("query",), properties={"max_results": {"type": "integer"}})
        found = mapped(failed, {"query": "x", "max_results": 3}, tool("b", required=("q",)))
        assert found is not None
        assert found.coverage == pytest.approx(2 / 3)

    def test_what_is_lost_may_not_widen_the_question(self) -> None:
        wide = tool("b", required=("q",))
        narrow = {"region": {"type": "string", "default": "all"}, "days": {"type": "integer"}, "language": {"type": "string"}}
        failed = tool("a", required=("query", "city"), properties=narrow)
        for name, value in (("region", "jp"), ("days", 3), ("language", "ja"), ("city", "Kobe")):
            assert mapped(failed, {"query": "x", name: value}, wide) is None, name
        for name, value in (("region", "all"), ("language", None), ("language", "")):
            assert mapped(failed, {"query": "x", name: value}, wide) is not None, name

    def test_a_template_takes_whole_values_as_they_are_and_texts_into_texts(self) -> None:
        template = {"n": "{n}", "query": "in:{channel} {n}", "fixed": 1, "day": "{day?}"}
        assert fill(template, {"n": 3, "channel": "C1"}) == {"n": 3, "query": "in:C1 3", "fixed": 1}
        assert fill(template, {"n": 3, "channel": "C1", "day": None}) == {"n": 3, "query": "in:C1 3", "fixed": 1, "day": None}
        assert fill(template, {"n": 3}) is None
        assert fill({"n": "{n}"}, {}) is None


NAMES = st.sampled_from(["q", "query", "limit", "count", "user", "path", "x_id", "無"])
TYPES = st.sampled_from([{"type": "string"}, {"type": "integer"}, {"type": "array", "items": {"type": "string"}}, {}])
PROPERTIES = st.dictionaries(NAMES, TYPES, max_size=4)
VALUES = st.sampled_from(["a", "5", 5, ["a"], True, None, 0.5])


@given(PROPERTIES, PROPERTIES, st.data())
def test_what_is_carried_is_always_valid(ours: JsonObject, theirs: JsonObject, data: st.DataObject) -> None:
    arguments = {name: data.draw(VALUES) for name in ours}
    required = tuple(data.draw(st.sets(st.sampled_from(sorted(theirs))))) if theirs else ()
    other = tool("b", properties=theirs)
    other = other.model_copy(update={"input_schema": {**other.input_schema, "required": list(required)}})
    found = mapped(tool("a", properties=ours), arguments, other)
    if found is not None:
        assert validate(other.input_schema, found.arguments) == ()
        assert 0 <= found.coverage <= 1
