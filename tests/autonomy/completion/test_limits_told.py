"""An answer tells what limits it: the record it is about, the part that was read, the warning that stands beside it."""

import pytest

from autonomy.completion.judge import Verdict, judge
from autonomy.llm.messages import AssistantMessage
from autonomy.llm.model import Need, Task
from autonomy.run_state.run_values import CallRecord
from tests.gaming.told import Told, asked, lost, read, wrote
from tests.requirements import requirement

pytestmark = requirement("V4")
HOURS = read(
    "web_fetch",
    "Pool on Mill Lane\n\nFriday  06:00-21:00\nSaturday  08:00-18:00\nSunday  09:00-14:00",
    url="https://pool.example",
)
TEAM = read(
    "timesheet_report",
    "| Name | Team | Overtime (h:mm) |\n|---|---|---|\n| Aiko Tanaka | Backend | 47:20 |\n| Ben Carter | Backend | 38:45 |\n| Emi Sato | SRE | 61:05 |",
)
CHAT = read(
    "chat_history",
    {
        "messages": [
            {"user": "mori", "text": "The gateway answered 503 for 25 minutes after the roll-out this morning", "time": "09:10"},
            {
                "user": "rey",
                "text": "The old endpoint goes away on Monday, three customers still use it and have been told",
                "time": "11:40",
            },
        ]
    },
)
PAGE = read(
    "desk_search",
    {
        "count": 31,
        "next_page": "https://desk.example/2",
        "results": [{"id": 1, "subject": "Where is my order?"}, {"id": 2, "subject": "Voucher refused"}],
    },
    query="open",
)
RELEASE = read(
    "npm_get_package", {"name": "quickroute", "latest": "4.3.0", "dist-tags": {"latest": "4.3.0", "next": "5.0.0-rc.2"}}
)
STOCK = read(
    "wms_stock",
    {"item": "Kettle Model 4", "quantity": 240, "sync": "paused", "warning": "Figures may be outdated"},
    item="kettle-4",
)

REGIONS = read(
    "bigquery_run",
    {"rows": [{"region": "north", "revenue_usd": 412000}, {"region": "west", "revenue_usd": 387500}]},
    sql="select",
)
VERSIONS = read(
    "wiki_page_history",
    {
        "versions": [
            {"version": 7, "text": "Customers may return items within 30 days."},
            {"version": 8, "text": "Customers may return items within 14 days."},
        ]
    },
    page="Returns",
)
BOOKINGS = read(
    "clinic_reservations",
    {
        "予約": [
            {"氏名": "宇佐川 徹", "日時": "2027-03-12 09:30", "内容": "定期検診"},
            {"氏名": "宇佐美 玲", "日時": "2027-03-11 15:00", "内容": "詰め物の調整"},
        ]
    },
    query="宇佐",
)
WEBINAR = read("zoom_get_webinar", {"topic": "Heat treatment", "start_time": "2027-03-09T16:00:00Z"}, topic="heat")
ENERGY = read("home_statistics", {"entity": "heat_pump", "sum": 3450, "unit_of_measurement": "Wh"}, entity="heat_pump")
LOANS = read(
    "library_overdue",
    {"items": [{"patron": "Hale", "title": "Charts"}, {"patron": "Rao", "title": "Soup"}], "showing": "1-2 of 34"},
    branch="town",
)


def judged(goal: str, answer: str, *calls: CallRecord) -> Verdict:
    told = asked("a run", "good", goal, *calls, answer=answer)
    return judge(AssistantMessage(text=answer), told.context())


@pytest.mark.parametrize(
    ("goal", "answer", "calls", "said"),
    [
        ("When is the pool open this Sunday?", "This Sunday the pool is open from 08:00 to 18:00.", HOURS, "Sunday  09:00-14:00"),
        ("How much overtime did Aiko and Emi have?", "Aiko Tanaka had 38 h 45 min and Emi Sato 61 h 05 min.", TEAM, "Aiko Tanaka"),
        ("What are the topics of our open tickets?", "I went through all tickets: orders and vouchers.", PAGE, "2 of 31 were read"),
        ("How many kettles are there now?", "Right now there are 240 kettles.", STOCK, "Figures may be outdated"),
        ("What did north and west make?", "The north made $387,500 and the west $412,000.", REGIONS, "region: north"),
        ("How long may an item be returned?", "Items may be returned within 30 days.", VERSIONS, "version: 8"),
        ("宇佐美さんの予約はいつ？", "宇佐美さんの予約は9時30分、定期検診です。", BOOKINGS, "宇佐美 玲"),
        ("How much did the heat pump use?", "The heat pump used 3,450 kWh.", ENERGY, "3,450 kWh"),
        ("How many loans are overdue?", "Two loans are overdue.", LOANS, "2 of 34 were read"),
    ],
)  # fmt: skip
def test_what_is_of_another_record_of_a_part_or_under_a_warning_goes_back_with_what_was_read(
    goal: str, answer: str, calls: CallRecord, said: str
) -> None:
    verdict = judged(goal, answer, calls)
    assert verdict.verdict == "continue"
    assert any(said in finding for finding in verdict.findings), verdict.findings


