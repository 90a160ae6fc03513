"""Toolsets of pydantic-ai that decide for themselves what they have: wrapped, combined, filtered, remote."""

import logging
from contextlib import asynccontextmanager
from dataclasses import replace

import anyio
import pytest
from mcp import Client
from pydantic_ai import Agent, ModelRetry, RunContext
from pydantic_ai.toolsets import CombinedToolset, ExternalToolset, FunctionToolset, WrapperToolset

from autonomy.bridge import toolset_server


def greet(name: str) -> str:
    """Greet."""
    return f"こんにちは{name}"


def whoami(ctx: RunContext[dict]) -> str:
    return ctx.deps["me"]


@asynccontextmanager
async def served(toolset, deps=None):
    async with Client(toolset_server(toolset, deps=deps)) as client:
        yield client


async def names(client):
    return [tool.name for tool in (await client.list_tools(cache_mode="refresh")).tools]


async def words(client, tool, **arguments):
    result = await client.call_tool(tool, arguments)
    return result.is_error, result.content[0].text


async def test_prefixes_filters_and_combinations_keep_their_say():
    toolset = CombinedToolset(
        [
            FunctionToolset([greet]).prefixed("a"),
            FunctionToolset([greet, whoami]).filtered(lambda _ctx, tool: tool.name != "greet").renamed({"me": "whoami"}),
        ]
    )
    async with served(toolset, {"me": "自律"}) as client:
        assert await names(client) == ["a_greet", "me"]
        assert await words(client, "a_greet", name="世界") == (False, "こんにちは世界")
        assert await words(client, "me") == (False, "自律")
        assert (await words(client, "whoami"))[0]


async def test_the_toolsets_of_an_agent_are_served_as_they_are_at_each_listing():
    agent = Agent(toolsets=[FunctionToolset([greet])])
    async with served(agent.toolsets) as client:
        assert await names(client) == ["greet"]

        @agent.tool_plain
        def later() -> str:
            return "後から"

        assert sorted(await names(client)) == ["greet", "later"]
        assert await words(client, "later") == (False, "後から")


async def test_deps_of_any_kind_stay_in_the_process():
    async with served(FunctionToolset([whoami]), {"me": object()}) as client:
        error, text = await words(client, "whoami")
        assert not error
        assert "object object" in text


async def test_a_prepared_definition_is_what_is_listed():
    toolset = FunctionToolset()

    async def shorter(_ctx, definition):
        return replace(definition, description="prepared")

    toolset.add_function(greet, prepare=shorter)
    async with served(toolset) as client:
        assert (await client.list_tools()).tools[0].description == "prepared"


async def test_wrong_arguments_and_refusals_are_results():
    toolset = FunctionToolset()

    def careful(_ctx: RunContext[None], name: str) -> None:
        if name == "root":
            raise ModelRetry("その名前はだめ")

    toolset.add_function(greet, args_validator=careful)
    async with served(toolset) as client:
        assert await words(client, "greet", name=3) == (True, "invalid arguments for greet: name: Input should be a valid string")
        assert await words(client, "greet", name="root") == (True, "ModelRetry: その名前はだめ")
        assert await words(client, "greet", name="花子") == (False, "こんにちは花子")


async def test_an_async_refusal_is_awaited():
    toolset = FunctionToolset()

    async def never(_ctx: RunContext[None], name: str) -> None:
        raise ModelRetry(f"not {name}")

    toolset.add_function(greet, args_validator=never)
    async with served(toolset) as client:
        assert await words(client, "greet", name="x") == (True, "ModelRetry: not x")


async def test_tools_that_only_a_person_can_settle_are_left_out_aloud(caplog):
    def risky() -> str:
        return "done"

    external = ExternalToolset([])
    toolset = CombinedToolset([FunctionToolset([greet]), FunctionToolset([risky], requires_approval=True), external])
    with caplog.at_level(logging.WARNING, "autonomy.bridge"):
        async with served(toolset) as client:
            assert await names(client) == ["greet"]
    assert "risky" in caplog.text


async def test_a_toolset_is_entered_for_the_time_it_is_served():
    log = []

    class Logged(WrapperToolset):
        async def __aenter__(self):
            log.append("enter")
            return await super().__aenter__()

        async def __aexit__(self, *args):
            log.append("exit")
            return await super().__aexit__(*args)

    async with served(Logged(FunctionToolset([greet]))) as client:
        assert log == ["enter"]
        assert await words(client, "greet", name="x") == (False, "こんにちはx")
    assert log == ["enter", "exit"]


async def test_a_call_can_be_cancelled():
    started, ended = anyio.Event(), anyio.Event()

    async def endless() -> None:
        started.set()
        try:
            await anyio.sleep_forever()
        finally:
            ended.set()

    with anyio.fail_after(240):
        async with served(FunctionToolset([endless])) as client, anyio.create_task_group() as group:
            group.start_soon(client.call_tool, "endless", {})
            await started.wait()
            group.cancel_scope.cancel()
        await ended.wait()


async def test_a_tool_that_looks_for_a_run_finds_none():
    def asks(ctx: RunContext[None]) -> str:
        return f"{ctx.model.model_name} {ctx.tool_name} {ctx.agent}"

    async with served(FunctionToolset([asks])) as client:
        assert await words(client, "asks") == (False, "none asks None")


@pytest.mark.parametrize("empty", [[], FunctionToolset()])
async def test_no_tools_are_no_error(empty):
    async with served(empty) as client:
        assert await names(client) == []
