"""The plainest answers (a number, none, a name, a deed) are held against all that was read and done, in both languages."""

import pytest

from autonomy.completion.judge import judge
from autonomy.llm.messages import AssistantMessage
from autonomy.run_state.run_values import CallRecord
from metrics.reporting.reason_words import reason_in
from tests.gaming.told import asked, read, wrote
from tests.requirements import requirement

pytestmark = requirement("V4")
KITCHEN = {"id": "L1", "book": "B3", "borrower": "M2", "due": "2027-02-20", "overdue": True}
GARDEN = {"id": "L2", "book": "B7", "borrower": "M4", "due": "2027-03-20", "overdue": False}
HARBOUR = {"id": "L3", "book": "B9", "borrower": "M1", "due": "2027-02-10", "overdue": True}
ONE = read("library_list_loans", {"loans": [KITCHEN]}, status="overdue")
ALL = read("library_list_loans", {"loans": [KITCHEN, GARDEN, HARBOUR]}, branch="west")
PAGE = read("library_list_loans", {"loans": [GARDEN], "next_cursor": "p2"}, branch="west")
NOTE = read("notes_get", "Loans of this week: Kitchen, Harbour, and since Monday Garden and two atlases as well.", note="loans")
TOTAL = read("library_count", {"overdue": 7}, branch="west")
KENJI = read("library_get_member", {"id": "M2", "name": "Kenji Sato"}, id="M2")
SATO = read("tasks_list", {"tasks": [{"title": "移行", "assignee": "佐藤"}, {"title": "点検", "assignee": "鈴木"}]}, board="運用")
SAYS = "原因と再現と修正がひとつで追えて、とても見やすかったです。承認します"
FOUND = read(
    "slack_search_messages", {"messages": [{"user": "kenta", "text": SAYS}, {"user": "ryo", "text": SAYS}]}, query="承認"
)
NOT_FOUND = read("slack_search_messages", {"messages": []}, query="backup")
OVERTIME = {"Ito": 1650, "Mori": 1219, "Kato": 1200, "Abe": 830}
BACKUPS = read("notes_get", "Test database backups take 40 seconds instead of 6 minutes, on 2 servers.", note="backups")
TWO_TIMES = "How long do the test database backups take now and how long did they take before?"
HOURS = read(
    "hr_list_overtime",
    {
        "employees": [
            {"name": name, "total_overtime_minutes": minutes, "holiday_minutes": 0} for name, minutes in OVERTIME.items()
        ]
    },
    month="2027-02",
)
ABOVE, ABOVE_JA = "Who had more than 20 hours of overtime?", "残業が20時間を超えた人は？"
LAMP = "A red lamp lies on the desk."
DESK = read("desk0_look_up", LAMP)
LENT = wrote("library_lend_book", {"ok": True}, book="B3", member="M7")


def judged(goal: str, answer: str, *calls: CallRecord) -> tuple[str, tuple[str, ...]]:
    verdict = judge(AssistantMessage(text=answer), asked("a run", "good", goal, *calls, answer=answer).context())
    return verdict.verdict, verdict.findings


@pytest.mark.parametrize(
    ("goal", "answer", "calls"),
    [
        ("延滞している貸出は何冊ありますか？", "延滞は4冊です。", (ALL,)),
        ("Is any loan overdue?", "No loan is overdue.", (PAGE,)),
        ("What lies on the desk?", f"{LAMP} (That is what desk1_look_up returned.)", (DESK,)),
        ("延滞している貸出はありますか？", "延滞している貸出はありません。", (PAGE,)),
        ("Who has book B3?", "It is with Aiko Tanaka.", (ONE, KENJI)),
        ("B3を借りている会員は誰ですか？", "会員は Aiko Tanaka です。", (ONE, KENJI)),
        ("移行の担当は誰ですか？", "担当は山本さんです。", (SATO,)),
        ("移行の担当は誰ですか？", "移行の担当は山本です。", (SATO,)),
        ("B3をM7に貸し出してください。", "B3をM7に貸し出しました。", (ONE,)),
        ("B3をM7に貸し出して", "B3の貸出手続きを完了しました。", (ONE,)),
        ("会議室を押さえて", "会議室を押さえました。", (ONE,)),
        ("When is L1 due, and who borrowed it?", "L1 was due on 20 February 2027.", (ONE, KENJI)),
        ("L1の期限はいつで、誰が借りていますか？", "L1の期限は2月20日です。", (ONE, KENJI)),
        ("Who has B3, and how long is it overdue?", "Member M2 has it.", (ONE,)),
        (ABOVE, "One person: Ito with 27 h 30 min.", (HOURS,)),
        (ABOVE_JA, "1名です。Ito さんの27時間30分だけで、Mori さんは19時間台です。", (HOURS,)),
        (ABOVE, "Three people: Ito with 27 h 30 min, Mori with 20 h 19 min and Kato with 20 hours.", (HOURS,)),
        (TWO_TIMES, "The test database backups take 40 seconds.", (BACKUPS,)),
        (TWO_TIMES, "The test database backups of 2 servers take 40 seconds.", (BACKUPS,)),
        ("バックアップは今何秒かかりますか？ 以前は何分でしたか？", "バックアップは40秒です。", (BACKUPS,)),
    ],
)  # fmt: skip
def test_a_plain_answer_that_nothing_read_or_done_shows_does_not_count(
    goal: str, answer: str, calls: tuple[CallRecord, ...]
) -> None:
    verdict, findings = judged(goal, answer, *calls)
    assert verdict != "complete"
    assert all(reason_in("ja", one) != one for one in findings), "each is told in Japanese, too"


