"""Real HTTP on loopback, for every fake: bound at once, answering in threads within `with`, gone after it."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self


class LoopbackHandler(BaseHTTPRequestHandler):
    """Answers whole, keeps no log, and lets clients go."""

    def answer(self, status: int, body: bytes = b"", headers: dict[str, Any] | None = None) -> None:
        """Send a whole answer."""
        self.send_response(status)
        for name, value in {"content-length": str(len(body)), **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def handle_one_request(self) -> None:
        try:
            super().handle_one_request()
        except ConnectionError:  # the client has gone, which is its right
            self.close_connection = True

    def log_message(self, *_args: object) -> None:
        """Tests read what the fake has recorded."""


class LoopbackServer:
    """A server on a free port of 127.0.0.1."""

    def __init__(self, handler: type[BaseHTTPRequestHandler]) -> None:
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)
        self.port = self._server.server_port
        self.origin = f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Answer from now on."""
        self._thread.start()

    def stop(self) -> None:
        """Answer no more."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(120)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_exc: object) -> None:
        self.stop()


class ScriptedServer(LoopbackServer):
    """A server that answers by a script, step after step; its handler finds it as `fake`."""

    def __init__(self, handler: type[BaseHTTPRequestHandler]) -> None:
        super().__init__(type("Handler", (handler,), {"fake": self}))
        self.requests: list[Any] = []
        self.closing = threading.Event()
        """Set when it stops: who is silent waits for that."""
        self._steps: list[Any] = []

    def script(self, *steps: Any) -> None:
        """Add the next steps."""
        self._steps.extend(steps)

    def stop(self) -> None:
        """Answer no more."""
        self.closing.set()
        super().stop()
