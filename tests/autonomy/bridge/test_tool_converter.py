"""One tool: found, checked, wrapped, run."""

import contextvars
import functools
import logging
import sys
import threading
from dataclasses import dataclass
from datetime import date
from types import SimpleNamespace
from typing import Any

import anyio
import httpx2
import pytest
from pydantic import BaseModel
from pydantic_ai import Agent, ModelRetry, RunContext, Tool

from autonomy.bridge import DepsContext, PydanticAITool, ToolValidationError, UnsupportedDepsTypeError, bridge_tool
from autonomy.bridge.tool_converter import _create_async_handler, _get_parameters_json_schema
from tests.requirements import requirement

SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}


@dataclass
class Config:
    unit: str


class Settings(BaseModel):
    unit: str


class Stay(BaseModel):
    city: str
    nights: int


def bare_tool(function: Any = lambda city: city, **more: Any) -> Any:
    """A tool of nobody's library: it has the protocol's attributes and no more."""
    return SimpleNamespace(**{"name": "bare", "description": "", "function": function, "parameters_json_schema": SCHEMA} | more)


async def run(tool, deps=None, /, **arguments):
    return await bridge_tool(tool, deps).handler(arguments)


def text_of(response):
    return response["content"][0]["text"]


@requirement("FR-003", "US2")
def test_name_description_and_schema_are_kept():
    def weather(city: str, days: int = 1) -> str:
        """The weather of a city."""
        return city

    tool = Tool(weather)
    bridged = bridge_tool(tool)
    assert isinstance(tool, PydanticAITool)
    assert (bridged.name, bridged.description) == ("weather", "The weather of a city.")
    assert bridged.input_schema == tool.tool_def.parameters_json_schema
    assert bridged.input_schema["required"] == ["city"]


@requirement("FR-001", "SC-001", "US1")
async def test_a_tool_of_an_agent_is_run():
    agent = Agent()

    @agent.tool_plain
    def weather(city: str) -> str:
        return f"{city}は晴れ"

    assert text_of(await run(agent._function_toolset.tools["weather"], city="東京")) == "東京は晴れ"


@requirement("FR-005", "US2")
async def test_a_sync_function_runs_beside_the_event_loop():
    async def elsewhere():
        return threading.get_ident()

    def here():
        return threading.get_ident()

    assert text_of(await run(Tool(here))) != str(threading.get_ident())
    assert text_of(await run(Tool(elsewhere))) == str(threading.get_ident())


@requirement("FR-005")
async def test_anything_that_can_be_called_and_awaited_is():
    class Caller:
        async def __call__(self, city: str) -> str:
            return city + "!"

    async def slow(city: str) -> str:
        return city + "?"

    for function, answer in [
        (Caller(), "京都!"),
        (functools.partial(slow), "京都?"),
        (lambda city: slow(city), "京都?"),
        (lambda city: city, "京都"),
    ]:
        assert text_of(await run(bare_tool(function), city="京都")) == answer


async def test_arguments_arrive_as_the_types_the_function_declares():
    def book(when: date, stay: Stay, /, *names: str, note: str = "-", **more: int) -> str:
        return f"{when:%m/%d} {stay.city} {names} {note} {more}"

    response = await run(Tool(book), when="2026-01-02", stay={"city": "京都", "nights": 2}, names=["a", "b"], extra=3)
    assert text_of(response) == "01/02 京都 ('a', 'b') - {'extra': 3}"


async def test_a_function_of_one_model_takes_its_fields():
    def book(stay: Stay) -> str:
        return f"{stay.city}/{stay.nights}"

    assert text_of(await run(Tool(book), city="京都", nights=2)) == "京都/2"


@requirement("US2")
def test_a_tool_with_context_needs_deps():
    def tool(ctx: RunContext[Config]) -> str:
        return ctx.deps.unit

    with pytest.raises(NotImplementedError, match="convert_tool_with_deps"):
        bridge_tool(Tool(tool))
    with pytest.raises(NotImplementedError):
        _create_async_handler(tool, takes_ctx=True)


@requirement("FR-007", "FR-010", "SC-003", "US3")
@pytest.mark.parametrize("deps", [Config("度"), Settings(unit="度")])
async def test_a_tool_reaches_its_deps(deps):
    agent = Agent(deps_type=type(deps))

    @agent.tool
    def temperature(ctx: RunContext[Any], degrees: int) -> str:
        return f"{degrees}{ctx.deps.unit}"

    tool = agent._function_toolset.tools["temperature"]
    assert "ctx" not in tool.tool_def.parameters_json_schema["properties"]
    assert text_of(await run(tool, DepsContext(deps), degrees=20)) == "20度"


@requirement("FR-007", "FR-010")
@pytest.mark.parametrize("deps", [{"k": 1}, [1, 2], "text", 5, None, True])
async def test_plain_values_are_deps_too(deps):
    def show(ctx: RunContext[Any]) -> str:
        return repr(ctx.deps)

    assert text_of(await run(Tool(show), DepsContext(deps))) == repr(deps)


