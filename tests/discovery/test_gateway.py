"""The gateway with real server processes and in-process servers: connecting, the catalog, calling, closing."""

from pathlib import Path
from typing import Any

import anyio
import pytest
import sqlalchemy as sa
from mcp import MCPError
from mcp.server.lowlevel import Server
from mcp.server.mcpserver import Context, MCPServer
from mcp_types import (
    CallToolResult,
    Completion,
    CompletionArgument,
    ElicitRequest,
    ElicitRequestFormParams,
    ElicitRequestParams,
    ElicitResult,
    InputRequiredResult,
    ListToolsResult,
    PromptReference,
    TextContent,
    Tool,
)

from discovery.catalog import Effect, Freshness, ProviderState
from discovery.discovery_errors import CallFailed, ConnectionLost, ProviderUnavailable, UnknownTool
from discovery.gateway import IDEMPOTENCY_KEY, open_gateway
from discovery.gateway_settings import GatewaySettings
from discovery.servers.server_config import EffectOverride, ServerConfig
from discovery.transport.in_process import InProcess
from tests.requirements import requirement
from tests.support.served import served
from tests.support.server_configs import PATIENT, stdio_server


@requirement("D3", "D8")
async def test_servers_that_fail_are_left_out_and_the_rest_is_there() -> None:
    servers = [stdio_server("good", tools=2), stdio_server("broken", fault="exit"), stdio_server("slow", fault="hang_list")]
    with anyio.fail_after(60):
        async with open_gateway(servers, settings=PATIENT.model_copy(update={"list_timeout_s": 3})) as gateway:
            catalog = await gateway.catalog()
    assert [spec.name for spec in catalog.tools] == ["good_tool_0", "good_tool_1"]
    assert catalog.freshness is Freshness.FRESH
    broken = catalog.provider("broken")
    assert broken is not None
    assert "exit code 3; the end of its stderr: the configuration is missing" in broken.reason


async def test_a_server_left_alone_after_too_many_faults_is_tried_again_for_who_needs_it(tmp_path: Path) -> None:
    flag = tmp_path / "mended"
    settings = GatewaySettings(retry_base_s=0.01, retry_cap_s=0.01, park_after=2)
    with anyio.fail_after(60):
        async with open_gateway([stdio_server("s", fault="exit_unless", flag=str(flag))], settings=settings) as gateway:
            while gateway.status()[0].state is not ProviderState.PARKED:
                await gateway.next_change()
            flag.touch()
            assert not (await gateway.catalog()).callable_tools, "who can do without it wakes nobody"
            catalog = await gateway.catalog(needed=["s"], wait_s=50)
    assert [spec.name for spec in catalog.callable_tools] == ["s_tool_0"]


@pytest.mark.parametrize("asked_by", ["a need", "the operator"])
async def test_a_server_that_waited_for_the_operator_starts_with_its_entry_as_it_is_by_then(asked_by: str) -> None:
    on = stdio_server("s")
    off = on.model_copy(update={"disabled": True})
    entries = [off]
    with anyio.fail_after(60):
        async with open_gateway([off], settings=PATIENT, reread=lambda _: entries[-1]) as gateway:
            assert not (await gateway.catalog()).callable_tools
            entries.append(on)
            assert not (await gateway.catalog()).callable_tools, "nobody asked for it"
            if asked_by == "the operator":
                gateway.wake("s")
                while not gateway.status()[0].available:
                    await gateway.next_change()
            catalog = await gateway.catalog(needed=["s"], wait_s=50)
            with pytest.raises(ProviderUnavailable):
                gateway.wake("nobody")
    assert [spec.name for spec in catalog.callable_tools] == ["s_tool_0"]


