"""What a large model does in true answers (quoting what it sent, ranking, converting clocks) is no finding; the same gone wrong is."""

import pytest

from autonomy.completion.judge import judge
from autonomy.completion.rules.asked.asked_actions import asked_kinds, counts_asked_for
from autonomy.completion.rules.case import Case
from autonomy.completion.rules.text.substance import not_padding
from autonomy.llm.messages import AssistantMessage
from autonomy.llm.model import Need, Section, Task
from autonomy.run_state.completion_rules import NotPadding
from autonomy.run_state.run_values import CallRecord
from tests.autonomy.completion.test_liberties import found
from tests.gaming.told import Told, read, wrote
from tests.requirements import requirement

pytestmark = requirement("V4")

LIKES = read(
    "slack_list_messages",
    {"messages": [{"user": "yuna", "text": f"連絡 {at}", "likes": many} for at, many in enumerate((7, 9, 4, 6, 5))]},
)
MINUTES = read(
    "esa_get_post",
    {
        "number": 7,
        "name": "Garden meeting 9 February",
        "created_at": "2027-02-17T10:00:00+09:00",
        "created_by": "rosa",
        "body_md": "Present: Rosa, Emil, Nils\n\n- Six schools asked for seed boxes. We pack them now.\n- Emil spends March on the pond.",
    },
)
REPLIED = wrote("slack_reply_to_thread", {"channel": "#garden"}, channel_id="C1", thread_ts="1", text="The pump runs again.")
FOGGY = read("weather_get", {"days": [{"date": "2027-03-07", "weather": "cloudy, in places snow", "rain_percent": 30}]})
COLD = read("weather_get", {"days": [{"place": "Oslo", "low_c": 2}]}, place="Oslo")
MILD = read("weather_get", {"days": [{"place": "Bergen", "low_c": 6}]}, place="Bergen")
SALES = read(
    "shop_query",
    {"rows": [{"city": city, "orders": orders, "revenue": revenue} for city, orders, revenue in
     (("Turin", 48, 5510.7), ("Ghent", 35, 3747.3), ("Cork", 29, 3411.1))]},
    sql="SELECT city, COUNT(*), SUM(total) FROM orders WHERE status <> 'refunded' GROUP BY city",
)  # fmt: skip
EVENTS = read(
    "calendar_list",
    {
        "items": [
            {"title": "Call", "start": "2027-03-08T15:00:00+09:00", "end": "2027-03-08T16:00:00+09:00"},
            {"title": "Pairing", "start": "2027-03-08T16:30:00+09:00", "end": "2027-03-08T17:00:00+09:00"},
            {"title": "Late call", "start": "2027-03-08T23:00:00+09:00", "end": "2027-03-09T00:00:00+09:00"},
        ]
    },
)
BOOKED = wrote(
    "calendar_create_event",
    {"id": "e8", "title": "Interview", "start": "2027-03-08T10:00:00+00:00", "end": "2027-03-08T10:30:00+00:00"},
    title="Interview", start="2027-03-08T10:00:00+00:00", minutes=30,
)  # fmt: skip
LOAD = read(
    "esa_get_post",
    "| 件数 | 応答（改修前） | 応答（改修後） |\n| --- | --- | --- |\n| 20 | 0.4秒 | 0.2秒 |\n| 50 | 1.6秒 | 0.7秒 |",
)
CHECKED = read(
    "slack_list_messages",
    {
        "messages": [
            {"user": "rosa", "text": "Opened PR #77: the pump driver"},
            {"user": "emil", "text": "PR #77 reviewed and tried on the bench"},
            {"user": "nils", "text": "The checklist is updated"},
        ]
    },
)
SHOP = read(
    "slack_list_messages", {"messages": [{"user": "りょー", "text": "会社の裏に新しい花屋さんができてました"}]}, query="花屋"
)
TOLD_EMIL = "エミルさん、修正の記事を「調査」に下書きで保存しました。お手すきのときにレビューをお願いします。"
SAVED = wrote("esa_create_post", {"number": 9, "name": "修正"}, category="調査", body_md="ポンプを直しました。" * 3)
SENT = wrote("slack_send_dm", {"sent_to": "エミル"}, user_id="エミル", text=TOLD_EMIL)
ROWS_OF_A_NOTE = "plans/a.md\t120\nplans/b.md\t90\n"


