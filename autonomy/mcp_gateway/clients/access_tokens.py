"""Verifies the OAuth access tokens of the gateway's clients: issuer, audience, expiry and scopes (RFC 9068, RFC 8707)."""

import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any

import anyio
import httpx2
import jwt

from autonomy.mcp_gateway.clients.oauth_settings import GatewayOAuth
from discovery.catalog import JsonObject
from discovery.servers.certificates import certificates

ALGORITHMS = ("RS256", "PS256", "ES256", "EdDSA")
"""Signatures with a public key. `none` and shared secrets are refused, whatever a token claims (RFC 8725, 3.1)."""
LEEWAY_S = 30.0
"""How much clocks may differ."""
LOOK_AGAIN_S = 60.0
"""The shortest time between two requests for the issuer's keys, so that tokens with made-up key ids cause no flood of them."""
AFTER_FAILURE_S = 5.0
"""How soon the keys are requested again after a failure, which may have been short."""
KEYS_LAST_S = 300.0
"""How long the issuer's keys are used before they are requested again. A key that it has withdrawn counts no longer than that."""
LARGEST_ANSWER = 262_144
TIMEOUT_S = 10.0

Fetch = Callable[[str], Awaitable[JsonObject]]
"""Gets a JSON document. Raises `httpx2.HTTPError` or `ValueError`."""


class TokenRefused(Exception):
    """An access token is refused. The HTTP transport answers with `error`, the reason and `status` (RFC 6750, 3.1)."""

    def __init__(self, error: str, why: str, *, status: int = 401) -> None:
        self.error, self.why, self.status = error, why, status
        super().__init__(why)


