"""Waits until a server listens."""

import contextlib
import socket
import time


def wait_for(port: int) -> None:
    """Until something listens there."""
    for _ in range(3_000):
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        time.sleep(0.1)
    raise TimeoutError(f"nothing listens on port {port}")
