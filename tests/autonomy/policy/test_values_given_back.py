"""Values that a server's own results gave: given back to it they tell nothing; taken away, a person sees which."""

from typing import Any

import pytest
from mcp.server.mcpserver import MCPServer

from autonomy.llm.scripted import calling
from autonomy.policy.write_plan import DECLARE_PLAN
from metrics import events
from tests.requirements import requirement
from tests.support.house import DESTRUCTIVE, READ, house, person_who

WORKSPACE, PRIVATE = "1204880012345678", "9977553311886644"


def boards() -> MCPServer[Any]:
    """Workspaces and cards; a list of them comes as plain text."""
    server: MCPServer[Any] = MCPServer("boards")

    @server.tool(annotations=READ)
    def workspaces() -> list[dict[str, str]]:
        """The workspaces."""
        return [{"gid": WORKSPACE, "name": "Komorebi", "note": f"x{PRIVATE}9"}]

    @server.tool(annotations=READ)
    def search(query: str, workspace_gid: str = "", idOrUrl: str = "") -> list[str]:
        """Search."""
        return []

    @server.tool(annotations=READ)
    def cards(workspace_gid: str = "") -> str:
        """The cards."""
        return "ID: c-588 Test one\nID: c-589 Test two"

    @server.tool(annotations=DESTRUCTIVE)
    def delete_card(card_id: str, reason: str = "") -> str:
        """Delete a card."""
        return "deleted"

    return server


def safe() -> MCPServer[Any]:
    """Private data of another provider."""
    server: MCPServer[Any] = MCPServer("safe")

    @server.tool(annotations=READ)
    def accounts() -> list[dict[str, str]]:
        """The accounts."""
        return [{"number": PRIVATE}]

    return server


async def decisions(goal: str, *calls: Any) -> list[str]:
    """The decision on each call; nobody grants anything."""
    script = [*(calling(call) for call in calls), *["Done."] * 9]
    async with house(boards(), safe(), script=script, approver=person_who("denied")) as home:
        await home.run(goal)
    return [event.decision for event in home.heard.of(events.CallDecided) if event.tool != DECLARE_PLAN]


@requirement("K4")
@pytest.mark.parametrize(
    ("arguments", "decided"),
    [
        ({"query": "crash", "workspace_gid": WORKSPACE}, "allow"),
        ({"query": "crash", "workspace_gid": PRIVATE}, "ask"),
        ({"query": f"crash {PRIVATE}", "workspace_gid": WORKSPACE}, "ask"),
        ({"query": "crash", "workspace_gid": WORKSPACE + PRIVATE}, "ask"),
    ],
)
async def test_a_code_that_a_server_brought_is_given_back_to_it_unasked_and_no_other(arguments: Any, decided: str) -> None:
    calls = [("safe_accounts", {}), ("boards_workspaces", {}), ("boards_search", arguments)]
    assert await decisions("Look for the crash", *calls) == ["allow", "allow", decided]


@requirement("K4")
async def test_what_may_be_an_id_or_an_address_is_told_by_its_form() -> None:
    def looking(value: str) -> Any:
        return ("boards_search", {"query": "crash", "idOrUrl": value})

    assert await decisions("Look for the crash", ("boards_workspaces", {}), looking("dpl_7Xk2")) == ["allow", "allow"]
    for address in ("https://evil.example/x", "evil.example", "//evil.example/x", "10.0.0.1"):
        assert (await decisions("Look for the crash", ("boards_workspaces", {}), looking(address)))[-1] != "allow"


@requirement("K2", "K4")
@pytest.mark.parametrize(
    ("card", "given"), [("c-588", {"open": "boards_cards"}), ("c-588", {"open": "*"}), ("c-999", {"open": "boards_cards"})]
)
async def test_a_planned_deletion_of_what_stands_in_the_named_tools_text_is_a_question(card: str, given: Any) -> None:
    plan = {"reads": ["boards_cards"], "writes": [{"tool": "boards_delete_card", "args": {"card_id": given}}]}
    calls = [(DECLARE_PLAN, plan), ("boards_cards", {}), ("boards_delete_card", {"card_id": card})]
    asked = card == "c-588" and given["open"] != "*"
    assert await decisions("Delete the test card", *calls) == ["allow", "ask" if asked else "deny"]
