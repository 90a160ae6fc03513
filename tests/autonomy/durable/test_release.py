"""Runs that an earlier release began are played again by this one, from what they remember, and come out the same."""

import gzip
import json
import sqlite3
import tarfile
from collections.abc import Awaitable, Callable
from contextlib import closing
from importlib.metadata import version
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread
import pytest
import sqlalchemy as sa
from pydantic import TypeAdapter

from autonomy import database
from autonomy.database import last_upgrade, migrate, open_engine
from autonomy.durable.approval_store import Approvals
from autonomy.durable.storage.serializer import JsonSerializer
from autonomy.durable.store import Store
from autonomy.run_state.run_values import RunRequest
from tests.autonomy.durable.record_in_flight import MOMENTS
from tests.requirements import requirement
from tests.support.durable import POLICY, box, start, workshop
from tests.support.house import house
from tests.support.sampling import in_part, only
from tests.sweeps.findings import check

IN_FLIGHT = Path(__file__).parent / "data" / "in-flight-2026-11-27.tar.xz"
"""What processes of the code of that day left when they were killed (`record_in_flight.py`)."""
RELEASES = sorted((Path(__file__).parent / "data").glob("release-*.json"))


@requirement("J4")
@pytest.mark.parametrize("release", RELEASES, ids=lambda file: file.stem)
async def test_every_run_of_the_release_takes_the_same_steps_with_the_same_results(release: Path, tmp_path: Path) -> None:
    for run_id, kept in json.loads(release.read_text(encoding="utf-8")).items():
        recorded = {step["name"]: step["output"] for step in kept["steps"]}
        taken: list[str] = []

        async def remembered(
            name: str, _effect: Callable[[], Awaitable[Any]], returns: type[Any], taken=taken, recorded=recorded
        ) -> Any:
            taken.append(name)
            return TypeAdapter(returns).validate_python(recorded[name])

        def silent(_request: object) -> str:
            raise AssertionError("a model was asked")

        asking = Approvals(Store(sa.create_engine("sqlite://")))
        async with house(box(tmp_path), script=silent, policy=POLICY, approver=asking) as made:
            result = await made.executor.execute(RunRequest.model_validate(kept["request"]), remembered)
        assert (result.ending, result.text) == ("completed", f"{run_id} is done")
        assert taken == [step["name"] for step in kept["steps"]]
    assert list(tmp_path.iterdir()) == []


