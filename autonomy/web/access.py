"""Sign-in, sessions, roles, CSRF, host checks and security headers of the console."""

import hashlib
import hmac
import secrets
import time
from collections.abc import Callable, Mapping, MutableMapping
from dataclasses import dataclass, field
from functools import partial
from ipaddress import ip_address, ip_network
from typing import Literal
from urllib.parse import urlsplit

from cachetools import FIFOCache
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from autonomy.web.web_settings import LOOPBACK, Role, WebSettings

HEADERS: Mapping[str, str] = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
"""Of every answer. No script and no style but our own files, no frame, nothing from elsewhere."""

MOST_SESSIONS = 1000
"""Sessions of one console; the oldest goes first, so that signing in again and again fills no memory."""

LINK_MINUTES = 30
"""How long the printed link is good: it stays in logs and in a terminal's history, where nobody used it."""

MOST_ADDRESSES = 10_000
"""Whose failures are remembered, for the same reason; those that failed longest ago go first."""

LARGEST_FORM, LARGEST_SIGN_IN = 4_000_000, 16_384
"""Bytes of a body. Parsing a form takes half a second for each megabyte, and whoever signs in is still a stranger."""


@dataclass(frozen=True)
class Session:
    """Somebody who is signed in."""

    name: str
    role: Role
    csrf: str
    ends_at: float
    is_proxied: bool = False

    @property
    def may_change(self) -> bool:
        """Whether the person may change things."""
        return self.role == "operator"


@dataclass
class Authenticator:
    """Signs people in and knows who is."""

    settings: WebSettings
    owner: str = "operator"
    """Whoever started the console: the one who opens the printed link."""
    clock: Callable[[], float] = time.time
    _links: dict[str, float] = field(default_factory=dict)
    _sessions: MutableMapping[str, Session] = field(default_factory=partial(FIFOCache, MOST_SESSIONS))
    _failures: MutableMapping[str, list[float]] = field(default_factory=partial(FIFOCache, MOST_ADDRESSES))
    _secret: bytes = field(default_factory=lambda: secrets.token_bytes(32))

    @property
    def cookie(self) -> str:
        """The session cookie's name: cookies do not tell ports apart, and two consoles may run on one host."""
        return f"jiritsu-{self.settings.port}"

    def new_link(self, base: str) -> str:
        """A link that signs its first reader in as the operator. The token is good once, for `LINK_MINUTES`."""
        token = secrets.token_urlsafe(32)
        self._links[_digest(token)] = self.clock()
        return f"{base}/sign-in?token={token}"

    def enter_by_link(self, token: str) -> str | None:
        """A session for the printed link's token; None when it is wrong, was used, or is too old."""
        made_at = self._links.pop(_digest(token), None)
        if made_at is None or self.clock() >= made_at + LINK_MINUTES * 60:
            return None
        return self._open(self.owner, "operator")

    def enter_by_password(self, password: str) -> str | None:
        """A session for a password; None when it is wrong."""
        roles: tuple[tuple[str, Role], ...] = (
            (self.settings.password.get_secret_value(), "operator"),
            (self.settings.viewer_password.get_secret_value(), "viewer"),
        )
        for secret, role in roles:
            if secret and hmac.compare_digest(secret.encode(), password.encode()):
                return self._open(role, role)
        return None

    def session_of(self, request: Request) -> Session | None:
        """The session of a request: by the cookie, or by the proxy's header if one is configured."""
        if (name := self._proxied(request)) is not None:
            role: Role = "operator" if name in self.settings.operators else "viewer"
            csrf = hmac.new(self._secret, name.encode(), hashlib.sha256).hexdigest()
            return Session(name, role, csrf, self.clock() + 60, is_proxied=True)
        session = self._sessions.get(_digest(request.cookies.get(self.cookie, "")))
        return session if session is not None and session.ends_at > self.clock() else None

    def leave(self, request: Request) -> None:
        """Forget a session."""
        self._sessions.pop(_digest(request.cookies.get(self.cookie, "")), None)

    def client_of(self, request: Request) -> str:
        """Whose failures count together: an address, or the /64 network of IPv6, in which one machine has as many as it likes.

        A proxy that was configured says for whom it asks; the last of its addresses is that which it saw itself.
        """
        address = _plain_address(request.client.host if request.client else "")
        if "proxy_from" in self.settings.model_fields_set:
            lines = request.headers.getlist("x-forwarded-for")
            hops = [hop.strip() for hop in ",".join(lines).split(",") if hop.strip()]
            while address in self.settings.proxy_from and hops:
                address = _plain_address(hops.pop())
        return str(ip_network(f"{address}/64", strict=False)) if ":" in address else address

    def must_wait(self, client: str) -> bool:
        """Whether signing in failed too often from there within a minute."""
        now = self.clock()
        recent = [at for at in self._failures.get(client, ()) if now - 60 < at <= now]  # a clock may be set back
        return len(recent) >= self.settings.attempts_per_minute

    def failed(self, client: str) -> None:
        """Note that signing in failed."""
        failures = [*self._failures.get(client, ()), self.clock()]
        self._failures[client] = failures[-self.settings.attempts_per_minute :]

    def _open(self, name: str, role: Role) -> str:
        token = secrets.token_urlsafe(32)
        ends_at = self.clock() + self.settings.session_hours * 3600
        self._sessions[_digest(token)] = Session(name, role, secrets.token_urlsafe(32), ends_at)
        return token

    def _proxied(self, request: Request) -> str | None:
        header, client = self.settings.proxy_header, request.client
        if not header or client is None or client.host not in self.settings.proxy_from:
            return None
        names = request.headers.getlist(header)
        return names[0] or None if len(names) == 1 else None  # a proxy that adds its own leaves the caller's before it


