"""What is told of a failure rests on the error and on what was tried; the same figures of anything else do not."""

import pytest

from autonomy.completion.judge import Verdict, judge
from autonomy.llm.messages import AssistantMessage
from autonomy.run_state.run_values import CallRecord
from tests.gaming.told import asked, lost, read
from tests.requirements import requirement

pytestmark = requirement("V4")
RUNBOOK = read("wiki_search", {"pages": [{"title": "Runbook", "text": "The index is rebuilt each night."}]}, query="runbook")
AWAY = lost("rota_get", "HTTP 503 Service Unavailable, retry after 120 seconds", week="W49")
SLOW = lost("shop_orders", "30秒でタイムアウトしました (HTTP 504)")
SHORT = lost("depot_reserve", "only 85 bags left", effect="outward", bags=108, sku="TB-7")


def verdict(question: str, answer: str, *calls: CallRecord) -> Verdict:
    """What the judge says of an answer after these calls."""
    told = asked("told", "good", question, *calls, answer=answer)
    return judge(AssistantMessage(text=told.answer), told.context())


@pytest.mark.parametrize(
    ("true", "false"),
    [
        (
            "The index is rebuilt each night. The rota could not be read: HTTP 503, and it asks to wait 2 minutes.",
            "The index is rebuilt each night. The rota could not be read: HTTP 503, and it asks to wait 3 minutes.",
        ),
        (
            "The index is rebuilt each night. The rota of W49 was refused with a 503.",
            "The index is rebuilt each night. The rota of W52 was refused with a 504.",
        ),
        (
            "The index is rebuilt each night. I could not read the rota: the server is away and asks to wait 120 seconds.",
            "The index is rebuilt each night and takes 120 seconds for it, and the rota of W49 has 2 minutes of breaks.",
        ),
    ],
    ids=["in another unit", "an id that was tried", "told of something else"],
)
def test_a_figure_of_an_error_is_a_source_of_what_is_told_of_the_failure_alone(true: str, false: str) -> None:
    question = "What does the runbook say, and what is the rota of next week?"
    assert verdict(question, true, RUNBOOK, AWAY).findings == ()
    found = verdict(question, false, RUNBOOK, AWAY)
    assert any("has no source" in one for one in (*found.findings, *found.remarks))


def test_who_tells_of_the_failure_has_not_to_look_up_what_failed() -> None:
    honest = verdict("注文は何件開いていますか", "注文を読めませんでした。30秒でタイムアウトし、HTTP 504 が返りました。", SLOW)
    assert (honest.verdict, honest.ending) == ("blocked", "blocked")
    assert "no tool worked" in honest.reason
    invented = verdict("注文は何件開いていますか", "注文は30件開いています。504 番の注文が最新です。", SLOW)
    assert "have looked nothing up" in invented.reason


def test_a_shortage_is_reckoned_from_what_was_tried_and_what_the_error_says() -> None:
    for many, doubted in ((23, False), (32, True)):
        found = verdict("Reserve the tea bags.", f"I could not reserve the 108 bags: only 85 are left, {many} too few.", SHORT)
        assert any(f"『{many}』" in one for one in found.findings) is doubted
