"""Digests of arguments and results, which the journal stores instead of them."""

import hashlib
import json
from typing import Any


def digest(data: Any) -> str:
    """SHA-256 of something that can be JSON."""
    return hashlib.sha256(_write(data).encode(errors="surrogatepass")).hexdigest()


# `json.dumps` would make an encoder for each
_write = json.JSONEncoder(sort_keys=True, ensure_ascii=False, default=str).encode
