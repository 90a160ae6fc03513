"""The settings for OAuth access tokens of the gateway's clients.

They are apart from `access_tokens`, because that imports ciphers, which few gateways need.
"""

from pydantic import Field

from discovery.catalog import Frozen


class GatewayOAuth(Frozen):
    """`[gateway.oauth]`: which access tokens are accepted."""

    issuer: str = Field(pattern=r"^https?://")
    """The authorization server, exactly as its tokens name it."""
    resource: str = Field(pattern=r"^https?://")
    """This gateway's address as clients know it. Only tokens issued for it (`aud`) are accepted."""
    jwks_url: str = ""
    """The address of the issuer's public keys; if empty, it is taken from the issuer's metadata."""
    claim: str = "sub"
    """The claim that identifies the client. It is compared with `oauth_client` of the profiles."""
    scopes: tuple[str, ...] = ()
    """The scopes that a token must have."""
