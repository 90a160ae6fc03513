"""Limits the size of a server's message, on either transport."""

ORDINARY_BYTES = 4 << 20
"""A larger message is only read when it answers a call, and looked at before it is parsed."""
READABLE_BYTES = 32 << 20
"""A larger answer fails its own call: half of what is read past, so that a server that never ends costs no more memory."""
MOST_VALUES = 2_000_000
"""Of a message that is larger than ordinary: each costs some sixty bytes of ours, however few of the server's."""


def values_in(message: bytes | bytearray) -> int:
    """How many values it may hold, told from its separators; text with commas counts too much, never too little."""
    return message.count(b",") + message.count(b"[") + message.count(b"{")


def too_large(message: bytes | bytearray) -> str:
    """Why a message is not worth parsing; empty when it is."""
    if len(message) > READABLE_BYTES:
        return f"it sent a message of more than {READABLE_BYTES} bytes; ask for less of it"
    if len(message) > ORDINARY_BYTES and values_in(message) > MOST_VALUES:
        return f"it sent a message of more than {MOST_VALUES} values; ask for less of it"
    return ""