@pytest.mark.parametrize(
    ("include", "taken", "told"),
    [
        ((), 5, "more than 5 tools; the rest is left out: name the ones you need in its `include`"),
        (("tool_18", "tool_19"), 2, ""),
    ],
)
async def test_of_too_many_tools_the_operator_names_those_that_are_taken(
    monkeypatch: pytest.MonkeyPatch, include: tuple[str, ...], taken: int, told: str
) -> None:
    monkeypatch.setattr("discovery.connections.server_lists.MOST_TOOLS", 5)
    with anyio.fail_after(60):
        async with open_gateway([stdio_server("s", tools=20, page=4, entry={"include": include})]) as gateway:
            catalog = await gateway.catalog(needed=lambda _: ["s"], wait_s=50)
    (provider,) = catalog.providers
    assert len(catalog.callable_tools) == taken
    assert [one.reason.endswith(told) for one in provider.quarantined] == [True] * bool(told)


async def test_a_call_reaches_the_tool_under_the_providers_own_name() -> None:
    async with open_gateway([stdio_server("files", tools=1)], settings=PATIENT) as gateway:
        output = await gateway.call("files_tool_0", {"text": "こんにちは"}, idempotency_key="once")
    assert '"tool": "tool_0"' in output.text
    assert f'"{IDEMPOTENCY_KEY}": "once"' in output.text
    assert not output.is_error


async def test_an_unknown_tool_is_refused_with_near_names_before_anything_is_sent() -> None:
    async with open_gateway([stdio_server("files", tools=1)], settings=PATIENT) as gateway:
        with pytest.raises(UnknownTool, match="did you mean files_tool_0"):
            await gateway.call("files_tool", {})


@requirement("D10")
async def test_when_nothing_can_be_reached_the_catalog_says_so_instead_of_raising() -> None:
    async with open_gateway([stdio_server("broken", fault="exit")], settings=PATIENT) as gateway:
        catalog = await gateway.catalog()
    assert catalog.freshness is Freshness.EMERGENCY
    assert not catalog.tools
    assert [provider.name for provider in catalog.providers] == ["broken"]
    assert "broken: its process ended with exit code 3" in catalog.message


@requirement("D1")
async def test_no_servers_is_no_error() -> None:
    async with open_gateway([], settings=PATIENT) as gateway:
        catalog = await gateway.catalog()
    assert (catalog.tools, catalog.freshness, catalog.message) == ((), Freshness.FRESH, "no servers are configured")


@requirement("D6")
async def test_a_crashed_server_is_connected_again_and_the_call_is_not_repeated(tmp_path: Path) -> None:
    later = PATIENT.model_copy(update={"retry_base_s": 1.0})  # so that it is seen to be down
    async with open_gateway([stdio_server("fragile", fault="crash")], settings=later) as gateway:
        await gateway.catalog()
        with pytest.raises(ConnectionLost, match="exit code -11; the end of its stderr: about to crash"):
            await gateway.call("fragile_tool_0", {})
        with anyio.fail_after(60):
            while gateway.status()[0].state is not ProviderState.DEGRADED:
                await gateway.next_change()
            with pytest.raises(ProviderUnavailable, match="fragile"):
                await gateway.call("fragile_tool_0", {})
            while gateway.status()[0].state is not ProviderState.READY:
                await gateway.next_change()
            assert [spec.available for spec in (await gateway.catalog()).tools] == [True]


async def test_a_provider_inside_this_process_is_one_like_the_others() -> None:
    server = MCPServer("hr")

    @server.tool()
    def list_employees() -> str:
        return "山田"

    settings = ServerConfig(name="", effects={"list_*": EffectOverride(effect=Effect.READ)}, timeout_s=61)
    providers = {"hr": InProcess(server, in_backend="personal data", settings=settings)}
    async with open_gateway([], in_process=providers, settings=PATIENT) as gateway:
        catalog = await gateway.catalog()
        output = await gateway.call("hr_list_employees", {})
    spec, provider = catalog.get("hr_list_employees"), catalog.provider("hr")
    assert spec is not None
    assert provider is not None
    assert (spec.effect, spec.settled, spec.timeout_s) == (Effect.READ, True, 61)
    assert (provider.transport, provider.in_backend) == ("in_process", "personal data")
    assert output.text == "山田"


