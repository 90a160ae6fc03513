"""Fixtures for commands that run in the tests' own process."""

import logging
from collections.abc import Iterator

import pytest


@pytest.fixture
def logging_as_before() -> Iterator[None]:
    """A command sets up logging for its process; here that is the tests' own."""
    root, handlers, levels = logging.getLogger(), logging.getLogger().handlers[:], _levels()
    yield
    root.handlers[:] = handlers
    for name in _levels():
        logging.getLogger(name).setLevel(levels.get(name, logging.NOTSET))


def _levels() -> dict[str, int]:
    loggers = logging.root.manager.loggerDict.items()
    return {name: logger.level for name, logger in loggers if isinstance(logger, logging.Logger)}
