"""Records what runs of this release remember, for the releases to come: `python -m tests.autonomy.durable.record_release`."""

import json
import tempfile
from pathlib import Path

import anyio
import anyio.to_thread
import sqlalchemy as sa

from tests.support.durable import asked, box, workshop

KEPT = Path(__file__).parent / "data" / "release-0.2.json"


async def main() -> None:
    """Run one of each kind, and keep its request and its steps as data."""
    with tempfile.TemporaryDirectory() as place:
        async with workshop(f"sqlite:///{place}/x.db", box(Path(place)), approvals={"wait_s": 0.1}) as shop:
            kept = {}
            for kind in ("two", "ask"):
                run_id = f"release-{kind}"
                await shop.runs.run(asked(run_id, kind))
                steps = await anyio.to_thread.run_sync(_steps, shop.engine, run_id)
                kept[run_id] = {"request": asked(run_id, kind).model_dump(mode="json"), "steps": steps}
    await anyio.to_thread.run_sync(KEPT.parent.mkdir, 0o777, True, True)
    await anyio.Path(KEPT).write_text(json.dumps(kept, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def _steps(engine: sa.Engine, run_id: str) -> list[dict[str, object]]:
    from autonomy.durable.storage.serializer import JsonSerializer

    query = "select function_id, function_name, output from operation_outputs where workflow_uuid = ? order by function_id"
    with engine.connect() as connection:
        rows = connection.exec_driver_sql(query, (run_id,)).all()
    return [{"number": number, "name": name, "output": JsonSerializer().deserialize(output)} for number, name, output in rows]


if __name__ == "__main__":
    anyio.run(main)
