"""Finds the server object of an entry that runs within this process: `"python": "package.module:toolset"`."""

import importlib
from typing import Any

from discovery.errors import ProviderUnavailable


def load_toolset(provider: str, place: str) -> Any:
    """The MCP server object at `package.module:name`; a function or class there is called without arguments to make one.

    Imports code, so only for entries without an `obstacle`, and not on the event loop. Raises ProviderUnavailable with the cause.
    """
    module, colon, name = place.partition(":")
    if not colon or not module or not name:
        raise ProviderUnavailable(provider, f"python must be `package.module:toolset`, not {place!r}")
    try:
        found = getattr(importlib.import_module(module), name)
        return found() if callable(found) else found
    except Exception as error:  # someone else's module: whatever it raises is why it cannot be used
        raise ProviderUnavailable(provider, f"{place} cannot be loaded: {type(error).__name__}: {error}") from error
