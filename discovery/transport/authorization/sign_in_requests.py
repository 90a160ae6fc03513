"""Bounds the requests of a sign-in: a remote server names where they go, and whoever is named there answers them.

Without it a server on the internet could have its client ask addresses of the operator's own network, a sign-in that began with
HTTPS could go on in the clear, and an answer could fill the memory, or never come.
"""

import socket
from collections.abc import AsyncIterator
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

import anyio
import httpx2
from mcp.client.auth import OAuthFlowError

from discovery.servers.network import proxy_of

LARGEST_ANSWER = 1 << 20
"""Bytes of an answer: metadata, a registration, tokens."""
CONNECT_S, ANSWER_S = 10.0, 20.0
"""How long a request of a sign-in may take to connect, and to be answered: together as long as one process may renew a token."""
OF_THE_SERVER = "jiritsu_of_the_server"
"""Marks, in a request's `extensions`, a message to the MCP server itself."""


class SignInRequests:
    """The rules for what is asked while somebody signs in to the server at `endpoint`."""

    def __init__(self, endpoint: str) -> None:
        self._endpoint = urlsplit(endpoint)

    @property
    def hooks(self) -> dict[str, list[Any]]:
        """Event hooks of an HTTP client; what they refuse raises OAuthFlowError."""
        return {"request": [self.checked], "response": [self.bounded]}

    async def checked(self, request: httpx2.Request) -> None:
        """Refuse a request of a sign-in to where the server may not lead it, and ask for an answer that is not compressed."""
        if OF_THE_SERVER in request.extensions:
            return
        request.headers["accept-encoding"] = "identity"
        request.extensions["timeout"] = httpx2.Timeout(CONNECT_S, read=ANSWER_S).as_dict()  # of itself it has none
        await self.check(str(request.url))

    async def check(self, address: str) -> None:
        """Refuse an address that is less safe, or further inside, than the server's own. Raises OAuthFlowError."""
        asked = urlsplit(address)
        if self._endpoint.scheme == "https" and asked.scheme != "https":
            raise OAuthFlowError(f"its sign-in leads from https to {asked.scheme}://{asked.netloc}")
        if asked.netloc == self._endpoint.netloc or await _is_inside(self._endpoint.geturl()):
            return
        if await _is_inside(address):
            raise OAuthFlowError(f"its sign-in leads to {asked.netloc}, an address of this network")

    async def bounded(self, response: httpx2.Response) -> None:
        """Let an answer of a sign-in be read up to `LARGEST_ANSWER`, and none that is compressed."""
        if OF_THE_SERVER not in response.request.extensions:
            if response.headers.get("content-encoding", "identity") != "identity":
                raise OAuthFlowError(f"{response.url.host} compressed its answer to a sign-in")
            response.stream = _Bounded(response.stream, response.url.host)


class _Bounded(httpx2.AsyncByteStream):
    """A body that fails where it is longer than `LARGEST_ANSWER`."""

    def __init__(self, stream: Any, host: str) -> None:
        self._stream, self._host = stream, host

    async def __aiter__(self) -> AsyncIterator[bytes]:
        size = 0
        async for chunk in self._stream:
            size += len(chunk)
            if size > LARGEST_ANSWER:
                raise OAuthFlowError(f"{self._host} answered a sign-in with more than {LARGEST_ANSWER} bytes")
            yield chunk

    async def aclose(self) -> None:
        await self._stream.aclose()


async def _is_inside(address: str) -> bool:
    """Whether an address is one of this machine or its network; a name that nobody knows is none, and what a proxy asks is not
    looked up here."""
    host = urlsplit(address).hostname or ""
    try:
        return not ip_address(host).is_global
    except ValueError:
        pass
    if host == "localhost" or host.endswith(".localhost"):
        return True
    if proxy_of(address):
        return False
    try:
        found = await anyio.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except OSError:
        return False
    return any(not ip_address(str(place[4][0]).partition("%")[0]).is_global for place in found)
