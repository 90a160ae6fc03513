"""Finds orders to a machine in texts that people wrote, and that nobody should hand on."""

import re

_ORDERS = re.compile(
    r"SYSTEM:|指示を無視|これまでの指示|アシスタントは|ignore (?:all |any )?(?:previous|prior)"
    r"|disregard|as an? AI|you must (?:now )?send",
    re.IGNORECASE,
)


def orders_a_machine(text: str) -> bool:
    """Whether a text tells its reader, as a machine, what to do."""
    return bool(_ORDERS.search(text))
