"""The three methods of Slack's Web API that a direct message needs, on loopback, with faults on demand."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Any
from urllib.parse import parse_qs

from tests.support.loopback_server import LoopbackHandler, LoopbackServer


@dataclass
class FakeSlack:
    """The messages by channel. `lose_answers`: that many posts are done and the connection dropped; `errors` by method."""

    base_url: str = ""
    messages: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    calls: list[str] = field(default_factory=list)
    errors: dict[str, str] = field(default_factory=dict)
    lose_answers: int = 0
    rate_limited: bool = False

    def call(self, method: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """Slack's answer to one method."""
        if error := self.errors.get(method):
            return {"ok": False, "error": error}
        if method == "conversations.open":
            channel = "D" + arguments["users"]
            self.messages.setdefault(channel, [])
            return {"ok": True, "channel": {"id": channel}}
        if method == "conversations.history":
            return {"ok": True, "messages": self.messages[arguments["channel"]][::-1]}
        message = arguments | {"ts": f"1732150800.{len(self.messages[arguments['channel']]):06d}"}
        self.messages[arguments["channel"]].append(message)
        return {"ok": True, "channel": arguments["channel"], "ts": message["ts"]}


@contextmanager
def running_slack() -> Iterator[FakeSlack]:
    """Slack, for the length of a `with` block."""
    slack = FakeSlack()
    with LoopbackServer(_handler(slack)) as server:
        slack.base_url = f"{server.origin}/api"
        yield slack


def _handler(slack: FakeSlack) -> type[BaseHTTPRequestHandler]:
    class Handler(LoopbackHandler):
        def do_POST(self) -> None:
            method = self.path.removeprefix("/api/")
            slack.calls.append(method)
            body = self.rfile.read(int(self.headers["Content-Length"]))
            if slack.rate_limited:
                return self._answer(429, {"ok": False, "error": "ratelimited"})
            if self.headers["Authorization"] != "Bearer xoxb-test":
                return self._answer(200, {"ok": False, "error": "invalid_auth"})
            if self.headers["Content-Type"] == "application/json":
                arguments = json.loads(body)
            else:
                arguments = {name: values[0] for name, values in parse_qs(body.decode()).items()}
            answer = slack.call(method, arguments)
            if method == "chat.postMessage" and slack.lose_answers:
                slack.lose_answers -= 1
                self.close_connection = True
                return None
            return self._answer(200, answer)

        def _answer(self, status: int, content: dict[str, Any]) -> None:
            self.answer(status, json.dumps(content).encode(), {"Content-Type": "application/json", "Retry-After": "30"})

    return Handler