async def test_servers_the_operator_must_see_to_first_are_parked_with_the_reason() -> None:
    servers = [
        stdio_server("off", entry={"disabled": True}),
        ServerConfig(name="needy", command="server", env={"TOKEN": "${NOT_SET_ANYWHERE}"}),
    ]
    async with open_gateway(servers, settings=PATIENT, env={}) as gateway:
        await gateway.catalog()
        off, needy = gateway.status()
    assert (off.state, off.reason) == (ProviderState.PARKED, "disabled in the servers file")
    assert (needy.state, needy.reason) == (ProviderState.PARKED, "needs NOT_SET_ANYWHERE")


async def test_a_refresh_does_not_wait_for_the_backoff_of_a_provider_that_is_down(tmp_path: Path) -> None:
    flag = tmp_path / "mended"
    patient = PATIENT.model_copy(update={"retry_base_s": 60.0})
    async with open_gateway([stdio_server("s", fault="exit_unless", flag=str(flag))], settings=patient) as gateway:
        await gateway.catalog()
        assert gateway.status()[0].state is ProviderState.DEGRADED
        flag.touch()
        await gateway.catalog(refresh=True)
        with anyio.fail_after(60):
            while not (await gateway.catalog()).callable_tools:
                await gateway.next_change()


async def test_a_server_that_asks_back_is_answered_where_somebody_can_and_else_the_call_fails() -> None:
    server = MCPServer("asker")
    schema = {"type": "object", "properties": {"name": {"type": "string"}}}
    question = ElicitRequest(params=ElicitRequestFormParams(message="Who?", requested_schema=schema))

    @server.tool(structured_output=False)
    async def greet(ctx: Context) -> str | InputRequiredResult:
        answer = (ctx.input_responses or {}).get("who")
        if not isinstance(answer, ElicitResult):
            return InputRequiredResult(input_requests={"who": question})
        return f"Hello, {(answer.content or {})['name']}!"

    async def answer(_context: Any, params: Any) -> ElicitResult:
        assert params.message == "Who?"
        return ElicitResult(action="accept", content={"name": "花子"})

    providers = {"asker": InProcess(server, in_backend="a test")}
    async with open_gateway([], in_process=providers, settings=PATIENT, elicit=answer) as gateway:
        assert (await gateway.call("asker_greet", {})).text == "Hello, 花子!"
    async with open_gateway([], in_process=providers, settings=PATIENT) as gateway:
        with pytest.raises(CallFailed, match="Elicitation not supported"):
            await gateway.call("asker_greet", {})


def make_server() -> MCPServer:
    """Named in the next test as a servers file would name it."""
    server = MCPServer("named")
    server.add_tool(lambda: "here", name="where", description="Where it runs.")
    return server


async def test_a_servers_file_can_name_a_provider_inside_this_process() -> None:
    servers = [
        ServerConfig(name="named", transport="in_process", python=f"{__name__}:make_server"),
        ServerConfig(name="wrong", transport="in_process", python="json:dumps_not"),
        ServerConfig(name="none", transport="in_process", python="os:sep"),
    ]
    async with open_gateway(servers, settings=PATIENT) as gateway:
        catalog = await gateway.catalog()
        assert (await gateway.call("named_where", {})).text == "here"
    reasons = {provider.name: provider.reason for provider in catalog.providers}
    assert "'json:dumps_not' cannot be imported" in reasons["wrong"]
    assert "'os:sep' is no MCP server but str" in reasons["none"]


async def test_a_server_of_the_2024_transport_is_reached_as_well() -> None:
    server = make_server()
    async with served(server.sse_app()) as port:
        old = ServerConfig(name="old", transport="http", url=f"http://127.0.0.1:{port}/sse", sse=True)
        with anyio.fail_after(60):
            async with open_gateway([old], settings=PATIENT) as gateway:
                await gateway.catalog()
                assert (await gateway.call("old_where", {})).text == "here"


