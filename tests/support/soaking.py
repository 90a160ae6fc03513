"""A worker that makes runs over flaky servers for minutes, and writes down what it holds: memory, files, threads, processes.

Run by `tests/sweeps/test_soak.py` in a process of its own; the HTTP server has another one, so that only the host is measured.
"""

import gc
import json
import os
import random
import time
from collections import Counter
from itertools import count
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread

from autonomy.agent.loop import Executor
from autonomy.calls.backoff import Backoff
from autonomy.calls.services import Services
from autonomy.cli.entry import share_heaps
from autonomy.durable.durable_runs import DurableRuns, open_runs
from autonomy.durable.memory.sql_ledger import SqlLedger
from autonomy.durable.records.run_records import RunRecords
from autonomy.durable.store import Store
from autonomy.llm.messages import AssistantMessage
from autonomy.llm.model import ModelRequest, OnText
from autonomy.llm.model_chain import Chain
from autonomy.llm.scripted import ScriptedModel, calling
from autonomy.policy.operator_rules import PolicyRule
from autonomy.policy.policy import Policy
from discovery.gateway import open_gateway
from discovery.gateway_settings import GatewaySettings
from discovery.servers.server_config import ServerConfig
from metrics.journal import Journal
from tests.support.durable import LOOKING, QUICK, asked, prepared
from tests.support.server_configs import stdio_server
from tests.support.servers.http_server import HttpServer, Request, listening
from tests.support.watching import children_of

AT_ONCE = 6
"""Runs under way at any moment."""
EVERY_S = 10.0
"""How often the process is looked at."""

ANYTHING = Policy(rules=(PolicyRule(name="anything", decision="allow", tool="*"),))
HASTY = GatewaySettings(call_timeout_s=1, connect_timeout_s=5, retry_cap_s=1, health_interval_s=10, startup_s=2, park_after=1000)
READING = {"inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": True}}
OF_STDIO = {
    "steady": [""],
    "crashing": ["", "crash"],
    "hanging": ["", "", "", "hang"],
    "closing": ["", "closes_stdout"],
    "garbled": ["", "not_utf8", "deeply_nested", "null_result", "not_a_result", "wrong_id"],
    "large": ["", "big_answer", "image", "many_parts", "long_error"],
    "loud": ["", "storm", "pings", "loses_all"],
}
WITHOUT = os.environ.get("SOAK_WITHOUT", "").split(",")
"""Servers that are left out: without `large` no answer is of megabytes, and what memory is left is not that of their peaks."""
OF_HTTP = ("", "", "reset_in_call", "short_body", "bad_json", "status_in_call", "huge_json", "huge_event", "bad_chunks", "hang")


class Flaky(HttpServer):
    """Every call goes wrong in another way, or goes well."""

    async def respond(self, request: Request, stream: anyio.abc.SocketStream) -> None:
        """See `HttpServer`."""
        self.requests.clear()
        fault = random.choice(OF_HTTP)
        self.options = {"fault": "" if "large" in WITHOUT and "huge" in fault else fault, "status": 503}
        await super().respond(request, stream)


class Caller(ScriptedModel):
    """A model that calls every tool in each of two turns, and keeps nothing of what it was asked."""

    async def complete(self, request: ModelRequest, on_text: OnText | None = None) -> AssistantMessage:
        """See `Model`."""
        self.requests.clear()
        return await super().complete(request, on_text)


def every_tool(request: ModelRequest) -> AssistantMessage | str:
    """Twice all there is; then an answer."""
    if sum(isinstance(message, AssistantMessage) for message in request.messages) >= 2:
        return "I have looked everywhere"
    boom: dict[str, Any] = {"word": "boom"}
    return calling(*((f"{name}_look", {}) for name in OF_STDIO if name not in WITHOUT), ("far_echo", boom), ("steady_put", {}))


def serve(folder: str) -> None:
    """The flaky HTTP server, until it is killed; its address stands in `url`."""

    async def forever() -> None:
        async with listening(Flaky({})) as server:
            half = Path(folder) / "url.half"
            half.write_text(server.url)
            half.rename(Path(folder) / "url")
            await anyio.sleep_forever()

    anyio.run(forever)


def soak(folder: str, minutes: float) -> None:
    """Make runs for so many minutes; `samples.jsonl` tells what the process held, `endings.json` how the runs ended."""
    share_heaps()
    anyio.run(_soak, Path(folder), minutes * 60)


async def _soak(folder: Path, seconds: float) -> None:
    engine = await anyio.to_thread.run_sync(prepared, f"sqlite:///{folder / 'jiritsu.db'}")
    records, endings = RunRecords(engine), Counter[str]()
    url = await anyio.to_thread.run_sync((folder / "url").read_text)
    async with open_gateway([*_servers(), ServerConfig(name="far", transport="http", url=url)], settings=HASTY) as gateway:
        means = Services(
            gateway, ANYTHING, backoff=Backoff(first_s=0.1, most_s=0.5), journal=Journal(engine), ledger=SqlLedger(Store(engine))
        )
        executor = Executor(Chain([Caller(every_tool)]), means)
        async with (
            open_runs(engine, executor, records, concurrency=QUICK, liveness=LOOKING) as runs,
            anyio.create_task_group() as tasks,
        ):
            numbers = count()
            for _ in range(AT_ONCE):
                tasks.start_soon(_make_runs, runs, numbers, endings)
            await _look(folder, seconds, endings)
            tasks.cancel_scope.cancel()
    (folder / "endings.json").write_text(json.dumps(endings))


def _servers() -> list[ServerConfig]:
    listed = [{"name": "look", **READING}]
    made = [
        stdio_server(name, fault="flaky", faults=faults, list=listed, bytes=5_000_000, method="notifications/tools/list_changed")
        for name, faults in OF_STDIO.items()
        if name != "steady" and name not in WITHOUT
    ]
    return [stdio_server("steady", list=[*listed, {"name": "put", "inputSchema": {"type": "object"}}]), *made]


async def _make_runs(runs: DurableRuns, numbers: "count[int]", endings: Counter[str]) -> None:
    while True:
        result = await runs.run(asked(f"run-{next(numbers)}"))
        endings[result.ending] += 1
        endings["calls"] += len(result.calls)
        endings["calls that failed"] += sum(not call.ok for call in result.calls)


async def _look(folder: Path, seconds: float, endings: Counter[str]) -> None:
    began, page = time.monotonic(), os.sysconf("SC_PAGESIZE")
    while (at := time.monotonic() - began) < seconds:
        await anyio.sleep(EVERY_S)
        resident = int(Path("/proc/self/statm").read_text().split()[1]) * page
        gc.collect()
        sample = {
            "at_s": round(at + EVERY_S),
            "rss_mb": round(resident / 2**20, 1),
            "fds": sum(1 for _ in Path("/proc/self/fd").iterdir()),
            "threads": sum(1 for _ in Path("/proc/self/task").iterdir()),
            "children": len(children_of(os.getpid())),
            "objects": len(gc.get_objects()),
            "load": os.getloadavg()[0],
            **endings,
        }
        with (folder / "samples.jsonl").open("a") as file:
            file.write(json.dumps(sample) + "\n")
