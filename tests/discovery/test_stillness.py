"""A server that hangs is told from one that starts slowly by what its process does, and not by the time it takes."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import anyio
import pytest

from discovery.connections.connection import STILL
from discovery.gateway import open_gateway
from discovery.transport.local import stillness
from tests.requirements import requirement
from tests.support.server_configs import PATIENT, stdio_server
from tests.support.waiting import until

ASLEEP = "import socket, subprocess, sys, time; {}; print(flush=True); time.sleep(600)"
AT_REST = {"a program that sleeps": "pass", "an event loop's pair of sockets": "ends = socket.socketpair()"}
AT_WORK = {
    "a connection": "server = socket.create_server(('127.0.0.1', 0)); client = socket.create_connection(server.getsockname())",
    "a name that is looked up": "client = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)",
    "a daemon's socket": "server = socket.socket(socket.AF_UNIX)",
    "a child at work": "child = subprocess.Popen([sys.executable, '-I', '-S', '-c', 'while True: pass'])",
}

linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs /proc")


@contextmanager
def program(what: str) -> Iterator[int]:
    """The pid of a program that has done this, and sleeps."""
    command = [sys.executable, "-I", "-S", "-c", ASLEEP.format(what)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, start_new_session=True) as process:
        assert process.stdout is not None
        try:
            process.stdout.readline()
            yield process.pid
        finally:
            os.killpg(process.pid, signal.SIGKILL)


@linux
@requirement("D3")
def test_only_a_process_whose_threads_all_sleep_and_that_waits_for_nobody_is_at_rest() -> None:
    for name, what in AT_REST.items():
        with program(what) as pid:
            assert until(lambda pid=pid: stillness.at_rest(pid) is not None, timeout_s=240), name
    for name, what in AT_WORK.items():
        with program(what) as pid:
            assert {stillness.at_rest(pid) for _ in range(20)} == {None}, name
    assert stillness.at_rest(pid) is None  # it has ended


@linux
@requirement("D3", "R2")
@pytest.mark.parametrize("fault", ["hang_initialize", "hang_list", "silent"])
async def test_a_server_that_hangs_at_its_first_start_is_known_to_without_a_wait(fault: str) -> None:
    """`silent` answers nothing at all."""
    settings = PATIENT.model_copy(update={"connect_timeout_s": 300, "list_timeout_s": 300})
    async with open_gateway([stdio_server("hung", fault=fault)], settings=settings) as gateway:
        with anyio.fail_after(240):  # not the 300 s that it may take
            while not gateway.status()[0].overdue:
                await gateway.next_change()
        (hung,) = gateway.status()
    assert (hung.missing, hung.cause) == ("starting", STILL)
