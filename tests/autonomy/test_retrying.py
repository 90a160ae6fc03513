"""Attempts through tenacity, of which the first is made without it."""

import pytest
from anyio.lowlevel import checkpoint
from tenacity import AsyncRetrying, RetryCallState, retry_if_exception_type, stop_after_attempt

from autonomy.retrying import retried

pytestmark = pytest.mark.anyio


def three_attempts(told: list[int]) -> AsyncRetrying:
    """Three attempts without waiting; `told`: the number of each that failed before another one."""

    async def asleep(_seconds: float) -> None:
        await checkpoint()

    def tell(state: RetryCallState) -> None:
        told.append(state.attempt_number)

    return AsyncRetrying(
        sleep=asleep, stop=stop_after_attempt(3), retry=retry_if_exception_type(OSError), before_sleep=tell, reraise=True
    )


@pytest.mark.parametrize(("fails", "told"), [(0, []), (1, [1]), (2, [1, 2])])
async def test_every_attempt_counts_once(fails: int, told: list[int]) -> None:
    made: list[str] = []
    seen: list[int] = []

    async def work(word: str, *, times: int) -> str:
        made.append(word)
        if len(made) <= fails:
            raise OSError
        return word * times

    assert await retried(lambda: three_attempts(seen), work, "tea", times=2) == "teatea"
    assert (len(made), seen) == (fails + 1, told)


@pytest.mark.parametrize(("error", "made"), [(OSError("away"), 3), (ValueError("never"), 1)])
async def test_the_last_error_is_raised_as_it_is(error: Exception, made: int) -> None:
    attempts: list[int] = []

    async def work() -> None:
        attempts.append(1)
        raise error

    with pytest.raises(type(error)) as raised:
        await retried(lambda: three_attempts([]), work)
    assert raised.value is error
    assert len(attempts) == made


async def test_what_works_at_once_does_not_meet_tenacity() -> None:
    async def work() -> int:
        return 1

    def never() -> AsyncRetrying:
        raise AssertionError

    assert await retried(never, work) == 1
