"""A job whose goal names one day is not done by reads that ask for other days alone."""

import pytest

from autonomy.completion.judge import Verdict, judge
from autonomy.llm.messages import AssistantMessage
from autonomy.llm.model import Need, Task
from autonomy.run_state.run_values import CallRecord
from tests.gaming.told import Told, read, wrote
from tests.requirements import requirement

pytestmark = requirement("V1")
TODAY, TOMORROW = "2027-03-05", "2027-03-06"
SUNNY = "Osaka: sunny, 9 to 17 °C, no rain."


def verdict(goal: str, *reads: CallRecord, fixed: str = "", text: str = SUNNY) -> Verdict:
    """What the judge says of a job that reads a forecast and tells it."""
    given = {"location": "Osaka"} | ({"date": fixed} if fixed else {})
    task = Task(
        goal=goal,
        needs=(
            Need(id="weather", description="the weather of Osaka", arguments=given),
            Need(id="tell", description="tell the team", effect="outward", after=("weather",), arguments={"text": "{{result}}"}),
        ),
    )
    told = Told("weather", "bad", task, (*reads, wrote("chat_post", needs=("tell",), text=text)), text, "weather")
    return judge(AssistantMessage(text=told.answer), told.context())


def forecast(asked: str, came: str = "", **more: str) -> CallRecord:
    """A read of the forecast for a day, which may say for which day it is."""
    found = {"location": "Osaka", "weather": "sunny", "low": "9 °C", "high": "17 °C", "rain": "no rain"}
    return read("weather_get", found | ({"date": came} if came else {}), needs=("weather",), location="Osaka", date=asked, **more)


@pytest.mark.parametrize("goal", ["Tell the team the weather of Osaka tomorrow.", "明日の大阪の天気をチームに知らせてください。"])
@pytest.mark.parametrize("asked", [TODAY, "today"])
def test_todays_forecast_is_not_told_as_tomorrows(goal: str, asked: str) -> None:
    found = verdict(goal, forecast(asked))
    assert "about" in found.missing
    assert "2027-03-06" in "; ".join(found.findings)


def hours(day: str, ends: str, **asked: str) -> CallRecord:
    """A forecast by hours, whose last one ends at midnight."""
    rows = [{"date": day, "weather": "sunny"}, {"start": f"{day}T18:00:00+09:00", "end": f"{ends}T00:00:00+09:00", "percent": 0}]
    return read("weather_get", {"days": rows}, needs=("weather",), location="Osaka", **asked)


def test_a_forecast_of_today_that_ends_at_midnight_is_not_tomorrows_whether_the_day_was_asked_for_or_not() -> None:
    goal = "Tell the team the weather of Osaka tomorrow."
    for made, about_it in (
        (hours(TODAY, TOMORROW), False),
        (hours(TODAY, TOMORROW, date="today"), False),
        (hours(TOMORROW, "2027-03-07"), True),
    ):
        assert ("about" not in verdict(goal, made).missing) is about_it
    said = {"messages": [{"user": "ana", "text": "Tomorrow Osaka will be sunny, 9 to 17 °C.", "time": f"{TODAY}T10:00:00+09:00"}]}
    wrote_today = read("weather_get", said, needs=("weather",), location="Osaka")
    assert "about" not in verdict(goal, wrote_today).missing, "a message is about another day than it was written on"


@pytest.mark.parametrize(
    "made",
    [
        forecast(TOMORROW),
        forecast("tomorrow"),
        forecast(TODAY, came=TOMORROW),  # what came back is of that day, whatever was asked for
        read("weather_get", SUNNY, needs=("weather",), location="Osaka", since=TODAY, until="2027-03-08"),
        read("weather_get", SUNNY, needs=("weather",), location="Osaka"),  # it names no day at all
    ],
)
def test_a_read_that_asks_for_the_day_or_brings_it_is_enough(made: CallRecord) -> None:
    assert "about" not in verdict("Tell the team the weather of Osaka tomorrow.", made).missing


@pytest.mark.parametrize(
    "goal",
    [
        "Tell the team the weather of Osaka today.",
        "Tell the team the weather of Osaka.",
        "Before tomorrow's trip, tell the team the weather of Osaka today.",  # two days: which is meant is for the model to know
        "Every Saturday, tell the team the weather of Osaka.",
    ],
)
def test_a_goal_that_names_today_no_day_or_several_asks_for_no_other(goal: str) -> None:
    assert "about" not in verdict(goal, forecast(TODAY)).missing


def test_where_the_job_fixes_the_day_of_a_read_that_day_counts() -> None:
    assert "about" not in verdict("Tell tomorrow's travellers the weather.", forecast(TODAY), fixed=TODAY).missing
