"""A stdio server whose tools are tasks: `python task_server.py '{"folder": "/tmp/x", "revision": "2025-11-25"}'`.

What it is asked, and its tasks, stand in files of `folder`, so both outlive the process, as those of a server over a database do.
A task has ended once `folder/go` exists; what it holds is the text of the answer. Options: `support` (of the tool), `silent_tasks`
(no capability), `read_only`, `poll_ms`, `ask` (a question first), `ending` (instead of `completed`), `forgets` (tasks die with
the process), `plain` (answers a call that is to be a task without one), `deaf` (`tasks/cancel` does nothing), `no_id`, `says` (its
status message). Standard library alone.
"""

import json
import sys
from pathlib import Path
from typing import Any

OPTIONS: dict[str, Any] = json.loads(sys.argv[1])
FOLDER = Path(OPTIONS["folder"])
MODERN = OPTIONS.get("revision") == "2026-07-28"
HERE: set[str] = set()
ASKED: dict[str, Any] = {}
"""Requests of ours that wait for the client's answer, by id: what to do with it."""
FORM = {
    "mode": "form",
    "message": "How many?",
    "requestedSchema": {"type": "object", "properties": {"count": {"type": "integer", "default": 3}}, "required": ["count"]},
}


def send(message: dict[str, Any]) -> None:
    sys.stdout.buffer.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
    sys.stdout.buffer.flush()


def answer(request: dict[str, Any], result: dict[str, Any]) -> None:
    send({"id": request["id"], "result": {"resultType": "complete", **result} if MODERN else result})


def refuse(request: dict[str, Any], code: int, message: str) -> None:
    send({"id": request["id"], "error": {"code": code, "message": message}})


def note(what: str, value: Any) -> None:
    with (FOLDER / f"{what}.jsonl").open("a") as file:
        file.write(json.dumps(value) + "\n")


def state_of(task: str) -> dict[str, Any] | None:
    file = FOLDER / f"task-{task}.json"
    if not file.exists() or (OPTIONS.get("forgets") and task not in HERE):
        return None
    state: dict[str, Any] = json.loads(file.read_text())
    if state["status"] == "working" and (FOLDER / "go").exists():
        state["status"] = OPTIONS.get("ending", "completed")
    return state


def keep(task: str, **state: Any) -> None:
    (FOLDER / f"task-{task}.json").write_text(json.dumps(state))


def told(task: str, state: dict[str, Any]) -> dict[str, Any]:
    poll = OPTIONS.get("poll_ms", 50)
    times = {"createdAt": "2026-11-23T00:00:00Z", "lastUpdatedAt": "2026-11-23T00:00:00Z"}
    said = {"taskId": task, "status": state["status"], "statusMessage": OPTIONS.get("says", f"it is {state['status']}"), **times}
    if not MODERN:
        return {**said, "ttl": 60_000, "pollInterval": poll}
    said |= {"ttlMs": 60_000, "pollIntervalMs": poll}
    match state["status"]:
        case "completed":
            said["result"] = brought()
        case "failed":
            said["error"] = {"code": -32603, "message": "it broke"}
        case "input_required":
            said["inputRequests"] = {"count": {"method": "elicitation/create", "params": FORM}}
    return said


def brought() -> dict[str, Any]:
    text = (FOLDER / "go").read_text() if (FOLDER / "go").exists() else "at once"
    meta = {"io.modelcontextprotocol/related-task": {"taskId": "t0"}, "mine": 1}
    return {"content": [{"type": "text", "text": text}], "isError": False, "_meta": meta}


def on_call(request: dict[str, Any]) -> None:
    params = request["params"]
    note("calls", {"arguments": params["arguments"], "task": params.get("task")})
    knows = "io.modelcontextprotocol/tasks" in capabilities(params).get("extensions", {})
    if OPTIONS.get("plain") or (MODERN and not knows):
        return answer(request, brought())
    if not MODERN and "task" not in params:
        return (
            refuse(request, -32601, "this tool is a task") if OPTIONS.get("support") == "required" else answer(request, brought())
        )
    task = f"t{len(list(FOLDER.glob('task-*')))}"
    HERE.add(task)
    keep(task, status="input_required" if OPTIONS.get("ask") else "working")
    said = told(task, {"status": "working"})
    if OPTIONS.get("no_id"):
        del said["taskId"]
    return answer(request, {"resultType": "task", **said} if MODERN else {"task": said})


