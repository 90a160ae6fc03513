"""A fake of Anthropic's Managed Agents sessions: a list of events, and what the session does when a result comes in."""

import json
from typing import Any

from tests.support.loopback_api import Asked, LoopbackAPI, Reply

Json = dict[str, Any]
BETA = "managed-agents-2026-04-01"
PAGE = 3


class FakeSessions(LoopbackAPI):
    """One session. Its agent asks for the tools of `wanted`, one turn after the other, and ends its turn when all are answered."""

    session_id = "sesn_1"

    def __init__(self, *wanted: list[Json]) -> None:
        super().__init__()
        self.events: list[Json] = []
        self.results: list[Json] = []
        self._turns = list(wanted)
        self._numbers = 0
        self._blocked_on: list[str] = []
        self._next_turn()

    def answer(self, asked: Asked) -> Reply:
        if asked.path != f"/v1/sessions/{self.session_id}/events":
            return _error(404, "not_found_error", "no such session")
        if BETA not in asked.headers.get("anthropic-beta", "") or not asked.token:
            return _error(400, "invalid_request_error", "the beta header or the key is missing")
        return self._list(asked) if asked.method == "GET" else self._take(json.loads(asked.body)["events"])

    def _list(self, asked: Asked) -> Reply:
        types = next((values for name, values in asked.lists.items() if name.startswith("types")), None)
        shown = [event for event in self.events if types is None or event["type"] in types]
        start = int(asked.query.get("page", 0))
        following = str(start + PAGE) if start + PAGE < len(shown) else None
        return Reply({"data": shown[start : start + PAGE], "next_page": following})

    def _take(self, events: list[Json]) -> Reply:
        for event in events:
            if event["type"] != "user.custom_tool_result" or event["custom_tool_use_id"] not in self._blocked_on:
                return _error(400, "invalid_request_error", f"nothing waits for {event.get('custom_tool_use_id')}")
            self._blocked_on.remove(event["custom_tool_use_id"])
            self.results.append(event)
            self._add(event)
        if not self._blocked_on:
            self._next_turn()
        return Reply({"data": []})

    def _next_turn(self) -> None:
        self._add({"type": "session.status_running"})
        if not self._turns:
            self._add({"type": "agent.message", "content": [{"type": "text", "text": "done"}]})
            self._add({"type": "session.status_idle", "stop_reason": {"type": "end_turn"}})
            return
        for call in self._turns.pop(0):
            event = self._add(call)
            if call["type"] == "agent.custom_tool_use":
                self._blocked_on.append(event["id"])
        self._add(
            {"type": "session.status_idle", "stop_reason": {"type": "requires_action", "event_ids": list(self._blocked_on)}}
        )

    def _add(self, event: Json) -> Json:
        self._numbers += 1
        event = {"id": f"sevt_{self._numbers}", "processed_at": f"2026-11-20T03:00:{self._numbers:02d}Z", **event}
        self.events.append(event)
        return event


def custom(name: str, **arguments: Any) -> Json:
    return {"type": "agent.custom_tool_use", "name": name, "input": arguments}


def over_mcp(name: str, **arguments: Any) -> Json:
    return {"type": "agent.mcp_tool_use", "name": name, "mcp_server_name": "common", "input": arguments}


def _error(status: int, kind: str, message: str) -> Reply:
    return Reply({"type": "error", "error": {"type": kind, "message": message}}, status)
