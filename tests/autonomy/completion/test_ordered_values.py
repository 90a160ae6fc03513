"""A write took what the goal orders, and a figure is told in the unit of its field: ids, persons and units are compared, not words."""

import pytest

from autonomy.completion.judge import judge
from autonomy.llm.messages import AssistantMessage
from autonomy.run_state.run_values import CallRecord
from tests.gaming.told import asked, lost, read, wrote
from tests.requirements import requirement

pytestmark = requirement("V4")
SLOW = {"id": "OPS-104", "title": "Search is slow", "assignee": None, "reporter": "Tomás Rey", "version": 1}
MAILS = {"id": "OPS-105", "title": "Mails land in spam", "assignee": "Tomás Rey", "reporter": "Wen Zhao", "version": 2}
TICKET = read("tickets_get_ticket", SLOW, id="OPS-104")
BELOW = read("tickets_list", {"tickets": [SLOW, MAILS]}, parent="OPS-100")
LATENCY = {
    "service": "search",
    "unit": "ms",
    "points": [{"day": "2026-11-29", "value": 3900}, {"day": "2026-11-28", "value": 660}],
}
OF_TERN = read("tickets_find", {"tickets": [{**SLOW, "customer": "Tern Books"}]}, customer="Tern Books")
P95 = read("watch_get_latency", LATENCY, service="search")
DISKS = read("watch_get_disks", {"disks": [{"host": "db-1", "wait_ms": 412}, {"host": "db-2", "wait_ms": 388}]})
METER = read("meter_get", {"2027-01": {"kWh": 412}, "2027-02": {"kWh": 368}}, place="hall")


def update(identifier: str, **values: object) -> CallRecord:
    return wrote("tickets_update_ticket", {**SLOW, "id": identifier, **values, "version": 2}, id=identifier, **values)


def comment(identifier: str, text: str = "The release is on Thursday.") -> CallRecord:
    return wrote("tickets_add_comment", {"id": identifier, "text": text}, id=identifier, text=text)


def finding(question: str, answer: str, *calls: CallRecord) -> str:
    """What the judge has against an answer; empty if nothing."""
    case = asked("a run", "good", question, *calls, answer=answer)
    return judge(AssistantMessage(text=answer), case.context()).reason


DENIED = lost("tickets_update_ticket", "it is not allowed", effect="write", id="OPS-104", assignee="Wen Zhao")
DENIED = DENIED.model_copy(update={"result": DENIED.result.model_copy(update={"kind": "denied"})})


@pytest.mark.parametrize(
    ("question", "answer", "done"),
    [
        ("Assign OPS-104 to Tomás Rey.", "OPS-104 is with Tomás Rey.", False),
        ("Who reported OPS-104?", "Tomás Rey reported OPS-104.", True),
        ("Look at OPS-104 and change nothing.", "OPS-104 was reported by Tomás Rey.", True),
    ],
)
def test_an_order_in_any_words_whose_write_was_denied_is_not_done(question: str, answer: str, done: bool) -> None:
    assert (finding(question, answer, TICKET, DENIED) == "") is done


ASSIGN, BOTH = "Assign OPS-104 to Tomás Rey.", "Comment on OPS-104 and on OPS-105 that the release is on Thursday."


@pytest.mark.parametrize(
    ("question", "answer", "calls", "found"),
    [
        (ASSIGN, "OPS-104 is Tomás Rey's now.", (TICKET, update("OPS-104", assignee="Tomás Rey")), ""),
        (ASSIGN, "OPS-104 is Tomás Rey's now.", (TICKET, update("OPS-104", assignee="Wen Zhao")), "gives it to Tomás Rey"),
        (ASSIGN, "OPS-104 is Tomás Rey's now.", (TICKET, update("OPS-104", priority="high")), "gives it to Tomás Rey"),
        (
            "担当をWen Zhaoにして。OPS-104です",
            "OPS-104を担当に割り当てました。",
            (TICKET, update("OPS-104", assignee="Wen Zhao")),
            "",
        ),
        (BOTH, "I commented on OPS-104 and OPS-105.", (comment("OPS-104"), comment("OPS-105")), ""),
        (BOTH, "I commented on OPS-104 and OPS-105.", (comment("OPS-104"),), "names OPS-105 beside OPS-104"),
        (
            "OPS-104とOPS-105に「木曜です」とコメントして",
            "OPS-104とOPS-105にコメントしました。",
            (comment("OPS-104", "木曜です"),),
            "names OPS-105",
        ),
        ("Add a comment to OPS-104: it is in review.", "Done.", (comment("OPS-107", "it is in review"),), "is for OPS-107"),
        (
            "Comment on OPS-104.",
            "I commented on OPS-104.",
            (comment("OPS-104"), comment("OPS-107")),
            "took OPS-107, which neither",
        ),
        ("Comment on OPS-104.", "I commented on OPS-104 and OPS-107.", (comment("OPS-104"), comment("OPS-107")), ""),
        (
            "Tell Tern Books with a comment on OPS-104 that we look into it, and give it to Wen.",
            "I commented on OPS-104, and it is with Wen Zhao.",
            (OF_TERN, comment("OPS-104", "Tern Books: we look into it"), update("OPS-104", assignee="Wen Zhao")),
            "",
        ),
        (
            "Close the tickets below OPS-100.",
            "I closed OPS-104 and OPS-105.",
            (BELOW, update("OPS-104", status="done"), update("OPS-105", status="done")),
            "",
        ),
    ],
)
def test_what_a_goal_orders_is_what_a_write_took(question: str, answer: str, calls: tuple[CallRecord, ...], found: str) -> None:
    reason = finding(question, answer, *calls)
    assert (found in reason) if found else reason == ""


