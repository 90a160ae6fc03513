"""Issues freee access tokens and rotates refresh tokens safely.

Each refresh token of freee works only once. Therefore a process claims the refresh in the stored row before it asks, and asks
with no transaction open; it stores the new pair before anyone uses it; and nobody repeats the request blindly. An access token
is valid for six hours and renewed an hour early, so that there is time to tell a person if an answer is lost.
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
from autonomy.hr.secrets.credential_store import Credentials, CredentialStore
from autonomy.hr.vendors.freee import FreeeAPIError
from autonomy.hr.vendors.vendor_api import json_object
from discovery.catalog import Frozen

log = logging.getLogger(__name__)

VENDOR = "freee"
DAY_S = 86_400.0
REFRESH_EARLY_S = 3600
REFRESH_TIMEOUT_S = 10
"""For each part of a request to the token endpoint. All of it may take twice as long."""
CLAIM_S = 60
"""How long the others wait for a process that asks freee: longer than its request can take, for it may have been killed."""
POLL_S = 0.1


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
            while (token := await anyio.to_thread.run_sync(self._refresh_in_turn, tenant_id, stale, refused)) is None:
                # only reads, which keeps nobody waiting
                while await anyio.to_thread.run_sync(self._is_asked_for, tenant_id):  # noqa: ASYNC110 - of another process
                    await anyio.sleep(POLL_S)
            return token

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

    def _refresh_in_turn(self, tenant_id: str, stale: str, refused: bool) -> str | None:
        """Return a token; None while another process asks freee for one and the stored token cannot be used."""
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
            if self._is_claimed(stored):
                return None
            if stored.revoked or stored.refresh_token is None:
                raise _not_connected(tenant_id)
            # in doubt from now on: of a process that is killed nobody knows whether it has used the refresh token up
            row.save(stored.model_copy(update={"in_doubt": True, "asked_at": self._now()}))
        return self._exchange(tenant_id, stored, stored.refresh_token, usable=usable).access_token.get_secret_value()

    def _exchange(self, tenant_id: str, stored: Credentials, refresh_token: SecretStr, *, usable: bool) -> Credentials:
        """Exchange the refresh token for a new pair, and store the pair or the failure. `usable`: the old access token is still
        valid, so that the loss of the refresh token is not raised."""
        failure = None
        try:
            form = {"grant_type": "refresh_token", "refresh_token": refresh_token.get_secret_value()}
            outcome = request_grant(self._app, form).as_credentials(self._now())
        except FreeeAPIError as error:
            failure, outcome = error, stored.model_copy(update={"asked_at": None})
            if error.outcome_unknown or error.token_refused:
                log.warning("the freee token could not be renewed (%s)", "no answer" if error.outcome_unknown else "refused")
                outcome = outcome.model_copy(update={"in_doubt": error.outcome_unknown, "revoked": error.token_refused})
        with self._store.locked(tenant_id, VENDOR) as row:
            now_stored = row.load()
            if now_stored is None:
                raise _not_connected(tenant_id)
            if now_stored.refresh_token != refresh_token:  # a person has connected again meanwhile
                return now_stored
            row.save(outcome)
        if failure is not None and not (usable and (outcome.in_doubt or outcome.revoked)):
            raise failure
        return outcome

    def _is_asked_for(self, tenant_id: str) -> bool:
        stored = self._store.load(tenant_id, VENDOR)
        return stored is not None and self._is_claimed(stored)

    def _is_claimed(self, credentials: Credentials) -> bool:
        """Whether a process asks freee for new ones now, as far as one that was killed can be told from it."""
        return credentials.asked_at is not None and 0 <= self._now() - credentials.asked_at < CLAIM_S

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
        response = anyio.run(_post, app.token_url, form | secret)  # in a loop of its own, for only there all of it can be bounded
    except (httpx2.ConnectError, httpx2.ConnectTimeout) as error:
        raise FreeeAPIError("the sign-in server cannot be reached", 0, retryable=True) from error
    except (httpx2.TransportError, TimeoutError) as error:
        raise FreeeAPIError("the sign-in server did not answer", 0, retryable=True, outcome_unknown=True) from error
    if response.is_server_error:
        raise FreeeAPIError("the sign-in server failed", response.status_code, retryable=True, outcome_unknown=True)
    if not response.is_success:
        raise _refused(response)
    try:
        return TokenGrant.model_validate_json(response.content)
    except ValidationError:
        raise FreeeAPIError("the sign-in server's answer cannot be read", response.status_code, outcome_unknown=True) from None


async def _post(url: str, form: dict[str, str]) -> httpx2.Response:
    with anyio.fail_after(2 * REFRESH_TIMEOUT_S):
        async with httpx2.AsyncClient(timeout=REFRESH_TIMEOUT_S) as http:
            return await http.post(url, data=form)


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
