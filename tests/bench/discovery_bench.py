"""Figures of the gateway, each beside its floor from the same run: `python -m tests.bench.discovery_bench`.

Servers are real processes (the scriptable one of `tests/support/servers`, standard library only), so the floor of every connect time is
starting one of them. Results of a run are in docs/discovery.md.
"""

import gc
import json
import logging
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any
from uuid import uuid4

import anyio

from discovery.discovery_errors import DiscoveryError
from discovery.gateway import Gateway, open_gateway
from discovery.gateway_settings import GatewaySettings
from discovery.search.offering import OfferLimits
from discovery.servers.server_config import ServerConfig
from tests.support.server_configs import stdio_server
from tests.support.servers.http_server import http_server
from tests.support.watching import processes_with, watched_loop

PATIENT = GatewaySettings(grace_s=30, startup_s=30)
USUAL = GatewaySettings()
FAULTY = GatewaySettings(connect_timeout_s=3, list_timeout_s=3, call_timeout_s=3, retry_base_s=60)


def show(what: str, *figures: str) -> None:
    print(f"| {what} | " + " | ".join(figures) + " |", flush=True)  # noqa: T201 - the result of the program


async def timed(work: Callable[[], Awaitable[Any]]) -> float:
    started = time.perf_counter()
    await work()
    return time.perf_counter() - started


async def until_ready(servers: Sequence[ServerConfig], settings: GatewaySettings = PATIENT) -> float:
    """From opening to a catalog of all these servers."""
    started = time.perf_counter()
    async with open_gateway(servers, settings=settings) as gateway:
        catalog = await gateway.catalog()
        elapsed = time.perf_counter() - started
    if len({spec.provider for spec in catalog.tools}) != len(servers):
        raise RuntimeError("not every server was there")
    return elapsed


