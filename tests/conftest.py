"""What every test gets: one asyncio backend, a failure when the event loop is blocked, no network but loopback, a home of its own."""

import ipaddress
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from blockbuster import BlockBuster, blockbuster_ctx


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(autouse=True)
def blocked_loop() -> Iterator[BlockBuster]:
    """A blocking call on the event loop inside our own packages fails the test."""
    with blockbuster_ctx(scanned_modules=["autonomy", "discovery", "metrics"]) as guard:
        yield guard


@pytest.fixture(autouse=True)
def only_loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    """Connecting to anything but this machine raises, so that no test can depend on the world outside."""
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: Any) -> None:
        if self.family in (socket.AF_INET, socket.AF_INET6):
            host = address[0]
            if host != "localhost" and not ipaddress.ip_address(host).is_loopback:
                raise RuntimeError(f"a test tried to reach {host}; only loopback is allowed")
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", guarded)


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data directory of the test's own, and none of the developer's settings."""
    directory = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("JIRITSU_HOME", str(directory))
    for name in (
        "OPENAI_API_KEY",
        "ANTHROPIC_API_KEY",
        "SLACK_BOT_TOKEN",
        "SLACK_APP_TOKEN",
        "ESA_ACCESS_TOKEN",
        "MCP_ENABLED",
    ):
        monkeypatch.delenv(name, raising=False)
    return directory
