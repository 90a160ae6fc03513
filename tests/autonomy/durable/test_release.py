"""Runs that an earlier release began are played again by this one, from what they remember, and come out the same."""

import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from pydantic import TypeAdapter

from autonomy import database
from autonomy.database import last_upgrade, migrate, open_engine
from autonomy.durable.approval_store import Approvals
from autonomy.durable.store import Store
from autonomy.run_state.context import RunRequest
from tests.requirements import requirement
from tests.support.durable import POLICY, box
from tests.support.house import house

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
    monkeypatch.setattr(database, "release_of", lambda _: "99.0")
    monkeypatch.setattr(database.time, "time", lambda: began + 60)
    migrate(engine, [])
    assert last_upgrade(engine) == began + 60
    engine.dispose()


def test_there_is_a_release_to_compare_with() -> None:
    assert RELEASES