@requirement("FR-012", "SC-005")
@pytest.mark.parametrize("name", ["", "   ", None])
def test_a_tool_without_a_name_is_refused(name):
    with pytest.raises(ToolValidationError, match="no name"):
        bridge_tool(bare_tool(name=name))


@requirement("FR-012", "SC-005")
@pytest.mark.parametrize("function", [None, "not a function"])
def test_a_tool_without_a_function_is_refused(function):
    with pytest.raises(ToolValidationError, match="'bare' has no function"):
        bridge_tool(bare_tool(function))


@requirement("FR-004", "FR-012")
def test_the_schema_is_found_in_three_places_in_order():
    first, second, third = ({"type": "object", "title": place} for place in "abc")
    second_holder, third_holder = SimpleNamespace(json_schema=second), SimpleNamespace(parameters_json_schema=third)
    everywhere = SimpleNamespace(name="t", parameters_json_schema=first, function_schema=second_holder, tool_def=third_holder)
    assert _get_parameters_json_schema(everywhere) is first
    everywhere.parameters_json_schema = None
    assert _get_parameters_json_schema(everywhere) is second
    del everywhere.function_schema
    assert _get_parameters_json_schema(everywhere) is third
    del everywhere.tool_def
    with pytest.raises(ToolValidationError, match="'t' has no JSON Schema"):
        _get_parameters_json_schema(everywhere)


@requirement("FR-012", "SC-005")
@pytest.mark.parametrize("schema", ["{}", [], 3])
def test_a_schema_that_is_no_object_is_refused(schema):
    with pytest.raises(ToolValidationError, match="no JSON Schema object"):
        bridge_tool(bare_tool(parameters_json_schema=schema))


@requirement("FR-012")
def test_a_schema_that_is_no_schema_is_refused():
    with pytest.raises(ToolValidationError, match="not valid"):
        bridge_tool(bare_tool(parameters_json_schema={"type": "objekt"}))
    assert issubclass(ToolValidationError, ValueError)


def test_a_tool_that_needs_an_approval_is_refused():
    with pytest.raises(ToolValidationError, match="approval"):
        bridge_tool(Tool(lambda: "x", name="risky", requires_approval=True))


async def test_wrong_arguments_are_explained_and_the_function_is_not_called():
    called = []

    def weather(city: str, days: int) -> str:
        called.append(city)
        return city

    for tool, problem in [(Tool(weather), "days: Field required"), (bare_tool(called.append), "'city' is a required property")]:
        response = await run(tool, **({"city": "x"} if isinstance(tool, Tool) else {}))
        assert response["isError"]
        assert problem in text_of(response)
    assert called == []


@requirement("US1", "SC-005")
@pytest.mark.parametrize("asynchronous", [True, False])
async def test_a_tool_that_raises_is_an_error_response_and_logged_with_its_cause(asynchronous, caplog):
    async def fails_later(city: str) -> str:
        raise ValueError(f"{city}は知らない")

    def fails(city: str) -> str:
        raise ValueError(f"{city}は知らない")

    with caplog.at_level(logging.WARNING, "autonomy.bridge"):
        response = await run(bare_tool(fails_later if asynchronous else fails), city="火星")
    assert response == {
        "content": [{"type": "text", "text": "ValueError: 火星は知らない"}],
        "isError": True,
        "is_error": True,
    }
    assert isinstance(caplog.records[0].exc_info[1], ValueError)


@pytest.mark.parametrize("asynchronous", [True, False])
async def test_a_tool_that_ends_the_program_ends_its_call_alone(asynchronous):
    async def ends_later(city: str) -> str:
        sys.exit("no key")

    def ends(city: str) -> str:
        sys.exit("no key")

    response = await run(bare_tool(ends_later if asynchronous else ends), city="火星")
    assert (response["content"][0]["text"], response["isError"]) == ("SystemExit: no key", True)


async def test_a_next_without_a_next_is_an_error_and_no_hang():
    def first() -> str:
        return next(iter([]))

    with anyio.fail_after(240):
        assert "StopIteration" in text_of(await run(Tool(first)))


async def test_a_retry_asked_for_reaches_the_model():
    def picky(city: str) -> str:
        raise ModelRetry("県名をつけてください")

    assert "県名をつけてください" in text_of(await run(Tool(picky), city="府中"))


async def test_a_validation_error_inside_the_tool_is_not_laid_on_the_arguments():
    def inside(city: str) -> str:
        Stay.model_validate({})
        return city

    assert text_of(await run(Tool(inside), city="x")).startswith("ValidationError")


