"""A failure that a tool refused for good, and that the answer tells with its reason, ends the run at once; another goes back once."""

from typing import Any

import pytest
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError

from autonomy.llm.scripted import Reply, calling
from autonomy.policy.operator_rules import PolicyRule
from autonomy.policy.policy import Policy
from autonomy.run_state.run_values import RunResult
from tests.requirements import requirement
from tests.support.house import READ, WRITE, house

pytestmark = requirement("V4")
ALLOWED = Policy(rules=(PolicyRule(name="desk", decision="allow", tool="desk_*"),))
LOCKED = "the ticket is locked by billing until 4 December"
GOAL, GOAL_JA = "Close ticket HL-2046 and tell me its title.", "チケット HL-2046 を閉じて、題名を教えて"


def desk(error: str, *more: str) -> MCPServer[Any]:
    """A help desk that closes nothing, by any of its tools."""
    server: MCPServer[Any] = MCPServer("desk")

    @server.tool(annotations=READ)
    def get_ticket(number: str) -> dict[str, str]:
        """Get a ticket."""
        return {"number": number, "title": "Invoice"}

    for name in ("close_ticket", *more):

        @server.tool(name=name, description=f"{name} of the desk.", annotations=WRITE)
        def refuse(number: str) -> str:
            raise ToolError(error)

    return server


async def ended(server: MCPServer[Any], answer: str, goal: str = GOAL) -> tuple[RunResult, int]:
    """How a run ends that reads, tries to close the ticket and gives this answer as often as it is asked; and how often it is."""
    tried: list[Reply] = [
        calling(("desk_get_ticket", {"number": "HL-2046"})),
        calling(("desk_close_ticket", {"number": "HL-2046"})),
    ]
    async with house(server, script=[*tried, *[answer] * 5], policy=ALLOWED) as home:
        result = await home.run(goal)
    return result, len(home.model.requests) - len(tried)


@pytest.mark.parametrize(
    ("goal", "answer"),
    [
        (GOAL, "The title is Invoice. The ticket is still open: it is locked by billing, and I could not close it."),
        (GOAL_JA, "題名は「Invoice」です。請求の担当がロックしているため、チケットは閉じられませんでした。"),
    ],
)
async def test_a_refusal_that_is_told_with_its_reason_ends_at_the_first_answer(goal: str, answer: str) -> None:
    result, answers = await ended(desk(LOCKED), answer, goal)
    assert (result.ending, answers, result.text) == ("unfinished", 1, answer)
    assert "desk_close_ticket did not happen" in result.reason


@pytest.mark.parametrize(
    ("server", "answer"),
    [
        (desk(LOCKED), "The title is Invoice. I could not close the ticket."),
        (desk(LOCKED), "The title is Invoice, and the ticket is locked by billing."),
        (desk("ticket_not_found"), "The title is Invoice. It could not be closed: the tool says ticket_not_found."),
        (
            desk("the service is temporarily unavailable (503)"),
            "The title is Invoice. It is not closed: the service is unavailable.",
        ),
        (desk(LOCKED, "resolve_ticket", "close_case"), "The title is Invoice. It could not be closed: it is locked by billing."),
    ],
    ids=["without a reason", "not told as a failure", "another argument may do", "it may work later", "another tool is left"],
)
async def test_what_may_still_be_done_or_is_not_told_goes_back_once(server: MCPServer[Any], answer: str) -> None:
    result, answers = await ended(server, answer)
    assert (result.ending, answers) == ("unfinished", 2)
