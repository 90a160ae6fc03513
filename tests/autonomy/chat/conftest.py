"""A workspace of Slack."""

from collections.abc import AsyncIterator

import anyio
import pytest

from autonomy.chat.slack import approval_notifier, inbox_worker, people
from tests.support.slack import Slack


@pytest.fixture
async def slack() -> AsyncIterator[Slack]:
    async with Slack() as fake:
        with anyio.fail_after(240):
            yield fake


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is looked up meanwhile is waited for, however busy the machine is; a test of a slow Slack sets its own bound."""
    monkeypatch.setattr(people, "READER_S", 60.0)
    monkeypatch.setattr(approval_notifier, "NAMES_S", 60.0)
    monkeypatch.setattr(inbox_worker, "THREAD_S", 60.0)
