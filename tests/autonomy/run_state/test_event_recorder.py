"""When a run's events reach the journal."""

from collections.abc import Sequence

import anyio
import pytest

from autonomy.run_state import event_recorder
from autonomy.run_state.event_recorder import EventRecorder
from metrics import events
from metrics.events import RunEvent


class HeldJournal:
    """Writes when it is told to go on."""

    def __init__(self) -> None:
        self.begun, self.go_on, self.has_two = anyio.Event(), anyio.Event(), anyio.Event()
        self.written = list[str]()

    async def write(self, some: Sequence[RunEvent]) -> None:
        self.begun.set()
        await self.go_on.wait()
        self.written += [event.key for event in some]
        if len(self.written) == 2:
            self.has_two.set()


class Kept:
    """Writes at once."""

    async def write(self, some: Sequence[RunEvent]) -> None:
        """Nothing waits any more."""


class Told:
    """Counts how often it is told."""

    times = 0

    def set(self) -> None:
        self.times += 1


async def test_an_event_that_comes_while_others_are_written_is_written_in_time_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event_recorder, "SEEN_WITHIN_S", 0.0)
    journal = HeldJournal()
    recorder = EventRecorder("run-1", "default", "", lambda: 1.0, journal)
    async with recorder.flushed_in_time():
        await recorder.emit(events.TurnStarted, "turn-1/turn", turn=1)
        await journal.begun.wait()
        await recorder.emit(events.TurnStarted, "turn-2/turn", turn=2)
        journal.go_on.set()
        with anyio.fail_after(20):
            await journal.has_two.wait()
    assert journal.written == ["turn-1/turn", "turn-2/turn"]
    assert not recorder.has_news


async def test_whoever_writes_in_time_is_told_of_the_first_event_that_waits_alone() -> None:
    told = Told()
    recorder = EventRecorder("run-1", "default", "", lambda: 1.0, Kept())
    recorder._news = told  # type: ignore[assignment]
    for turn in range(1, 6):
        await recorder.emit(events.TurnStarted, f"turn-{turn}/turn", turn=turn)
    await recorder.flush()
    await recorder.emit(events.TurnStarted, "turn-6/turn", turn=6)
    assert told.times == 2
