"""How runs end whose one server starts slowly, or not at all: `python -m tests.bench.slow_start_bench`.

The command as people run it, over a real stdio server that waits before its greeting: a job that needs the server, a goal in free
words, and a job by schedule in a worker. One home for each, so that what was learnt of the first start is there for the next ones.
Takes ten minutes, for schedules count in minutes. Results of a run are in docs/discovery.md.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.support.command import command_line, environment
from tests.support.server_configs import SERVERS
from tests.support.waiting import until

DELAYS_S = (0, 8, 0, 25)
TOOL = {
    "name": "look_up",
    "description": "Look up what lies on the desk.",
    "inputSchema": {"type": "object"},
    "annotations": {"readOnlyHint": True, "openWorldHint": False},
}
ANSWER = "A red lamp and two books lie on the desk. The lamp belongs to Maya, and the books belong to Tom."
GOAL = "Look up what lies on the desk"
JOB = """---
title: Desk
language: en
needs:
  - { id: things, description: look up what lies on the desk, effect: read, enough: all }
limits: { wall_s: 60 }
complete:
  - { rule: evidence, need: things }
SCHEDULE---
Say what lies on the desk.
"""


class Home:
    """A home with a servers file of one server, and a job that needs it."""

    def __init__(self, cron: str = "") -> None:
        self.path = Path(tempfile.mkdtemp())
        options = {"list": [TOOL], "answer": ANSWER, "delay_file": str(self.path / "delay"), "fault": "exit_unless"}
        options["flag"] = str(self.path / "there")
        entry = {"command": sys.executable, "args": ["-I", "-S", str(SERVERS / "stdio_server.py"), json.dumps(options)]}
        (self.path / "servers.json").write_text(json.dumps({"mcpServers": {"desk": entry}}))
        (self.path / "jobs").mkdir()
        schedule = f'schedule: {{ cron: "{cron}", timezone: UTC }}\n' if cron else ""
        (self.path / "jobs" / "desk.md").write_text(JOB.replace("SCHEDULE", schedule))
        self.environment = environment(self.path, JIRITSU_JOBS=str(self.path / "jobs"), LANG="en_US.UTF-8")

    def server(self, delay_s: float | None) -> None:
        """From now on it needs so long to greet; None: it ends at once."""
        (self.path / "delay").write_text(str(delay_s or 0))
        (self.path / "there").touch() if delay_s is not None else (self.path / "there").unlink(missing_ok=True)

    def command(self, *arguments: str) -> list[str]:
        """The command line."""
        return command_line("--servers", str(self.path / "servers.json"), *arguments)

    def asked(self, *arguments: str) -> Any:
        """What a command prints as JSON."""
        done = subprocess.run(
            self.command(*arguments), env=self.environment, cwd=self.path, capture_output=True, timeout=300, check=False
        )
        return json.loads(done.stdout or "null")

    def newest(self, than: float = 0.0) -> dict[str, Any] | None:
        """The newest run that has ended since then."""
        ended = [run for run in self.asked("runs", "list", "--json") if run["ended_at"] and run["asked_at"] >= than]
        return ended[0] if ended else None


def by_hand(goal: str) -> list[str]:
    """The outcome of each start in a row of one home: the first is the first start of all."""
    home, told = Home(), []
    for delay_s in (*DELAYS_S, None):
        home.server(delay_s)
        began = time.time()
        result = home.asked("run", "--json", "-q", goal)
        told.append(in_words(result, time.time() - began))
    return told


def by_schedule() -> list[str]:
    """The same for a worker that was started with the server, a moment before the tick."""
    home, told = Home("* * * * *"), []
    for delay_s in DELAYS_S:
        home.server(delay_s)
        until(lambda: 45 <= time.time() % 60 < 52, timeout_s=70)
        worker = subprocess.Popen(home.command("worker"), env=home.environment, cwd=home.path, stderr=subprocess.DEVNULL)
        tick = time.time() // 60 * 60 + 60
        try:
            until(lambda tick=tick: time.time() > tick and home.newest(tick) is not None, timeout_s=180)
            told.append(in_words(ended := home.newest(tick), ended["ended_at"] - tick if ended else 0.0))
        finally:
            worker.terminate()
            worker.wait(60)
    return [*told, put_off()]


def put_off() -> str:
    """A tick of the day that comes while the server is away, and again when it is back."""
    tick = time.time() // 60 * 60 + 120  # a worker on a busy machine takes half a minute to begin
    home = Home(time.strftime("%M %H * * *", time.gmtime(tick)))
    home.server(None)
    worker = subprocess.Popen(home.command("worker"), env=home.environment, cwd=home.path, stderr=subprocess.DEVNULL)
    try:
        until(lambda: time.time() > tick and home.newest(tick) is not None, timeout_s=300)
        told = in_words(first := home.newest(tick), first["ended_at"] - tick if first else 0.0)
        home.server(0)
        again = until(lambda: (home.newest(tick) or {}).get("state") == "completed", timeout_s=300)
        return f"{told}; {f'tried again and completed after {time.time() - tick:.0f} s' if again else 'never completed'}"
    finally:
        worker.terminate()
        worker.wait(60)


def in_words(run: dict[str, Any] | None, seconds: float) -> str:
    """How a run ended, why, and after how long."""
    if run is None:
        return "no end"
    ending, why = run.get("ending") or run.get("state"), run.get("reason") or ""
    return f"{ending} in {seconds:.1f} s{f' ({why[:70]})' if why and ending != 'completed' else ''}"


def main() -> None:
    names = [f"{'first start, ' if not at else ''}{delay_s} s" for at, delay_s in enumerate(DELAYS_S)]
    rows = {
        "a job that needs it": by_hand("desk"),
        "a free goal": by_hand(GOAL),
        "by schedule, in a worker": by_schedule(),
    }
    print(f"| load {os.getloadavg()[0]:.0f} | " + " | ".join([*names, "absent"]) + " |")  # noqa: T201 - the result of the program
    print("|---" * (len(names) + 2) + "|")  # noqa: T201
    for what, told in rows.items():
        print(f"| {what} | " + " | ".join(told) + " |")  # noqa: T201


if __name__ == "__main__":
    main()
