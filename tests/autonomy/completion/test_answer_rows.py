"""What an answer tells together is held against the rows that were read, in both languages, without lists of words."""

import pytest

from autonomy.completion.judge import judge
from autonomy.completion.rules.answer_rows import together_in_a_row
from autonomy.completion.rules.case import Case
from autonomy.llm.messages import AssistantMessage
from autonomy.run_state.run_values import CallRecord
from tests.gaming.told import asked, read, wrote
from tests.requirements import requirement

pytestmark = requirement("V4")
OPEN = {"id": 7101, "title": "Cart shows the old price", "state": "open", "owner": "Ines"}
NOBODYS = {"id": 7102, "title": "Mail comes twice", "state": "open", "owner": None}
SHUT = {"id": 7103, "title": "Typo in the footer", "state": "closed", "owner": "Marek"}
ISSUES = read("tracker_list", {"issues": [OPEN, NOBODYS, SHUT]}, project="shop")
GUESTS = read("events_get", {"guests": [{"name": "佐伯", "返事": "出席"}, {"name": "三枝", "返事": "欠席"}]}, event="送別会")
BOATS = {"12:40": ("13:25", 1180), "14:10": ("14:50", 1430)}
FERRIES = read(
    "ferry_list", {"trips": [{"dep": at, "arr": to, "fare_yen": yen} for at, (to, yen) in BOATS.items()]}, day="2027-03-06"
)
SONGS = read("concert_get", {"songs": [{"title": "Ebb", "singer": "Ida Holm"}, {"title": "Flow", "singer": "Per Lund"}]})
PARTS = ((("bolts", 12), 40), (("hinges", 90), 60), (("handles", 7), 30))
STOCK = read(
    "stock_list", {"rows": [{"name": name, "stock": held, "level": level} for (name, held), level in PARTS]}, site="main"
)
NAMESAKES = read(
    "hr_list",
    {"people": [{"employee_id": "e-11", "name": "Aki Mori", "minutes": 735}, {"employee_id": "e-26", "name": "Aki Mori", "minutes": 374}]},
)  # fmt: skip
MOVED = wrote("tracker_assign", {"ok": True}, id=7102, owner="Marek")


def finding(question: str, answer: str, *calls: CallRecord) -> str:
    """What the judge has against an answer; empty if nothing."""
    case = asked("a run", "good", question, *calls, answer=answer)
    return judge(AssistantMessage(text=answer), case.context()).reason


def apart(question: str, answer: str, *calls: CallRecord) -> bool:
    """Whether two values of the answer stand in no row together; that something else finds fault as well is another matter."""
    context = asked("a run", "good", question, *calls, answer=answer).context()
    return any(together_in_a_row(Case(context, answer)))


def test_what_no_row_has_together_is_not_told_together_and_what_one_has_is() -> None:
    for question, told_wrongly, told_rightly, call in (
        (
            "Who has the mail issue?",
            "Mail comes twice (#7102) is with Marek.",
            "Mail comes twice (#7102) is with nobody.",
            ISSUES,
        ),
        ("Who has the cart issue?", "7101: Marek", "7101: Ines", ISSUES),
        ("Which issues are open?", "Open are #7101, #7102 and #7103.", "Open are #7101 and #7102, and #7103 is closed.", ISSUES),
        ("二人は出席しますか。", "佐伯さんと三枝さんはどちらも出席です。", "佐伯さんは出席、三枝さんは欠席です。", GUESTS),
        ("明日の船はいくら？", "12:40発、13:25着で1,430円です。", "12:40発、13:25着で1,180円です。", FERRIES),
        ("Who sings what?", "Ida Holm sings Flow and Per Lund Ebb.", "Ida Holm sings Ebb and Per Lund Flow.", SONGS),
        ("Who sings what?", "Ida Holm sings Flow and Per Lund Ebb.", "Ebb and Flow are sung by Ida Holm and Per Lund.", SONGS),
    ):
        assert apart(question, told_wrongly, call), told_wrongly
        assert finding(question, told_wrongly, call)
        assert finding(question, told_rightly, call) == ""
    for fine in ("All but #7103 are open: #7101 and #7102.", "Shall I give #7102 to Marek?", "#7101 is not Marek's."):
        assert not apart("How do the issues stand?", fine, ISSUES)
    assert not apart("Give #7102 to Marek.", "#7102 is Marek's now.", ISSUES, MOVED)


def test_a_figure_of_a_namesake_is_not_told_of_whom_the_question_gives_the_id() -> None:
    question = "How much overtime has Aki Mori (e-11)?"
    assert "another row's" in finding(question, "She has 6 h 14 min.", NAMESAKES)
    for fine in ("She has 12 h 15 min.", "She has 12 h 15 min; e-26, of the same name, has 6 h 14 min."):
        assert finding(question, fine, NAMESAKES) == ""


def test_what_holds_of_the_rows_that_are_told_is_told_of_all() -> None:
    question = "Which parts are below their level?"
    assert "which you leave out: name: handles" in finding(question, "Only the bolts: 12 in stock, level 40.", STOCK)
    assert finding(question, "- bolts: 12 in stock, level 40\n- handles: 7 in stock, level 30", STOCK) == ""
    assert finding("How is the stock of bolts?", "There are 12 bolts, and the level is 40.", STOCK) == ""


def test_a_row_is_shown_without_its_empty_cells() -> None:
    rows = [{"name": name, "note": "", "stock": held, "level": level} for (name, held), level in PARTS]
    told = finding(
        "Which parts are below their level?", "Only the bolts: 12 in stock, level 40.", read("stock_list", {"rows": rows})
    )
    assert "leave out: name: handles, stock: 7, level: 30" in told


LABELS = (("Cart", ["bug"]), ("Mail", ["bug", "mail"]), ("Dark mode", ["feature"]))
LABELLED = read(
    "tracker_list",
    {"issues": [{"number": 7101 + at, "title": title, "labels": labels} for at, (title, labels) in enumerate(LABELS)]},
)


def test_what_rows_are_filed_under_is_told_of_them_in_the_plural_too() -> None:
    question = "Which issues are bugs?"
    assert apart(question, "Three issues are bugs: #7101, #7102 and #7103.", LABELLED)
    assert not apart(question, "Two issues are bugs: #7101 and #7102.", LABELLED)


@pytest.mark.parametrize("no", ["No, ", "No: ", "**No** – ", "Nope. "])
def test_a_no_that_answers_the_question_denies_nothing_of_what_is_told_behind_it(no: str) -> None:
    assert apart("Is the typo mended?", f"{no}#7103 is still open.", ISSUES)
    assert not apart("Is the cart issue mended?", f"{no}#7101 is still open.", ISSUES)
    assert not apart("Is the typo open?", f"{no}#7103 is not open.", ISSUES)
