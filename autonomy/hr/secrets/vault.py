"""Encrypts credentials and personal data for storage.

The secrets come from the setting `key` (newest first, separated by commas), or from a file with one secret per line, which is
created on first use and readable by its owner only. They are never in the database.
"""

import json
import os
import secrets
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from cryptography.fernet import InvalidToken

from autonomy.errors import ConfigError, StoreError
from discovery.ciphers import cipher_for
from discovery.durable_files import sync_folder

KEYS_FILE = "credential-keys"
SHORTEST_SECRET = 16


class Vault:
    """Encrypts values for one tenant and purpose, and decrypts them for the same tenant and purpose only."""

    def __init__(self, keys: Sequence[str], where: str = "key") -> None:
        if not keys:
            raise ConfigError(where, "", "there is no secret to encrypt with")
        if any(len(key) < SHORTEST_SECRET for key in keys):
            raise ConfigError(where, "", f"a secret is shorter than {SHORTEST_SECRET} characters")
        self._fernet = cipher_for("jiritsu credentials", keys)

    @classmethod
    def open(cls, home: Path, key: str = "") -> "Vault":
        """Open the vault with the secrets of the setting, else with those of the file in the data directory. Raises ConfigError
        or StoreError."""
        if key:
            return cls([part.strip() for part in key.split(",") if part.strip()])
        file = home / KEYS_FILE
        if not file.exists():
            with suppress(FileExistsError):  # another process was faster, and what it has sealed opens with its secret only
                _write_keys(file, (), os.link)
        return cls(file.read_text().split(), str(file))

    def seal(self, value: Any, *bound_to: str) -> str:
        """Encrypt a JSON value, so that it can be decrypted only with the same `bound_to` (tenant, purpose, …)."""
        return self._fernet.encrypt(json.dumps([bound_to, value]).encode()).decode()

    def unseal(self, sealed: str, *bound_to: str) -> Any:
        """Decrypt a value. Raises StoreError if it was encrypted with another secret or for another tenant or purpose, or was
        changed."""
        try:
            owner, value = json.loads(self._fernet.decrypt(sealed.encode()))
        except InvalidToken:
            raise StoreError(f"what is stored for {'/'.join(bound_to)} does not open with any of the secrets") from None
        if owner != list(bound_to):
            raise StoreError(f"what is stored for {'/'.join(bound_to)} was sealed for somebody else")
        return value

    def reseal(self, sealed: str) -> str:
        """Encrypt a value again with the newest secret. Raises StoreError if none of the secrets decrypts it."""
        try:
            return self._fernet.rotate(sealed.encode()).decode()
        except InvalidToken:
            raise StoreError("a stored value does not open with any of the secrets; it was left as it is") from None


def add_key(home: Path) -> Path:
    """Add a new secret before the others in the file, and return the file. Raises StoreError if it cannot be written."""
    file = home / KEYS_FILE
    return _write_keys(file, file.read_text().split() if file.exists() else [], Path.replace)


def _write_keys(file: Path, earlier: Sequence[str], put: Callable[[Path, Path], object]) -> Path:
    """Write a new secret and the earlier ones, by `put` of a complete file beside it. Raises StoreError, and FileExistsError as
    `put` does."""
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=file.parent, prefix=f".{file.name}-") as beside:
            fresh = Path(beside) / file.name
            with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT, 0o600), "w") as out:
                out.write("\n".join([secrets.token_urlsafe(32), *earlier]) + "\n")
                out.flush()
                os.fsync(out.fileno())
            put(fresh, file)
        sync_folder(file.parent)  # what is sealed with the secret may be on the disk before it
    except FileExistsError:
        raise
    except OSError as error:
        raise StoreError(f"{file}: cannot write the secret: {error.strerror}") from error
    return file
