"""An ASGI app that answers on loopback, in this process, until nobody is connected to it any more."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import anyio
import anyio.to_thread
import uvicorn

from tests.support.waiting import until


@asynccontextmanager
async def served(app: Any) -> AsyncIterator[int]:
    """The port of 127.0.0.1 on which the app answers.

    It ends once each client's connection is gone: uvicorn that is told to leave at once leaves the stream's socket open,
    and the garbage collector finds it within another test.
    """
    running = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=0, log_level="error"))
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(running.serve)
        assert await anyio.to_thread.run_sync(lambda: until(lambda: running.started, timeout_s=240))
        yield running.servers[0].sockets[0].getsockname()[1]
        assert await anyio.to_thread.run_sync(lambda: until(lambda: not running.server_state.connections, timeout_s=240))
        running.should_exit = True