def capabilities(params: dict[str, Any]) -> dict[str, Any]:
    return dict(params.get("_meta", {}).get("io.modelcontextprotocol/clientCapabilities", {}))


def on_get(request: dict[str, Any]) -> None:
    task = request["params"]["taskId"]
    note("gets", task)
    state = state_of(task)
    if state is None:
        return refuse(request, -32602, "Failed to retrieve task: Task not found")
    return answer(request, told(task, state))


def on_result(request: dict[str, Any]) -> None:
    """Of 2025-11-25: it waits for the end, and asks meanwhile."""
    task = request["params"]["taskId"]
    state = state_of(task)
    if state is None:
        return refuse(request, -32602, "Failed to retrieve task: Task not found")
    if state["status"] == "input_required":
        related = {"io.modelcontextprotocol/related-task": {"taskId": task}}
        ASKED["q1"] = lambda reply: (
            note("answers", reply.get("result")),
            keep(task, status="working"),
            answer(request, brought()),
        )
        return send({"id": "q1", "method": "elicitation/create", "params": {**FORM, "_meta": related}})
    if state["status"] in ("failed", "cancelled"):
        return refuse(request, -32603, "it broke")
    return answer(request, brought())


def on_update(request: dict[str, Any]) -> None:
    task = request["params"]["taskId"]
    note("answers", request["params"]["inputResponses"]["count"])
    keep(task, status="working")
    answer(request, {})


def on_cancel(request: dict[str, Any]) -> None:
    task = request["params"]["taskId"]
    note("cancels", task)
    if not OPTIONS.get("deaf"):
        keep(task, status="cancelled")
    answer(request, {} if MODERN else told(task, {"status": "cancelled"}))


def tools() -> list[dict[str, Any]]:
    schema = {"type": "object", "properties": {"text": {"type": "string"}}}
    tool: dict[str, Any] = {"name": "long", "description": "Takes long over a text.", "inputSchema": schema}
    if support := OPTIONS.get("support", "" if MODERN else "required"):
        tool["execution"] = {"taskSupport": support}
    return [tool | {"annotations": {"readOnlyHint": bool(OPTIONS.get("read_only"))}}]


def main() -> None:
    offered: dict[str, Any] = {"tools": {}}
    if MODERN:
        offered["extensions"] = {"io.modelcontextprotocol/tasks": {}}
    elif not OPTIONS.get("silent_tasks"):
        offered["tasks"] = {"cancel": {}, "requests": {"tools": {"call": {}}}}
    me = {"name": "task-server", "version": "1"}
    greeting = {"protocolVersion": "2025-11-25", "capabilities": offered, "serverInfo": me}
    discovered = {"supportedVersions": ["2026-07-28"], "capabilities": offered, "ttlMs": 0, "cacheScope": "private"}
    handlers: dict[str, Any] = {
        "tools/list": lambda request: answer(request, {"tools": tools(), "ttlMs": 0, "cacheScope": "private"}),
        "tools/call": on_call,
        "tasks/get": on_get,
        "tasks/cancel": on_cancel,
        "ping": lambda request: answer(request, {}),
    }
    handlers |= (
        {"server/discover": lambda request: answer(request, discovered), "tasks/update": on_update}
        if MODERN
        else {"initialize": lambda request: answer(request, greeting), "tasks/result": on_result}
    )
    for line in sys.stdin.buffer:
        message = json.loads(line)
        if "method" not in message and "id" in message:
            ASKED.pop(message["id"])(message)
        elif "id" in message and (handler := handlers.get(message["method"])) is not None:
            handler(message)
        elif "id" in message:
            refuse(message, -32601, "Method not found")


if __name__ == "__main__":
    main()
