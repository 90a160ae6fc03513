"""Recognises a request for a job in free text (今日の日記を書いて → `diary`).

Pure. A message asks for a job only if it names the job and asks for something to be done; a question about a job is a question.
The job runs for whoever asks, never for a person who is mentioned.
"""

import re
from collections.abc import Iterable
from datetime import date, datetime, timedelta

from autonomy.jobs.job import Job
from metrics.text.phrases import patterns_of

_REQUEST = patterns_of("autonomy.chat")["asks_for_work"]
_DAY = re.compile(r"(\d{4})[-/年](\d{1,2})[-/月](\d{1,2})")
_MONTH_DAY = re.compile(r"(\d{1,2})[/月](\d{1,2})日?")
_SPOKEN_DAYS = {
    **dict.fromkeys(("一昨日", "おととい", "day before yesterday"), 2),
    **dict.fromkeys(("昨日", "きのう", "yesterday"), 1),
    **dict.fromkeys(("今日", "きょう", "today"), 0),
}
"""Word → days ago; a longer word stands before one that is part of it."""
_LEAP_YEARS = 8
"""So many years back every date has been: there is no leap day in 1900 or 2100."""


def is_request(text: str) -> bool:
    """Whether something is asked to be done at all."""
    return not text.rstrip().endswith(("?", "？")) and _REQUEST.search(text) is not None


def match_job(text: str, jobs: Iterable[Job], *, user: str, now: datetime) -> tuple[Job, dict[str, str]] | None:
    """The job that a text asks for, and the inputs that it gives; None if it asks for none. `user`: the asker's name for jobs."""
    if not is_request(text):
        return None
    candidates = [job for job in jobs if _names(job, text)]
    if not candidates:
        return None
    job = max(candidates, key=lambda one: len(one.title or one.name))
    inputs = {"user": user} if "user" in job.inputs and user else {}
    day = day_in(text, now.date())
    dates = [name for name, spec in job.inputs.items() if spec.type == "date"]
    if day is not None and dates:
        inputs[dates[0]] = day.isoformat()
    return job, inputs


def day_in(text: str, today: date) -> date | None:
    """The day a text speaks of; a day without a year is the last one of that date. None for a date that never is."""
    if match := _DAY.search(text):
        return _date(*map(int, match.groups()))
    if match := _MONTH_DAY.search(text):
        month, number = map(int, match.groups())
        days = (_date(today.year - back, month, number) for back in range(_LEAP_YEARS + 1))
        return next((day for day in days if day is not None and day <= today), None)
    spoken = next((days for word, days in _SPOKEN_DAYS.items() if word in text.lower()), None)
    return None if spoken is None else today - timedelta(days=spoken)


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _names(job: Job, text: str) -> bool:
    """Whether the text names the job by its title as the thing wanted (日記を…, not 日記風に…), or by its name."""
    titled = rf"{re.escape(job.title)}(?=を|も|お願い|書|作|投稿|実行|ジョブ|[\s、。！!]|$)"
    if job.title and re.search(titled, text):
        return True
    return re.search(rf"(?<![\w-]){re.escape(job.name)}(?![\w-])", text, re.ASCII | re.IGNORECASE) is not None
