"""Fixtures for commands that run in the tests' own process."""

import logging
from collections.abc import Iterator

import pytest


@pytest.fixture
def logging_as_before() -> Iterator[None]:
    """A command sets up logging for its process; here that is the tests' own."""
    root, names = logging.getLogger(), ("autonomy", "discovery", "metrics", "mcp", "httpx2", "client")
    handlers, levels = root.handlers[:], {name: logging.getLogger(name).level for name in names}
    yield
    root.handlers[:] = handlers
    for name, level in levels.items():
        logging.getLogger(name).setLevel(level)
