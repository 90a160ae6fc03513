"""One of four MCP servers over stdio, written by hand so that forty of them start at once: `python tools.py N [MILLISECONDS A CALL]`."""

import json
import sys
import threading
from typing import Any

RESULT = "Tea is best at eighty degrees, and nobody has ever regretted a second cup.\n" * 12
DESCRIBED = "Does one thing with several arguments, described at the length that real tools are. " * 3


def listed(server: str) -> list[dict[str, Any]]:
    """Five tools that read and five that write, of a common size: three sentences, six arguments."""
    form = {f"argument_{at}": {"type": "string", "description": "An argument of the tool"} for at in range(6)}
    schema = {"type": "object", "properties": form, "required": ["argument_0"]}
    marks = {
        "read": {"readOnlyHint": True, "openWorldHint": False},
        "write": {"readOnlyHint": False, "destructiveHint": False, "idempotentHint": False, "openWorldHint": False},
    }
    return [
        {"name": f"s{server}_{kind}_{at}", "description": DESCRIBED, "inputSchema": schema, "annotations": mark}
        for kind, mark in marks.items()
        for at in range(5)
    ]


def answer(method: str, params: dict[str, Any], server: str) -> dict[str, Any] | None:
    """The result of a request; None for a method that is not offered."""
    match method:
        case "initialize":
            offers: dict[str, Any] = {"tools": {}}
            about = {"name": f"bench-{server}", "version": "1"}
            return {"protocolVersion": params["protocolVersion"], "capabilities": offers, "serverInfo": about}
        case "tools/list":
            return {"tools": listed(server)}
        case "tools/call":
            return {"content": [{"type": "text", "text": f"{params['arguments']['argument_0']}\n{RESULT}"}]}
        case "ping":
            return {}
        case _:
            return None


def main(server: str, delay_ms: str = "0") -> None:
    """Answer line by line, and each call when its time has passed, however many wait at once."""
    writing = threading.Lock()

    def reply(request: dict[str, Any]) -> None:
        result = answer(request["method"], request.get("params") or {}, server)
        told = {"result": result} if result is not None else {"error": {"code": -32601, "message": "no such method"}}
        with writing:
            sys.stdout.write(json.dumps({"jsonrpc": "2.0", "id": request["id"], **told}) + "\n")
            sys.stdout.flush()

    for line in sys.stdin:
        request = json.loads(line)
        if "id" in request and request["method"] == "tools/call" and delay_ms != "0":
            threading.Timer(int(delay_ms) / 1000, reply, [request]).start()
        elif "id" in request:
            reply(request)


if __name__ == "__main__":
    main(*sys.argv[1:])
