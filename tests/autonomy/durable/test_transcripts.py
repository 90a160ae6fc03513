"""Transcripts: what was said and called, while it happens and after, on both databases."""

from pathlib import Path

import anyio
import anyio.to_thread
import pytest
import sqlalchemy as sa

from autonomy.durable.records.transcripts import Transcript, Transcripts
from tests.requirements import requirement
from tests.support.durable import Workshop, asked, box, furnished_database, workshop
from tests.support.postgres import NEEDED, Server


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=[pytest.mark.postgres, NEEDED])])
async def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'jiritsu.db'}"
    server: Server = request.getfixturevalue("postgres_server")
    return await anyio.to_thread.run_sync(furnished_database, server, "transcripts")


async def transcript_of(shop: Workshop, run_id: str) -> Transcript:
    return await Transcripts(shop.engine, shop.journal).of(await shop.records.get(run_id))


@requirement("U1")
async def test_an_ended_run_is_told_whole(url: str, tmp_path: Path) -> None:
    async with workshop(url, box(tmp_path)) as shop:
        with anyio.fail_after(240):
            await shop.runs.run(asked("run-1"))
        told = await transcript_of(shop, "run-1")
    first, second, last = told.turns
    assert [call.tool for call in first.calls] == ["box_note", "box_post", "box_look"]
    assert [call.arguments for call in first.calls] == [{"text": "run-1/1"}, {"text": "run-1/1"}, {}]
    assert first.calls[0].result == "note holds run-1/1"
    assert first.calls[0].decision is not None
    assert (first.calls[0].decision.decision, first.calls[0].decision.rule) == ("allow", "box")
    assert first.calls[0].record is not None
    assert first.calls[0].record.receipt is not None
    assert [call.state for call in told.calls] == ["ended"] * 6
    assert second.calls[0].key == "turn-2/call-1"
    assert last.message is not None
    assert last.message.text == "run-1 is done"
    assert [judgement.verdict for judgement in last.judgements] == ["complete"]
    assert told.offer is not None
    assert {tool.name for tool in told.offer.definitions} >= {"box_note", "box_look"}
    assert told.complete


@requirement("U1")
async def test_a_call_stands_in_the_transcript_with_its_arguments_while_it_runs(url: str, tmp_path: Path) -> None:
    async with workshop(url, box(tmp_path, delay_s=30.0)) as shop, anyio.create_task_group() as group:
        group.start_soon(shop.runs.run, asked("run-1"))
        with anyio.fail_after(240):
            while not (told := await transcript_of(shop, "run-1") if await shop.records.newest() else None) or not [
                call for call in told.calls if call.state == "running"
            ]:
                await anyio.sleep(0.02)
        running = next(call for call in told.calls if call.tool == "box_note")
        assert (running.state, running.arguments, running.result) == ("running", {"text": "run-1/1"}, None)
        assert running.started_at is not None
        group.cancel_scope.cancel()


@requirement("U1")
async def test_a_run_whose_steps_are_gone_shows_what_is_left_and_says_so(tmp_path: Path) -> None:
    async with workshop(f"sqlite:///{tmp_path / 'jiritsu.db'}", box(tmp_path)) as shop:
        with anyio.fail_after(240):
            await shop.runs.run(asked("run-1"))

        def forget() -> None:
            with shop.engine.begin() as connection:
                connection.execute(sa.text("DELETE FROM operation_outputs"))

        await anyio.to_thread.run_sync(forget)
        told = await transcript_of(shop, "run-1")
    assert not told.complete
    assert [(call.tool, call.outcome, call.arguments, call.result) for call in told.calls][:2] == [
        ("box_note", "ok", None, None),
        ("box_post", "ok", None, None),
    ]
    assert told.turns[0].message is None
    assert told.turns[-1].message is not None
    assert told.turns[-1].message.text == "run-1 is done"


@requirement("U1")
async def test_the_version_moves_with_the_run_and_rests_with_it(tmp_path: Path) -> None:
    async with workshop(f"sqlite:///{tmp_path / 'jiritsu.db'}", box(tmp_path)) as shop:
        transcripts = Transcripts(shop.engine, shop.journal)
        before = await transcripts.version("run-1")
        with anyio.fail_after(240):
            await shop.runs.run(asked("run-1"))
        after = await transcripts.version("run-1")
        assert after != before
        assert after.startswith("completed-")
        assert await transcripts.version("run-1") == after
