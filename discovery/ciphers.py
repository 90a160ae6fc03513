"""Derives one encryption key per use from the operator's secrets.

It is part of `discovery`, which encrypts the sign-ins of servers; the host uses it for credentials and run data.
"""

import base64
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cryptography.fernet import MultiFernet


def cipher_for(use: str, secrets: Iterable[str]) -> "MultiFernet":
    """Return a cipher that encrypts with the first secret and decrypts with any; secrets may have any form.

    The keys depend on `use`: changing it makes everything undecipherable that was stored before.
    """
    from cryptography.fernet import Fernet, MultiFernet  # only who has a key needs them
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    keys = (HKDF(algorithm=SHA256(), length=32, salt=None, info=use.encode()).derive(secret.encode()) for secret in secrets)
    return MultiFernet([Fernet(base64.urlsafe_b64encode(key)) for key in keys])