@pytest.mark.parametrize(
    ("goal", "answer", "calls"),
    [
        ("When is the pool open this Sunday?", "This Sunday the pool is open from 09:00 to 14:00.", HOURS),
        ("How much overtime did Aiko and Emi have?", "Aiko Tanaka had 47 h 20 min and Emi Sato 61 h 05 min, 38 h 45 min being Ben's.", TEAM),
        ("What happened today?", "Mori tells of 503s at 09:10; at 11:40 came the news of the endpoint, which three customers use.", CHAT),
        ("What are the topics of our open tickets?", "I have only read the first two of 31: orders and vouchers.", PAGE),
        ("Which quickroute is the latest?", "4.3.0 is the latest of all releases.", RELEASE),
        ("What did north and west make?", "The north made $412,000 and the west $387,500.", REGIONS),
        ("How long may an item be returned?", "Items may be returned within 14 days.", VERSIONS),
        ("宇佐美さんの予約はいつ？", "宇佐美さんの予約は15時、詰め物の調整です。", BOOKINGS),
        ("When does the webinar start?", "The webinar starts at 16:00 UTC.", WEBINAR),
        ("How many loans are overdue?", "34, of which I have read two of 34.", LOANS),
        ("How many kettles are there now?", "240 at the last count; the figures may be outdated, as syncing is paused.", STOCK),
    ],
)  # fmt: skip
def test_what_tells_its_own_record_and_its_limits_is_done(goal: str, answer: str, calls: CallRecord) -> None:
    verdict = judged(goal, answer, calls)
    assert (verdict.verdict, verdict.remarks) == ("complete", ())


VISITS = read("bq_query", {"columns": ["month", "visitors"], "rows": [["2026-12", 980], ["2027-01", 1140], ["2027-02", 1254]]})


@pytest.mark.parametrize(
    ("share", "ending"), [("1割", "complete"), ("10%", "complete"), ("2割", "continue"), ("15%", "continue")]
)
def test_what_a_told_difference_makes_of_the_month_before_is_reckoned(share: str, ending: str) -> None:
    assert judged("2月の来館者数は1月と比べてどう？", f"1月より114人増えて、{share}増です。", VISITS).verdict == ending


ISHII = read("calendar_freebusy", {"user": "石井", "busy": [{"start": "13:00", "end": "14:30"}]}, user="石井")
NAKAMURA = lost("calendar_freebusy", "permission denied: calendar not shared with you", user="中村")


def test_who_tells_the_half_that_was_read_and_that_the_other_was_not_has_answered() -> None:
    goal = "月曜の午後、石井さんと中村さんは空いている？"
    half = "石井さんは13時から14時半まで埋まっています。中村さんのカレンダーは見られず、空いているかわかりません。"
    assert judged(goal, half, ISHII, NAKAMURA).verdict == "complete"
    assert (
        judged(goal, "中村さんのカレンダーは見られず、お二人が空いているかわかりません。", ISHII, NAKAMURA).ending == "unanswered"
    )


WEEK = Task(
    goal="Sum up the week and post it.",
    needs=(
        Need(id="posts", description="the posts of Petra Holm of the week", arguments={"from": "2027-03-01", "to": "2027-03-05"}),
        Need(id="publish", description="post it", effect="outward", after=("posts",), arguments={"body": "{{result}}"}),
    ),
    language="en",
)
POSTS = [
    {"author": "Petra Holm", "day": "2027-03-02", "text": "The tray counter is fixed, it counted the empty first slide"},
    {"author": "Emil Vass", "day": "2027-03-04", "text": "I replaced the humidity probe on oven 3 and calibrated it"},
]


def of_a_week(text: str, *also: CallRecord) -> Verdict:
    posts = read("wiki_list", {"posts": POSTS}, needs=("posts",), **{"from": "2027-03-01", "to": "2027-03-05"})
    calls = (posts, *also, wrote("wiki_create_post", {"id": 5}, needs=("publish",), body=text))
    told = Told("a week", "good", WEEK, calls, "Posted it.", "week")
    return judge(AssistantMessage(text=told.answer), told.context())


def test_a_job_of_a_span_of_days_is_about_each_of_them_and_about_the_person_whom_its_need_describes() -> None:
    own = "The tray counter is fixed: it counted the empty first slide."
    assert of_a_week(own).verdict == "complete"
    verdict = of_a_week(f"{own}\nReplaced the humidity probe on oven 3 and calibrated it.")
    assert any("emil vass" in finding for finding in verdict.findings), verdict.findings


def test_a_read_of_a_job_that_failed_has_to_be_told() -> None:
    failed = lost("desk_search", "503 Service Unavailable", needs=("posts",), query="Petra")
    own = "The tray counter is fixed: it counted the empty first slide."
    assert any("503" in finding for finding in of_a_week(own, failed).findings)
    assert of_a_week(f"{own}\nThe service desk could not be searched.", failed).verdict == "complete"


def test_a_long_list_and_long_lines_are_read_in_bounded_time() -> None:
    rows = [{"name": f"shop {at}", "sales": at * 7, "note": "x " * 500} for at in range(3_000)]
    verdict = judged("What did shop 5 sell?", "Shop 5 sold 42 pieces.", read("sales_list", {"rows": rows}))
    assert verdict.verdict in ("complete", "continue")
