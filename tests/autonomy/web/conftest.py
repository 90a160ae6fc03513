"""One browser for all tests of the console that need one: each takes seconds to start."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.console_browser import chromium


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    with chromium() as driver:
        yield driver