@requirement("S7")
async def test_a_secret_a_server_was_given_does_not_come_back_in_what_its_tools_answer() -> None:
    entry = {"env": {"API_TOKEN": "canary-5f2c9e81", "PLACE": "/var/lib/notes"}}
    async with open_gateway([stdio_server("notes", entry=entry, tools=1)], settings=PATIENT) as gateway:
        output = await gateway.call("notes_tool_0", {"text": "Bearer canary-5f2c9e81 in /var/lib/notes"})
    assert "canary" not in output.text
    assert "*** in /var/lib/notes" in output.text


async def test_only_a_failure_that_speaks_of_an_unknown_tool_makes_the_gateway_ask_for_the_tools_again() -> None:
    asked = 0

    async def list_tools(context: Any, params: Any) -> ListToolsResult:
        nonlocal asked
        asked += 1
        return ListToolsResult(tools=[Tool(name="say", input_schema={"type": "object"})])

    async def call_tool(context: Any, params: Any) -> CallToolResult:
        text = TextContent(type="text", text="Unknown tool: tea strainer")
        return CallToolResult(content=[text], is_error=params.arguments["fails"])

    server = Server("words", on_list_tools=list_tools, on_call_tool=call_tool)
    async with open_gateway(
        [], in_process={"inside": InProcess(server, "a test")}, settings=GatewaySettings(debounce_s=0)
    ) as gateway:
        for fails, listings in ((False, 1), (True, 2)):
            await gateway.call("inside_say", {"fails": fails})
            await anyio.wait_all_tasks_blocked()
            assert asked == listings


async def test_a_database_that_cannot_be_read_is_one_line_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    engine = sa.create_engine("sqlite://")  # without any table
    async with open_gateway([], engine=engine):
        pass
    told = [record for record in caplog.records if "no such table" in record.message]
    assert told
    assert all(record.exc_info is None and "\n" not in record.message for record in told)


@requirement("N2")
async def test_nothing_a_server_says_holds_the_secret_it_was_started_with() -> None:
    secret = "deadbeef-0123-4567"
    server: MCPServer[Any] = MCPServer("leaky")

    @server.resource("leaky://settings")
    def settings() -> str:
        return f"token={secret}"

    @server.prompt()
    def offer() -> str:
        return f"Offer it with {secret}."

    @server.completion()
    async def complete(ref: Any, argument: Any, context: Any) -> Completion:
        return Completion(values=[secret])

    @server.tool()
    async def ask(ctx: Context[Any, None]) -> str:
        answer = await ctx.session.elicit_form(f"Is it {secret}?", {"type": "object", "properties": {}}, ctx.request_id)
        raise MCPError(-32000, f"{answer.action}: {secret}", {"told": secret})

    entry = ServerConfig(name="leaky", env={"LEAKY_TOKEN": secret}, protocol_version="2025-11-25")
    heard = list[str]()

    async def decline(_context: Any, params: ElicitRequestParams) -> ElicitResult:
        heard.append(params.message)
        return ElicitResult(action="decline")

    with anyio.fail_after(60):
        async with open_gateway([], in_process={"leaky": InProcess(server, "a test", entry)}, elicit=decline) as gateway:
            await gateway.catalog()
            read = await gateway.read_resource("leaky", "leaky://settings")
            prompt = await gateway.get_prompt("leaky", "offer", {})
            offered, nothing = PromptReference(name="offer"), CompletionArgument(name="a", value="")
            values = await gateway.complete("leaky", offered, nothing, None)
            with pytest.raises(CallFailed) as failed:
                await gateway.call("leaky_ask", {})
    said = [read.model_dump_json(), prompt.model_dump_json(), values.model_dump_json(), *heard, repr(vars(failed.value))]
    assert len(said) == 5
    assert not [one for one in said if secret in one]
    assert all("***" in one for one in said)
