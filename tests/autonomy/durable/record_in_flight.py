"""Records databases that a process of this release left when it was killed, for the releases to come:
`python -m tests.autonomy.durable.record_in_flight`.

Three runs each, of which the first asks; the process dies at a fault point. Kept is the first database of each kind of moment, and what the
tools had written by then.
"""

import sqlite3
import tarfile
import tempfile
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from tests.support.durable import new_sqlite_file, start

KEPT = Path(__file__).parent / "data" / f"in-flight-{datetime.now(UTC):%Y-%m-%d}.tar.xz"
POINTS = (*range(42, 150, 9), *range(150, 240, 4))
MOMENTS = ("write claimed", "question", "answer", "risky write sent")


def moment(folder: Path) -> str:
    """The kind of moment at which the process died; empty for any other."""
    with closing(sqlite3.connect(folder / "jiritsu.db")) as database:
        states = dict(database.execute("SELECT run_id, state FROM durable_runs").fetchall())
        begun = {key for (key,) in database.execute("SELECT key FROM durable_effects WHERE state = 'started'")}
        questions = [state for (state,) in database.execute("SELECT state FROM durable_approvals")]
    holds = {
        "risky write sent": "run-0/turn-1/call-1" in begun and (folder / "risky.txt").exists(),
        "answer": questions == ["granted"] and states.get("run-0") == "waiting",
        "question": questions == ["pending"],
        "write claimed": bool(begun) and not (folder / "note.txt").exists(),
    }
    return next((name for name, found in holds.items() if found), "")


def main() -> None:
    """Kill a process at each point, and pack what is kept."""
    with tempfile.TemporaryDirectory() as place, tarfile.open(KEPT, "w:xz") as archive:
        found = set[str]()
        for at in POINTS:
            folder = Path(place, str(at))
            folder.mkdir()
            (folder / "jiritsu.db").write_bytes(new_sqlite_file())
            start(
                f"sqlite:///{folder / 'jiritsu.db'}", str(folder), "--runs", "3", "--crash-at", str(at), "--id", "worker"
            ).join()
            name = moment(folder)
            if name and name not in found:
                found.add(name)
                with closing(sqlite3.connect(folder / "jiritsu.db")) as database:
                    database.execute("VACUUM INTO ?", (str(folder / "kept.db"),))
                archive.add(folder / "kept.db", f"{name}/jiritsu.db")
                for traces in sorted(folder.glob("*.txt")):
                    archive.add(traces, f"{name}/{traces.name}")


if __name__ == "__main__":
    main()
