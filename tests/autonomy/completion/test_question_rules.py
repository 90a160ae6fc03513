"""What a question asks of the rows, where the rows are not what one expects."""

import pytest

from autonomy.completion.judge import judge
from autonomy.llm.messages import AssistantMessage
from tests.gaming.told import Told, asked, read, wrote
from tests.requirements import requirement

NO_SUCH_DAY = {"events": [{"title": "Review", "start": "2027-02-30T10:00", "end": "2027-02-30T25:00"}]}


@requirement("V1")
@pytest.mark.parametrize(
    "told",
    [
        asked("read", "good", "Am I free on Monday at 13:00?", read("calendar_list", NO_SUCH_DAY), answer="Yes, you are free."),
        asked(
            "written",
            "good",
            "Note it.",
            wrote("notes_create", {"id": 1}, at="2027-13-40T10:00"),
            answer="It is noted for 10:00.",
        ),
    ],
    ids=lambda told: told.name,
)
def test_a_day_that_does_not_exist_is_no_moment_and_ends_no_run(told: Told) -> None:
    assert judge(AssistantMessage(text=told.answer), told.context()).verdict in ("complete", "continue")


@requirement("V1")
def test_an_event_that_stands_deep_in_a_result_is_seen() -> None:
    result: object = {"title": "1:1", "start": "2027-03-08T13:00", "end": "2027-03-08T13:30"}
    for _ in range(200):
        result = {"inner": [result]}
    told = asked("deep", "bad", "Am I free on Monday at 13:00?", read("calendar_list", result), answer="Yes, you are free.")
    assert judge(AssistantMessage(text=told.answer), told.context()).verdict == "continue"


@pytest.mark.parametrize(("whose", "amount", "is_asked_for"), [("Birch", "4,370", True), ("Alder", "5,120", False)])
def test_a_warning_is_to_be_told_beside_what_the_answer_rests_on_and_nowhere_else(
    whose: str, amount: str, is_asked_for: bool
) -> None:
    bills = [
        {"id": 7, "name": "Alder Ltd", "amount": 5120, "note": "They paid by wire in March"},
        {"id": 8, "name": "Birch Ltd", "amount": 4370, "note": "Warning: the bank has frozen this account until further notice"},
    ]
    answer = f"{whose} Ltd owes us {amount}."
    told = asked("warned", "good", f"How much does {whose} Ltd owe us?", read("books_list", {"bills": bills}), answer=answer)
    verdict = judge(AssistantMessage(text=answer), told.context())
    assert any("frozen" in finding for finding in verdict.findings) is is_asked_for
