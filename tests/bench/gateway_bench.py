"""What a gateway adds to a call, all in one run: `python -m tests.bench.gateway_bench [--calls N] [--others VENV]`.

The same client calls the same server bare, through `jiritsu gateway`, through fastmcp's proxy and through mcp-proxy, in turns, so that what
else the machine does falls on all of them. `--others` is a directory with `bin/python`, which has `fastmcp`, and `bin/mcp-proxy`; without it they are left out.
The two want different releases of the SDK, so these are links into two environments.

- `stdio`: the client speaks stdio to each. `http`: Streamable HTTP to each; behind the proxies the server is the same stdio program.
- With 1,000 tools; with 50 clients at once; with a server beside it that hangs, and one that dies at every start.
"""

import argparse
import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import anyio
import httpx2
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp_types import CallToolResult, ListToolsResult, TextContent, Tool, ToolAnnotations

from tests.conformance.ports import wait_for
from tests.support.command import command_line

TOKEN = "bench-token-0123456789"
ROUNDS = 3
CLIENTS = 50
FASTMCP = """
import json, sys
from fastmcp.server import create_proxy
config, port = json.loads(sys.argv[1]), int(sys.argv[2])
proxy = create_proxy(config, name="proxy")
proxy.run(**({"transport": "http", "host": "127.0.0.1", "port": port, "show_banner": False} if port else {"show_banner": False}))
"""
Opened = Callable[[], AbstractAsyncContextManager[Client]]
"""A way to be connected."""


# ── the server: another process ─────────────────────────────────────────────────────────────────────────────────────────


def server(tools: int) -> Server[Any]:
    """So many tools that echo."""
    schema = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
    look = ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)
    offered = [
        Tool(name=f"echo_{number}", description=f"Say it again, number {number}.", input_schema=schema, annotations=look)
        for number in range(tools)
    ]

    async def on_list(_context: Any, _params: Any) -> ListToolsResult:
        return ListToolsResult(tools=offered)

    async def on_call(_context: Any, params: Any) -> CallToolResult:
        return CallToolResult(content=[TextContent(text=params.arguments["text"])])

    return Server("bench", on_list_tools=on_list, on_call_tool=on_call)


async def serve_stdio(tools: int) -> None:
    """Over stdio."""
    made = server(tools)
    async with stdio_server() as (read, write):
        await made.run(read, write, made.create_initialization_options())


def serve_http(tools: int, port: int) -> None:
    """Over HTTP."""
    import uvicorn

    uvicorn.run(server(tools).streamable_http_app(), host="127.0.0.1", port=port, log_level="error")


# ── the contenders ──────────────────────────────────────────────────────────────────────────────────────────────────────


def me(*arguments: str) -> list[str]:
    """This file as a program."""
    return [sys.executable, "-m", "tests.bench.gateway_bench", *arguments]


