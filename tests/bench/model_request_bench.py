"""CPU of one model request, against the same request by the openai SDK in the same run: `python -m tests.bench.model_request_bench`.

Three ways: the SDK's ordinary call; ours; and httpx2 sending the same bytes and reading the reply as JSON, the least it can cost.
The server is another process that answers at once, so that the CPU measured is the client's alone.
"""

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable

import anyio
import httpx2
import openai

from autonomy.llm.messages import SystemMessage, ToolDefinition, UserMessage
from autonomy.llm.model import ModelOptions, ModelRequest
from autonomy.llm.model_chain import Chain
from autonomy.llm.model_registry import open_model

ROUNDS = 30
"""So many that some of them are undisturbed on a busy machine."""
REPLY = {
    "id": "chatcmpl-1",
    "object": "chat.completion",
    "created": 1,
    "model": "fake",
    "choices": [
        {
            "index": 0,
            "finish_reason": "tool_calls",
            "message": {
                "role": "assistant",
                "content": None,
                "tool_calls": [
                    {"id": "call_1", "type": "function", "function": {"name": "tool_1", "arguments": '{"argument_0": "a"}'}}
                ],
            },
        }
    ],
    "usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15},
}


async def serve() -> None:
    """Answer every POST with `REPLY`; print the port first."""
    body = json.dumps(REPLY).encode()
    answer = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n%s" % (len(body), body)

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                length = next(line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:"))
                await reader.readexactly(int(length.split(b":")[1]))
                writer.write(answer)
        except asyncio.IncompleteReadError:
            writer.close()

    server = await asyncio.start_server(handle, "127.0.0.1", 0, limit=2**24)
    sys.stdout.write(f"{server.sockets[0].getsockname()[1]}\n")
    sys.stdout.flush()
    await server.serve_forever()


def tools(count: int) -> tuple[ToolDefinition, ...]:
    """Tools of a common size: a sentence or three, six arguments."""
    described = "Does one thing with several arguments, described at the length that real tools are. " * 3
    form = {f"argument_{at}": {"type": "string", "description": "An argument of the tool"} for at in range(6)}
    schema = {"type": "object", "properties": form, "required": ["argument_0"]}
    return tuple(ToolDefinition(name=f"tool_{at}", description=described, input_schema=schema) for at in range(count))


async def cpu_ms(times: int, *requests: Callable[[], Awaitable[object]]) -> list[float]:
    """Milliseconds of CPU for one request of each kind: the best of many short rounds, in which they take turns."""
    best = [float("inf")] * len(requests)
    for request in requests:
        await request()
    for _ in range(ROUNDS):
        for at, request in enumerate(requests):
            started = time.process_time()
            for _ in range(times):
                await request()
            best[at] = min(best[at], (time.process_time() - started) / times * 1000)
    return best


async def measure(url: str, count: int, times: int) -> list[float]:
    """CPU of the SDK's request, of ours, and of the bytes alone, in milliseconds."""
    offered = tools(count)
    sdk_tools = [
        {"type": "function", "function": {"name": tool.name, "description": tool.description, "parameters": tool.input_schema}}
        for tool in offered
    ]
    said = [{"role": "system", "content": "be brief" * 100}, {"role": "user", "content": "こんにちは" * 30}]
    client = openai.AsyncOpenAI(api_key="k", base_url=url, max_retries=0)
    options = ModelOptions(api_key="k", base_url=url)
    chain = Chain([open_model("openai:m", options)])
    messages = (SystemMessage(text="be brief" * 100), UserMessage(text="こんにちは" * 30))
    request = ModelRequest(messages=messages, tools=offered)
    body = json.dumps({"model": "m", "messages": said, "tools": sdk_tools}).encode()
    headers = {"content-type": "application/json", "authorization": "Bearer k"}

    async with httpx2.AsyncClient() as http:

        async def bare() -> None:
            (await http.post(f"{url}/chat/completions", content=body, headers=headers)).json()

        costs = await cpu_ms(
            times,
            lambda: client.chat.completions.create(model="m", messages=said, tools=sdk_tools),  # type: ignore[arg-type]  # plain dicts
            lambda: chain.complete(request),
            bare,
        )
    await client.close()
    await chain.aclose()
    return costs


def main() -> None:
    """Print the figures."""
    server = subprocess.Popen(
        [sys.executable, "-m", "tests.bench.model_request_bench", "serve"], stdout=subprocess.PIPE, text=True
    )
    try:
        assert server.stdout is not None
        url = f"http://127.0.0.1:{int(server.stdout.readline())}/v1"
        for count, times in ((0, 25), (40, 25), (128, 12), (1000, 4)):
            floor, ours, bare = anyio.run(measure, url, count, times)
            told = f"openai SDK {floor:6.2f} ms, Jiritsu {ours:5.2f} ms ({ours / floor:.2f} of it), httpx2 with ready bytes {bare:5.2f} ms"
            sys.stdout.write(f"{count:5} tools: {told}\n")
    finally:
        server.terminate()
        server.wait(5)


if __name__ == "__main__":
    asyncio.run(serve()) if sys.argv[1:] == ["serve"] else main()
