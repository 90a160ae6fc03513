"""A server that asks in the middle of a call is spoken to by a revision in which it can."""

from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp_types import ElicitResult

from discovery.catalog import ProviderState
from discovery.discovery_errors import CallFailed
from discovery.gateway import open_gateway
from discovery.servers.server_config import ServerConfig
from discovery.transport.asked_back import CallInFlight
from tests.discovery.test_gateway import PATIENT
from tests.requirements import requirement
from tests.support.command import warm_interpreter

pytestmark = requirement("N5")
TAILOR = '''
from mcp.server.mcpserver import Context, MCPServer
from mcp_types import ToolAnnotations
from pydantic import BaseModel

class Size(BaseModel):
    size: int

server = MCPServer("tailor")

@server.tool(annotations=ToolAnnotations(read_only_hint=True), structured_output=False)
async def fitting(ctx: Context) -> str:
    """Show what fits."""
    answer = await ctx.elicit("Which size?", schema=Size)
    return f"size {answer.data.size}"

server.run("stdio")
'''


async def person(_context: Any, params: Any) -> ElicitResult:
    assert params.message == "Which size?"
    return ElicitResult(action="accept", content={"size": 38})


def tailor(folder: Path, **more: Any) -> ServerConfig:
    program = folder / "tailor.py"
    program.write_text(TAILOR, encoding="utf-8")
    return ServerConfig(name="tailor", command=warm_interpreter(), args=(str(program),), **more)


async def test_a_server_that_is_told_to_speak_an_older_revision_can_ask(tmp_path: Path) -> None:
    servers = [tailor(tmp_path, protocol_version="2025-11-25")]
    async with open_gateway(servers, settings=PATIENT, elicit=person) as gateway:
        assert (await gateway.call("tailor_fitting", {})).text == "size 38"


async def test_a_server_that_had_no_channel_to_ask_on_is_connected_again_and_can(tmp_path: Path) -> None:
    async with open_gateway([tailor(tmp_path)], settings=PATIENT, elicit=person) as gateway:
        with pytest.raises(CallFailed, match="no back-channel"):
            await gateway.call("tailor_fitting", {})
        with anyio.fail_after(240):
            while gateway.status()[0].state is not ProviderState.READY:
                await anyio.sleep(0.01)
        assert (await gateway.call("tailor_fitting", {})).text == "size 38"


def test_a_revision_that_nobody_knows_is_refused_by_its_key() -> None:
    with pytest.raises(ValueError, match="protocol_version"):
        ServerConfig(name="tailor", command="x", protocol_version="1999-01-01")  # type: ignore[arg-type]


async def test_a_call_whose_server_asks_two_questions_at_once_has_its_time_back_after_the_last_answer_and_not_before() -> None:
    first, second = anyio.Event(), anyio.Event()
    with anyio.CancelScope(deadline=anyio.current_time() + 600) as scope:
        flight = CallInFlight("sell", scope, 600, None)
        async with anyio.create_task_group() as questions:
            questions.start_soon(flight.asked, first.wait)
            questions.start_soon(flight.asked, second.wait)
            await anyio.wait_all_tasks_blocked()
            first.set()
            await anyio.wait_all_tasks_blocked()
            await flight.progressed(1, None, "still there")
            assert scope.deadline == float("inf"), "a person is still thinking"
            second.set()
        assert scope.deadline <= anyio.current_time() + 600