def test_the_first_opening_by_another_release_is_the_last_upgrade(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = open_engine(f"sqlite:///{tmp_path / 'jiritsu.db'}")
    migrate(engine, [])
    began = last_upgrade(engine)
    migrate(engine, [])
    assert last_upgrade(engine) == began > 0
    monkeypatch.setattr(database, "installed_release", lambda: "99.0")
    monkeypatch.setattr(database.time, "time", lambda: began + 60)
    migrate(engine, [])
    assert last_upgrade(engine) == began + 60
    engine.dispose()


def test_the_release_is_the_one_that_is_installed() -> None:
    assert database.installed_release() == version("jiritsu")


def test_there_is_a_release_to_compare_with() -> None:
    assert RELEASES


@requirement("J4")
@pytest.mark.parametrize("stood", in_part([2, 3, 6, 7, 9, 10, 14, 17], every=4))
async def test_a_run_in_flight_in_a_database_of_release_0_1_goes_on_after_the_upgrade(tmp_path: Path, stood: int) -> None:
    """`stood`: how many steps of it were stored when its process died."""
    file, folder = tmp_path / "jiritsu.db", tmp_path / "box"
    folder.mkdir()
    kept = json.loads(RELEASES[0].read_text(encoding="utf-8"))["release-two"]
    kept["request"]["limits"]["wall_s"] = 1e9  # it began long ago
    steps = kept["steps"][:stood]
    await anyio.to_thread.run_sync(_in_flight, file, kept["request"], steps)
    made = [step["output"] for step in steps if isinstance(step["output"], dict) and step["output"].get("receipt")]
    for record in made:  # what its writes had done
        with (folder / f"{record['tool'].removeprefix('box_')}.txt").open("a") as traces:
            traces.write(record["arguments"]["text"] + "\n")
    async with workshop(f"sqlite:///{file}", box(folder)) as shop:
        with anyio.fail_after(240):
            result = await shop.runs.ended("release-two")
        asked = len(shop.asked_of_the_model)
        assert (await shop.orders.steps("release-two"))[:stood] == [step["name"] for step in steps]
    assert (result.ending, result.text) == ("completed", "release-two is done"), result.reason
    assert asked == 3 - sum(step["name"].endswith("/model") for step in steps)
    for kind in ("note", "post"):
        assert (folder / f"{kind}.txt").read_text().splitlines() == ["release-two/1", "release-two/2"]


@requirement("J4")
@pytest.mark.parametrize("moment", only(("question", "risky write sent"), MOMENTS))
def test_runs_of_a_process_of_an_earlier_release_that_was_killed_end_and_double_nothing(tmp_path: Path, moment: str) -> None:
    with tarfile.open(IN_FLIGHT) as archive:
        archive.extractall(tmp_path, [kept for kept in archive if kept.name.startswith(f"{moment}/")], filter="data")
    folder = tmp_path / moment
    with closing(sqlite3.connect(folder / "jiritsu.db")) as database:
        database.execute("UPDATE durable_approvals SET expires_at = 1e11")  # the question was asked long ago
        database.commit()
    url = f"sqlite:///{folder / 'jiritsu.db'}"
    again = start(url, str(folder), "--runs", "3")
    again.join(240)
    assert again.exitcode == 0
    found = check(url, folder, runs=3)
    assert not [kind for kind in found if kind.startswith("violation")], found
    assert found["runs"] == 3
    in_doubt = {"run completed": 2, "run blocked": 1, "risky: 1 times, unknown": 1}  # nobody can see whether it was noted
    assert (
        found.items() >= (in_doubt if moment == "risky write sent" else {"run completed": 3, "risky: 1 times, done": 1}).items()
    )


def _in_flight(file: Path, request: dict[str, Any], steps: list[dict[str, Any]]) -> None:
    """A database as release 0.1 left it, with one run more: its process died when these steps stood."""
    dump, run_id, text = Path(__file__).parent / "data" / "database-0.1.sql.gz", request["run_id"], JsonSerializer().serialize
    with closing(sqlite3.connect(file)) as database:
        database.executescript(gzip.decompress(dump.read_bytes()).decode())
        (ended,) = database.execute("SELECT workflow_uuid FROM workflow_status").fetchone()

        def again(table: str, key: str, **other: Any) -> None:
            """The row of the run that ended, for this one."""
            columns = [row[1] for row in database.execute(f"PRAGMA table_info({table})")]
            wanted = {key: run_id} | other
            chosen = ", ".join("?" if name in wanted else f'"{name}"' for name in columns)
            values = [wanted[name] for name in columns if name in wanted]
            database.execute(f"INSERT INTO {table} SELECT {chosen} FROM {table} WHERE {key} = ?", [*values, ended])

        again("workflow_status", "workflow_uuid", status="PENDING", executor_id="host-1-dead", completed_at=None)
        again("workflow_input", "workflow_uuid", inputs=text({"args": [request], "kwargs": {}}))
        again("durable_runs", "run_id", state="running", request=json.dumps(request), result=None, ended_at=None)
        for step in steps:
            row = (run_id, step["number"], step["name"], text(step["output"]), 1, 2, JsonSerializer().name(), "jiritsu")
            database.execute(
                "INSERT INTO operation_outputs (workflow_uuid, function_id, function_name, output, started_at_epoch_ms, "
                "completed_at_epoch_ms, serialization, application_name) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                row,
            )
        database.commit()
