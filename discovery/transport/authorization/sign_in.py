"""Lets a person sign in to a remote server in a browser, from the command line or a page."""

import contextlib
import hmac
import threading
import webbrowser
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from urllib.parse import parse_qsl, urlsplit

import anyio
import anyio.abc
from mcp.client.auth import OAuthFlowError
from mcp.shared.auth import AuthorizationCodeResult

from discovery.catalog import Frozen
from discovery.transport.authorization.oauth import Browser

PAGE = "<!doctype html><meta charset=utf-8><title>Jiritsu</title><p>サインインしました。このページは閉じてかまいません。"
LONGEST_REQUEST = 16_384


class SignInOutcome(Frozen):
    """The outcome of a sign-in to a remote server."""

    available: bool
    """Whether the server can be used now."""
    tools: int = 0
    reason: str = ""
    """Why it cannot be used."""


class PersonsBrowser:
    """A person's browser on any machine: `show` presents an address, and `bring` takes the answer that came to `redirect_uri`."""

    def __init__(self, redirect_uri: str, show: Callable[[str], None]) -> None:
        self.redirect_uri = redirect_uri
        self._show = show
        self._answers, self._answered = anyio.create_memory_object_stream[dict[str, str]](1)

    async def open(self, url: str) -> None:
        """Show the address."""
        self._show(url)

    async def answer(self) -> AuthorizationCodeResult:
        """Wait for the answer. Raises OAuthFlowError if the person or the server refused."""
        query = await self._answered.receive()
        if "code" not in query:
            raise OAuthFlowError(query.get("error_description") or query.get("error") or "the answer holds no code")
        return AuthorizationCodeResult.model_validate(query)

    def bring(self, query: dict[str, str]) -> None:
        """Take the query of the redirect; only the first one counts."""
        with contextlib.suppress(anyio.WouldBlock, anyio.ClosedResourceError, anyio.BrokenResourceError):
            self._answers.send_nowait(query)

    def close(self) -> None:
        """Stop waiting for an answer."""
        self._answers.close()
        self._answered.close()


class LoopbackBrowser(PersonsBrowser):
    """The browser of this machine, with a small HTTP server that receives the redirect (RFC 8252, 7.3)."""

    def __init__(self, redirect_uri: str, show: Callable[[str], None], *, start: Callable[[str], object]) -> None:
        super().__init__(redirect_uri, show)
        self._start = start
        self._state = ""

    async def open(self, url: str) -> None:
        """Show the address, and open it in the browser."""
        self._state = dict(parse_qsl(urlsplit(url).query)).get("state", "")
        self._show(url)
        # a browser without windows of its own ends when the person closes it, and nobody waits for that
        threading.Thread(target=self._start, args=(url,), name="browser", daemon=True).start()

    async def serve(self, stream: anyio.abc.SocketStream) -> None:
        """Answer one request. Only one with our path and state counts, because any page or program can send requests here."""
        async with stream:
            try:
                request = await stream.receive(LONGEST_REQUEST)
                target = urlsplit(request.split(b" ", 2)[1].decode("ascii", "replace"))
            except (anyio.EndOfStream, anyio.BrokenResourceError, IndexError, ValueError):
                return
            query = dict(parse_qsl(target.query))
            ours = hmac.compare_digest(query.get("state", "").encode(), self._state.encode())
            found = target.path == (urlsplit(self.redirect_uri).path or "/") and ours
            body = PAGE.encode() if found else b""
            status = "200 OK" if found else "404 Not Found"
            head = f"HTTP/1.1 {status}\r\ncontent-type: text/html\r\ncontent-length: {len(body)}\r\nconnection: close\r\n\r\n"
            if found:
                self.bring(query)
            with contextlib.suppress(anyio.BrokenResourceError):
                await stream.send(head.encode() + body)


def loopback_place(redirect_uri: str) -> tuple[str, int] | None:
    """The host and port of this machine at which a client's `redirect_uri` wants the browser back; the port is 0 where any will
    do. None for an address of another machine, or one that nobody can read."""
    try:
        parts = urlsplit(redirect_uri)
        host, port = parts.hostname or "", parts.port or 0
    except ValueError:
        return None
    return (host, port) if parts.scheme == "http" and host in ("127.0.0.1", "::1", "localhost") else None


@asynccontextmanager
async def loopback_browser(
    show: Callable[[str], None], *, start: Callable[[str], object] = webbrowser.open, redirect_uri: str = ""
) -> AsyncIterator[Browser]:
    """Provide a browser for `open_gateway`; `show` is called with each address that a person should visit.

    `redirect_uri`: where the browser comes back to, if the client is registered for it. The gateway's `connect_timeout_s` must
    leave a person enough time.
    """
    parts = urlsplit(redirect_uri or "http://127.0.0.1/callback")
    host, port = loopback_place(parts.geturl()) or ("127.0.0.1", 0)
    listener = await anyio.create_tcp_listener(local_host=host, local_port=port)
    port = port or listener.extra(anyio.abc.SocketAttribute.local_port)  # noqa: S610 - a socket's, not Django's
    place = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    browser = LoopbackBrowser(parts._replace(netloc=place).geturl(), show, start=start)
    async with listener, anyio.create_task_group() as tasks:
        tasks.start_soon(listener.serve, browser.serve)
        try:
            yield browser
        finally:
            browser.close()
            tasks.cancel_scope.cancel()
