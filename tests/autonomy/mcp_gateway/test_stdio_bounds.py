"""What a client may send over stdio, and how little of it can do harm."""

import asyncio
import json
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import anyio
import anyio.lowlevel
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp.shared.message import SessionMessage
from mcp_types import INVALID_REQUEST, PROTOCOL_VERSION_META_KEY

from autonomy.mcp_gateway.transports.gateway_stdio import Requests, StdinLines
from discovery.transport.local.stdio import encoded
from tests.requirements import requirement
from tests.support.command import environment


class Kept:
    """Stands for our stdout."""

    def __init__(self) -> None:
        self.text = ""

    async def write(self, line: bytes) -> None:
        self.text += line.decode()

    async def send(self, item: SessionMessage) -> None:
        await self.write(encoded(item.message))


async def read(pieces: list[bytes], largest: int = 2_000) -> tuple[list[str], str]:
    """The lines that come of these pieces, and what was answered at once."""
    reader, written = asyncio.StreamReader(), Kept()

    async def feed() -> None:
        for piece in pieces:
            reader.feed_data(piece)
            await anyio.lowlevel.checkpoint()
        reader.feed_eof()

    lines: AsyncIterator[str] = StdinLines(reader, written, largest).__aiter__()  # type: ignore[arg-type]
    with anyio.fail_after(240):
        async with anyio.create_task_group() as group:
            group.start_soon(feed)
            seen = [line async for line in lines]
    return seen, written.text


def request(number: int, padding: int = 0) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": "ping", "params": {"x": "y" * padding}}).encode() + b"\n"


@requirement("N1")
async def test_a_request_that_is_too_long_is_refused_by_its_id_and_the_next_one_is_read() -> None:
    seen, answered = await read([request(1), request(2, 10_000), request(3)])
    assert [json.loads(line)["id"] for line in seen] == [1, 3]
    refusal = json.loads(answered)
    assert refusal["id"] == 2
    assert "2000 bytes" in refusal["error"]["message"]


async def test_one_that_comes_in_pieces_over_the_limit_is_read_past_and_never_kept_whole() -> None:
    whole = request(7, 5_000_000)
    seen, answered = await read([*(whole[at : at + 60_000] for at in range(0, len(whole), 60_000)), request(8)])
    assert [json.loads(line)["id"] for line in seen] == [8]
    assert json.loads(answered)["id"] == 7


async def test_bytes_that_are_no_utf_8_and_long_noise_without_an_id_harm_nobody() -> None:
    seen, answered = await read([b"\xff\xfe\x00\n", b"x" * 9_000 + b"\n", request(4)])
    assert seen[0] == "\ufffd\ufffd\x00"
    assert json.loads(seen[1])["id"] == 4
    assert answered == ""


@given(st.lists(st.integers(0, 300), max_size=6), st.integers(1, 400))
def test_however_the_bytes_come_the_lines_are_the_same(paddings: list[int], piece: int) -> None:
    lines = [request(number, padding) for number, padding in enumerate(paddings)]
    sent = b"".join(lines)
    pieces = [sent[at : at + piece] for at in range(0, len(sent), piece)]
    seen, answered = anyio.run(read, pieces)
    assert [line.encode() + b"\n" for line in seen] == lines
    assert answered == ""


@pytest.mark.timeout(120)
@requirement("N1")
def test_what_prints_inside_of_the_gateway_never_reaches_the_clients_channel_and_it_ends_with_its_input(tmp_path: Path) -> None:
    """`print` in a library would break the first answer: it goes to stderr while the gateway serves."""
    code = (
        "import anyio, sys\n"
        "from autonomy.mcp_gateway.transports.gateway_stdio import stdio_streams\n"
        "async def main():\n"
        "    async with stdio_streams({}) as (read, write):\n"
        "        print('noise', flush=True)\n"
        "        async with write:\n"
        "            async for item in read:\n"
        "                await write.send(item)\n"
        "anyio.run(main)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        input=request(5),
        capture_output=True,
        check=False,
        timeout=240,
        env=environment(tmp_path),
        cwd=Path.cwd(),
    )
    assert json.loads(done.stdout)["id"] == 5, done.stderr
    assert b"noise" in done.stderr


@requirement("N1")
async def test_a_client_that_began_in_an_earlier_revision_is_refused_requests_of_a_later_one_and_served_on() -> None:
    later = {"jsonrpc": "2.0", "id": 2, "method": "tools/list", "params": {"_meta": {PROTOCOL_VERSION_META_KEY: "2026-07-28"}}}
    beginning = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {}}
    reader, written = asyncio.StreamReader(), Kept()
    reader.feed_data(b"".join(json.dumps(one).encode() + b"\n" for one in (beginning, later)) + request(3))
    reader.feed_eof()
    requests = Requests(StdinLines(reader, written))  # type: ignore[arg-type]
    with anyio.fail_after(240):
        assert await requests.opens_with("initialize")
        requests.refuse_later_era = written  # type: ignore[assignment]
        seen = [item.message.id async for item in requests if isinstance(item, SessionMessage)]  # type: ignore[union-attr]
    assert seen == [1, 3]
    assert (json.loads(written.text)["id"], json.loads(written.text)["error"]["code"]) == (2, INVALID_REQUEST)


async def test_what_a_client_says_before_its_first_request_neither_decides_nor_is_lost() -> None:
    notice = b'{"jsonrpc": "2.0", "method": "notifications/initialized"}\n'
    reader = asyncio.StreamReader()
    reader.feed_data(notice + b"nonsense\n" + request(1))
    reader.feed_eof()
    requests = Requests(StdinLines(reader, Kept()))  # type: ignore[arg-type]
    with anyio.fail_after(240):
        assert not await requests.opens_with("initialize")
        seen = [type(item) async for item in requests]
    assert [issubclass(one, Exception) for one in seen] == [False, True, False]


async def test_the_last_line_needs_no_end() -> None:
    """As of `printf '{…}' | jiritsu gateway`."""
    reader, written = asyncio.StreamReader(), Kept()
    reader.feed_data(b'{"a": 1}\n{"b": 2}')
    reader.feed_eof()
    assert [line async for line in StdinLines(reader, written)] == ['{"a": 1}', '{"b": 2}']  # type: ignore[arg-type]
