"""Makes the answer of `get_weather`: structured data and Japanese text."""

from collections.abc import Iterable
from datetime import date, datetime
from typing import Literal

from pydantic import BaseModel, Field

from mcp_servers.weather.forecast import Day, Outlook
from mcp_servers.weather.places import Place

Span = Literal["today", "tomorrow", "week"]

SOURCE = "出典:気象庁ホームページ(天気予報を加工して作成)"
FORECAST_PAGE = "https://www.jma.go.jp/bosai/forecast/"
WEEKDAYS = "月火水木金土日"
SPANS: dict[Span, str] = {"today": "今日", "tomorrow": "明日", "week": "今週"}


class RainChance(BaseModel):
    """The probability of precipitation within six hours."""

    start: datetime
    end: datetime
    percent: int


class DayWeather(BaseModel):
    """One day. A null or empty field was not published: today's minimum never is."""

    date: date
    weather: str = Field(description="天気")
    weather_code: str = Field(description="気象庁の天気コード")
    temp_min_c: int | None = Field(description="最低気温(℃)。当日の最低気温は発表されない")
    temp_max_c: int | None = Field(description="最高気温(℃)")
    rain_percent: int | None = Field(description="降水確率(%)。時間帯別に発表されている日はその最大")
    rain_chances: list[RainChance] = Field(description="6時間ごとの降水確率")
    umbrella: Literal["必要", "あると安心", "不要", "take one", "may be wise", "not needed"] | None = Field(
        description="傘の目安(language=enなら英語)。降水確率50%以上で必要、30%以上であると安心"
    )
    wind: str | None = Field(description="風")
    wave: str | None = Field(description="波")
    reliability: Literal["A", "B", "C"] | None = Field(description="週間予報の信頼度")


class Weather(BaseModel):
    """The forecast for one place."""

    place: str = Field(description="予報の地域。都道府県から")
    region: str = Field(description="予報区")
    station: str | None = Field(description="気温の観測地点")
    published_at: datetime
    publishing_office: str
    days: list[DayWeather]
    sample: bool = Field(description="サンプルデータ(実際の天気ではない)ならtrue")
    recorded_on: date | None = Field(description="サンプルデータがもともと記録された日")
    source: str = SOURCE
    url: str = FORECAST_PAGE


def compose(place: Place, region_name: str, outlook: Outlook, days: Iterable[Day], recorded_on: date | None) -> Weather:
    """Return the structured answer for the chosen days. `recorded_on`: the day of a recorded forecast; None for a real one."""
    return Weather(
        place=place.full_name,
        region=region_name,
        station=outlook.station,
        published_at=outlook.published_at,
        publishing_office=outlook.publishing_office,
        days=[
            DayWeather(
                date=day.day,
                weather=day.weather,
                weather_code=day.code,
                temp_min_c=day.temp_min,
                temp_max_c=day.temp_max,
                rain_percent=day.rain_percent,
                rain_chances=[RainChance(start=rain.start, end=rain.end, percent=rain.percent) for rain in day.rain],
                umbrella=_umbrella(day.rain_percent),
                wind=day.wind,
                wave=day.wave,
                reliability=day.reliability,
            )
            for day in days
        ],
        sample=recorded_on is not None,
        recorded_on=recorded_on,
    )


def _umbrella(percent: int | None) -> Literal["必要", "あると安心", "不要"] | None:
    if percent is None:
        return None
    return "必要" if percent >= 50 else "あると安心" if percent >= 30 else "不要"


def text(weather: Weather, span: Span, today: date) -> str:
    """Return the answer in Japanese. It ends with its source, and begins with a warning if the data is a sample."""
    heading = "週間天気予報" if span == "week" else f"{SPANS[span]}の天気"
    place = weather.place if weather.place.endswith(weather.region) else f"{weather.place}({weather.region})"
    lines = [f"{place}の{heading}"]
    if weather.recorded_on:
        lines.insert(
            0, f"【サンプルデータ】{_when(weather.recorded_on)}の記録の日付を今日に置きかえたもので、実際の天気ではありません。"
        )
    write = _week_line if span == "week" else _day_lines
    lines += [line for day in weather.days for line in write(day, today, weather.station)]
    published = "" if weather.sample else f"{_when(weather.published_at)}{weather.published_at.hour}時発表 "
    lines.append(f"{weather.publishing_office} {published}{SOURCE}")
    return "\n".join(lines)


def _day_lines(day: DayWeather, today: date, station: str | None) -> Iterable[str]:
    yield f"{_name_of(day.date, today)}: {day.weather}"
    if temperatures := _temperatures(day):
        yield f"気温: {temperatures}" + (f"({station})" if station else "")
    if chances := " / ".join(f"{chance.start.hour}-{chance.end.hour or 24}時 {chance.percent}%" for chance in day.rain_chances):
        yield f"降水確率: {chances}"
    elif day.rain_percent is not None:
        yield f"降水確率: {day.rain_percent}%"
    if day.umbrella:
        yield f"傘の目安: {day.umbrella}(降水確率は最大{day.rain_percent}%)"
    if day.wind:
        yield f"風: {day.wind}"
    if day.wave:
        yield f"波: {day.wave}"


def _week_line(day: DayWeather, today: date, station: str | None) -> Iterable[str]:
    parts = [
        f"{_name_of(day.date, today)}: {day.weather}",
        _temperatures(day),
        "" if day.rain_percent is None else f"降水確率 {day.rain_percent}%",
        f"信頼度 {day.reliability}" if day.reliability else "",
    ]
    yield " / ".join(part for part in parts if part)


def _temperatures(day: DayWeather) -> str:
    both = (("最低", day.temp_min_c), ("最高", day.temp_max_c))
    return " ".join(f"{name}{degrees}℃" for name, degrees in both if degrees is not None)


def _name_of(day: date, today: date) -> str:
    name = {0: "今日 ", 1: "明日 ", 2: "明後日 "}.get((day - today).days, "")
    return f"{name}{day.month}月{day.day}日({WEEKDAYS[day.weekday()]})"


def _when(day: date) -> str:
    return f"{day.year}年{day.month}月{day.day}日"
