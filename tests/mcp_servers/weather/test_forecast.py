"""What a recorded forecast says of a day, and what it does not say: every trap of the agency's format."""

from datetime import date, datetime, timedelta
from typing import Any

import pytest

from mcp_servers.weather.forecast import Day, Outlook, Unreadable, read
from tests.mcp_servers.weather.recordings import CONSTANTS, FILES, GAZETTEER, JAPAN, outlook, recorded
from tests.requirements import requirement


def day(found: Outlook, wanted: str) -> Day:
    (only,) = [each for each in found.days if each.day == date.fromisoformat(wanted)]
    return only


@requirement("W2")
def test_the_morning_report_gives_today_and_tomorrow_in_words_rain_and_temperatures() -> None:
    found = outlook("130000_report20260312T0500", "130010", "2026-03-12T08:00")
    today, tomorrow = found.days[:2]
    assert (found.publishing_office, found.station) == ("気象庁", "東京")
    assert (today.weather, today.temp_max, today.rain_percent) == ("晴れ 時々 くもり", 13, 0)
    assert (tomorrow.weather, tomorrow.temp_min, tomorrow.temp_max, tomorrow.rain_percent) == ("くもり", 3, 11, 10)
    assert [slot.start.hour for slot in today.rain] == [6, 12, 18]
    assert [slot.start.hour for slot in tomorrow.rain] == [0, 6, 12, 18]


def test_no_report_ever_gives_a_minimum_for_its_own_day() -> None:
    # The two values for the base day are both maxima; programs that read one as the minimum are wrong.
    for file in FILES:
        response = recorded(file.stem)
        base_day = response[0]["timeSeries"][0]["timeDefines"][0][:10]
        for area in response[0]["timeSeries"][0]["areas"]:
            found = outlook(file.stem, area["area"]["code"], base_day + "T12:00")
            assert (found.days[0].day.isoformat(), found.days[0].temp_min) == (base_day, None), file


def test_the_daytime_maximum_is_preferred_to_that_of_the_whole_day() -> None:
    response = recorded("130000_20240710T1100")
    response[0]["timeSeries"][2]["areas"][0]["temps"] = ["31", "34", "27", "30"]
    found = read(response, CONSTANTS, GAZETTEER.regions("130000"), "130010", date(2024, 7, 10))
    assert [(each.temp_min, each.temp_max) for each in found.days[:2]] == [(None, 31), (27, 30)]


def test_the_evening_report_has_no_temperature_for_today_and_only_the_rain_to_come() -> None:
    found = outlook("130000_20250114T1700", "130010", "2025-01-14T19:00")
    today, tomorrow = found.days[:2]
    assert (today.temp_min, today.temp_max, [slot.start.hour for slot in today.rain]) == (None, None, [18])
    assert tomorrow.temp_min is not None
    assert tomorrow.temp_max is not None


def test_after_midnight_the_evening_report_speaks_of_today_in_its_second_entry() -> None:
    found = outlook("130000_fetched20220222T0010_report20220221T2000", "130010", "2022-02-22T00:10")
    today = found.days[0]
    assert today.day == date(2022, 2, 22)
    assert (today.weather, today.temp_min, today.temp_max) == ("晴れ 昼前 から 時々 くもり", -1, 9)
    assert [slot.percent for slot in today.rain] == [0, 10, 10, 0]


@pytest.mark.parametrize(
    ("name", "now"),
    [("130000_20250115T1500_correction", "2025-01-15T15:30"), ("050000_20250118T2000_correction_evening", "2025-01-18T20:30")],
)
def test_a_correction_keeps_the_times_of_the_report_it_corrects(name: str, now: str) -> None:
    found = outlook(name, None, now)
    today, tomorrow = found.days[:2]
    assert found.published_at.hour in (15, 20)
    assert today.day == date.fromisoformat(now[:10])
    assert today.temp_min is None
    assert tomorrow.temp_min is not None
    assert tomorrow.temp_min <= (tomorrow.temp_max or 99)


@pytest.mark.parametrize(
    ("name", "region", "weekly_code"),
    [
        ("014100_20240401T0500_season_switch", "014030", "014000"),  # winter: 釧路・根室・十勝 as one
        ("014100_20240401T1100_season_switch", "014030", "014030"),  # summer: 十勝 on its own
        ("130000_20240411T0500_season_switch", "130020", "130020"),  # winter: each group of the 伊豆諸島
        ("130000_20240710T0500", "130020", "130100"),  # summer: the 伊豆諸島 as one
        ("340000_20240401T0500_season_switch", "340020", "340020"),
        ("340000_20240710T1100", "340020", "340000"),
    ],
)
def test_the_weekly_area_is_the_one_of_the_season(name: str, region: str, weekly_code: str) -> None:
    weekly = recorded(name)[1]["timeSeries"][0]
    (area,) = [area for area in weekly["areas"] if area["area"]["code"] == weekly_code]
    last = outlook(name, region, weekly["timeDefines"][0][:16]).days[-1]
    assert (last.day.isoformat(), last.code) == (weekly["timeDefines"][-1][:10], area["weatherCodes"][-1])


