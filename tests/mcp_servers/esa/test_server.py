"""What the server offers, and that it runs alone."""

import ast
import shutil
import subprocess
import sys
from pathlib import Path

import anyio
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.server.mcpserver import MCPServer

from mcp_servers import esa
from mcp_servers.esa.server import KEYED, server_from_environment
from tests.mcp_servers.esa.conftest import content
from tests.requirements import requirement
from tests.support.command import warm_interpreter

FOLDER = Path(esa.__file__).parent
WRITES = {
    "esa_create_post": (False, True),
    "esa_update_post": (True, True),
    "esa_append_post": (False, False),
}
"""Destructive, idempotent."""


@requirement("S2")
async def test_annotations_say_truly_what_each_tool_does(server: MCPServer[None]) -> None:
    for tool in await server.list_tools():
        hints = tool.annotations
        assert hints is not None
        assert hints.title == tool.title
        assert hints.read_only_hint is (tool.name not in WRITES)
        assert (hints.destructive_hint, hints.idempotent_hint) == WRITES.get(tool.name, (False, True))
        assert (tool.meta == KEYED) is (tool.name == "esa_append_post"), "what is added is known by its key"
        assert hints.open_world_hint is True


@requirement("O4")
async def test_the_seeds_names_are_offered_and_everything_is_described(server: MCPServer[None]) -> None:
    tools = await server.list_tools()
    assert {"esa_list_posts", "esa_get_post", "esa_create_post", "esa_get_members"} <= {tool.name for tool in tools}
    for tool in tools:
        assert tool.description
        assert tool.output_schema is not None
        for name, schema in tool.input_schema["properties"].items():
            assert schema.get("description"), f"{tool.name}.{name}"


def test_no_file_imports_the_host_or_another_server() -> None:
    allowed = {*sys.stdlib_module_names, "anyio", "httpx2", "mcp", "mcp_types", "pydantic"}
    for file in FOLDER.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            for name in names:
                assert name.partition(".")[0] in allowed or name.startswith("mcp_servers.esa"), f"{file.name} imports {name}"


@requirement("O4")
@pytest.mark.parametrize("way", [pytest.param("module", marks=pytest.mark.sweep), "moved"])
async def test_it_runs_alone_and_is_quiet(way: str, tmp_path: Path, posts: Path) -> None:
    arguments = {
        "module": ["-P", "-m", "mcp_servers.esa"],
        "moved": [str(tmp_path / "x" / "server.py")],
    }[way]
    if way == "moved":
        shutil.copytree(FOLDER, tmp_path / "x")
    environment = {"ESA_LOCAL_DIR": str(posts)}
    if way == "module":
        environment["PYTHONPATH"] = str(FOLDER.parents[1])
    parameters = StdioServerParameters(command=sys.executable, args=arguments, env=environment, cwd=str(tmp_path))
    with (tmp_path / "stderr").open("w+") as log, anyio.fail_after(60):
        async with Client(stdio_client(parameters, errlog=log)) as client:
            saved = content(await client.call_tool("esa_create_post", {"name": "n", "body_md": "b"}))
            refused = await client.call_tool("esa_get_post", {"post_number": 99})
    assert saved["created"]
    assert refused.is_error
    assert (tmp_path / "stderr").read_text() == ""


def test_without_settings_it_ends_with_one_sentence() -> None:
    ended = subprocess.run(
        [warm_interpreter(), "-P", "-m", "mcp_servers.esa"], env={}, capture_output=True, text=True, timeout=120, check=False
    )
    assert ended.returncode == 2
    assert ended.stderr == "esa: set ESA_ACCESS_TOKEN and ESA_TEAM (esa's API) or ESA_LOCAL_DIR (a directory of Markdown posts)\n"
    assert ended.stdout == ""


def test_a_wrong_zone_is_named() -> None:
    with pytest.raises(ValueError, match="'Mars/Base' is no time zone"):
        server_from_environment({"ESA_LOCAL_DIR": "x", "ESA_TIMEZONE": "Mars/Base"})