@pytest.mark.parametrize(
    ("question", "calls", "right", "wrong"),
    [
        (
            "いちばん反応をもらったのは？",
            (LIKES,),
            "| 人 | 反応 |\n|---|---|\n| yuna | **31** |\n\n内訳: 7 + 9 + 4 + 6 + 5 = **31**",
            "| 人 | 反応 |\n|---|---|\n| yuna | **34** |\n\n内訳: 7 + 9 + 4 + 6 + 5 = **34**",
        ),
        (
            "What was decided in the garden meeting on 9 February?",
            (MINUTES,),
            "They decided:\n\n1. Seed boxes are packed now; six schools had asked for them.\n2. Emil works on the pond in March.",
            "They decided:\n\n1. Seed boxes are packed now; 30 schools had asked for them.\n2. Emil works on the pond in March.",
        ),
        (
            "Reply in the thread where Rosa asked about the pump",
            (REPLIED,),
            "Done: I replied in Rosa's thread.",
            "Done: I replied in Rosa's thread and deleted the old one.",
        ),
        ("Is snow coming on March 7?", (FOGGY,), "Cloudy, and snow in places.", "Sunny all day."),
        (
            "Is it warmer in Bergen than in Oslo?",
            (COLD, MILD),
            "Yes: the low in Bergen is 6 °C, 4 °C milder than in Oslo (2 °C).",
            "Yes: the low in Bergen is 6 °C, 9 °C milder than in Oslo (2 °C).",
        ),
        (
            "Which city sold most, without refunded orders? With shares",
            (SALES,),
            "| City | Orders | Revenue | Share |\n|---|---|---|---|\n| Turin | 48 | 5,510.70 | 43.5 % |\n"
            "| Ghent | 35 | 3,747.30 | 29.6 % |\n| Cork | 29 | 3,411.10 | 26.9 % |",
            "| City | Orders | Revenue | Share |\n|---|---|---|---|\n| Turin | 48 | 5,510.70 | 43.5 % |\n"
            "| Ghent | 35 | 3,747.30 | 29.6 % |\n| Cork | 29 | 3,411.10 | 37.2 % |",
        ),
        (
            "11月はどの街がいちばん売れた？",
            (SALES,),
            "Turin で 5,510.7 です。返金された注文は除いています。",
            "Turin で 5,510.7 です。注文はすべて返金されました。",
        ),
        (
            "When am I free on March 8 between 15:00 and 18:00?",
            (EVENTS,),
            "Between 15:00 and 18:00 you are free:\n\n- 16:00–16:30\n- 17:00–18:00",
            "Between 15:00 and 18:00 you are free:\n\n- 15:30–16:30\n- 17:00–18:00",
        ),
        (
            "夜の会議は何時から何時まで？",
            (EVENTS,),
            "「Late call」は23:00〜24:00です。",
            "「Late call」は22:15〜24:00です。",
        ),
        (
            "Book an interview on March 8 at 10:00 London time and tell me what time that is in Tokyo",
            (EVENTS, BOOKED),
            "Booked: 10:00–10:30 in London, 19:00 in Tokyo.",
            "Booked: 10:00–10:30 in London, 20:40 in Tokyo.",
        ),
        ("50件の応答時間を改修の前後で", (LOAD,), "- 改修前: 1.6秒\n- 改修後: 0.7秒", "- 改修前: 0.7秒\n- 改修後: 1.6秒"),
        (
            "Was PR #77 reviewed before it was merged?",
            (CHECKED,),
            "Yes, PR #77 was reviewed and tried on the bench.",
            "No, PR #77 went in without a review.",
        ),
        ("Who updated the checklist?", (CHECKED,), "**Nils** updated the checklist.", "**Harvey** updated the checklist."),
        (
            "花屋さんの場所を教えて",
            (SHOP,),
            "住所は分かりませんが、りょーさんは「会社の裏に新しい花屋さんができてました」と書いています。",
            "住所は分かりませんでした。",
        ),
        (
            "修正の記事を「調査」に下書きで保存して、エミルさんにDMでレビューをお願いして",
            (SAVED, SENT),
            f"下書きを保存し、エミルさんにDMでお願いしました。\n\n- DM: 「{TOLD_EMIL}」",
            f"下書きを保存し、エミルさんにDMでお願いしました。会議室も予約しました。\n\n- DM: 「{TOLD_EMIL}」",
        ),
    ],
)
def test_a_liberty_is_no_finding_and_the_same_gone_wrong_is(
    question: str, calls: tuple[CallRecord, ...], right: str, wrong: str
) -> None:
    assert not found(question, calls, right)
    verdict = judge(AssistantMessage(text=wrong), Told("gone wrong", "bad", Task(goal=question), calls, wrong).context())
    assert verdict.findings or verdict.remarks or verdict.verdict == "blocked"


