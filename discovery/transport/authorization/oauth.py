"""OAuth 2.1 sign-in for remote servers, with stored tokens and single-flight refresh.

The SDK implements the flow. We add that calls do not wait for each other; that expiry and endpoints are stored; that only one
task of one process renews a token, because refresh tokens are often valid once; that the store is read again before a token is
given up; and that no client is registered and no browser opened without being asked.
"""

import contextlib
from collections.abc import AsyncGenerator, AsyncIterator
from typing import Protocol
from urllib.parse import urlsplit

import anyio
import httpx2
from mcp.client.auth import OAuthClientProvider, OAuthFlowError
from mcp.client.auth.utils import issuers_match
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientInformationFull, OAuthClientMetadata, OAuthMetadata, OAuthToken
from pydantic import AnyUrl

from discovery.servers.server_config import OAuthSettings
from discovery.timing.clock import Clock
from discovery.transport.authorization.sign_in_requests import SignInRequests
from discovery.transport.authorization.sign_ins import SignIn, SignInStore

EARLY_S = 60.0
"""Tokens are renewed this long before they expire; those valid for less than two minutes, after half of that time."""
LEASE_S = 30.0
"""A process that takes longer to renew a token counts as dead."""


class SignInNeeded(OAuthFlowError):
    """A person has to sign in, and nobody can be asked here."""


class Browser(Protocol):
    """Lets a person sign in."""

    redirect_uri: str

    async def open(self, url: str) -> None:
        """Show the page."""

    async def answer(self) -> AuthorizationCodeResult:
        """Return the answer that arrived at `redirect_uri`."""


class ServerAuth(OAuthClientProvider):
    """The `httpx2.Auth` of one remote server."""

    def __init__(
        self, url: str, settings: OAuthSettings, store: SignInStore, clock: Clock, *, browser: Browser | None = None
    ) -> None:
        """Without a `browser`, a request for which a person would have to sign in raises SignInNeeded."""
        self._url, self._store, self._clock, self._browser = url, store, clock, browser
        self._settings = settings
        self._renewal = anyio.Lock()
        self._sign_in = SignIn()
        self._failed = ""
        """Why a person's last sign-in failed; while it is set, nobody is asked again for each message."""
        super().__init__(
            url,
            _client_metadata(settings, browser),
            _Storage(self, settings),
            redirect_handler=self._open if browser else None,
            callback_handler=browser.answer if browser else None,
            client_metadata_url=settings.client_id if _is_metadata_url(settings.client_id) else None,
        )

    async def _auth_flow(self, request: httpx2.Request) -> AsyncGenerator[httpx2.Request, httpx2.Response]:
        """Send the request with the present token; renew it if it is about to expire or was refused; sign in if that fails."""
        if not self._initialized:
            await self._recall()
        if self._sign_in.challenge and self._browser is not None and not self._failed:
            async with contextlib.aclosing(self._signed_in(request, self._sign_in.challenge)) as steps:
                async for step in _relayed(steps):
                    step.response = yield step.request
            return
        if self._expires_soon():
            async with contextlib.aclosing(self._renewed(self._token())) as steps:
                async for step in _relayed(steps):
                    step.response = yield step.request
        self._add_auth_header(request)
        used = self._token()
        response = yield request
        if response.status_code == 401 and used:
            async with contextlib.aclosing(self._renewed(used)) as steps:
                async for step in _relayed(steps):
                    step.response = yield step.request
            if self._token() not in (used, ""):
                self._add_auth_header(request)
                response = yield request
        if response.status_code != 401 and not _wants_more_scope(response):
            return
        if self._browser is None or self._failed:
            await self._remember_challenge(response)
            raise SignInNeeded(self._failed or "a person has to sign in")
        async with contextlib.aclosing(self._signed_in(request)) as steps:
            async for step in _relayed(steps):
                step.response = yield step.request

    async def _remember_challenge(self, response: httpx2.Response) -> None:
        """Store which scopes this call needed, so that the next sign-in asks for them."""
        if _wants_more_scope(response):
            self._sign_in = self._sign_in.model_copy(update={"challenge": response.headers["www-authenticate"]})
            await self._store.write(self._url, self._sign_in)

    async def _signed_in(self, request: httpx2.Request, challenge: str = "") -> AsyncGenerator[httpx2.Request, httpx2.Response]:
        """Run the SDK's flow, which asks a person; a `challenge` replaces the first response."""
        try:
            async with contextlib.aclosing(super()._auth_flow(request)) as flow:
                async for step in _relayed(flow):
                    if challenge:
                        step.response = httpx2.Response(403, headers={"www-authenticate": challenge}, request=step.request)
                        challenge = ""
                    else:
                        step.response = yield step.request
        except OAuthFlowError as error:
            self._failed = f"signing in failed: {error}"
            raise SignInNeeded(self._failed) from error

    async def _perform_authorization(self) -> httpx2.Request:
        """Send the person to the authorization server, and exchange what they bring.

        The remote server says which one that is. A secret that was registered by hand is given to no other than the one it
        belongs to. Raises OAuthFlowError.
        """
        if self._settings.client_secret:
            known, now = self._settings.issuer or self._issuer_so_far(), self._issuer_of(self.context.oauth_metadata)
            if known and not issuers_match(known, now):
                right = f'if that is right, write "issuer": "{now}" into its `auth`'
                raise OAuthFlowError(f"it signs in at {now}, and its client belongs to {known}; {right}")
        return await super()._perform_authorization()

    async def _open(self, page: str) -> None:
        """Show a person the page to sign in at. Raises OAuthFlowError if the server's word leads where it may not."""
        await SignInRequests(self._url).check(page)
        if self._browser is not None:
            await self._browser.open(page)

    def _issuer_so_far(self) -> str:
        """Where people signed in so far; empty where nobody has."""
        return self._issuer_of(self._sign_in.metadata) if self._sign_in.tokens else ""

    def _issuer_of(self, metadata: OAuthMetadata | None) -> str:
        """The authorization server of a sign-in: without metadata of one it is the remote server itself, as until 2025-03-26."""
        parts = urlsplit(self._url)
        return str(metadata.issuer) if metadata else f"{parts.scheme}://{parts.netloc}"

    async def _renewed(self, used: str) -> AsyncGenerator[httpx2.Request, httpx2.Response]:
        """Renew the token `used`, unless another task or process has done so meanwhile."""
        async with self._renewal, self._store.lease(self._url, LEASE_S):
            await self._recall()
            if self._token() != used or not self.context.can_refresh_token():
                return
            tokens = self.context.current_tokens
            answer = yield await self._refresh_token()
            if not await self._handle_refresh_response(answer):
                self.context.current_tokens = tokens  # the SDK drops it, although the server may still accept it

    async def _recall(self) -> None:
        self._sign_in = await self._store.read(self._url)
        if self._sign_in.metadata or self._sign_in.tokens:  # else a flow that was refused would say where tokens are renewed
            self.context.oauth_metadata = self._sign_in.metadata
        self.context.protected_resource_metadata = self._sign_in.resource or self.context.protected_resource_metadata
        if self._sign_in.resource and self._sign_in.resource.authorization_servers:
            self.context.auth_server_url = str(self._sign_in.resource.authorization_servers[0])
        await self._initialize()
        self.context.token_expiry_time = self._sign_in.expires_at

    async def remember(self, **changed: OAuthToken | OAuthClientInformationFull) -> None:
        """Store new tokens or a new client before they are used."""
        update: dict[str, object] = {
            **changed,
            "metadata": self.context.oauth_metadata,
            "resource": self.context.protected_resource_metadata,
        }
        if isinstance(tokens := changed.get("tokens"), OAuthToken):
            update["challenge"] = ""
            update["expires_at"] = self._clock.now() + tokens.expires_in if tokens.expires_in else None
        self._sign_in = self._sign_in.model_copy(update=update)
        await self._store.write(self._url, self._sign_in)

    def may_return(self, client: OAuthClientInformationFull) -> bool:
        """Whether the client was registered for the browser's `redirect_uri`; on loopback any port matches (RFC 8252, 7.3)."""
        return self._browser is None or _place(self._browser.redirect_uri) in map(_place, map(str, client.redirect_uris or ()))

    @property
    def sign_in(self) -> SignIn:
        """The current state of the sign-in."""
        return self._sign_in

    def _token(self) -> str:
        return self.context.current_tokens.access_token if self.context.current_tokens else ""

    def _expires_soon(self) -> bool:
        expires_at, tokens = self._sign_in.expires_at, self._sign_in.tokens
        if expires_at is None or tokens is None or not self.context.can_refresh_token():
            return False
        return expires_at - min(EARLY_S, (tokens.expires_in or 0) / 2) < self._clock.now()


