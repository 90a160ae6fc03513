"""Imports modules that need optional extras, and names the extra that is missing."""

import importlib
from types import ModuleType

from autonomy.bridge.bridge_errors import MissingExtraError

EXTRAS = {"pydantic_ai": "pydantic-ai", "claude_agent_sdk": "claude"}
"""Top-level package → the extra that installs it."""


def load_optional(module: str) -> ModuleType:
    """Import a module by its dotted name. Raises `MissingExtraError` if a package of an extra is missing."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as missing:
        package = (missing.name or "").partition(".")[0]
        if package not in EXTRAS:
            raise
        raise MissingExtraError(EXTRAS[package], package) from missing
