"""The console's settings: address and access."""

import ipaddress
import os
import re
from typing import Literal

from pydantic import Field, SecretStr, ValidationError

from autonomy.errors import ConfigError
from discovery.catalog import Frozen, JsonObject

Role = Literal["viewer", "operator"]

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
"""The names by which a browser on this machine reaches a server on loopback."""


class WebSettings(Frozen):
    """`[web]` of the settings file."""

    listen: str = "127.0.0.1:8484"
    """HOST:PORT."""
    hosts: tuple[str, ...] = ()
    """Names by which browsers may call it, beside loopback's: any other `Host` is refused, which stops DNS rebinding."""
    password: SecretStr = SecretStr("")
    """Signs an operator in; empty takes `JIRITSU_WEB_PASSWORD`, and without that the link that is printed at start."""
    viewer_password: SecretStr = SecretStr("")
    """Signs somebody in who may look and change nothing."""
    proxy_header: str = ""
    """The header in which an authenticating proxy names the person, e.g. `X-Forwarded-User`."""
    proxy_from: tuple[str, ...] = ("127.0.0.1", "::1")
    """The addresses of that proxy; from any other the header counts for nothing. Where they are set, `X-Forwarded-For` is read
    from them, too, which says who fails to sign in."""
    operators: tuple[str, ...] = ()
    """The people, as the proxy names them, who may change things; everyone else only looks."""
    session_hours: float = Field(12.0, gt=0)
    """How long a sign-in lasts."""
    tenants: tuple[str, ...] = ()
    """Tenants beside its own whose runs, measures and costs everybody who signs in may look at. Nothing is changed there."""
    attempts_per_minute: int = Field(5, ge=1)
    """How often signing in may fail, from one client, before it has to wait. A password is guessed slowly or not at all."""

    @property
    def host(self) -> str:
        """The host to listen on."""
        return self.listen.rpartition(":")[0].strip("[]")

    @property
    def port(self) -> int:
        """The port to listen on."""
        return int(self.listen.rpartition(":")[2])

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine can reach it."""
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return self.host == "localhost"


def web_settings(table: JsonObject, origin: str, listen: str = "") -> WebSettings:
    """The settings, held against one another. Raises `ConfigError`: beyond loopback it takes a password or a proxy."""
    values = {**table, **({"listen": listen} if listen else {})}
    if not values.get("password") and (password := os.environ.get("JIRITSU_WEB_PASSWORD")):
        values["password"] = password
    try:
        settings = WebSettings.model_validate(values)
    except ValidationError as error:
        raise ConfigError.of(origin, error, "web", model=WebSettings) from error
    host, _, port = settings.listen.rpartition(":")
    if not host or not re.fullmatch("[0-9]{1,5}", port) or not 0 < int(port) <= 65535:
        raise ConfigError(origin, "web.listen", f"{settings.listen!r} is not HOST:PORT, e.g. 127.0.0.1:8484")
    if settings.is_loopback:
        return settings
    if not (settings.password.get_secret_value() or settings.proxy_header):
        raise ConfigError(
            origin,
            "web.listen",
            f"{host} can be reached from elsewhere: set web.password (or JIRITSU_WEB_PASSWORD) or web.proxy_header first",
        )
    if not settings.hosts:
        raise ConfigError(
            origin, "web.hosts", f"name the hosts by which browsers reach {settings.listen}, e.g. console.example.org"
        )
    return settings
