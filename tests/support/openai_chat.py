"""A fake of OpenAI's chat completions on loopback: real HTTP, streaming and not, playing a script, and able to fail on purpose.

    with OpenAIChat() as fake:
        fake.script(reply(calls=[call("get_weather", {"city": "東京"})]), failure(429, retry_after="2"), reply("晴れです"))
        ...  # any client with base_url=fake.url
        assert fake.requests[0].body["tools"][0]["function"]["name"] == "get_weather"

Each request takes the next step of the script. What nobody scripted is answered with 500.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from tests.support.loopback_server import LoopbackHandler, ScriptedServer

Json = dict[str, Any]
USAGE = {"prompt_tokens": 1000, "completion_tokens": 50, "total_tokens": 1050, "prompt_tokens_details": {"cached_tokens": 400}}


def counted(prompt: bytes) -> Json:
    """The usage of a request: the usual one, or what a server counts where the prompt is longer (four bytes a token)."""
    tokens = max(USAGE["prompt_tokens"], len(prompt) // 4)
    return {**USAGE, "prompt_tokens": tokens, "total_tokens": tokens + USAGE["completion_tokens"]}


@dataclass(frozen=True)
class Whole:
    """A reply, sent whole or cut into chunks as the request asks."""

    message: Json
    finish_reason: str | None
    usage: Json | None

    def body(self) -> Json:
        choice = {"index": 0, "message": {"role": "assistant", **self.message}, "finish_reason": self.finish_reason}
        return _object("chat.completion", [choice], {"usage": self.usage})

    def chunks(self) -> list[Json]:
        text = self.message.get("content") or ""
        deltas: list[Json] = [{"role": "assistant", "content": ""}]
        deltas += [{"content": text[at : at + 3]} for at in range(0, len(text), 3)]
        for index, one in enumerate(self.message.get("tool_calls") or ()):
            written = one["function"]["arguments"]
            head = {**one, "index": index, "function": {"name": one["function"]["name"], "arguments": ""}}
            deltas.append({"tool_calls": [head]})
            deltas += [
                {"tool_calls": [{"index": index, "function": {"arguments": written[at : at + 5]}}]}
                for at in range(0, len(written), 5)
            ]
        last = chunk({}, self.finish_reason)
        usage = [_object("chat.completion.chunk", [], {"usage": self.usage})] if self.usage else []
        return [*map(chunk, deltas), last, *usage]


@dataclass(frozen=True)
class Chunks:
    """A stream given chunk by chunk; `cut` closes the connection without `[DONE]`, `stops` leaves it open and sends no more."""

    events: Sequence[Json]
    cut: bool = False
    stops: bool = False


@dataclass(frozen=True)
class Raw:
    """Any bytes as the body."""

    content: bytes
    status: int = 200
    headers: Json = field(default_factory=dict)


@dataclass(frozen=True)
class Silence:
    """The request is taken and never answered; the connection closes when the fake does."""


Step = Whole | Chunks | Raw | Silence


def call(name: str, arguments: Any, call_id: str = "call_abc") -> Json:
    written = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": written}}


def reply(
    text: str | None = None,
    *,
    calls: Sequence[Json] = (),
    finish_reason: str | None = "",
    usage: Json | None = USAGE,
    **message: Any,
) -> Whole:
    """An assistant's reply; the finish reason follows from it unless given."""
    message |= {"content": text, **({"tool_calls": list(calls)} if calls else {})}
    return Whole(message, ("tool_calls" if calls else "stop") if finish_reason == "" else finish_reason, usage)


def chunk(delta: Json, finish_reason: str | None = None) -> Json:
    return _object("chat.completion.chunk", [{"index": 0, "delta": delta, "finish_reason": finish_reason}])


def failure(status: int, message: str = "scripted", *, code: str = "", param: str = "", retry_after: str = "") -> Raw:
    """An error in OpenAI's form."""
    error = {"message": message, "type": "invalid_request_error", "param": param or None, "code": code or None}
    return Raw(json.dumps({"error": error}).encode(), status, {"retry-after": retry_after} if retry_after else {})


def _object(kind: str, choices: list[Json], more: Json | None = None) -> Json:
    return {"id": "chatcmpl-1", "object": kind, "created": 1, "model": "fake", "choices": choices, **(more or {})}


@dataclass(frozen=True)
class Request:
    """What a client sent."""

    path: str
    headers: dict[str, str]
    """Names in lower case."""
    body: Json
    raw: bytes


class OpenAIChat(ScriptedServer):
    """The server; use as a context manager, then point a client at `url`."""

    def __init__(self) -> None:
        super().__init__(_Handler)

    @property
    def url(self) -> str:
        return f"{self.origin}/v1"

    @property
    def bodies(self) -> list[Json]:
        return [request.body for request in self.requests]

    def clear(self) -> None:
        """Forget the steps that nobody has asked for."""
        self._steps.clear()

    def next_step(self, request: Request) -> Step:
        self.requests.append(request)
        return self._steps.pop(0) if self._steps else failure(500, "nobody scripted an answer to this request")


JSON = {"content-type": "application/json"}


class _Handler(LoopbackHandler):
    fake: OpenAIChat
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("content-length", 0)))
        headers = {name.lower(): value for name, value in self.headers.items()}
        request = Request(self.path, headers, json.loads(raw), raw)
        step = self.fake.next_step(request)
        if isinstance(step, Whole) and step.usage is USAGE:
            step = replace(step, usage=counted(raw))
        match step:
            case Silence():
                self.fake.closing.wait(60)
                self.close_connection = True
            case Whole() if request.body.get("stream"):
                self._stream(Chunks(step.chunks()))
            case Whole():
                self.answer(200, json.dumps(step.body(), ensure_ascii=False).encode(), JSON)
            case Chunks():
                self._stream(step)
            case Raw(content, status, more):
                self.answer(status, content, {**JSON, **more})

    def _stream(self, step: Chunks) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        self.close_connection = True
        for event in step.events:
            self.wfile.write(f"data: {json.dumps(event, ensure_ascii=False)}\n\n".encode())
        if step.stops:
            self.fake.closing.wait(60)
        self.wfile.write(b"" if step.cut else b"data: [DONE]\n\n")
