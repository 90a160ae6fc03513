"""An argument's value leads to where it came from, and to nowhere when nobody gave it."""

import json
import tracemalloc
from datetime import date
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autonomy.provenance import FactKind, Origin, Sources, attribute, facts_in
from autonomy.provenance.misstatements.contradictions import contradictions
from autonomy.provenance.sources.leaves import leaves
from discovery.catalog import Effect
from tests.requirements import requirement

DAY = date(2026, 11, 22)
USERS = {
    "users": [
        {"id": "U07HARUKA", "name": "haruka", "real_name": "佐藤 遥"},
        {"id": "U07KENTA", "name": "kenta", "real_name": "田中 健太"},
    ]
}
MESSAGES = {
    "messages": [
        {
            "ts": "1795333801.616080",
            "user_id": "U07KENTA",
            "channel_name": "dev",
            "text": "PR #438 を 11月21日 13時に出しました。支払いは GB29NWBK60161331926819 へ 1,200円",
            "reply_count": 3,
        }
    ]
}


def run() -> Sources:
    sources = Sources(DAY, ZoneInfo("Asia/Tokyo"))
    sources.add_settings({"team": "komorebi"})
    sources.add_job({"inputs": {"user": "haruka", "date": "2026-11-22"}})
    sources.add_words("健太さんに 5,000円 と https://example.com/pay を明日 10時に伝えて")
    sources.add_result("call-1", "slack_get_users", USERS)
    sources.add_result("call-2", "slack_history", MESSAGES, arguments={"channel_id": "C07DEV"})
    return sources


def strongest(sources: Sources, value: Any) -> Origin | None:
    found = sources.sources_of(value)
    return found[0].origin if found else None


@requirement("V1")
@pytest.mark.parametrize(
    ("value", "origin"),
    [
        ("komorebi", Origin.OPERATOR),
        ("haruka", Origin.JOB),
        ("2026-11-22", Origin.JOB),
        ("健太", Origin.ASKER),
        (5000, Origin.ASKER),
        ("5000", Origin.ASKER),
        ("https://example.com/pay", Origin.ASKER),
        ("2026-11-23", Origin.ASKER),
        ("10:00", Origin.ASKER),
        ("U07HARUKA", Origin.FIELD),
        (3, Origin.FIELD),
        (438, Origin.TEXT),
        ("GB29NWBK60161331926819", Origin.TEXT),
        ("2026-11-21", Origin.TEXT),
        (1200, Origin.TEXT),
        ("U07MALLORY", None),
        ("https://example.com/pay.evil.example", None),
        ("example.com/other", None),
        (5001, None),
        ("2026-11-24", None),
        (True, None),
    ],
)
def test_the_strongest_source_of_a_value(value: Any, origin: Origin | None) -> None:
    assert strongest(run(), value) is origin


def test_a_source_says_call_tool_path_and_place() -> None:
    (source,) = run().sources_of("GB29NWBK60161331926819")
    assert (source.call_id, source.tool, source.path) == ("call-2", "slack_history", "$.messages[0].text")
    assert MESSAGES["messages"][0]["text"][source.start : source.end] == "GB29NWBK60161331926819"


def test_an_id_is_led_back_to_the_name_the_user_said_and_is_worth_the_field_that_pairs_them() -> None:
    found = [source for source in run().sources_of("U07HARUKA") if source.alias]
    assert {source.origin for source in found} == {Origin.FIELD}
    assert run().identities.names_of("佐藤 遥") == {"佐藤 遥", "haruka", "u07haruka"}


def test_a_stranger_who_takes_a_name_does_not_become_that_person() -> None:
    sources = run()
    sources.add_result("call-3", "search", [{"id": "U666", "name": "佐藤 遥"}])
    assert "u666" not in sources.identities.names_of("U07HARUKA")
    assert sources.identities.bearers_of_part("佐藤 遥") == {"u07haruka", "u666"}


def test_a_message_that_looks_like_a_record_stays_a_message() -> None:
    sources = run()
    sources.add_result(
        "call-3", "history", {"messages": [{"text": '{"id": "U666", "name": "haruka", "iban": "DE89370400440532013000"}'}]}
    )
    assert strongest(sources, "DE89370400440532013000") is Origin.TEXT
    assert "u666" not in sources.identities.names_of("haruka")


