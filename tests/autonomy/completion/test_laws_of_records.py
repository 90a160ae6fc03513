"""What is told of one record is not another's: its year, its price of today, the mail that each of several was to get."""

import pytest

from autonomy.completion.judge import judge
from autonomy.llm.messages import AssistantMessage
from autonomy.run_state.run_values import CallRecord
from tests.gaming.told import asked, lost, read, wrote
from tests.requirements import requirement

pytestmark = requirement("V4")


def finding(question: str, answer: str, *calls: CallRecord) -> str:
    """What the judge has against an answer on 5 March 2027; empty if nothing."""
    case = asked("a run", "good", question, *calls, answer=answer)
    return judge(AssistantMessage(text=answer), case.context()).reason


OUTINGS = read(
    "files_read",
    "社員旅行\n| 年 | 出発 | 行き先 |\n| --- | --- | --- |\n| 2026 | 9月4日（金） | 鳥羽 |\n| 2027 | 9月17日（金） | 蔵王 |\n",
)
FAIRS = read(
    "fairs_list",
    {"fairs": [{"year": 2026, "opens": "2026-10-02", "halls": 14}, {"year": 2027, "opens": "2027-10-08", "halls": 16}]},
)


@pytest.mark.parametrize(
    ("question", "answer", "calls", "wrong"),
    [
        ("今年の社員旅行の出発はいつ？", "今年の社員旅行は9月4日（金）に出発します。", OUTINGS, True),
        ("今年の社員旅行の出発はいつ？", "今年の社員旅行は9月17日（金）に出発します。", OUTINGS, False),
        ("今年の社員旅行の出発はいつ？", "今年は9月17日（金）に出発します。去年は9月4日でした。", OUTINGS, False),
        ("去年の社員旅行の出発はいつだった？", "去年の社員旅行の出発は9月4日（金）でした。", OUTINGS, False),
        ("去年の社員旅行の出発はいつだった？", "9月17日（金）でした。", OUTINGS, True),
        ("When does this year's fair open?", "It opens on 2 October 2026.", FAIRS, False),  # who names the year misleads nobody
        (
            "How does this year's fair differ from last year's?",
            "It opens on 8 October; last year it was 2 October.",
            FAIRS,
            False,
        ),
    ],
)
def test_a_question_about_a_year_is_answered_from_its_row(question: str, answer: str, calls: CallRecord, wrong: bool) -> None:
    assert ("another row's" in finding(question, answer, calls)) is wrong


LIST = read("files_read", "PRICES, valid from 1 June 2026\nRoller R-40: 31.50 EUR\nRoller R-60: 44.00 EUR", file="prices")
NEWER = read(
    "mail_search", {"subject": "Prices", "text": "From 1 February 2027 the roller R-40 costs 33.80 EUR."}, query="prices"
)
COMING = read("mail_search", {"subject": "Prices", "text": "From 1 April 2027 the roller R-40 costs 33.80 EUR."}, query="prices")
NEWER_JA = read(
    "mail_search", {"件名": "価格改定", "本文": "2027年2月1日よりローラー R-40 は 33.80 EUR になります。"}, query="価格"
)


@pytest.mark.parametrize(
    ("question", "answer", "newer", "wrong"),
    [
        ("What does the roller R-40 cost?", "The roller R-40 costs 31.50 EUR.", NEWER, True),
        ("What does the roller R-40 cost?", "The roller R-40 costs 31.50 EUR.", NEWER_JA, True),
        ("What does the roller R-40 cost?", "The roller R-40 costs 31.50 EUR.", COMING, False),
        ("What does the roller R-40 cost?", "The roller R-40 costs 33.80 EUR.", NEWER, False),
        ("What does the roller R-60 cost?", "The roller R-60 costs 44.00 EUR.", NEWER, False),
        ("What does the roller R-40 cost?", "R-40 cost 31.50 EUR until January. It costs 33.80 EUR now.", NEWER, False),
        ("What did the roller R-40 cost on 1 December 2026?", "The roller R-40: 31.50 EUR.", NEWER, False),
    ],
)
def test_a_figure_that_another_one_has_replaced_by_today_is_not_told_as_that_of_today(
    question: str, answer: str, newer: CallRecord, wrong: bool
) -> None:
    assert ("does not agree" in finding(question, answer, LIST, newer)) is wrong


TEAMS = read(
    "teams_list", {"経理課": {"長": "飯島", "宛先": "keiri@example.org"}, "総務課": {"長": "小暮", "宛先": "soumu@example.org"}}
)
PEOPLE = read(
    "people_list", {"people": [{"name": "Ines", "mail": "ines@example.org"}, {"name": "Otto", "mail": "otto@example.org"}]}
)


def mail(*to: str, text: str = "Lunch is at noon.") -> CallRecord:
    return wrote("mail_send", {"id": "m-1"}, to=to[0] if len(to) == 1 else list(to), body=text)


@pytest.mark.parametrize(
    ("question", "calls", "left"),
    [
        ("経理課と総務課に「明日は10時からです」とメールして", (TEAMS, mail("keiri@example.org")), "総務課"),
        ("経理課と総務課に「明日は10時からです」とメールして", (TEAMS, mail("soumu@example.org")), "経理課"),
        ("経理課と総務課に「明日は10時からです」とメールして", (TEAMS, mail("keiri@example.org"), mail("soumu@example.org")), ""),
        ("経理課と総務課に「明日は10時からです」とメールして", (TEAMS, mail("keiri@example.org", "soumu@example.org")), ""),
        ('Mail "Lunch is at noon." to Ines and Otto.', (PEOPLE, mail("ines@example.org")), "otto"),
        ('Mail "Lunch is at noon." to Ines and Otto.', (PEOPLE, mail("ines@example.org", "otto@example.org")), ""),
        ("Mail Ines that Otto is away.", (PEOPLE, mail("ines@example.org", text="Otto is away.")), ""),
        ("Compare the days of Ines and Otto, and mail Ines the days that suit.", (PEOPLE, mail("ines@example.org")), ""),
    ],
)
def test_each_member_of_a_list_of_the_goal_gets_its_write(question: str, calls: tuple[CallRecord, ...], left: str) -> None:
    told = finding(question, "Done." if question.isascii() else "送りました。", *calls)
    assert (f"the goal names {left} beside" in told) if left else ("nothing was written for it" not in told)


def test_a_member_whose_write_was_refused_is_told_of_by_another_check() -> None:
    refused = lost("mail_send", "The mailbox is full.", effect="outward", to="otto@example.org", body="Lunch is at noon.")
    told = finding('Mail "Lunch is at noon." to Ines and Otto.', "I mailed both.", PEOPLE, mail("ines@example.org"), refused)
    assert "nothing was written for it" not in told
