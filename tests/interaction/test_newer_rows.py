"""Commands of one release beside rows of a newer one, on SQLite and PostgreSQL."""

import json
from pathlib import Path
from typing import Any, Literal

import anyio
import pytest
import sqlalchemy as sa

from autonomy.cli.endpoints import scrape_page
from autonomy.durable.durable_tables import runs
from autonomy.durable.records.run_records import RunRecords
from metrics.events import Event, RunFinished
from metrics.journal import Journal
from tests.metrics.story import Story
from tests.requirements import requirement
from tests.support.command import jiritsu
from tests.support.console import browsing, console_over
from tests.support.durable import asked, prepared
from tests.support.postgres import NEEDED


class CallImagined(Event):
    """An event of a later release."""

    type: Literal["call_imagined"] = "call_imagined"


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=NEEDED)])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'jiritsu.db'}"
    created: str = request.getfixturevalue("postgres_server").create("newer")
    return created


@requirement("R1")
def test_rows_that_only_a_newer_release_can_read_are_told_of_in_a_line_and_the_others_shown(url: str, tmp_path: Path) -> None:
    engine = prepared(url)
    anyio.run(write_of_two_releases, engine)
    told = {command: jiritsu(*command.split(), home=tmp_path, JIRITSU_DATABASE_URL=url) for command in COMMANDS}
    for done in told.values():
        assert "Traceback" not in done.stdout + done.stderr
    assert [done.returncode for done in told.values()] == [0, 0, 0, 0, 0, 3, 3]
    listed, report, shown = told["runs list"], told["report --since 2026-01-01"], told["runs show run-known"]
    assert "run-known" in listed.stdout
    for run_id, part in (("run-asked", "colour"), ("run-ended", "ending"), ("run-rests", "state")):
        line = f"run {run_id} is of a newer Jiritsu: this one does not know {part}"
        assert sum(line in one for one in listed.stderr.splitlines()) == 1
    left_out = "events that only a newer Jiritsu can read are left out: call_imagined, run_finished"
    assert left_out in report.stderr
    assert "left out: call_imagined\n" in shown.stderr
    assert "call_imagined" in told["audit show"].stdout
    assert "this one does not know colour" in told["runs show run-asked"].stderr
    anyio.run(scrape, engine)
    anyio.run(browse, engine)
    engine.dispose()


COMMANDS = (
    "runs list",
    "report --since 2026-01-01",
    "audit show",
    "audit verify",
    "runs show run-known",
    "runs show run-asked",
    "runs show run-ended",
)


async def write_of_two_releases(engine: sa.Engine) -> None:
    records, journal = RunRecords(engine), Journal(engine)
    for run_id in ("run-known", "run-asked", "run-ended", "run-rests"):
        await records.begin(asked(run_id), 1000.0)
    await journal.write(Story("run-known").start(needs=("a",)).turn().call(needs=("a",)).finish().events)
    ended = Story("run-ended").start().finish().events
    later: dict[str, Any] = {**ended[-1].model_dump(), "ending": "postponed"}
    known = {"key": "turn-1/call-9/imagined", "at": 1000.0, "tenant": "default", "job": ""}
    await journal.write([*ended[:-1], RunFinished.model_construct(**later), CallImagined(run_id="run-known", **known)])

    def change(run_id: str, **values: Any) -> None:
        with engine.begin() as connection:
            connection.execute(runs.update().where(runs.c.run_id == run_id).values(**values))

    change("run-asked", request=json.dumps(asked("run-asked").as_data() | {"colour": "blue"}))
    change("run-ended", state="completed", ended_at=2000.0, result=json.dumps({"run_id": "run-ended", "ending": "postponed"}))
    change("run-rests", state="resting")


async def scrape(engine: sa.Engine) -> None:
    import httpx2

    transport = httpx2.ASGITransport(scrape_page(Journal(engine)))
    async with httpx2.AsyncClient(transport=transport, base_url="http://worker") as client:
        answer = await client.get("/metrics")
    assert (answer.status_code, "of a newer Jiritsu" in answer.text) == (503, True)


async def browse(engine: sa.Engine) -> None:
    async with browsing(console_over(engine)) as reader:
        for path in ("/now", "/runs", "/inbox", "/audit", "/conversations"):
            page = await reader.get(path)
            assert (path, page.status_code) == (path, 200)
            assert path not in ("/now", "/runs") or "run-asked" in page.text
        costs = await reader.get("/costs")
    assert (costs.status_code, "events of a newer Jiritsu" in costs.text) == (409, True)