@pytest.mark.parametrize(
    ("given", "origin"),
    [
        ({"result": {"iban": "DE893704004405"}}, Origin.FIELD),
        ({"result": {"note": "DE893704004405"}}, Origin.TEXT),
        ({"result": {"iban": "DE893704004405"}, "steered": True}, Origin.TEXT),
        ({"result": {"iban": "DE893704004405"}, "is_error": True}, Origin.TEXT),
        ({"result": {"iban": "x" * 121 + " DE893704004405"}}, Origin.TEXT),
        ({"result": {"iban": "a\nDE893704004405"}}, Origin.TEXT),
        ({"result": "iban: DE893704004405"}, Origin.TEXT),
        ({"result": "| iban | DE893704004405 |"}, Origin.TEXT),
        ({"result": '{"iban": "DE893704004405"}'}, Origin.FIELD),
        ({"result": {"id": "DE893704004405"}, "effect": Effect.WRITE}, Origin.FIELD),
        ({"result": {"text": "DE893704004405"}, "effect": Effect.WRITE}, None),
        ({"result": {"id": "DE893704004405"}, "effect": Effect.WRITE, "arguments": {"to": "DE893704004405"}}, None),
    ],
)
def test_where_in_a_result_a_value_stands_decides_its_origin(given: dict[str, Any], origin: Origin | None) -> None:
    sources = Sources(DAY)
    sources.add_result("c", "t", **given)
    assert strongest(sources, "DE893704004405") is origin


def test_a_composed_text_needs_a_source_for_each_fact_and_is_as_weak_as_the_weakest() -> None:
    trace = run().trace("健太さん、PR #438 の 5,000円 です")
    assert trace.weakest is Origin.TEXT
    assert len(trace.parts) == 3
    assert run().sources_of("健太さん、PR #999 の 5,000円 です") == ()
    assert run().trace("よろしくお願いします").parts == ()


def test_one_is_not_true_and_an_id_in_another_case_is_another() -> None:
    sources = Sources()
    sources.add_job({"flag": True, "count": 1, "id": "AbC123xyZ9"})
    assert [strongest(sources, value) for value in (True, 1, False, "AbC123xyZ9", "ABC123XYZ9")] == [
        Origin.JOB,
        Origin.JOB,
        None,
        Origin.JOB,
        None,
    ]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**6), 10**6) | st.text("あ漢ab12 -:/.", max_size=12),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["id", "name", "text", "ts", "user"]), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(st.lists(JSON, min_size=1, max_size=4), st.randoms())
def test_incremental_is_batch_and_the_order_of_results_does_not_matter(results: list[Any], random: Any) -> None:
    batch, incremental, shuffled = Sources(DAY), Sources(DAY), Sources(DAY)
    named = [(f"c{at}", result) for at, result in enumerate(results)]
    for call_id, result in named:
        batch.add_result(call_id, "t", result)
        incremental.add_result(call_id, "t", result)
        incremental.sources_of("12")
        assert incremental.units is not None
    for call_id, result in random.sample(named, len(named)):
        shuffled.add_result(call_id, "t", result)
    for value in [leaf.value for result in results for leaf in leaves(result)]:
        assert incremental.sources_of(value) == batch.sources_of(value)
        assert len(batch.sources_of(value)) <= 8
        assert bool(shuffled.sources_of(value)) == bool(batch.sources_of(value))
        assert shuffled.trace(value).weakest == batch.trace(value).weakest
    assert sorted(shuffled.units) == sorted(batch.units)


@given(JSON)
def test_what_stands_in_a_result_has_it_as_its_source(result: Any) -> None:
    sources = Sources(DAY)
    sources.add_result("c", "t", result)
    for leaf in leaves(result):
        if not isinstance(leaf.value, str) or leaf.value.strip():
            assert sources.sources_of(leaf.value), leaf


def test_huge_and_hostile_values_end_on_the_safe_side() -> None:
    sources = run()
    deep: Any = "x"
    for _ in range(50_000):
        deep = [deep]
    sources.add_result("deep", "t", deep)
    sources.add_result("text", "t", "[" * 100_000)
    assert sources.sources_of("5,000円 " + "あ" * 1_700_000) == ()  # 5 MB
    assert sources.sources_of(["haruka", "U07MALLORY"]) == ()
    assert json.dumps([source.path for source in sources.sources_of(["haruka"])])


def nested(depth: int, key: str) -> Any:
    found: Any = 1
    for _ in range(depth):
        found = {key: found, "b": [1]}
    return found


