"""Warm starts: a process with everything imported runs commands by fork and keeps spare MCP servers."""

import os

SOCKET = "warm.sock"


def warm_home() -> str:
    """The folder of the socket: the data directory of the environment, whatever a command's own flags say."""
    data = os.environ.get("XDG_DATA_HOME") or os.path.join(os.path.expanduser("~"), ".local", "share")  # noqa: PTH111, PTH118
    return os.environ.get("JIRITSU_HOME") or os.path.join(data, "jiritsu")  # noqa: PTH118
