"""The gateway over Streamable HTTP: who knocks is known by a bearer token, and nobody goes on in another's session."""

import json
from collections import OrderedDict
from collections.abc import Mapping

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from autonomy.mcp_gateway.mcp_server import CLIENT
from autonomy.mcp_gateway.profiles import client_of

MOST_SESSIONS = 10_000
LARGEST_BODY = 4_000_000
"""Bytes of one request; it is the SDK's own limit too."""
_SESSION = b"mcp-session-id"


class HttpDoor:
    """Lets requests through to `app` that carry a known token, as the client whose token it is."""

    def __init__(self, app: ASGIApp, tokens: Mapping[str, str]) -> None:
        """`tokens`: token → name of the client."""
        self._app, self._tokens = app, tokens
        self._owners: OrderedDict[bytes, str] = OrderedDict()
        """Session id → the client it was given to."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = dict(scope.get("headers", ()))
        scheme, _, token = headers.get(b"authorization", b"").decode(errors="replace").partition(" ")
        client = client_of(token.strip(), self._tokens) if scheme.lower() == "bearer" else None
        session = headers.get(_SESSION)
        if client is None:
            await _refuse(send, 401, "unauthorized")
        elif session is not None and self._owners.get(session) != client:
            await _refuse(send, 404, "there is no such session")
        elif int(length if (length := headers.get(b"content-length", b"0")).isdigit() else 0) > LARGEST_BODY:
            await _refuse(send, 413, f"a request may have {LARGEST_BODY} bytes")
        else:
            await self._app({**scope, CLIENT: client}, receive, self._noting(send, client))

    def _noting(self, send: Send, client: str) -> Send:
        async def note(message: Message) -> None:
            if message["type"] == "http.response.start":
                for name, value in message.get("headers", ()):
                    if name.lower() == _SESSION:
                        self._owners.setdefault(value, client)
                        while len(self._owners) > MOST_SESSIONS:
                            self._owners.popitem(last=False)
            await send(message)

        return note


async def _refuse(send: Send, status: int, why: str) -> None:
    headers = [(b"content-type", b"application/json"), (b"connection", b"close")]
    if status == 401:
        headers.append((b"www-authenticate", b"Bearer"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": json.dumps({"error": why}).encode()})
