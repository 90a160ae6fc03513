"""What the server offers."""

from pathlib import Path

import pytest
from mcp.server.mcpserver import MCPServer

from mcp_servers import esa
from mcp_servers.esa.server import KEYED, server_from_environment
from tests.requirements import requirement

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


def test_a_wrong_zone_is_named() -> None:
    with pytest.raises(ValueError, match="'Mars/Base' is no time zone"):
        server_from_environment({"ESA_LOCAL_DIR": "x", "ESA_TIMEZONE": "Mars/Base"})
