"""Runs synchronous tool functions in daemon threads, one for each call.

A function that hangs can be left behind at any time: it holds up neither its caller's deadline, nor the shared worker threads of
anyio, nor the end of the process. Python cannot stop it; what it does may still take effect.
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
    """An executor without a pool, so that no call waits for another's thread."""

    def submit(self, fn: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> Future[R]:
        """Start the call in a thread of its own."""
        future: Future[R] = Future()
        threading.Thread(target=_settle, args=(future, fn, args, kwargs), name="tool", daemon=True).start()
        return future


TOOL_THREADS = DaemonThreads()


async def run_in_tool_thread(call: Callable[[], Any]) -> Any:
    """The result of a call, in the caller's context; when the caller is cancelled, the thread is left behind."""
    return await asyncio.get_running_loop().run_in_executor(TOOL_THREADS, contextvars.copy_context().run, call)


def _settle(future: Future[Any], fn: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    if not future.set_running_or_notify_cancel():
        return
    try:
        future.set_result(fn(*args, **kwargs))
    except StopIteration as error:  # asyncio refuses to carry it, and whoever awaits the result would wait for ever
        future.set_exception(RuntimeError(f"the function raised StopIteration: {error}"))
    except BaseException as error:  # noqa: BLE001 -- it is raised where the result is awaited
        future.set_exception(error)
