"""However we end, no server process stays behind: not one that ignores every signal, nor the child that one detached."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from uuid import uuid4

import anyio
import anyio.abc
import pytest

from discovery.gateway import open_gateway
from discovery.transport.local import processes
from tests.requirements import requirement
from tests.support.sampling import only
from tests.support.server_configs import stdio_server
from tests.support.watching import processes_with

kill_orphans = processes.kill_orphans  # the real one: tests of other things do without
STUBBORN = ("ignores_everything", "leaves_detached_child", "leaves_child")


@pytest.fixture(autouse=True)
def orphans_are_killed(orphans_left_alone: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who opens a gateway here looks for what killed hosts left, as in the product."""
    monkeypatch.setattr(processes, "kill_orphans", kill_orphans)


async def host(sign: str, *namespace: str) -> anyio.abc.Process:
    """A host with stubborn servers, once they run; `namespace`: what stands for that of its processes."""
    servers = [stdio_server(fault, fault=fault, entry={"env": {"SIGN": sign}}).model_dump(mode="json") for fault in STUBBORN]
    program = [sys.executable, "-m", "tests.support.servers.host_program", json.dumps(servers), *namespace]
    process = await anyio.open_process(program, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    assert process.stdout is not None
    with anyio.fail_after(240):
        assert (await process.stdout.receive()).startswith(b"ready")
    with anyio.fail_after(240):  # the kernel shows nothing of a process that is being started
        while len(await anyio.to_thread.run_sync(processes_with, sign)) < 5:
            await anyio.sleep(0.05)
    return process


@asynccontextmanager
async def ended(process: anyio.abc.Process) -> AsyncIterator[anyio.abc.Process]:
    """Whatever happens inside, the process is gone afterwards: leaving it waits for its end."""
    async with process:
        try:
            yield process
        finally:
            if process.returncode is None:
                process.kill()


async def gone(words: str) -> None:
    with anyio.fail_after(240):
        while await anyio.to_thread.run_sync(processes_with, words):
            await anyio.sleep(0.05)


@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize("ending", only((signal.SIGKILL,), (signal.SIGTERM, signal.SIGINT, signal.SIGKILL, signal.SIGSEGV)))
@requirement("D5")
async def test_when_we_are_killed_the_servers_go_too(ending: signal.Signals) -> None:
    sign = f"sign-{uuid4().hex}"
    async with ended(await host(sign)) as process:
        process.send_signal(ending)
        with anyio.fail_after(240):
            await process.wait()
        await gone(sign)


@requirement("D5")
async def test_what_a_killed_host_left_behind_is_ended_by_the_next_start(monkeypatch: pytest.MonkeyPatch) -> None:
    sign, namespace = f"sign-{uuid4().hex}", uuid4().hex
    monkeypatch.setattr(processes, "_namespace", lambda: namespace)  # else any gateway on this machine may be the next start
    async with ended(await host(sign, namespace)) as process:
        (reaper,) = [pid for pid in await anyio.to_thread.run_sync(processes_with, f".{process.pid}.") if reaps(pid)]
        os.kill(reaper, signal.SIGKILL)
        process.kill()
        await process.wait()
        await anyio.sleep(0.1)
        assert await anyio.to_thread.run_sync(processes_with, sign)
        async with open_gateway([]):
            await gone(sign)


def reaps(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:  # noqa: PTH123
            return processes.__file__.encode() in file.read()
    except OSError:  # it has ended since it was found
        return False


async def test_the_servers_of_a_living_host_are_nobodys_orphans() -> None:
    async with open_gateway([stdio_server("mine")]) as gateway:
        await gateway.catalog()
        async with open_gateway([]):
            pass
        assert not (await gateway.call("mine_tool_0", {})).is_error


async def test_an_orderly_close_dismisses_the_reaper() -> None:
    async with open_gateway([stdio_server("mine")]) as gateway:
        await gateway.catalog()
    own = f".{os.getpid()}."
    found = await anyio.to_thread.run_sync(processes_with, own)
    assert [pid for pid in found if reaps(pid)] == []
