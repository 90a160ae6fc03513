"""What is asked for at the same time is done in one go, and each who asked learns how it went."""

from collections.abc import Sequence

import anyio
import pytest

from discovery.timing.together import Together


class Slow:
    """Does batches, each when it may."""

    def __init__(self) -> None:
        self.begun, self.may = list[list[int]](), anyio.Event()

    async def do(self, batch: Sequence[int]) -> None:
        self.begun.append(list(batch))
        await self.may.wait()
        if 13 in batch:
            raise ValueError("unlucky")


async def test_what_comes_while_a_batch_is_under_way_is_done_together_afterwards() -> None:
    slow = Slow()
    together = Together(slow.do)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(together.add, 0)
        await anyio.wait_all_tasks_blocked()
        for number in range(1, 5):
            tasks.start_soon(together.add, number)
        await anyio.wait_all_tasks_blocked()
        assert slow.begun == [[0]]
        slow.may.set()
    assert slow.begun == [[0], [1, 2, 3, 4]]


async def test_each_of_a_batch_learns_that_it_failed_and_nobody_else() -> None:
    slow, failed = Slow(), list[int]()
    together = Together(slow.do)

    async def ask(number: int) -> None:
        try:
            await together.add(number)
        except ValueError:
            failed.append(number)

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(ask, 0)
        await anyio.wait_all_tasks_blocked()
        for number in (12, 13, 14):
            tasks.start_soon(ask, number)
        await anyio.wait_all_tasks_blocked()
        slow.may.set()
    await ask(15)
    assert sorted(failed) == [12, 13, 14]


async def test_a_batch_whose_doer_is_cancelled_is_done_by_the_next() -> None:
    slow, gives_up = Slow(), anyio.CancelScope()
    together = Together(slow.do)

    async def first() -> None:
        with gives_up:
            await together.add(1)

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(together.add, 0)
        await anyio.wait_all_tasks_blocked()
        tasks.start_soon(first)
        tasks.start_soon(together.add, 2)
        await anyio.wait_all_tasks_blocked()
        before, slow.may = slow.may, anyio.Event()
        before.set()
        await anyio.wait_all_tasks_blocked()
        assert slow.begun == [[0], [1, 2]]
        gives_up.cancel()
        slow.may.set()
    assert slow.begun == [[0], [1, 2], [1, 2]]


async def test_an_error_is_raised_as_it_is() -> None:
    slow = Slow()
    slow.may.set()
    with pytest.raises(ValueError, match="unlucky"):
        await Together(slow.do).add(13)
