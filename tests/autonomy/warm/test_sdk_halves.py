"""The SDK whose HTTP and cipher come at their first use is the SDK, only smaller."""

import subprocess
import sys

import pytest

PROGRAM = """
import sys
import anyio
from autonomy.warm.sdk_halves import import_client, import_server_half

import_client()
import_server_half()
from mcp import Client
from mcp.server.mcpserver import InvalidRequestState, MCPServer, RequestStateSecurity

server = MCPServer("shop")

@server.tool()
def price(item: str) -> str:
    return f"{item} costs 3"

def has(*names):
    return [name for name in names if name in sys.modules]

async def call():
    async with Client(server) as client:
        return (await client.call_tool("price", {"item": "tea"})).content[0].text
"""
"""A server in a process that has imported the SDK as the fork server does."""


def said(program: str) -> list[str]:
    """What a program of its own printed, by line."""
    done = subprocess.run([sys.executable, "-c", PROGRAM + program], capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.requirement("K7")
def test_a_server_answers_calls_without_http_and_without_a_cipher() -> None:
    assert said('print(anyio.run(call))\nprint(has("cryptography", "httpx2", "uvicorn", "starlette.applications"))') == [
        "tea costs 3",
        "[]",
    ]


def test_the_state_of_a_request_is_sealed_with_a_key_of_the_process_and_a_forged_one_is_refused() -> None:
    program = """
one, other = RequestStateSecurity.ephemeral().codec, RequestStateSecurity.ephemeral().codec
token = one.seal(b"asked")
print(one.unseal(token), b"asked" in token.encode())
try:
    print(other.unseal(token))
except InvalidRequestState as refused:
    print("refused:", refused)
async def forged():
    async with Client(server) as client:
        try:
            await client.session.call_tool("price", {"item": "tea"}, request_state=token[:-4] + "AAAA")
        except Exception as refused:
            print("refused:", refused)
anyio.run(forged)
"""
    unsealed, other, forged = said(program)
    assert unsealed == "b'asked' False"
    assert other == "refused: unknown key"
    assert forged == "refused: Invalid or expired requestState"


def test_a_server_that_serves_over_http_after_all_does_so() -> None:
    program = """
import httpx2

app = server.streamable_http_app()
asked = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
    "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}}

async def ask():
    transport = httpx2.ASGITransport(app)
    async with app.router.lifespan_context(app), httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000") as http:
        answer = await http.post("/mcp", json=asked, headers={"accept": "application/json, text/event-stream"})
        print(answer.status_code, '"serverInfo"' in answer.text)

print(type(app).__module__)
anyio.run(ask)
"""
    assert said(program) == ["starlette.applications", "200 True"]
