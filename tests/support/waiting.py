"""Waiting for what another process does, with a bound; in process, wait for an event instead."""

import threading
import time
from collections.abc import Callable


def until(happened: Callable[[], bool], *, timeout_s: float) -> bool:
    """Look again and again until it has happened or the time is up; whether it has."""
    deadline = time.monotonic() + timeout_s
    while not happened() and time.monotonic() < deadline:
        threading.Event().wait(0.02)
    return happened()
