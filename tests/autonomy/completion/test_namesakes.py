"""What is told is of the place, the name, the state and the person that the question is about, and not of another like it."""

import pytest

from autonomy.completion.judge import judge
from autonomy.llm.messages import AssistantMessage
from autonomy.run_state.run_values import CallRecord
from tests.gaming.told import asked, read
from tests.requirements import requirement

pytestmark = requirement("V4")


def finding(question: str, answer: str, *calls: CallRecord) -> str:
    """What the judge has against an answer; empty if nothing."""
    case = asked("a run", "good", question, *calls, answer=answer)
    return judge(AssistantMessage(text=answer), case.context()).reason


def forecast(name: str, **region: str) -> CallRecord:
    return read("weather_forecast", {"name": name, **region, "low_c": 9, "high_c": 15}, place=name)


@pytest.mark.parametrize(
    ("question", "answer", "call", "namesake"),
    [
        ("How warm is it in Porto, Portugal?", "Between 9 and 15 °C in Porto.", forecast("Porto Alegre", country="BR"), True),
        ("How warm is it in Porto, Portugal?", "Between 9 and 15 °C in Porto.", forecast("Porto", country="PT"), False),
        ("How warm is it in Porto, Portugal?", "Between 9 and 15 °C in Porto.", forecast("Porto", country="Portugal"), False),
        ("How warm is it in Porto (Portugal)?", "Between 9 and 15 °C in Porto.", forecast("Porto"), False),
        (
            "How warm is it in Porto, Portugal?",
            "I only found Porto Alegre: 9 to 15 °C.",
            forecast("Porto Alegre", country="BR"),
            False,
        ),
        ("How warm is it in Portland, Maine?", "Between 9 and 15 °C in Portland.", forecast("Portland", state="Oregon"), True),
        ("How warm is it in Portland, Maine?", "Between 9 and 15 °C in Portland.", forecast("Portland", state="ME"), False),
        ("広島県の府中市の気温は？", "府中市は9℃から15℃です。", forecast("府中市", prefecture="東京都"), True),
        ("広島県の府中市の気温は？", "府中市は9℃から15℃です。", forecast("府中市", prefecture="広島県"), False),
    ],
)
def test_a_place_is_of_the_country_or_state_that_the_question_names(
    question: str, answer: str, call: CallRecord, namesake: bool
) -> None:
    assert ("and what was read is of" in finding(question, answer, call)) is namesake


EMPTY = {"messages": [], "total": 0}
NO_MAIL = "Halloran has not written to you about the roof, so there is nothing to answer."


@pytest.mark.parametrize(
    ("question", "answer", "query", "doubted"),
    [
        ("Has Halloran written to me about the roof?", NO_MAIL, "from:holoran roof", True),
        ("Has Halloran written to me about the roof?", NO_MAIL, "from:halloran roof", False),
        ("Has Halloran written to me about the roof?", f"{NO_MAIL} I searched for holoran.", "from:holoran roof", False),
        ("Is there anything about the roof in Mail?", "There is nothing about it.", "tiles", False),
        ("Has anybody written to me about the roof?", "Nobody has written about the roof.", "roof", False),
    ],
)
def test_that_there_is_none_rests_on_a_search_for_the_name(question: str, answer: str, query: str, doubted: bool) -> None:
    assert ("search for Halloran" in finding(question, answer, read("mail_search", EMPTY, query=query))) is doubted


REPORT = "水質検査成績書\n一般細菌 38 CFU/mL（基準 100以下）\n大腸菌 検出（基準 検出されないこと）\n判定: 不合格"
PANEL = {"results": [{"item": "influenza A", "result": "negative"}, {"item": "influenza B", "result": "positive"}]}


@pytest.mark.parametrize(
    ("answer", "data", "turned"),
    [
        ("大腸菌は検出されませんでした。一般細菌は38です。", REPORT, True),
        ("大腸菌が検出されました。一般細菌は38です。", REPORT, False),
        ("判定は合格で、一般細菌は38です。", REPORT, True),
        ("判定は不合格で、一般細菌は38です。", REPORT, False),
        ("Influenza A is positive.", PANEL, True),
        ("Influenza A is negative, influenza B positive.", PANEL, False),
        ("大腸菌は検出されませんでした。", f"{REPORT}\n大腸菌 不検出（再検査）", False),
    ],
)
def test_a_thing_is_not_told_as_the_opposite_of_what_its_field_says(answer: str, data: object, turned: bool) -> None:
    assert ("and what was read says" in finding("検査の結果は？", answer, read("files_read", data, path="lab.txt"))) is turned


RETRO = {
    "messages": [
        {"user": "ines", "time": "2030-06-12T15:02:00+09:00", "text": "I'll look at the wording of the disk alert."},
        {"user": "joost", "time": "2030-06-12T15:05:00+09:00", "text": "I'll write the runbook for failover by Tuesday."},
        {"user": "mei", "time": "2030-06-12T15:09:00+09:00", "text": "Can you order the new badges for the visitors?"},
    ]
}


@pytest.mark.parametrize(
    ("question", "answer", "of_another"),
    [
        ("I'm ines. What did I promise in the retro?", "You promised to write the runbook for failover by Tuesday.", True),
        ("I'm ines. What did I promise in the retro?", "You promised to look at the wording of the disk alert.", False),
        (
            "I'm ines. What did I promise in the retro?",
            "You look at the wording of the disk alert; joost writes the runbook.",
            False,
        ),
        ("I'm ines. What did I promise in the retro?", "You promised to order the new badges for the visitors.", False),
        ("What was promised in the retro?", "To write the runbook for failover by Tuesday.", False),
    ],
)
def test_what_one_person_promised_is_told_from_that_persons_lines(question: str, answer: str, of_another: bool) -> None:
    told = finding(question, answer, read("chat_read_thread", RETRO, channel="retro"))
    assert ("wrote:" in told) is of_another, told
