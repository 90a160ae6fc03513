"""A JSON column that is compressed where that saves space."""

import base64
import zlib

import sqlalchemy as sa

MARK = "z"
"""What a packed value begins with; no JSON object or list does."""
WORTHWHILE_CHARS = 1_000
"""Shorter values stay as they are: people read them in the database, and little would be saved."""

SHORT_BYTES = 8_192
"""The window of zlib for what is no longer: it holds all of it, so that nothing is packed less, and to clear it costs a tenth."""


def packed(data: bytes) -> bytes:
    """The data as `zlib.decompress` reads it."""
    if len(data) > SHORT_BYTES:
        return zlib.compress(data, 1)
    packing = zlib.compressobj(1, wbits=13, memLevel=6)
    return packing.compress(data) + packing.flush()


class PackedText(sa.types.TypeDecorator[str]):
    """JSON text, packed when it is long; rows that an older release wrote are read as they stand."""

    impl = sa.Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: sa.Dialect) -> str | None:
        """To the database. Raises `ValueError` for what is no JSON object or list: it could not be told from what is packed."""
        if value is None:
            return None
        if not value.startswith(("{", "[")):
            raise ValueError(f"no JSON object or list: {value[:40]!r}")
        if len(value) < WORTHWHILE_CHARS:
            return value
        return MARK + base64.b64encode(packed(value.encode("utf-8", "surrogatepass"))).decode()

    def process_result_value(self, value: str | None, dialect: sa.Dialect) -> str | None:
        """From the database."""
        return value if value is None else unpacked(value)


def unpacked(value: str) -> str:
    """The text of a value as it stands in such a column."""
    if not value.startswith(MARK):
        return value
    return zlib.decompress(base64.b64decode(value[1:])).decode("utf-8", "surrogatepass")