def test_the_weekly_temperatures_are_those_of_the_areas_own_station() -> None:
    found = outlook("130000_20240710T1100", "130040", "2024-07-10T12:00")
    assert (found.days[-1].temp_min, found.days[-1].temp_max) == (28, 32)  # 父島, not 東京


@pytest.mark.parametrize(
    ("name", "first", "count"),
    [
        ("130000_report20260312T0500", "2026-03-12", 7),  # its weekly part is yesterday evening's and begins today
        ("130000_20240710T1100", "2024-07-10", 8),
        ("130000_20250114T1700", "2025-01-14", 8),
    ],
)
def test_a_week_has_every_day_once_from_today_on(name: str, first: str, count: int) -> None:
    found = outlook(name, "130010", first + "T12:00")
    expected = [date.fromisoformat(first) + timedelta(days=n) for n in range(count)]
    assert [each.day for each in found.days] == expected
    assert all(each.weather for each in found.days)


def test_the_first_weekly_day_takes_what_it_lacks_from_the_short_part() -> None:
    found = outlook("130000_20240710T1100", "130010", "2024-07-10T12:00")
    tomorrow, after = day(found, "2024-07-11"), day(found, "2024-07-12")
    assert (tomorrow.rain_percent, tomorrow.temp_min, tomorrow.temp_max, tomorrow.reliability) == (50, 27, 31, None)
    assert (after.weather, after.rain_percent, after.reliability) == ("くもり 一時 雨", 50, None)
    assert day(found, "2024-07-13").reliability == "C"


def test_inland_regions_have_no_waves() -> None:
    found = outlook("200000_20250115T1700", "200010", "2025-01-15T18:00")
    assert found.days[0].wave is None
    assert found.days[0].wind


@pytest.mark.parametrize(
    ("name", "region", "station"),
    [
        ("020000_20250115T1700", "020010", "青森"),  # the first of three stations
        ("020000_20250115T1700", "020020", "むつ"),
        ("020000_20250115T1700", "020030", "八戸"),
        ("460100_20240710T0500", "460040", "名瀬"),  # before it was renumbered
        ("460100_20250115T0500", "460040", "名瀬"),  # after
        ("014100_20250115T1700", "014030", "帯広"),
        ("070000_fetched20220222T1117_report20220222T1100", "070020", "小名浜"),
    ],
)
def test_temperatures_are_those_of_the_regions_first_station_present(name: str, region: str, station: str) -> None:
    assert outlook(name, region, "2020-01-01T00:00").station == station


def test_a_station_renumbered_since_is_the_one_no_region_claims() -> None:
    response = recorded("130000_20240710T1100")
    response[0]["timeSeries"][2]["areas"][0]["area"]["code"] = "99999"
    found = read(response, CONSTANTS, GAZETTEER.regions("130000"), "130010", date(2024, 7, 10))
    assert (found.station, found.days[0].temp_max) == ("東京", 34)


def test_an_office_means_its_first_region_even_in_a_file_it_shares() -> None:
    found = read(recorded("014100_20250115T1700"), CONSTANTS, GAZETTEER.regions("014030"), None, date(2025, 1, 15))
    assert found.region == "014030"
    assert outlook("014100_20250115T1700", None, "2025-01-15T18:00").region == "014020"


def test_every_recording_reads_in_every_region_with_sane_values() -> None:
    for file in FILES:
        response = recorded(file.stem)
        base = datetime.fromisoformat(response[0]["timeSeries"][0]["timeDefines"][0]).astimezone(JAPAN).date()
        for area in response[0]["timeSeries"][0]["areas"]:
            found = read(response, CONSTANTS, GAZETTEER.regions(file.stem[:6]), area["area"]["code"], base)
            assert len(found.days) >= 7, file
            assert found.station, file
            for each in found.days:
                assert each.temp_min is None or each.temp_max is None or each.temp_min <= each.temp_max, file
                assert each.rain_percent is None or each.rain_percent in range(0, 101, 10), file
            assert all(each.temp_max is not None for each in found.days[2:]), file


@pytest.mark.parametrize("broken", [None, {}, [], [{}, {}], [{"timeSeries": []}, {}], "<html>"])
def test_another_format_is_said_to_be_unreadable(broken: Any) -> None:
    with pytest.raises(Unreadable):
        read(broken, CONSTANTS, GAZETTEER.regions("130000"), "130010", date(2026, 3, 12))


def test_a_region_the_response_lacks_is_said_to_be_unreadable() -> None:
    with pytest.raises(Unreadable):
        outlook("130000_20240710T1100", "270000", "2024-07-10T12:00")
