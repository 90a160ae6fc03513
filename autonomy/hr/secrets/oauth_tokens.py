"""Issues freee access tokens and rotates refresh tokens safely.

Each refresh token of freee works only once. Therefore only one process at a time refreshes, under a lock on the stored row; it
reads the row again under the lock; it stores the new pair before anyone uses it; and it never repeats the request blindly. An
access token is valid for six hours and renewed an hour early, so that there is time to tell a person if an answer is lost.
"""

import logging
import time
from collections import defaultdict
from collections.abc import AsyncGenerator, Awaitable, Callable

import anyio
import anyio.to_thread
import httpx2
from pydantic import SecretStr, ValidationError

from autonomy.errors import StoreError
from autonomy.hr.secrets.credential_store import Credentials, CredentialStore, LockedCredentials
from autonomy.hr.vendors.freee import FreeeAPIError
from autonomy.hr.vendors.vendor_api import json_object
from discovery.catalog import Frozen

log = logging.getLogger(__name__)

VENDOR = "freee"
DAY_S = 86_400.0
REFRESH_EARLY_S = 3600
REFRESH_TIMEOUT_S = 10


class OAuthApp(Frozen):
    """Our registration with freee, and the addresses of freee's OAuth endpoints."""

    client_id: str
    client_secret: SecretStr
    authorize_url: str = "https://accounts.secure.freee.co.jp/public_api/authorize"
    token_url: str = "https://accounts.secure.freee.co.jp/public_api/token"  # noqa: S105 - an address, no secret


class TokenGrant(Frozen, extra="ignore"):
    """freee's answer to an authorization code or a refresh token."""

    access_token: SecretStr
    refresh_token: SecretStr
    expires_in: float

    def as_credentials(self, now: float) -> Credentials:
        """Return the credentials to store. `now`: seconds since the epoch."""
        return Credentials(access_token=self.access_token, refresh_token=self.refresh_token, expires_at=now + self.expires_in)


class FreeeTokenManager:
    """Provides access tokens for every tenant that is connected to freee."""

    def __init__(self, store: CredentialStore, app: OAuthApp, *, now: Callable[[], float] = time.time) -> None:
        self._store, self._app, self._now = store, app, now
        self._turns: defaultdict[str, anyio.Lock] = defaultdict(anyio.Lock)

    async def get_access_token(self, tenant_id: str) -> str:
        """Return a token that is valid for another hour, or the best there is. Raises FreeeAPIError if a person must connect
        again."""
        credentials = await anyio.to_thread.run_sync(self._store.load, tenant_id, VENDOR)
        if credentials is None:
            raise _not_connected(tenant_id)
        token = credentials.access_token.get_secret_value()
        return await self.refresh(tenant_id, stale=token, refused=False) if self._wants_refresh(credentials) else token

    async def refresh(self, tenant_id: str, *, stale: str, refused: bool = True) -> str:
        """Return a token other than `stale`. `refused`: freee answered 401 to the stale one, whatever its expiry date.

        Of many simultaneous callers, in all processes, only one asks freee, and the others find what it stored. Cancelling a
        caller does not interrupt the exchange, because the new pair must be stored.
        """
        async with self._turns[tenant_id]:
            return await anyio.to_thread.run_sync(self._refresh_in_turn, tenant_id, stale, refused)

    async def keep_alive(self, *, sleep: Callable[[float], Awaitable[None]] = anyio.sleep) -> None:
        """Renew expired tokens of every connected tenant once a day, because unused refresh tokens expire after ninety days.

        Several workers may run it; what one has renewed, the next finds fresh. A tenant that must connect again is logged.
        """
        while True:
            try:
                for tenant_id in await anyio.to_thread.run_sync(self._store.tenants_with, VENDOR):
                    await self._keep_tenant(tenant_id)
            except StoreError as error:
                log.warning("cannot renew unused freee tokens before tomorrow: %s", error)
            await sleep(DAY_S)

    async def _keep_tenant(self, tenant_id: str) -> None:
        try:
            await self.get_access_token(tenant_id)
        except (FreeeAPIError, StoreError) as error:
            log.warning("tenant %s: the freee token could not be renewed: %s", tenant_id, error)

    def _refresh_in_turn(self, tenant_id: str, stale: str, refused: bool) -> str:
        with self._store.locked(tenant_id, VENDOR) as row:
            stored = row.load()
            if stored is None:
                raise _not_connected(tenant_id)
            token = stored.access_token.get_secret_value()
            if token != stale and not self._wants_refresh(stored):
                return token
            usable = not refused and (stored.expires_at or 0) > self._now()
            if usable and (stored.in_doubt or stored.revoked):
                return token
            if stored.revoked or stored.refresh_token is None:
                raise _not_connected(tenant_id)
            form = {"grant_type": "refresh_token", "refresh_token": stored.refresh_token.get_secret_value()}
            return self._exchange(row, stored, form, usable=usable).access_token.get_secret_value()

    def _exchange(self, row: LockedCredentials, stored: Credentials, form: dict[str, str], *, usable: bool) -> Credentials:
        """Exchange the refresh token for a new pair, and store the pair or the failure. `usable`: the old access token is still
        valid, so a failure is not raised."""
        try:
            fresh = request_grant(self._app, form).as_credentials(self._now())
        except FreeeAPIError as error:
            if not (error.outcome_unknown or error.token_refused):
                raise
            row.save(stored.model_copy(update={"in_doubt": error.outcome_unknown, "revoked": not error.outcome_unknown}))
            log.warning("the freee token could not be renewed (%s)", "no answer" if error.outcome_unknown else "refused")
            if usable:
                return stored
            raise
        row.save(fresh)
        return fresh

    def _wants_refresh(self, credentials: Credentials) -> bool:
        return credentials.expires_at is not None and credentials.expires_at - self._now() < REFRESH_EARLY_S


