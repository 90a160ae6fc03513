"""Listens for HTTP requests at the address that a command was given."""

import errno
import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import anyio
import uvicorn

from autonomy.errors import ConfigError

PORT = re.compile(r"[0-9]{1,5}")
"""What may be the number of a port."""


def split_address(option: str, text: str) -> tuple[str, int]:
    """The host, without the brackets of an IPv6 address, and the port of `HOST:PORT`. Raises `ConfigError` naming the option."""
    host, _, port = text.rpartition(":")
    host = host.removeprefix("[").removesuffix("]")
    if not host or not PORT.fullmatch(port) or not 0 < int(port) <= 65535:  # of port 0 nobody would be told the number
        raise ConfigError(option, text, "is not HOST:PORT, e.g. 127.0.0.1:3000")
    return host, int(port)


def host_and_port(host: str, port: int) -> str:
    """The two as one text, as a URL takes them: an IPv6 address in brackets."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def check_free(option: str, host: str, port: int) -> None:
    """Return where something can listen there. Raises `ConfigError` naming the option that takes another address."""
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            taken = "another program listens there already" if error.errno == errno.EADDRINUSE else error.strerror
            raise ConfigError(option, host_and_port(host, port), f"cannot be used: {taken}") from error


async def serve_asgi(app: Any, host: str, port: int, option: str) -> None:
    """Serve an ASGI application until cancelled; signals are ours to handle, not the HTTP server's.

    Raises `ConfigError` naming the `option` that gave the address where that is taken.
    """
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
