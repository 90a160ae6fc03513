"""`MCPCapabilityDiscovery` and `MCPClientManager`: façades over the gateway (docs/decisions/compat.md)."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypedDict

import anyio
import anyio.abc

from discovery.catalog import Catalog, Freshness, JsonObject, Provider, ToolSpec
from discovery.discovery_errors import DiscoveryError, ProviderUnavailable, UnknownTool
from discovery.gateway import Gateway, open_gateway
from discovery.hints.recommend import Recommendation, recommendations
from discovery.servers.server_config import ServerConfig

MCPServerConfig = ServerConfig
MCPToolNotFoundError = UnknownTool

DESCRIPTION_TOKENS = 8_000
EMERGENCY_MESSAGE = "MCP機能発見失敗、フォールバックモードで動作"


class MCPToolExecutionError(DiscoveryError):
    """A tool was called and failed; the message is for the model."""


class ToolEntry(TypedDict):
    """One tool of the capabilities."""

    name: str
    full_name: str
    provider: str
    description: str
    input_schema: JsonObject
    available: bool


class ProviderEntry(TypedDict):
    """One provider of the capabilities."""

    status: Literal["available", "unavailable"]
    error: str
    tools: list[ToolEntry]
    resources: list[JsonObject]
    prompts: list[JsonObject]
    connection_info: JsonObject


class Summary(TypedDict):
    """Counts and names."""

    total_providers: int
    total_tools: int
    available_providers: list[str]
    unavailable_providers: list[str]


class Capabilities(TypedDict):
    """The result of `discover_all_capabilities`."""

    providers: dict[str, ProviderEntry]
    all_tools: list[ToolEntry]
    summary: Summary
    emergency_mode: bool
    message: str


class MCPCapabilityDiscovery:
    """Discovers what all providers offer, and describes it for a model."""

    def __init__(self, gateway: Gateway) -> None:
        self._gateway = gateway

    async def discover_all_capabilities(self) -> Capabilities:
        """Return all providers with status, tools, resources, prompts and connection; all tools; a summary. Never raises."""
        return capabilities_of(await self._gateway.catalog())

    async def generate_ai_tool_descriptions(self, *, budget_tokens: int = DESCRIPTION_TOKENS) -> JsonObject:
        """Return summary, provider overview, recommended usage and tool details, within a budget of tokens."""
        return self._gateway.advisor.describe(await self._gateway.catalog(), budget_tokens=budget_tokens).model_dump()

    async def generate_usage_recommendations(self) -> tuple[Recommendation, ...]:
        """Recommend uses of the tools."""
        return recommendations(await self._gateway.catalog())

    def generate_tool_usage_hint(self, spec: ToolSpec) -> str:
        """Return the usage hint of one tool, on one line."""
        return self._gateway.hint(spec).text

    def get_emergency_capabilities(self) -> Capabilities:
        """Return the capabilities after a failed discovery: no tools, and every configured provider unavailable."""
        parked = tuple(self._gateway.status())
        return capabilities_of(Catalog(providers=parked, freshness=Freshness.EMERGENCY, message=EMERGENCY_MESSAGE))


def capabilities_of(catalog: Catalog) -> Capabilities:
    """Describe a catalog by providers, tools and a summary."""
    emergency = catalog.freshness is Freshness.EMERGENCY
    providers = {provider.name: _provider(provider, catalog) for provider in catalog.providers}
    available = [name for name, entry in providers.items() if entry["status"] == "available" and not emergency]
    return Capabilities(
        providers=providers,
        all_tools=[_tool(spec) for spec in catalog.tools],
        summary=Summary(
            total_providers=len(providers),
            total_tools=len(catalog.tools),
            available_providers=available,
            unavailable_providers=[name for name in providers if name not in available],
        ),
        emergency_mode=emergency,
        message=catalog.message,
    )


def _provider(provider: Provider, catalog: Catalog) -> ProviderEntry:
    return ProviderEntry(
        status="available" if provider.available else "unavailable",
        error=provider.reason,
        tools=[_tool(spec) for spec in catalog.of(provider.name)],
        resources=[resource.model_dump() for resource in provider.resources],
        prompts=[prompt.model_dump() for prompt in provider.prompts],
        connection_info=provider.model_dump(
            include={"state", "transport", "protocol_version", "server_name", "server_version", "instructions", "listed_at"}
        ),
    )


def _tool(spec: ToolSpec) -> ToolEntry:
    return ToolEntry(
        name=spec.tool,
        full_name=spec.name,
        provider=spec.provider,
        description=spec.description,
        input_schema=spec.input_schema,
        available=spec.available,
    )


class MCPClientManager:
    """A gateway with `initialize` and `cleanup`, for a host that cannot use `async with`.

    The gateway runs in a task of `tasks`, because connections must be opened and closed in the same task.
    """

    def __init__(self, tasks: anyio.abc.TaskGroup, **options: Any) -> None:
        """`options` are those of `open_gateway`."""
        self._tasks, self._options = tasks, options
        self._gateway: Gateway | None = None
        self._finish, self._finished = anyio.Event(), anyio.Event()

    async def initialize(self, server_configs: Sequence[ServerConfig]) -> None:
        """Connect to all servers, in place of those of an earlier call; the status of one that fails has the reason."""
        await self.cleanup()
        self._finish, self._finished = anyio.Event(), anyio.Event()
        self._gateway = await self._tasks.start(self._run, server_configs)
        await self._gateway.catalog()

    async def get_available_tools(self) -> tuple[ToolSpec, ...]:
        """Return the tools that can be called now."""
        return (await self._catalog()).callable_tools

    async def call_tool(self, tool_name: str, arguments: Mapping[str, Any]) -> str:
        """Call a tool and return its text. Raises MCPToolNotFoundError, and MCPToolExecutionError if it failed."""
        if self._gateway is None:
            raise ProviderUnavailable("all", "initialize was not called")
        try:
            output = await self._gateway.call(tool_name, dict(arguments))
        except UnknownTool:
            raise
        except DiscoveryError as error:
            raise MCPToolExecutionError(str(error)) from error
        if output.is_error:
            raise MCPToolExecutionError(output.text)
        return output.text

    async def get_system_instructions(self) -> tuple[str, ...]:
        """Return the operator's instructions that are always given to the model."""
        return tuple(provider.system_instruction for provider in (await self._catalog()).providers if provider.system_instruction)

    async def get_response_instruction(self, tool_name: str) -> str:
        """Return the operator's instruction that follows a call of this tool; empty if there is none."""
        catalog = await self._catalog()
        spec = catalog.get(tool_name)
        provider = catalog.provider(spec.provider) if spec else None
        return provider.response_instruction if provider else ""

    async def get_auto_context_tools(self) -> tuple[str, ...]:
        """Return the full names of the tools to call with the user's query before the first turn."""
        return tuple(provider.auto_context_tool for provider in (await self._catalog()).providers if provider.auto_context_tool)

    async def cleanup(self) -> None:
        """Close every connection and end every server process."""
        if self._gateway is not None:
            self._gateway = None
            self._finish.set()
            await self._finished.wait()

    async def _catalog(self) -> Catalog:
        return await self._gateway.catalog() if self._gateway else Catalog()

    async def _run(self, servers: Sequence[ServerConfig], *, task_status: anyio.abc.TaskStatus[Gateway]) -> None:
        try:
            async with open_gateway(servers, **self._options) as gateway:
                task_status.started(gateway)
                await self._finish.wait()
        finally:
            self._finished.set()
