"""CPU of one model request, against the same request by the openai SDK in the same run: `python -m tests.bench.model_request_bench`.

Three ways: the SDK's ordinary call; ours, which is the SDK's `post` with bytes of our own; ours again, with httpx2 alone in its place.
The server is another process that answers at once, so that the CPU measured is the client's alone.
"""

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from functools import partial

import anyio
import openai

from autonomy.llm.chain import Chain
from autonomy.llm.chat_completions import ChatCompletionsModel
from autonomy.llm.messages import SystemMessage, ToolDefinition, UserMessage
from autonomy.llm.model import Model, ModelOptions, ModelRequest
from autonomy.llm.openai import OPENAI
from autonomy.llm.registry import open_model
from autonomy.llm.wire import DirectWire

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


def direct(url: str, options: ModelOptions) -> Model:
    """Our model with httpx2 alone under it."""
    model = ChatCompletionsModel("m", OPENAI, options)
    headers = {"content-type": "application/json", "authorization": f"Bearer {options.api_key}"}
    model._wire = DirectWire(model="openai:m", options=options, url=f"{url}/chat/completions", headers=headers)  # type: ignore[assignment]  # the other way
    return model


async def measure(url: str, count: int, times: int) -> list[float]:
    """CPU of the SDK's request, of ours, and of ours without the SDK, in milliseconds."""
    offered = tools(count)
    sdk_tools = [
        {"type": "function", "function": {"name": tool.name, "description": tool.description, "parameters": tool.input_schema}}
        for tool in offered
    ]
    said = [{"role": "system", "content": "be brief" * 100}, {"role": "user", "content": "こんにちは" * 30}]
    client = openai.AsyncOpenAI(api_key="k", base_url=url, max_retries=0)
    options = ModelOptions(api_key="k", base_url=url)
    chains = Chain([open_model("openai:m", options)]), Chain([direct(url, options)])
    messages = (SystemMessage(text="be brief" * 100), UserMessage(text="こんにちは" * 30))
    request = ModelRequest(messages=messages, tools=offered)
    costs = await cpu_ms(
        times,
        lambda: client.chat.completions.create(model="m", messages=said, tools=sdk_tools),  # type: ignore[arg-type]  # plain dicts
        *(partial(chain.complete, request) for chain in chains),
    )
    await client.close()
    for chain in chains:
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
            told = (
                f"openai SDK {floor:6.2f} ms, Jiritsu {ours:5.2f} ms ({ours / floor:.2f} of it), with httpx2 alone {bare:5.2f} ms"
            )
            sys.stdout.write(f"{count:5} tools: {told}\n")
    finally:
        server.terminate()
        server.wait(5)


if __name__ == "__main__":
    asyncio.run(serve()) if sys.argv[1:] == ["serve"] else main()
