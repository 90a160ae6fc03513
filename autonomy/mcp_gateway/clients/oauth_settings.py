"""Whose access tokens open the gateway; checking one brings ciphers (`access_tokens`), which few gateways need."""

from pydantic import Field

from discovery.catalog import Frozen


class GatewayOAuth(Frozen):
    """`[gateway.oauth]`: whose access tokens open the gateway."""

    issuer: str = Field(pattern=r"^https?://")
    """The authorization server, exactly as it names itself in its tokens."""
    resource: str = Field(pattern=r"^https?://")
    """This gateway's address as clients know it: only tokens made for it (`aud`) are taken."""
    jwks_url: str = ""
    """Where the issuer's public keys are; none given finds them by its metadata."""
    claim: str = "sub"
    """Which claim says who the client is; a profile's `oauth_client` is held against it."""
    scopes: tuple[str, ...] = ()
    """What a token has to be granted."""
