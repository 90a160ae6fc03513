"""A stdio relay around an MCP server that loses the answer to its first write.

The write happens; its answer never arrives, and the file MARKER says so. From then on everything passes.
"""

import json
import subprocess
import sys
import threading
from pathlib import Path


def main() -> None:
    """Relay lines both ways until either side ends."""
    marker, tool, _, *command = sys.argv[1:]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server:
        lost: set[object] = set()
        threading.Thread(target=_to_server, args=(server, tool, Path(marker), lost), daemon=True).start()
        for line in server.stdout or ():
            if _identity(line) in lost:
                Path(marker).touch()
                continue
            sys.stdout.buffer.write(line)
            sys.stdout.buffer.flush()


def _to_server(server: "subprocess.Popen[bytes]", tool: str, marker: Path, lost: set[object]) -> None:
    if server.stdin is None:
        return
    for line in sys.stdin.buffer:
        message = json.loads(line)
        if message.get("method") == "tools/call" and message["params"]["name"] == tool and not marker.exists():
            lost.add(message["id"])
        server.stdin.write(line)
        server.stdin.flush()
    server.stdin.close()


def _identity(line: bytes) -> object:
    """The id of an answer; None for what is none."""
    message = json.loads(line)
    return message.get("id") if isinstance(message, dict) and "method" not in message else None


if __name__ == "__main__":
    main()
