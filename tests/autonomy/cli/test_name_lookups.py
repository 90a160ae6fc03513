"""Names are looked up in threads that nobody waits for when the process ends."""

import socket
import threading
from typing import Any

import anyio
import pytest

from autonomy.cli.entry import look_names_up_apart
from tests.requirements import requirement


@requirement("D3")
def test_a_resolver_that_does_not_answer_keeps_no_event_loop_open(monkeypatch: pytest.MonkeyPatch) -> None:
    answers, ended = threading.Event(), threading.Event()

    def unanswered(*_: Any, **__: Any) -> Any:
        answers.wait(240)
        ended.set()
        return []

    async def command() -> None:
        look_names_up_apart()
        with anyio.CancelScope() as scope:
            scope.cancel()
            await anyio.getaddrinfo("far.example", 443)

    monkeypatch.setattr(socket, "getaddrinfo", unanswered)
    anyio.run(command)
    assert not ended.is_set()
    answers.set()
    assert ended.wait(240)  # and what it finds then troubles nobody


def test_what_is_found_and_what_is_not_comes_back() -> None:
    async def command() -> None:
        look_names_up_apart()
        assert (await anyio.getaddrinfo("localhost", 443, type=socket.SOCK_STREAM))[0][4][1] == 443
        with pytest.raises(socket.gaierror):
            await anyio.getaddrinfo("no such name", 443)

    anyio.run(command)
