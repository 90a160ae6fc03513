"""HTTP listeners for commands: address parsing, the server, and the Prometheus endpoint."""

import errno
import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import anyio
import uvicorn
from pydantic import ValidationError
from starlette.applications import Starlette
from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from autonomy.errors import ConfigError
from autonomy.web.web_settings import LOOPBACK
from metrics.journal import Journal
from metrics.running_totals import RunningTotals
from metrics.telemetry.prometheus import CONTENT_TYPE, READ, render_prometheus


def address(option: str, text: str) -> tuple[str, int]:
    """Host and port of `HOST:PORT`. Raises `ConfigError` naming the option."""
    host, _, port = text.rpartition(":")
    if not host or not port.isdigit():
        raise ConfigError(option, text, "is not HOST:PORT, e.g. 127.0.0.1:3000")
    return host, int(port)


def check_free(option: str, host: str, port: int) -> None:
    """Whether something can listen there. Raises `ConfigError` naming the option that takes another address."""
    host = host.removeprefix("[").removesuffix("]")
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            taken = "another program listens there already" if error.errno == errno.EADDRINUSE else error.strerror
            raise ConfigError(option, f"{host}:{port}", f"cannot be used: {taken}") from error


async def serve_asgi(app: Any, host: str, port: int, option: str = "--listen") -> None:
    """Serve until cancelled; signals are ours to handle, not the HTTP server's. Raises `ConfigError` where the address is taken."""
    check_free(option, host, port)

    class Server(uvicorn.Server):
        @contextmanager
        def capture_signals(self) -> Iterator[None]:
            yield

    # uvicorn would take the caller's address from a header of anybody on loopback: who is a proxy is for the application to say
    settings = uvicorn.Config(
        app, host=host, port=port, log_level="warning", lifespan="off", timeout_graceful_shutdown=5, proxy_headers=False
    )
    server = Server(settings)

    async def serve() -> None:
        with anyio.CancelScope(shield=True):  # it is told to end below, and then closes its sockets
            await server.serve()

    async with anyio.create_task_group() as group:
        group.start_soon(serve)
        try:
            await anyio.sleep_forever()
        finally:
            server.should_exit = True


def _was_rebound(request: Request) -> bool:
    """Whether a page in a browser of this machine asks under a name of its own, which it had lead to loopback (DNS rebinding)."""
    reached, _ = request.scope.get("server") or ("", None)
    name = re.sub(r":\d{1,5}\Z", "", request.headers.get("host", "").lower())
    return reached in ("127.0.0.1", "::1") and name not in LOOPBACK


def scrape_page(journal: Journal) -> Starlette:
    """`/metrics` for Prometheus: sums over all runs, brought up to date with what came since the last scrape."""
    totals = RunningTotals(journal.engine)

    return Starlette(routes=[Route("/metrics", partial(metrics_page, totals))])


async def metrics_page(totals: RunningTotals, request: Request) -> Response:
    """The page that Prometheus scrapes. A journal that nobody summed yet takes longer than a scraper waits: it is summed behind
    the page, which says how much there is."""
    if _was_rebound(request):
        return Response("unknown host\n", 403)
    uncounted = await totals.backlog()
    try:
        text = render_prometheus(None if uncounted else await totals.read(READ), uncounted)
    except ValidationError:  # summed wrongly now, they would stay so
        return Response("the journal holds events of a newer Jiritsu: ask that one\n", 503)
    background = BackgroundTask(totals.catch_up) if uncounted else None
    return Response(text, headers={"content-type": CONTENT_TYPE}, background=background)