def _plain_address(text: str) -> str:
    """An address without zone and port, which some proxies add; of IPv4 where IPv6 only carries it. Else the text, colons off."""
    host = text.rpartition(":")[0] if text.count(":") == 1 or "]:" in text else text
    try:
        address = ip_address(host.strip("[]").partition("%")[0])
    except ValueError:
        return text.replace(":", " ")
    return str(getattr(address, "ipv4_mapped", None) or address)


def _netloc(origin: str) -> str:
    """The host and port of an origin, in lower case; empty for what is none (`http://[`)."""
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return ""


def _digest(token: str) -> str:
    """Tokens are looked up by digest, so that the time it takes says nothing of them."""
    return hashlib.sha256(token.encode()).hexdigest()


@dataclass
class Guard:
    """ASGI middleware: refuses foreign hosts and origins, and puts our headers on every answer."""

    app: ASGIApp
    settings: WebSettings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                headers.setdefault("cache-control", "no-store")
            await send(message)

        left = LARGEST_SIGN_IN if scope["path"] == "/sign-in" else LARGEST_FORM

        async def bounded() -> Message:
            nonlocal left
            message = await receive()
            left -= len(message.get("body", b""))
            if left < 0:
                raise HTTPException(413)
            return message

        why = self._refused(scope["method"], Headers(scope=scope))
        app: ASGIApp = PlainTextResponse(f"{why}\n", status_code=403) if why else self.app
        await app(scope, bounded, with_headers)

    def _refused(self, method: str, headers: Headers) -> Literal["unknown host", "foreign origin", ""]:
        """Why a request is not served at all: it was sent to another name (DNS rebinding), or by another site's page (CSRF)."""
        host = headers.get("host", "").lower()
        name = host.rpartition(":")[0] if host.rpartition(":")[2].isdigit() and not host.endswith("]") else host
        if name not in (*LOOPBACK, *(known.lower() for known in self.settings.hosts)):
            return "unknown host"
        if method in ("GET", "HEAD"):
            return ""
        origin = headers.get("origin")
        if origin is not None and _netloc(origin) != host:
            return "foreign origin"
        return "foreign origin" if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none") else ""
