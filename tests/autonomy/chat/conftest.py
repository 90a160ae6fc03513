"""A workspace of Slack."""

from collections.abc import AsyncIterator

import anyio
import pytest

from tests.support.slack import Slack


@pytest.fixture
async def slack() -> AsyncIterator[Slack]:
    async with Slack() as fake:
        with anyio.fail_after(60):
            yield fake
