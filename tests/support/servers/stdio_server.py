"""A small MCP server over stdio that can be told to misbehave: `python stdio_server.py '{"tools": 3, "fault": "hang_list"}'`.

Options: `tools` (how many) or `list` (the definitions), `delay_s` before it answers `initialize` (or `delay_file`, which holds it; not while there is a
file `closed`), `ttl_ms`,
`answer` (words every call brings), `fault` (a function below), and whatever the fault reads. Uses the standard library alone, so that starting it costs 30 ms.
"""

import json
import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path
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
    return {"name": name, "description": f"Does {name}.", "inputSchema": schema} | more


def large_tool(number: int) -> dict[str, Any]:
    """A tool of the usual size: 700 bytes of schema."""
    fields = {f"field_{at}": {"type": "string", "description": "What this field is about, in a line."} for at in range(6)}
    schema = {"type": "object", "properties": fields, "required": ["field_0"]}
    return tool(f"tool_{number}", description=f"Does thing number {number} in a way that takes a line.", inputSchema=schema)


def tools() -> list[dict[str, Any]]:
    if "list" in OPTIONS:
        return list(OPTIONS["list"])
    if "generate" in OPTIONS:
        return [large_tool(number) for number in range(OPTIONS["generate"])]
    more = {"x": "y" * OPTIONS.get("schema_bytes", 0)}
    return [tool(f"tool_{number}", **more) for number in range(OPTIONS.get("tools", 1))]


def hang() -> None:
    while True:
        time.sleep(60)


def text(words: str, **more: Any) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": words}], **more}


def on_initialize(request: dict[str, Any]) -> None:
    time.sleep(float(Path(OPTIONS["delay_file"]).read_text()) if "delay_file" in OPTIONS else OPTIONS.get("delay_s", 0))
    while "closed" in OPTIONS and Path(OPTIONS["closed"]).exists():
        time.sleep(0.02)
    if FAULT == "hang_initialize":
        hang()
    if FAULT == "no_greeting":
        answer(request, {"hello": 1})
        return
    answer(
        request,
        {
            "protocolVersion": OPTIONS.get("protocol", request["params"]["protocolVersion"]),
            "capabilities": {"tools": {"listChanged": True}},
            "serverInfo": {"name": OPTIONS.get("server_name", "test-server"), "version": "1.2.3"},
            "instructions": "Be kind." * OPTIONS.get("emphasis", 1),
        },
    )


def on_list(request: dict[str, Any]) -> None:
    if FAULT == "hang_list":
        hang()
    if FAULT == "locked":
        return refuse(request, -32603, "the database is locked")
    if FAULT == "endless_pages":
        page = int((request.get("params") or {}).get("cursor", 0))
        return answer(request, {"tools": [tool(f"page_{page}")], "nextCursor": str(page + 1)})
    if FAULT == "same_cursor":
        return answer(request, {"tools": [tool("again")], "nextCursor": "again"})
    listed = [] if OPTIONS.get("empty_lists", 0) > 0 else tools()
    if (size := OPTIONS.get("page", 0)) and len(listed) > size:
        begin = int((request.get("params") or {}).get("cursor", 0))
        more = {"nextCursor": str(begin + size)} if begin + size < len(listed) else {}
        return answer(request, {"tools": listed[begin : begin + size], **more})
    OPTIONS["empty_lists"] = OPTIONS.get("empty_lists", 0) - 1
    answer(request, {"tools": listed, **({"ttlMs": OPTIONS["ttl_ms"]} if "ttl_ms" in OPTIONS else {})})
    if FAULT == "exit_after_list":
        sys.exit(0)
    if FAULT == "deaf":
        hang()
    return None


def on_call(request: dict[str, Any]) -> None:
    fault = globals().get(f"call_{FAULT}")
    if fault is not None:
        return fault(request)
    name, arguments = request["params"]["name"], request["params"].get("arguments") or {}
    if name not in {item["name"] for item in tools() if isinstance(item, dict) and "name" in item}:
        return answer(request, text(f"Unknown tool: {name}", isError=True))
    if "answer" in OPTIONS:
        return answer(request, text(OPTIONS["answer"]))
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
        if handler is None and FAULT == "silent_discover":
            continue
        if handler is None:
            refuse(request, -32601, f"Method not found: {request['method']}")
        else:
            handler(request)


def start_exit() -> None:
    sys.stderr.write(OPTIONS.get("words", "the configuration is missing") + "\n")
    sys.exit(3)


def start_exit_unless() -> None:
    if not Path(OPTIONS["flag"]).exists():
        sys.exit(3)


def start_silent() -> None:
    hang()


def start_banner() -> None:
    write("起動しました 🚀\r\n\r\n{not json}\n\ufeff".encode())


def start_usage() -> None:
    write(b"usage: server [--stdio]\n")
    hang()


def start_long_noise() -> None:
    write(b"key = value, " * 300_000 + b"\n")
    hang()


def start_noise() -> None:
    write(b"debug: still fine\n" * 1000)
    hang()


def start_endless_line() -> None:
    while True:
        write(b"x" * 65536)


def start_full_stderr() -> None:
    sys.stderr.write("w" * (1 << 20))


def start_ignores_eof() -> None:
    keep_running_after_eof()


def start_ignores_everything() -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    keep_running_after_eof()


def keep_running_after_eof() -> None:
    """When main() returns, at the end of stdin, the process stays."""
    import atexit

    atexit.register(hang)


