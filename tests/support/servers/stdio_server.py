"""A small MCP server over stdio that can be told to misbehave: `python stdio_server.py '{"tools": 3, "fault": "hang_list"}'`.

Options: `tools` (how many) or `list` (the definitions), `delay_s` before it answers `initialize`, `ttl_ms`, `fault` (a function below),
and whatever the fault reads. Uses the standard library alone, so that starting it costs 30 ms.
"""

import json
import os
import signal
import sys
import time
from typing import Any

OPTIONS: dict[str, Any] = json.loads(sys.argv[1]) if len(sys.argv) > 1 else {}
FAULT = OPTIONS.get("fault", "")


def send(message: dict[str, Any]) -> None:
    write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")


def write(data: bytes) -> None:
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def answer(request: dict[str, Any], result: Any) -> None:
    send({"id": request["id"], "result": result})


def refuse(request: dict[str, Any], code: int, message: str) -> None:
    send({"id": request["id"], "error": {"code": code, "message": message}})


def tool(name: str, **more: Any) -> dict[str, Any]:
    schema = {"type": "object", "properties": {"text": {"type": "string"}}}
    return {"name": name, "description": f"Does {name}.", "inputSchema": schema, **more}


def tools() -> list[dict[str, Any]]:
    if "list" in OPTIONS:
        return list(OPTIONS["list"])
    return [tool(f"tool_{number}") for number in range(OPTIONS.get("tools", 1))]


def hang() -> None:
    while True:
        time.sleep(60)


def text(words: str, **more: Any) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": words}], **more}


def on_initialize(request: dict[str, Any]) -> None:
    time.sleep(OPTIONS.get("delay_s", 0))
    if FAULT == "hang_initialize":
        hang()
    answer(
        request,
        {
            "protocolVersion": request["params"]["protocolVersion"],
            "capabilities": {"tools": {"listChanged": True}},
            "serverInfo": {"name": "test-server", "version": "1.2.3"},
            "instructions": "Be kind.",
        },
    )


def on_list(request: dict[str, Any]) -> None:
    if FAULT == "hang_list":
        hang()
    if FAULT == "endless_pages":
        page = int((request.get("params") or {}).get("cursor", 0))
        return answer(request, {"tools": [tool(f"page_{page}")], "nextCursor": str(page + 1)})
    if FAULT == "same_cursor":
        return answer(request, {"tools": [tool("again")], "nextCursor": "again"})
    answer(request, {"tools": tools(), **({"ttlMs": OPTIONS["ttl_ms"]} if "ttl_ms" in OPTIONS else {})})
    if FAULT == "exit_after_list":
        sys.exit(0)
    return None


def on_call(request: dict[str, Any]) -> None:
    fault = globals().get(f"call_{FAULT}")
    if fault is not None:
        return fault(request)
    name, arguments = request["params"]["name"], request["params"].get("arguments") or {}
    if name not in {item["name"] for item in tools() if isinstance(item, dict) and "name" in item}:
        return answer(request, text(f"Unknown tool: {name}", isError=True))
    return answer(request, text(json.dumps({"tool": name, "arguments": arguments, "meta": request["params"].get("_meta")})))


HANDLERS = {
    "initialize": on_initialize,
    "ping": lambda request: answer(request, {}),
    "tools/list": on_list,
    "tools/call": on_call,
}


def main() -> None:
    at_start = globals().get(f"start_{FAULT}")
    if at_start is not None:
        at_start()
    for line in sys.stdin.buffer:
        request = json.loads(line)
        if "id" not in request or "method" not in request:
            continue
        handler = HANDLERS.get(request["method"])
        if handler is None:
            refuse(request, -32601, f"Method not found: {request['method']}")
        else:
            handler(request)


def start_exit() -> None:
    sys.stderr.write("the configuration is missing\n")
    sys.exit(3)


def start_silent() -> None:
    hang()


def call_soft_error(request: dict[str, Any]) -> None:
    answer(request, text("no such file", isError=True))


def call_hang(request: dict[str, Any]) -> None:
    hang()


def call_crash(request: dict[str, Any]) -> None:
    sys.stderr.write("about to crash\n")
    sys.stderr.flush()
    os.kill(os.getpid(), signal.SIGSEGV)


if __name__ == "__main__":
    main()
