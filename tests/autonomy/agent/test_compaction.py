"""Long runs: the conversation never outgrows the model's context, and nothing that was found is lost."""

import json
from dataclasses import dataclass, field

import pytest
from mcp.server.mcpserver import MCPServer

from autonomy.errors import ModelRejected
from autonomy.llm.messages import AssistantMessage, Message, SystemMessage, ToolResult
from autonomy.llm.model import ModelRequest, OnText
from autonomy.llm.scripted import calling
from autonomy.policy.operator_rules import PolicyRule
from autonomy.policy.policy import Policy
from autonomy.run_state.completion_rules import ToolUsed
from autonomy.run_state.limits import Limits
from discovery.text.token_estimates import estimate_tokens
from tests.support.house import READ, WRITE, house
from tests.support.sampling import rows_in_part

pytestmark = pytest.mark.anyio
TURNS = 200
ALL = Policy(rules=(PolicyRule(name="all", decision="allow"),))
LONG = Limits(turns=TURNS + 5, wall_s=None, calls_per_tool=None)


def archive() -> MCPServer:
    """Pages of 25,000 characters, 5 MB in all, and a place to write to."""
    server = MCPServer("archive")

    @server.tool(annotations=READ, structured_output=False)
    async def page(number: int) -> str:
        return f"page {number} begins; " + f"line {number} of the archive. " * 1000 + f"secret-{number}"

    @server.tool(annotations=WRITE, structured_output=False)
    async def keep(text: str) -> str:
        return f"kept {text}"

    return server


def size(message: Message) -> int:
    calls = message.calls if isinstance(message, AssistantMessage) else ()
    return estimate_tokens(message.text) + sum(estimate_tokens(json.dumps(call.arguments)) for call in calls)


@dataclass
class Narrow:
    """A model that refuses, as vendors do, what it cannot read at once; it reads page after page, then looks back at the first."""

    context_tokens: int
    turns: int = TURNS
    id: str = "test:narrow"
    sizes: list[int] = field(default_factory=list)
    requests: list[ModelRequest] = field(default_factory=list)

    async def complete(self, request: ModelRequest, on_text: OnText | None = None) -> AssistantMessage:
        """The next reply. Raises `ModelRejected` for what is too long."""
        self.sizes.append(sum(map(size, request.messages)))
        self.requests = [*self.requests[-1:], request]
        if self.sizes[-1] > self.context_tokens:
            raise ModelRejected(self.id, "the context length is exceeded")
        paired(request)
        turn = len(self.sizes)
        if turn == 1:
            return calling(("archive_keep", {"text": "first"}))
        if turn <= self.turns - 2:
            return calling(("archive_page", {"number": turn}))
        if turn == self.turns - 1:
            return calling(("read_result", {"handle": "2.1", "query": "secret-2"}))
        if turn == self.turns:
            return calling(("read_result", {"handle": "earlier"}))
        return AssistantMessage(text="The beginning of each page was read, the rest was not.")

    async def aclose(self) -> None:
        """Holds nothing."""


class Unbounded:
    """The same, and nobody knows how much it can read."""

    id = "test:unbounded"

    def __init__(self) -> None:
        self.inner = Narrow(10**9)
        self.complete, self.aclose = self.inner.complete, self.inner.aclose


def paired(request: ModelRequest) -> None:
    """Vendors refuse a call without its result, and a result without its call."""
    asked = [call.id for said in request.messages if isinstance(said, AssistantMessage) for call in said.calls]
    answered = [said.call_id for said in request.messages if isinstance(said, ToolResult)]
    assert asked == answered
    assert len(set(asked)) == len(asked)


@pytest.mark.requirement("X1")
@pytest.mark.parametrize(("context_tokens", "turns"), rows_in_part([(8_000, 80), (8_000, 200), (200_000, 200)], every=3))
async def test_a_run_of_megabytes_fits_every_context_and_loses_nothing(context_tokens: int, turns: int) -> None:
    model = Narrow(context_tokens, turns)
    async with house(archive(), model=model, policy=ALL) as made:
        result = await made.run(
            "read the archive", limits=LONG, instructions="Answer in one sentence.", rules=(ToolUsed(tool="archive_keep"),)
        )
    assert result.ending == "completed", result.reason
    assert max(model.sizes) <= 0.8 * context_tokens
    assert [receipt.tool for receipt in result.receipts] == ["archive_keep"], "what was written in the first turn is still proven"
    assert len(result.calls) == turns
    assert all(
        f"secret-{number}" in (call.whole or call.result.text) for number, call in enumerate(result.calls[1 : turns - 2], 2)
    )
    assert "secret-2" in result.calls[turns - 2].result.text, "a result of long ago is read by its handle"
    assert "archive_keep" in result.calls[turns - 1].result.text, "and so is all that was folded"
    last = model.requests[-1]
    assert any(isinstance(said, SystemMessage) and "one sentence" in said.text for said in last.messages)
    assert any("read the archive" in said.text for said in last.messages if said.role == "user")
    assert not any("line 3 of the archive" in said.text for said in last.messages if said.role in ("user", "system"))


async def test_what_is_sent_stays_as_it_is_for_turns_on_end_so_that_vendors_find_it_in_their_cache() -> None:
    kept: list[bool] = []

    class Watching(Narrow):
        async def complete(self, request: ModelRequest, on_text: OnText | None = None) -> AssistantMessage:
            before = self.requests[-1].messages if self.requests else ()
            kept.append(request.messages[: len(before)] == before)
            return await super().complete(request, on_text)

    model = Watching(100_000, turns=80)
    async with house(archive(), model=model, policy=ALL) as made:
        await made.run("read the archive", limits=LONG)
    assert 2 <= kept.count(False) <= 80 / 8, "what was read is folded several times, and not in between"


async def test_a_model_whose_context_nobody_knows_is_sent_everything() -> None:
    model = Unbounded()
    async with house(archive(), model=model, policy=ALL) as made:
        await made.run("read the archive", limits=Limits(turns=20, wall_s=None, calls_per_tool=None))
    assert len([said for said in model.inner.requests[-1].messages if isinstance(said, ToolResult)]) == 20
