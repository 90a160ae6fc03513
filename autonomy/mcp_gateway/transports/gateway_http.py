"""Authenticates the gateway's clients over Streamable HTTP by bearer token, and keeps their sessions apart."""

from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping

import anyio
import httpx2
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from autonomy.mcp_gateway.clients.access_tokens import AccessTokens, TokenRefused, protected_resource_path
from autonomy.mcp_gateway.clients.profiles import client_of
from autonomy.mcp_gateway.mcp_server import CLIENT, DELIVERY
from autonomy.mcp_gateway.past_writes import Delivery

MOST_SESSIONS = 1_000
"""Sessions of one client. If it opens more, its least recently used one is ended."""
LARGEST_BODY = 4_000_000
"""Bytes of one request, as in the SDK."""
MOST_READ_PAST, READ_PAST_S = 64_000_000, 10.0
"""How many bytes of a too large body are read and discarded, and for how many seconds, so that its sender can read the error."""
PATH = "/mcp"
_SESSION = b"mcp-session-id"


class TokenAuthMiddleware:
    """Passes requests with a known token to `app`, with the name of the client."""

    def __init__(
        self,
        app: ASGIApp,
        tokens: Mapping[str, str],
        access_tokens: AccessTokens | None = None,
        end_session: Callable[[str], Awaitable[None]] | None = None,
    ) -> None:
        """`tokens`: token → name of the client. `access_tokens`: verifies those of an authorization server. `end_session`: ends
        a session if its client has too many."""
        self._app, self._tokens, self._access_tokens = app, tokens, access_tokens
        self._end_session = end_session
        self._sessions: dict[str, OrderedDict[bytes, None]] = {}
        """Client → the ids of its sessions, the most recently used last."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        oauth = self._access_tokens
        if oauth is not None and scope["path"] == protected_resource_path(oauth.settings.resource):
            await JSONResponse(oauth.metadata)(scope, receive, send)
            return
        headers = dict(scope.get("headers", ()))
        scheme, _, token = headers.get(b"authorization", b"").decode(errors="replace").partition(" ")
        try:
            client = await self._client(token.strip()) if scheme.lower() == "bearer" else None
        except TokenRefused as error:
            await _refusal(error.status, error.why, self._challenge(error.error))(scope, receive, send)
            return
        session = headers.get(_SESSION)
        if client is None:
            await _refusal(401, "unauthorized", self._challenge())(scope, receive, send)
        elif scope["path"].rstrip("/") != PATH:
            await _refusal(404, f"MCP is spoken at {PATH}")(scope, receive, send)
        elif sum(name == _SESSION for name, _ in scope.get("headers", ())) > 1:  # the SDK would take another one than was checked
            await _refusal(400, "a request belongs to one session")(scope, receive, send)
        elif session is not None and session not in self._sessions.get(client, ()):
            await _refusal(404, "there is no such session")(scope, receive, send)
        elif (length := headers.get(b"content-length", b"")).isdigit() and int(length) > LARGEST_BODY:
            await _read_past(receive)
            await _refusal(413, f"a request may have {LARGEST_BODY} bytes")(scope, receive, send)
        else:
            delivery = Delivery()
            try:
                noting = self._noting(send, receive, client, delivery)
                await self._app({**scope, CLIENT: client, DELIVERY: delivery}, receive, noting)
            finally:
                delivery.end(answered=False)

    async def _client(self, token: str) -> str | None:
        """Return the client of a token, or None. Raises `TokenRefused`."""
        known = client_of(token, self._tokens)
        if known is None and self._access_tokens is not None and token:
            return await self._access_tokens.client_of(token)
        return known

    def _challenge(self, error: str = "") -> str:
        """Return the challenge for a refused client (RFC 6750, 3; RFC 9728, 5.1)."""
        if self._access_tokens is None:
            return "Bearer"
        settings = self._access_tokens.settings
        where = httpx2.URL(settings.resource).copy_with(path=protected_resource_path(settings.resource))
        parameters = {"error": error, "scope": " ".join(settings.scopes), "resource_metadata": str(where)}
        return "Bearer " + ", ".join(f'{name}="{value}"' for name, value in parameters.items() if value)

    def _noting(self, send: Send, receive: Receive, client: str, delivery: Delivery) -> Send:
        async def note(message: Message) -> None:
            if message["type"] == "http.response.body" and not message.get("more_body") and delivery:
                gone = await _is_gone(receive)  # before sending, because after it every client seems to be gone
                await send(message)
                delivery.end(answered=not gone)
                return
            if message["type"] == "http.response.start":
                for name, value in message.get("headers", ()):
                    if name.lower() == _SESSION:
                        await self._note_session(client, value)
            await send(message)

        return note

    async def _note_session(self, client: str, session: bytes) -> None:
        """Note that a session belongs to a client and was used. Each answer of the SDK contains the id."""
        own = self._sessions.setdefault(client, OrderedDict())
        own[session] = None
        own.move_to_end(session)
        if len(own) > MOST_SESSIONS:
            oldest, _ = own.popitem(last=False)
            if self._end_session is not None:
                await self._end_session(oldest.decode())


async def _is_gone(receive: Receive) -> bool:
    """Whether a client whose request was read completely has closed the connection."""
    with anyio.CancelScope() as at_once:
        at_once.cancel()
        return bool((await receive())["type"] == "http.disconnect")
    return False


async def _read_past(receive: Receive) -> None:
    """Read and discard a body, because a client that is still sending when the connection is closed cannot read the answer."""
    left = MOST_READ_PAST
    with anyio.move_on_after(READ_PAST_S):
        while left > 0:
            message = await receive()
            left -= len(message.get("body", b""))
            if message["type"] != "http.request" or not message.get("more_body"):
                return


def _refusal(status: int, why: str, challenge: str = "") -> JSONResponse:
    headers = {"www-authenticate": challenge} if challenge and status in (401, 403) else {}
    return JSONResponse({"error": why}, status, {"connection": "close", **headers})