@pytest.mark.parametrize(
    "result",
    [
        pytest.param({"k" * 100_000: list(range(10_000))}, id="a long key over many numbers"),
        pytest.param({"k" * 100_000: [{"text": "x"}] * 10_000}, id="a long key over many objects"),
        pytest.param({"text": "k" * 300_000 + " 9,999 items"}, id="a long word"),
        pytest.param([{"k" * 100_000: [at]} for at in range(5)], id="objects under long keys"),
        pytest.param(nested(400, "k" * 300), id="objects inside of objects under long keys"),
        pytest.param(nested(400, "k"), id="objects inside of objects"),
        pytest.param(json.dumps(nested(400, "k" * 300)), id="the same as a text"),
    ],
)
def test_a_small_result_takes_no_gigabytes_whatever_its_shape(result: Any) -> None:
    tracemalloc.start()
    try:
        sources = run()
        sources.add_result("c", "t", result)
        told = attribute("There are 9,999 items.", sources)
        list(contradictions(told, sources))
        assert tracemalloc.get_traced_memory()[1] < 60_000_000, "bytes, of a result of 100 to 600 kB"
    finally:
        tracemalloc.stop()


def test_a_figure_is_found_among_thousands_of_times_that_hold_it_too() -> None:
    sources = Sources(DAY)
    rows = [{"time": "2026-11-22T16:22:22", "text": "おはよう"} for _ in range(3_000)]
    sources.add_result("c", "t", {"messages": [*rows, {"time": "2026-11-22T17:00:00", "text": "エラーは22件でした"}]})
    found = sources.sources_of("22件")
    assert [source.path for source in found] == ["$.messages[3000].text"]


def test_an_id_is_found_among_thousands_of_texts_that_hold_its_figures_too() -> None:
    sources = Sources()
    rows = [{"n": f"{at}.9.1 of 2"} for at in range(3, 3000)]
    sources.add_result("c", "list", {"rows": rows, "said": "2.9.1 ships today"})
    (fact,) = [fact for fact in facts_in("v2.9.1") if fact.kind is FactKind.ID]
    assert [source.path for source in sources.of_fact(fact)] == ["$.said"]


def test_titles_are_known_of_what_was_read_before_and_after_one_was_asked_for() -> None:
    sources = Sources()
    sources.add_result("a", "tasks", {"tasks": [{"id": 7, "title": "Ship the release", "code": "ENG-12"}]})
    assert sources.identities.captions.of("7") == {"ship the release", "ENG-12"}
    sources.add_result("b", "pages", {"page_id": "p1", "properties": {"dealname": "Autumn fair"}})
    assert sources.identities.captions.of("p1") == {"autumn fair"}
    sources.add_result("c", "tasks", {"tasks": [{"id": 8, "title": "Ship the release"}]})
    assert not sources.identities.captions.of("7") - {"ENG-12"}, "two things bear it now"


def test_a_name_of_two_parts_is_found_without_the_blank() -> None:
    sources = Sources()
    sources.add_result("c", "users", {"users": [{"id": "U1", "name": "佐藤 遥"}]})
    assert {source.alias for source in sources.sources_of("佐藤遥さん")} == {"", "u1", "佐藤 遥"}


@given(
    st.text("佐藤野口田中健太遥智子", min_size=1, max_size=3), st.text("遥智子みさきケン", min_size=2, max_size=4), st.booleans()
)
def test_a_japanese_full_name_is_found_where_it_is_written_with_a_blank(family: str, given_name: str, in_prose: bool) -> None:
    sources = Sources(DAY)
    written = f"{family} {given_name}"
    sources.add_result("c9", "any_read", f"出席者は{written}です。" if in_prose else {"担当": written})
    assert sources.contains(family + given_name)
    assert not Sources(DAY).contains(family + given_name)


@requirement("K1", "K2")
@pytest.mark.parametrize(
    ("rows", "origin"),
    [
        (["Is there lunch today?", "U_KENTA"], Origin.TEXT),
        (["ok", "We meet in the hall on Friday.", "U_KENTA"], Origin.TEXT),
        (["了解です。", "U_KENTA"], Origin.TEXT),
        (["U_MARI", "U_KENTA"], Origin.FIELD),
        (["Yahoo!", "Dr. Sato", "U_KENTA"], Origin.FIELD),
        (["The Old House by the River", "U_KENTA"], Origin.FIELD),
    ],
)
@pytest.mark.parametrize("key", ["result", "channels"])
def test_an_item_of_a_list_of_sentences_is_what_somebody_says(rows: list[str], origin: Origin, key: str) -> None:
    sources = Sources()
    sources.add_result("c", "list_messages", {key: rows, "count": 3})
    assert sources.trace("U_KENTA").weakest is origin
