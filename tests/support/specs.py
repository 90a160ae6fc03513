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