class FreeeAuth(httpx2.Auth):
    """Adds a tenant's token to requests. On 401 it renews the token once and sends the request again."""

    def __init__(self, tokens: FreeeTokenManager, tenant_id: str) -> None:
        self._tokens, self._tenant_id = tokens, tenant_id

    async def async_auth_flow(self, request: httpx2.Request) -> AsyncGenerator[httpx2.Request, httpx2.Response]:
        """Yield requests and receive their responses, as httpx2 requires."""
        token = await self._tokens.get_access_token(self._tenant_id)
        request.headers["Authorization"] = f"Bearer {token}"
        response = yield request
        if response.status_code == httpx2.codes.UNAUTHORIZED:
            token = await self._tokens.refresh(self._tenant_id, stale=token)
            request.headers["Authorization"] = f"Bearer {token}"
            yield request


def request_grant(app: OAuthApp, form: dict[str, str]) -> TokenGrant:
    """Send one POST to the token endpoint, which is never repeated. Raises FreeeAPIError, with `outcome_unknown` if it may have
    been carried out."""
    secret = {"client_id": app.client_id, "client_secret": app.client_secret.get_secret_value()}
    try:
        response = httpx2.post(app.token_url, data=form | secret, timeout=REFRESH_TIMEOUT_S)
    except (httpx2.ConnectError, httpx2.ConnectTimeout) as error:
        raise FreeeAPIError("the sign-in server cannot be reached", 0, retryable=True) from error
    except httpx2.TransportError as error:
        raise FreeeAPIError("the sign-in server did not answer", 0, retryable=True, outcome_unknown=True) from error
    if response.is_server_error:
        raise FreeeAPIError("the sign-in server failed", response.status_code, retryable=True, outcome_unknown=True)
    if not response.is_success:
        raise _refused(response)
    try:
        return TokenGrant.model_validate_json(response.content)
    except ValidationError:
        raise FreeeAPIError("the sign-in server's answer cannot be read", response.status_code, outcome_unknown=True) from None


def _refused(response: httpx2.Response) -> FreeeAPIError:
    """Return the error for a refusal. A wrong client id or secret tells nothing about the token, which else is lost."""
    if response.status_code == httpx2.codes.TOO_MANY_REQUESTS:
        return FreeeAPIError("the sign-in server asks to come back later", 429, retryable=True)
    if json_object(response).get("error") == "invalid_client":
        return FreeeAPIError("the sign-in server does not know our FREEE_CLIENT_ID and FREEE_CLIENT_SECRET", response.status_code)
    problem = "the sign-in server refused; connect again with `jiritsu connect freee`"
    return FreeeAPIError(problem, response.status_code, token_refused=response.status_code in (400, 401))


def _not_connected(tenant_id: str) -> FreeeAPIError:
    return FreeeAPIError(f"tenant {tenant_id} is not connected; run `jiritsu connect freee --tenant {tenant_id}`", 401)
