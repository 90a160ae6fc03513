"""Whatever a server answers, provenance ends, raises nothing, and takes nothing beyond a bound for a source."""

import gc
import weakref
from datetime import date
from decimal import Decimal
from itertools import product, starmap
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from autonomy.provenance import Origin, Sources, attribute
from autonomy.provenance.misstatements.alignment import record_lists
from autonomy.provenance.misstatements.contradictions import contradictions
from autonomy.provenance.sources.evidence_units import epoch
from autonomy.provenance.sources.stated_facts import widened_days
from tests.autonomy.provenance.unsourced import unsupported_facts
from tests.requirements import requirement
from tests.support.sampling import in_part

DAY, TOKYO = date(2026, 11, 22), ZoneInfo("Asia/Tokyo")
ANSWER = "田中 健太さんは PR #438 を 11月21日に出し、5,000円を払いました。「終わりました」とのことです。"

HOSTILE = {
    "one character that becomes eighteen": "\ufdfa" * 10_000,
    "marks on one letter": "e" + "\u0301" * 100_000,
    "marks on every letter": "か\u3099\u3099\u3099" * 30_000,
    "digits without an end": "7" * 1_000_000,
    "digits in thousands": "123,456," * 60_000,
    "one line of a megabyte": "会議の報告 and a note No.7 " * 40_000,
    "no blank in a line": "会議報告" * 60_000,
    "invisible characters": "a\u200b\u200d\u2060" * 60_000,
    "right to left and back": "\u202eabc\u202c العربية हिन्दी ไทย 한국어 ελληνικά " * 6_000,
    "halves of characters": "\ud800x\udfff" * 30_000,
    "nothing but line feeds": "\n" * 200_000,
    "the separator of leaves": "\x00a" * 40_000,
    "dates that are none": "2026-99-99T99:99:99Z " * 12_000,
    "numerals in words": "千万億兆" * 20_000,
}


def read(result: Any) -> Sources:
    sources = Sources(DAY, TOKYO)
    sources.add_result("call", "history", result)
    return sources


@requirement("K10", "V1")
@pytest.mark.parametrize(("name", "shape"), in_part(starmap(pytest.param, product(HOSTILE, ("text", "field"))), every=10))
def test_a_hostile_answer_is_read_to_an_end_and_proves_nothing(name: str, shape: str) -> None:
    text = HOSTILE[name]
    sources = read(text if shape == "text" else {"messages": [{"ts": "1795333801.6", "user_id": "U1", "text": text}]})
    found = attribute(ANSWER, sources)
    assert {fact.text for fact in unsupported_facts(found)} >= {"PR #438", "5,000円"}
    assert not sources.sources_of("U07MALLORY")


@requirement("V1")
def test_a_goal_that_stands_in_every_message_stays_the_askers_own() -> None:
    goal = "田中 健太さんへ 5,000円 と伝えて"
    sources = read({"messages": [{"ts": f"17953{row:05}.1", "user_id": f"U{row}", "text": goal} for row in range(3_000)]})
    assert sources.sources_of("5,000円")[0].origin is Origin.TEXT
    sources.add_words(goal)
    assert sources.sources_of("5,000円")[0].origin is Origin.ASKER
    assert len(sources.sources_of("5,000円")) <= 8


@requirement("V1")
def test_words_do_not_run_from_one_leaf_into_the_next() -> None:
    sources = read({"rows": [{"text": "支払いは 5"}, {"text": "000円です"}, {"text": "全部終わり\nました"}]})
    assert not sources.contains("です 全部終わり")
    assert sources.contains("全部終わり\nました")
    assert not sources.contains("000円です\x00全部終わり")


@requirement("V1")
def test_a_message_cannot_shout_down_a_field_by_saying_its_value_a_thousand_times() -> None:
    sources = read({"rows": [{"text": "U07KENTA 5,000円 " * 5_000}, {"id": "U07KENTA", "amount": 5000}]})
    assert sources.sources_of("U07KENTA")[0].origin is Origin.FIELD
    assert sources.sources_of(5000)[0].origin is Origin.FIELD


@requirement("K10", "V1")
@pytest.mark.parametrize(
    "result",
    [
        {"ts": 10**400, "text": "done"},
        [{"id": row, "created_at": 10**400} for row in range(10)],
        f"name\tsum\nx\t1{',000' * 110}\ny\t2\n",
        f"| name | sum |\n| --- | --- |\n| x | 1{',000' * 110} |\n",
    ],
)
def test_a_number_that_is_too_large_for_a_float_ends_no_reading(result: Any) -> None:
    sources = read(result)
    sources.tables()
    assert sources.units
    assert not sources.trace("47 minutes").sources


@requirement("K10", "V1")
@pytest.mark.parametrize("zone", ["Asia/Tokyo", "America/New_York"])
@pytest.mark.parametrize(
    "value",
    [
        "0001-01-01T00:00:00Z",  # what Go writes for no time at all
        "9999-12-31T23:59:59Z",
        "Fri, 31 Dec 9999 23:59:59 GMT",
        "9999年12月31日から30日、または2か月",
        "1年1月1日の30日前",
    ],
)
def test_a_day_that_means_none_or_no_end_ends_no_reading(value: str, zone: str) -> None:
    sources = Sources(DAY, ZoneInfo(zone))
    rows = [
        {"id": row, "name": f"item {row}", "time": value, "text": value, "updated_at": "2026-11-20T10:00:00Z"} for row in (1, 2)
    ]
    sources.add_result("call", "list", rows)
    found = attribute("締切は2026年12月31日です。期限は30日、10日前に送ります。", sources)
    assert [len(one.records) for one in record_lists("call", rows, DAY, sources.zone)] == [2]
    assert found.sentences
    assert sources.minutes_taken() is not None


@requirement("K10", "V1")
@pytest.mark.parametrize("rows", [3, 12])
@pytest.mark.parametrize("value", [float("nan"), float("inf"), 10**60])
def test_figures_that_are_none_or_endless_are_reckoned_with_by_nobody(value: float, rows: int) -> None:
    sources = read([{"id": row, "name": f"item {row}", "amount": value, "hours": 2.5} for row in range(rows)])
    found = attribute(f"合計は 1,200円、23:59 に 2,000、差は 320円、120 km、1{',000' * 30} です。", sources)
    assert {"1,200円", "23:59"} <= {fact.text for fact in unsupported_facts(found)}
    assert all(map(Decimal.is_finite, (*sources.figures(), *sources.group_totals(), *sources.column_figures())))


@requirement("K10", "V1")
@pytest.mark.parametrize("written", ["2026-11", "2026年11月", "May 2026", "先週"])
def test_what_is_dated_by_its_month_or_week_alone_is_held_against_an_answer(written: str) -> None:
    sources = read({"items": [{"date": written, "text": "Released the payment page to production."}]})
    found = attribute("Released the payment page to production.", sources)
    assert found.sentences[0].units
    assert list(contradictions(found, sources, "What was released?")) == []


def test_a_day_that_no_month_has_says_nothing_beside_itself() -> None:
    assert list(widened_days(["2026-02-29"])) == ["2026-02-29"]


class _Text(str):
    """A text that tells when it is forgotten."""


def test_a_text_that_is_no_moment_is_not_remembered_as_one() -> None:
    text = _Text("2027 " * 1_000)
    known = weakref.ref(text)
    assert epoch(text, TOKYO) is None
    del text
    gc.collect()
    assert known() is None
