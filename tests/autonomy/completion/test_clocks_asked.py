"""Times that a goal names with a zone or a duration are known on other clocks, and are written as that time and no other."""

from autonomy.completion.judge import judge
from autonomy.completion.rules.asked.clocks_asked import at_the_time_ordered, times_that_follow
from autonomy.completion.rules.case import Case
from autonomy.llm.messages import AssistantMessage
from tests.gaming.told import asked, read, wrote
from tests.requirements import requirement

pytestmark = requirement("V4")
GOAL = "Schedule a 30 minute call 'Glaze samples' on 10 March at 15:00 Berlin time and invite karl@kiln.example."
CONTACT = read("mail_contacts", [{"name": "Karl Hartmann", "email": "karl@kiln.example"}], query="Karl")


def case(goal: str, answer: str, start: str, end: str) -> Case:
    made = wrote("cal_create_event", summary="Glaze samples", start=start, end=end, attendees=["karl@kiln.example"])
    return Case(asked("a run", "good", goal, CONTACT, made, answer=answer).context(), answer)


def test_times_of_the_goal_are_known_on_the_clocks_of_the_runs_people_and_where_they_end() -> None:
    for goal in (GOAL, "3月10日のベルリン時間の15時から30分の通話を入れて。"):
        times = times_that_follow(case(goal, "", "2027-03-10T23:00:00+09:00", "2027-03-10T23:30:00+09:00"))
        assert {"15:00", "15:30", "23:00", "23:30", "14:00"} <= times, goal  # Berlin, Tokyo and UTC
    plain = times_that_follow(case("Book a room at 15:00 for two hours and 20 minutes.", "", "", ""))
    assert "15:20" in plain


def test_the_time_of_a_zone_is_written_as_that_moment_in_whatever_zone() -> None:
    answer = "'Glaze samples' is in the calendar for 10 March, 15:00 to 15:30 Berlin time (23:00 in Tokyo); Karl is invited."
    for start, end in (
        ("2027-03-10T15:00:00+01:00", "2027-03-10T15:30:00+01:00"),
        ("2027-03-10T23:00:00+09:00", "2027-03-10T23:30:00+09:00"),
        ("2027-03-10T14:00:00Z", "2027-03-10T14:30:00Z"),
    ):
        right = case(GOAL, answer, start, end)
        assert [*at_the_time_ordered(right)] == []
        assert judge(AssistantMessage(text=answer), right.ctx).findings == ()
    wrong = case(GOAL, answer, "2027-03-10T15:00:00+09:00", "2027-03-10T15:30:00+09:00")
    assert [*at_the_time_ordered(wrong)] != []
    assert judge(AssistantMessage(text=answer), wrong.ctx).ending == "doubtful"
