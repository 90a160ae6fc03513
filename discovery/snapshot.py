"""Builds a catalog snapshot from the open connections."""

from collections.abc import Mapping, Sequence

from discovery.catalog import Catalog, Freshness, Provider, ProviderState, ToolSpec
from discovery.connections.connection import Connection
from discovery.names import full_names

Names = Mapping[tuple[str, str], str]
"""Provider and the provider's own name of a tool → full name."""


def snapshot(connections: Sequence[Connection], in_backend: Mapping[str, str], now: float) -> Catalog:
    """Build the catalog of all tools by full name; tools of an unavailable provider are marked, with the reason."""
    listed = [
        (connection, spec) for connection in connections if connection.lists.listing for spec in connection.lists.listing.tools
    ]
    names = full_names((spec.provider, spec.tool) for _, spec in listed)
    tools = [_as_seen(spec, names[spec.provider, spec.tool], connection) for connection, spec in listed]
    providers = [as_provider(connection, in_backend, names) for connection in connections]
    if connections and not tools and not any(provider.available for provider in providers):
        reasons = "; ".join(f"{provider.name}: {provider.reason or provider.state.value}" for provider in providers)
        return emergency_catalog(providers, f"no provider of tools can be reached ({reasons})", now)
    answered = not tools or any(connection.lists.times for connection in connections)
    return Catalog(
        tools=tuple(sorted(tools, key=lambda spec: spec.name)),
        providers=tuple(providers),
        freshness=Freshness.FRESH if answered else Freshness.LAST_KNOWN_GOOD,
        taken_at=now,
        message="" if connections else "no servers are configured",
    )


def emergency_catalog(providers: Sequence[Provider], message: str, now: float) -> Catalog:
    """Return a catalog without tools: a run may still answer in words, and `message` tells the operator why."""
    return Catalog(providers=tuple(providers), freshness=Freshness.EMERGENCY, taken_at=now, message=message)


def fresh_for_s(connections: Sequence[Connection], ttl_s: float, now: float) -> float:
    """Return the seconds until the first listing of a ready provider expires."""
    ready = [connection for connection in connections if connection.state is ProviderState.READY]
    listings = [connection.lists.listing for connection in ready if connection.lists.listing]
    return min((listing.listed_at + (listing.ttl_s or ttl_s) - now for listing in listings), default=ttl_s)


def as_provider(connection: Connection, in_backend: Mapping[str, str], names: Names) -> Provider:
    """Describe a connection; `names` are the full names of the listed tools."""
    config, greeting, listing = connection.config, connection.greeting, connection.lists.listing
    return Provider(
        name=config.name,
        state=connection.state,
        reason=connection.reason,
        missing=connection.missing,
        since=connection.since,
        overdue=connection.lists.overdue,
        transport=config.transport,
        protocol_version=greeting.protocol_version,
        server_name=greeting.server_name,
        server_version=greeting.server_version,
        instructions=greeting.instructions,
        system_instruction=config.system_instruction,
        response_instruction=config.response_instruction,
        auto_context_tool=names.get((config.name, config.auto_context_tool), ""),
        in_backend=in_backend[config.name],
        resources=connection.lists.resources,
        templates=connection.lists.templates,
        prompts=connection.lists.prompts,
        quarantined=listing.quarantined if listing else (),
        listed_at=listing.listed_at if listing else None,
    )


def _as_seen(spec: ToolSpec, name: str, connection: Connection) -> ToolSpec:
    if not spec.available:  # held by the review, whatever its provider does
        return spec.model_copy(update={"name": name})
    if connection.state is ProviderState.READY:
        return spec if spec.name == name else spec.model_copy(update={"name": name})
    because = f"its provider {connection.config.name!r} is {connection.state.value}"
    reason = f"{because}: {connection.reason}" if connection.reason else because
    starting = connection.state is ProviderState.CONNECTING
    return spec.model_copy(update={"name": name, "available": False, "unavailable_because": reason, "starting": starting})
