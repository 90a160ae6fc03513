"""Python tools as a provider: what a servers file may name, and the server in a process of its own."""

import os
import re
import sys
import threading

import anyio
import pytest
from click.testing import CliRunner
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from pydantic_ai.toolsets import FunctionToolset

from autonomy.bridge import create_mcp_server_from_tools, load_toolset_server, python_providers, toolset_server
from autonomy.bridge.__main__ import main
from autonomy.errors import ConfigError
from discovery.catalog import Effect
from discovery.discovery_errors import CallTimedOut
from discovery.gateway import open_gateway
from discovery.servers.server_config import ServerConfig
from discovery.transport.in_process import InProcess
from tests.support.command import warm_interpreter

HERE = "tests.autonomy.bridge.samples"


async def answer(server, tool, **arguments):
    async with Client(server) as client:
        return (await client.call_tool(tool, arguments)).content[0].text


@pytest.mark.parametrize("attribute", ["toolset", "tools"])
async def test_a_toolset_or_a_list_of_tools_is_served(attribute):
    server = load_toolset_server(f"{HERE}:{attribute}")
    assert await answer(server, "weather", city="東京") == "東京は晴れ"
    async with Client(server) as client:
        tool = (await client.list_tools()).tools[0]
        assert (tool.name, tool.description) == ("weather", "The weather of a city.")
        assert tool.annotations.read_only_hint is True
        assert client.server_info.name == attribute


async def test_a_function_that_brings_dependencies_is_called():
    assert await answer(load_toolset_server(f"{HERE}:with_deps"), "temperature", degrees=20) == "20度"


async def test_an_agent_is_served_and_its_name_can_be_chosen():
    server = load_toolset_server(f"{HERE}:agent", name="mine")
    async with Client(server) as client:
        assert [tool.name for tool in (await client.list_tools()).tools] == ["temperature"]
        assert client.server_info.name == "mine"


async def test_a_ready_server_passes_as_it_is():
    from tests.autonomy.bridge import samples

    assert load_toolset_server(f"{HERE}:ready") is samples.ready


@pytest.mark.parametrize(
    ("reference", "problem"),
    [
        ("no_colon", "must have the form"),
        (":toolset", "must have the form"),
        ("module:", "must have the form"),
        ("no_such_package.module:toolset", "No module named 'no_such_package'"),
        (f"{HERE}:missing", "has no 'missing'"),
        (f"{HERE}:not_tools", "int is no toolset"),
        (f"{HERE}:broken", "list is no toolset"),
        (f"{HERE}:needs_more", "cannot be called without arguments"),
        (f"{HERE}:raises", "RuntimeError: no database"),
        (f"{HERE}:ends", "SystemExit: RATES_KEY is not set"),
    ],
)
def test_what_cannot_be_served_is_an_error_of_the_operators(reference, problem):
    with pytest.raises(ConfigError) as refused:
        load_toolset_server(reference)
    assert refused.value.where == reference
    assert refused.value.key == "python"
    assert problem in str(refused.value)


def entry(name, python, **more):
    return ServerConfig(name=name, transport="in_process", python=python, **more)


async def test_it_is_a_provider_of_the_gateway_like_any_other():
    entries = [
        entry("home", f"{HERE}:toolset", timeout_s=60),
        entry("lab", f"{HERE}:with_deps"),
        entry("gone", "no_such_package.module:toolset"),
    ]
    others, in_process = python_providers(entries)
    with anyio.fail_after(240):
        async with open_gateway(others, in_process=in_process) as gateway:
            catalog = await gateway.catalog()
            tools = {(spec.provider, spec.tool): spec for spec in catalog.tools}
            assert set(tools) == {("home", "weather"), ("lab", "temperature")}
            assert tools["home", "weather"].effect is Effect.READ
            assert tools["lab", "temperature"].effect is Effect.WRITE
            output = await gateway.call(tools["home", "weather"].name, {"city": "津"})
            assert (output.text, output.is_error) == ("津は晴れ", False)
            assert (await gateway.call(tools["lab", "temperature"].name, {"degrees": "x"})).is_error
            status = {provider.name: provider for provider in gateway.status()}
            assert status["home"].in_backend
            assert "No module named 'no_such_package'" in status["gone"].reason


