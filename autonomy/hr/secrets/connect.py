"""Connects a tenant to freee by OAuth's authorization-code flow with PKCE."""

import base64
import hashlib
import hmac
import secrets
import time
import urllib.parse
from collections.abc import Callable
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, HTTPServer

from autonomy.errors import VendorError
from autonomy.hr.secrets.credential_store import CredentialStore
from autonomy.hr.secrets.oauth_tokens import VENDOR, OAuthApp, TokenGrant, request_grant

CALLBACK = "/callback"
WAIT_S = 300.0
RECEIVED = "接続の手続きを受け取りました。この画面は閉じてかまいません。\nThe sign-in was received. You may close this page.\n"
"""For whoever signed in, whose language nobody knows here."""
SILENT_S = 5.0
"""How long a connection may be silent. Browsers open connections in advance, and only one at a time is served."""


@dataclass
class Redirect:
    """The parameters of the browser's redirect."""

    code: str = ""
    state: str = ""
    error: str = ""


class RedirectListener:
    """A web server on loopback that waits for one redirect. It blocks, so it is for commands and not for the event loop."""

    def __init__(self, port: int = 0) -> None:
        self._caught: Redirect | None = None
        listener = self

        class Handler(BaseHTTPRequestHandler):
            timeout = SILENT_S

            def do_GET(self) -> None:
                url = urllib.parse.urlsplit(self.path)
                if url.path == CALLBACK:
                    query = urllib.parse.parse_qs(url.query)
                    listener._caught = Redirect(*(query.get(name, [""])[0] for name in ("code", "state", "error")))
                self.send_response(200 if url.path == CALLBACK else 404)
                self.send_header("Content-Type", "text/plain; charset=utf-8")
                self.end_headers()
                self.wfile.write(RECEIVED.encode() if url.path == CALLBACK else b"")

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name is the parent's
                """Log nothing, because the request line contains the code."""

        self._server = HTTPServer(("127.0.0.1", port), Handler)
        self.redirect_uri = f"http://127.0.0.1:{self._server.server_port}{CALLBACK}"

    def wait(self, timeout_s: float = WAIT_S, now: Callable[[], float] = time.monotonic) -> Redirect:
        """Wait for the redirect and close the server. Raises VendorError if none comes in time."""
        deadline = now() + timeout_s
        try:
            while self._caught is None:
                self._server.timeout = deadline - now()
                if self._server.timeout <= 0:
                    raise VendorError(VENDOR, f"nobody signed in within {timeout_s:.0f} s; start again", retryable=True)
                self._server.handle_request()
        finally:
            self._server.server_close()
        return self._caught


def connect_freee(
    app: OAuthApp,
    store: CredentialStore,
    tenant_id: str,
    *,
    show: Callable[[str], None],
    listener: RedirectListener,
    timeout_s: float = WAIT_S,
    now: Callable[[], float] = time.time,
) -> TokenGrant:
    """Have a person sign in, and store the tokens for the tenant. `show` is called with the address to open. Raises
    VendorError."""
    state, verifier = secrets.token_urlsafe(24), secrets.token_urlsafe(48)
    show(authorize_url(app, listener.redirect_uri, state, verifier))
    redirect = listener.wait(timeout_s)
    if not hmac.compare_digest(redirect.state.encode(), state.encode()):
        raise VendorError(VENDOR, "the answer belongs to another sign-in (state differs); start again", retryable=True)
    if redirect.error or not redirect.code:
        raise VendorError(VENDOR, f"the sign-in was not granted: {redirect.error or 'no code'}", retryable=False)
    form = {
        "grant_type": "authorization_code",
        "code": redirect.code,
        "redirect_uri": listener.redirect_uri,
        "code_verifier": verifier,
    }
    grant = request_grant(app, form)
    store.save(tenant_id, VENDOR, grant.as_credentials(now()))
    return grant


def authorize_url(app: OAuthApp, redirect_uri: str, state: str, verifier: str) -> str:
    """Return the address at which a person signs in. It contains only a hash of the verifier (RFC 7636)."""
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
    query = {
        "response_type": "code",
        "client_id": app.client_id,
        "redirect_uri": redirect_uri,
        "state": state,
        "code_challenge": challenge,
        "code_challenge_method": "S256",
        "prompt": "select_company",
    }
    return f"{app.authorize_url}?{urllib.parse.urlencode(query)}"
