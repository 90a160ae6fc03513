"""The certificate authorities for verifying servers, read once per process."""

import ssl
from functools import cache

import httpx2


@cache
def certificates() -> ssl.SSLContext:
    """The certificate authorities for this process's HTTP clients: the machine's, or `SSL_CERT_FILE` and `SSL_CERT_DIR`.

    Reading them takes some 27 ms of processor time, so call it off the event loop. The context holds nothing of any server or
    tenant. Authorities that are added later are known after a restart.
    """
    return httpx2.create_ssl_context()
