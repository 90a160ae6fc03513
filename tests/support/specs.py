"""Tools as values, for tests that need some."""

from typing import Any

from discovery.catalog import Catalog, Effect, JsonObject, Provider, ProviderState, ToolSpec


def tool(name: str, description: str = "", *, provider: str = "p", required: tuple[str, ...] = (), **more: Any) -> ToolSpec:
    """A tool that reads; `properties` are its arguments, text when nothing else is said."""
    properties: JsonObject = {key: {"type": "string"} for key in required} | more.pop("properties", {})
    schema = {"type": "object", "properties": properties, "required": list(required)}
    fields = {"effect": Effect.READ, "input_schema": schema, "tool": name, **more}
    return ToolSpec(name=name, provider=provider, description=description, **fields)


def catalog_of(*specs: ToolSpec, **more: Any) -> Catalog:
    """A catalog of these tools, all their providers ready."""
    names = dict.fromkeys(spec.provider for spec in specs)
    providers = tuple(Provider(name=name, state=ProviderState.READY) for name in names)
    return Catalog(tools=tuple(sorted(specs, key=lambda spec: spec.name)), **{"providers": providers, **more})


TOOLS = (
    tool("get_weather", "日本の天気予報を日本語で返す", provider="weather", required=("location",)),
    tool("slack_get_channel_history", "Get recent messages from a channel", provider="slack", required=("channel_id",)),
    tool("slack_post_message", "Post a message to a channel", provider="slack", required=("channel_id", "text")),
    tool("esa_list_posts", "List and search posts", provider="esa", properties={"q": {"description": "query"}}),
    tool("read_text_file", "Read the contents of a file", provider="files", required=("path",)),
    tool("createRepository", "Create a repository", provider="github"),
)
"""Some of what a team has: weather, chat, posts, files and code."""
