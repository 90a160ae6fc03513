"""Connects to the socket of a user's warm process, and identifies the process at the other end.

It imports nothing slow, because every command imports it.
"""

import os
import socket
import struct
from collections.abc import Iterator
from contextlib import contextmanager

from autonomy.warm import SOCKET

LARGEST = 1 << 20
"""Bytes of one message. A command with a longer order runs without the warm process."""
KNOCK, HERE, READY, GO, RETRY = b"knock", b"here", b"ready", b"go", b"not here"
STOP, STATUS = b"stop", b"status"


def supported() -> bool:
    """Whether this system has what warm starts need: pidfds, `/proc` and credentials of peers."""
    return hasattr(os, "pidfd_open") and hasattr(socket, "SO_PEERCRED") and os.path.isdir("/proc/self/fd")  # noqa: PTH112


@contextmanager
def address(home: str) -> Iterator[str]:
    """Yield a path of the socket that is short enough for the kernel (108 bytes) in any folder. Raises OSError."""
    folder = os.open(home, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield f"/proc/self/fd/{folder}/{SOCKET}"
    finally:
        os.close(folder)


def connect(home: str, timeout_s: float) -> socket.socket:
    """Connect to the warm process of this user. Raises OSError if there is none, or if it is another user's."""
    line = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    try:
        line.settimeout(timeout_s)
        with address(home) as path:
            line.connect(path)
        ours = peer(line)[1] == os.getuid()
    except BaseException:
        line.close()
        raise
    if not ours:
        line.close()
        raise PermissionError("the warm process is another user's")
    return line


def peer(line: socket.socket) -> tuple[int, int]:
    """Return the process id and user id at the other end, as the kernel knows them (unix(7), SO_PEERCRED)."""
    pid, uid, _ = struct.unpack("3i", line.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i")))
    return pid, uid
