"""A job is not done while a write that it requires has no receipt, whether the write is its delivery or not."""

import pytest

from autonomy.completion.judge import judge
from autonomy.llm.messages import AssistantMessage
from autonomy.llm.model import Need, Task
from autonomy.run_state.run_values import CallRecord
from tests.gaming.told import Told, lost, wrote

NEED = Need(id="tell", description="tell the manager", effect="outward")


def ending(*calls: CallRecord, need: Need = NEED, job: str = "report") -> tuple[str, str]:
    told = Told("told", "good", Task(goal="Tell the manager.", needs=(need,)), calls, "The manager could not be told.", job)
    verdict = judge(AssistantMessage(text=told.answer), told.context())
    return verdict.verdict, verdict.reason


@pytest.mark.parametrize("calls", [(), (lost("slack_send_dm", "it is not allowed", effect="outward"),)])
def test_a_required_write_that_was_not_made_keeps_a_job_from_being_done(calls: tuple[CallRecord, ...]) -> None:
    verdict, reason = ending(*calls)
    assert verdict != "complete"
    assert "nothing shows that this was done: tell the manager" in reason


def test_with_its_receipt_the_job_is_done() -> None:
    assert "nothing shows" not in ending(wrote("slack_send_dm", needs=("tell",)))[1]


def test_what_is_not_required_may_be_left() -> None:
    assert "nothing shows" not in ending(need=NEED.model_copy(update={"required": False}))[1]
