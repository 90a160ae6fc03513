"""Signs in to a remote server from a page, through the server's own sign-in and back."""

import hmac
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, quote, urlsplit

import anyio
import anyio.to_thread
from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from autonomy.errors import ConfigError, RunConflict, UnknownRun
from autonomy.web.visit import Console, Page, Visit, record_by_hand, render
from discovery.servers.server_config import ServerConfig
from discovery.transport.authorization.sign_in import PersonsBrowser

SIGN_IN_S = 600.0
"""How long the person has for it, as on the command line."""

LOOK_S = 3.0
"""How long the page is held back for the server's address to come, which spares most readers a page that says to wait."""

CALLBACK = "/callback"
"""Where the browser comes back to: the same path as the command's, so that a registered client serves both."""


@dataclass
class PendingSignIn:
    """A sign-in that a person has begun here."""

    provider: str
    redirect_uri: str
    address: str = ""
    """Where the person goes; empty until the server has been asked."""
    outcome: str = ""
    """Why it failed, once it is over."""
    signed_in: bool = False
    tools: int = 0
    is_over: bool = False
    browser: PersonsBrowser = field(init=False)
    _moved: anyio.Event = field(default_factory=anyio.Event)

    def __post_init__(self) -> None:
        self.browser = PersonsBrowser(self.redirect_uri, self._show)

    @property
    def state(self) -> str:
        """The state that the server must return with its answer; nobody else knows it."""
        return dict(parse_qsl(urlsplit(self.address).query)).get("state", "")

    async def moved(self) -> None:
        """Wait until something has happened."""
        await self._moved.wait()

    def end(self, outcome: str, tools: int = 0, *, signed_in: bool = False) -> None:
        """End the sign-in."""
        self.outcome, self.tools, self.signed_in, self.is_over = outcome, tools, signed_in, True
        self.browser.close()
        self._move()

    def _show(self, address: str) -> None:
        self.address = address if urlsplit(address).scheme in ("https", "http") else ""
        self._move()

    def _move(self) -> None:
        self._moved.set()
        self._moved = anyio.Event()


async def sign_in_page(visit: Visit) -> Response:
    """The page of a sign-in: the address to go to, or the outcome; and the command that does the same."""
    entry = await _entry(visit)
    pending = _pending(visit.console).get(entry.name)
    if pending is not None and not (pending.is_over or pending.address):
        with anyio.move_on_after(LOOK_S):
            await pending.moved()
    host = urlsplit(pending.address).netloc if pending else ""
    return visit.page("server_sign_in.html.j2", entry=entry, pending=pending, host=host)


async def begin(visit: Visit) -> Response:
    """Begin a sign-in, as `jiritsu servers sign-in` does; one that is under way goes on."""
    entry, sign_in = await _entry(visit), visit.services.sign_in
    if sign_in is None:
        raise RunConflict("this console cannot sign in to servers")
    sign_ins = _pending(visit.console)
    path = f"/servers/{quote(entry.name)}/sign-in"
    if entry.name in sign_ins and not sign_ins[entry.name].is_over:
        return visit.back(path)
    origin = visit.request.headers.get("origin") or f"{visit.request.url.scheme}://{visit.request.headers['host']}"
    pending = PendingSignIn(entry.name, origin + CALLBACK)
    if entry.oauth and entry.oauth.redirect_uri not in ("", pending.redirect_uri):
        raise RunConflict(f"{entry.name} comes back to {entry.oauth.redirect_uri} (its `redirect_uri`), not to this console")
    sign_ins[entry.name] = pending
    await record_by_hand(visit, f"sign-in-{entry.name}")

    async def carry_out() -> None:
        try:
            found = await sign_in(entry, pending.browser, SIGN_IN_S)
        except ConfigError as error:
            pending.end(str(error))
        else:
            late = f"nobody came back within {SIGN_IN_S:g} s"
            pending.end(found.reason or late, found.tools, signed_in=found.available)
        finally:
            if not pending.is_over:
                pending.end("")

    return RedirectResponse(path, 303, background=BackgroundTask(carry_out))


async def come_back(console: Console, request: Request) -> Response:
    """Receive the browser from the server: from another site, so without our cookie; but only it knows the state it carries."""
    query = dict(request.query_params)
    for pending in _pending(console).values():
        if pending.state and hmac.compare_digest(pending.state.encode(), query.get("state", "").encode("utf-8", "replace")):
            pending.browser.bring(query)
            again = f"/servers/{quote(pending.provider)}/sign-in"
            return HTMLResponse(render(console, request, "again.html.j2", again=again))
    return HTMLResponse(render(console, request, "again.html.j2", again="/now"), 404)


PAGES: Mapping[str, Page] = {"/servers/{provider}/sign-in": sign_in_page}
CHANGES: Mapping[str, Page] = {"/servers/{provider}/sign-in": begin}


def _pending(console: Console) -> dict[str, PendingSignIn]:
    sign_ins: dict[str, PendingSignIn] = console.memory.setdefault("sign_ins", {})
    return sign_ins


async def _entry(visit: Visit) -> ServerConfig:
    """The remote server of the address."""
    name, entries = visit.request.path_params["provider"], visit.services.entries
    entry = (await anyio.to_thread.run_sync(entries)).get(name) if entries else None
    if entry is None or entry.transport != "http":
        raise UnknownRun(name, "remote server")
    return entry
