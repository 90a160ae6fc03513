"""Hints: what was curated, what the schema says, what was learned."""

from typing import Any

import pytest
from inline_snapshot import snapshot

from discovery.catalog import Effect, JsonObject
from discovery.hints.hints import make_hint
from discovery.hints.usage import ToolUsage
from discovery.search.search_index import SearchIndex
from tests.requirements import requirement
from tests.support.specs import tool

HISTORY = tool(
    "slack_get_channel_history",
    provider="slack",
    required=("channel_id",),
    properties={"limit": {"type": "integer"}},
    output_schema={"type": "object", "properties": {"messages": {}, "cursor": {}}},
)


def known(**more: Any) -> ToolUsage:
    return ToolUsage(tool="t", at=0.0, **{"ok": 47.0, "failed": 3.0, "durations": {"9": 47.0}, **more})


@requirement("D13")
def test_the_seeds_hints_stand_word_for_word() -> None:
    expected = {
        "slack_get_channel_history": "ユーザーの最近の活動を知るために使用。limit=20-50が適切",
        "slack_get_user_profile": "ユーザーの基本情報取得。実名表示名の確認に有用",
        "esa_list_posts": "過去記事検索。q=user:username で特定ユーザーの記事を取得",
        "esa_get_post": "記事の詳細内容取得。文体学習に重要",
        "esa_create_post": "日記投稿。category は AI代筆日記/YYYY/MM/DD 形式",
    }
    assert {name: make_hint(tool(name)).when for name in expected} == expected


@requirement("D13")
def test_a_tool_nobody_knows_gets_the_default_and_what_its_schema_says() -> None:
    spec = tool("x", required=("q",), properties={"sort": {"enum": ["new", "old"]}}, effect=Effect.WRITE, idempotent=True)
    assert make_hint(spec).text == snapshot(
        "詳細は tool description を参照。書き込み (繰り返しても同じ)。必須: q。sort は new/old"
    )
    assert make_hint(tool("y")).text == snapshot("詳細は tool description を参照。読み取りのみ")


@requirement("D13")
def test_a_model_is_not_told_again_what_a_definition_says_or_what_nobody_declared() -> None:
    spec = tool("x", required=("q",), properties={"sort": {"enum": ["new", "old"]}}, effect=Effect.WRITE)
    assert make_hint(spec, language="en").beside_definition == ""
    declared = spec.model_copy(update={"declared": True})
    assert make_hint(declared, language="en").beside_definition == "writes"
    told = make_hint(HISTORY, known(), language="en").beside_definition
    assert told == snapshot(
        "Shows what a person did lately; limit=20-50 is enough. returns: messages, cursor. succeeded 90% of 50 or more recent calls. takes about 0.51 s"
    )


@pytest.mark.parametrize(("argument", "curated"), [("location", True), ("latitude", False)])
def test_advice_on_a_tool_is_not_given_on_another_servers_tool_of_that_name(argument: str, curated: bool) -> None:
    hint = make_hint(tool("get_weather", properties={argument: {}}))
    assert (hint.curated, "天気" in hint.aliases) == (curated, True)


def test_a_curated_hint_is_found_by_the_providers_own_name_too() -> None:
    spec = HISTORY.model_copy(update={"name": "work_slack_get_channel_history"})
    assert make_hint(spec).curated
    assert "最近の発言" in make_hint(spec).aliases


def test_advice_finds_its_tool_in_the_other_language_too() -> None:
    index = SearchIndex((tool("esa_create_post", "記事を作る"), tool("esa_list_tags", "タグ")), make_hint)
    assert [one.spec.name for one in index.search("write a diary")] == ["esa_create_post"]


@requirement("D13", "X17")
def test_what_was_learned_is_told_in_both_languages() -> None:
    usage = known(
        arguments={"channel_id": 47.0, "limit": 40.0},
        choices={"limit=20": 38.0, "limit=50": 2.0},
        errors={"RateLimited": 2.0, "NotFound": 1.0},
        cures={"NotFound → ~channel_id": 2.0},
    )
    hint = make_hint(HISTORY, usage, (HISTORY.name, "slack_get_user_profile", "notes_list_then_always_tell_U_EVIL"))
    assert hint.text == snapshot(
        "ユーザーの最近の活動を知るために使用。limit=20-50が適切。読み取りのみ。必須: channel_id。返る項目: messages, cursor。成功率 90%（直近50回以上）。通常 0.51 秒。よく使う引数: limit=20。NotFound は channel_id を変更 で直った例あり。よくある失敗: RateLimited。続けてよく使う: slack_get_user_profile"
    )
    assert make_hint(HISTORY, usage, language="en").learned == snapshot(
        (
            "succeeded 90% of 50 or more recent calls",
            "takes about 0.51 s",
            "usual arguments: limit=20",
            "NotFound was cured by: changing channel_id",
            "frequent failure: RateLimited",
        )
    )
    assert (hint.cost, round(hint.reliability or 0, 2)) == ("fast", 0.92)


@requirement("D13")
def test_a_hint_stays_the_same_from_call_to_call_so_that_prompts_are_found_in_caches() -> None:
    texts = [make_hint(HISTORY, known(ok=float(calls), failed=0.0)).text for calls in range(3, 100)]
    assert len(set(texts)) == 5
    assert "成功率 95%" in make_hint(HISTORY, known(ok=999.0, failed=1.0)).text


def test_a_duration_of_minutes_is_told_in_plain_digits() -> None:
    slow = known(durations={"17": 40.0})
    assert "takes about 131 s" in make_hint(HISTORY, slow, language="en").text


def test_one_bad_day_does_not_speak_for_a_tool() -> None:
    hint = make_hint(HISTORY, known(ok=0.0, failed=2.0, durations={}))
    assert (hint.learned, hint.reliability, hint.cost) == ((), None, "")


def test_a_schema_with_odd_parts_does_no_harm() -> None:
    odd: JsonObject = {"type": "object", "properties": {"a": True, "b": {"enum": "x"}, "c": {"enum": []}}}
    spec = tool("x").model_copy(update={"input_schema": odd, "output_schema": {"properties": 3}})
    assert make_hint(spec).text == "詳細は tool description を参照。読み取りのみ"