@pytest.mark.parametrize(
    ("minutes", "found"), [(30, ""), (300, "the goal says 30 minutes, and what was written says 300 minutes")]
)
def test_a_figure_in_a_field_named_by_its_unit_is_held_against_the_goal(minutes: int, found: str) -> None:
    write = wrote("watch_silence", {"id": "SIL-1"}, service="search", minutes=minutes)
    assert finding("Silence the alerts of search for 30 minutes.", "They are silenced for 30 minutes.", write) == found


@pytest.mark.parametrize(
    ("question", "answer", "call", "found"),
    [
        (
            "What was the p95 of search on 2026-11-29?",
            "It was 3,900 seconds.",
            P95,
            "in another unit than it was read in: 3900 (ms)",
        ),
        ("What was the p95 of search on 2026-11-29?", "It was 3.9 seconds (3,900 ms).", P95, ""),
        ("2026-11-29の検索のp95は？", "3900秒です。", P95, "3900 (ms)"),
        ("How long does db-1 wait?", "db-1 waits 412 seconds.", DISKS, "has no source"),
        ("How long does db-1 wait?", "db-1 waits 412 ms.", DISKS, ""),
        ("How much did the hall use in January?", "The hall used 412 kWh in January 2027.", METER, ""),
        ("How much did the hall use in January?", "The hall used 412 Wh in January 2027.", METER, "412 (kwh)"),
    ],
)
def test_a_figure_is_told_in_the_unit_of_its_field(question: str, answer: str, call: CallRecord, found: str) -> None:
    reason = finding(question, answer, call)
    assert (found in reason) if found else reason == ""


FIX = {
    "id": "OPS-101",
    "comments": [{"author": "Noor Haddad", "at": "2026-11-28T16:40", "text": "I have a fix, not merged yet."}],
}
COMMENTS = read("tickets_get_ticket", FIX, id="OPS-101")


@pytest.mark.parametrize(
    ("question", "answer", "right"),
    [
        ("Is the fix of OPS-101 merged?", "Noor has a fix, but it is not merged yet.", True),
        ("Is the fix of OPS-101 merged?", "Yes, Noor merged the fix.", False),
        ("What did Wen Zhao say on OPS-101?", "Wen Zhao has not commented on OPS-101.", True),
        ("What did Wen Zhao say on OPS-101?", "Wen Zhao wrote that there is a fix.", False),
    ],
)
def test_what_is_not_so_is_told_as_not_so(question: str, answer: str, right: bool) -> None:
    assert (finding(question, answer, COMMENTS) == "") is right


LINES = [
    {"user": "haruka", "user_id": "U07HARUKA", "text": text}
    for text in ("PR #436 をレビューしました", "v2.9.0 を本番にリリースしました", "通知メールの二重送信を直しました")
]
MEMBERS = read("slack_list_users", {"members": [{"id": "U07KENTA", "name": "kenta"}, {"id": "U07HARUKA", "name": "haruka"}]})


@pytest.mark.parametrize(
    ("goal", "title", "found"),
    [
        ("遥さんの今日の日記を esa に投稿して", "kentaの日記", True),
        ("遥さんの今日の日記を esa に投稿して", "harukaの日記", False),
        ("遥さんの今日の日記を esa に投稿して", "今日の日記", False),
        ("kenta に渡す、遥さんの今日の日記を esa に投稿して", "kentaへ: 今日の日記", False),
    ],
)
def test_a_text_goes_out_under_the_name_of_whose_lines_it_retells(goal: str, title: str, found: bool) -> None:
    body = "PR #436 をレビューしました。\nv2.9.0 を本番にリリースしました。\n通知メールの二重送信を直しました。"
    written = wrote("esa_create_post", {"number": 9}, title=title, body_md=body)
    messages = read("slack_list_messages", {"messages": LINES}, channel_id="C1")
    answer = "日記を投稿しました。"
    judged = judge(
        AssistantMessage(text=answer), asked("a run", "bad", goal, MEMBERS, messages, written, answer=answer).context()
    )
    assert any("under the name of" in finding for finding in judged.findings) is found


FORECAST = read("weather_get", {"city": "Boulder", "high_f": 72, "low_f": 41})


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        ("明日の Boulder の最高気温は72度、最低気温は41度です。", "72 (f)"),
        ("明日の Boulder の最高気温は約22度、最低気温は5度です。", ""),
        ("Tomorrow it will be 72 °C in Boulder.", "72 (f)"),
        ("Tomorrow it will be 72 degrees in Boulder.", ""),
        ("Tomorrow it will be 72 °F (22 °C) in Boulder.", ""),
    ],
)
def test_a_temperature_is_told_in_the_scale_of_its_field(answer: str, found: str) -> None:
    reason = finding("How warm will it be in Boulder tomorrow?", answer, FORECAST)
    assert (found in reason) if found else reason == ""
