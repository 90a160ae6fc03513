"""Finds instructions to a machine in texts that people wrote, which must not be passed on."""

from metrics.text.phrases import patterns_of

_ORDERS = patterns_of("autonomy.llm")["orders_a_machine"]


def orders_a_machine(text: str) -> bool:
    """Whether a text tells its reader, as a machine, what to do."""
    return bool(order_to_a_machine(text))


def order_to_a_machine(text: str) -> str:
    """What a text tells its reader as a machine, to its end; empty where it tells nothing."""
    found = _ORDERS.search(text)
    return text[found.start() :] if found else ""
