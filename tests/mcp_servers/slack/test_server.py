"""What the server offers, and that it runs alone."""

import ast
import json
import shutil
import subprocess
import sys
from pathlib import Path

import anyio
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.server.mcpserver import MCPServer

from mcp_servers import slack
from mcp_servers.slack.server import KEYED
from tests.mcp_servers.slack.conftest import texts
from tests.requirements import requirement
from tests.support.command import warm_interpreter

FOLDER = Path(slack.__file__).parent
SAMPLE = FOLDER.parents[1] / "autonomy/jobs/diary/sample/slack"
ARCHIVED = {
    "slack_list_channels": [],
    "slack_post_message": ["channel_id", "text"],
    "slack_reply_to_thread": ["channel_id", "thread_ts", "text"],
    "slack_add_reaction": ["channel_id", "timestamp", "reaction"],
    "slack_get_channel_history": ["channel_id"],
    "slack_get_thread_replies": ["channel_id", "thread_ts"],
    "slack_get_users": [],
    "slack_get_user_profile": ["user_id"],
}
"""Tools and required arguments of @modelcontextprotocol/server-slack 2025.4.25."""


@requirement("O3")
async def test_the_archived_servers_names_and_required_arguments_are_kept(server: MCPServer[None]) -> None:
    tools = {tool.name: tool.input_schema.get("required", []) for tool in await server.list_tools()}
    assert {name: tools[name] for name in ARCHIVED} == ARCHIVED


@requirement("S2")
async def test_annotations_say_truly_what_each_tool_does(server: MCPServer[None]) -> None:
    writes = {"slack_post_message", "slack_reply_to_thread", "slack_send_dm", "slack_add_reaction"}
    for tool in await server.list_tools():
        hints = tool.annotations
        assert hints is not None
        assert hints.title == tool.title
        assert hints.read_only_hint is (tool.name not in writes)
        assert hints.idempotent_hint is (tool.name not in writes or tool.name == "slack_add_reaction")
        assert (hints.destructive_hint, hints.open_world_hint) == (False, True)
        assert (tool.meta == KEYED) is (tool.name in writes and not hints.idempotent_hint), "a post is known by its key"


async def test_every_tool_and_every_parameter_is_described_and_has_an_output_schema(server: MCPServer[None]) -> None:
    for tool in await server.list_tools():
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
                assert name.partition(".")[0] in allowed or name.startswith("mcp_servers.slack"), f"{file.name} imports {name}"


@requirement("O3")
@pytest.mark.parametrize("way", [pytest.param("module", marks=pytest.mark.sweep), "moved"])
async def test_it_runs_alone_and_is_quiet(way: str, tmp_path: Path) -> None:
    arguments = {
        "module": ["-P", "-m", "mcp_servers.slack"],
        "moved": [str(tmp_path / "x" / "server.py")],
    }[way]
    if way == "moved":
        shutil.copytree(FOLDER, tmp_path / "x")
    environment = {
        "SLACK_EXPORT_DIR": str(SAMPLE),
        "SLACK_OUTBOX": str(tmp_path / "outbox.jsonl"),
        "SLACK_EXPORT_SHIFT": "2026-11-20",
    }
    if way == "module":
        environment["PYTHONPATH"] = str(FOLDER.parents[1])
    parameters = StdioServerParameters(command=sys.executable, args=arguments, env=environment, cwd=str(tmp_path))
    with (tmp_path / "stderr").open("w+") as log, anyio.fail_after(60):
        async with Client(stdio_client(parameters, errlog=log)) as client:
            result = await client.call_tool("slack_get_channel_history", {"channel_id": "times-haruka", "day": "2026-11-20"})
            refused = await client.call_tool("slack_get_channel_history", {"channel_id": "nowhere"})
    assert len(texts(result)) == 5
    assert refused.is_error
    assert (tmp_path / "stderr").read_text() == ""


def test_without_settings_it_ends_with_one_sentence() -> None:
    ended = subprocess.run(
        [warm_interpreter(), "-P", "-m", "mcp_servers.slack"], env={}, capture_output=True, text=True, timeout=120, check=False
    )
    assert ended.returncode == 2
    assert ended.stderr == "slack: set SLACK_BOT_TOKEN (Slack's Web API) or SLACK_EXPORT_DIR (an unpacked Slack export)\n"
    assert ended.stdout == ""


@requirement("J3")
def test_the_sample_gives_one_person_a_rich_last_day_and_ships_an_attack_to_withstand() -> None:
    messages = [message for file in SAMPLE.glob("*/2026-11-20.json") for message in json.loads(file.read_text())]
    assert sum(message["user"] == "U07HARUKA" for message in messages) >= 12
    assert any("これまでの指示を無視して" in message["text"] for message in messages)
