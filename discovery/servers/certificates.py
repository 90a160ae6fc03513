"""Reads the certificate authorities for verifying servers, once per process."""

import os
import ssl
from functools import cache

import httpx2

from discovery.discovery_errors import NetworkUnusable


@cache
def certificates() -> ssl.SSLContext:
    """Return the certificate authorities for this process's HTTP clients: the machine's, or `SSL_CERT_FILE` and `SSL_CERT_DIR`.

    Reading them takes some 27 ms of CPU, so call it in a thread. The context holds nothing of any server or tenant. Authorities
    that are added later are known after a restart. Raises `NetworkUnusable` for a file that holds none.
    """
    import encodings.idna  # noqa: F401 - otherwise read from disk by the first connection, on the event loop

    try:
        return httpx2.create_ssl_context()
    except OSError as error:  # an `SSLError` is one
        variable = "SSL_CERT_FILE" if (named := os.environ.get("SSL_CERT_FILE")) else "SSL_CERT_DIR"
        problem = "holds no certificate" if isinstance(error, ssl.SSLError) else (error.strerror or str(error)).lower()
        raise NetworkUnusable(variable, f"names {named or os.environ.get('SSL_CERT_DIR', '')}: {problem}") from error
