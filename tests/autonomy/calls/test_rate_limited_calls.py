"""A write waits for its provider's rate limit before it is claimed; a wait that is too long is told, and nothing is in doubt."""

import anyio
import pytest
from mcp.server.mcpserver import MCPServer

from autonomy.agent.loop import Executor
from autonomy.calls.services import Services
from autonomy.calls.verification.effect_ledger import LedgerEntry, MemoryLedger
from autonomy.errors import ModelError
from autonomy.llm.messages import AssistantMessage
from autonomy.llm.model import Task
from autonomy.llm.model_chain import Chain
from autonomy.llm.scripted import ScriptedModel, calling
from autonomy.policy.operator_rules import PolicyRule
from autonomy.policy.policy import Policy
from autonomy.run_state.run_values import RunRequest, RunResult
from discovery.gateway import open_gateway
from discovery.servers.server_config import RateLimit, ServerConfig
from discovery.transport.in_process import InProcess
from metrics.events import CallFinished
from metrics.measures import measure
from tests.requirements import requirement
from tests.support.clock import SetClock
from tests.support.house import NO_WAIT, WRITE, Listener

LAST = "run-1/turn-3/call-1"
TURN_S = 0.5
ALLOW = Policy(rules=(PolicyRule(name="all", decision="allow", tool="*"),))


class Claims(MemoryLedger):
    """Remembers which keys were ever claimed."""

    def __init__(self) -> None:
        super().__init__()
        self.claimed: list[str] = []

    async def claim(self, key: str, *, run_id: str, tool: str, arguments_sha256: str) -> LedgerEntry:
        self.claimed.append(key)
        return await super().claim(key, run_id=run_id, tool=tool, arguments_sha256=arguments_sha256)


class Turns(SetClock):
    """Only who waits for a turn moves it: calls take no time, and what looks at servers now and then never comes to it."""

    async def sleep(self, seconds: float) -> None:
        if seconds > TURN_S:
            await anyio.sleep_forever()
        await super().sleep(seconds)


async def three_posts(limit: RateLimit, *, in_doubt: str = "") -> tuple[RunResult, Claims, Listener]:
    server = MCPServer("esa")

    @server.tool(annotations=WRITE)
    def post(text: str) -> str:
        """Post a text."""
        return "posted"

    script: list[AssistantMessage | ModelError | str] = [
        *(calling(("esa_post", {"text": str(number)})) for number in (1, 2, 3)),
        "done",
    ]
    provider = InProcess(server, "a test", ServerConfig(name="esa", rate_limit=limit))
    ledger, heard, clock = Claims(), Listener(), Turns()
    if in_doubt:
        await ledger.claim(in_doubt, run_id="run-1", tool="esa_post", arguments_sha256="")
    async with open_gateway([], in_process={"esa": provider}, clock=clock) as gateway:
        means = Services(
            gateway, ALLOW, ledger=ledger, watchers=(heard,), backoff=NO_WAIT, clock=clock.now, steady=clock.monotonic
        )
        request = RunRequest(run_id="run-1", task=Task(goal="post"), trigger="test")
        with anyio.fail_after(240):
            result = await Executor(Chain([ScriptedModel(script)]), means).execute(request)
    return result, ledger, heard


@requirement("J4")
async def test_a_write_is_held_back_until_there_is_room_and_says_how_long() -> None:
    result, ledger, heard = await three_posts(RateLimit(calls=2, per_s=TURN_S))
    assert [record.result.kind for record in result.calls] == ["ok", "ok", "ok"]
    waits = [event.waited_s for event in heard.of(CallFinished)]
    assert waits == [0, 0, TURN_S]
    assert result.calls[2].duration_s == 0, "waiting is no work"
    assert len(ledger.claimed) == 3
    measures = measure(heard.events)
    assert measures.estimate("rate_limit_waits").value == pytest.approx(TURN_S)
    assert measures.phase_seconds()["tools"][0] >= TURN_S, "and no overhead of ours"


async def test_a_wait_that_is_too_long_is_told_with_its_length_and_nothing_is_in_doubt() -> None:
    result, ledger, _ = await three_posts(RateLimit(calls=2, per_s=3600))
    last = result.calls[2]
    assert (last.result.kind, last.receipt) == ("retryable", None)
    assert "2 calls in 3600 s" in last.result.text
    assert "try again in 3600 s" in last.result.text
    assert (await ledger.claim(LAST, run_id="run-1", tool="esa_post", arguments_sha256="")).state == "new"


async def test_a_write_that_an_earlier_process_may_have_sent_is_not_called_undone_for_want_of_a_turn() -> None:
    result, ledger, _ = await three_posts(RateLimit(calls=2, per_s=3600), in_doubt=LAST)
    assert result.calls[2].result.kind == "unknown_outcome"
    assert (await ledger.claim(LAST, run_id="run-1", tool="esa_post", arguments_sha256="")).state == "unknown"
