"""Calls what may block for good in a thread that the process does not wait for when it ends."""

import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from contextvars import copy_context
from typing import TypeVar, TypeVarTuple

import anyio
import anyio.from_thread
import anyio.lowlevel

Arguments = TypeVarTuple("Arguments")
Result = TypeVar("Result")


async def run_in_daemon_thread(function: Callable[[*Arguments], Result], *arguments: *Arguments) -> Result:
    """Return what a blocking function returns, or raise what it raises; a cancelled call leaves its thread behind.

    Anyio's own threads, even the abandoned ones, are joined when the interpreter ends: Ctrl-C at a prompt would wait for Enter.
    """
    outcome: Future[Result] = Future()
    ended = anyio.Event()
    token, context = anyio.lowlevel.current_token(), copy_context()

    def work() -> None:
        try:
            outcome.set_result(context.run(function, *arguments))
        except BaseException as error:  # noqa: BLE001 - it is the waiting task's
            outcome.set_exception(error)
        with suppress(RuntimeError):  # the loop is closed
            anyio.from_thread.run_sync(ended.set, token=token)

    threading.Thread(target=work, name=f"daemon thread of {function!r}", daemon=True).start()
    await ended.wait()
    return outcome.result()
