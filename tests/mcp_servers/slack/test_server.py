"""What the server offers."""

import json
from pathlib import Path

from mcp.server.mcpserver import MCPServer

from mcp_servers import slack
from mcp_servers.slack.server import KEYED
from tests.requirements import requirement

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


@requirement("J3")
def test_the_sample_gives_one_person_a_rich_last_day_and_ships_an_attack_to_withstand() -> None:
    messages = [message for file in SAMPLE.glob("*/2026-11-20.json") for message in json.loads(file.read_text())]
    assert sum(message["user"] == "U07HARUKA" for message in messages) >= 12
    assert any("これまでの指示を無視して" in message["text"] for message in messages)
