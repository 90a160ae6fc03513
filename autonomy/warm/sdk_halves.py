"""Imports the client half and the server half of MCP's SDK without what a process over stdio never uses."""

import gc
import importlib
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from typing import Any

from discovery.deferred_imports import imported_later

CLIENT_HALF = ("mcp", "anyio._backends._asyncio")
"""Modules that a command that calls tools imports, and each server of ours as well."""
SERVER_HALF = ("mcp.server.mcpserver", "mcp.server.stdio")
"""Modules that only servers need; the fork server imports them while the command goes on."""
SERVER_NAMES: Mapping[str, Sequence[str]] = {
    "mcp.server": ("Server",),
    "mcp.server.mcpserver": ("MCPServer",),
    "mcp.server.runner": ("modern_on_request",),
    "mcp.server.session": ("ServerSession",),
    "mcp.server.stdio": ("stdio_server",),
}
"""What the SDK's client names of its server, by module, for a server in the same process; few commands have one."""
REMOTE_NAMES: Mapping[str, Sequence[str]] = {
    "mcp.client.session_group": ("ClientSessionGroup",),
    "mcp.client.streamable_http": ("streamable_http_client",),
}
"""What it names of an HTTP client, by module: a process whose servers are all on this machine makes no request."""
HTTP_NAMES: Mapping[str, Sequence[str]] = {
    "mcp.server.auth.middleware.bearer_auth": (
        "AuthenticatedUser", "AuthorizationContext", "BearerAuthBackend", "RequireAuthMiddleware", "authorization_context",
    ),
    "mcp.server.auth.routes": ("build_resource_metadata_url", "create_auth_routes", "create_protected_resource_routes"),
    "sse_starlette": ("EventSourceResponse",),
    "starlette.applications": ("Starlette",),
    "starlette.datastructures": ("Headers",),
    "starlette.middleware": ("Middleware",),
    "starlette.middleware.authentication": ("AuthenticationMiddleware",),
    "starlette.requests": ("Request",),
    "starlette.responses": ("Response",),
    "starlette.routing": ("Mount", "Route"),
}  # fmt: skip
"""What the SDK's server names of an HTTP server, by module: 90 modules with uvicorn and sign-ins, and 5 MB."""
SEAL_NAMES: Mapping[str, Sequence[str]] = {
    "cryptography.exceptions": ("InvalidTag",),
    "cryptography.hazmat.primitives.ciphers.aead": ("AESGCM",),
    "cryptography.hazmat.primitives.hashes": ("SHA256",),
    "cryptography.hazmat.primitives.kdf.hkdf": ("HKDF",),
}
"""What seals the state of a request that a server answers with a question: 7 MB, with an OpenSSL of its own."""
REQUESTS = (
    "CallToolRequest", "CancelledNotification", "DiscoverRequest", "ListPromptsRequest", "ListResourceTemplatesRequest",
    "ListResourcesRequest", "ListToolsRequest", "SubscriptionsListenRequest",
)  # fmt: skip
"""The SDK's names of the requests that we send to each of our servers."""


def import_client() -> None:
    """Import the SDK without its server half and its HTTP client."""
    collecting = gc.isenabled()
    gc.disable()  # because nothing that is imported is garbage
    try:
        _build_wire_models_later()
        with imported_later(classes={**SERVER_NAMES, **REMOTE_NAMES}):
            for name in CLIENT_HALF:
                importlib.import_module(name)
        gc.freeze()  # because the first collection would traverse all of it, which takes 0.1 s
    finally:
        if collecting:
            gc.enable()


def import_server_half(*, http: bool = False) -> None:
    """Import what makes a server.

    `http`: whether it serves over HTTP; otherwise what only that needs is loaded if it is used after all.
    """
    if http:
        importlib.import_module("mcp.server.streamable_http_manager")
    with imported_later("httpx2", classes={**HTTP_NAMES, **SEAL_NAMES}):
        for name in SERVER_HALF:
            importlib.import_module(name)
    _seal_at_first_use()


class LateCodec:
    """Seals and unseals the state of requests like the SDK's own codec, and makes its key at the first of them."""

    @cached_property
    def _codec(self) -> Any:
        from mcp.server.request_state import AESGCMRequestStateCodec

        return AESGCMRequestStateCodec([os.urandom(32)])

    def seal(self, payload: bytes) -> str:
        """Return a token."""
        sealed: str = self._codec.seal(payload)
        return sealed

    def unseal(self, token: str) -> bytes:
        """Return what was sealed. Raises the SDK's `InvalidRequestState`."""
        payload: bytes = self._codec.unseal(token)
        return payload


def _seal_at_first_use() -> None:
    """Have each server make the key that no other process has when it asks its first question, which none of ours does."""
    with suppress(ImportError, AttributeError):  # a release of the SDK without it imports what it needs
        security: Any = importlib.import_module("mcp.server.request_state").RequestStateSecurity
        security.ephemeral = classmethod(lambda cls, **options: cls(codec=LateCodec(), **options))


def _build_wire_models_later() -> None:
    """Have the SDK build the validators of its 309 wire models on first use, which saves 0.08 of the 0.55 s of importing it. A
    command uses about a dozen of them. (Validators of the SDK's own types are needed during import.)"""
    with suppress(ImportError):  # a private module; without it, they are built on import
        base = importlib.import_module("mcp_types._wire_base")
        base.WireModel.model_config["defer_build"] = True


def build_models_of_requests() -> None:
    """Build the validators that each server would need at its first requests, which saves it 0.03 s."""
    with suppress(ImportError, AttributeError):
        models = importlib.import_module("mcp_types._v2026_07_28")
        for name in REQUESTS:
            getattr(models, name).model_rebuild()
