"""A write that is cut short leaves its outcome in doubt only when it may have been sent."""

from functools import partial
from typing import Literal

import anyio
import pytest

from autonomy.calls.verification.effect_ledger import MemoryLedger, Seen, execute_once
from autonomy.calls.verification.read_back import target_of
from discovery.catalog import ToolOutput, ToolSpec
from tests.requirements import requirement

SPEC = ToolSpec(name="box_note", provider="box", tool="note", description="", input_schema={"type": "object"})


@requirement("R1", "J4")
@pytest.mark.parametrize(
    ("in_doubt", "waiting", "works_on", "state"),
    [
        (False, True, False, "new"),
        (False, False, False, "unknown"),
        (True, True, False, "unknown"),  # an earlier attempt may have happened
        (False, False, True, "started"),  # whoever resumes asks the receiver
    ],
)
async def test_a_write_that_only_waited_to_be_tried_again_is_free(
    in_doubt: bool, waiting: bool, works_on: bool, state: Literal["new", "started", "unknown"]
) -> None:
    ledger = MemoryLedger()
    if in_doubt:
        await ledger.claim("k", run_id="r", tool="box_note", arguments_sha256="")

    async def send(again: bool) -> ToolOutput:
        assert again == in_doubt
        scope.cancel()
        await anyio.sleep_forever()
        raise AssertionError

    async def look() -> Seen:
        return "absent"

    once = partial(execute_once, ledger, "k", send, look, spec=SPEC, run_id="r", arguments_sha256="")
    with anyio.CancelScope() as scope:
        await once(nothing_sent=lambda: waiting, keeps_running=lambda: works_on)
    assert scope.cancelled_caught
    assert (await ledger.claim("k", run_id="r", tool="box_note", arguments_sha256="")).state == state


def test_a_receipt_of_a_message_is_its_address_or_its_channel_beside_its_timestamp() -> None:
    def target(**told: str) -> str:
        return target_of(ToolOutput(text="", structured=told))

    assert target(channel_id="C2", sent_to="#dev", ts="1795650173.079034", text="done") == "#dev 1795650173.079034"
    assert (
        target(sent_to="#dev", ts="1.2", permalink="https://a.slack.com/archives/C2/p12") == "https://a.slack.com/archives/C2/p12"
    )
    assert target(sent_to="#dev", ts="1.2", permalink="") == "#dev 1.2"
    assert target(channel="C2", ts="1795650173.079034") == "C2 1795650173.079034"
    assert target(url="https://blog.test/1", channel="C2", ts="1795650173.079034") == "https://blog.test/1"
    assert target(id="42") == "42"
