"""What goes to the model: all where it fits, else a filled budget with the right tools in it."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from discovery.catalog import Catalog, Provider, ProviderState, ToolSpec
from discovery.hints.hints import make_hint
from discovery.search.brief_tools import BRIEF_ARGUMENT_CHARS, brief_form, cost_tokens
from discovery.search.offering import FOUND, SIBLINGS, FoundTools, OfferedTools, OfferLimits, everyday_needs, find_more, offer
from discovery.search.search_index import SearchIndex
from tests.requirements import requirement
from tests.support.specs import TOOLS, catalog_of, tool

MANY = tuple(
    tool(
        f"p{number}_{verb}_{number}",
        f"{verb} the thing {number}. {'It says more of itself than anybody wants to read. ' * 6}",
        provider=f"p{number}",
        required=("thing_id",),
    )
    for number in range(40)
    for verb in ("Get", "Change", "Archive")
)


def of(catalog: Catalog, goal: str, budget_tokens: int, **more: object) -> OfferedTools:
    return offer(SearchIndex(catalog.tools, make_hint), catalog, goal, budget_tokens=budget_tokens, **more)  # type: ignore[arg-type]


def spent(shown: OfferedTools) -> int:
    return sum(map(cost_tokens, shown.full)) + sum(cost_tokens(brief_form(spec)) for spec in shown.brief)


def test_all_tools_are_shown_whole_when_they_fit() -> None:
    catalog = catalog_of(*TOOLS)
    assert of(catalog, "天気", 10_000) == OfferedTools(full=catalog.tools)


@requirement("D18")
def test_else_the_best_within_the_budget_and_what_fits_best_is_shown_whole() -> None:
    catalog = catalog_of(*MANY, *TOOLS)
    shown = of(catalog, "チャンネルの履歴を読んで投稿して", 2_000)
    assert {"slack_get_channel_history", "slack_post_message"} <= {spec.name for spec in shown.full}
    assert 1_800 < spent(shown) <= 2_000
    last = FOUND + SIBLINGS
    by_name = [spec.name for spec in shown.specs[:-last]]
    assert by_name == sorted(by_name)
    assert shown.specs[-last:] == shown.brief[-last:]


@requirement("Z11")
def test_a_goal_whose_words_match_nothing_is_offered_a_full_budget_from_every_provider() -> None:
    shown = of(catalog_of(*MANY), "qqq", 4_000)
    assert spent(shown) > 3_800
    assert {spec.provider for spec in shown.specs} == {spec.provider for spec in MANY}


@requirement("Z11")
def test_what_any_goal_may_need_is_offered_whatever_the_goal_is_about() -> None:
    writer = tool("write_file", "Write text to a file", provider="files", required=("path", "content"))
    clock = tool("now", "Get the current date and time", provider="clock")
    shown = of(catalog_of(*MANY, writer, clock), "archive the thing 7", 1_500)
    assert {"write_file", "now", "p7_Archive_7"} <= {spec.name for spec in shown.specs}


@requirement("Z11")
def test_what_a_run_is_known_to_need_and_what_is_in_daily_use_is_offered() -> None:
    shown = of(catalog_of(*MANY), "qqq", 1_000, known=["p39_Change_39", "gone"], used=["p38_Get_38"])
    assert "p39_Change_39" in {spec.name for spec in shown.full}
    assert "p38_Get_38" in {spec.name for spec in shown.brief}


def test_never_more_than_the_vendor_takes_and_nothing_that_cannot_be_called() -> None:
    down = TOOLS[0].model_copy(update={"available": False})
    providers = (Provider(name="weather", state=ProviderState.DEGRADED),)
    shown = of(Catalog(tools=(down, *TOOLS[1:]), providers=providers), "天気", 10_000, most_tools=2)
    assert len(shown.specs) == 2
    assert down not in shown.specs


@requirement("D18")
def test_a_search_brings_the_best_and_others_of_their_servers_in_turn() -> None:
    shops = [tool(f"{shop}_sell_{at}", f"Sell a lamp {at}", provider=shop) for shop in ("a", "b") for at in range(4)]
    staff = [tool(f"{shop}_hire_{at}", "Hire somebody", provider=shop) for shop in ("a", "b", "c") for at in range(6)]
    found = find_more(SearchIndex((*shops, *staff)), "sell a lamp", lambda spec: spec.name != "a_hire_0")
    assert {spec.name for spec in found.best} == {spec.name for spec in shops}
    assert [spec.provider for spec in found.siblings] == ["a", "b"] * (SIBLINGS // 2)
    assert {spec.tool for spec in found.siblings} <= {spec.tool for spec in staff} - {"a_hire_0"}


def test_siblings_come_by_rank_and_a_search_that_finds_nothing_brings_none() -> None:
    specs = [tool(f"desk_lamp_{at}", "Switch the lamp " + "on and off again " * at) for at in range(FOUND + 2)]
    index = SearchIndex((tool("a_door", "Open the door"), *specs))
    found = find_more(index, "lamp", lambda spec: True)
    ranked = [one.spec for one in index.search("lamp")]
    assert [*found.best, *found.siblings] == [*ranked, index.specs[0]]
    assert find_more(index, "zzz", lambda spec: True) == FoundTools()
    assert find_more(index, "lamp", lambda spec: False) == FoundTools(refused=tuple(spec.name for spec in ranked[:FOUND]))


@pytest.mark.parametrize(("context", "tokens"), [(None, 12_000), (32_000, 3_200), (200_000, 20_000), (2_000_000, 20_000)])
def test_the_budget_follows_the_models_context(context: int | None, tokens: int) -> None:
    assert OfferLimits().budget_tokens(context) == tokens
    assert OfferLimits(share=0.05).budget_tokens(100_000) == 5_000


NAMES = st.text("abc_", min_size=1, max_size=6)
LEAVES = st.sampled_from(
    [
        {"type": "string", "description": "long " * 30},
        {"type": "integer", "minimum": 1, "title": "T"},
        {"enum": ["description", "b", 3]},
        {"const": {"description": "kept"}},
        {"type": ["string", "null"], "default": None},
    ]
)
SCHEMAS = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.builds(lambda items: {"type": "array", "items": items}, inner),
        st.builds(lambda one, other: {"anyOf": [one, other]}, inner, inner),
        st.builds(
            lambda of: {"type": "object", "properties": of, "required": sorted(of)[:1]}, st.dictionaries(NAMES, inner, max_size=3)
        ),
    ),
    max_leaves=6,
)
VALUES = st.recursive(
    st.sampled_from(["a", "b", "description", 0, 3, None, True]),
    lambda inner: st.one_of(st.lists(inner, max_size=2), st.dictionaries(NAMES, inner, max_size=2)),
    max_leaves=5,
)


@given(st.dictionaries(NAMES, SCHEMAS, max_size=4), st.data())
def test_a_tool_in_brief_takes_the_same_arguments_and_says_less(properties: dict[str, object], data: st.DataObject) -> None:
    spec = ToolSpec(
        name="t",
        provider="p",
        tool="t",
        description="Does it. And more.",
        input_schema={"type": "object", "properties": properties, "required": sorted(properties)[:2]},
    )
    short = brief_form(spec)
    arguments = {name: data.draw(VALUES) for name in properties}
    same = [Draft202012Validator(one.input_schema).is_valid(arguments) for one in (spec, short)]
    assert same[0] == same[1]
    assert cost_tokens(short) <= cost_tokens(spec)
    assert short.description == "Does it."


def test_a_tool_in_brief_says_what_it_requires_and_of_nothing_else() -> None:
    properties = {"query": {"type": "string", "description": "What to look for. " * 9}, "limit": {"description": "How many"}}
    short = brief_form(tool("find", "Finds it.", properties=properties, required=("query",)))
    said = {name: about.get("description", "") for name, about in short.parameters.items()}
    assert said == {"query": ("What to look for. " * 9)[:BRIEF_ARGUMENT_CHARS], "limit": ""}


def test_everyday_needs_are_few_and_in_both_languages() -> None:
    needs = everyday_needs()
    assert 5 <= len(needs) <= 12
    assert all(need.isascii() is False and " / " in need for need in needs), json.dumps(needs)
