"""A write that is cut short leaves its outcome in doubt only when it may have been sent."""

from typing import Literal

import anyio
import pytest

from autonomy.calls.verification.effect_ledger import MemoryLedger, Seen, execute_once
from discovery.catalog import ToolOutput, ToolSpec
from tests.requirements import requirement

SPEC = ToolSpec(name="box_note", provider="box", tool="note", description="", input_schema={"type": "object"})


@requirement("R1", "J4")
@pytest.mark.parametrize(("waiting", "state"), [(True, "new"), (False, "unknown")])
async def test_a_write_that_only_waited_to_be_tried_again_is_free(waiting: bool, state: Literal["new", "unknown"]) -> None:
    ledger = MemoryLedger()

    async def send(_in_doubt: bool) -> ToolOutput:
        await anyio.sleep_forever()
        raise AssertionError

    async def look() -> Seen:
        return "unclear"

    with anyio.CancelScope() as scope:
        scope.cancel()
        await execute_once(ledger, "k", send, look, spec=SPEC, run_id="r", arguments_sha256="", nothing_sent=lambda: waiting)
    assert (await ledger.claim("k", run_id="r", tool="box_note", arguments_sha256="")).state == state