def free_port() -> int:
    """One that nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


@contextmanager
def listening(command: list[str], port: int, **env: str) -> Iterator[str]:
    """A process that serves at /mcp there."""
    process = subprocess.Popen(command, env=os.environ | env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_for(port)
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        process.terminate()
        process.wait(20)


def by_stdio(command: list[str], **env: str) -> Opened:
    """A client that starts the command."""

    @asynccontextmanager
    async def opened() -> AsyncIterator[Client]:
        parameters = StdioServerParameters(command=command[0], args=command[1:], env=dict(os.environ) | env, cwd=str(Path.cwd()))
        async with Client(parameters, mode="legacy") as client:
            yield client

    return opened


def by_http(url: str, token: str = "") -> Opened:
    """A client of its own connection."""

    @asynccontextmanager
    async def opened() -> AsyncIterator[Client]:
        headers = {"authorization": f"Bearer {token}"} if token else {}
        async with (
            httpx2.AsyncClient(headers=headers, timeout=120) as http,
            Client(streamable_http_client(url, http_client=http), mode="legacy") as client,
        ):
            yield client

    return opened


def home_of(directory: str, servers: dict[str, Any], *, list_wait_s: float = 60) -> list[str]:
    """A data directory of `jiritsu gateway`, and the beginning of its command line."""
    home = Path(tempfile.mkdtemp(dir=directory))
    (home / "jiritsu.mcp.json").write_text(json.dumps({"mcpServers": servers}))
    (home / "jiritsu.toml").write_text(
        "[gateway.clients.default]\ncalls_per_minute = 1000000\ncalls_at_once = 1000\n"
        f'list_wait_s = {list_wait_s:g}\ntoken_env = "BENCH_TOKEN"\n'
    )
    return command_line("--home", str(home), "gateway")


# ── measuring ───────────────────────────────────────────────────────────────────────────────────────────────────────────


async def call_once(client: Client, name: str) -> float:
    """One call, in milliseconds."""
    started = time.perf_counter()
    result = await client.call_tool(name, {"text": "tea"})
    assert not result.is_error, result
    return (time.perf_counter() - started) * 1000


async def in_turns(contenders: dict[str, Opened], calls: int) -> dict[str, dict[str, float]]:
    """Connect each, list, and make the calls a batch of each at a time; milliseconds."""
    measured: dict[str, dict[str, float]] = {}
    async with anyio.create_task_group() as group:
        clients: dict[str, tuple[Client, str]] = {}
        stop = anyio.Event()

        async def hold(name: str, opened: Opened, *, task_status: anyio.abc.TaskStatus[None]) -> None:
            async with opened() as client:
                started = time.perf_counter()
                listed = (await client.list_tools()).tools
                measured[name] = {"list": (time.perf_counter() - started) * 1000, "tools": len(listed)}
                clients[name] = client, next(tool.name for tool in listed if tool.name.endswith("echo_0"))
                task_status.started()
                await stop.wait()

        for name, opened in contenders.items():
            await group.start(lambda task_status, name=name, opened=opened: hold(name, opened, task_status=task_status))
        times: dict[str, list[float]] = {name: [] for name in contenders}
        for client, tool in clients.values():
            for _ in range(10):
                await call_once(client, tool)
        for _ in range(ROUNDS * 4):
            for name, (client, tool) in clients.items():
                times[name] += [await call_once(client, tool) for _ in range(calls // (ROUNDS * 4))]
        for name, taken in times.items():
            measured[name] |= {"p50": statistics.median(taken), "p95": statistics.quantiles(taken, n=20)[-1]}
        stop.set()
    return measured


async def at_once(opened: Opened, calls: int) -> float:
    """Calls a second of 50 clients, each on its own connection."""
    ready, go = 0, anyio.Event()

    async def work() -> None:
        nonlocal ready
        async with opened() as client:
            tool = next(one.name for one in (await client.list_tools()).tools if one.name.endswith("echo_0"))
            ready += 1
            await go.wait()
            for _ in range(calls):
                await call_once(client, tool)

    async with anyio.create_task_group() as group:
        for _ in range(CLIENTS):
            group.start_soon(work)
        while ready < CLIENTS:
            await anyio.sleep(0.05)
        started = time.perf_counter()
        go.set()
    return CLIENTS * calls / (time.perf_counter() - started)


def show(title: str, measured: dict[str, dict[str, float]]) -> None:
    """A table; what is added is counted from the bare server's figures."""
    bare = next(iter(measured.values()))
    print(f"\n{title}\n| | p50 ms | added p50 | p95 ms | list ms | tools |\n|---|---|---|---|---|---|")  # noqa: T201 - the result
    for name, one in measured.items():
        added = one["p50"] - bare["p50"]
        print(f"| {name} | {one['p50']:.2f} | {added:+.2f} | {one['p95']:.2f} | {one['list']:.0f} | {one['tools']:.0f} |")  # noqa: T201


