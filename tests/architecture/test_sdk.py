"""What we lean on in the MCP SDK without a promise from it: in one place, and a change of it fails here first, by name."""

import ast
import inspect
import re
from importlib.metadata import version
from pathlib import Path

import anyio
import pytest
from mcp.client.auth import OAuthClientProvider
from mcp.server.streamable_http import StreamableHTTPServerTransport
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCNotification

from discovery.transport.sdk import create_context_streams

ROOT = Path(__file__).parents[2]
SDK = f"mcp {version('mcp')}"


def private_imports(file: Path) -> list[str]:
    """The modules of the SDK with an underscore in their path that a file imports."""
    text = file.read_text(encoding="utf-8")
    if not re.search(r"^\s*from mcp", text, re.MULTILINE):
        return []
    modules = [node.module or "" for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ImportFrom)]
    return [module for module in modules if module.split(".")[0] in ("mcp", "mcp_types") and "._" in module]


def test_private_modules_of_the_sdk_are_imported_in_one_place() -> None:
    found = {
        str(file.relative_to(ROOT)): private_imports(file)
        for package in ("discovery", "autonomy", "metrics", "mcp_servers")
        for file in (ROOT / package).rglob("*.py")
    }
    assert {file for file, modules in found.items() if modules} == {"discovery/transport/sdk.py"}


@pytest.mark.parametrize(
    ("method", "parameters"),
    [
        ("_auth_flow", ["self", "request"]),
        ("_initialize", ["self"]),
        ("_refresh_token", ["self"]),
        ("_handle_refresh_response", ["self", "response"]),
        ("_add_auth_header", ["self", "request"]),
    ],
)
def test_the_sign_in_of_the_sdk_has_the_steps_that_ours_is_made_of(method: str, parameters: list[str]) -> None:
    step = getattr(OAuthClientProvider, method, None)
    assert step is not None, f"{SDK} has no OAuthClientProvider.{method}: see discovery/transport/authorization/oauth.py"
    assert list(inspect.signature(step).parameters) == parameters, (
        f"{SDK} changed {method}: see discovery/transport/authorization/oauth.py"
    )


@pytest.mark.parametrize(
    ("kind", "method", "parameters"),
    [
        (StreamableHTTPSessionManager, "_admit_session", ["self", "requestor"]),
        (StreamableHTTPServerTransport, "_handle_post_request", ["self", "scope", "request", "receive", "send"]),
        (
            StreamableHTTPServerTransport,
            "_create_session_message",
            ["self", "message", "request", "request_id", "protocol_version"],
        ),
        (StreamableHTTPServerTransport, "_create_event_data", ["self", "event_message"]),
        (StreamableHTTPServerTransport, "_create_json_response", ["self", "response_message", "status_code", "headers"]),
    ],
)
def test_the_http_sessions_of_the_sdk_have_the_steps_that_ours_are_made_of(
    kind: type, method: str, parameters: list[str]
) -> None:
    step = getattr(kind, method, None)
    assert step is not None, f"{SDK} has no {kind.__name__}.{method}: see autonomy/mcp_gateway/transports/http_sessions.py"
    changed = f"{SDK} changed {method}: see autonomy/mcp_gateway/transports/http_sessions.py"
    assert list(inspect.signature(step).parameters) == parameters, changed


async def test_a_stream_of_the_sdk_carries_the_context_of_who_sent() -> None:
    write, read = create_context_streams[SessionMessage](1)
    async with write, read:
        await write.send(SessionMessage(JSONRPCNotification(jsonrpc="2.0", method="x")))
        with anyio.fail_after(240):
            await read.receive()
        assert read.last_context is not None, f"{SDK} changed its streams: see discovery/transport/firewall.py"
