"""Collects all the text of an answer that a client can read."""

import base64
import binascii
from collections.abc import Iterator
from typing import Any

from autonomy.run_state.run_values import CallRecord
from discovery.catalog import JsonObject

LARGEST_BLOB = 4_000_000
"""Base64 characters that are searched for text."""


def text_of_answer(record: CallRecord) -> str:
    """Return all texts of an answer to a call."""
    texts, output = [record.whole or record.result.text], record.output
    if output is not None:
        if output.structured is not None and output.structured != {"result": output.text}:  # SDKs wrap a plain text so
            texts += _words_of(output.structured)
        texts += [text for block in output.blocks for text in _texts_of_block(block)]
    return "\n".join(texts)


def text_of_blob(data: str) -> str:
    """Decode text in Base64; empty if the bytes are not text."""
    try:
        return base64.b64decode(data[:LARGEST_BLOB]).decode()
    except (binascii.Error, UnicodeDecodeError):
        return ""


def _texts_of_block(block: JsonObject) -> Iterator[str]:
    """Yield the texts of a block that are not in the answer's own text: attached, linked, or for the person only."""
    if block.get("type") == "text" and block.get("annotations"):
        yield str(block.get("text", ""))
    resource = block.get("resource")
    if isinstance(resource, dict):
        yield from (str(resource.get("text", "")), text_of_blob(str(resource.get("blob", ""))))
    yield from (str(held[key]) for held in (block, resource) if isinstance(held, dict) for key in _NAMES if key in held)


_NAMES = ("uri", "name", "title", "description")


def _words_of(data: Any) -> Iterator[str]:
    """Yield every plain value and every key in JSON data."""
    waiting = [data]
    while waiting:
        match waiting.pop():
            case dict() as fields:
                yield from fields
                waiting += fields.values()
            case list() as items:
                waiting += items
            case value:
                yield str(value)
