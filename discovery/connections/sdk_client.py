"""Opens the SDK's client as we use it: how we greet servers, and what of its session is ours."""

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
"""Characters of what a server says of itself; many send a page."""


@dataclass(frozen=True)
class Greeting:
    """The server's description of itself at the handshake."""

    protocol_version: str = ""
    server_name: str = ""
    server_version: str = ""
    instructions: str = ""


def greeting_of(client: Client) -> Greeting:
    """The greeting, without what a person does not see, and only so long."""
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
    """A client that has greeted its server; `tasks` says whether the server may make tasks of calls."""
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
    """An answer that breaks the tool's own output schema is an answer all the same; `autonomy.outcomes` says what it is."""


def _with_capabilities_of_caller(
    stamp: Callable[[dict[str, Any], CallOptions], None],
) -> Callable[[dict[str, Any], CallOptions], None]:
    """From 2026-07-28 on each request says what may be asked during it: what the one beside this call can answer."""

    def stamped(data: dict[str, Any], options: CallOptions) -> None:
        stamp(data, options)
        meta, listener = data.get("params", {}).get("_meta", {}), call_listener.get()
        if listener is not None and CLIENT_CAPABILITIES_META_KEY in meta:
            can = listener.capabilities.model_dump(by_alias=True, mode="json", exclude_none=True)
            known = meta[CLIENT_CAPABILITIES_META_KEY].get("extensions")
            meta[CLIENT_CAPABILITIES_META_KEY] = {**can, "extensions": known} if known else can

    return stamped


async def check_health(session: ClientSession) -> None:
    """The cheapest question of the protocol in use; any answer will do, also "I do not know that"."""
    revision = session.protocol_version or ""
    if revision in MODERN_PROTOCOL_VERSIONS:
        await session.send_discover(revision)
    else:
        await session.send_ping()
