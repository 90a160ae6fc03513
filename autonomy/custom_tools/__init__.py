"""Alias of `autonomy.hr`, under the source document's name.

The names below are loaded when first used: who needs one does not pay for the rest.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from autonomy.hr.backend import Backend, open_backend
    from autonomy.hr.hr_server import hr_provider, hr_server
    from autonomy.hr.router import CustomTools, handle_custom_tool
    from autonomy.hr.secrets.oauth_tokens import FreeeTokenManager
    from autonomy.hr.tenants import HRCaller, Tenant, acting_for
    from autonomy.hr.vendors.freee import FreeeAPIError

_HOMES = {
    "Backend": "backend",
    "CustomTools": "router",
    "FreeeAPIError": "vendors.freee",
    "FreeeTokenManager": "secrets.oauth_tokens",
    "HRCaller": "tenants",
    "Tenant": "tenants",
    "acting_for": "tenants",
    "handle_custom_tool": "router",
    "hr_provider": "hr_server",
    "hr_server": "hr_server",
    "open_backend": "backend",
}

__all__ = [
    "Backend",
    "CustomTools",
    "FreeeAPIError",
    "FreeeTokenManager",
    "HRCaller",
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
    return getattr(import_module(f"autonomy.hr.{_HOMES[name]}"), name)
