"""How tools are put to models: each definition the same object while nothing changes, so that it is encoded once."""

from typing import Any

import pytest
from mcp.server.mcpserver import MCPServer

from autonomy.calls import tool_definitions
from autonomy.llm.scripted import calling
from discovery import advisor
from tests.support.house import READ, house


@pytest.mark.parametrize("stands_s", [0.0, 600.0])
async def test_a_tool_is_the_same_object_in_every_run_until_a_call_teaches_something_about_it_and_a_while_is_over(
    stands_s: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(advisor, "HINTS_STAND_S", 0.0)  # the second within which a hint stands is over
    monkeypatch.setattr(tool_definitions, "HINT_STANDS_S", stands_s)
    server: MCPServer[Any] = MCPServer("library")

    @server.tool(annotations=READ)
    def find(word: str) -> str:
        """Find books."""
        return "three books"

    @server.tool(annotations=READ)
    def hours() -> str:
        """When it is open."""
        return "from nine to five"

    four = calling(*(("library_find", {"word": word}) for word in ("tea", "salt", "rice", "miso")))
    async with house(server, script=["It is closed.", four, "Twelve.", "It is closed."]) as home:
        for number in range(3):
            await home.run(run_id=f"run-{number}")
    first, second, *_, last = ({tool.name: tool for tool in request.tools} for request in home.model.requests)
    assert second["library_find"] is first["library_find"]
    assert last["library_hours"] is first["library_hours"]
    assert (last["library_find"] is first["library_find"]) == bool(stands_s)
    assert ("成功率 100%" in last["library_find"].description) == (not stands_s)