@pytest.mark.parametrize(
    ("goal", "answer", "calls"),
    [
        ("How many notes on tea?", "There are three.", (read("notes_find", "three notes about tea", word="tea"),)),
        ("How many loans are overdue?", "Two loans are overdue.", (ALL,)),
        ("How many loans are overdue?", "Seven.", (TOTAL,)),
        ("How many loans are there this week?", "Five: Kitchen, Harbour, Garden and two atlases.", (NOTE,)),
        ("延滞している貸出は何冊ありますか？", "延滞は2冊です。", (ALL,)),
        ("Which loans are overdue by Kenji?", "None of the loans.", (ALL, KENJI)),
        ("Is any loan overdue?", "No loan is overdue on the first page; there are more that I have not read.", (PAGE,)),
        ("Who has book B3?", "It is with Kenji Sato.", (ONE, KENJI)),
        (ABOVE, "Two people: Ito with 27 h 30 min and Mori with 20 h 19 min.", (HOURS,)),
        (ABOVE_JA, "4人のうち2名です。Ito さんが27時間30分、Mori さんが20時間19分です。", (HOURS,)),
        (
            "Who had at least 20 hours of overtime?",
            "Three people: Ito with 27 h 30 min, Mori with 20 h 19 min and Kato with 20 h.",
            (HOURS,),
        ),
        (TWO_TIMES, "The test database backups take 40 seconds instead of 6 minutes.", (BACKUPS,)),
        ("バックアップは今何秒かかりますか？ 以前は何分でしたか？", "6分だったバックアップが40秒です。", (BACKUPS,)),
        ("Who has book B3?", "Member M2 has it.", (ONE,)),
        ("B3を借りている会員は誰ですか？", "会員は Kenji Sato です。", (ONE, KENJI)),
        ("移行の担当は誰ですか？", "担当は佐藤さんです。", (SATO,)),
        ("移行の担当は誰ですか？", "担当は未定です。", (SATO,)),
        ("How many of the loans are not overdue?", "One loan is not overdue.", (ALL,)),
        ("How many members are there?", "Two.", (read("club_hours", {"ana": 3, "bo": 4}, month="2027-02"),)),
        ("Which loans are overdue?", "There are no new ones; L1 and L3 still are overdue.", (ALL,)),
        ("集合の時間を決めてください。", "集合は10時に決めました。", (read("notes_get", "集合は10時か11時がよい", note="遠足"),)),
        ("B3をM7に貸し出してください。", "B3をM7に貸し出しました。", (ONE, LENT)),
        ("B3をM7に貸し出してください。", "B3はM2に貸し出されているため、まだ貸し出していません。", (ONE,)),
        ("B3はいつ貸し出しましたか？", "B3は2月20日が期限で、M2に貸し出しました。", (ONE,)),
        ("期限の古い順に並べてください。", "期限の古い順に並べました。\n\n- L3\n- L1\n- L2", (ALL,)),
        ("When is L1 due, and who borrowed it?", "20 February 2027, Kenji Sato.", (ONE, KENJI)),
        ("「承認」と出てくるメッセージは何件？", "2件です。健太さんが1件、りょーさんが1件です。", (FOUND,)),
        ("Has anyone done a backup drill?", "I searched all channels for “backup”, and nobody mentions one.", (NOT_FOUND,)),
        ("Who has B3, and how long is it overdue?", "Member M2 has it, for 13 days too long.", (ONE,)),
        ("L1の期限はいつで、誰が借りていますか？", "L1の期限は2月20日です。借り手は読めるものにありませんでした。", (ONE,)),
        ("What lies on the desk?", f"{LAMP} (That is what desk0_look_up returned.)", (DESK,)),
    ],
)  # fmt: skip
def test_a_plain_answer_that_holds_counts(goal: str, answer: str, calls: tuple[CallRecord, ...]) -> None:
    assert judged(goal, answer, *calls)[0] == "complete", judged(goal, answer, *calls)[1]


def said(user: str, name: str, text: str, **more: object) -> dict[str, object]:
    return {"user_id": user, "user_name": name, "text": text, "time": "2027-03-05T11:02:00+09:00", **more}


PULL = said("U07HARUKA", "遥", "修正を PR #438 に出しました", ts="1.1", thread_ts="1.1", reactions=[{"users": ["U07MISAKI"]}])
YES = said("U07KENTA", "健太", "見やすいです。承認しました", ts="1.2", thread_ts="1.1")
PLANS = said("U07HARUKA", "遥", "明日やること：再送の仕組みをまとめる")
IN_ALL = said("U07HARUKA", "遥", "二重送信は全部で3件でした")


def test_a_line_of_today_may_tell_of_tomorrow_and_of_how_many_there_are_in_all() -> None:
    day = read("slack_get_channel_history", {"messages": [PLANS, IN_ALL]}, channel_id="C1", day="2027-03-05")
    assert judged("遥さんの明日の予定は？", "再送の仕組みをまとめることです。", day) == ("complete", ())
    assert judged("今日の二重送信は全部で何件でしたか。", "全部で3件です。", day) == ("complete", ())
