"""The guard of the event loop, which every test has."""

import threading
from pathlib import Path

import anyio
import pytest
from blockbuster import BlockingError

import autonomy

LOOKS_AT_A_FILE = compile("import os\nos.stat('.')", str(Path(autonomy.__file__).with_name("any.py")), "exec")


async def test_a_blocking_call_of_ours_on_the_event_loop_fails() -> None:
    with pytest.raises(BlockingError):
        exec(LOOKS_AT_A_FILE)


def test_a_blocking_call_elsewhere_does_not() -> None:
    exec(LOOKS_AT_A_FILE)


class TestWithoutIt:
    """A test may do without the guard."""

    @pytest.fixture(autouse=True)
    def blocked_loop(self, unguarded_loop: None) -> None:
        """In place of the suite's."""

    async def test_a_blocking_call_is_let_through_in_every_thread(self) -> None:
        exec(LOOKS_AT_A_FILE)
        failed: list[BaseException] = []

        async def look() -> None:
            try:
                exec(LOOKS_AT_A_FILE)
            except BlockingError as error:
                failed.append(error)

        other = threading.Thread(target=anyio.run, args=(look,))
        other.start()
        other.join()
        assert failed == []
