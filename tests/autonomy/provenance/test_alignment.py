"""Which records of a list are versions of one thing, and what leads the items of a list."""

from datetime import UTC, date

import pytest

from autonomy.provenance import Sources
from autonomy.provenance.attribution import attribute
from autonomy.provenance.misstatements.alignment import _with_leads, misplaced, record_lists
from autonomy.provenance.support import SentenceSupport


def test_records_that_were_each_written_once_are_no_versions_of_one_thing() -> None:
    once = [{"number": 1, "name": "Runbook", "revision_number": 1}, {"number": 2, "name": "Minutes", "revision_number": 1}]
    again = [{"name": "Runbook", "revision_number": 1}, {"name": "Runbook", "revision_number": 2}]
    assert [one.newest_version for one in record_lists("c", once, None, None)] == [None]
    newest = [one.newest_version for one in record_lists("c", again, None, None)]
    assert [one.text for one in newest if one] == ["name: Runbook, revision_number: 2"]


def _leads(text: str) -> list[list[str]]:
    lines = text.splitlines()
    sentences = [SentenceSupport(line, text.index(line), text.index(line) + len(line), (), 0.0, ()) for line in lines]
    return [[one.text for one in lead] for _, lead in _with_leads(text, sentences)]


def test_no_item_of_a_list_leads_the_next_one_and_what_stands_before_the_list_does() -> None:
    assert _leads("- 10:52 Maya: a note\n- 11:15 Tom: good") == [[], []]
    assert _leads("Of the dev channel:\n- 11:15 Tom: good") == [["Of the dev channel:"]] * 2


FORECAST = [
    {"date": "2026-11-21", "weather": "cloudy, for a time rain", "rain_percent": 60},
    {"date": "2026-11-22", "weather": "cloudy, at times clear", "rain_percent": 30},
    {"date": "2026-11-23", "weather": "clear", "rain_percent": 20},
]


@pytest.mark.parametrize(
    ("told", "wrong"),
    [
        ("An umbrella may be wise (chance of rain up to 30%).", []),
        ("On 2026-11-21 the chance of rain is 30%.", ["30%"]),
    ],
)
def test_the_name_of_the_field_beside_a_figure_names_no_record(told: str, wrong: list[str]) -> None:
    day = date(2026, 11, 20)
    sources = Sources(day)
    sources.add_result("c1", "weather", FORECAST, arguments={})
    lists = list(record_lists("c1", FORECAST, day, None))
    assert [one.fact.text for one in misplaced(told, attribute(told, sources).sentences, lists)] == wrong


def test_an_hour_is_the_time_of_its_own_record_and_no_figure_of_another_one() -> None:
    mail = "The tasting is on Saturday, 13 March, at 11:00 in our kitchen.\nWe are 71 guests now, 11 of them vegetarian."
    sources = Sources(date(2027, 3, 9))
    sources.add_result("c1", "mail", mail, arguments={})
    lists = list(record_lists("c1", mail, date(2027, 3, 9), None))
    told = "The tasting is this Saturday at 11."
    assert list(misplaced(told, attribute(told, sources).sentences, lists)) == []


def test_a_weekday_is_the_day_that_a_record_is_of_and_no_moment_of_another_one() -> None:
    """The first row begins at an hour that is the day before elsewhere, and so on a Thursday as well."""
    forecast = [
        {"date": "2026-11-20", "start": "2026-11-20T06:00:00+09:00", "weather": "clear", "rain_percent": 0},
        {"date": "2026-11-25", "weather": "cloudy", "rain_percent": 30},
        {"date": "2026-11-26", "weather": "cloudy", "rain_percent": 30},
        {"date": "2026-11-27", "weather": "rainy", "rain_percent": 60},
    ]
    day = date(2026, 11, 20)
    sources = Sources(day)
    sources.add_result("c1", "weather", forecast, arguments={})
    lists = list(record_lists("c1", forecast, day, UTC))
    for told, wrong in (("On Thursday the chance of rain is 30 %.", []), ("On Thursday the chance of rain is 60 %.", ["60 %"])):
        assert [one.fact.text for one in misplaced(told, attribute(told, sources).sentences, lists)] == wrong
