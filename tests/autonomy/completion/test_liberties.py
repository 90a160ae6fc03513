"""What a good writer does to what was read (rounding, comparing, translating, listing) is no finding; the same gone wrong is one."""

import pytest

from autonomy.completion.judge import judge
from autonomy.completion.rules.asked.asked_actions import counts_asked_for
from autonomy.llm.messages import AssistantMessage
from autonomy.run_state.run_values import CallRecord
from tests.gaming.told import EVE, Told, goal, lost, read, wrote
from tests.requirements import requirement

pytestmark = requirement("V4")

MAILS = read(
    "slack_list_messages",
    {
        "messages": [
            {"user": "Priya", "time": "2027-03-05T13:58:42+09:00", "text": "Alder Lane says a reader got the same mail twice"},
            {
                "user": "Deploy",
                "time": "2027-03-05T16:21:22+09:00",
                "text": "Deployed v3.4.1 to production (one mail per transfer)",
            },
        ]
    },
)
TOKYO = read("weather_get", "Tokyo: tomorrow\nTemperature: low 3℃, high 11℃", location="Tokyo")
SAPPORO = read("weather_get", "Sapporo: tomorrow\nTemperature: low -6℃, high -2℃", location="Sapporo")
VAT = read(
    "tickets_get", {"id": 103, "comments": [{"by": "jonas", "at": EVE, "text": "The rate table was changed in July"}]}, id=103
)
ROWS = [{"id": 103, "created": "2027-03-02", "updated": EVE}, {"id": 101, "created": "2027-02-28", "updated": "2027-03-01"}]
NOTES = read("esa_list", {"posts": [{"number": number, "title": f"Note {number}"} for number in (3, 4, 5)]})
LISTED = wrote("slack_post_message", channel_id="#random", text="- Note 3\n- Note 4\n- Note 5")
LAUNDRY = read("weather_get", "大阪の天気\n12月5日(土): 曇時々晴 / 降水確率 30%", location="大阪")
ASKED = read(
    "slack_list_messages",
    {
        "messages": [
            {"user": "Maya", "text": "When nobody knows whether something arrived, look it up"},
            {"user": "Owen", "text": "Does anybody know this app? The text looks wrong to me, I am removing it"},
        ]
    },
)


def found(question: str, calls: tuple[CallRecord, ...], answer: str) -> str:
    """What the judge says against an answer."""
    verdict = judge(AssistantMessage(text=answer), Told("liberty", "good", goal(question), calls, answer).context())
    return "; ".join((*verdict.findings, *verdict.remarks))


@pytest.mark.parametrize(
    ("question", "calls", "right", "wrong"),
    [
        ("When was v3.4.1 deployed?", (MAILS,), "v3.4.1 was deployed at about 16:20.", "v3.4.1 was deployed at about 16:10."),
        ("v3.4.1 はいつ出ましたか", (MAILS,), "v3.4.1 は16:20ごろに出ました。", "v3.4.1 は16:10ごろに出ました。"),
        (
            "How long did it take from the report to the release?",
            (MAILS,),
            "About **2 hours and 20 minutes**: reported at 13:58, deployed at 16:21.",
            "About **2 hours and 40 minutes**: reported at 13:58, deployed at 16:21.",
        ),
        (
            "Which of Tokyo and Sapporo is warmer tomorrow?",
            (TOKYO, SAPPORO),
            "Tokyo: a high of 11 °C versus −2 °C in Sapporo, 13 degrees more.",
            "Tokyo: a high of 11 °C versus −2 °C in Sapporo, 15 degrees more.",
        ),
        (
            "Which of Tokyo and Sapporo is warmer tomorrow?",
            (TOKYO, SAPPORO),
            "Tokyo is warmer (11 °C versus -2 °C).",
            "Tokyo is warmer: it gets -2 °C.",
        ),
        ("税率はいつ変わりましたか", (VAT,), "税率表は7月に変わりました（#103）。", "税率表は8月に変わりました（#103）。"),
        (
            "What was asked in #general?",
            (ASKED,),
            "Owen asked whether anybody knows the app and is removing it.",
            "Maya wrote that everybody knows it when something arrived.",
        ),
    ],
)
def test_a_liberty_is_no_finding_and_the_same_gone_wrong_is(
    question: str, calls: tuple[CallRecord, ...], right: str, wrong: str
) -> None:
    assert not found(question, calls, right)
    assert found(question, calls, wrong)


