"""Warm starts: a process that has imported everything runs commands in forks and keeps spare MCP servers."""

import os

SOCKET = "warm.sock"


def warm_home() -> str:
    """Return the folder of the socket: the data directory by the environment, regardless of a command's flags."""
    data = os.environ.get("XDG_DATA_HOME") or os.path.join(os.path.expanduser("~"), ".local", "share")  # noqa: PTH111, PTH118
    return os.environ.get("JIRITSU_HOME") or os.path.join(data, "jiritsu")  # noqa: PTH118
