"""What hangs on a single word refuses an answer that says one thing, and is not asked of one that says many."""

import pytest

from autonomy.completion.judge import Verdict, judge
from autonomy.llm.messages import AssistantMessage
from autonomy.run_state.run_values import CallRecord
from tests.gaming.told import EVE, asked, read
from tests.requirements import requirement

pytestmark = requirement("V4")
LINES = (
    "Hall 1: filter changed at 09:10.",
    "Hall 2: the pump was mended.",
    "Hall 3: 14 bags in store.",
    "Hall 4: gate closed at 17:30.",
)
HALLS = read("plant_log", {"entries": [{"date": EVE, "text": line} for line in LINES]}, log="halls")
MANY = "Hall 1 had its filter changed at 09:10. Hall 3 has 14 bags in store. The gate of hall 4 closed at 17:30."
CAUSE = read("plant_log", "エラーが9件出ました。原因は証明書の期限切れではありません。", log="errors")


def judged(goal: str, answer: str, *calls: CallRecord) -> Verdict:
    return judge(AssistantMessage(text=answer), asked("a run", "good", goal, *calls, answer=answer).context())


@pytest.mark.parametrize(
    ("goal", "slip", "found"),
    [
        ("How are the halls?", "The work on hall 2 was approved.", "claim: outcome"),
        ("How were the halls on 11 March?", "", "claim: 11 March"),
        ("How are the halls?", "Ms. Sato mended the pump of hall 2.", "claim: Ms. Sato"),
    ],
)
def test_a_word_a_day_and_a_name_are_asked_of_a_short_answer_alone(goal: str, slip: str, found: str) -> None:
    long = judged(goal, f"{MANY} {slip}", HALLS)
    assert (long.verdict, long.remarks) == ("complete", ())
    short = judged(goal, slip or "Hall 3 has 14 bags in store.", HALLS)
    assert short.verdict == "continue"
    assert found in short.missing


def test_a_denial_is_held_against_what_was_read() -> None:
    assert "claim: negation" in judged("原因は？", "原因は証明書の期限切れです。", CAUSE).missing
    assert judged("原因は？", "原因は証明書の期限切れではありません。", CAUSE).verdict == "complete"
