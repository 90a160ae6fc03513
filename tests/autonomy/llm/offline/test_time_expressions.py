"""Months in a goal's words, and the tools that take them, whatever those are called."""

from datetime import date
from typing import Any

import pytest

from autonomy.llm.model import Task
from autonomy.llm.offline.planner import OfflinePlanner
from autonomy.llm.offline.time_expressions import begins_ahead, impossible_day, months_in, spans_in, takes_month
from tests.autonomy.llm.offline.conversation import Tool, converse
from tests.requirements import requirement

TODAY = date(2026, 11, 22)
MONTH = {"type": "string", "pattern": r"^\d{4}-(0[1-9]|1[0-2])$", "description": "対象月 (YYYY-MM)"}


def told(arguments: dict[str, Any]) -> str:
    return f"told of {arguments}"


OVERTIME = Tool("hr_list_overtime", "全従業員の残業時間の一覧", {"month": MONTH}, told, required=("month",))
DEPARTMENTS = Tool("hr_list_departments", "部署の一覧", {}, told)
BILLS = Tool(
    "shop_invoices",
    "Invoices of a customer, month by month",
    {"customer": {"type": "string"}, "period": {"type": "string", "pattern": r"^[0-9]{4}-[0-9]{2}$", "description": "a month"}},
    told,
    required=("customer", "period"),
)


@pytest.mark.parametrize(
    ("goal", "months"),
    [
        ("10月の残業時間を部署ごとに教えて", ["2026-10"]),
        ("１０月の残業", ["2026-10"]),
        ("十一月と十二月の残業", ["2026-11", "2025-12"]),
        ("先月と今月の残業", ["2026-10", "2026-11"]),
        ("先々月は?", ["2026-09"]),
        ("来月のシフト", ["2026-12"]),
        ("再来月", ["2027-01"]),
        ("12月のシフトの予定", ["2026-12"]),
        ("1月の予定", ["2027-01"]),
        ("2025年3月の残業", ["2025-03"]),
        ("昨年の10月と比べて", ["2025-10"]),
        ("2026-09の残業", ["2026-09"]),
        ("Overtime in October?", ["2026-10"]),
        ("overtime in december", ["2025-12"]),
        ("Sept. 2025, please", ["2025-09"]),
        ("October last year", ["2025-10"]),
        ("Last month, and the month before last", ["2026-10", "2026-09"]),
        ("May I see what we decided in March 2026?", ["2026-03"]),
        ("10月、October", ["2026-10"]),
        ("次の月曜から3ヶ月、日曜と月曜、110月", []),
        ("we march on", []),
    ],
)
def test_months_are_understood_in_both_languages_and_relative_to_today(goal, months):
    assert months_in(goal, TODAY) == months


@pytest.mark.parametrize(
    ("goal", "day"),
    [
        ("一週間前の札幌", date(2026, 11, 15)),
        ("3日後の大阪", date(2026, 11, 25)),
        ("来週月曜の那覇", date(2026, 11, 23)),
        ("Sapporo two days ago", date(2026, 11, 20)),
        ("a week from tomorrow in Osaka", date(2026, 11, 30)),
        ("in two weeks", date(2026, 12, 6)),
        ("健太さんが木曜日に書いたこと", date(2026, 11, 19)),
        ("on Friday the 13th", date(2026, 11, 13)),
        ("月曜の16日に", date(2026, 11, 16)),
    ],
)
def test_a_day_counted_from_today_is_understood(goal, day):
    assert [(one.first, one.last) for one in spans_in(goal, TODAY)] == [(day, day)]


@requirement("V9")
@pytest.mark.parametrize("words", ["月末", "明日以降", "数日前", "a few months ago", "tomorrow evening"])
async def test_a_time_that_cannot_be_read_is_named_and_nothing_is_asked(words):
    tool = Tool("weather", "天気予報 weather forecast", {"location": {"type": "string"}}, told, required=("location",))
    language = "en" if words.isascii() else "ja"
    goal = f"Weather in Osaka {words}" if language == "en" else f"{words}の大阪の天気"
    said = await converse(OfflinePlanner(today=lambda: TODAY), Task(goal=goal, language=language), [tool])
    assert not said.calls
    assert all(part in said.text for part in words.replace("以降", " 以降").split())


@pytest.mark.parametrize("words", ["明日の午後", "tomorrow morning"])
async def test_a_part_of_a_day_is_no_question_for_a_forecast_of_whole_days(words):
    form = {"location": {"type": "string"}, "date": {"type": "string", "enum": ["today", "tomorrow", "week"]}}
    tool = Tool("weather", "天気予報 weather forecast", form, told, required=("location",))
    language = "en" if words.isascii() else "ja"
    goal = f"Weather in Osaka {words}" if language == "en" else f"{words}の大阪の天気"
    said = await converse(OfflinePlanner(today=lambda: TODAY), Task(goal=goal, language=language), [tool])
    assert not said.calls
    assert words.removeprefix("tomorrow ").removeprefix("明日の") in said.text


