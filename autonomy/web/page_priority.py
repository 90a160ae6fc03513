"""Gives requested pages precedence over background computation."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

WAIT_S = 0.1
WORK_S = 0.01
"""After so long a wait in all, so much is counted whoever is there: readers who keep asking must not stop what they wait for."""


class PagePriority:
    """Python lets one thread compute at a time, so whoever counts waits while a page is being made."""

    def __init__(self) -> None:
        self._pages, self._nobody = 0, threading.Event()
        self._waited_s, self._busy_until = 0.0, 0.0
        self._nobody.set()

    @contextmanager
    def page(self) -> Iterator[None]:
        """A page is being made. On the event loop alone."""
        self._pages += 1
        self._nobody.clear()
        try:
            yield
        finally:
            self._pages -= 1
            if not self._pages:
                self._nobody.set()

    def give_way(self) -> None:
        """Wait while a page is being made. In the one thread that counts, often."""
        if self._nobody.is_set() or (began := time.monotonic()) < self._busy_until:
            return
        self._nobody.wait(WAIT_S - self._waited_s)
        now = time.monotonic()
        self._waited_s += now - began
        if self._waited_s >= WAIT_S:
            self._waited_s, self._busy_until = 0.0, now + WORK_S
