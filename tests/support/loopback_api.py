"""The common part of fake web APIs: real HTTP on loopback, a record of every request, and faults that come when told to."""

import json
import threading
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self
from urllib.parse import parse_qs, urlsplit

from tests.support.loopback_server import LoopbackHandler, LoopbackServer


@dataclass(frozen=True)
class Asked:
    """A request as it came."""

    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: bytes = b""
    lists: Mapping[str, list[str]] = field(default_factory=dict)
    """The query again, for names that come more than once."""

    @property
    def token(self) -> str:
        """The bearer token."""
        return self.headers.get("authorization", "").removeprefix("Bearer ")

    @property
    def form(self) -> dict[str, str]:
        """The body of a form."""
        return {name: values[0] for name, values in parse_qs(self.body.decode()).items()}


@dataclass(frozen=True)
class Reply:
    """What the fake answers."""

    body: Any
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


class Hangup(Exception):
    """Close the connection without an answer."""


class LoopbackAPI:
    """A fake web API. Subclasses write `answer`; it runs in threads, so that other processes can call it, too."""

    def __init__(self) -> None:
        self.asked: list[Asked] = []
        self._faults: deque[Reply | Hangup] = deque()
        self._lock = threading.Lock()
        fake = self

        class Handler(LoopbackHandler):
            protocol_version = "HTTP/1.1"

            def _serve(self) -> None:
                try:
                    reply = fake._reply_to(self._read())
                except Hangup:
                    self.close_connection = True
                    return
                content = json.dumps(reply.body, ensure_ascii=False).encode()
                self.answer(reply.status, content, {"content-type": "application/json", **reply.headers})

            def _read(self) -> Asked:
                url = urlsplit(self.path)
                lists = parse_qs(url.query, keep_blank_values=True)
                return Asked(
                    self.command,
                    url.path,
                    {name: values[0] for name, values in lists.items()},
                    {name.lower(): value for name, value in self.headers.items()},
                    self.rfile.read(int(self.headers.get("Content-Length", 0))),
                    lists,
                )

            do_GET = do_POST = _serve

        self._server = LoopbackServer(Handler)
        self.url = self._server.origin

    def answer(self, asked: Asked) -> Reply:
        """The answer when nothing is broken."""
        raise NotImplementedError

    def break_next(self, *faults: Reply | Hangup) -> None:
        """The next requests get these instead of an answer, in order."""
        self._faults.extend(faults)

    def _reply_to(self, asked: Asked) -> Reply:
        with self._lock:
            self.asked.append(asked)
            if self._faults:
                fault = self._faults.popleft()
                if isinstance(fault, Hangup):
                    raise fault
                return fault
            return self.answer(asked)

    def __enter__(self) -> Self:
        self._server.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._server.stop()
