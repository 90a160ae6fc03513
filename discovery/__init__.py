"""Discovers tools, calls them, and gives hints on their use; independent of models and runs.

The names below are the public ones. Each is loaded when it is first used, so that importing a value class does not load the MCP
SDK.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from discovery.catalog import Catalog, Effect, Freshness, Provider, ProviderState, ToolOutput, ToolSpec
    from discovery.compat.capabilities import (
        Capabilities,
        MCPCapabilityDiscovery,
        MCPClientManager,
        MCPServerConfig,
        MCPToolExecutionError,
        MCPToolNotFoundError,
    )
    from discovery.gateway import Gateway, open_gateway
    from discovery.gateway_settings import GatewaySettings
    from discovery.servers.server_config import ServerConfig
    from discovery.servers.servers_file import load_servers
    from discovery.transport.in_process import InProcess

_MODULES = {
    "catalog": ("Catalog", "Effect", "Freshness", "Provider", "ProviderState", "ToolOutput", "ToolSpec"),
    "compat.capabilities": (
        "Capabilities", "MCPCapabilityDiscovery", "MCPClientManager", "MCPServerConfig", "MCPToolExecutionError",
        "MCPToolNotFoundError",
    ),
    "gateway": ("Gateway", "open_gateway"),
    "gateway_settings": ("GatewaySettings",),
    "servers.server_config": ("ServerConfig",),
    "servers.servers_file": ("load_servers",),
    "transport.in_process": ("InProcess",),
}  # fmt: skip
_HOMES = {name: module for module, names in _MODULES.items() for name in names}

__all__ = [
    "Capabilities", "Catalog", "Effect", "Freshness", "Gateway", "GatewaySettings", "InProcess", "MCPCapabilityDiscovery",
    "MCPClientManager", "MCPServerConfig", "MCPToolExecutionError", "MCPToolNotFoundError", "Provider", "ProviderState",
    "ServerConfig", "ToolOutput", "ToolSpec", "load_servers", "open_gateway",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'discovery' has no attribute {name!r}")
    return getattr(import_module(f"discovery.{_HOMES[name]}"), name)
