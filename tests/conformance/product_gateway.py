"""`jiritsu gateway` as the server under test: `python -m tests.conformance.product_gateway PORT REVISION`.

The fixture server stands behind it, over stdio and in the revision under test; in front of it a proxy that adds the bearer token,
which the suite cannot. The profile keeps the servers' own names, because the suite asks for tools and prompts by name.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

import httpx2
import uvicorn
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response, StreamingResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from tests.conformance.ports import wait_for
from tests.support.command import command_line
from tests.support.ports import free_port

TOKEN = "conformance-token-0123456789"
SETTINGS = """[gateway.clients.suite]
token_env = "SUITE_TOKEN"
names = "own"
list_wait_s = 60
writes = "allow"
calls_per_minute = 100000
"""
HOP_BY_HOP = {"connection", "transfer-encoding", "keep-alive", "content-length"}


def adding_token(origin: str) -> ASGIApp:
    """Hands every request on with the token, and streams the answer back; what the suite sends is otherwise left as it is."""
    client = httpx2.AsyncClient(timeout=None)

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        headers = [(name, value) for name, value in request.headers.items() if name not in HOP_BY_HOP]
        try:
            body = await request.body()
        except ClientDisconnect:
            return
        url = f"{origin}{request.url.path}{f'?{request.url.query}' if request.url.query else ''}"
        outgoing = client.build_request(
            request.method, url, headers=[*headers, ("authorization", f"Bearer {TOKEN}")], content=body
        )
        answer = await client.send(outgoing, stream=True)
        kept = {name: value for name, value in answer.headers.items() if name not in HOP_BY_HOP}

        async def pieces() -> AsyncIterator[bytes]:
            try:
                async for piece in answer.aiter_raw():
                    yield piece
            finally:
                await answer.aclose()

        response: Response = StreamingResponse(pieces(), answer.status_code, kept)
        await response(scope, receive, send)

    return app


def main(port: int, revision: str) -> None:
    """Serve until ended."""
    inner = free_port()
    with tempfile.TemporaryDirectory() as directory:
        home = Path(directory)
        fixture = {"command": sys.executable, "args": ["-m", "tests.conformance.fixture_server", "stdio", revision]}
        fixture["cwd"] = str(Path.cwd())
        (home / "jiritsu.mcp.json").write_text(json.dumps({"mcpServers": {"fixture": fixture}}))
        (home / "jiritsu.toml").write_text(SETTINGS)
        env = {"PATH": os.environ["PATH"], "HOME": directory, "LANG": "C.UTF-8", "SUITE_TOKEN": TOKEN}
        gateway = subprocess.Popen(
            command_line("--home", directory, "gateway", "--http", f"127.0.0.1:{inner}"), env=env, cwd=home
        )
        signal.signal(
            signal.SIGTERM, lambda *_: sys.exit()
        )  # uvicorn raises it again, which else would end us before the gateway
        try:
            wait_for(inner)
            uvicorn.run(adding_token(f"http://127.0.0.1:{inner}"), host="127.0.0.1", port=port, log_level="error")
        finally:
            gateway.terminate()
            gateway.wait(10)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
