"""How long 32 stdio servers of half a second take in an open app: `python -m tests.bench.many_servers_bench [--rounds N]`.

From `open_app` until the catalog offers the tools of all, each time in a process that has imported everything: in a new home, and
twice in one that knows the servers. Between them the same programs without us, greeted as soon as they run (`bare`), and opened by
the bare `mcp.Client`, all at once, until the tools of each are listed (`sdk`). CPU is that of the process that opens them alone.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import anyio

from autonomy.app import open_app
from autonomy.settings import load
from tests.bench.app_bench.__main__ import ROOT, say
from tests.support.command import environment
from tests.support.server_configs import SERVERS

TOOL = {
    "name": "look_up",
    "description": "Look up what lies on the desk.",
    "inputSchema": {"type": "object"},
    "annotations": {"readOnlyHint": True, "openWorldHint": False},
}
GREETING = b'{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-11-25"}}\n'


def program(delay_s: float) -> list[str]:
    """The command line of a server."""
    return [sys.executable, "-I", "-S", str(SERVERS / "stdio_server.py"), json.dumps({"list": [TOOL], "delay_s": delay_s})]


def bare(count: int, delay_s: float) -> dict[str, float]:
    """Start all, greet each, and read each greeting."""
    began = time.perf_counter()
    servers = [subprocess.Popen(program(delay_s), stdin=subprocess.PIPE, stdout=subprocess.PIPE) for _ in range(count)]
    for server in servers:
        assert server.stdin is not None
        server.stdin.write(GREETING)
        server.stdin.flush()
    for server in servers:
        assert server.stdout is not None
        server.stdout.readline()
    wall_s = time.perf_counter() - began
    for server in servers:
        server.communicate()
    return {"wall_s": wall_s}


async def opened(home: Path, count: int) -> dict[str, float]:
    """Open an app with the servers of a home, until all can be called."""
    # as in a process that has imported everything
    import autonomy.app_services
    import autonomy.durable.durable_runs  # noqa: F401

    config = load({"home": str(home), "servers": str(home / "servers.json")})
    began, used = time.perf_counter(), time.process_time()
    async with open_app(config) as app:
        await app.gateway.settle(60)
        offered = len((await app.gateway.catalog()).callable_tools)
        wall_s, cpu_s = time.perf_counter() - began, time.process_time() - used
    assert offered == count, f"{offered} of {count} tools can be called"
    return {"wall_s": wall_s, "cpu_s": cpu_s}


async def clients(home: Path, count: int) -> dict[str, float]:
    """Open the servers of a home with the SDK, as one writes it in an afternoon, until all have listed their tools."""
    from mcp import Client, StdioServerParameters, stdio_client

    entries = json.loads((home / "servers.json").read_text(encoding="utf-8"))["mcpServers"]
    listed = 0
    all_listed, done = anyio.Event(), anyio.Event()

    async def connect(entry: dict[str, Any]) -> None:
        nonlocal listed
        async with Client(stdio_client(StdioServerParameters(**entry)), mode="legacy") as client:  # these servers know no other
            tools = (await client.list_tools()).tools
            listed += len(tools)
            if listed == count:
                all_listed.set()
            await done.wait()

    began, used = time.perf_counter(), time.process_time()
    async with anyio.create_task_group() as tasks:
        for entry in entries.values():
            tasks.start_soon(connect, entry)
        await all_listed.wait()
        wall_s, cpu_s = time.perf_counter() - began, time.process_time() - used
        done.set()
    return {"wall_s": wall_s, "cpu_s": cpu_s}


OPENERS = {"app": opened, "sdk": clients}
"""What opens the servers of a home in a process of its own."""


def in_a_process(opener: str, home: Path, count: int) -> dict[str, float]:
    """The same in a process of its own."""
    command = [sys.executable, "-m", "tests.bench.many_servers_bench", "--home", str(home), "--servers", str(count)]
    done = subprocess.run([*command, "--open", opener], cwd=ROOT, env=environment(home), check=True, capture_output=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure in turns, and print least, median and most."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--servers", type=int, default=32)
    parser.add_argument("--delay-s", type=float, default=0.5)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--home", type=Path, help="open the servers of this home once and print what it took")
    parser.add_argument("--open", choices=OPENERS, default="app", help="what opens them")
    options: Any = parser.parse_args(arguments)
    if options.home:
        say(json.dumps(anyio.run(OPENERS[options.open], options.home, options.servers)))
        return
    took: dict[str, list[dict[str, float]]] = defaultdict(list)
    for _ in range(options.rounds):
        with tempfile.TemporaryDirectory() as place:
            home, (command, *more) = Path(place), program(options.delay_s)
            entries = {f"s{number}": {"command": command, "args": more} for number in range(options.servers)}
            (home / "servers.json").write_text(json.dumps({"mcpServers": entries}))
            took["bare"].append(bare(options.servers, options.delay_s))
            for kind, opener in (("sdk", "sdk"), ("new", "app"), ("known", "app"), ("known", "app")):
                took[kind].append(in_a_process(opener, home, options.servers))
    for kind, rounds in took.items():
        say(f"{kind}: " + "; ".join(f"{key} {spread([one[key] for one in rounds])}" for key in rounds[0]))
    say(f"load {os.getloadavg()[0]:.1f}")


def spread(values: Sequence[float]) -> str:
    """Least, median and most."""
    return f"{min(values):.2f} / {statistics.median(values):.2f} / {max(values):.2f}"


if __name__ == "__main__":
    main()
