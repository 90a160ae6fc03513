"""What a call brought stands once in the database: in its step, from which the run's record is made whole when it is read."""

import json
import os
from pathlib import Path

import anyio
import sqlalchemy as sa
from mcp.server.mcpserver import MCPServer

from autonomy.durable.durable_tables import runs
from autonomy.durable.records.run_records import RunRecords
from autonomy.durable.records.run_search import find_runs
from autonomy.durable.storage.serializer import JsonSerializer
from autonomy.llm.messages import AssistantMessage
from autonomy.llm.model import ModelRequest
from autonomy.llm.scripted import calling
from tests.requirements import requirement
from tests.support.durable import asked, workshop
from tests.support.house import READ, WRITE

WORDS = {"read": "Tea is best at eighty degrees.", "wrote": "The pot is on the table.", "argument": "green, twice"}


def desk() -> MCPServer:
    server = MCPServer("box")

    @server.tool(annotations=READ)
    def look(what: str) -> str:
        """Look something up."""
        return WORDS["read"]

    @server.tool(annotations=WRITE)
    def serve(what: str) -> str:
        """Serve something."""
        return WORDS["wrote"]

    return server


def script(request: ModelRequest) -> AssistantMessage | str:
    said = sum(isinstance(message, AssistantMessage) for message in request.messages)
    return calling((("box_look", "box_serve")[said], {"what": WORDS["argument"]})) if said < 2 else "It is done."


def stands(engine: sa.Engine) -> dict[str, list[str]]:
    """Which of the words are in which table, after unpacking."""
    with engine.connect() as connection:
        steps = (
            connection.exec_driver_sql("select output from operation_outputs where function_name like '%/reads'").scalars().all()
        )
        writes = connection.exec_driver_sql("select output from operation_outputs where function_name like '%/call-1'").scalars()
        ledger = connection.exec_driver_sql("select coalesce(output, '') from durable_effects").scalars().all()
    kept = json.dumps([JsonSerializer().deserialize(output) for output in (*steps, *writes)])
    texts = {"steps": kept, "ledger": "".join(ledger), "record": str(record_of(engine))}
    return {table: [name for name in ("read", "wrote", "argument") if WORDS[name] in text] for table, text in texts.items()}


def record_of(engine: sa.Engine) -> str:
    with engine.connect() as connection:
        return str(connection.execute(sa.select(runs.c.result).where(runs.c.run_id == "run-1")).scalar_one())


@requirement("J4")
async def test_a_result_stands_in_its_step_alone_and_the_record_is_read_whole(tmp_path: Path) -> None:
    async with workshop(f"sqlite:///{tmp_path / 'jiritsu.db'}", desk(), script=script) as shop:
        with anyio.fail_after(240):
            result = await shop.runs.run(asked("run-1"))
        assert await anyio.to_thread.run_sync(stands, shop.engine) == {
            "steps": ["read", "wrote", "argument"],
            "ledger": [],
            "record": [],
        }
        assert [call.result.text for call in result.calls] == [WORDS["read"], WORDS["wrote"]]
        assert [call.arguments for call in result.calls] == [{"what": WORDS["argument"]}] * 2
        assert (await shop.records.get("run-1")).result == result
        (listed,) = await shop.records.newest()
        assert listed.result is not None
        assert [(call.tool, call.ok, call.result.text) for call in listed.result.calls] == [
            ("box_look", True, ""),
            ("box_serve", True, ""),
        ]
        assert [call.receipt is not None for call in listed.result.calls] == [False, True]


async def test_a_run_is_still_found_by_what_its_calls_brought(tmp_path: Path) -> None:
    async with workshop(f"sqlite:///{tmp_path / 'jiritsu.db'}", desk(), script=script) as shop:
        with anyio.fail_after(240):
            await shop.runs.run(asked("run-1"))

        def found() -> list[str]:
            with shop.engine.connect() as connection:
                return [run_id for _, run_id in find_runs(connection, "default", "eighty degrees", limit=5)]

        assert await anyio.to_thread.run_sync(found) == ["run-1"]


@requirement("J4")
async def test_encrypted_results_are_nowhere_in_plain_and_are_read_with_the_key_alone(tmp_path: Path) -> None:
    key = os.urandom(16).hex()
    async with workshop(f"sqlite:///{tmp_path / 'jiritsu.db'}", desk(), script=script, keys=(key,)) as shop:
        with anyio.fail_after(240):
            await shop.runs.run(asked("run-1"))
        assert WORDS["wrote"] not in await anyio.to_thread.run_sync(record_of, shop.engine)
        for keys, texts in (((key,), [WORDS["read"], WORDS["wrote"]]), ((), ["", ""])):
            record = await RunRecords(shop.engine, keys=keys).get("run-1")
            assert record.result is not None
            assert [call.result.text for call in record.result.calls] == texts


async def test_what_an_earlier_release_wrote_twice_is_read_as_it_stands(tmp_path: Path) -> None:
    """Its run may have begun under that release, and have ended under this one."""
    async with workshop(f"sqlite:///{tmp_path / 'jiritsu.db'}", desk(), script=script) as shop:
        with anyio.fail_after(240):
            result = await shop.runs.run(asked("run-1"))
        await shop.records.end(result)  # as it did: with all texts
        assert WORDS["read"] in await anyio.to_thread.run_sync(record_of, shop.engine)
        assert (await shop.records.get("run-1")).result == result
        (listed,) = await shop.records.newest()
        assert listed.result == result