@pytest.mark.parametrize("convert", [toolset_server, lambda toolset: create_mcp_server_from_tools(toolset)["instance"]])
async def test_a_function_that_hangs_holds_up_neither_its_call_nor_the_gateway(convert):
    release = threading.Event()

    def stuck() -> bool:
        return release.wait(60)

    provider = InProcess(convert(FunctionToolset([stuck])), in_backend="a test")
    try:
        with anyio.fail_after(240):
            async with open_gateway([], in_process={"p": provider}) as gateway:
                (tool,) = (await gateway.catalog()).tools
                with pytest.raises(CallTimedOut):
                    await gateway.call(tool.name, {}, timeout_s=0.1)
    finally:
        release.set()


def test_a_module_beside_the_servers_file_is_found_and_hides_no_other(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", [*sys.path])
    for name in ("beside_the_file", "json"):
        (tmp_path / f"{name}.py").write_text("from tests.autonomy.bridge.samples import toolset\n")
    beside = entry("mine", "beside_the_file:toolset", source=tmp_path / "jiritsu.mcp.json")
    others, in_process = python_providers([beside, entry("taken", "json:toolset", source=beside.source)])
    assert list(in_process) == ["mine"]
    assert "module 'json' has no 'toolset'" in others[0].problem


def test_a_module_in_a_folder_below_the_servers_file_is_found_from_anywhere(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setenv("TOOLS", "tools")
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "below_the_file.py").write_text("def toolset():\n    return []\n")
    below = entry("mine", "below_the_file:toolset", source=tmp_path / "jiritsu.mcp.json", cwd="${TOOLS}")
    others, in_process = python_providers([below])
    assert (others, [*in_process]) == ([], ["mine"])


@pytest.mark.parametrize("obstacle", [{"trusted": False}, {"disabled": True}])
def test_the_code_of_an_entry_that_may_not_run_is_not_imported(obstacle):
    module = "tests.autonomy.bridge.never_imported"
    others, in_process = python_providers([entry("x", f"{module}:tools", **obstacle), ServerConfig(name="y", command="y")])
    assert [config.name for config in others] == ["x", "y"]
    assert others[0].problem == ""
    assert in_process == {}
    assert module not in sys.modules


async def test_the_same_server_speaks_stdio_from_a_process_of_its_own():
    command = StdioServerParameters(
        command=warm_interpreter(),
        args=["-P", "-m", "autonomy.bridge", f"{HERE}:toolset"],
        env={"TESTS_FORKED_TOO": "autonomy.bridge"},
    )
    with anyio.fail_after(240):
        async with Client(stdio_client(command)) as client:
            assert (await client.call_tool("weather", {"city": "奈良"})).content[0].text == "奈良は晴れ"


async def test_the_same_server_speaks_http_from_a_process_of_its_own():
    command = [warm_interpreter(), "-P", "-m", "autonomy.bridge", f"{HERE}:with_deps", "--http", "0"]
    env = {**os.environ, "TESTS_FORKED_TOO": "autonomy.bridge"}
    with anyio.fail_after(240):
        async with await anyio.open_process(command, stdout=None, env=env) as process:
            try:
                async with Client(f"{await address_of(process)}/mcp") as client:
                    assert (await client.call_tool("temperature", {"degrees": 3})).content[0].text == "3度"
            finally:
                process.terminate()


async def address_of(process):
    """The address that the server says it listens on."""
    said = ""
    async for chunk in process.stderr:
        said += chunk.decode()
        if found := re.search(r"running on (http://[\d.:]+)", said):
            return found[1]
    raise AssertionError(said)


def test_the_command_says_what_is_wrong():
    result = CliRunner().invoke(main, [f"{HERE}:not_tools"])
    assert result.exit_code == 1
    assert "int is no toolset" in result.output