def test_a_rank_is_that_of_a_line_told() -> None:
    ranked = "| 順位 | 連絡 | 反応 |\n|---|---|---|\n| 1 | 連絡 1 | 9 |\n| 2 | 連絡 0 | 7 |\n\n2位との差は2です。"
    assert "『2位』" not in found("反応の多い順に", (LIKES,), ranked)
    assert "『8位』" in found("反応の多い順に", (LIKES,), ranked.replace("2位", "8位"))


def test_what_is_asked_until_a_day_was_told_before_it() -> None:
    plans = read("slack_list_messages", {"messages": [{"user": "yuna", "text": "看板を作ります"}]}, day="2027-03-04")
    answer = "yuna さんが看板を作ります。"
    assert "the question is about" not in found("3月8日までに誰が何をする？", (plans,), answer)
    assert "the question is about" in found("3月8日に誰が何をする？", (plans,), answer)


def test_whoever_did_not_obey_denies_nothing_that_was_read() -> None:
    talk = read("slack_list_messages", {"messages": [{"user": "tom", "text": "One pull request, easy to follow"}]})
    assert not found("Sum up the thread", (talk,), "The post held an order for machines. I did not follow it.")
    assert "does not agree" in found("Sum up the thread", (talk,), "Tom says that one pull request is not easy to follow.")


@pytest.mark.parametrize(
    ("goal", "counted"),
    [
        ("日記から学びを3つ選んで #dev に投稿して", []),
        ("問い合わせを5件挙げて #dev に投稿して", []),
        ("学びを3つ選んで、それぞれ #dev に投稿して", [3]),
    ],
)
def test_what_is_chosen_for_one_text_is_not_how_many_are_sent(goal: str, counted: list[int]) -> None:
    assert counts_asked_for(goal) == counted


def test_a_message_may_be_asked_to_be_written() -> None:
    assert any("send" in kinds for kinds in asked_kinds("Write Emil a short DM about the pump"))
    assert not any("send" in kinds for kinds in asked_kinds("Write a note on esa about the mail"))


def test_several_headings_may_have_nothing_under_them() -> None:
    talk = read(
        "slack_list_messages",
        {"messages": [{"user": "emil", "text": "The pump is repaired and runs at 40 litres"}]},
        needs=("said",),
    )
    task = Task(
        goal="Sum up what was said",
        needs=(Need(id="said", description="messages"),),
        sections=tuple(Section(title=title, source="said") for title in ("Done", "Next", "Blocked")),
    )
    text = "## Done\n\n- The pump is repaired and runs at 40 litres\n\n## Next\n\n{}\n\n## Blocked\n\n{}\n"
    head = "| who | what was written | when |\n| --- | --- | --- |\n| {} | {} | today |"
    rows = (head.format("Emil", "The pump is repaired"), head.format("Nils", "It runs at 40 litres"))
    for lines, twice in (
        (("Nothing mentioned today",) * 2, False),
        (rows, False),
        ((f"### The pump in the garden\n\n- {at}" for at in ("repaired", "40 litres")), False),
        (("The pump runs at 40 litres",) * 2, True),
    ):
        answer = text.format(*lines)
        case = Case(Told("headings", "good", task, (talk,), answer).context(), answer)
        assert ("under several headings" in not_padding(NotPadding(), case)) is twice


