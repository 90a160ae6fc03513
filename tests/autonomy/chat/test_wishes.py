"""When words ask for a job, and when they are just words."""

from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest

from autonomy.chat.intent_matching import day_in, match_job
from autonomy.jobs.job_folders import BUILT_IN
from autonomy.jobs.job_loading import find

NOW = datetime(2026, 11, 21, 18, 30, tzinfo=ZoneInfo("Asia/Tokyo"))
DIARY = find("diary", (BUILT_IN,))


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("今日の日記を書いて", "2026-11-21"),
        ("昨日の日記をお願いします", "2026-11-20"),
        ("11/3の日記を作って", "2026-11-03"),
        ("12月24日の日記を書いてください", "2025-12-24"),
        ("2026-01-05 の日記 書いて", "2026-01-05"),
        ("please run the diary job for yesterday", "2026-11-20"),
        ("please run the diary job for the day before yesterday", "2026-11-19"),
    ],
)
def test_a_job_is_asked_for_by_its_title_or_its_name(text: str, day: str) -> None:
    assert match_job(text, [DIARY], user="haruka", now=NOW) == (DIARY, {"user": "haruka", "date": day})


@pytest.mark.parametrize(
    "text",
    [
        "日記って何ですか？",
        "日記風に要約して",
        "昨日の日記は読んだ",
        "天気を教えて",
        "日記を書いてくれますか？",
        "write a diary-like summary",
    ],
)
def test_talking_about_it_is_not_asking_for_it(text: str) -> None:
    assert match_job(text, [DIARY], user="haruka", now=NOW) is None


def test_nobody_gets_another_persons_diary_written_by_naming_them() -> None:
    found = match_job("<@U2> の今日の日記を書いて", [DIARY], user="haruka", now=NOW)
    assert found is not None
    assert found[1]["user"] == "haruka"


def test_a_day_that_does_not_exist_is_no_day() -> None:
    assert day_in("13/45 の日記", date(2026, 11, 21)) is None


@pytest.mark.parametrize("today", [date(2026, 11, 21), date(2028, 1, 10)])
def test_a_leap_day_without_a_year_is_the_last_there_was(today: date) -> None:
    assert day_in("2/29 の日記", today) == date(2024, 2, 29)
    assert day_in("2/30 の日記", today) is None