class _Storage:
    """The SDK's `TokenStorage` on our store; a client from the settings takes precedence over a stored one."""

    def __init__(self, auth: ServerAuth, settings: OAuthSettings) -> None:
        self._auth, self._settings = auth, settings

    async def get_tokens(self) -> OAuthToken | None:
        return self._auth.sign_in.tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        await self._auth.remember(tokens=tokens)

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        if self._settings.client_id and not _is_metadata_url(self._settings.client_id):
            return OAuthClientInformationFull(
                client_id=self._settings.client_id,
                client_secret=self._settings.client_secret or None,
                redirect_uris=self._auth.context.client_metadata.redirect_uris,
                token_endpoint_auth_method="client_secret_basic" if self._settings.client_secret else "none",
            )
        client = self._auth.sign_in.client
        return client if client and self._auth.may_return(client) else None  # else the SDK registers anew

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        await self._auth.remember(client=client_info)


def _place(address: str) -> tuple[str, str, str]:
    """Return scheme, host and path of an address; the port only if it is not on loopback."""
    parts = urlsplit(address)
    return parts.scheme, parts.hostname or "" if parts.hostname in ("127.0.0.1", "::1") else parts.netloc, parts.path


def _is_metadata_url(client_id: str) -> bool:
    """Whether a client id is the address of a Client ID Metadata Document."""
    return client_id.startswith("https://")


def _client_metadata(settings: OAuthSettings, browser: Browser | None) -> OAuthClientMetadata:
    redirect_uri = browser.redirect_uri if browser else settings.redirect_uri or "http://127.0.0.1/callback"
    return OAuthClientMetadata(
        client_name="Jiritsu", redirect_uris=[AnyUrl(redirect_uri)], scope=" ".join(settings.scopes) or None
    )


def _wants_more_scope(response: httpx2.Response) -> bool:
    return response.status_code == 403 and "insufficient_scope" in response.headers.get("www-authenticate", "")


class _Step:
    """One request of a flow, and its response."""

    def __init__(self, request: httpx2.Request) -> None:
        self.request = request
        self.response: httpx2.Response | None = None


async def _relayed(flow: AsyncGenerator[httpx2.Request, httpx2.Response]) -> AsyncIterator[_Step]:
    """Iterate over the steps of another flow, because asynchronous generators have no `yield from`."""
    with contextlib.suppress(StopAsyncIteration):
        step = _Step(await anext(flow))
        while True:
            yield step
            assert step.response is not None  # noqa: S101 - set by the caller between two iterations
            step = _Step(await flow.asend(step.response))