def start_leaves_child() -> None:
    subprocess.Popen(["sleep", "97"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)


def start_leaves_detached_child() -> None:
    subprocess.Popen(["sleep", "97"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, start_new_session=True)


def start_deaf() -> None:
    """Answers the greeting and the listing, and reads nothing after."""


def call_hang(request: dict[str, Any]) -> None:
    hang()


def call_soft_error(request: dict[str, Any]) -> None:
    answer(request, text("no such file", isError=True))


def call_crash(request: dict[str, Any]) -> None:
    sys.stderr.write("about to crash\n")
    sys.stderr.flush()
    os.kill(os.getpid(), signal.SIGSEGV)


def call_closes_stdout(request: dict[str, Any]) -> None:
    os.close(1)
    hang()


def call_big_answer(request: dict[str, Any]) -> None:
    answer(request, text("x" * OPTIONS["bytes"]))


def call_not_utf8(request: dict[str, Any]) -> None:
    write(
        json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": text("caf_")}).encode().replace(b"caf_", b"caf\xe9") + b"\n"
    )


def call_lone_surrogate(request: dict[str, Any]) -> None:
    write(b'{"jsonrpc":"2.0","id":%d,"result":{"content":[{"type":"text","text":"\\ud800"}]}}\n' % request["id"])


def call_deeply_nested(request: dict[str, Any]) -> None:
    write(b'{"jsonrpc":"2.0","id":%d,"result":%s%s}\n' % (request["id"], b"[" * 100_000, b"]" * 100_000))


def call_null_result(request: dict[str, Any]) -> None:
    answer(request, None)


def call_not_a_result(request: dict[str, Any]) -> None:
    answer(request, {"content": "not a list"})


def call_wrong_id(request: dict[str, Any]) -> None:
    answer({"id": 99_999}, text("for someone else"))


def call_slow_drip(request: dict[str, Any]) -> None:
    for byte in b'{"jsonrpc":"2.0","id":1,"result":{}}':
        write(bytes([byte]))
        time.sleep(0.5)


def call_storm(request: dict[str, Any]) -> None:
    notice = json.dumps({"jsonrpc": "2.0", "method": OPTIONS["method"], "params": OPTIONS.get("params", {})}).encode() + b"\n"
    for _ in range(200):
        write(notice * 1000)
    answer(request, text("done"))


def call_pings(request: dict[str, Any]) -> None:
    for number in range(20):
        write(b"".join(b'{"jsonrpc":"2.0","id":"p%d-%d","method":"ping"}\n' % (number, at) for at in range(1000)))
    answer(request, text("done"))


def call_mismatched_output(request: dict[str, Any]) -> None:
    answer(request, text("the effect has happened", structuredContent=OPTIONS.get("structured")))


def call_odd_numbers(request: dict[str, Any]) -> None:
    write(b'{"jsonrpc":"2.0","id":%d,"result":{"content":[],"structuredContent":{"n":NaN}}}\n' % request["id"])


def call_unknown_kind(request: dict[str, Any]) -> None:
    answer(request, {"content": [{"type": "hologram", "x": 1}, {"type": ["odd"]}, {"type": "text", "text": "the rest"}]})


def call_many_parts(request: dict[str, Any]) -> None:
    answer(request, {"content": [{"type": "text", "text": "p"}] * 80_000})


def call_long_error(request: dict[str, Any]) -> None:
    refuse(request, -32000, "no" * 1_000_000)


def call_asks_back(request: dict[str, Any]) -> None:
    """Asks the client for everything a server may ask for, and answers with what came back."""
    asked = ("sampling/createMessage", "elicitation/create", "roots/list")
    for method in asked:
        send(
            {
                "id": method,
                "method": method,
                "params": {"messages": [], "maxTokens": 1, "message": "password?", "requestedSchema": {}},
            }
        )
    refusals: dict[str, str] = {}
    while len(refusals) < len(asked):
        heard = json.loads(sys.stdin.readline())
        if heard.get("id") in asked:
            refusals[heard["id"]] = heard.get("error", {}).get("message", "granted")
    answer(request, text(json.dumps(refusals)))


def call_announces(request: dict[str, Any]) -> None:
    """Answers at once, and announces changed tools from then on, fifty times a second."""
    answer(request, text("done"))
    while True:
        send({"method": "notifications/tools/list_changed"})
        if select.select([0], [], [], 0.02)[0]:
            heard = json.loads(sys.stdin.readline())
            if "id" in heard and "method" in heard:
                HANDLERS[heard["method"]](heard)


def call_image(request: dict[str, Any]) -> None:
    answer(request, {"content": [{"type": "image", "mimeType": "image/png", "data": OPTIONS.get("data", "A" * 4_000_000)}]})


def call_invisible(request: dict[str, Any]) -> None:
    answer(request, text("a\u202eb\x07c\U000e0041d"))


def call_adds_tool(request: dict[str, Any]) -> None:
    OPTIONS.setdefault("list", tools()).append(tool(f"tool_{len(tools())}"))
    for _ in range(OPTIONS.get("notices", 1)):
        send({"method": "notifications/tools/list_changed"})
    answer(request, text("added"))


def call_flaky(request: dict[str, Any]) -> None:
    """Every call goes wrong in another way, or goes well."""
    fault = OPTIONS["faults"][os.urandom(1)[0] % len(OPTIONS["faults"])]
    globals()[f"call_{fault}"](request) if fault else answer(request, text("all is well"))


def call_forgets_tool(request: dict[str, Any]) -> None:
    OPTIONS["list"] = [item for item in tools() if item["name"] != request["params"]["name"]]
    answer(request, text(f"Unknown tool: {request['params']['name']}", isError=True))


def call_loses_all(request: dict[str, Any]) -> None:
    """Lists nothing once, as a server does that is starting again, and everything after."""
    OPTIONS["empty_lists"] = OPTIONS.get("empty_lists", 1)
    send({"method": "notifications/tools/list_changed"})
    answer(request, text("lost"))


if __name__ == "__main__":
    main()