def test_a_row_may_have_several_days() -> None:
    tickets = read("tickets_list", {"tickets": ROWS})
    answer = "Only #101 was left as it is since yesterday: it was updated on March 1."
    assert "the question is about" not in found("Which tickets have not been updated since yesterday?", (tickets,), answer)


def test_what_one_message_lists_is_not_how_many_messages_were_asked_for() -> None:
    posted = (NOTES, LISTED)
    assert not found("Find the 3 newest posts on esa and post a short list of them in #random", posted, "I posted it in #random.")
    assert not found("記事を3行でまとめて #random に投稿して", posted, "#random に投稿しました。")
    assert "speaks of 3" in found("Post 3 messages in #random, one for each note", posted, "I posted it in #random.")
    assert "speaks of 3" in found("#random にメッセージを3通投稿して", posted, "#random に投稿しました。")


@pytest.mark.parametrize(
    ("text", "counted"),
    [
        ("Create 3 tickets for these problems", [3]),
        ("Write two short posts about it", [2]),
        ("Find the 3 open tickets and update them", [3]),
        ("Read the 3 newest notes and post them in #dev", []),
        ("Post a list of the 3 newest notes in #dev", []),
        ("Post a summary of the five issues, then send it to Tom", []),
        ("3行でまとめて #dev に投稿して", []),
        ("3つに分けて #dev に投稿して", [3]),
        ("3行を追加して", [3]),
    ],
)
def test_a_count_is_asked_for_where_it_is_what_the_action_makes(text: str, counted: list[int]) -> None:
    assert counts_asked_for(text) == counted


def test_an_advice_tells_of_no_outcome() -> None:
    advice = "土曜は曇り時々晴れ、降水確率30%です。外に干せますが、出かけるときは取り込んでおくと安心です。"
    assert not found("週末の天気は？洗濯物は外に干せる？", (LAUNDRY,), advice)


def test_a_doubt_without_evidence_says_so() -> None:
    told = found("#general で何がありましたか", (ASKED,), "オーウェンさんが変更を取り込みました。")
    assert "nothing there tells of it" in told
    assert "''" not in told


REVIEWED = read(
    "slack_list_messages",
    {"messages": [{"user": "Leo", "text": "Please review PR #523"}, {"user": "Maya", "text": "Reviewed PR #523. Approved"}]},
    channel_id="#dev",
)


@pytest.mark.parametrize(
    ("question", "none_there", "still_there"),
    [
        (
            "Look in #dev for PRs that wait for a review. If there are any, post a reminder there, otherwise do nothing.",
            "There is no PR waiting for a review in #dev: #523 was reviewed and approved by Maya. So I posted nothing.",
            "PR #523 is waiting for a review in #dev. So I posted nothing.",
        ),
        (
            "#dev に、レビュー待ちのPRがあるか確認して、あれば一言リマインドを投稿して。なければ何もしないで",
            "#dev にレビュー待ちのPRはありませんでした（#523 は承認済みです）。リマインドは投稿していません。",
            "#523 がレビュー待ちです。",
        ),
    ],
)
def test_an_action_on_a_condition_that_does_not_hold_may_be_left_out(question: str, none_there: str, still_there: str) -> None:
    assert not found(question, (REVIEWED,), none_there)
    assert found(question, (REVIEWED,), still_there)
    without_condition = "Post a reminder in #dev to review PR #523."
    assert "no tool has given a receipt" in found(without_condition, (REVIEWED,), none_there)


