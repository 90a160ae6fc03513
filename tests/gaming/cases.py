"""All cases, and the gaps that are known: behaviours that the verdict does not yet tell apart."""

import json
from pathlib import Path

from tests.gaming import (
    bad_diaries,
    bad_errands,
    bad_jobs,
    good_diaries,
    good_errands,
    good_jobs,
    jobs_fortieth,
    jobs_fortyfifth,
    jobs_fortyfirst,
    jobs_fortyfourth,
    jobs_fortysecond,
    jobs_fortythird,
    jobs_thirtieth,
    jobs_thirtyeighth,
    jobs_thirtyfifth,
    jobs_thirtyfirst,
    jobs_thirtyfourth,
    jobs_thirtyninth,
    jobs_thirtysecond,
    jobs_thirtyseventh,
    jobs_thirtysixth,
    jobs_thirtythird,
    jobs_twentieth,
    jobs_twentyfirst,
    jobs_twentyfourth,
    jobs_twentyninth,
    jobs_twentysecond,
    jobs_twentysixth,
    jobs_twentythird,
    later_jobs,
)
from tests.gaming.case import GamingCase

GAPS = Path(__file__).parent / "known_gaps.json"

CASES: tuple[GamingCase, ...] = (
    *bad_diaries.CASES,
    *bad_errands.CASES,
    *bad_jobs.CASES,
    *good_diaries.CASES,
    *good_errands.CASES,
    *good_jobs.CASES,
    *later_jobs.CASES,
    *jobs_twentieth.CASES,
    *jobs_twentyfirst.CASES,
    *jobs_twentysecond.CASES,
    *jobs_twentythird.CASES,
    *jobs_twentyfourth.CASES,
    *jobs_twentysixth.CASES,
    *jobs_twentyninth.CASES,
    *jobs_thirtieth.CASES,
    *jobs_thirtyfirst.CASES,
    *jobs_thirtysecond.CASES,
    *jobs_thirtythird.CASES,
    *jobs_thirtyfourth.CASES,
    *jobs_thirtyfifth.CASES,
    *jobs_thirtysixth.CASES,
    *jobs_thirtyseventh.CASES,
    *jobs_thirtyeighth.CASES,
    *jobs_thirtyninth.CASES,
    *jobs_fortieth.CASES,
    *jobs_fortyfirst.CASES,
    *jobs_fortysecond.CASES,
    *jobs_fortythird.CASES,
    *jobs_fortyfourth.CASES,
    *jobs_fortyfifth.CASES,
)


def known_gaps() -> dict[str, str]:
    """The names of the cases that end wrongly today, each with the reason; a case that is mended has to leave this list."""
    gaps: dict[str, str] = json.loads(GAPS.read_text(encoding="utf-8"))
    return gaps
