"""Finds the proxy for an address, and words the cause of a failed connection."""

import os
import re
import socket
import ssl
from collections.abc import Iterator, Mapping
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from discovery.discovery_errors import NetworkUnusable, first_of, said_by

_NAMES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY")
BY_PROXY = "the proxy"
UNTRUSTED = "its certificate is not trusted"
_PLAIN = {"ws": "http", "wss": "https"}
"""A websocket begins as an HTTP request."""


def proxy_of(address: str) -> str:
    """Return the proxy for an address by `HTTP_PROXY`, `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY`; empty if there is none.

    Raises `NetworkUnusable` for a proxy that cannot be used; the message does not contain its password.
    """
    where = urlsplit(address)
    host = where.netloc.rpartition("@")[2]
    scheme = _PLAIN.get(where.scheme, where.scheme)
    named = getproxies()
    kind = scheme if named.get(scheme) else "all"
    proxy = named.get(kind, "")
    if not proxy or proxy_bypass(host) or proxy_bypass(where.hostname or ""):
        return ""
    variable = f"{kind.upper()}_PROXY"
    proxy = proxy if "://" in proxy else f"http://{proxy}"
    try:
        found = urlsplit(proxy)
        usable = bool(found.hostname) and found.port != 0
    except ValueError:
        usable = False
    if not usable:
        raise NetworkUnusable(variable, "is no address like http://HOST:PORT; a password has %2F for / and %40 for @")
    if found.scheme not in ("http", "https"):
        raise NetworkUnusable(variable, f"is a proxy of the kind {found.scheme}, and only http and https are spoken")
    return proxy


def place(authority: str, proxy: str) -> str:
    """Say where a request went and through which proxy, without the proxy's password."""
    return f"{authority} through the proxy {urlsplit(proxy).netloc.rpartition('@')[2]}" if proxy else authority


def unreached(error: BaseException, proxy: str, *, refusal: str = "", unsent: bool = True) -> str:
    """Say why a server was not reached. `refusal` is the proxy's answer; `unsent` tells that no connection was made."""
    if refusal:
        return f"{BY_PROXY} refuses: {refusal}"
    chain = list(_chain(error))
    if doubt := next(filter(None, (getattr(cause, "verify_message", "") for cause in chain)), ""):
        return f"{UNTRUSTED}: {doubt}"
    reason = next(filter(None, map(_of_the_system, chain)), said_by(error))
    has_tls = any(isinstance(cause, ssl.SSLError) for cause in chain)
    return f"{BY_PROXY} does not answer: {reason}" if proxy and unsent and not has_tls else reason


def remedy(problem: str) -> str:
    """Say what to do about a problem worded by `unreached` or `NetworkUnusable`; empty for any other problem."""
    if UNTRUSTED in problem and not re.search("issuer|self.signed", problem):
        return "its operator must renew it: it is out of date, or for another name"
    if UNTRUSTED in problem or "SSL_CERT_" in problem:
        return "name the file of the certificate authority that signed it in SSL_CERT_FILE"
    if BY_PROXY in problem or "_PROXY " in problem:
        return (
            "correct the proxy's variable (http://HOST:PORT, or with NAME:PASSWORD@ before HOST), or name the server in NO_PROXY"
        )
    return ""


def proxies_without_password(env: Mapping[str, str]) -> dict[str, str]:
    """Return the proxy variables that a foreign program may be given."""
    return {name: value for name, value in _proxies(env).items() if "@" not in value}


def proxies_with_password(env: Mapping[str, str]) -> tuple[str, ...]:
    """Return the names of the proxy variables that contain a password."""
    return tuple(name for name, value in _proxies(env).items() if "@" in value)


def _proxies(env: Mapping[str, str]) -> dict[str, str]:
    return {name: env[name] for name in (*_NAMES, *map(str.lower, _NAMES)) if name in env}


def _chain(error: BaseException) -> Iterator[BaseException]:
    """Yield the error and its causes; of an exception group only the first error."""
    cause: BaseException | None = error
    while cause is not None:
        cause = first_of(cause)
        yield cause
        cause = cause.__cause__ or cause.__context__


def _of_the_system(error: BaseException) -> str:
    if isinstance(error, socket.gaierror):
        return "no machine of that name is known"
    if isinstance(error, TimeoutError) and not error.errno:
        return "no answer in time"
    if isinstance(error, ssl.SSLError):
        return f"TLS fails: {(error.reason or 'no reason given').replace('_', ' ').lower()}"
    return os.strerror(error.errno).lower() if isinstance(error, OSError) and error.errno and error.errno > 0 else ""