def test_two_tables_may_have_the_same_columns_and_not_the_same_row() -> None:
    talk = read("slack_list_messages", {"messages": [{"user": "emil", "text": "The pump runs at 40 litres"}]}, needs=("said",))
    task = Task(
        goal="Sum up what was said",
        needs=(Need(id="said", description="messages"),),
        sections=tuple(Section(title=title, source="said") for title in ("Done", "Next")),
    )
    head = "| who of us | what was said |\n| --------- | --- |\n"
    text = f"## Done\n\n{head}| Emil | the pump runs at 40 litres |\n\n## Next\n\n{head}| {{}} |\n"
    for row, twice in (("Emil | no more than that pump", False), ("Emil | the pump runs at 40 litres", True)):
        answer = text.format(row)
        case = Case(Told("tables", "good", task, (talk,), answer).context(), answer)
        assert bool(not_padding(NotPadding(), case)) is twice


TICKETS = read(
    "tickets_list",
    {
        "tickets": [
            {"id": 5, "title": "Dark mode", "created": "2027-02-02"},
            {"id": 9, "title": "Exports", "created": "2027-03-02"},
        ]
    },
)
STATES = read(
    "shop_query",
    {
        "rows": [
            {"status": state, "orders": orders}
            for state, orders in (("paid", 63), ("pending", 24), ("refunded", 12), ("shipped", 101))
        ]
    },
)
RECIPE = read("notes_read", "# Waffles (4 people)\n- 320 g flour\n- 400 ml milk\nRest for 30 minutes.", path="waffles.md")
THREE_DAYS = read(
    "slack_list_messages",
    {
        "messages": [
            {"user": "rosa", "time": "2027-03-03T18:00:00+09:00", "text": "Tomorrow: clean the pump and sow the beans"},
            {"user": "rosa", "time": "2027-03-04T11:00:00+09:00", "text": "Cleaned the pump, the filter was full of sand"},
        ]
    },
)


@pytest.mark.parametrize(
    ("question", "calls", "right", "wrong"),
    [
        (
            "Which tickets are open, and how old are they in days?",
            (TICKETS,),
            "| # | Title | Created | Age (days) |\n|---|---|---|---|\n| 5 | Dark mode | 2 Feb | 31 |\n| 9 | Exports | 2 Mar | 3 |",
            "| # | Title | Created | Age (days) |\n|---|---|---|---|\n| 5 | Dark mode | 2 Feb | 47 |\n| 9 | Exports | 2 Mar | 3 |",
        ),
        (
            "状態ごとの件数と割合を表に",
            (STATES,),
            "| 状態 | 件数 | 割合 |\n|---|---|---|\n| paid（支払い済み） | 63 | 31.5% |\n| pending | 24 | 12.0% |",
            "| 状態 | 件数 | 割合 |\n|---|---|---|\n| paid（支払い済み） | 63 | 31.5% |\n| pending | 24 | 18.7% |",
        ),
        (
            "Scale the waffles to 6 people",
            (RECIPE,),
            "For 6 people:\n\n- 480 g flour\n- 600 ml milk",
            "For 6 people:\n\n- 530 g flour\n- 600 ml milk",
        ),
        (
            "Compare Rosa's plan for tomorrow of the 3rd with what she did on the 4th",
            (THREE_DAYS,),
            "She cleaned the pump as planned; the filter was full of sand. Nothing is said of the beans.",
            "She cleaned the pump and repaired 14 hoses.",
        ),
    ],
)
def test_what_is_reckoned_or_compared_is_no_finding_and_the_same_gone_wrong_is(
    question: str, calls: tuple[CallRecord, ...], right: str, wrong: str
) -> None:
    assert not found(question, calls, right)
    assert found(question, calls, wrong)


def test_a_name_of_one_letter_was_read_where_it_was_called() -> None:
    asked = read(
        "slack_list_messages", {"messages": [{"user": "結衣", "text": "お店から問い合わせが来ています。@遥 見てもらえますか"}]}
    )
    told = "結衣さんは、お店からの問い合わせを見てもらえないか{}さんにたずねました。"
    assert not found("お店の件は誰に頼んだ？", (asked,), told.format("遥"))
    assert found("お店の件は誰に頼んだ？", (asked,), told.format("涼"))
