"""A fake of Anthropic's Messages API on loopback: real HTTP, streaming and not, playing a script, and able to fail on purpose.

    with AnthropicMessages() as fake:
        fake.script(reply(tool_use("get_weather", {"city": "東京"})), failure(529), reply(text("晴れです")))
        ...  # a client of any SDK, with base_url=fake.url
        assert fake.requests[0].body["tools"][0]["name"] == "get_weather"

Each request takes the next step of the script; `fake.answer = lambda request: reply(…)` decides by the request instead. What nobody
scripted is answered with 500 and kept in `fake.unscripted`, so that a test can assert that nothing was.
"""

import itertools
import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from tests.support.loopback_server import LoopbackHandler, ScriptedServer

Json = dict[str, Any]
KEY = "sk-fake"
_ids = itertools.count(1)


def text(words: str) -> Json:
    return {"type": "text", "text": words}


def thinking(words: str, signature: str = "c2ln") -> Json:
    return {"type": "thinking", "thinking": words, "signature": signature}


def tool_use(name: str, arguments: Json, call_id: str = "") -> Json:
    return {"type": "tool_use", "id": call_id or f"toolu_{next(_ids):04}", "name": name, "input": arguments}


@dataclass(frozen=True)
class Reply:
    """One assistant message, and how it is delivered."""

    content: tuple[Json, ...]
    stop_reason: str
    usage: Json
    model: str | None = None
    break_after: int | None = None
    """Streaming: cut the connection after so many events."""
    error_after: tuple[int, str] | None = None
    """Streaming: after so many events, an `error` event of this type, and the end."""
    headers: Json = field(default_factory=dict)


@dataclass(frozen=True)
class Failure:
    """An HTTP error in Anthropic's form."""

    status: int
    kind: str
    message: str
    headers: Json


@dataclass(frozen=True)
class Silence:
    """The request is taken and never answered; the connection closes when the fake does."""


@dataclass(frozen=True)
class Raw:
    """Any bytes as the body, for replies that cannot be read."""

    body: bytes
    status: int = 200
    content_type: str = "application/json"


Step = Reply | Failure | Silence | Raw

_KINDS = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    500: "api_error",
    529: "overloaded_error",
}


def reply(
    *content: Json,
    stop_reason: str | None = None,
    input_tokens: int = 10,
    output_tokens: int = 5,
    cache_read: int = 0,
    cache_creation: int = 0,
    **delivery: Any,
) -> Reply:
    """An assistant message of these blocks; the stop reason follows from them unless given."""
    uses_tools = any(block["type"] == "tool_use" for block in content)
    usage = {
        "input_tokens": input_tokens,
        "output_tokens": output_tokens,
        "cache_read_input_tokens": cache_read,
        "cache_creation_input_tokens": cache_creation,
    }
    return Reply(content, stop_reason or ("tool_use" if uses_tools else "end_turn"), usage, **delivery)


def failure(status: int, message: str = "scripted", *, kind: str = "", retry_after_s: float | None = None) -> Failure:
    """An error: 429 and 529 may say when to come back."""
    headers = {} if retry_after_s is None else {"retry-after": f"{retry_after_s:g}"}
    return Failure(status, kind or _KINDS.get(status, "api_error"), message, headers)


@dataclass(frozen=True)
class Request:
    """What a client sent."""

    path: str
    headers: dict[str, str]
    """Names in lower case."""
    body: Json

    @property
    def key(self) -> str:
        """The API key, from `x-api-key` or `Authorization: Bearer`."""
        return self.headers.get("x-api-key") or self.headers.get("authorization", "").removeprefix("Bearer ")

    @property
    def blocks(self) -> list[Json]:
        """Every block of every message, in order; plain strings as text blocks."""
        contents = [message["content"] for message in self.body.get("messages", [])]
        return [block for content in contents for block in ([text(content)] if isinstance(content, str) else content)]

    @property
    def tool_results(self) -> list[Json]:
        """The results of tools in the conversation so far: they need not stand in the last message."""
        return [block for block in self.blocks if block["type"] == "tool_result"]

    @property
    def system(self) -> str:
        """The system prompt as one text."""
        system = self.body.get("system", "")
        return system if isinstance(system, str) else "\n".join(block["text"] for block in system)


