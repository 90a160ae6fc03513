"""Runs tasks beside a body and ends them with it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio
import anyio.abc


@asynccontextmanager
async def background_tasks() -> AsyncIterator[anyio.abc.TaskGroup]:
    """Open a task group that is cancelled when the body ends; an exception of the body is not wrapped in an exception group."""
    failure: BaseException | None = None
    async with anyio.create_task_group() as tasks:
        try:
            yield tasks
        except BaseException as error:  # noqa: BLE001 - raised again below, outside of the task group that would wrap it
            failure = error
        tasks.cancel_scope.cancel()
    if failure is not None:
        raise failure
