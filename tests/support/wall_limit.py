"""Ends the process when a test takes longer than its wall limit.

One thread watches all tests: pytest-timeout starts one for each, which is half a millisecond of processor time.
"""

import threading
from time import monotonic  # a test may put its own clock in its place

import pytest
from pytest_timeout import Settings, timeout_timer

LOOK_S = 5.0
"""A hang guard may be late by that."""


class WallLimit:
    """The limit of the test that runs."""

    def __init__(self) -> None:
        self._watched: tuple[pytest.Item, Settings, float] | None = None
        self._thread: threading.Thread | None = None

    def watch(self, item: pytest.Item, settings: Settings) -> None:
        """Tell the stacks of all threads and end this process, unless `forget` is called within the test's limit."""
        self._watched = item, settings, monotonic() + settings.timeout
        if self._thread is None or not self._thread.is_alive():  # a fork has none
            self._thread = threading.Thread(target=self._look, name="wall limit", daemon=True)
            self._thread.start()

    def forget(self) -> None:
        """Watch nothing any more: the test has ended."""
        self._watched = None

    def _look(self) -> None:
        never = threading.Event()
        while not never.wait(LOOK_S):
            if (watched := self._watched) and monotonic() > watched[2]:
                timeout_timer(watched[0], watched[1])
