"""Does together what is asked for at the same time."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

import anyio

T = TypeVar("T")


@dataclass(eq=False)
class _Batch(Generic[T]):
    items: list[T] = field(default_factory=list)
    done: bool = False
    error: Exception | None = None


class Together(Generic[T]):
    """Does one batch after the other: what comes while a batch is under way is done together afterwards.

    So thirty servers that list their tools at once do not wait for the database one by one.
    """

    def __init__(self, do: Callable[[Sequence[T]], Awaitable[None]]) -> None:
        self._do = do
        self._next = _Batch[T]()
        self._turn = anyio.Lock()

    async def add(self, item: T) -> None:
        """Return when it is done; that begins after this call. Raises what its batch raised."""
        batch = self._next
        batch.items.append(item)
        async with self._turn:
            if not batch.done:  # nobody has begun it, or whoever did was cancelled
                if self._next is batch:
                    self._next = _Batch()
                try:
                    await self._do(batch.items)
                except Exception as error:  # noqa: BLE001 - raised below, to each of the batch
                    batch.error = error
                batch.done = True
        if batch.error is not None:
            raise batch.error
