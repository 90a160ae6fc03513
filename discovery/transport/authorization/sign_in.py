"""Browser sign-in to remote servers, from the command line or a page."""

import contextlib
import hmac
import webbrowser
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from urllib.parse import parse_qsl, urlsplit

import anyio
import anyio.abc
import anyio.to_thread
from mcp.client.auth import OAuthFlowError
from mcp.shared.auth import AuthorizationCodeResult

from discovery.catalog import Frozen
from discovery.transport.authorization.oauth import Browser

PAGE = "<!doctype html><meta charset=utf-8><title>Jiritsu</title><p>サインインしました。このページは閉じてかまいません。"
LONGEST_REQUEST = 16_384


class SignInOutcome(Frozen):
    """The outcome of a sign-in to a remote server."""

    available: bool
    """Whether the server is there now."""
    tools: int = 0
    reason: str = ""
    """Why it is not."""


class PersonsBrowser:
    """A person's browser, somewhere: they are shown an address, and somebody brings what came back to `redirect_uri`."""

    def __init__(self, redirect_uri: str, show: Callable[[str], None]) -> None:
        self.redirect_uri = redirect_uri
        self._show = show
        self._answers, self._answered = anyio.create_memory_object_stream[dict[str, str]](1)

    async def open(self, url: str) -> None:
        """Show the address."""
        self._show(url)

    async def answer(self) -> AuthorizationCodeResult:
        """The answer that the browser brought back. Raises OAuthFlowError when the person, or the server, said no."""
        query = await self._answered.receive()
        if "code" not in query:
            raise OAuthFlowError(query.get("error_description") or query.get("error") or "the answer holds no code")
        return AuthorizationCodeResult.model_validate(query)

    def bring(self, query: dict[str, str]) -> None:
        """Hand over the query that the browser came back with; the first one counts."""
        with contextlib.suppress(anyio.WouldBlock, anyio.ClosedResourceError, anyio.BrokenResourceError):
            self._answers.send_nowait(query)

    def close(self) -> None:
        """Stop waiting for an answer."""
        self._answers.close()
        self._answered.close()


class LoopbackBrowser(PersonsBrowser):
    """The browser of this machine, and the small server that its answer comes back to (RFC 8252, 7.3)."""

    def __init__(self, redirect_uri: str, show: Callable[[str], None], *, start: Callable[[str], object]) -> None:
        super().__init__(redirect_uri, show)
        self._start = start
        self._state = ""

    async def open(self, url: str) -> None:
        """Show the address, and open it where there is a screen."""
        self._state = dict(parse_qsl(urlsplit(url).query)).get("state", "")
        self._show(url)
        await anyio.to_thread.run_sync(self._start, url)

    async def serve(self, stream: anyio.abc.SocketStream) -> None:
        """Take one request of the browser. Any page that it shows can send others, and a program what is no request at all."""
        async with stream:
            try:
                request = await stream.receive(LONGEST_REQUEST)
                target = urlsplit(request.split(b" ", 2)[1].decode("ascii", "replace"))
            except (anyio.EndOfStream, anyio.BrokenResourceError, IndexError, ValueError):
                return
            query = dict(parse_qsl(target.query))
            ours = hmac.compare_digest(query.get("state", "").encode(), self._state.encode())
            found = target.path == urlsplit(self.redirect_uri).path and ours
            body = PAGE.encode() if found else b""
            status = "200 OK" if found else "404 Not Found"
            head = f"HTTP/1.1 {status}\r\ncontent-type: text/html\r\ncontent-length: {len(body)}\r\nconnection: close\r\n\r\n"
            if found:
                self.bring(query)
            with contextlib.suppress(anyio.BrokenResourceError):
                await stream.send(head.encode() + body)


@asynccontextmanager
async def loopback_browser(
    show: Callable[[str], None], *, start: Callable[[str], object] = webbrowser.open
) -> AsyncIterator[Browser]:
    """A browser for `open_gateway`; `show` gets each address a person should visit.

    Give the gateway a `connect_timeout_s` that a person can keep.
    """
    listener = await anyio.create_tcp_listener(local_host="127.0.0.1", local_port=0)
    port = listener.extra(anyio.abc.SocketAttribute.local_port)  # noqa: S610 - a socket's, not Django's
    browser = LoopbackBrowser(f"http://127.0.0.1:{port}/callback", show, start=start)
    async with listener, anyio.create_task_group() as tasks:
        tasks.start_soon(listener.serve, browser.serve)
        try:
            yield browser
        finally:
            browser.close()
            tasks.cancel_scope.cancel()