@pytest.mark.parametrize(
    ("goal", "first", "last"),
    [
        ("What was said between Wednesday and Friday?", date(2026, 11, 18), date(2026, 11, 20)),
        ("What has changed since Wednesday?", date(2026, 11, 18), date(2026, 11, 22)),
        ("Which posts were written from 1 to 6 November?", date(2026, 11, 1), date(2026, 11, 6)),
        ("between the 4th and the 6th of October", date(2026, 10, 4), date(2026, 10, 6)),
        ("November 3rd through 5th", date(2026, 11, 3), date(2026, 11, 5)),
        ("1–6 November 2025", date(2025, 11, 1), date(2025, 11, 6)),
        ("10月1日から5日までの記事", date(2026, 10, 1), date(2026, 10, 5)),
        ("over the weekend of 14 and 15 November", date(2026, 11, 14), date(2026, 11, 15)),
        ("from November 12 to 14 November", date(2026, 11, 12), date(2026, 11, 14)),
        ("Anything in the last three days?", date(2026, 11, 20), date(2026, 11, 22)),
        ("the next seven days", date(2026, 11, 22), date(2026, 11, 28)),
        ("水曜日以降に更新された記事", date(2026, 11, 18), date(2026, 11, 22)),
        ("水曜から今日までの発言", date(2026, 11, 18), date(2026, 11, 22)),
        ("火曜から木曜までの天気", date(2026, 11, 24), date(2026, 11, 26)),
        ("直近3日間の発言", date(2026, 11, 20), date(2026, 11, 22)),
        ("向こう一週間の天気", date(2026, 11, 22), date(2026, 11, 28)),
    ],
)
def test_two_ends_or_a_number_of_days_are_one_span(goal, first, last):
    assert [(one.first, one.last) for one in spans_in(goal, TODAY)] == [(first, last)]


def test_two_days_beside_each_other_stay_two():
    assert len(spans_in("messages on Monday and Tuesday", TODAY)) == 2
    assert len(spans_in("今日、15日の記事", TODAY)) == 2
    assert spans_in("月曜以降の天気", TODAY)[0].last == date(2026, 11, 23)


def test_the_turn_of_the_year_is_no_obstacle():
    assert months_in("先月と来月", date(2026, 1, 31)) == ["2025-12", "2026-02"]
    assert months_in("1月と12月", date(2026, 1, 1)) == ["2026-01", "2025-12"]


@pytest.mark.parametrize(
    ("pattern", "taken"),
    [
        (r"^\d{4}-(0[1-9]|1[0-2])$", True),
        (r"^[0-9]{4}-[0-9]{2}$", True),
        (r"^\d{4}-\d{2}-\d{2}$", False),
        (r"^\S+$", False),
        (r"\d", False),
        ("(", False),
        (None, False),
    ],
)
def test_an_argument_takes_months_when_its_pattern_takes_nothing_else(pattern, taken):
    assert takes_month({"type": "string", "pattern": pattern}) is taken


@requirement("L6")
@pytest.mark.parametrize(
    ("goal", "tools", "calls"),
    [
        ("10月の残業時間を部署ごとに教えて", (DEPARTMENTS, OVERTIME), [("hr_list_overtime", {"month": "2026-10"})]),
        ("今月の残業を教えて", (OVERTIME,), [("hr_list_overtime", {"month": "2026-11"})]),
        ("What was the overtime last month?", (OVERTIME,), [("hr_list_overtime", {"month": "2026-10"})]),
        (
            "先月と今月の残業時間",
            (OVERTIME,),
            [("hr_list_overtime", {"month": "2026-10"}), ("hr_list_overtime", {"month": "2026-11"})],
        ),
        (
            "Invoices of Acme in September",
            (BILLS,),
            [("shop_invoices", {"customer": "Acme", "period": "2026-09"})],
        ),
    ],
)
async def test_a_goal_that_names_a_month_is_answered_by_a_tool_that_takes_one(goal, tools, calls):
    said = await converse(OfflinePlanner(today=lambda: TODAY), Task(goal=goal), tools)
    assert said.calls == calls
    assert "told of" in said.text


async def test_a_month_that_nobody_named_is_not_made_up():
    said = await converse(OfflinePlanner(today=lambda: TODAY), Task(goal="残業時間を教えて"), (OVERTIME,))
    assert said.calls == []
    assert "month" in said.text


@pytest.mark.parametrize(
    ("goal", "first", "last"),
    [
        ("messages about curry on the 19th", "2026-11-19", "2026-11-19"),
        ("what Tom wrote on the 25th", "2026-10-25", "2026-10-25"),
        ("posts from the 16th to the 20th", "2026-11-16", "2026-11-20"),
        ("16日から18日までの投稿", "2026-11-16", "2026-11-18"),
        ("19日のメッセージ", "2026-11-19", "2026-11-19"),
    ],
)
def test_a_day_without_its_month_is_the_last_such_day(goal: str, first: str, last: str) -> None:
    (span,) = spans_in(goal, date(2026, 11, 20))
    assert (span.first.isoformat(), span.last.isoformat()) == (first, last)


@pytest.mark.parametrize("goal", ["the 2nd person", "3日間の予定", "第3日の話", "the 45th"])
def test_a_number_that_is_no_day_is_no_time(goal: str) -> None:
    assert not [span for span in spans_in(goal, date(2026, 11, 20)) if span.first == span.last]


@pytest.mark.parametrize(
    ("goal", "never"),
    [
        ("What did Maya say on 2026-13-45?", "2026-13-45"),
        ("2026/02/30の天気", "2026/02/30"),
        ("What did Maya say on 2026-11-22?", ""),
        ("What is in release 2026.13.45?", ""),
        ("ticket 1234-56-78-9", ""),
    ],
)
def test_a_day_that_no_calendar_has_is_told_from_one_that_has_nothing(goal, never):
    assert impossible_day(goal) == never


@pytest.mark.parametrize(
    ("text", "ahead"),
    [
        ("Next week: move the resend logic", True),
        ("明日やること：再送の仕組み", True),
        ("Moved the resend logic today", False),
        ("Freeze is tomorrow at 18:00", False),
    ],
)
def test_what_begins_with_a_time_to_come_is_a_plan(text: str, ahead: bool) -> None:
    assert begins_ahead(text, date(2026, 11, 20)) is ahead