def test_a_forecast_is_told_in_other_words() -> None:
    week = [
        ("2027-03-05", "clear night cloudy", 11, 20),
        ("2027-03-06", "cloudy, at times clear", 12, 60),
        ("2027-03-10", "cloudy, at times clear", 13, 30),
        ("2027-03-11", "cloudy", 13, 30),
    ]
    days = [{"date": day, "weather": told, "temp_max_c": high, "rain_percent": rain} for day, told, high, rain in week]
    osaka = read("weather_get", {"place": "Osaka", "days": days}, location="Osaka")
    question = "Which day of the week is best for a picnic in Osaka?"
    assert not found(question, (osaka,), "Wednesday, Mar 10: it is cloudy with sunny spells, 13 °C and a 30 % chance of rain.")
    assert found(question, (osaka,), "Wednesday, Mar 10: it is snowy, 13 °C and a 30 % chance of rain.")
    assert found(question, (osaka,), "On Wednesday, Mar 10 it is clear night cloudy.")


def test_why_a_call_failed_is_not_held_against_what_another_brought() -> None:
    osaka = read("weather_get", "Sample data, recorded in March; not the real weather.\nOsaka: high 13℃", location="Osaka")
    fukuoka = lost("weather_get", "The sample has no data for this region; name another one.", location="Fukuoka")
    question = "Is it warmer in Osaka or in Fukuoka?"
    honest = "Osaka gets 13 °C. I cannot compare it: the weather service has no data for the region of Fukuoka."
    assert not found(question, (osaka, fukuoka), honest)
    assert "does not agree" in found("How warm is it in Osaka?", (osaka,), "The weather service has no data for that region.")


@pytest.mark.parametrize(
    ("question", "needed", "given"),
    [
        (
            "What is the state of ticket 7?",
            "Ticket #7 is open, and it needs a person's approval.",
            "Ticket #7 is open and approved.",
        ),
        ("What is the state of ticket 7?", "Ticket #7 is open; sign-off is required.", "Ticket #7 is open, with her sign-off."),
        ("What is the state of ticket 7?", "Ticket #7 is open and asks for approval.", "Ticket #7 was requested and approved."),
        ("チケット7の状況は？", "チケット#7は open で、人の承認が必要です。", "チケット#7は open で、承認されました。"),
        ("チケット7の状況は？", "チケット#7は open で、承認を求めています。", "チケット#7は open で、承認をもらいました。"),
    ],
)
def test_an_approval_that_is_needed_is_no_outcome(question: str, needed: str, given: str) -> None:
    ticket = read("tickets_get", {"id": 7, "title": "New laptops", "status": "open", "note": "Order 4 laptops."}, id=7)
    assert "nothing there tells of it" not in found(question, (ticket,), needed)
    assert "nothing there tells of it" in found(question, (ticket,), given)


def test_the_weather_of_another_day_names_no_row() -> None:
    week = [("2027-03-09", "rain", 12), ("2027-03-10", "sunny spells", 13), ("2027-03-12", "cloudy", 19)]
    days = [{"date": day, "weather": told, "high_c": high} for day, told, high in week]
    osaka = read("weather_get", {"location": "Osaka", "days": days}, location="Osaka")
    question = "How warm will Wednesday 10 March be in Osaka?"
    assert not found(question, (osaka,), "On Wednesday it is partly cloudy with a high of 13 °C.")
    assert found(question, (osaka,), "On Wednesday it is sunny with a high of 19 °C.")


@pytest.mark.parametrize(
    ("question", "title", "told"),
    [
        ("Write a draft post on esa about the notes.", "Notes of week 48 (Nov 30)", "I saved a draft: {} (post #9)."),
        ("ノートについて下書きを書いて", "【日報】ノートまとめ 第48週", "下書き「{}」（#9）を保存しました。"),
    ],
)
def test_the_title_of_what_the_run_wrote_may_be_told(question: str, title: str, told: str) -> None:
    body = "Note 3 and Note 4 were added by the team and are still open."
    draft = wrote("esa_create_post", {"number": 9}, title=title, body_md=body)
    assert "has no source" not in found(question, (NOTES, draft), told.format(title))
    assert "has no source" in found(question, (NOTES, draft), told.format(title.replace("48", "47")))
    posted = wrote("slack_post_message", {"ts": "1"}, channel_id="#random", text=title)
    assert "has no source" in found("Post a note in #random.", (NOTES, posted), f"I posted {title} in #random.")
