"""A stdio server that asks back for everything a server may ask for: `python door_server.py FOLDER REVISION`.

`gate` has a page opened in the middle of a call, `vault` before one (an error of 2025-11-25, until FOLDER/visited is there, which
`visit` makes), `seat` has a form filled in, `critic` asks for a reply of the model, `where` for folders. Standard library alone.
"""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

FOLDER, MODERN = Path(sys.argv[1]), sys.argv[2] == "2026-07-28"
URL = sys.argv[3] if len(sys.argv) > 3 else "https://door.example/consent?id=7"
SIZE = {"type": "object", "properties": {"size": {"type": "string", "enum": ["M", "L"]}}, "required": ["size"]}
PAGE = {"mode": "url", "message": "Agree on our page.", "url": URL, **({} if MODERN else {"elicitationId": "e7"})}
SAID = {"messages": [{"role": "user", "content": {"type": "text", "text": "Is Hamlet good?"}}], "maxTokens": 50}
QUESTIONS = {
    "gate": {"method": "elicitation/create", "params": PAGE},
    "seat": {"method": "elicitation/create", "params": {"mode": "form", "message": "Which size?", "requestedSchema": SIZE}},
    "critic": {"method": "sampling/createMessage", "params": SAID},
    "where": {"method": "roots/list", "params": {}},
}
WAITING: dict[str, Callable[[dict[str, Any]], None]] = {}


def send(message: dict[str, Any]) -> None:
    sys.stdout.buffer.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
    sys.stdout.buffer.flush()


def answer(request: dict[str, Any], result: dict[str, Any]) -> None:
    send({"id": request["id"], "result": {"resultType": "complete", **result} if MODERN else result})


def text(request: dict[str, Any], words: str) -> None:
    answer(request, {"content": [{"type": "text", "text": words}]})


def on_call(request: dict[str, Any]) -> None:
    params = request["params"]
    name, given = params["name"], params.get("inputResponses")
    with (FOLDER / "calls.txt").open("a") as file:
        file.write(f"{name}\n")
    if name == "visit":
        (FOLDER / "visited").touch()
        if not MODERN:
            send({"method": "notifications/elicitation/complete", "params": {"elicitationId": "e7"}})
        return text(request, "visited")
    if name == "vault":
        if (FOLDER / "visited").exists():
            return text(request, "gold")
        error = {"code": -32042, "message": "URL elicitation required", "data": {"elicitations": [PAGE]}}
        return send({"id": request["id"], "error": error})
    if MODERN and given is None:
        return answer(request, {"resultType": "input_required", "inputRequests": {"q": QUESTIONS[name]}, "requestState": "s"})
    if MODERN:
        return text(request, json.dumps(given["q"], sort_keys=True))
    WAITING[f"q-{request['id']}"] = lambda reply: text(
        request, json.dumps(reply.get("result") or {"error": reply["error"]["message"]}, sort_keys=True)
    )
    return send({"id": f"q-{request['id']}", **QUESTIONS[name]})


def tools() -> list[dict[str, Any]]:
    read = {"readOnlyHint": True, "openWorldHint": False}
    schema = {"type": "object", "properties": {}}
    names = [*QUESTIONS, "vault", "visit"]
    return [{"name": name, "description": f"Show the {name}.", "inputSchema": schema, "annotations": read} for name in names]


def main() -> None:
    offered = {"tools": {}}
    greeting = {"protocolVersion": "2025-11-25", "capabilities": offered, "serverInfo": {"name": "door", "version": "1"}}
    discovered = {"supportedVersions": ["2026-07-28"], "capabilities": offered, "ttlMs": 0, "cacheScope": "private"}
    handlers: dict[str, Any] = {
        "tools/list": lambda request: answer(request, {"tools": tools(), "ttlMs": 0, "cacheScope": "private"}),
        "tools/call": on_call,
        "ping": lambda request: answer(request, {}),
        "server/discover" if MODERN else "initialize": lambda request: answer(request, discovered if MODERN else greeting),
    }
    for line in sys.stdin.buffer:
        message = json.loads(line)
        if "method" not in message and "id" in message:
            WAITING.pop(message["id"])(message)
        elif "id" in message and (handler := handlers.get(message["method"])) is not None:
            handler(message)
        elif "id" in message:
            send({"id": message["id"], "error": {"code": -32601, "message": "Method not found"}})


if __name__ == "__main__":
    main()
