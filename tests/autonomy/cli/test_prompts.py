"""A person who is asked and does not answer holds up nothing: Ctrl-C ends the process at a prompt, too."""

import io
import threading
from collections.abc import Iterator

import anyio
import pytest

import autonomy.chat.chat_service  # noqa: F401 - a command reads its files before it runs
from autonomy.cli.commands import chat
from autonomy.cli.terminal_approver import TerminalApprover
from autonomy.daemon_threads import run_in_daemon_thread
from autonomy.run_state.asking.approvals import ApprovalQuestion


class SilentTerminal(io.StringIO):
    """A terminal at which nobody types until the test is over."""

    def __init__(self) -> None:
        super().__init__()
        self.reading, self.over = threading.Event(), threading.Event()
        self.readers: list[threading.Thread] = []

    def isatty(self) -> bool:
        return True

    def readline(self, size: int | None = -1, /) -> str:
        self.readers.append(threading.current_thread())
        self.reading.set()
        self.over.wait(240)
        return ""


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Iterator[SilentTerminal]:
    silent = SilentTerminal()
    monkeypatch.setattr("sys.stdin", silent)
    yield silent
    silent.over.set()


async def interrupt_when_asked(terminal: SilentTerminal, scope: anyio.CancelScope) -> None:
    await anyio.to_thread.run_sync(terminal.reading.wait, 240)
    scope.cancel()


def may_end(terminal: SilentTerminal) -> bool:
    """Whether the interpreter can end while somebody is asked: it joins every thread that is no daemon."""
    return all(thread.daemon for thread in terminal.readers)


async def test_an_approval_that_is_asked_for_does_not_keep_the_process(terminal: SilentTerminal) -> None:
    question = ApprovalQuestion(
        run_id="run-1", key="turn-1/call-1", tenant="default", job="", tool="shop_order", effect="write",
        arguments={"item": "tea"}, arguments_sha256="0" * 64, reason="it changes something",
    )  # fmt: skip
    async with anyio.create_task_group() as group:
        group.start_soon(interrupt_when_asked, terminal, group.cancel_scope)
        await TerminalApprover(approve_all=False).ask(question)
    assert terminal.readers
    assert may_end(terminal)


async def test_a_chat_that_waits_for_a_line_does_not_keep_the_process(terminal: SilentTerminal) -> None:
    async with anyio.create_task_group() as group:
        group.start_soon(interrupt_when_asked, terminal, group.cancel_scope)
        await chat._converse(None, "", "thread")  # type: ignore[arg-type]  # nothing is answered
    assert terminal.readers
    assert may_end(terminal)


async def test_what_a_daemon_thread_returns_and_raises_comes_back() -> None:
    assert await run_in_daemon_thread(divmod, 7, 2) == (3, 1)
    with pytest.raises(ZeroDivisionError):
        await run_in_daemon_thread(divmod, 7, 0)
