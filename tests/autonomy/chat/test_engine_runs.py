"""Runs of conversations on the durable engine: ended by order while they wait or work, and never run twice."""

from pathlib import Path
from typing import Any

import anyio

from autonomy.chat.engine_runs import EngineRuns
from autonomy.run_state.run_values import RunResult
from tests.requirements import requirement
from tests.support.durable import asked, box, workshop


@requirement("C6")
async def test_a_run_that_waits_for_a_person_is_ended_by_order_and_its_result_says_so(url: str, tmp_path: Path) -> None:
    results = list[RunResult]()
    async with workshop(url, box(tmp_path)) as shop:
        runs = EngineRuns(shop.runs, shop.orders)

        async def run() -> None:
            results.append(await runs.run(asked("slack-1", "ask")))

        with anyio.fail_after(240):
            async with anyio.create_task_group() as group:
                group.start_soon(run)
                await shop.question()
                await runs.cancel("slack-1", by="U1")
    assert [result.ending for result in results] == ["cancelled"]


async def test_the_same_request_again_is_answered_from_the_record(url: str, tmp_path: Path) -> None:
    async with workshop(url, box(tmp_path)) as shop:
        runs = EngineRuns(shop.runs, shop.orders)
        with anyio.fail_after(240):
            first: Any = await runs.run(asked("slack-1"))
            await runs.cancel("slack-1", by="U1")  # too late, and no harm
            again = await runs.run(asked("slack-1"))
    assert first == again
    assert (tmp_path / "note.txt").read_text().split() == ["slack-1/1", "slack-1/2"]


async def test_to_end_what_was_never_begun_is_no_error(url: str, tmp_path: Path) -> None:
    async with workshop(url, box(tmp_path)) as shop:
        await EngineRuns(shop.runs, shop.orders).cancel("slack-9", by="U1")
