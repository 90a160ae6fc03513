"""Ports for servers in other processes, which have to be told where to listen before they do."""

import itertools
import os
import socket
from pathlib import Path

LOWEST = 10_000
KERNELS = Path("/proc/sys/net/ipv4/ip_local_port_range")
"""The range out of which the kernel gives ports to whoever connects, or listens on port 0."""

_taken = itertools.count()


def free_port() -> int:
    """A port of loopback that nobody has, and that nobody gets before the server it is for listens there.

    One that the kernel chose and that was let go of again may be given to the next test's connection. So it is taken from below the
    kernel's range, each process its own stretch by its id.
    """
    beyond = int(KERNELS.read_text().split()[0]) if KERNELS.exists() else 32_768
    while True:
        port = LOWEST + (os.getpid() * 61 + next(_taken)) % (beyond - LOWEST)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        return port
