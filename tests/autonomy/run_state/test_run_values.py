"""What a run was asked for, as it waits in a queue, over an upgrade of the program, too."""

import pytest

from autonomy.llm.model import Need, Task
from autonomy.run_state.run_provenance import about_of_need
from autonomy.run_state.run_values import RunRequest, Trigger
from tests.requirements import requirement


@requirement("H13")
@pytest.mark.parametrize(
    ("run_id", "trigger"),
    [
        ("answer-message-C09DEV-1763600000.000100", "message"),
        ("answer-message-D07ABC-1763600000.000100.maya", "message"),
        ("answer-file-inbox", "api"),
        ("a-message-for-you", "api"),
    ],
)
def test_a_run_that_a_message_started_before_it_had_a_trigger_of_its_own_is_held_to_its_writer(
    run_id: str, trigger: Trigger
) -> None:
    queued = RunRequest(run_id="x", task=Task(goal="hours"), actor="U07SELF", trigger="api").model_dump(mode="json")
    assert RunRequest.model_validate({**queued, "run_id": run_id}).trigger == trigger
    stored = RunRequest.model_validate({**queued, "run_id": run_id, "trigger": "cli"}).model_dump_json()
    assert RunRequest.model_validate_json(stored.replace('"cli"', '"api"')).trigger == trigger


def test_a_day_that_no_month_has_is_no_day_of_a_need() -> None:
    need = Need(id="read", description="Read the hours", arguments={"from": "2026-02-01", "to": "2026-02-30"})
    assert about_of_need(need).days == ("2026-02-01",)
