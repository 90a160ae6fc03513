"""Which day `today` is, where the machine lives in another zone than what is read."""

import time
from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest

from autonomy.completion.evidence import RunEvidence
from autonomy.completion.judge import judge
from autonomy.llm.messages import AssistantMessage
from autonomy.llm.model import Need, Task
from autonomy.run_state.run_provenance import sources_of_run
from tests.gaming.told import DAY, Told, asked, read
from tests.requirements import requirement

SAID = "[2027-03-06T00:31:00+09:00] Maya: The release is out"
HALF_PAST_MIDNIGHT = 1_804_260_600.0
"""2027-03-06, 00:30 in Japan; in UTC it is still the day before."""


@pytest.fixture
def in_utc(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@requirement("V1")
@pytest.mark.usefixtures("in_utc")
def test_today_is_the_day_where_the_messages_were_written_not_where_the_machine_lives() -> None:
    told = asked(
        "today",
        "good",
        "What did Maya say today?",
        read("slack_history", SAID, user="maya", day="2027-03-06"),
        answer="Maya: The release is out.",
    )
    ctx = told.context()
    ctx.started_at = ctx.now = HALF_PAST_MIDNIGHT
    assert judge(AssistantMessage(text=told.answer), ctx).verdict == "complete"


@requirement("V1")
@pytest.mark.usefixtures("in_utc")
@pytest.mark.parametrize(("day", "verdict"), [("2027-03-05", "complete"), ("2027-03-02", "continue")])
def test_a_quiet_yesterday_is_that_of_the_people_who_asked(day: str, verdict: str) -> None:
    told = asked(
        "yesterday",
        "good",
        "What did Maya say yesterday?",
        read("slack_history", {"messages": []}, user="maya", day=day),
        answer="Nothing found: Maya, yesterday",
    )
    ctx = told.context()
    ctx.started_at = ctx.now = HALF_PAST_MIDNIGHT
    ctx.request = ctx.request.model_copy(update={"timezone": "Asia/Tokyo"})
    assert judge(AssistantMessage(text=told.answer), ctx).verdict == verdict


@requirement("V1")
@pytest.mark.parametrize(
    ("offset", "ahead_h"),
    [("-08:00", -8), ("-07:00", -8), ("-05:00", 9)],
    ids=["the team's own", "the team's own in summer", "no time of the team's"],
)
def test_times_kept_elsewhere_do_not_move_a_team_out_of_the_zone_it_names(offset: str, ahead_h: int) -> None:
    told = asked(
        "zones",
        "good",
        "What did Maya say today?",
        read("esa_list_posts", "".join(f"[2027-03-0{day}T18:00:00+09:00] A post\n" for day in range(1, 6))),
        read("slack_history", f"[2027-03-05T10:07:00{offset}] Maya: The release is out", user="maya", day="2027-03-05"),
        answer="Maya: The release is out.",
    )
    ctx = told.context()
    ctx.started_at = ctx.now = HALF_PAST_MIDNIGHT
    ctx.request = ctx.request.model_copy(update={"timezone": "America/Los_Angeles"})
    assert datetime(2027, 1, 5, tzinfo=sources_of_run(ctx).zone).utcoffset() == timedelta(hours=ahead_h)


@requirement("V2")
@pytest.mark.usefixtures("in_utc")
@pytest.mark.parametrize("reach", [{"latest": "2027-03-05T00:00"}, {"oldest": "0001-01-01T00:00:00Z"}])
def test_a_range_without_an_offset_is_of_the_day_as_written_and_one_without_a_beginning_is_no_error(
    reach: dict[str, str],
) -> None:
    need = Need(id="activity", description="Messages of a day", arguments={"day": DAY})
    task = Task(goal="Diary", needs=(need,))
    ctx = Told("range", "good", task, (read("log", [], needs=("activity",), **reach),), "None.").context()
    ctx.request = ctx.request.model_copy(update={"timezone": "America/Los_Angeles"})
    assert "other days" not in RunEvidence.of(ctx).need(need).finding
