"""Derives one encryption key per use from the operator's secrets.

Here, below the host, because the sign-ins of servers are encrypted here; the host's credentials and what its runs remember use
the same.
"""

import base64
from collections.abc import Iterable

from cryptography.fernet import Fernet, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF


def cipher_for(use: str, secrets: Iterable[str]) -> MultiFernet:
    """A cipher that encrypts with the first secret and decrypts with any; secrets may have any form. `use` is part of what is
    stored: never change it."""
    return MultiFernet([Fernet(_key(use, secret)) for secret in secrets])


def _key(use: str, secret: str) -> bytes:
    derived = HKDF(algorithm=SHA256(), length=32, salt=None, info=use.encode()).derive(secret.encode())
    return base64.urlsafe_b64encode(derived)
