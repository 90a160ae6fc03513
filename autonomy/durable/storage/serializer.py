"""Serialises DBOS step results as JSON, compressed, and encrypted where a key is set.

What is stored begins with a letter that says how: `j` plain, `e` encrypted. So a key may be set later, and rotated.
"""

import base64
import json
import zlib
from collections.abc import Sequence
from typing import Any

from autonomy.durable.storage.packed_text import packed
from autonomy.errors import KeyMissing
from discovery.ciphers import cipher_for


class RecordedError(Exception):
    """An error as it was recorded: its class and its words."""


class WrittenJson(bytes):
    """Data that is JSON already."""


class JsonSerializer:
    """To text and back, whoever reads it; the engine's own is made of it (`engine.EngineSerializer`)."""

    def __init__(self, keys: Sequence[str] = ()) -> None:
        """`keys`: the operator's secrets; the first encrypts, all of them decrypt."""
        self._fernet = cipher_for("jiritsu runs", keys) if keys else None

    def name(self) -> str:
        """Stored with each row, so that another form can follow."""
        return "jiritsu-json-1"

    def serialize(self, data: Any) -> str:
        """To text. `ensure_ascii` lets lone surrogates through, which tools do send."""
        written = data if isinstance(data, WrittenJson) else json.dumps(data, default=_as_data, ensure_ascii=True).encode()
        if self._fernet is None:
            return "j" + base64.b64encode(packed(written)).decode()
        return "e" + self._fernet.encrypt(packed(written)).decode()

    def deserialize(self, serialized_data: str) -> Any:
        """From text. Raises `KeyMissing` when it was encrypted under a key that is not among ours."""
        data = json.loads(zlib.decompress(self._unpacked(serialized_data)))
        if isinstance(data, dict) and set(data) == {"__error__"}:
            return RecordedError(": ".join(data["__error__"]))
        return data

    def _unpacked(self, stored: str) -> bytes:
        how, body = stored[:1], stored[1:].encode()
        if how == "j":
            return base64.b64decode(body)
        if self._fernet is None:
            raise KeyMissing("what runs remember is encrypted, and no key is set (JIRITSU_KEY)")
        from cryptography.fernet import InvalidToken

        try:
            return self._fernet.decrypt(body)
        except InvalidToken as error:
            raise KeyMissing("what runs remember was encrypted under a key that is not among JIRITSU_KEY") from error


def _as_data(value: object) -> Any:
    if isinstance(value, BaseException):
        return {"__error__": [type(value).__name__, str(value)[:2000]]}
    if isinstance(value, tuple | set | frozenset):
        return list(value)
    raise TypeError(f"{type(value).__name__} may not be recorded")
