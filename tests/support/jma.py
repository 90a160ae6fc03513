"""The Japan Meteorological Agency on loopback: recorded forecasts over real HTTP, with ETags and faults on demand."""

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Any

from tests.support.loopback_server import LoopbackHandler, LoopbackServer


@dataclass
class Request:
    """One request as it came."""

    path: str
    headers: dict[str, str]


@dataclass
class FakeJma:
    """What the agency serves, and what it was asked; `status` other than 200 answers every request with an error."""

    base_url: str = ""
    files: dict[str, bytes] = field(default_factory=dict)
    requests: list[Request] = field(default_factory=list)
    status: int = 200

    def serve(self, path: str, content: Any) -> None:
        """Serve `content` as JSON at `path` below the base URL; bytes as they are."""
        self.files[path] = content if isinstance(content, bytes) else json.dumps(content, ensure_ascii=False).encode()

    def asked(self, part: str) -> list[Request]:
        """The requests whose path holds `part`."""
        return [request for request in self.requests if part in request.path]


@contextmanager
def running_jma() -> Iterator[FakeJma]:
    """The agency, for the length of a `with` block."""
    jma = FakeJma()
    with LoopbackServer(_handler(jma)) as server:
        jma.base_url = f"{server.origin}/bosai"
        yield jma


def _handler(jma: FakeJma) -> type[BaseHTTPRequestHandler]:
    class Handler(LoopbackHandler):
        def do_GET(self) -> None:
            jma.requests.append(Request(self.path, {name.lower(): value for name, value in self.headers.items()}))
            body = jma.files.get(self.path.removeprefix("/bosai/"))
            if jma.status != 200 or body is None:
                return self.answer(404 if body is None else jma.status)
            etag = f'"{hashlib.sha256(body).hexdigest()[:12]}"'
            if self.headers.get("If-None-Match") == etag:
                return self.answer(304)
            return self.answer(200, body, {"ETag": etag})

    return Handler
