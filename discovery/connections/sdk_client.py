"""Opens the SDK's client with our callbacks, and reads the server's description of itself."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any, Literal

import jsonschema  # noqa: F401 - the SDK would load it, from disk, in the middle of the first answer
from mcp import Client
from mcp.client.session import ClientSession, MessageHandlerFnT
from mcp.shared.dispatcher import CallOptions
from mcp_types import CLIENT_CAPABILITIES_META_KEY, CallToolResult, Implementation, SamplingCapability, SamplingToolsCapability
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from discovery.connections.connection_context import ConnectionContext
from discovery.connections.server_requests import ServerRequests
from discovery.tool_calls.task_messages import TasksExtension
from discovery.transport import answers
from discovery.transport.asked_back import call_listener

OURSELVES = Implementation(name="jiritsu", version=version("jiritsu"))
LONGEST_NAME = 100
LONGEST_INSTRUCTIONS = 4_000
"""In characters. Many servers send a page of instructions."""


@dataclass(frozen=True)
class Greeting:
    """The server's description of itself at the handshake."""

    protocol_version: str = ""
    server_name: str = ""
    server_version: str = ""
    instructions: str = ""


def greeting_of(client: Client) -> Greeting:
    """Return the server's description of itself, without invisible characters, truncated."""
    info = client.server_info
    return Greeting(
        protocol_version=client.protocol_version,
        server_name=answers.visible(info.name if info else "")[:LONGEST_NAME],
        server_version=answers.visible(info.version if info else "")[:LONGEST_NAME],
        instructions=answers.visible(client.instructions or "")[:LONGEST_INSTRUCTIONS],
    )


@asynccontextmanager
async def sdk_client(
    transport: Any,
    incoming: ServerRequests,
    context: ConnectionContext,
    on_message: MessageHandlerFnT,
    *,
    mode: Literal["auto", "legacy"],
    tasks: bool,
) -> AsyncIterator[Client]:
    """Open a client and make the handshake; `tasks` tells whether the server may make tasks of calls."""
    asks, hears = context.asks_back, context.on_log is not None or context.asks_back
    async with Client(
        transport,
        client_info=OURSELVES,
        message_handler=on_message,
        elicitation_callback=incoming.elicit if asks or context.elicit else None,
        sampling_callback=incoming.sample if asks else None,
        sampling_capabilities=SamplingCapability(tools=SamplingToolsCapability()),
        list_roots_callback=incoming.list_roots if asks else None,
        logging_callback=incoming.logged if hears else None,
        log_level="info" if hears else None,
        mode=mode,
        extensions=[TasksExtension()] if tasks else None,
        cache=None,  # the catalog is cached once, by the gateway
    ) as client:
        client.session.validate_tool_result = _accept_any_result  # type: ignore[method-assign]
        client.session._stamp = _with_capabilities_of_caller(client.session._stamp)
        yield client


async def _accept_any_result(name: str, result: CallToolResult) -> None:
    """Accept an answer that violates the tool's own output schema: `autonomy.outcomes` classifies it."""


def _with_capabilities_of_caller(
    stamp: Callable[[dict[str, Any], CallOptions], None],
) -> Callable[[dict[str, Any], CallOptions], None]:
    """Declare in each request what the listener of this call can answer, as revisions from 2026-07-28 on require."""

    def stamped(data: dict[str, Any], options: CallOptions) -> None:
        stamp(data, options)
        meta, listener = data.get("params", {}).get("_meta", {}), call_listener.get()
        if listener is not None and CLIENT_CAPABILITIES_META_KEY in meta:
            can = listener.capabilities.model_dump(by_alias=True, mode="json", exclude_none=True)
            known = meta[CLIENT_CAPABILITIES_META_KEY].get("extensions")
            meta[CLIENT_CAPABILITIES_META_KEY] = {**can, "extensions": known} if known else can

    return stamped


async def check_health(session: ClientSession) -> None:
    """Send the cheapest request of the protocol in use; any answer, even an error, means that the server is alive."""
    revision = session.protocol_version or ""
    if revision in MODERN_PROTOCOL_VERSIONS:
        await session.send_discover(revision)
    else:
        await session.send_ping()
