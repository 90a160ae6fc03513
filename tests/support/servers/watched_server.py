"""A stdio server with resources that change: `python watched_server.py FOLDER REVISION`.

Its tool `change` says that a resource is another now, to whoever asked to hear of it; `die` ends the process. What it is asked to
tell of stands in FOLDER/asked.txt, a line each. It tells of nothing below `file:///closed`. Standard library alone.
"""

import json
import sys
from pathlib import Path
from typing import Any

FOLDER, MODERN = Path(sys.argv[1]), sys.argv[2] == "2026-07-28"
URIS = ("file:///notes", "file:///tasks", "file:///closed/a")
WATCHED: dict[Any, list[str]] = {}
"""Until 2025-11-25 under no id; later by the id of the stream."""


def send(message: dict[str, Any]) -> None:
    sys.stdout.buffer.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
    sys.stdout.buffer.flush()


def answer(request: dict[str, Any], result: dict[str, Any]) -> None:
    send({"id": request["id"], "result": {"resultType": "complete", **result} if MODERN else result})


def asked(words: str) -> None:
    with (FOLDER / "asked.txt").open("a") as file:
        file.write(f"{words}\n")


def on_call(request: dict[str, Any]) -> None:
    name, arguments = request["params"]["name"], request["params"].get("arguments", {})
    if name == "die":
        sys.exit(1)
    uri = arguments["uri"]
    for stream, uris in WATCHED.items():
        if any(uri == one or uri.startswith(f"{one}/") for one in uris):
            stamp = {"_meta": {"io.modelcontextprotocol/subscriptionId": stream}} if MODERN else {}
            send({"method": "notifications/resources/updated", "params": {"uri": uri, **stamp}})
    answer(request, {"content": [{"type": "text", "text": "changed"}]})


def on_subscribe(request: dict[str, Any]) -> None:
    uri = request["params"]["uri"]
    asked(f"{request['method'].split('/')[-1]} {uri}")
    if uri.startswith("file:///closed"):
        return send({"id": request["id"], "error": {"code": -32602, "message": "closed"}})
    watched = WATCHED.setdefault(None, [])
    watched.append(uri) if request["method"].endswith("/subscribe") else watched.remove(uri)
    return answer(request, {})


def on_listen(request: dict[str, Any]) -> None:
    wanted = request["params"]["notifications"]
    if (uris := wanted.get("resourceSubscriptions")) is not None:
        asked(f"listen {' '.join(uris)}")
        wanted = {"resourceSubscriptions": [uri for uri in uris if not uri.startswith("file:///closed")]}
        WATCHED[request["id"]] = wanted["resourceSubscriptions"]
    stamp = {"io.modelcontextprotocol/subscriptionId": request["id"]}
    send({"method": "notifications/subscriptions/acknowledged", "params": {"notifications": wanted, "_meta": stamp}})


def tools() -> list[dict[str, Any]]:
    schema = {"type": "object", "properties": {"uri": {"type": "string"}}}
    read = {"readOnlyHint": True, "openWorldHint": False}
    return [
        {"name": name, "description": f"Do {name}.", "inputSchema": schema, "annotations": read} for name in ("change", "die")
    ]


def main() -> None:
    offered = {"tools": {}, "resources": {"subscribe": True, "listChanged": True}}
    greeting = {"protocolVersion": "2025-11-25", "capabilities": offered, "serverInfo": {"name": "watched", "version": "1"}}
    discovered = {"supportedVersions": ["2026-07-28"], "capabilities": offered, "ttlMs": 0, "cacheScope": "private"}
    told = {"ttlMs": 0, "cacheScope": "private"}
    handlers: dict[str, Any] = {
        "tools/list": lambda request: answer(request, {"tools": tools(), **told}),
        "tools/call": on_call,
        "resources/list": lambda request: answer(request, {"resources": [{"uri": uri, "name": uri} for uri in URIS], **told}),
        "ping": lambda request: answer(request, {}),
        "server/discover" if MODERN else "initialize": lambda request: answer(request, discovered if MODERN else greeting),
        **({"subscriptions/listen": on_listen} if MODERN else {"resources/subscribe": on_subscribe}),
        **({} if MODERN else {"resources/unsubscribe": on_subscribe}),
    }
    for line in sys.stdin.buffer:
        message = json.loads(line)
        if message.get("method") == "notifications/cancelled":
            WATCHED.pop(message["params"].get("requestId"), None)
        elif "id" in message and (handler := handlers.get(message["method"])) is not None:
            handler(message)
        elif "id" in message:
            send({"id": message["id"], "error": {"code": -32601, "message": "Method not found"}})


if __name__ == "__main__":
    main()
