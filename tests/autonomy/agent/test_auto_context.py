"""What is looked up for every question before the model's first turn, and in which order instructions come."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from mcp.server.mcpserver import MCPServer

from autonomy.agent.auto_context import question_for
from autonomy.agent.loop import Executor
from autonomy.calls.services import Services
from autonomy.llm.messages import SystemMessage, UserMessage
from autonomy.llm.model import OnText, Task
from autonomy.llm.model_chain import Chain
from autonomy.llm.scripted import Script, ScriptedModel, calling
from autonomy.policy.operator_rules import PolicyRule
from autonomy.policy.policy import Policy
from autonomy.run_state.run_values import RunRequest
from discovery.catalog import ToolSpec
from discovery.gateway import open_gateway
from discovery.servers.server_config import ServerConfig
from discovery.transport.in_process import InProcess
from metrics import events
from tests.requirements import requirement
from tests.support.house import READ, House, Listener


def library(*, broken: bool = False) -> MCPServer[Any]:
    server: MCPServer[Any] = MCPServer("library")

    @server.tool(annotations=READ)
    def search(query: str, limit: int = 3) -> str:
        """Search the shelves."""
        if broken:
            raise RuntimeError("the library is closed")
        return f"three books about {query}"

    @server.tool(annotations=READ)
    def read(book: str) -> str:
        """Read a book."""
        return f"{book}: once upon a time"

    return server


@asynccontextmanager
async def library_house(script: Script, *, broken: bool = False, **means: Any) -> AsyncIterator[House]:
    entry = ServerConfig(
        name="library",
        transport="in_process",
        auto_context_tool="search",
        system_instruction="Librarians whisper.",
        response_instruction="Name the shelf.",
    )
    model, heard, written = ScriptedModel(script), Listener(), Listener()
    provider = InProcess(library(broken=broken), in_backend="a test", settings=entry)
    async with open_gateway([], in_process={"library": provider}) as gateway:
        await gateway.settle(timeout_s=240)
        chosen = Services(gateway, journal=written, watchers=(heard,), **means)
        yield House(Executor(Chain([model]), chosen), model, gateway, heard, written)


@requirement("D15", "D16")
async def test_what_is_found_stands_before_the_models_first_turn_with_the_providers_instruction_after_it() -> None:
    async with library_house(["It is on shelf 4."]) as home:
        result = await home.run("tea")
    system, asked, found, instruction = home.model.requests[0].messages
    assert isinstance(system, SystemMessage)
    assert system.text.endswith("Librarians whisper.")
    assert (asked.role, asked.text) == ("user", "tea")
    assert isinstance(found, UserMessage)
    assert found.host
    assert found.text.endswith("three books about tea")
    assert instruction == SystemMessage(text="Name the shelf.")
    assert (result.ending, result.turns) == ("completed", 1)


@requirement("D16")
async def test_an_instruction_given_with_the_context_is_not_given_again_after_a_tool_of_that_provider() -> None:
    async with library_house([calling(("library_read", {"book": "Tea"})), "done"]) as home:
        await home.run("tea")
    assert home.model.requests[1].messages.count(SystemMessage(text="Name the shelf.")) == 1


@requirement("D15")
async def test_a_failed_look_up_is_noted_and_the_run_goes_on_without_it() -> None:
    async with library_house(["I know it by heart."], broken=True) as home:
        result = await home.run("tea")
    assert (result.ending, result.calls) == ("completed", ())
    assert [message.role for message in home.model.requests[0].messages] == ["system", "user"]
    (noted,) = home.written.of(events.CallFinished)
    assert (noted.outcome, noted.asked_for, noted.turn) == ("terminal", False, 0)


async def test_what_the_policy_denies_is_not_looked_up() -> None:
    rules = (PolicyRule(name="closed", tool="library_search", decision="deny"),)
    async with library_house(["fine"], policy=Policy(rules=rules)) as home:
        result = await home.run("tea")
    assert result.ending == "completed"
    assert len(home.model.requests[0].messages) == 2


@requirement("C3")
async def test_a_run_without_tools_looks_nothing_up() -> None:
    async with library_house(["hello"]) as home:
        request = RunRequest(run_id="run-1", task=Task(goal="tea"), tools=(), trigger="test")
        await home.executor.execute(request)
    assert home.written.of(events.CallFinished) == []


def test_the_question_goes_to_the_argument_that_takes_it() -> None:
    def spec(*names: str, required: tuple[str, ...] = ()) -> ToolSpec:
        schema = {"type": "object", "properties": {name: {"type": "string"} for name in names}, "required": list(required)}
        return ToolSpec(name="a_b", provider="a", tool="b", input_schema=schema)

    assert question_for(spec("limit", "query"), "tea") == {"query": "tea"}
    assert question_for(spec("limit", "words", required=("words",)), "tea") == {"words": "tea"}
    assert question_for(spec("words"), "tea") == {"words": "tea"}
    assert question_for(spec(), "tea") == {}


async def test_pieces_of_text_reach_whoever_listens_with_the_id_of_their_run() -> None:
    heard: list[tuple[str, str]] = []

    async def listener(run_id: str) -> OnText:
        async def listen(piece: str) -> None:
            heard.append((run_id, piece))

        return listen

    async with library_house(["It is on shelf 4."], listeners=(listener,)) as home:
        await home.run("tea")
    assert heard == [("run-1", "It is on shelf 4.")]


@requirement("D15", "X9")
async def test_a_second_reader_sees_what_was_found_beforehand() -> None:
    async with library_house(["It is on shelf 4.", '{"meets_the_goal": true, "missing": []}']) as home:
        await home.run("tea", second_opinion=True)
    found = '- beforehand, by the host: library_search {"query": "tea"} → ok: "three books about tea"'
    assert f"\n\nThe record:\n{found}\n\nThe answer:" in home.model.requests[-1].messages[-1].text
