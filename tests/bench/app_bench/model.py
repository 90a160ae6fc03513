"""The model of every contender: another process, which answers at once over HTTP as OpenAI's chat completions do.

The goal says what is asked of it in brackets, `(writes 8)`: eight steps, of which every fourth reads and the others write;
`(reads 8)`: eight reads, one a reply; `(fan 8)`: two replies of four reads each.
"""

import asyncio
import json
import re
import sys
from typing import Any

WORDS = "Tea is best at eighty degrees."
_ASKED = re.compile(rb"\((reads|writes|fan) (\d+)\)")


async def serve() -> None:
    """Answer until killed; print the port first."""
    server = await asyncio.start_server(_handle, "127.0.0.1", 0, limit=2**24)
    sys.stdout.write(f"{server.sockets[0].getsockname()[1]}\n")
    sys.stdout.flush()
    await server.serve_forever()


async def _handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while head := await reader.readuntil(b"\r\n\r\n"):
            length = next(line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:"))
            writer.write(_reply(await reader.readexactly(int(length.split(b":")[1]))))
    except (asyncio.IncompleteReadError, ConnectionError):
        writer.close()


def _reply(body: bytes) -> bytes:
    asked, done = _ASKED.search(body), len(re.findall(rb'"tool_call_id":', body))
    if asked is None or done >= int(asked[2]):
        return _answer({"role": "assistant", "content": WORDS}, "stop")
    kind = asked[1].decode()
    numbers = range(done, done + 4) if kind == "fan" else range(done, done + 1)
    return _answer({"role": "assistant", "content": None, "tool_calls": [_call(body, kind, number) for number in numbers]})


def _call(body: bytes, kind: str, number: int) -> dict[str, Any]:
    """A call of one of the forty tools, each of another server than the one before, under the name it was offered by."""
    what = "write" if kind == "writes" and number % 4 else "read"
    found = re.search(rb'"name": ?"([\w-]*s%d_%s_%d)"' % (number % 4, what.encode(), number % 5), body)
    name = found[1].decode() if found else "not_offered"
    function = {"name": name, "arguments": json.dumps({"argument_0": f"tea {number}"})}
    return {"id": f"call_{number}", "type": "function", "function": function}


def _answer(message: dict[str, Any], finish_reason: str = "tool_calls") -> bytes:
    usage = {"prompt_tokens": 1000, "completion_tokens": 20, "total_tokens": 1020}
    choice = {"index": 0, "finish_reason": finish_reason, "message": message}
    reply = {"id": "c", "object": "chat.completion", "created": 1, "model": "fake", "choices": [choice], "usage": usage}
    body = json.dumps(reply).encode()
    return b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n%s" % (len(body), body)


if __name__ == "__main__":
    asyncio.run(serve())