@requirement("US1")
async def test_cancellation_passes_through():
    started, seen = anyio.Event(), []

    async def endless(city: str) -> str:
        started.set()
        try:
            await anyio.sleep_forever()
        except anyio.get_cancelled_exc_class():
            seen.append("cancelled")
            raise
        return city

    with anyio.fail_after(240):
        async with anyio.create_task_group() as group:
            group.start_soon(bridge_tool(bare_tool(endless)).handler, {"city": "x"})
            await started.wait()
            group.cancel_scope.cancel()
    assert seen == ["cancelled"]


@pytest.mark.parametrize("asynchronous", [True, False])
async def test_a_tool_is_held_to_its_deadline(asynchronous):
    release = threading.Event()

    async def endless() -> None:
        await anyio.sleep_forever()

    with anyio.fail_after(240):
        response = await run(Tool(endless if asynchronous else release.wait, name="slow", timeout=0.05))
    release.set()
    assert response["isError"]
    assert "did not answer within 0.05 s" in text_of(response)


async def test_a_function_in_a_thread_sees_the_callers_context():
    tenant = contextvars.ContextVar("tenant", default="none")
    tenant.set("acme")
    assert text_of(await run(Tool(lambda: tenant.get(), name="whose"))) == "acme"


async def test_functions_that_hang_starve_no_other():
    release = threading.Event()
    stuck, quick = Tool(release.wait, name="stuck", timeout=0.05), Tool(lambda: "ok", name="quick")
    with anyio.fail_after(240):
        async with anyio.create_task_group() as group:
            for _ in range(60):
                group.start_soon(run, stuck)
        assert text_of(await run(quick)) == "ok"
    release.set()


async def test_a_timeout_of_the_tools_own_is_not_taken_for_the_deadline():
    def own() -> str:
        raise TimeoutError("database")

    assert text_of(await run(Tool(own, timeout=30))) == "TimeoutError: database"


async def test_the_authors_check_of_arguments_is_asked():
    def transfer(yen: int) -> str:
        return f"{yen}円"

    async def at_most_1000(_ctx: RunContext[Any], yen: int) -> None:
        if yen > 1000:
            raise ModelRetry("1000円まで")

    tool = Tool(transfer, args_validator=at_most_1000)
    assert text_of(await run(tool, yen=10)) == "10円"
    refused = await run(tool, yen=5000)
    assert refused["isError"]
    assert "1000円まで" in text_of(refused)


def test_hints_of_the_author_become_annotations():
    tool = Tool(lambda: "x", name="reader", metadata={"annotations": {"readOnlyHint": True, "idempotentHint": True}})
    assert bridge_tool(tool).annotations.read_only_hint is True
    assert bridge_tool(Tool(lambda: "x", name="plain")).annotations is None


class TestWithTheClaudeAgentSdk:
    """The same, in the SDK's own class; runs where the extra `claude` is installed."""

    @pytest.fixture(autouse=True)
    def sdk(self):
        return pytest.importorskip("claude_agent_sdk")

    @requirement("FR-003", "US2")
    async def test_convert_tool_gives_the_sdks_tool(self, sdk):
        from autonomy.bridge import convert_tool

        def weather(city: str) -> str:
            """The weather."""
            return f"{city}は晴れ"

        converted = convert_tool(Tool(weather))
        assert isinstance(converted, sdk.SdkMcpTool)
        assert (converted.name, converted.description) == ("weather", "The weather.")
        assert converted.input_schema["properties"] == {"city": {"type": "string"}}
        assert await converted.handler({"city": "東京"}) == {"content": [{"type": "text", "text": "東京は晴れ"}]}

    @requirement("FR-007", "SC-003", "US3")
    async def test_convert_tool_with_deps_gives_the_sdks_tool(self, sdk):
        from autonomy.bridge import convert_tool_with_deps

        def unit(ctx: RunContext[Config]) -> str:
            return ctx.deps.unit

        converted = convert_tool_with_deps(Tool(unit), Config("度"))
        assert isinstance(converted, sdk.SdkMcpTool)
        assert text_of(await converted.handler({})) == "度"

    @requirement("FR-009", "SC-004", "US3")
    def test_convert_tool_with_deps_refuses_a_client(self):
        from autonomy.bridge import convert_tool_with_deps

        def fetch(ctx: RunContext[httpx2.AsyncClient]) -> str:
            return str(ctx.deps)

        with pytest.raises(UnsupportedDepsTypeError, match=r"httpx2.*AsyncClient"):
            convert_tool_with_deps(Tool(fetch), httpx2.AsyncClient())

    async def test_the_sdks_own_server_reads_our_error_flag(self, sdk):
        from mcp import Client

        from autonomy.bridge import convert_tool

        def fails() -> str:
            raise ValueError("no")

        config = sdk.create_sdk_mcp_server("s", tools=[convert_tool(Tool(fails))])
        async with Client(config["instance"]) as client:
            assert (await client.call_tool("fails", {})).is_error