class AnthropicMessages(ScriptedServer):
    """The server; use as a context manager, then point a client at `url`."""

    def __init__(self, key: str = KEY) -> None:
        super().__init__(_Handler)
        self.key = key
        self.unscripted: list[Request] = []
        self.answer: Callable[[Request], Step | None] = lambda _request: None
        self._lock = threading.Lock()

    @property
    def url(self) -> str:
        return self.origin

    def next_step(self, request: Request) -> Step:
        """Record a request and decide what it gets; called by the handler."""
        with self._lock:
            self.requests.append(request)
            if request.key != self.key:
                return failure(401, "invalid x-api-key")
            step = self._steps.pop(0) if self._steps else self.answer(request)
            if step is None:
                self.unscripted.append(request)
                return failure(500, "nobody scripted an answer to this request")
            return step


class _Handler(LoopbackHandler):
    fake: AnthropicMessages
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        length = int(self.headers.get("content-length", 0))
        body = json.loads(self.rfile.read(length) or b"{}")
        request = Request(self.path, {name.lower(): value for name, value in self.headers.items()}, body)
        path = self.path.partition("?")[0]
        if path == "/v1/messages/count_tokens":
            self._send_json(200, {"input_tokens": len(json.dumps(body)) // 4})
        elif path == "/v1/messages":
            self._play(self.fake.next_step(request), request)
        else:
            self._play(failure(404, f"no such path: {path}"), request)

    def _play(self, step: Step, request: Request) -> None:
        match step:
            case Silence():
                self.fake.closing.wait(60)
                self.close_connection = True
            case Failure(status, kind, message, headers):
                self._send_json(status, {"type": "error", "error": {"type": kind, "message": message}}, headers)
            case Raw(raw, status, content_type):
                self._send(status, raw, content_type, {})
            case Reply() if request.body.get("stream"):
                self._stream(step, request)
            case Reply():
                self._send_json(200, _message(step, request), step.headers)

    def _stream(self, step: Reply, request: Request) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        for name, value in step.headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.close_connection = True
        for index, event in enumerate(_events(step, request)):
            if step.break_after is not None and index >= step.break_after:
                return
            if step.error_after is not None and index >= step.error_after[0]:
                self._event({"type": "error", "error": {"type": step.error_after[1], "message": "scripted"}})
                return
            self._event(event)

    def _event(self, event: Json) -> None:
        self.wfile.write(f"event: {event['type']}\ndata: {json.dumps(event, ensure_ascii=False)}\n\n".encode())
        self.wfile.flush()

    def _send_json(self, status: int, body: Json, headers: Json | None = None) -> None:
        self._send(status, json.dumps(body, ensure_ascii=False).encode(), "application/json", headers or {})

    def _send(self, status: int, body: bytes, content_type: str, headers: Json) -> None:
        self.answer(status, body, {"content-type": content_type, "request-id": f"req_{next(_ids):04}", **headers})


def _message(step: Reply, request: Request, **changes: Any) -> Json:
    message = {
        "id": f"msg_{next(_ids):04}",
        "type": "message",
        "role": "assistant",
        "model": step.model or request.body.get("model", "claude-fake"),
        "content": list(step.content),
        "stop_reason": step.stop_reason,
        "stop_sequence": None,
        "usage": step.usage,
    }
    return message | changes


def _events(step: Reply, request: Request) -> Iterator[Json]:
    """A message as the events of a stream, its text and arguments in pieces."""
    start = _message(step, request, content=[], stop_reason=None, usage=step.usage | {"output_tokens": 1})
    yield {"type": "message_start", "message": start}
    for index, block in enumerate(step.content):
        empty, deltas = _pieces(block)
        yield {"type": "content_block_start", "index": index, "content_block": empty}
        yield from ({"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas)
        yield {"type": "content_block_stop", "index": index}
    delta = {"stop_reason": step.stop_reason, "stop_sequence": None}
    yield {"type": "message_delta", "delta": delta, "usage": {"output_tokens": step.usage["output_tokens"]}}
    yield {"type": "message_stop"}


def _pieces(block: Json) -> tuple[Json, list[Json]]:
    """A block as it begins, and what is added to it."""
    match block["type"]:
        case "text":
            return block | {"text": ""}, [{"type": "text_delta", "text": part} for part in _halves(block["text"])]
        case "thinking":
            added: list[Json] = [{"type": "thinking_delta", "thinking": part} for part in _halves(block["thinking"])]
            return block | {"thinking": "", "signature": ""}, [
                *added,
                {"type": "signature_delta", "signature": block["signature"]},
            ]
        case "tool_use":
            arguments = json.dumps(block["input"], ensure_ascii=False)
            return block | {"input": {}}, [{"type": "input_json_delta", "partial_json": part} for part in _halves(arguments)]
        case _:
            return block, []


def _halves(words: str) -> list[str]:
    middle = len(words) // 2
    return [part for part in (words[:middle], words[middle:]) if part]
