"""What a forecast gives for a part of the day is not told of another one, in either language."""

from datetime import date
from zoneinfo import ZoneInfo

import pytest

from autonomy.provenance import Sources, attribute
from autonomy.provenance.misstatements.contradictions import contradictions
from discovery.catalog import Effect

CHANCES = [
    {
        "start": f"2026-11-21T{begin:02}:00:00+09:00",
        "end": f"2026-11-2{1 + end // 24}T{end % 24:02}:00:00+09:00",
        "percent": share,
    }
    for begin, end, share in ((0, 6, 60), (6, 12, 40), (12, 18, 10), (18, 24, 20))
]


def is_of_another_part(text: str, weather: str = "くもり 夜遅く 雪") -> bool:
    sources = Sources(day=date(2026, 11, 20), zone=ZoneInfo("Asia/Tokyo"))
    forecast = {"days": [{"date": "2026-11-21", "weather": weather, "rain_chances": CHANCES}]}
    sources.add_result("call-1", "weather_forecast", forecast, arguments={}, effect=Effect.READ, steered=False, is_error=False)
    return any(one.kind == "day" for one in contradictions(attribute(text, sources), sources))


@pytest.mark.parametrize(
    ("false", "true"),
    [
        ("Snow early in the morning.", "Snow late at night."),
        ("Cloudy, with snow in the afternoon.", "Cloudy, with snow in the evening."),
        ("朝のうちは雪が降るでしょう。", "夜は雪が降るでしょう。"),
        ("The chance of rain is 60 % in the evening.", "The chance of rain is 60 % before 6:00."),
        ("The chance of rain is 40 % until 6:00.", "The chance of rain is 40 % until noon."),
        ("降水確率は18時以降60%です。", "降水確率は18時以降20%です。"),
        ("降水確率は夕方から60%です。", "降水確率は明け方まで60%です。"),
    ],
)
def test_weather_and_chances_belong_to_their_part_of_the_day(false: str, true: str) -> None:
    assert is_of_another_part(false)
    assert not is_of_another_part(true)


def test_weather_lasts_until_the_hour_from_which_there_is_other_weather() -> None:
    assert is_of_another_part("Cloudy in the morning, then rain in the evening.", weather="雨 昼過ぎ から くもり")
    assert is_of_another_part("夕方から雨が降るでしょう。", weather="雨 昼過ぎ から くもり")


def test_what_the_forecast_leaves_open_is_not_doubted() -> None:
    assert not is_of_another_part("Snow early in the morning.", weather="くもり 時々 雪")
    assert not is_of_another_part("Snow in the morning.", weather="明け方 から 雪")
    assert not is_of_another_part("Rain in the morning, cloudy from the afternoon on.", weather="雨 昼過ぎ から くもり")
    assert not is_of_another_part("No snow in the morning.")
    assert not is_of_another_part("Rain early in the morning.")