HELLO = json.dumps(
    {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-11-25", "capabilities": {}}}
).encode()
LIST = b'{"jsonrpc":"2.0","id":2,"method":"tools/list"}'


def bare(servers: Sequence[ServerConfig]) -> float:
    """The floor: start the same processes with nothing around them, greet each and read its tools."""
    started = time.perf_counter()
    running = [
        subprocess.Popen([server.command, *server.args], stdin=subprocess.PIPE, stdout=subprocess.PIPE) for server in servers
    ]
    for process in running:
        assert process.stdin is not None
        process.stdin.write(HELLO + b"\n" + LIST + b"\n")
        process.stdin.flush()
    for process in running:
        assert process.stdout is not None
        process.stdout.readline()
        process.stdout.readline()
    elapsed = time.perf_counter() - started
    for process in running:
        process.communicate()
    return elapsed


async def connecting() -> None:
    await until_ready([stdio_server("warm")])
    for count, delay_s in ((1, 0.0), (8, 0.0), (32, 0.0), (1, 0.5), (8, 0.5), (32, 0.5)):
        servers = [stdio_server(f"s{n}", delay_s=delay_s) for n in range(count)]
        floor = min(bare(servers) for _ in range(3))
        ours = min([await until_ready(servers) for _ in range(3)])
        kind = f"{count} servers that need {delay_s:g} s" if delay_s else f"{count} servers"
        show(f"{kind}: all listed", f"{ours * 1000:.0f} ms", f"bare processes {floor * 1000:.0f} ms: ×{ours / floor:.2f}")


async def one_hung() -> None:
    for fault in ("hang_initialize", "hang_list"):
        servers = [stdio_server("hung", fault=fault), *(stdio_server(f"s{n}") for n in range(7))]
        async with open_gateway(servers, settings=USUAL) as gateway:
            first = await timed(gateway.catalog)
            usable = len((await gateway.catalog()).callable_tools)
            cached = await timed(gateway.catalog)
            call = await timed(lambda gateway=gateway: gateway.call("s3_tool_0", {}))
        show(
            f"{usable} of 8 servers usable, one: {fault}",
            f"{first * 1000:.0f} ms",
            f"then {cached * 1000:.3f} ms; a call {call * 1000:.1f} ms",
        )


async def cached() -> None:
    async with open_gateway([stdio_server(f"s{n}", tools=20) for n in range(8)], settings=USUAL) as gateway:
        await gateway.catalog()
        started = time.perf_counter()
        for _ in range(10_000):
            await gateway.catalog()
        show("catalog from the cache", f"{(time.perf_counter() - started) / 10:.4f} ms", "")


async def many_tools() -> None:
    for count in (100, 1_000, 5_000):
        per_server = min(count, 1_000)
        servers = [stdio_server(f"s{n}", generate=per_server) for n in range(count // per_server)]
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        async with watched_loop() as busy, open_gateway(servers, settings=PATIENT) as gateway:
            started = time.perf_counter()
            catalog = await gateway.catalog()
            listed = time.perf_counter() - started
            grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
            started = time.perf_counter()
            chosen = gateway.advisor.offer(catalog, "do thing number 77", OfferLimits(most_tokens=12_800), context_tokens=128_000)
            choosing = time.perf_counter() - started
            await anyio.sleep(0.02)
        everything = sum(len(json.dumps([s.name, s.description, s.input_schema])) for s in catalog.tools)
        sent = sum(len(json.dumps([s.name, s.description, s.input_schema])) for s in chosen.specs)
        show(
            f"{len(catalog.tools)} tools",
            f"catalog {listed * 1000:.0f} ms, choosing {choosing * 1000:.0f} ms",
            f"loop busy ≤ {busy.longest_s * 1000:.0f} ms, +{grown:.0f} MB, {sent // 1024} of {everything // 1024} kB to the model",
        )


async def many_pages() -> None:
    """20,000 tools of one server on ten pages: those over 5,000 are left out, told of."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    async with watched_loop() as busy:
        async with open_gateway([stdio_server("s", generate=20_000, page=2_000)], settings=PATIENT) as gateway:
            listed = await timed(gateway.catalog)
            catalog = await gateway.catalog()
            grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
            closing = time.perf_counter()
        closed = time.perf_counter() - closing
    show(
        f"20,000 tools on ten pages: {len(catalog.tools)} taken",
        f"catalog {listed * 1000:.0f} ms, closed in {closed * 1000:.0f} ms",
        f"loop busy ≤ {busy.longest_s * 1000:.0f} ms, +{grown:.0f} MB",
    )


CONNECT_FAULTS = ("exit", "silent", "hang_initialize", "hang_list", "endless_line", "noise")
CALL_FAULTS: tuple[dict[str, Any], ...] = (
    {"fault": "hang"},
    {"fault": "crash"},
    {"fault": "closes_stdout"},
    {"fault": "big_answer", "bytes": 100_000_000},
    {"fault": "deeply_nested"},
    {"fault": "wrong_id"},
    {"fault": "storm", "method": "notifications/tools/list_changed"},
    {"fault": "pings"},
)
HTTP_FAULTS: tuple[dict[str, Any], ...] = (
    {"fault": "hang"},
    {"fault": "keep_alive_for_ever"},
    {"fault": "reset_in_call"},
    {"fault": "short_body"},
    {"fault": "huge_json"},
    {"fault": "gzip_bomb"},
    {"fault": "huge_event"},
    {"fault": "hang_up"},
    {"fault": "status_in_call", "status": 429, "headers": {"retry-after": "7"}},
)


async def reason(gateway: Gateway) -> str:
    while not (found := gateway.status()[0].reason):
        await gateway.next_change()
    return found


async def faults() -> None:
    for fault in CONNECT_FAULTS:
        async with open_gateway([stdio_server("bad", fault=fault)], settings=FAULTY) as gateway:
            started = time.perf_counter()
            words = await reason(gateway)
            show(f"stdio, connecting: {fault}", f"{time.perf_counter() - started:.2f} s", words[:80])
    for options in CALL_FAULTS:
        async with open_gateway([stdio_server("bad", **options)], settings=FAULTY) as gateway:
            await failing(gateway, "bad_tool_0", f"stdio, in a call: {options['fault']}")
    for options in HTTP_FAULTS:
        async with http_server(**options) as server:
            far = ServerConfig(name="far", transport="http", url=server.url)
            async with open_gateway([far], settings=FAULTY) as gateway:
                await failing(gateway, "far_echo", f"HTTP, in a call: {options['fault']}")


async def failing(gateway: Gateway, tool: str, what: str) -> None:
    await gateway.catalog()
    started = time.perf_counter()
    try:
        await gateway.call(tool, {"word": "boom"})
    except DiscoveryError as error:
        show(what, f"{time.perf_counter() - started:.2f} s", f"{type(error).__name__}: {str(error)[:80]}")


async def endings() -> None:
    """How long server processes outlive a host that is killed: three that ignore everything or detach children."""
    for ending in (signal.SIGTERM, signal.SIGINT, signal.SIGKILL):
        sign = f"sign-{uuid4().hex}"
        stubborn = ("ignores_everything", "leaves_detached_child", "leaves_child")
        servers = [stdio_server(fault, fault=fault, entry={"env": {"SIGN": sign}}).model_dump(mode="json") for fault in stubborn]
        program = [sys.executable, "-m", "tests.support.servers.host_program", json.dumps(servers)]
        async with await anyio.open_process(program, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            assert process.stdout is not None
            await process.stdout.receive()
            running = len(processes_with(sign))
            started = time.perf_counter()
            process.send_signal(ending)
            while processes_with(sign):
                await anyio.sleep(0.02)
            show(f"{ending.name} to the host", f"{time.perf_counter() - started:.2f} s", f"{running} server processes, 0 left")


async def main() -> None:
    logging.disable()
    gc.freeze()  # as `autonomy.app` does: modules are not looked at again
    show("what", "figure", "against the floor, or words")
    show("---", "---", "---")
    for part in (connecting, one_hung, cached, many_tools, many_pages, faults, endings):
        await part()


if __name__ == "__main__":
    anyio.run(main)