async def main(calls: int, others: Path | None) -> None:
    """All of it."""
    with tempfile.TemporaryDirectory() as directory:
        token = {"BENCH_TOKEN": TOKEN}
        for tools in (10, 1000):
            behind = {"command": sys.executable, "args": me("stdio", str(tools))[1:], "cwd": str(Path.cwd())}
            config = {"mcpServers": {"bench": behind}}
            ours = home_of(directory, {"bench": behind})
            stdio = {"bare": by_stdio(me("stdio", str(tools))), "jiritsu gateway": by_stdio(ours, **token)}
            if others:
                stdio["fastmcp proxy"] = by_stdio([str(others / "bin/python"), "-c", FASTMCP, json.dumps(config), "0"])
            show(f"stdio, {tools} tools", await in_turns(stdio, calls))
        await over_http(directory, calls, others)
        await in_bad_company(directory, calls)


async def over_http(directory: str, calls: int, others: Path | None) -> None:
    """HTTP in front, ten tools behind; then 50 clients at once."""
    behind = {"command": sys.executable, "args": me("stdio", "10")[1:], "cwd": str(Path.cwd())}
    ours = home_of(directory, {"bench": behind})
    ports = [free_port() for _ in range(4)]
    commands = {"bare": me("http", "10", str(ports[0])), "jiritsu gateway": [*ours, "--http", f"127.0.0.1:{ports[1]}"]}
    if others:
        config = json.dumps({"mcpServers": {"bench": behind}})
        commands["fastmcp proxy"] = [str(others / "bin/python"), "-c", FASTMCP, config, str(ports[2])]
        commands["mcp-proxy"] = [
            str(others / "bin/mcp-proxy"),
            "--port",
            str(ports[3]),
            "--pass-environment",
            "--",
            *me("stdio", "10"),
        ]
    with _all_listening(commands, ports) as urls:
        contenders = {name: by_http(url, TOKEN if name == "jiritsu gateway" else "") for name, url in urls.items()}
        show("HTTP, 10 tools", await in_turns(contenders, calls))
        print(f"\n{CLIENTS} clients at once over HTTP, calls a second")  # noqa: T201
        for name, opened in contenders.items():
            try:
                with anyio.fail_after(120):
                    print(f"| {name} | {await at_once(opened, max(1, calls // CLIENTS)):.0f} |")  # noqa: T201
            except Exception as error:
                print(f"| {name} | broke: {type(error).__name__} |")  # noqa: T201


@contextmanager
def _all_listening(commands: dict[str, list[str]], ports: list[int]) -> Iterator[dict[str, str]]:
    from contextlib import ExitStack

    with ExitStack() as stack:
        started = zip(commands.items(), ports, strict=False)
        yield {name: stack.enter_context(listening(command, port, BENCH_TOKEN=TOKEN)) for (name, command), port in started}


async def in_bad_company(directory: str, calls: int) -> None:
    """A server that says nothing and one that dies at every start beside the good one."""
    good = {"command": sys.executable, "args": me("stdio", "10")[1:], "cwd": str(Path.cwd())}
    hung = {"command": sys.executable, "args": ["-c", "import time; time.sleep(3600)"]}
    dying = {"command": sys.executable, "args": ["-c", "raise SystemExit(1)"]}
    ours = home_of(directory, {"bench": good, "hung": hung, "dying": dying}, list_wait_s=2)
    alone = home_of(directory, {"bench": good}, list_wait_s=2)
    contenders = {"jiritsu gateway, good company": by_stdio(alone), "jiritsu gateway, bad company": by_stdio(ours)}
    show("a hung and a dying server beside it, stdio", await in_turns(contenders, calls))


if __name__ == "__main__":
    if sys.argv[1:2] == ["stdio"]:
        anyio.run(serve_stdio, int(sys.argv[2]))
    elif sys.argv[1:2] == ["http"]:
        serve_http(int(sys.argv[2]), int(sys.argv[3]))
    else:
        parser = argparse.ArgumentParser(description=__doc__)
        parser.add_argument("--calls", type=int, default=1200)
        parser.add_argument("--others", type=Path)
        given = parser.parse_args()
        anyio.run(main, given.calls, given.others)
