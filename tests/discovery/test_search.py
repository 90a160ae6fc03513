"""Search: the right tools among thousands, in Japanese and English."""

import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discovery.catalog import Catalog, Provider, ProviderState, ToolSpec
from discovery.hints.hints import Hint, make_hint
from discovery.hints.usage import ToolUsage
from discovery.search.search_index import SearchIndex, cost_tokens, select
from tests.requirements import requirement
from tests.support.specs import catalog_of, tool

TOOLS = (
    tool("get_weather", "日本の天気予報を日本語で返す", provider="weather", required=("location",)),
    tool("slack_get_channel_history", "Get recent messages from a channel", provider="slack", required=("channel_id",)),
    tool("slack_post_message", "Post a message to a channel", provider="slack", required=("channel_id", "text")),
    tool("esa_list_posts", "List and search posts", provider="esa", properties={"q": {"description": "query"}}),
    tool("read_text_file", "Read the contents of a file", provider="files", required=("path",)),
    tool("createRepository", "Create a repository", provider="github"),
)


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

    def scores(self, specs: tuple[ToolSpec, ...], query: str) -> list[float]:
        return [-float(at) for at in range(len(specs))]


def test_an_encoder_finds_what_words_do_not_and_words_still_count() -> None:
    with_meaning = SearchIndex(TOOLS, make_hint, FirstIsNearest())
    assert with_meaning.search("zzz")[0].spec == TOOLS[0]
    assert with_meaning.search("slack_get_channel_history")[0].spec == TOOLS[1]


class NotReady:
    """An encoder that is still at work."""

    def scores(self, specs: tuple[ToolSpec, ...], query: str) -> None:
        return None


def test_until_the_encoder_is_ready_words_decide() -> None:
    assert SearchIndex(TOOLS, make_hint, NotReady()).search("天気") == index().search("天気")


class TestSelect:
    """What goes to the model."""

    def test_everything_when_it_fits(self) -> None:
        catalog = catalog_of(*TOOLS)
        assert select(index(), catalog, "天気", budget_tokens=10_000) == catalog.tools

    @requirement("D18")
    def test_else_the_best_within_the_budget_in_the_order_of_names(self) -> None:
        catalog = catalog_of(*TOOLS)
        chosen = select(index(), catalog, "チャンネルの履歴を読んで投稿して", budget_tokens=110)
        assert [spec.name for spec in chosen] == ["slack_get_channel_history", "slack_post_message"]
        assert sum(map(cost_tokens, chosen)) <= 110

    def test_never_more_than_the_vendor_takes(self) -> None:
        assert len(select(index(), catalog_of(*TOOLS), "post message channel file", budget_tokens=10_000, cap=2)) == 2

    def test_nothing_that_cannot_be_called(self) -> None:
        down = TOOLS[0].model_copy(update={"available": False})
        providers = (Provider(name="weather", state=ProviderState.DEGRADED),)
        catalog = Catalog(tools=(down, *TOOLS[1:]), providers=providers)
        assert down.name not in {spec.name for spec in select(SearchIndex(catalog.tools), catalog, "天気", budget_tokens=60)}


@given(st.lists(st.text(max_size=40), max_size=8), st.text(max_size=40))
def test_any_words_can_be_searched_for_among_any_tools(texts: list[str], query: str) -> None:
    specs = [tool(f"t{at}", text, provider=text) for at, text in enumerate(texts)]
    found = SearchIndex(specs, make_hint).search(query, limit=5)
    assert len(found) <= 5
    assert [ranked.score for ranked in found] == sorted((ranked.score for ranked in found), reverse=True)


@requirement("D18")
def test_five_thousand_tools_fit_in_memory() -> None:
    description = "Create, read and list the things of a workspace, with filters and pages. " * 3
    specs = [tool(f"tool_{at}", f"{description} number{at}", provider=f"p{at % 70}") for at in range(5000)]
    tracemalloc.start()
    try:
        large = SearchIndex(specs, make_hint)
        held, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert large.search("number4321")[0].spec.name == "tool_4321"
    assert held < 60_000_000