class AccessTokens:
    """Identifies the bearer of an access token."""

    def __init__(
        self,
        settings: GatewayOAuth,
        clients: Mapping[str, str],
        *,
        fetch: Fetch | None = None,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        """`clients`: value of the claim → name of the profile. `fetch` and `monotonic` are replaced in tests."""
        self.settings = settings
        self._clients, self._fetch, self._monotonic = clients, fetch or fetch_json, monotonic
        self._keys: dict[str, jwt.PyJWK] = {}
        self._looked_at: float | None = None
        self._away = False
        """Whether the issuer could not be asked the last time."""
        self._looking = anyio.Lock()

    @property
    def metadata(self) -> JsonObject:
        """The metadata with which clients find the issuer (RFC 9728)."""
        document: JsonObject = {
            "resource": self.settings.resource,
            "authorization_servers": [self.settings.issuer],
            "bearer_methods_supported": ["header"],
        }
        return document | ({"scopes_supported": list(self.settings.scopes)} if self.settings.scopes else {})

    async def client_of(self, token: str) -> str:
        """Return the name of the profile that a token belongs to. Raises `TokenRefused`."""
        claims = await self._claims(token)
        granted = str(claims.get("scope", "")).split()
        if any(scope not in granted for scope in self.settings.scopes):
            raise TokenRefused("insufficient_scope", "the token lacks a scope", status=403)
        who = claims.get(self.settings.claim)
        if not isinstance(who, str) or who not in self._clients:
            raise TokenRefused("invalid_token", "no client of this gateway has this token")
        return self._clients[who]

    async def _claims(self, token: str) -> dict[str, Any]:
        try:
            key = await self._key(str(jwt.get_unverified_header(token).get("kid", "")))
            return jwt.decode(
                token,
                key,
                algorithms=list(ALGORITHMS),
                audience=self.settings.resource,
                issuer=self.settings.issuer,
                leeway=LEEWAY_S,
                options={"require": ["exp", "iss", "aud"]},
            )
        except (jwt.PyJWTError, ValueError, TypeError, RecursionError) as error:
            raise TokenRefused("invalid_token", f"the token is not valid: {type(error).__name__}") from error

    async def _key(self, key_id: str) -> jwt.PyJWK:
        if key_id not in self._keys:
            await self._fetch_keys()
        elif self._looked_at is not None and self._monotonic() - self._looked_at > KEYS_LAST_S and not self._looking.locked():
            with suppress(TokenRefused):  # an issuer that is away withdraws nothing
                await self._fetch_keys()
        key = self._keys.get(key_id) or (next(iter(self._keys.values())) if len(self._keys) == 1 and not key_id else None)
        if key is None:
            raise TokenRefused("invalid_token", "the token is signed with a key the issuer does not have")
        return key

    async def _fetch_keys(self) -> None:
        """Fetch the issuer's keys, unless that was tried a moment ago. Raises `TokenRefused`."""
        async with self._looking:
            now = self._monotonic()
            if self._looked_at is not None and now - self._looked_at < (AFTER_FAILURE_S if self._away else LOOK_AGAIN_S):
                if self._away:  # whose key is missing here is no liar, and must not throw a good token away
                    raise _away()
                return
            self._looked_at, self._away = now, True
            try:
                with anyio.fail_after(TIMEOUT_S):  # an answer may also come byte by byte
                    url = self.settings.jwks_url or _address_of_keys(
                        await self._fetch(metadata_url(self.settings.issuer)), self.settings.issuer
                    )
                    listed = (await self._fetch(url))["keys"]
                self._keys = dict(_usable(listed))
                self._away = False
            except (httpx2.HTTPError, TimeoutError, ValueError, KeyError, TypeError, AttributeError) as error:
                raise _away() from error
            finally:
                self._looked_at = self._monotonic()  # whoever waited here for a failure does not wait for another


def _away() -> TokenRefused:
    return TokenRefused("temporarily_unavailable", "the issuer's keys cannot be read", status=503)


def _address_of_keys(metadata: JsonObject, issuer: str) -> str:
    """Return where an issuer's keys are. Raises `ValueError` for the metadata of another issuer (RFC 8414, 3.3), and if an issuer
    with HTTPS would have them read in the clear, where others could replace them."""
    url = str(metadata["jwks_uri"])
    if metadata.get("issuer") != issuer:
        raise ValueError("the metadata is another issuer's")
    if issuer.startswith("https:") and not url.startswith("https:"):
        raise ValueError("the keys of an issuer with HTTPS have an address without")
    return url


def _usable(listed: list[JsonObject]) -> Iterator[tuple[str, jwt.PyJWK]]:
    """Yield the keys for signatures by their ids. A key of a kind that is not known here is left out (RFC 7517, 5)."""
    for one in listed:
        if one.get("use", "sig") == "sig":
            with suppress(jwt.PyJWTError):
                yield str(one.get("kid", "")), jwt.PyJWK(one)


def metadata_url(issuer: str) -> str:
    """Return the address of an issuer's metadata (RFC 8414, 3: the well-known part precedes the path)."""
    url = httpx2.URL(issuer)
    path = url.path.rstrip("/")
    return str(url.copy_with(path=f"/.well-known/oauth-authorization-server{path}"))


def protected_resource_path(resource: str) -> str:
    """Return the path at which clients look for the gateway's own metadata (RFC 9728, 3.1)."""
    return f"/.well-known/oauth-protected-resource{httpx2.URL(resource).path.rstrip('/')}"


async def fetch_json(url: str) -> JsonObject:
    """Get a JSON object of bounded size, without redirects. Raises `httpx2.HTTPError` or `ValueError`."""
    async with (
        httpx2.AsyncClient(timeout=TIMEOUT_S, follow_redirects=False, verify=certificates()) as client,
        client.stream("GET", url) as response,
    ):
        response.raise_for_status()
        body = b""
        async for piece in response.aiter_bytes():
            body += piece
            if len(body) > LARGEST_ANSWER:
                raise ValueError("the answer is too large")
    document = httpx2.Response(200, content=body).json()
    if not isinstance(document, dict):
        raise ValueError("the answer is not an object")  # noqa: TRY004 - the same error for every unusable answer
    return document
