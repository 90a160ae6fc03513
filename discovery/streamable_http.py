"""Streamable HTTP transport. Called by `discovery.connection`."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx2
from mcp.client._transport import TransportStreams
from mcp.client.streamable_http import streamable_http_client

from discovery.config import Launch


@asynccontextmanager
async def guarded_http(launch: Launch) -> AsyncIterator[TransportStreams]:
    """Exchange messages with a remote server."""
    timeout = httpx2.Timeout(10.0, read=300.0)
    async with (
        httpx2.AsyncClient(headers=launch.headers, timeout=timeout) as client,
        streamable_http_client(launch.url, http_client=client) as streams,
    ):
        yield streams
