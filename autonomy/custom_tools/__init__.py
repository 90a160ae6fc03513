"""Tools that run in the backend because they handle credentials or personal data. See `docs/hr.md`.

The names below are the public ones. They are loaded when first used: who needs one does not pay for the rest.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from autonomy.custom_tools.backend import Backend, open_backend
    from autonomy.custom_tools.router import CustomTools, handle_custom_tool
    from autonomy.custom_tools.server import hr_provider, hr_server
    from autonomy.custom_tools.tenants import Caller, Tenant, acting_for
    from autonomy.custom_tools.tokens import FreeeTokenManager
    from autonomy.custom_tools.vendors.errors import FreeeAPIError

_HOMES = {
    "Backend": "backend",
    "Caller": "tenants",
    "CustomTools": "router",
    "FreeeAPIError": "vendors.errors",
    "FreeeTokenManager": "tokens",
    "Tenant": "tenants",
    "acting_for": "tenants",
    "handle_custom_tool": "router",
    "hr_provider": "server",
    "hr_server": "server",
    "open_backend": "backend",
}

__all__ = [
    "Backend",
    "Caller",
    "CustomTools",
    "FreeeAPIError",
    "FreeeTokenManager",
    "Tenant",
    "acting_for",
    "handle_custom_tool",
    "hr_provider",
    "hr_server",
    "open_backend",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'autonomy.custom_tools' has no attribute {name!r}")
    return getattr(import_module(f"autonomy.custom_tools.{_HOMES[name]}"), name)
