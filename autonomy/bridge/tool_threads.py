"""Runs synchronous tool functions in daemon threads, one for each call.

A function that hangs can be abandoned at any time. It delays neither its caller's deadline, nor the shared worker threads of
anyio, nor the end of the process. Python cannot stop it, so it may still have effects.
"""

import asyncio
import contextvars
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


class DaemonThreads(Executor):
    """An executor without a pool, so that no call waits for another one's thread."""

    def submit(self, fn: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> Future[R]:
        """Start the call in a thread of its own."""
        future: Future[R] = Future()
        threading.Thread(target=_settle, args=(future, fn, args, kwargs), name="tool", daemon=True).start()
        return future


TOOL_THREADS = DaemonThreads()


async def run_in_tool_thread(call: Callable[[], Any]) -> Any:
    """Return the result of a call, made with the caller's context variables. If the caller is cancelled, the thread is
    abandoned."""
    return await asyncio.get_running_loop().run_in_executor(TOOL_THREADS, contextvars.copy_context().run, call)


def _settle(future: Future[Any], fn: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    if not future.set_running_or_notify_cancel():
        return
    try:
        future.set_result(fn(*args, **kwargs))
    except StopIteration as error:  # asyncio does not accept it, and the caller would wait forever
        future.set_exception(RuntimeError(f"the function raised StopIteration: {error}"))
    except BaseException as error:  # noqa: BLE001 - the future raises it
        future.set_exception(error)
